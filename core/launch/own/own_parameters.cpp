#include "launch/own/own_parameters.h"

#include "base/process_limits.h"
#include "base/translate.h"
#include "experiment/parameter.h"
#include "launch/own/own_program.h"
#include "launch/own/python_files.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QProcess>

#include <algorithm>
#include <map>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using experiment::Value;

constexpr int FindLimitMs = 10'000;

/// `type`: Python's name of it.
Value pythonValue(const QJsonValue& json, const QString& type)
{
    if (type == u"bool"_s) {
        return json.toBool();
    }
    if (type == u"int"_s) {
        return std::int64_t{json.toInteger()};
    }
    return type == u"float"_s ? Value(json.toDouble()) : Value(json.toString().toStdString());
}

Switch switchNamed(const QString& name)
{
    return name == u"on"_s  ? Switch::On
        : name == u"off"_s  ? Switch::Off
        : name == u"pair"_s ? Switch::Pair
                            : Switch::Value;
}

OwnParameter declaredParameter(const QJsonObject& json)
{
    const QString type = json[u"type"_s].toString();
    OwnParameter parameter;
    parameter.name = "own." + json[u"name"_s].toString().toStdString();
    parameter.standard = pythonValue(json[u"default"_s], type);
    parameter.help = json[u"help"_s].toString().toStdString();
    parameter.minimum = json[u"minimum"_s].toDouble(parameter.minimum);
    parameter.maximum = json[u"maximum"_s].toDouble(parameter.maximum);
    for (const QJsonValue& choice : json[u"choices"_s].toArray()) {
        parameter.choices.push_back(pythonValue(choice, type));
    }
    parameter.flag = json[u"flag"_s].toString().toStdString();
    parameter.negative = json[u"negative"_s].toString().toStdString();
    parameter.kind = switchNamed(json[u"switch"_s].toString());
    return parameter;
}

/// Why a value (%1) is refused whose type is not that of the default (%2). Every value can be a text.
std::string_view whyNoneOf(const Value& standard)
{
    return std::holds_alternative<bool>(standard) ? LS_TR("Refusals", "%1 is not true or false, as its default %2 is")
        : std::holds_alternative<std::int64_t>(standard)
        ? LS_TR("Refusals", "%1 is not an integer, as its default %2 is")
        : LS_TR("Refusals", "%1 is not a number, as its default %2 is");
}

/// The value as the type of the default.
std::optional<Value> asTypeOf(const Value& standard, const Value& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (std::holds_alternative<double>(standard) && whole != nullptr) {
        return Value(static_cast<double>(*whole));
    }
    if (std::holds_alternative<std::string>(standard)) {
        return Value(experiment::toText(value)); // `--set own.name=7` is written like an integer
    }
    return value.index() == standard.index() ? std::optional<Value>(value) : std::nullopt;
}

bool isInRange(const OwnParameter& parameter, const Value& value)
{
    const auto within = [&](double number) { return number >= parameter.minimum && number <= parameter.maximum; };
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return within(static_cast<double>(*whole));
    }
    const auto* number = std::get_if<double>(&value);
    return number == nullptr || within(*number);
}

/// A text of the command line as the parameter's type; nothing if it is none.
std::optional<Value> commandValue(const OwnParameter& parameter, const QString& text)
{
    bool isGood = true;
    if (std::holds_alternative<bool>(parameter.standard)) {
        return Value(text.compare(u"true"_s, Qt::CaseInsensitive) == 0 || text == u"1"_s);
    }
    if (std::holds_alternative<std::int64_t>(parameter.standard)) {
        const auto number = std::int64_t{text.toLongLong(&isGood)};
        return isGood ? std::optional<Value>(number) : std::nullopt;
    }
    if (std::holds_alternative<double>(parameter.standard)) {
        const double number = text.toDouble(&isGood);
        return isGood ? std::optional<Value>(number) : std::nullopt;
    }
    return Value(text.toStdString());
}

/// Makes what the command gives the default; the last mention counts, as for Python's parsers.
void takeFromCommand(OwnParameter& parameter, const QStringList& words)
{
    const QString flag = QString::fromStdString(parameter.flag);
    for (qsizetype i = 0; i < words.size(); ++i) {
        std::optional<Value> value;
        if (!parameter.negative.empty() && words[i] == QString::fromStdString(parameter.negative)) {
            value = false;
        } else if (words[i] == flag && parameter.kind != Switch::Value) {
            value = parameter.kind != Switch::Off;
        } else if (words[i] == flag && i + 1 < words.size()) {
            value = commandValue(parameter, words[i + 1]);
        } else if (words[i].startsWith(flag + u'=')) {
            value = commandValue(parameter, words[i].mid(flag.size() + 1));
        }
        parameter.standard = value.value_or(parameter.standard);
    }
}

void takeFromCommand(std::vector<OwnParameter>& parameters, const QStringList& words)
{
    for (OwnParameter& each : parameters) {
        if (!each.flag.empty()) {
            takeFromCommand(each, words);
        }
    }
}

/// Of a repeat: a script that takes its seed on the command line gets another one each time.
Value standardOf(const OwnParameter& parameter, const experiment::RunSpec& run)
{
    const auto* seed = std::get_if<std::int64_t>(&parameter.standard);
    const bool isSeed = !parameter.flag.empty() && parameter.name.ends_with("seed") && seed != nullptr;
    return isSeed ? Value(*seed + std::int64_t{run.repeat}) : parameter.standard;
}

Result<void> completeRun(experiment::RunSpec& run, const std::vector<OwnParameter>& declared, const std::string& script)
{
    const experiment::Assignment given = run.settings;
    for (const auto& [name, value] : given) {
        if (!experiment::isOwnParameter(name)) {
            continue;
        }
        const auto found
            = std::ranges::find_if(declared, [&, &name = name](const OwnParameter& each) { return each.name == name; });
        if (found == declared.end()) {
            return declared.empty() ? refusal(
                       name, LS_TR("Refusals", "%1 does not declare it; it declares no parameters"), {verbatim(script)})
                                    : refusal(name, LS_TR("Refusals", "%1 does not declare it; it declares %2"),
                                        {verbatim(script), verbatim(listed(declared, &OwnParameter::name))});
        }
        LOCKSTEP_TRY_ASSIGN(auto fitted, fitting(*found, value));
        run.settings.set(name, std::move(fitted));
    }
    for (const OwnParameter& each : declared) {
        if (!run.settings.contains(each.name)) {
            run.settings.set(each.name, standardOf(each, run));
        }
    }
    return {};
}

} // namespace

Result<std::vector<OwnParameter>> declaredParameters(const QString& script)
{
    const std::string name = QFileInfo(script).fileName().toStdString();
    QProcess python;
    const QString finder
        = QString::fromUtf8(parameterFinder().data(), static_cast<qsizetype>(parameterFinder().size()));
    python.setStandardInputFile(QProcess::nullDevice());
    python.setChildProcessModifier(restoreOpenFileLimit);
    python.start(u"python3"_s, {u"-I"_s, u"-c"_s, finder, QFileInfo(script).absoluteFilePath()});
    if (!python.waitForFinished(FindLimitMs)) {
        const bool isMissing = python.error() == QProcess::FailedToStart;
        python.kill();
        python.waitForFinished(1000);
        return isMissing ? refusal(nameOf(&experiment::RankSettings::program),
                   LS_TR("Refusals", "the parameters of %1 cannot be read without python3"), {verbatim(name)})
                         : refusal(nameOf(&experiment::RankSettings::program),
                             LS_TR("Refusals", "the parameters of %1 could not be read in 10 s"), {verbatim(name)});
    }
    if (python.exitStatus() != QProcess::NormalExit || python.exitCode() != 0) {
        const QString lines = QString::fromUtf8(python.readAllStandardError()).trimmed();
        return refusal(nameOf(&experiment::RankSettings::program),
            LS_TR("Refusals", "the parameters of %1 cannot be read: %2"),
            {verbatim(name), verbatim(lines.section(u'\n', -1).toStdString())});
    }
    std::vector<OwnParameter> parameters;
    const QJsonArray list = QJsonDocument::fromJson(python.readAllStandardOutput()).array();
    for (const QJsonValue& each : list) {
        parameters.push_back(declaredParameter(each.toObject()));
    }
    return parameters;
}

std::vector<OwnParameter> flagParameters(const QString& script, const QStringList& words)
{
    struct Read {
        QDateTime changed{};
        std::vector<OwnParameter> parameters{};
    };
    static QMutex mutex;
    static QHash<QString, Read> known;
    const QFileInfo file(script);
    const QMutexLocker lock(&mutex);
    Read& read = known[file.absoluteFilePath()];
    if (read.changed != file.lastModified()) {
        auto declared = declaredParameters(script);
        read.changed = file.lastModified();
        read.parameters = declared ? std::move(*declared) : std::vector<OwnParameter>();
        std::erase_if(read.parameters, [](const OwnParameter& each) { return each.flag.empty(); });
    }
    std::vector<OwnParameter> parameters = read.parameters;
    takeFromCommand(parameters, words);
    return parameters;
}

QStringList flagsOf(const experiment::RunSpec& run, const std::vector<OwnParameter>& parameters)
{
    QStringList words;
    for (const OwnParameter& each : parameters) {
        if (!run.settings.contains(each.name) || run.settings.at(each.name) == each.standard) {
            continue;
        }
        const Value& value = run.settings.at(each.name);
        const auto* truth = std::get_if<bool>(&value);
        const QString flag = QString::fromStdString(each.flag);
        const QString text = truth == nullptr ? QString::fromStdString(experiment::toText(value))
            : *truth                          ? u"True"_s
                                              : u"False"_s;
        if (each.kind == Switch::Pair && truth != nullptr) {
            words += *truth ? flag : QString::fromStdString(each.negative);
        } else if (each.kind != Switch::Value && truth != nullptr) {
            if (*truth == (each.kind == Switch::On)) {
                words += flag; // the command cannot take back a flag that it gives itself
            }
        } else if (flag.startsWith(u"--"_s)) {
            words += flag + u'=' + text;
        } else {
            words += {flag, text};
        }
    }
    return words;
}

Result<Value> fitting(const OwnParameter& parameter, const Value& value)
{
    const auto fits = asTypeOf(parameter.standard, value);
    if (!fits) {
        return refusal(parameter.name, whyNoneOf(parameter.standard),
            {verbatim(experiment::toText(value)), verbatim(experiment::toText(parameter.standard))});
    }
    if (!isInRange(parameter, *fits)) {
        return refusal(parameter.name, LS_TR("Refusals", "%1 is outside [%2, %3]"),
            {verbatim(experiment::toText(value)), verbatim(experiment::toText(parameter.minimum)),
                verbatim(experiment::toText(parameter.maximum))});
    }
    if (!parameter.choices.empty() && std::ranges::find(parameter.choices, *fits) == parameter.choices.end()) {
        return refusal(parameter.name, LS_TR("Refusals", "%1 is not one of %2"),
            {verbatim(experiment::toText(value)),
                verbatim(listed(parameter.choices, [](const Value& each) { return experiment::toText(each); }))});
    }
    return *fits;
}

Result<void> completeOwnParameters(std::span<experiment::RunSpec> runs)
{
    std::map<QString, std::vector<OwnParameter>> known;
    for (experiment::RunSpec& run : runs) {
        if (!isOwnProgram(run)) {
            continue;
        }
        LOCKSTEP_TRY_ASSIGN(const auto program, ownProgram(run));
        if (!program.script.isEmpty() && !known.contains(program.script)) {
            LOCKSTEP_TRY_ASSIGN(known[program.script], declaredParameters(program.script));
        }
        std::vector<OwnParameter> declared = known[program.script];
        takeFromCommand(declared, program.words);
        const std::string name = program.script.isEmpty() ? program.program.toStdString()
                                                          : QFileInfo(program.script).fileName().toStdString();
        LOCKSTEP_TRY(completeRun(run, declared, name));
    }
    return {};
}

} // namespace lockstep::launch
