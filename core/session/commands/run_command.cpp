#include "session/commands/arguments.h"
#include "session/commands/carry_out.h"
#include "session/commands/verbs.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "plan/check.h"

#include <QFile>
#include <QFileInfo>

#include <array>
#include <cstdio>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array RunOptions{
    Option{"--set", "KEY=VALUE", "sets a parameter in every variant; may be repeated"},
    Option{"--only", "NAME[,NAME]", "runs only these variants"},
    Option{"--out", "DIR", "writes result.json, the curves as CSV and the charts into DIR"},
    Option{"--json", "", "prints the results as JSON on stdout"},
    Option{"--store", "DIR", "the folder that keeps the runs"},
    Option{"--help", "", "this text, and every parameter"},
};
constexpr qint64 LargestSpec = 4 << 20;

[[nodiscard]] std::string runHelpText()
{
    std::string text = "lockstep run PRESET|SPEC.json [options]\n\nRuns every variant of an experiment, each in its "
                       "own processes; those that are compared take turns.\nPresets:";
    for (const std::string_view name : experiment::presetNames()) {
        text.append(" ").append(name);
    }
    text += "\n\n" + helpOf(RunOptions) + "\nParameters for --set:\n";
    for (const experiment::Parameter& row : experiment::parameters()) {
        text += "  " + std::string(row.name) + "=" + experiment::toText(row.standard) + "\n      "
            + std::string(row.help) + " Allowed: " + experiment::allowedText(row) + ".\n";
    }
    return text;
}

[[nodiscard]] Result<experiment::Spec> readSpec(const QString& what)
{
    QStringList names;
    for (const std::string_view name : experiment::presetNames()) {
        names += QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    if (names.contains(what)) {
        return experiment::preset(what.toStdString());
    }
    QFile file(what);
    if (!file.exists()) {
        const QString meant = closest(what, names);
        return Error{std::string("\"") + what.toStdString() + "\" is neither a preset ("
            + names.join(u", "_s).toStdString() + ") nor a file"
            + (meant.isEmpty() ? "" : std::string("; did you mean \"") + meant.toStdString() + "\"?")};
    }
    if (QFileInfo(what).isDir() || !file.open(QIODevice::ReadOnly)) {
        return Error{what.toStdString()
            + ": cannot be read: " + (QFileInfo(what).isDir() ? "it is a folder" : file.errorString().toStdString())};
    }
    if (file.size() > LargestSpec) {
        return Error{what.toStdString() + ": is larger than 4 MiB, too large for a spec"};
    }
    auto spec = experiment::parseSpec(file.readAll().toStdString());
    return spec ? spec : Result<experiment::Spec>(during(what.toStdString(), spec.error()));
}

[[nodiscard]] Result<std::vector<experiment::RunSpec>> readRuns(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(auto spec, readSpec(arguments.positional().front()));
    std::vector<experiment::Override> overrides;
    for (const QString& set : arguments.values(u"--set"_s)) {
        const qsizetype equals = set.indexOf(u'=');
        if (equals <= 0) {
            return Error{"--set: \"" + set.toStdString() + "\" is not KEY=VALUE"};
        }
        overrides.push_back({set.left(equals).toStdString(), set.mid(equals + 1).toStdString()});
    }
    std::vector<std::string> only;
    for (const QString& names : arguments.values(u"--only"_s)) {
        for (const QString& name : names.split(u',', Qt::SkipEmptyParts)) {
            only.push_back(name.toStdString());
        }
    }
    LOCKSTEP_TRY_ASSIGN(const auto chosen, experiment::customise(std::move(spec), overrides, only));
    LOCKSTEP_TRY_ASSIGN(const auto lines, experiment::settingsWithoutEffect(chosen, overrides));
    for (const std::string& line : lines) {
        std::fprintf(stderr, "lockstep: %s\n", line.c_str());
    }
    auto runs = experiment::expand(chosen);
    const auto possible = runs ? plan::checkAll(*runs) : Result<void>();
    return possible ? std::move(runs) : Result<std::vector<experiment::RunSpec>>(possible.error());
}

} // namespace

int runCommand(const QStringList& words, const CommandContext& context)
{
    const auto arguments = Arguments::parse(words, RunOptions);
    if (!arguments) {
        return refuse(during("run", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(runHelpText());
    }
    if (arguments->positional().size() != 1) {
        return refuse({"run: needs one preset or spec file, for example: lockstep run optimizers"});
    }
    const auto runs = readRuns(*arguments);
    if (!runs) {
        return refuse(runs.error());
    }
    return carryOut(*runs, *arguments, context);
}

} // namespace lockstep::session
