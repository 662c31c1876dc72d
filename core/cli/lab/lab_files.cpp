// `lockstep lab new`, `hand-out` and `list`.
#include "base/translate.h"
#include "cli/lab/lab_commands.h"
#include "cli/verbs.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "language/language.h"
#include "language/shown_names.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

Json wordingJson(const experiment::Wording& wording)
{
    return {{"en", wording.en}, {"zh", wording.zh}};
}

/// A spec file, or a preset of that name.
Result<experiment::Spec> specNamed(const QString& word, std::string& preset)
{
    const auto names = experiment::presetNames();
    if (std::ranges::find(names, word.toStdString()) != names.end()) {
        preset = word.toStdString();
        return experiment::preset(preset);
    }
    QFile file(word);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1 is no preset and no spec file that can be read: %2"),
            {verbatim(word.toStdString()), verbatim(file.errorString().toStdString())});
    }
    const auto spec = experiment::parseSpec(file.readAll().toStdString());
    return spec ? spec : Result<experiment::Spec>(during(verbatim(word.toStdString()), spec.error()));
}

} // namespace

Result<int> newLab(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(
            LS_TR("Messages", "lab new: needs one preset or spec file, such as: lockstep lab new optimizers"));
    }
    const QString& word = arguments.positional().front();
    std::string preset;
    LOCKSTEP_TRY_ASSIGN(const auto spec, specNamed(word, preset));
    const QString folder = arguments.value(u"--out"_s, QFileInfo(word).completeBaseName());
    LOCKSTEP_TRY(laboratory::writeNewLaboratory(spec, preset, folder));
    const std::string path = QFileInfo(folder).absoluteFilePath().toStdString();
    return printOrFail(arguments.has(u"--json"_s) ? Json{{"version", 1}, {"folder", path}}.dump() + "\n" : path + "\n");
}

Result<int> handOutLab(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "lab hand-out: needs one folder"));
    }
    const QString path = QDir::cleanPath(QFileInfo(arguments.positional().front()).absoluteFilePath());
    const QString out = arguments.value(u"--out"_s, path + QLatin1StringView(laboratory::LaboratorySuffix));
    const auto written = laboratory::handOut(path, arguments.value(u"--key"_s), out);
    if (!written) {
        return during(verbatim(arguments.positional().front().toStdString()), written.error());
    }
    if (written->key.isEmpty()) {
        report(language::told(
            LS_TR("CommandLine", "%1 has no key.json: only the laboratory was written"), {path.toStdString()}));
    }
    if (arguments.has(u"--json"_s)) {
        const Json key = written->key.isEmpty() ? Json() : Json(written->key.toStdString());
        return printOrFail(
            Json{{"version", 1}, {"laboratory", written->laboratory.toStdString()}, {"key", key}}.dump() + "\n");
    }
    return printOrFail(written->laboratory.toStdString() + "\n"
        + (written->key.isEmpty() ? std::string() : written->key.toStdString() + "\n"));
}

Result<int> listLabs(const Arguments& arguments)
{
    LOCKSTEP_TRY(refuseWords("lab list", arguments.positional()));
    Json list = Json::array();
    std::string text;
    for (const auto& shipped : laboratory::shippedLaboratories()) {
        LOCKSTEP_TRY_ASSIGN(const auto lab, laboratory::readLaboratory(shipped.path));
        list.push_back({{"id", lab.id}, {"revision", lab.revision}, {"minutes", lab.minutes},
            {"title", wordingJson(lab.title)}, {"aim", wordingJson(lab.aim)}});
        text += language::told(LS_TR("CommandLine", "%1: %2, %3 minutes"),
                    {lab.id, language::inLanguage(lab.title), std::to_string(lab.minutes)})
            + "\n";
    }
    Json begun = Json::array();
    for (const QString& folder : laboratory::workFoldersIn(storeOf(arguments))) {
        const std::string name = QFileInfo(folder).fileName().toStdString();
        begun.push_back({{"name", name}, {"folder", folder.toStdString()}});
        text += language::told(LS_TR("CommandLine", "%1: begun, in %2"), {name, folder.toStdString()}) + "\n";
    }
    return printOrFail(arguments.has(u"--json"_s)
            ? Json{{"version", 1}, {"laboratories", list}, {"begun", begun}}.dump(2) + "\n"
            : text);
}

} // namespace lockstep::cli
