#include "laboratory/read_laboratory.h"

#include "archive/zip_writer.h"
#include "base/private_files.h"
#include "base/translate.h"
#include "exchange/export/series_csv.h"
#include "laboratory/careful_json.h"
#include "laboratory/format/laboratory_fields.h"
#include "laboratory/format/laboratory_files.h"
#include "laboratory/format/laboratory_rules.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

/// What is compiled into a library is only known once it is named, outside of namespaces.
static void addShippedLaboratories()
{
    Q_INIT_RESOURCE(laboratories);
}

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t MostSteps = 200;

std::string textIn(const Laboratory& laboratory, const std::string& file)
{
    const auto found = laboratory.files.find(file);
    return found == laboratory.files.end() ? std::string() : QString::fromUtf8(found->second).trimmed().toStdString();
}

/// By their content: what their names promise, and of an SVG nothing that runs or is read from elsewhere.
void checkPictures(const Laboratory& laboratory, std::vector<Error>& errors)
{
    static const QRegularExpression Active(
        u"<!ENTITY|<script|<foreignObject|<image|\\bon[a-z]+\\s*=|href\\s*=\\s*[\"'](?!#)|url\\(\\s*[\"']?(?!#)|@import"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (const auto& [name, content] : laboratory.files) {
        if (name.ends_with(".png") && !content.startsWith("\x89PNG\r\n")) {
            errors.push_back(refusal(name, LS_TR("Messages", "it is no PNG picture")));
        } else if (name.ends_with(".svg")) {
            const auto found = Active.match(QString::fromUtf8(content));
            if (!content.contains("<svg")) {
                errors.push_back(refusal(name, LS_TR("Messages", "it is no SVG picture")));
            } else if (found.hasMatch()) {
                errors.push_back(refusal(name,
                    LS_TR("Messages", "it has %1; a picture has no scripts, entities or references to other files"),
                    {verbatim(found.captured(0).toStdString())}));
            }
        }
    }
}

void addTexts(Laboratory& laboratory)
{
    for (Step& step : laboratory.steps) {
        step.text = {textIn(laboratory, textFileOf(step.id, "en")), textIn(laboratory, textFileOf(step.id, "zh"))};
        if (auto* code = std::get_if<CodeStep>(&step.content)) {
            code->templateText = textIn(laboratory, code->templateFile);
        }
    }
}

/// Fields and rules; what cannot be a laboratory at all is an Error.
Result<Laboratory> described(const QString& path, std::vector<Error>& errors, std::vector<Error>& remarks)
{
    LOCKSTEP_TRY_ASSIGN(auto files, laboratoryFiles(path));
    const auto description = files.find(DescriptionName);
    if (description == files.end()) {
        return failure(LS_TR("Messages", "it has no %1"), {verbatim(DescriptionName)});
    }
    const FieldJson json = carefulJson(description->second.toStdString());
    if (!json.is_object()) {
        return failure(LS_TR("Messages", "its %1 is not JSON: %2"),
            {verbatim(DescriptionName), whyNoObject(description->second.toStdString())});
    }
    if (const FieldJson version = json.value("version", FieldJson());
        version.is_number_integer() && version.get<std::int64_t>() > LaboratoryVersion) {
        return failure(LS_TR("Messages",
                           "it is a laboratory of version %1, from a later version of Lockstep; this program reads %2"),
            {version.get<std::int64_t>(), LaboratoryVersion});
    }
    if (json.value("laboratory", FieldJson()).is_string()) {
        return failure(LS_TR("Messages", "it is the key of a laboratory, not the laboratory itself"));
    }
    if (const FieldJson steps = json.value("steps", FieldJson()); steps.size() > MostSteps) {
        return failure(LS_TR("Messages", "it has %1 steps; a laboratory has at most %2"), {steps.size(), MostSteps});
    }
    Laboratory laboratory;
    laboratory.sha256 = hashOfFiles(files);
    laboratory.files = std::move(files);
    readDescription(json, laboratory, FieldReader({}, errors));
    addTexts(laboratory);
    if (errors.empty()) {
        checkRules(laboratory, errors, remarks);
        checkPictures(laboratory, errors);
    }
    return laboratory;
}

QString keyFileOf(const QString& path, const QString& key)
{
    return !key.isEmpty() ? key : QFileInfo(path).isDir() ? keyBeside(path) : QString();
}

void addKey(const QString& file, LaboratoryCheck& check)
{
    const auto text = readTextFile(file);
    auto key = text ? parseKey(*text, QFileInfo(file).fileName().toStdString()) : Result<LaboratoryKey>(text.error());
    if (!key) {
        check.errors.push_back(key.error());
        return;
    }
    std::ranges::copy(checkKey(*key, *check.laboratory), std::back_inserter(check.errors));
    for (const Step& step : check.laboratory->steps) {
        if (step.is<QuestionStep>() && !key->steps.contains(step.id)) {
            check.remarks.push_back(
                refusal("steps." + step.id, LS_TR("Messages", "the key has no answer and no rubric of this question")));
        }
    }
    check.key = *std::move(key);
}

} // namespace

LaboratoryCheck checkLaboratory(const QString& path, const QString& key)
{
    LaboratoryCheck check;
    auto laboratory = described(path, check.errors, check.remarks);
    if (!laboratory) {
        check.errors.push_back(laboratory.error());
        return check;
    }
    check.laboratory = *std::move(laboratory);
    if (const QString file = keyFileOf(path, key); check.errors.empty() && !file.isEmpty()) {
        addKey(file, check);
    }
    return check;
}

Result<Laboratory> readLaboratory(const QString& path)
{
    LaboratoryCheck check;
    auto laboratory = described(path, check.errors, check.remarks);
    const Text where(LS_TR("Messages", "%1 cannot be opened"), {verbatim(path.toStdString())});
    return !laboratory          ? Result<Laboratory>(during(where, laboratory.error()))
        : !check.errors.empty() ? Result<Laboratory>(during(where, check.errors.front()))
                                : std::move(laboratory);
}

QString keyBeside(const QString& path)
{
    const QString key = QFileInfo(path).isDir() ? path + u'/' + QLatin1StringView(KeyName)
        : path.endsWith(QLatin1StringView(LaboratorySuffix))
        ? path.chopped(QLatin1StringView(LaboratorySuffix).size()) + QLatin1StringView(KeySuffix)
        : QString();
    return QFileInfo::exists(key) ? key : QString();
}

bool isLaboratory(const QString& path)
{
    const QFileInfo place(path);
    return place.isDir() ? QFileInfo::exists(path + u'/' + QLatin1StringView(DescriptionName))
                         : place.isFile() && path.endsWith(QLatin1StringView(LaboratorySuffix), Qt::CaseInsensitive);
}

Result<void> writeLaboratory(const Laboratory& laboratory, const QString& path)
{
    std::vector<archive::ZipInput> members;
    for (const auto& [name, content] : laboratory.files) {
        members.push_back({name, content.toStdString()});
    }
    return archive::writeZip(path.toStdString(), members);
}

Result<HandOut> handOut(const QString& path, const QString& key, const QString& out)
{
    if (!out.endsWith(QLatin1StringView(LaboratorySuffix))) {
        return failure(LS_TR("Messages", "%1 does not end in .lab"), {verbatim(out.toStdString())});
    }
    const LaboratoryCheck check = checkLaboratory(path, key);
    if (!check.isOk()) {
        return during(
            {LS_TR("Messages", "%1 cannot be handed out"), {verbatim(path.toStdString())}}, check.errors.front());
    }
    HandOut written{out, {}};
    if (const QString file = keyFileOf(path, key); !file.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(const std::string text, readTextFile(file));
        written.key = out.chopped(QLatin1StringView(LaboratorySuffix).size()) + QLatin1StringView(KeySuffix);
        LOCKSTEP_TRY(exchange::writeFile(written.key, QByteArray::fromStdString(text)));
    }
    LOCKSTEP_TRY(writeLaboratory(*check.laboratory, out));
    giveAway(out.toStdString());
    return written;
}

std::vector<ShippedLaboratory> shippedLaboratories()
{
    addShippedLaboratories();
    const QDir folder(u":/laboratories"_s);
    QFile order(folder.filePath(u"order.txt"_s));
    std::vector<ShippedLaboratory> shipped;
    if (order.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : order.readAll().split('\n')) {
            const QString id = QString::fromUtf8(line).trimmed();
            if (!id.isEmpty()) {
                shipped.push_back({id.toStdString(), folder.filePath(id)});
            }
        }
    }
    return shipped;
}

} // namespace lockstep::laboratory
