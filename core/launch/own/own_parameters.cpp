#include "launch/own/own_parameters.h"

#include "base/process_limits.h"
#include "base/translate.h"
#include "experiment/parameter.h"
#include "launch/own/own_program.h"
#include "launch/own/python_files.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>
#include <map>

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
            run.settings.set(each.name, each.standard);
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
        const std::string name = program.script.isEmpty() ? program.program.toStdString()
                                                          : QFileInfo(program.script).fileName().toStdString();
        LOCKSTEP_TRY(completeRun(run, known[program.script], name));
    }
    return {};
}

} // namespace lockstep::launch
