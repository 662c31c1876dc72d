#include "cli/run/read_runs.h"

#include "cli/run/confirm_runs.h"
#include "cli/verbs.h"
#include "experiment/command_of.h"
#include "experiment/parameter.h"
#include "experiment/vary.h"
#include "laboratory/read_laboratory.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "launch/own/own_parameters.h"
#include "plan/check.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 LargestSpec = 4 << 20;

[[nodiscard]] QStringList presets()
{
    QStringList names;
    for (const std::string_view name : experiment::presetNames()) {
        names += QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    return names;
}

[[nodiscard]] Result<experiment::Spec> readSpec(const QString& what)
{
    const QStringList names = presets();
    if (names.contains(what) || what.toStdString() == experiment::OwnExperiment) {
        return experiment::preset(what.toStdString());
    }
    QFile file(what);
    if (!file.exists()) {
        const QString meant = closest(what, names);
        const Text given = verbatim(what.toStdString());
        const Text all = verbatim(names.join(u", "_s).toStdString());
        return meant.isEmpty()
            ? failure(LS_TR("Messages", "\"%1\" is neither a preset (%2) nor a file"), {given, all})
            : failure(LS_TR("Messages", "\"%1\" is neither a preset (%2) nor a file; did you mean \"%3\"?"),
                {given, all, verbatim(meant.toStdString())});
    }
    if (laboratory::isLaboratory(what)) {
        return failure(LS_TR("Messages", "%1 is a laboratory; run one of its steps: lockstep lab run %1 --step STEP"),
            {verbatim(what.toStdString())});
    }
    if (QFileInfo(what).isDir() || !file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1: cannot be read: %2"),
            {verbatim(what.toStdString()),
                QFileInfo(what).isDir() ? Text(LS_TR("Messages", "it is a folder"))
                                        : verbatim(file.errorString().toStdString())});
    }
    if (file.size() > LargestSpec) {
        return failure(
            LS_TR("Messages", "%1: is larger than 4 MiB, too large for a spec"), {verbatim(what.toStdString())});
    }
    auto spec = experiment::parseSpec(file.readAll().toStdString());
    return spec ? spec : Result<experiment::Spec>(during(verbatim(what.toStdString()), spec.error()));
}

[[nodiscard]] Result<std::vector<experiment::VariedParameter>> variedOf(
    const Arguments& arguments, std::span<const experiment::Override> overrides)
{
    std::vector<experiment::VariedParameter> varied;
    for (const QString& text : arguments.values(u"--vary"_s)) {
        LOCKSTEP_TRY_ASSIGN(auto one, experiment::parseVaried(text.toStdString()));
        for (const experiment::Override& each : overrides) {
            if (each.name == one.parameter->name) {
                return failure(LS_TR("Messages", "%1: is both set and varied; give it to --set or to --vary"),
                    {verbatim(each.name)});
            }
        }
        varied.push_back(std::move(one));
    }
    return varied;
}

using WithoutEffect = std::vector<experiment::SettingWithoutEffect>;

/// What was asked for and has no effect in some of the runs; an error where it has none in any. Of a spec file's base
/// that means all its variants, whichever of them run now. What a preset brings along is no request.
[[nodiscard]] Result<WithoutEffect> withoutEffect(const experiment::Spec& written, bool isPreset,
    const experiment::Spec& chosen, std::span<const experiment::Override> overrides)
{
    std::vector<std::string> asked;
    std::vector<std::string> base;
    for (const experiment::Override& each : overrides) {
        asked.push_back(each.name);
    }
    LOCKSTEP_TRY(experiment::refuseWithoutEffect(experiment::settingsWithoutEffect(chosen, asked)));
    for (const auto& [name, value] : isPreset ? experiment::Assignment() : written.base) {
        base.push_back(name);
    }
    asked.insert(asked.end(), base.begin(), base.end());
    WithoutEffect settings = experiment::settingsWithoutEffect(chosen, asked);
    const WithoutEffect asWritten = experiment::settingsWithoutEffect(written, base);
    for (const experiment::SettingWithoutEffect& each : settings) {
        const bool isNowhere = each.isInEvery
            && std::any_of(asWritten.begin(), asWritten.end(),
                [&](const auto& other) { return other.name == each.name && other.isInEvery; });
        if (isNowhere) {
            return each.error();
        }
    }
    return settings;
}

} // namespace

Result<std::vector<experiment::Override>> overridesOf(const Arguments& arguments)
{
    std::vector<experiment::Override> overrides;
    if (!arguments.afterDashes().empty()) {
        overrides.push_back({nameOf(&experiment::RankSettings::program),
            listed(arguments.afterDashes(), &experiment::shellQuoted, " ")});
    }
    if (arguments.has(u"-n"_s)) {
        overrides.push_back({nameOf(&experiment::RankSettings::worldSize), arguments.value(u"-n"_s).toStdString()});
    }
    for (const QString& set : arguments.values(u"--set"_s)) {
        const qsizetype equals = set.indexOf(u'=');
        if (equals <= 0) {
            return refusal("--set", LS_TR("Messages", "\"%1\" is not KEY=VALUE"), {verbatim(set.toStdString())});
        }
        overrides.push_back({set.left(equals).toStdString(), set.mid(equals + 1).toStdString()});
    }
    return overrides;
}

bool namesRuns(const Arguments& arguments)
{
    const std::size_t before = static_cast<std::size_t>(arguments.positional().size()) - arguments.afterDashes().size();
    return arguments.afterDashes().empty() ? before == 1 : before == 0;
}

Result<std::vector<experiment::RunSpec>> readRuns(const Arguments& arguments)
{
    const QString what = arguments.afterDashes().empty()
        ? arguments.positional().front()
        : QString::fromUtf8(experiment::OwnExperiment.data(), experiment::OwnExperiment.size());
    LOCKSTEP_TRY_ASSIGN(const auto written, readSpec(what));
    LOCKSTEP_TRY_ASSIGN(const auto overrides, overridesOf(arguments));
    std::vector<std::string> only;
    for (const QString& names : arguments.values(u"--only"_s)) {
        for (const QString& name : names.split(u',', Qt::SkipEmptyParts)) {
            only.push_back(name.toStdString());
        }
    }
    LOCKSTEP_TRY_ASSIGN(const auto varied, variedOf(arguments, overrides));
    LOCKSTEP_TRY_ASSIGN(auto customised, experiment::customise(written, overrides, only));
    LOCKSTEP_TRY_ASSIGN(auto chosen, experiment::vary(std::move(customised), varied));
    if (chosen.experiment == experiment::OwnExperiment && chosen.about.title == experiment::Wording()) {
        chosen.about.title = language::nameByVariation(chosen);
    }
    LOCKSTEP_TRY_ASSIGN(const auto settings, withoutEffect(written, presets().contains(what), chosen, overrides));
    for (const experiment::SettingWithoutEffect& each : settings) {
        report(language::worded(each.error()));
    }
    LOCKSTEP_TRY_ASSIGN(auto runs, experiment::expand(chosen));
    LOCKSTEP_TRY(plan::checkAll(runs));
    experiment::addNotes(runs, settings);
    std::vector<std::string> typed;
    for (const experiment::Override& each : overrides) {
        typed.push_back(each.name);
    }
    for (const experiment::VariedParameter& each : varied) {
        typed.emplace_back(each.parameter->name);
    }
    LOCKSTEP_TRY(confirmRuns(runs, typed, arguments));
    LOCKSTEP_TRY(launch::completeOwnParameters(runs));
    return runs;
}

} // namespace lockstep::cli
