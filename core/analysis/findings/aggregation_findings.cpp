#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/scaling/comm_cost.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "plan/trimmed_mean.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::analysis {

namespace {

/// Losses count as different above this relative difference.
constexpr double VisibleDifference = 0.02;

/// `areAllOnce`: the page says that of every variant.
std::string_view patternOf(const Ranking& ranking, bool areAllOnce)
{
    if (ranking.first == Apart::Unknown && areAllOnce) {
        return LS_TR("Findings", "Time communicating per step, waiting included: the mean of all ranks.");
    }
    if (ranking.first == Apart::Unknown) {
        return LS_TR("Findings",
            "Time communicating per step, waiting included: the mean of all ranks. Some variants ran once: add repeats "
            "to see how much is chance.");
    }
    if (ranking.first == Apart::Yes) {
        return LS_TR("Findings",
            "%1 spends the least time communicating per step, waiting included: %2 ms. %3 takes %4 times as long for "
            "it.");
    }
    return ranking.tied.size() == ranking.order.size()
        ? LS_TR("Findings", "Which spends the least time communicating cannot be told.")
        : ranking.tied.size() == 1
        ? LS_TR("Findings",
            "%1 spends the least time communicating, waiting included, in every run; for sure that cannot be told.")
        : LS_TR("Findings",
            "%1 spends the least time communicating on average, waiting included, which cannot be told from %2.");
}

std::optional<Finding> fastest(const std::vector<Group>& groups)
{
    const std::vector<Group> pooled = byMessages(groups);
    const Ranking ranking = lowestFirst(pooled, communicateMs);
    if (ranking.order.size() < 2) {
        return std::nullopt;
    }
    Finding finding{.kind = "aggregation.fastest",
        .pattern
        = patternOf(ranking, std::ranges::all_of(groups, [](const Group& group) { return group.runs.size() == 1; })),
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Communicating and waiting per step (ms)"),
                      LS_TR("Findings", "Time per step (ms)"), LS_TR("Findings", "Share of the step")},
            {}}};
    const Figure& share = *findFigure("comms_with_wait_typical");
    for (const Group* group : ranking.order) {
        const PositiveInterval ms = group->geometric(communicateMs);
        // All three are geometric means, so that the share is the quotient of the two times.
        finding.table.rows.push_back(
            {group->name, withInterval(ms), estimateText(&Summary::msPerStepTypical, group->runs),
                estimateText(share, estimateOf(share, group->runs))});
        finding.figures.emplace_back("communicate_ms_" + group->key, ms.mean);
        finding.addRuns(group->ids());
    }
    const Group& first = *ranking.order[0];
    if (ranking.first == Apart::Yes) {
        finding.arguments = {first.name, withInterval(first.geometric(communicateMs)), ranking.order[1]->name,
            withInterval(ranking.secondToFirst)};
    } else if (ranking.first == Apart::No) {
        const std::vector<const Group*> beside(ranking.tied.begin() + 1, ranking.tied.end());
        finding.arguments = {first.name, fewOf(beside, &Group::name)};
    }
    return finding;
}

/// `Halving-doubling`, as the form calls it.
std::string algorithmLabel(std::string_view algorithm)
{
    const experiment::Parameter* row = &parameterOf(&experiment::AggregationSettings::algorithm);
    const auto choice = std::ranges::find(row->choices, algorithm, &experiment::Choice::name);
    return std::string(choice == row->choices.end() ? algorithm : choice->label);
}

/// The cost model's prediction for the array that these runs aggregate over an emulated link; of others the link is not
/// known.
std::optional<Finding> model(std::span<const RunRecord> runs)
{
    const RunRecord& first = runs.front();
    const experiment::LinkSettings& emulated = first.spec.settings->link;
    if (!emulated.isEmulated()) {
        return std::nullopt;
    }
    const LinkCost link{emulated.latencyUs * 1e-6, emulated.bandwidthMbps > 0.0 ? 8e-6 / emulated.bandwidthMbps : 0.0};
    const int ranks = ranksOf(first);
    // Every rank of a ring sends 2 (p - 1) / p times the array, which gives its size back.
    double bytes = 0.0;
    for (const RunRecord& run : runs) {
        if (is(run.spec, experiment::Algorithm::Ring, experiment::Algorithm::AllReduce)) {
            bytes = std::max(bytes, run.summary.bytesPerStep * ranks / (2.0 * (ranks - 1)));
        }
    }
    if (ranks < 2 || !(bytes > 0.0)) {
        return std::nullopt;
    }
    std::vector<std::pair<double, std::string_view>> order;
    for (const std::string_view name : {"ring", "tree", "halving_doubling", "parameter_server"}) {
        if (const auto seconds = algorithmSeconds(name, ranks, link, bytes)) {
            order.emplace_back(*seconds, name);
        }
    }
    std::sort(order.begin(), order.end());
    constexpr std::string_view Compared[] = {"tree", "ring"};
    const auto changes = crossovers(Compared, ranks, link, 1e9);
    const double gigabytes = link.beta > 0.0 ? 1e-9 / link.beta : NotMeasured;
    Finding finding{.kind = "aggregation.model",
        .pattern = changes.empty()
            ? LS_TR("Findings", "Predicted time for %1 on %2 ranks, at %3 µs per message and %4 GB/s.")
            : LS_TR("Findings",
                "Predicted time for %1 on %2 ranks, at %3 µs per message and %4 GB/s. Below %5 the model predicts %6 "
                "to be faster than %7."),
        .arguments = {bytesText(bytes), std::to_string(ranks), threeDigits(link.alpha * 1e6),
            link.beta > 0.0 ? threeDigits(gigabytes) : std::string("∞")},
        .table = {{LS_TR("Findings", "Algorithm"), LS_TR("Findings", "Predicted time (ms)")}, {}, true},
        .figures = {{"bytes", bytes}, {"alpha_us", link.alpha * 1e6}, {"beta_gb_per_s", gigabytes}}};
    std::ranges::transform(runs, std::back_inserter(finding.runs), &RunRecord::id);
    for (const auto& [seconds, name] : order) {
        finding.table.rows.push_back({algorithmLabel(name), threeDigits(seconds * 1e3)});
    }
    if (!changes.empty()) {
        finding.arguments.push_back(bytesText(changes.front().bytes));
        finding.labels = {finding.arguments.size(), finding.arguments.size() + 1};
        finding.arguments.push_back(algorithmLabel(changes.front().below));
        finding.arguments.push_back(algorithmLabel(changes.front().above));
        finding.figures.emplace_back("crossover_bytes", changes.front().bytes);
    }
    return finding;
}

/// The largest relative difference of two loss curves, step by step.
double differenceOf(const Curve& a, const Curve& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < std::min(a.value.size(), b.value.size()); ++i) {
        const double difference = std::abs(a.value[i] - b.value[i]) / std::max(1e-12, std::abs(b.value[i]));
        largest = std::max(largest, std::isfinite(difference) ? difference : largest);
    }
    return largest;
}

/// Which setting, divided by the number of ranks, undoes a sum.
enum class Undoes { LearningRate, OuterLearningRate, Nothing };

Undoes undoesSum(const RunRecord& run)
{
    const experiment::Settings& settings = *run.spec.settings;
    if (is(run.spec, experiment::LocalMessage::Differences) && is(run.spec, experiment::Strategy::Local)) {
        return Undoes::OuterLearningRate;
    }
    // Of gradients, where a gradient k times as large makes a step k times as large.
    const bool isProportional = is(run.spec, experiment::OptimizerName::Gd, experiment::OptimizerName::Sgd,
        experiment::OptimizerName::Momentum, experiment::OptimizerName::Nesterov);
    return isProportional && settings.optimizer.clip == 0.0 && settings.optimizer.weightDecay == 0.0
            && !experiment::trainsLocally(run.spec)
        ? Undoes::LearningRate
        : Undoes::Nothing;
}

std::string_view patternOf(Undoes undoes)
{
    if (undoes == Undoes::LearningRate) {
        return LS_TR("Findings",
            "The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean, as if the "
            "learning rate were %5 instead of %6. A learning rate of %7 would give the same curve.");
    }
    if (undoes == Undoes::OuterLearningRate) {
        return LS_TR("Findings",
            "The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean, as if the outer "
            "learning rate were %5 instead of %6. An outer learning rate of %7 would give the same curve.");
    }
    return LS_TR("Findings",
        "The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean. With this optimizer, "
        "clipping or weight decay no learning rate makes up for that exactly.");
}

/// A trimmed mean that cuts no rank off is the mean.
void trimmedMeans(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    for (const Group& group : groupsOf(runs)) {
        const RunRecord& run = *group.runs.front();
        const double trim = run.spec.settings->aggregation.trim;
        if (!is(run.spec, experiment::Rule::TrimmedMean) || plan::trimmedAtEachEnd(trim, ranksOf(run)) > 0) {
            continue;
        }
        findings.push_back({.kind = "aggregation.trims_no_rank",
            .pattern = LS_TR("Findings",
                "%1 trims no rank: a share of %2 of %3 ranks is less than one rank. Its trimmed mean is the mean."),
            .arguments = {group.name, threeDigits(trim), std::to_string(ranksOf(run))},
            .figures = {{"trim", trim}, {"ranks", static_cast<double>(ranksOf(run))}},
            .runs = group.ids()});
    }
}

/// Of runs of one seed, the largest difference of their losses; 0 without a seed in common.
double differenceOf(const Group& a, const Group& b, std::vector<RunId>& compared)
{
    double largest = 0.0;
    for (const RunRecord* one : a.runs) {
        for (const RunRecord* other : b.runs) {
            if (one->spec.settings->train.seed == other->spec.settings->train.seed) {
                largest = std::max(largest, differenceOf(one->loss, other->loss));
                compared.insert(compared.end(), {one->id, other->id});
            }
        }
    }
    return largest;
}

/// A mean of gradients that is the sum but for its rule, and for what changes no loss.
bool isMeanOf(const Group& group, const Group& sum)
{
    const experiment::RunSpec& spec = group.runs.front()->spec;
    return is(spec, experiment::Rule::Mean) && !is(spec, experiment::Algorithm::ParameterServerAsync)
        && differOnlyIn(group, sum,
            {nameOf(&experiment::AggregationSettings::rule), nameOf(&experiment::AggregationSettings::algorithm),
                "comm.", "link.", "straggler.", "rank."});
}

void sums(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    const std::vector<Group> groups = groupsOf(runs);
    for (const Group& sum : groups) {
        const auto mean
            = std::find_if(groups.begin(), groups.end(), [&sum](const Group& each) { return isMeanOf(each, sum); });
        const RunRecord& run = *sum.runs.front();
        if (!is(run.spec, experiment::Rule::Sum) || mean == groups.end()) {
            continue;
        }
        std::vector<RunId> compared;
        const double difference = differenceOf(sum, *mean, compared);
        if (!(difference > VisibleDifference)) {
            continue;
        }
        const int ranks = ranksOf(run);
        const Undoes undoes = undoesSum(run);
        const double rate
            = undoes == Undoes::OuterLearningRate ? run.spec.settings->local.outerLr : run.spec.settings->optimizer.lr;
        findings.push_back({.kind = "aggregation.sum",
            .pattern = patternOf(undoes),
            .arguments = {sum.name, mean->name, percent(difference), std::to_string(ranks), threeDigits(rate * ranks),
                threeDigits(rate), threeDigits(rate / ranks)},
            .figures = {{"largest_relative_difference", difference}, {"ranks", static_cast<double>(ranks)},
                {"effective_learning_rate", rate * ranks}},
            .runs = std::move(compared)});
    }
}

void overlaps(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    std::vector<ValueAndText> named;
    Finding finding{.kind = "aggregation.overlap"};
    for (const Group& group : groupsOf(runs)) {
        const MeanEstimate overlap = estimateOf(&Summary::overlapFraction, group.runs);
        if (std::isfinite(overlap.mean)) {
            named.emplace_back(overlap.mean, group.name + " " + estimateText(&Summary::overlapFraction, group.runs));
            finding.figures.emplace_back("overlap_" + group.key, overlap.mean);
            finding.addRuns(group.ids());
        }
    }
    if (!named.empty()) {
        finding.pattern = LS_TR("Findings", "Part of the communication that overlaps with the backward pass: %1.");
        finding.arguments = {endsOf(std::move(named))};
        findings.push_back(std::move(finding));
    }
}

/// Of more runs with a slow rank a table.
constexpr std::size_t MostStragglers = 2;

Finding waitingTable(const std::vector<Finding>& sentences, const std::vector<std::string>& keys)
{
    Finding table{.kind = "aggregation.straggler",
        .pattern = LS_TR("Findings",
            "Who waits for the slow rank in a typical step: of the ranks the one that waits longest, and how long its "
            "transfers take."),
        .table = {{LS_TR("Findings", "Variant"), LS_TR("Findings", "Slow rank"),
                      LS_TR("Findings", "Waiting of the slow rank (ms)"), LS_TR("Findings", "Rank that waits longest"),
                      LS_TR("Findings", "Its waiting (ms)"), LS_TR("Findings", "Transfer (ms)")},
            {}}};
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const std::vector<std::string>& of = sentences[i].arguments;
        table.table.rows.push_back({of[0], of[1], of[4], of[2], of[3], of[5]});
        for (const auto& [name, value] : sentences[i].figures) {
            table.figures.emplace_back(name + "_" + keys[i], value);
        }
        table.addRuns(sentences[i].runs);
    }
    return table;
}

void stragglers(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    std::vector<Finding> sentences;
    std::vector<std::string> keys;
    for (const RunRecord& run : runs) {
        // Behind an asynchronous server ranks wait for the server, not for each other.
        if (!run.spec.settings->straggler.isOn() || run.ranks.size() < 2
            || is(run.spec, experiment::Algorithm::ParameterServerAsync)) {
            continue;
        }
        const auto byWait = [](const RankSummary& a, const RankSummary& b) { return a.medianWaitMs < b.medianWaitMs; };
        const RankSummary& slow = *std::min_element(run.ranks.begin(), run.ranks.end(), byWait);
        const RankSummary& waiting = *std::max_element(run.ranks.begin(), run.ranks.end(), byWait);
        // Not where all ranks are slowed down alike, or chance decides which one comes last.
        const auto& slowed = run.spec.settings->straggler.ranks;
        if (std::find(slowed.begin(), slowed.end(), slow.rank) == slowed.end()
            || !(waiting.medianWaitMs > 2.0 * slow.medianWaitMs)) {
            continue;
        }
        const double transferMs = std::max(waiting.medianCommunicateMs, slow.medianCommunicateMs);
        keys.push_back(run.spec.name + "_" + std::to_string(run.spec.repeat));
        sentences.push_back({.kind = "aggregation.straggler",
            .pattern = transferMs < waiting.medianWaitMs
                ? LS_TR("Findings",
                    "In %1 the other ranks wait for rank %2. Rank %3 waits %4 ms per step, rank %2 %5 ms. Their "
                    "transfers take less, %6 and %7 ms.")
                : LS_TR("Findings",
                    "In %1 the other ranks wait for rank %2. Rank %3 waits %4 ms per step, rank %2 %5 ms. Their "
                    "transfers take longer than that, %6 and %7 ms."),
            .arguments = {displayName(run), std::to_string(slow.rank), std::to_string(waiting.rank),
                threeDigits(waiting.medianWaitMs), threeDigits(slow.medianWaitMs),
                threeDigits(waiting.medianCommunicateMs), threeDigits(slow.medianCommunicateMs)},
            .figures = {{"waiting_rank_wait_ms", waiting.medianWaitMs}, {"slow_rank_wait_ms", slow.medianWaitMs},
                {"waiting_rank_communicate_ms", waiting.medianCommunicateMs},
                {"slow_rank_communicate_ms", slow.medianCommunicateMs}},
            .runs = {run.id}});
    }
    if (sentences.size() > MostStragglers) {
        sentences = {waitingTable(sentences, keys)};
    }
    std::ranges::move(sentences, std::back_inserter(findings));
}

/// A sentence an emulated link: the figures of one link say nothing of another.
void links(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    std::map<std::pair<double, double>, std::vector<Group>> byLink;
    for (const Group& group : groupsOf(runs)) {
        const RunRecord& run = *group.runs.front();
        if (run.spec.settings->link.isEmulated()) {
            byLink[{run.spec.settings->link.latencyUs, run.spec.settings->link.bandwidthMbps}].push_back(group);
        }
    }
    for (const auto& [link, groups] : byLink) {
        const auto [latency, megabits] = link;
        Finding finding;
        finding.kind = "aggregation.emulated_link";
        finding.pattern = LS_TR("Findings",
            "Over an emulated link (%1 µs, %2) every collective is built from point-to-point messages: this applies to "
            "%3.");
        for (const Group& group : groups) {
            finding.addRuns(group.ids());
        }
        finding.arguments = {threeDigits(latency),
            megabits > 0.0 ? threeDigits(megabits) + " Mbit/s" : std::string("∞ Mbit/s"), fewOf(groups, &Group::name)};
        finding.figures = {{"latency_us", latency}, {"bandwidth_mbps", megabits}};
        findings.push_back(std::move(finding));
    }
}

} // namespace

std::vector<Finding> aggregationFindings(std::span<const RunRecord> all)
{
    std::vector<RunRecord> runs;
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
        [](const RunRecord& run) { return experiment::hasReplicas(run.spec) && ranksOf(run) > 1; });
    std::vector<Finding> findings;
    if (runs.empty()) {
        return findings;
    }
    // Where weights are averaged now and then, a step's mean says little about one exchange.
    const bool isEachStep = std::none_of(
        runs.begin(), runs.end(), [](const RunRecord& run) { return experiment::trainsLocally(run.spec); });
    // Between numbers of ranks, and batches that grow with them, times say nothing about an algorithm.
    const bool areAsMany = std::all_of(runs.begin(), runs.end(), [&runs](const RunRecord& run) {
        return ranksOf(run) == ranksOf(runs.front())
            && experiment::globalBatch(run.spec) == experiment::globalBatch(runs.front().spec);
    });
    if (isEachStep && areAsMany) {
        for (auto& finding : {fastest(groupsOf(runs)), model(runs)}) {
            if (finding) {
                findings.push_back(*finding);
            }
        }
    }
    sums(runs, findings);
    trimmedMeans(runs, findings);
    overlaps(runs, findings);
    stragglers(runs, findings);
    links(runs, findings);
    return findings;
}

} // namespace lockstep::analysis
