// `lockstep resume` and `lockstep weights`.
#include "session/commands/arguments.h"
#include "session/commands/carry_out.h"
#include "session/commands/confirm_runs.h"
#include "session/commands/machine_facts.h"
#include "session/commands/rank_places.h"
#include "session/commands/verbs.h"

#include "experiment/parameter.h"
#include "session/language.h"
#include "session/session.h"
#include "session/store/checkpoints.h"
#include "session/store/run_store.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array ResumeOptions{
    Option{"--set", "KEY=VALUE",
        LS_TR("CommandLine", "changes a parameter for the rest of the run, such as train.epochs")},
    Option{"--trust", "",
        LS_TR("CommandLine", "uses the folder for checkpoints that the stored run names; needed only once for each")},
    LaunchOption,
    HostsOption,
    ListenOption,
    WorkbenchFileOption,
    Option{"--out", "DIR", LS_TR("CommandLine", "writes result.json, the curves as CSV and the charts into DIR")},
    Option{"--json", "", LS_TR("CommandLine", "prints the results as JSON on stdout")},
    Option{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")},
    Option{"--help", "", LS_TR("CommandLine", "this text")},
};
constexpr std::array WeightsOptions{
    Option{"--out", "FILE", LS_TR("CommandLine", "the output file (default: RUN-STEP.pt)")},
    Option{"--step", "N", LS_TR("CommandLine", "uses this checkpoint instead of the newest")},
    Option{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")},
    Option{"--help", "", LS_TR("CommandLine", "this text")},
};
constexpr int JoinLimitMs = 600'000;

/// By its id, the beginning of one, or `last`.
[[nodiscard]] Result<analysis::RunRecord> findRun(const QString& storeFolder, const QString& name)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, RunStore::open(storeFolder));
    const std::vector<analysis::RunRecord> all = store->list();
    if (name == u"last"_s && !all.empty()) {
        return all.front();
    }
    std::vector<analysis::RunRecord> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
        [id = name.toStdString()](const analysis::RunRecord& run) { return run.id.text.starts_with(id); });
    if (found.size() == 1) {
        return found.front();
    }
    const QString what = found.empty()
        ? QStringLiteral("there is no run %1 in %2").arg(name, storeFolder)
        : QStringLiteral("%1 matches %2 runs; give more of the id (lockstep runs lists them)")
              .arg(name)
              .arg(found.size());
    return Error{what.toStdString()};
}

[[nodiscard]] Result<experiment::RunSpec> restOf(const QString& storeFolder, const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto run, findRun(storeFolder, arguments.positional().front()));
    auto spec = resumedSpec(storeFolder, run);
    if (!spec) {
        return spec;
    }
    for (const QString& set : arguments.values(u"--set"_s)) {
        const std::string name = set.section(u'=', 0, 0).toStdString();
        const experiment::Parameter* row = experiment::findParameter(name);
        if (row == nullptr || !set.contains(u'=')) {
            return Error{QStringLiteral("--set: %1 is not KEY=VALUE with a parameter's name").arg(set).toStdString()};
        }
        const auto value = experiment::parseValue(*row, set.section(u'=', 1).toStdString());
        if (!value) {
            return value.error();
        }
        spec->settings[name] = *value;
    }
    const auto valid = experiment::validate(*spec);
    return valid ? spec : Result<experiment::RunSpec>(valid.error());
}

[[nodiscard]] Result<Checkpoint> chosenCheckpoint(
    const QString& storeFolder, const analysis::RunRecord& run, const Arguments& arguments)
{
    const std::vector<Checkpoint> all = checkpointsOf(storeFolder, run);
    const bool hasStep = arguments.has(u"--step"_s);
    const qlonglong step = arguments.value(u"--step"_s).toLongLong();
    const auto found = std::find_if(
        all.rbegin(), all.rend(), [&](const Checkpoint& each) { return hasStep ? each.step == step : each.isWhole; });
    if (found != all.rend()) {
        return *found;
    }
    if (all.empty()) {
        return Error{run.id.text + " has no checkpoint"};
    }
    QStringList steps;
    for (const Checkpoint& each : all) {
        steps += QString::number(each.step);
    }
    return Error{QStringLiteral("--step: %1 is not one of %2")
                     .arg(arguments.value(u"--step"_s), steps.join(u", "_s))
                     .toStdString()};
}

} // namespace

int resumeCommand(const QStringList& words, const CommandContext& context)
{
    const auto arguments = Arguments::parse(words, ResumeOptions);
    if (!arguments) {
        return refuse(during("resume", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(
            told(LS_TR("CommandLine",
                "lockstep resume RUN [options]: resumes a stored run from its newest checkpoint\n\nRUN is "
                "an id, the beginning of one, or `last`."))
            + "\n\n" + helpOf(ResumeOptions));
    }
    if (arguments->positional().size() != 1) {
        return refuse({"resume: needs one run, for example: lockstep resume last"});
    }
    const auto spec = restOf(storeOf(*arguments), *arguments);
    if (!spec) {
        return refuse(during("resume", spec.error()));
    }
    std::vector<experiment::RunSpec> runs{*spec};
    std::vector<std::string> typed{"checkpoint.from"}; // who resumes a run asks for its checkpoint
    for (const QString& set : arguments->values(u"--set"_s)) {
        typed.push_back(set.section(u'=', 0, 0).toStdString());
    }
    if (const auto confirmed = confirmRuns(runs, typed, *arguments); !confirmed) {
        return refuse(during("resume", confirmed.error()));
    }
    return carryOut(runs, *arguments, context);
}

int weightsCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, WeightsOptions);
    if (!arguments) {
        return refuse(during("weights", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(told(LS_TR("CommandLine",
                               "lockstep weights RUN [options]: joins the weights of a checkpoint into one file, which "
                               "Python reads with torch.load(FILE, weights_only=True)"))
            + "\n\n" + helpOf(WeightsOptions));
    }
    if (arguments->positional().size() != 1) {
        return refuse({"weights: needs one run, for example: lockstep weights last"});
    }
    const auto run = findRun(storeOf(*arguments), arguments->positional().front());
    if (!run) {
        return refuse(during("weights", run.error()));
    }
    const auto checkpoint = chosenCheckpoint(storeOf(*arguments), *run, *arguments);
    if (!checkpoint) {
        return refuse(during("weights", checkpoint.error()));
    }
    const QString out = arguments->has(u"--out"_s)
        ? arguments->value(u"--out"_s)
        : QStringLiteral("%1-%2.pt").arg(QString::fromStdString(run->id.text)).arg(checkpoint->step);
    const QString program = findRankProgram();
    if (program.isEmpty()) {
        return refuse(
            {"weights: there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: build it with "
             "./run"});
    }
    const ProgramOutput joined = outputOf(program, {u"--weights"_s, checkpoint->folder, u"--out"_s, out}, JoinLimitMs);
    if (joined.exitCode != 0) {
        return refuse({"weights: " + joined.error});
    }
    return printOrFail(QFileInfo(out).absoluteFilePath().toStdString() + "\n");
}

} // namespace lockstep::session
