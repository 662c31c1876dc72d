#include "analysis/figures/comparison.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace lockstep::analysis {

namespace {

/// Smaller differences in accuracy, in points, are not reported.
constexpr double LeastPoints = 0.5;
constexpr double AlikePoints = 1.0; ///< the smallest difference of accuracies worth naming
/// Above this label skew the shares differ by more than chance.
constexpr double VisibleSkew = 0.05;

struct Partitioned {
    Group group;
    MeanEstimate accuracy; ///< of the test set
    double skew = 0.0;

    [[nodiscard]] std::string skewText() const { return estimateText(&Summary::labelSkew, group.runs); }
    [[nodiscard]] std::string accuracyText() const { return estimateText(&Summary::testAccuracy, group.runs); }
};

Partitioned partitionedOf(const Group& group)
{
    return {group, estimateOf(&Summary::testAccuracy, group.runs), estimateOf(&Summary::labelSkew, group.runs).mean};
}

/// The reference for the others: the least skewed.
const Partitioned& baseline(const std::vector<Partitioned>& all)
{
    const auto random = std::find_if(all.begin(), all.end(),
        [](const Partitioned& each) { return is(each.group.runs.front()->spec, experiment::PartitionName::Random); });
    return random != all.end() ? *random
                               : *std::min_element(all.begin(), all.end(),
                                   [](const Partitioned& a, const Partitioned& b) { return a.skew < b.skew; });
}

/// Variants that a common sentence names.
struct Named {
    std::vector<std::string> names;
    std::vector<RunId> runs;

    void add(const Partitioned& each)
    {
        names.push_back(each.group.name);
        std::ranges::copy(each.group.ids(), std::back_inserter(runs));
    }

    void tell(std::string_view kind, std::string_view pattern, std::vector<std::string> arguments,
        std::vector<Finding>& findings) const
    {
        if (names.empty()) {
            return;
        }
        arguments.push_back(fewOf(names));
        findings.push_back({.kind = kind, .pattern = pattern, .arguments = std::move(arguments), .runs = runs});
    }
};

/// The whole interval, where there is one: equal differences of all repeats have none.
bool isWithin(const Interval& difference, double limit)
{
    const double half = std::isfinite(difference.halfWidth) ? difference.halfWidth : 0.0;
    return std::abs(difference.mean) + half <= limit;
}

/// `-7.0 [-8.1, -5.9]`, without an interval for single runs.
std::string pointsText(const FigureDifference& points)
{
    const EstimateTexts texts = differenceTexts(points);
    return texts.mean + texts.interval();
}

/// All partitions beside the baseline, from like to unlike labels.
Finding accuracyTable(const std::vector<Partitioned>& all, const Partitioned& best)
{
    std::vector<const Partitioned*> order;
    std::ranges::transform(all, std::back_inserter(order), [](const Partitioned& each) { return &each; });
    std::ranges::stable_sort(order, {}, &Partitioned::skew);
    Finding finding{.kind = "partitioning.accuracy",
        .pattern = LS_TR("Findings", "Label skew and test accuracy of each partition, in points against %1."),
        .arguments = {best.group.name},
        .table = {{LS_TR("Findings", "Partition"), LS_TR("Findings", "Label skew"), LS_TR("Findings", "Test accuracy"),
                      LS_TR("Findings", "Points")},
            {}}};
    const Figure& accuracy = figureOf(&Summary::testAccuracy);
    for (const Partitioned* each : order) {
        const Group& group = each->group;
        finding.table.rows.push_back({group.name, each->skewText(), each->accuracyText(),
            each == &best ? std::string("–") : pointsText(differenceOf(accuracy, best.group.runs, group.runs))});
        finding.figures.emplace_back("test_accuracy_" + group.key, each->accuracy.mean);
        finding.figures.emplace_back("points_lost_" + group.key, (best.accuracy.mean - each->accuracy.mean) * 100.0);
        finding.figures.emplace_back("label_skew_" + group.key, each->skew);
        finding.addRuns(group.ids());
    }
    return finding;
}

/// The accuracy as a function of the skew, if its ends are apart.
void skews(const std::vector<Partitioned>& all, std::vector<Finding>& findings)
{
    const auto [least, most] = std::ranges::minmax_element(all, {}, &Partitioned::skew);
    if (!(most->skew - least->skew > VisibleSkew) || !(most->accuracy.mean < least->accuracy.mean)
        || isApart(differenceOf(most->group, least->group, testAccuracyOf)) != Apart::Yes) {
        return;
    }
    // Where gradients are aggregated in each step, all ranks have the same weights.
    const bool pullsApart = experiment::trainsLocally(most->group.runs.front()->spec);
    findings.push_back({.kind = "partitioning.skew",
        .pattern = pullsApart
            ? LS_TR("Findings",
                "Accuracy falls as the ranks' labels differ more. It is %1 at label skew %2 (%3), and %4 at %5 (%6). "
                "Each rank trains on its own samples alone until weights are averaged.")
            : LS_TR("Findings",
                "Accuracy falls as the ranks' labels differ more. It is %1 at label skew %2 (%3), and %4 at %5 (%6)."),
        .arguments = {least->accuracyText(), threeDigits(least->skew), least->group.name, most->accuracyText(),
            threeDigits(most->skew), most->group.name},
        .figures = {{"least_skew", least->skew}, {"most_skew", most->skew},
            {"points_lost", (least->accuracy.mean - most->accuracy.mean) * 100.0}},
        .runs = idsOf({&least->group, &most->group})});
}

void losses(const std::vector<Partitioned>& all, std::vector<Finding>& findings)
{
    const Partitioned& best = baseline(all);
    Named alike;
    Named undecided;
    Named once;
    bool isAnyOther = false;
    bool isAnyOnce = false;
    for (const Partitioned& each : all) {
        if (&each == &best) {
            continue;
        }
        const double lost = (best.accuracy.mean - each.accuracy.mean) * 100.0;
        const Interval difference = differenceOf(best.group, each.group, testAccuracyOf);
        const Apart apart = isApart(difference);
        if (difference.n > 1 && isWithin(difference, AlikePoints / 100.0)) {
            alike.add(each);
            continue;
        }
        if (apart == Apart::No) {
            undecided.add(each);
            continue;
        }
        if (std::abs(lost) < LeastPoints) {
            continue;
        }
        isAnyOther = true;
        isAnyOnce = isAnyOnce || apart == Apart::Unknown;
    }
    // Where all of them ran once, optimizerFindings() says so.
    if (isAnyOnce && std::ranges::any_of(all, [](const Partitioned& each) { return each.group.runs.size() > 1; })) {
        std::ranges::for_each(all, [&](const Partitioned& each) {
            if (each.group.runs.size() == 1) {
                once.add(each);
            }
        });
    }
    if (isAnyOther) {
        findings.push_back(accuracyTable(all, best));
        skews(all, findings);
    }
    alike.tell("partitioning.alike", LS_TR("Findings", "Within %1 points of the test accuracy of %2 (%3): %4."),
        {onePlace(AlikePoints), best.group.name, best.accuracyText()}, findings);
    undecided.tell("partitioning.undecided",
        LS_TR("Findings", "Whether these differ from %1 (%2) in test accuracy cannot be told: %3."),
        {best.group.name, best.accuracyText()}, findings);
    once.tell("partitioning.chance",
        LS_TR("Findings", "Ran once: %2. Add repeats to see how much of the difference from %1 is chance."),
        {best.group.name}, findings);
}

/// `drawn` in the order of alpha.
std::string_view patternOf(const std::vector<const Partitioned*>& drawn)
{
    if (isApart(differenceOf(drawn.back()->group, drawn.front()->group, testAccuracyOf)) == Apart::No) {
        return LS_TR("Findings", "Whether the accuracy changes with Dirichlet's alpha cannot be told.");
    }
    if (!std::is_sorted(drawn.begin(), drawn.end(),
            [](const Partitioned* a, const Partitioned* b) { return a->accuracy.mean < b->accuracy.mean; })) {
        return LS_TR("Findings", "Accuracy does not rise steadily with Dirichlet's alpha.");
    }
    return std::is_sorted(
               drawn.begin(), drawn.end(), [](const Partitioned* a, const Partitioned* b) { return a->skew > b->skew; })
        ? LS_TR("Findings",
            "The larger Dirichlet's alpha, the more similar the ranks' labels and the more accurate the net.")
        : LS_TR("Findings", "The larger Dirichlet's alpha, the more accurate the net.");
}

void alphas(const std::vector<Partitioned>& all, std::vector<Finding>& findings)
{
    std::vector<const Partitioned*> drawn;
    for (const Partitioned& each : all) {
        if (is(each.group.runs.front()->spec, experiment::PartitionName::Dirichlet)) {
            drawn.push_back(&each);
        }
    }
    const auto alphaOf
        = [](const Partitioned* each) { return each->group.runs.front()->spec.settings->partition.alpha; };
    std::sort(drawn.begin(), drawn.end(),
        [&](const Partitioned* a, const Partitioned* b) { return alphaOf(a) < alphaOf(b); });
    if (drawn.empty() || alphaOf(drawn.front()) == alphaOf(drawn.back())) {
        return;
    }
    Finding finding{.kind = "partitioning.alpha", .pattern = patternOf(drawn)};
    for (const Partitioned* each : drawn) {
        finding.figures.emplace_back("accuracy_at_" + experiment::toText(alphaOf(each)), each->accuracy.mean);
        finding.addRuns(each->group.ids());
    }
    findings.push_back(std::move(finding));
}

std::string_view patternOf(experiment::UnevenShares uneven)
{
    switch (uneven) {
    case experiment::UnevenShares::Pad:
        return LS_TR("Findings",
            "In %1 the ranks' shares have from %2 to %3 samples. Smaller ones repeat samples until all ranks have "
            "equally many.");
    case experiment::UnevenShares::Cut:
        return LS_TR(
            "Findings", "In %1 the ranks' shares have from %2 to %3 samples. Larger ones drop some in each epoch.");
    case experiment::UnevenShares::Proportional:
        break;
    }
    return LS_TR("Findings",
        "In %1 the ranks' shares have from %2 to %3 samples. Proportional batches let all ranks finish an epoch in the "
        "same step, but a rank with more samples computes longer in each step.");
}

std::string_view titleOf(experiment::UnevenShares uneven)
{
    switch (uneven) {
    case experiment::UnevenShares::Pad:
        return LS_TR("Findings",
            "Samples of the smallest and the largest share of a rank. Smaller shares repeat samples until all have "
            "equally many.");
    case experiment::UnevenShares::Cut:
        return LS_TR("Findings",
            "Samples of the smallest and the largest share of a rank. Larger shares drop some in each epoch.");
    case experiment::UnevenShares::Proportional:
        break;
    }
    return LS_TR("Findings",
        "Samples of the smallest and the largest share of a rank. Proportional batches let all ranks finish an epoch "
        "in the same step.");
}

/// A row for each of the variants, where several have such shares.
struct UnevenVariants {
    experiment::UnevenShares how;
    std::vector<Finding> sentences;
    std::vector<std::string> keys;

    [[nodiscard]] Finding table() const
    {
        Finding finding{.kind = sentences.front().kind,
            .pattern = titleOf(how),
            .table = {{LS_TR("Findings", "Partition"), LS_TR("Findings", "Fewest"), LS_TR("Findings", "Most")}, {}}};
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            finding.table.rows.push_back(sentences[i].arguments);
            for (const auto& [name, value] : sentences[i].figures) {
                finding.figures.emplace_back(name + "_" + keys[i], value);
            }
            finding.addRuns(sentences[i].runs);
        }
        return finding;
    }
};

/// Over all repeats: another seed draws other shares.
void sizes(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    std::vector<UnevenVariants> uneven;
    for (const Group& group : groupsOf(runs)) {
        std::vector<std::int64_t> samples;
        std::size_t drawn = 0;
        for (const RunRecord* run : group.runs) {
            drawn += run->shares.size() > 1 ? 1 : 0;
            std::ranges::transform(run->shares, std::back_inserter(samples), &RankShare::samples);
        }
        if (drawn == 0) {
            continue;
        }
        const auto [fewest, most] = std::ranges::minmax(samples);
        if (static_cast<double>(most) < 1.5 * static_cast<double>(fewest)) {
            continue;
        }
        const auto how = experiment::choice<experiment::UnevenShares>(group.runs.front()->spec);
        auto alike = std::ranges::find(uneven, how, &UnevenVariants::how);
        if (alike == uneven.end()) {
            uneven.push_back({how, {}, {}});
            alike = std::prev(uneven.end());
        }
        alike->keys.push_back(group.key);
        alike->sentences.push_back({.kind = "partitioning.uneven",
            .pattern = patternOf(how),
            .arguments = {group.name, grouped(fewest), grouped(most)},
            .figures = {{"most", static_cast<double>(most)}, {"fewest", static_cast<double>(fewest)}},
            .runs = group.ids()});
    }
    for (const UnevenVariants& each : uneven) {
        findings.push_back(each.sentences.size() > 1 ? each.table() : each.sentences.front());
    }
}

void redraws(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
    for (const RunRecord& run : runs) {
        if (run.shares.empty() || run.shares.front().redraws == 0) {
            continue;
        }
        findings.push_back({.kind = "partitioning.redrawn",
            .pattern = run.shares.front().redraws == 1
                ? LS_TR(
                    "Findings", "The shares of %1 (seed %2) were redrawn once: then every rank had at least one batch.")
                : LS_TR("Findings",
                    "The shares of %1 (seed %2) were redrawn %3 times until every rank had at least one batch."),
            .arguments = {variantName(run), std::to_string(run.spec.settings->train.seed),
                std::to_string(run.shares.front().redraws)},
            .figures = {{"redraws", static_cast<double>(run.shares.front().redraws)}},
            .runs = {run.id}});
    }
}

/// Samplers whose set_epoch() is never called; `draws`: those that draw their samples, or the others.
void repeatedEpochs(
    const std::vector<Group>& groups, bool draws, std::string_view pattern, std::vector<Finding>& findings)
{
    Finding finding;
    std::vector<std::string> names;
    for (const Group& group : groups) {
        const experiment::RunSpec& spec = group.runs.front()->spec;
        if (!spec.settings->partition.setsEpoch && is(spec, experiment::PartitionName::RandomSampling) == draws) {
            names.push_back(group.name);
            finding.addRuns(group.ids());
        }
    }
    if (names.empty()) {
        return;
    }
    finding.kind = "partitioning.set_epoch";
    finding.pattern = pattern;
    finding.arguments = {fewOf(names)};
    findings.push_back(std::move(finding));
}

/// A single process that trains the same net on the same data with as large batches.
const Group* singleOf(const std::vector<Group>& groups, const Partitioned& partitioned)
{
    const auto isBaseline = [&](const Group& group) {
        const experiment::RunSpec& spec = group.runs.front()->spec;
        return is(spec, experiment::Strategy::Single)
            && experiment::globalBatch(spec) == experiment::globalBatch(partitioned.group.runs.front()->spec)
            && differOnlyIn(group, partitioned.group,
                {nameOf(&experiment::RankSettings::strategy), nameOf(&experiment::RankSettings::worldSize),
                    "partition.", "aggregation.", "local.", "zero.", "comm.", "link.", "straggler.", "rank.",
                    "checkpoint.", nameOf(&experiment::VerifySettings::isOn),
                    nameOf(&experiment::TrainSettings::batchOf), nameOf(&experiment::TrainSettings::batch)});
    };
    const auto found = std::find_if(groups.begin(), groups.end(), isBaseline);
    return found == groups.end() ? nullptr : &*found;
}

struct Compared {
    const Partitioned* partitioned;
    Interval points; ///< of accuracy, more than the single process's
    PositiveInterval speedUp; ///< throughput over that of the single process
    int ranks;
    bool isDoubtful; ///< isFasterThanCoresAllow()
};

Compared comparedWith(const Group& single, const Partitioned& each)
{
    const Figure& throughput = figureOf(&Summary::samplesPerSecondTypical);
    const FigureDifference gain = differenceOf(throughput, single.runs, each.group.runs);
    const MeanEstimate speedUp{1.0 + gain.difference, 1.0 + gain.low, 1.0 + gain.high, gain.n};
    const auto inPercent = [](const RunRecord& run) { return testAccuracyOf(run) * 100.0; };
    return {&each, differenceOf(each.group, single, inPercent), speedUp, ranksOf(*each.group.runs.front()),
        isFasterThanCoresAllow(throughput, single, each.group)};
}

/// What the partitions cost and gain, against the single process.
void againstSingle(const Group& single, const std::vector<Compared>& all, std::vector<Finding>& findings)
{
    Finding accuracy{.kind = "partitioning.against_single",
        .pattern = LS_TR("Findings", "Label skew and test accuracy of each, in points against %1."),
        .arguments = {single.name},
        .table = {{LS_TR("Findings", "Partition"), LS_TR("Findings", "Label skew"), LS_TR("Findings", "Test accuracy"),
                      LS_TR("Findings", "Points")},
            {}},
        .runs = single.ids()};
    Finding speed{.kind = "partitioning.speed_up",
        .pattern = LS_TR("Findings", "Throughput against %1 (%2 samples/s)."),
        .arguments = {single.name, estimateText(&Summary::samplesPerSecondTypical, single.runs)},
        .table = {{LS_TR("Findings", "Partition"), LS_TR("Findings", "Multiple of the throughput"),
                      LS_TR("Findings", "Efficiency (%)")},
            {}},
        .runs = single.ids()};
    const Figure& testAccuracy = figureOf(&Summary::testAccuracy);
    accuracy.table.rows.push_back({single.name, "–", estimateText(&Summary::testAccuracy, single.runs), "–"});
    for (const Compared& each : all) {
        const Group& group = each.partitioned->group;
        accuracy.table.rows.push_back({group.name, each.partitioned->skewText(), each.partitioned->accuracyText(),
            pointsText(differenceOf(testAccuracy, single.runs, group.runs))});
        accuracy.figures.emplace_back("points_" + group.key, each.points.mean);
        accuracy.addRuns(group.ids());
        if (std::isfinite(each.speedUp.mean)) {
            const double efficiency = each.speedUp.mean / each.ranks;
            speed.table.rows.push_back(
                {group.name, withInterval(each.speedUp) + (each.isDoubtful ? std::string(DoubtMark) : std::string()),
                    withInterval(scaledTo(efficiency * 100.0, each.speedUp))});
            speed.hasDoubtful = speed.hasDoubtful || each.isDoubtful;
            speed.figures.emplace_back("speed_up_" + group.key, each.speedUp.mean);
            speed.figures.emplace_back("efficiency_" + group.key, efficiency);
            speed.addRuns(group.ids());
        }
    }
    findings.push_back(std::move(accuracy));
    if (!speed.table.rows.empty()) {
        findings.push_back(std::move(speed));
    }
}

/// Whether all were compared with one of them.
bool againstSingles(
    std::span<const RunRecord> all, const std::vector<Partitioned>& partitioned, std::vector<Finding>& findings)
{
    bool areAll = false;
    const std::vector<Group> groups = groupsOf(all);
    for (const Group& single : groups) {
        std::vector<Compared> compared;
        for (const Partitioned& each : partitioned) {
            if (singleOf(groups, each) == &single) {
                compared.push_back(comparedWith(single, each));
            }
        }
        if (!compared.empty() && estimateOf(&Summary::testAccuracy, single.runs).n > 0) {
            againstSingle(single, compared, findings);
            areAll = areAll || compared.size() == partitioned.size();
        }
    }
    return areAll;
}

} // namespace

std::vector<Finding> partitionFindings(std::span<const RunRecord> all)
{
    std::vector<RunRecord> runs;
    std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
        [](const RunRecord& run) { return std::isfinite(run.summary.labelSkew); });
    std::vector<Finding> findings;
    std::vector<Partitioned> partitioned;
    for (const Group& group : groupsOf(runs)) {
        if (Partitioned each = partitionedOf(group); std::isfinite(each.accuracy.mean)) {
            partitioned.push_back(std::move(each));
        }
    }
    const bool isAgainstSingle = againstSingles(all, partitioned, findings);
    if (partitioned.size() > 1) {
        if (isAgainstSingle) {
            skews(partitioned, findings);
        } else {
            losses(partitioned, findings);
        }
        alphas(partitioned, findings);
    }
    sizes(runs, findings);
    redraws(runs, findings);
    const std::vector<Group> groups = groupsOf(all);
    repeatedEpochs(groups, false,
        LS_TR("Findings",
            "set_epoch is not called in %1: every epoch repeats the first one's order, and each batch has the same "
            "samples."),
        findings);
    repeatedEpochs(groups, true,
        LS_TR("Findings",
            "set_epoch is not called in %1: each rank draws the same samples in every epoch, and some never."),
        findings);
    return findings;
}

} // namespace lockstep::analysis
