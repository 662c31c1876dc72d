// `lockstep resume` and `lockstep weights`.
#include "cli/arguments.h"
#include "cli/run/carry_out.h"
#include "cli/run/confirm_runs.h"
#include "cli/run/rank_places.h"
#include "cli/verbs.h"
#include "launch/machine/machine_facts.h"

#include "experiment/parameter.h"
#include "language/language.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"
#include "store/checkpoints.h"
#include "store/run_store.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::cli {

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
    StoreOption,
    HelpOption,
};
constexpr std::array WeightsOptions{
    Option{"--out", "FILE", LS_TR("CommandLine", "the output file (default: RUN-STEP.pt or RUN-STEP.safetensors)")},
    Option{"--format", "torch|safetensors", LS_TR("CommandLine", "the format of the file (default: torch)")},
    Option{"--step", "N", LS_TR("CommandLine", "uses this checkpoint instead of the newest")},
    StoreOption,
    HelpOption,
};
constexpr int JoinLimitMs = 600'000;

/// By its id, the beginning of one, or `last`.
[[nodiscard]] Result<analysis::RunRecord> findRun(const QString& storeFolder, const QString& name)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeFolder));
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
    const Text given = verbatim(name.toStdString());
    return found.empty()
        ? failure(LS_TR("Messages", "there is no run %1 in %2"), {given, verbatim(storeFolder.toStdString())})
        : failure(LS_TR("Messages", "%1 matches %2 runs; give more of the id (lockstep runs lists them)"),
            {given, found.size()});
}

[[nodiscard]] Result<experiment::RunSpec> restOf(const QString& storeFolder, const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto run, findRun(storeFolder, arguments.positional().front()));
    auto spec = store::resumedSpec(storeFolder, run);
    if (!spec) {
        return spec;
    }
    for (const QString& set : arguments.values(u"--set"_s)) {
        const std::string name = set.section(u'=', 0, 0).toStdString();
        const experiment::Parameter* row = experiment::findParameter(name);
        if (row == nullptr || !set.contains(u'=')) {
            return refusal("--set", LS_TR("Messages", "%1 is not KEY=VALUE with a parameter's name"),
                {verbatim(set.toStdString())});
        }
        LOCKSTEP_TRY_ASSIGN(spec->settings[name], experiment::parseValue(*row, set.section(u'=', 1).toStdString()));
    }
    const auto valid = experiment::validate(*spec);
    return valid ? spec : Result<experiment::RunSpec>(valid.error());
}

[[nodiscard]] Result<store::Checkpoint> chosenCheckpoint(
    const QString& storeFolder, const analysis::RunRecord& run, const Arguments& arguments)
{
    const std::vector<store::Checkpoint> all = store::checkpointsOf(storeFolder, run);
    const bool hasStep = arguments.has(u"--step"_s);
    const qlonglong step = arguments.value(u"--step"_s).toLongLong();
    const auto found = std::find_if(all.rbegin(), all.rend(),
        [&](const store::Checkpoint& each) { return hasStep ? each.step == step : each.isWhole; });
    if (found != all.rend()) {
        return *found;
    }
    if (all.empty()) {
        return failure(LS_TR("Messages", "%1 has no checkpoint"), {verbatim(run.id.text)});
    }
    QStringList steps;
    for (const store::Checkpoint& each : all) {
        steps += QString::number(each.step);
    }
    return refusal("--step", LS_TR("Messages", "%1 is not one of %2"),
        {verbatim(arguments.value(u"--step"_s).toStdString()), verbatim(steps.join(u", "_s).toStdString())});
}

[[nodiscard]] Result<int> resumeRun(const Arguments& arguments, const CommandContext& context)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "resume: needs one run, for example: lockstep resume last"));
    }
    const auto spec = restOf(storeOf(arguments), arguments);
    if (!spec) {
        return during(verbatim("resume"), spec.error());
    }
    std::vector<experiment::RunSpec> runs{*spec};
    std::vector<std::string> typed{
        nameOf(&experiment::CheckpointSettings::from)}; // who resumes a run asks for its checkpoint
    for (const QString& set : arguments.values(u"--set"_s)) {
        typed.push_back(set.section(u'=', 0, 0).toStdString());
    }
    if (const auto confirmed = confirmRuns(runs, typed, arguments); !confirmed) {
        return during(verbatim("resume"), confirmed.error());
    }
    return carryOut(runs, arguments, context);
}

[[nodiscard]] Result<int> writeWeights(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "weights: needs one run, for example: lockstep weights last"));
    }
    const auto run = findRun(storeOf(arguments), arguments.positional().front());
    const auto checkpoint = run ? chosenCheckpoint(storeOf(arguments), *run, arguments) : run.error();
    if (!checkpoint) {
        return during(verbatim("weights"), checkpoint.error());
    }
    const QString format = arguments.value(u"--format"_s, u"torch"_s);
    const QString standard = u"%1-%2.%3"_s.arg(QString::fromStdString(run->id.text))
                                 .arg(checkpoint->step)
                                 .arg(format == u"torch" ? u"pt"_s : format);
    const QString out = arguments.value(u"--out"_s, standard);
    const QString program = launch::findRankProgram();
    if (program.isEmpty()) {
        return during(verbatim("weights"), launch::noRankProgram());
    }
    const launch::ProgramOutput joined = launch::outputOf(
        program, {u"--weights"_s, checkpoint->folder, u"--out"_s, out, u"--format"_s, format}, JoinLimitMs);
    if (joined.exitCode != 0) {
        return failure(LS_TR("Messages", "%1: %2"), {verbatim("weights"), joined.error});
    }
    return printOrFail(QFileInfo(out).absoluteFilePath().toStdString() + "\n");
}

} // namespace

int resumeCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("resume", words, ResumeOptions,
        LS_TR("CommandLine",
            "lockstep resume RUN [options]: resumes a stored run from its newest checkpoint\n\nRUN is "
            "an id, the beginning of one, or `last`."),
        [&](const Arguments& arguments) { return resumeRun(arguments, context); });
}

int weightsCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("weights", words, WeightsOptions,
        LS_TR("CommandLine",
            "lockstep weights RUN [options]: joins the weights of a checkpoint into one file, which "
            "Python reads with torch.load(FILE, weights_only=True), or as safetensors"),
        writeWeights);
}

} // namespace lockstep::cli
