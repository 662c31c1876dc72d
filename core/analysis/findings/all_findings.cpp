#include "analysis/findings/all_findings.h"

#include "analysis/answers/answer_parts.h"
#include "analysis/answers/answers.h"
#include "analysis/answers/learning.h"
#include "analysis/answers/question.h"
#include "analysis/findings/laboratories.h"
#include "analysis/findings/method_notes.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/timing/machine_load.h"
#include "base/text.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>

namespace lockstep::analysis {

namespace {

Finding leftOut(const RunRecord& run)
{
    Finding finding;
    finding.kind = "run.left_out";
    finding.role = Role::Caveat;
    finding.pattern = LS_TR("Findings", "%1 did not finish (%2) and is left out.");
    finding.why = run.message.empty() ? Text(nameOf(run.status)) : run.why();
    finding.arguments = {displayName(run), finding.why.english};
    finding.figures = {{"steps", static_cast<double>(run.summary.steps)}};
    finding.runs = {run.id};
    return finding;
}

/// Of more than this many, one sentence: the table of runs says why each ended.
constexpr std::size_t MostLeftOut = 2;

std::vector<Finding> leftOut(const std::vector<const RunRecord*>& unfinished)
{
    std::vector<Finding> said;
    if (unfinished.size() <= MostLeftOut) {
        std::ranges::transform(
            unfinished, std::back_inserter(said), [](const RunRecord* run) { return leftOut(*run); });
        return said;
    }
    std::vector<std::string> variants;
    Finding all{.kind = "run.left_out",
        .pattern = LS_TR("Findings", "%1 runs of %2 did not finish and are left out. The table of runs says why."),
        .figures = {{"runs", static_cast<double>(unfinished.size())}},
        .role = Role::Caveat};
    for (const RunRecord* run : unfinished) {
        if (std::ranges::find(variants, variantName(*run)) == variants.end()) {
            variants.push_back(variantName(*run));
        }
        all.runs.push_back(run->id);
    }
    all.arguments = {std::to_string(unfinished.size()), fewOf(variants)};
    return {all};
}

std::string_view patternOf(const Interference& interference, Interfered which)
{
    const bool isLeftOut = which == Interfered::LeaveOut;
    if (namesOf(interference).size() > 1) {
        return isLeftOut ? LS_TR("Findings", "%1 was changed by hand in several ways and is left out.")
                         : LS_TR("Findings", "%1 was changed by hand in several ways; it counts as you asked.");
    }
    if (interference.isPaused) {
        return isLeftOut ? LS_TR("Findings", "%1 was paused and is left out.")
                         : LS_TR("Findings", "%1 was paused; it counts as you asked.");
    }
    if (interference.isSlowed) {
        return isLeftOut ? LS_TR("Findings", "In %1 a rank was slowed down by hand; the run is left out.")
                         : LS_TR("Findings", "In %1 a rank was slowed down by hand; the run counts as you asked.");
    }
    return isLeftOut ? LS_TR("Findings", "In %1 the emulated link was changed by hand; the run is left out.")
                     : LS_TR("Findings", "In %1 the emulated link was changed by hand; the run counts as you asked.");
}

Finding interfered(const RunRecord& run, Interfered which)
{
    return {.kind = "run.interfered",
        .pattern = patternOf(run.summary.interference, which),
        .arguments = {displayName(run)},
        .runs = {run.id},
        .role = Role::Caveat};
}

/// Of many changed runs one line.
void sayInterfered(const std::vector<const RunRecord*>& runs, Interfered which, std::vector<Finding>& others)
{
    if (runs.size() <= MostLeftOut) {
        std::ranges::transform(
            runs, std::back_inserter(others), [which](const RunRecord* run) { return interfered(*run, which); });
        return;
    }
    Finding all{.kind = "run.interfered",
        .pattern = which == Interfered::LeaveOut
            ? LS_TR("Findings", "%1 runs were changed by hand and are left out. The table of runs says how.")
            : LS_TR("Findings", "%1 runs were changed by hand; they count as you asked. The table of runs says how."),
        .arguments = {std::to_string(runs.size())},
        .figures = {{"runs", static_cast<double>(runs.size())}},
        .role = Role::Caveat};
    std::ranges::transform(runs, std::back_inserter(all.runs), [](const RunRecord* run) { return run->id; });
    others.push_back(std::move(all));
}

Finding severalDataSets(std::size_t sets, std::span<const RunRecord> runs)
{
    Finding finding{.kind = "run.data_sets",
        .pattern = LS_TR("Findings",
            "These runs train on %1 different data sets. Losses and accuracies are compared within each of them only."),
        .arguments = {std::to_string(sets)},
        .figures = {{"data_sets", static_cast<double>(sets)}},
        .role = Role::Caveat};
    std::ranges::transform(runs, std::back_inserter(finding.runs), &RunRecord::id);
    return finding;
}

/// Splits into those to compare and what is said of the others; `ofThemselves`: what their own steps show.
std::vector<RunRecord> comparableOf(
    std::span<const RunRecord> runs, Interfered which, std::vector<Finding>& others, std::vector<Finding>& ofThemselves)
{
    std::vector<const RunRecord*> unfinished;
    for (const RunRecord& run : runs) {
        if (run.status != RunStatus::Finished && isFinal(run.status)) {
            unfinished.push_back(&run);
        }
    }
    others = leftOut(unfinished);
    std::vector<const RunRecord*> changed;
    std::vector<RunRecord> finished;
    for (const RunRecord& run : runs) {
        if (run.status != RunStatus::Finished) {
            continue;
        }
        if (run.summary.interference.any()) {
            std::ranges::move(slowedFindings(run), std::back_inserter(ofThemselves));
            changed.push_back(&run);
        }
        if (!run.summary.interference.any() || which == Interfered::Include) {
            finished.push_back(run);
        }
    }
    sayInterfered(changed, which, others);
    return finished;
}

/// Of runs with equal settings and equal seed the newest counts.
void sayRepeatedSeeds(std::span<const RunRecord> finished, std::vector<Finding>& others)
{
    std::vector<std::string> again;
    Finding finding{.kind = "run.same_seed",
        .pattern = LS_TR("Findings", "Ran more than once with one seed, of which only the newest run counts: %1."),
        .role = Role::Caveat};
    for (const Group& group : groupsOf(finished)) {
        if (experiment::isSweep(group.runs.front()->spec)) { // has no seed: all of its repeats count
            continue;
        }
        const auto isCounted
            = [&](const RunRecord* run) { return std::ranges::find(group.runs, run) != group.runs.end(); };
        for (const RunRecord& run : finished) {
            if (areRepeats(run, *group.runs.front()) && !isCounted(&run)) {
                again.push_back(displayName(run));
                finding.runs.push_back(run.id);
            }
        }
    }
    if (!again.empty()) {
        finding.arguments = {fewOf(again)};
        finding.figures = {{"runs", static_cast<double>(again.size())}};
        others.push_back(std::move(finding));
    }
}

/// What rests on losses and accuracies, which say nothing across data sets.
std::vector<Finding> partitionFindingsBySet(std::span<const RunRecord> runs)
{
    std::vector<Finding> said;
    for (const std::vector<RunRecord>& ofOneSet : byDataSet(runs)) {
        const std::vector<Finding> more = partitionFindings(ofOneSet);
        said.insert(said.end(), more.begin(), more.end());
    }
    return said;
}

/// What rests on one run each, or on intervals that are too wide.
bool isCaveat(std::string_view kind)
{
    return kind == "optimizers.one_repeat" || kind == "partitioning.chance" || kind == "timing.unknown";
}

/// Whether a variant has no run that counts: then what is left out comes before the answer.
bool isVariantLost(std::span<const RunRecord> all, std::span<const RunRecord> counted)
{
    std::vector<RunRecord> others(all.begin(), all.end());
    std::erase_if(others, hasDiverged); // the answer names these
    const std::size_t left = groupsOf(counted).size();
    return left > 1 && groupsOf(others).size() > left;
}

/// Whether an answer says what this line about times says.
bool isRepeated(const Finding& line, const std::vector<Finding>& headlines)
{
    if (!line.kind.starts_with("timing.") || line.kind == "timing.doubtful" || !line.table.rows.empty()) {
        return false;
    }
    const std::string_view kind = line.kind == "timing.difference" ? "answer.against"
        : line.kind == "timing.no_difference"                      ? "answer.close"
                                                                   : "answer.unknown";
    return std::ranges::any_of(headlines, [&](const Finding& answer) {
        const bool namesAll = answer.kind == "answer.saves_no_time"
            || (answer.runs.size() == line.runs.size()
                && (answer.kind == "answer.least_memory" || answer.kind == "answer.net_size"));
        const bool isOfTime = std::ranges::any_of(answer.figures, [](const auto& figure) {
            return figure.first.starts_with("ms_per_step") || figure.first.starts_with("samples_per_s")
                || figure.first.starts_with("times_");
        });
        return isOfTime && (answer.kind == kind || namesAll) && std::ranges::all_of(line.runs, [&](const RunId& run) {
            return std::ranges::find(answer.runs, run) != answer.runs.end();
        });
    });
}

/// Without runs whose ranks were slowed by their settings: what these take is compared with the same run without that.
std::vector<RunRecord> withoutSlowed(std::vector<RunRecord> runs)
{
    const auto isSlowed = [](const RunRecord& run) { return run.spec.settings->straggler.isOn(); };
    const auto rest = std::ranges::stable_partition(runs, std::not_fn(isSlowed));
    if (groupsOf(std::span(runs.begin(), rest.begin())).size() > 1) {
        runs.erase(rest.begin(), rest.end());
    }
    return runs;
}

/// One ratio stands once on a page: no times per step where speed-ups or a table have them.
void dropTimes(std::vector<Finding>& evidence)
{
    const auto has = [&evidence](std::string_view kind) {
        return std::ranges::find(evidence, kind, &Finding::kind) != evidence.end();
    };
    const bool areAllSaid = has("scaling.speed_up");
    const bool areRatiosSaid
        = has("partitioning.speed_up") || has("model_parallel.cost") || has("optimizers.whole_batch_cost");
    std::erase_if(evidence, [&](const Finding& finding) {
        const bool isRatio = finding.kind == "timing.difference" || finding.kind == "timing.no_difference";
        return (areAllSaid && finding.kind.starts_with("timing.")) || (areRatiosSaid && isRatio);
    });
}

/// The answer, then its evidence, then what limits it. `evidence` of a kind that answers the experiment's
/// question becomes a headline, in its order.
std::vector<Finding> inOrder(std::vector<Finding> answers, std::vector<Finding> leftOut, std::vector<Finding> evidence,
    std::span<const RunRecord> runs, bool isLeftOutFirst)
{
    std::vector<Finding> headlines;
    std::vector<Finding> others;
    for (Finding& finding : answers) {
        (finding.role == Role::Headline ? headlines : others).push_back(std::move(finding));
    }
    const auto promote = [&](auto answersIt) {
        const auto found = std::ranges::find_if(
            evidence, [&](const Finding& finding) { return !finding.wasMachineBusy && answersIt(finding); });
        if (found != evidence.end() && headlines.size() < MostHeadlines) {
            found->role = Role::Headline;
            headlines.push_back(std::move(*found));
            evidence.erase(found);
        }
    };
    // A parameter varied on a preset's variants asks something else than the preset.
    const auto question = questionOf(runs);
    const bool isPresets = question && question->isGiven();
    const std::vector<std::string_view>& kinds = answeringKinds(isPresets ? runs.front().spec.experiment
            : varyRanksAlone(runs)                                        ? ScalingExperiment
                                                                          : std::string_view());
    const auto isAnswered = [&](std::string_view kind) {
        return std::ranges::find(kinds, kind) != kinds.end()
            && std::ranges::find(evidence, kind, &Finding::kind) != evidence.end();
    };
    // From one kind of scaling to the other is no range of one figure.
    if (isAnswered("scaling.speed_up") && (!isPresets || std::ranges::any_of(runs, sharesCores))) {
        std::erase_if(headlines, [](const Finding& finding) {
            return std::ranges::any_of(
                finding.figures, [](const auto& figure) { return figure.first.starts_with("samples_per_s"); });
        });
    }
    for (const std::string_view kind : kinds) {
        promote([kind](const Finding& finding) { return finding.kind == kind; });
    }
    promote([](const Finding& finding) { // a speed-up to be doubted
        return std::ranges::any_of(
            finding.figures, [](const auto& figure) { return figure.first.starts_with("explained_speed_up_"); });
    });
    for (Finding& finding : evidence) {
        finding.role = isCaveat(finding.kind) ? Role::Caveat : finding.role;
        others.push_back(std::move(finding));
    }
    if (std::ranges::any_of(
            headlines, [](const Finding& finding) { return finding.kind.starts_with("answer.influence"); })) {
        std::erase_if(others, [](const Finding& finding) { return finding.kind.starts_with("parameters.influence"); });
    }
    // A sentence needs runs to speak of.
    std::erase_if(
        others, [&](const Finding& finding) { return finding.runs.empty() || isRepeated(finding, headlines); });
    std::ranges::stable_sort(others, {}, &Finding::role);
    std::vector<Finding> said;
    for (const auto* part : {isLeftOutFirst ? &leftOut : &headlines, isLeftOutFirst ? &headlines : &leftOut, &others}) {
        said.insert(said.end(), part->begin(), part->end());
    }
    return said;
}

} // namespace

std::vector<Finding> findings(std::span<const RunRecord> runs, Interfered which)
{
    std::vector<Finding> others;
    std::vector<Finding> evidence;
    std::vector<RunRecord> finished = comparableOf(runs, which, others, evidence);
    sayRepeatedSeeds(finished, others);
    const auto add
        = [&evidence](const std::vector<Finding>& more) { evidence.insert(evidence.end(), more.begin(), more.end()); };
    const std::vector<RunRecord> counted = finished;
    add(resumedFindings(finished));
    const auto scales = scalesByExperiment(finished);
    add(scalingFindings(finished, scales, which));
    const auto measuresCollectives = [](const RunRecord& run) { return experiment::isSweep(run.spec); };
    std::vector<RunRecord> sweeps;
    std::copy_if(finished.begin(), finished.end(), std::back_inserter(sweeps), measuresCollectives);
    std::erase_if(finished, measuresCollectives);
    add(collectivesFindings(sweeps, finished.empty()));
    // Ranks that train separately have losses on their own samples: these do not show how fast a net learns.
    const auto hasOwnLosses = [](const RunRecord& run) {
        return std::isfinite(run.summary.labelSkew) && experiment::trainsLocally(run.spec);
    };
    const bool isBaseline = std::any_of(finished.begin(), finished.end(), hasOwnLosses);
    std::vector<RunRecord> comparable = finished;
    // And what a single process reaches is said where partitions, or numbers of ranks, are compared with it.
    std::erase_if(comparable, [&](const RunRecord& run) {
        return hasOwnLosses(run) || scales.at(run.spec.experiment) == Scales::Only
            || (isBaseline && run.spec.experiment == PartitioningExperiment
                && is(run.spec, experiment::Strategy::Single));
    });
    std::vector<std::vector<Finding>> parts{partitionFindingsBySet(finished), localFindings(finished),
        modelParallelFindings(finished), pipelineFindings(finished), memoryFindings(finished),
        aggregationFindings(finished), stalenessFindings(finished), verificationFindings(finished),
        optimizerFindings(comparable, asksForTimes(counted)), influenceFindings(comparable)};
    // Times per step last, where they are not the question.
    parts.insert(asksForTimes(counted) ? parts.begin() : parts.end(), timingFindings(withoutSlowed(finished)));
    std::ranges::for_each(parts, add);
    if (const std::size_t sets = byDataSet(finished).size(); sets > 1) {
        evidence.push_back(severalDataSets(sets, finished));
    }
    dropTimes(evidence);
    for (Finding& finding : evidence) { // no repeats for what is not asked
        const bool isAside = finding.kind == "timing.unknown" && !asksForTimes(counted);
        finding.moreRepeats = isAside ? 0 : finding.moreRepeats;
    }
    add(oneRepeatFindings(finished, hasIntervals(evidence)));
    markBusy(evidence, counted); // before it is chosen what answers
    std::vector<Finding> answered = answers(counted, runs);
    markBusy(answered, counted);
    std::vector<Finding> said
        = inOrder(std::move(answered), std::move(others), std::move(evidence), counted, isVariantLost(runs, counted));
    const auto evidenceAt = std::ranges::find(said, Role::Evidence, &Finding::role);
    if (auto setup = setupAnswer(counted); setup && !said.empty()) {
        said.insert(evidenceAt, std::move(*setup));
    }
    const bool isWithheld = areTimesWithheld(counted);
    const std::vector<Finding> doubt = machineFindings(counted, isWithheld);
    // First of all where it is the answer.
    said.insert(isWithheld && asksForTimes(counted) ? said.begin() : said.end(), doubt.begin(), doubt.end());
    return said;
}

} // namespace lockstep::analysis
