#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
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
/// Above this label skew the shares differ by more than chance.
constexpr double VisibleSkew = 0.05;

struct Partitioned {
    Group group;
    MeanEstimate accuracy; ///< of the test set
    double skew = 0.0;

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

std::string_view patternOf(const Partitioned& each, double lost)
{
    if (!(lost > 0.0)) {
        return LS_TR("Findings",
            "%1 reaches a test accuracy of %2, %3 points above %4 (%5), with a label skew of %6 (%4: %7; n = %8).");
    }
    if (each.skew <= VisibleSkew) {
        return LS_TR("Findings",
            "%1 reaches a test accuracy of %2, %3 points below %4 (%5), although its ranks see nearly the same labels "
            "(label skew %6; %4: %7; n = %8).");
    }
    // Where gradients are aggregated in each step, all ranks have the same weights.
    return experiment::trainsLocally(each.group.runs.front()->spec)
        ? LS_TR("Findings",
            "%1 reaches a test accuracy of %2, %3 points below %4 (%5): its ranks see different labels (label skew "
            "%6; %4: %7), which pulls the weights apart between two averages (n = %8).")
        : LS_TR("Findings",
            "%1 reaches a test accuracy of %2, %3 points below %4 (%5): its ranks see different labels (label skew "
            "%6; %4: %7; n = %8).");
}

/// Variants that a common sentence names.
struct Named {
    std::string names;
    std::vector<RunId> runs;

    void add(const Partitioned& each)
    {
        names += (names.empty() ? "" : ", ") + each.group.name + " " + each.accuracyText();
        std::ranges::copy(each.group.ids(), std::back_inserter(runs));
    }

    void tell(std::string_view kind, std::string_view pattern, std::vector<std::string> arguments,
        std::vector<Finding>& findings) const
    {
        if (names.empty()) {
            return;
        }
        arguments.push_back(names);
        findings.push_back({.kind = kind, .pattern = pattern, .arguments = std::move(arguments), .runs = runs});
    }
};

void losses(const std::vector<Partitioned>& all, std::vector<Finding>& findings)
{
    const Partitioned& best = baseline(all);
    Named alike;
    Named undecided;
    bool isChance = false;
    for (const Partitioned& each : all) {
        if (&each == &best) {
            continue;
        }
        const double lost = (best.accuracy.mean - each.accuracy.mean) * 100.0;
        const Apart apart = isApart(differenceOf(best.group, each.group, testAccuracyOf));
        if (std::abs(lost) < LeastPoints || apart == Apart::No) {
            (std::abs(lost) < LeastPoints ? alike : undecided).add(each);
            continue;
        }
        isChance = isChance || apart == Apart::Unknown;
        findings.push_back({.kind = "partitioning.accuracy",
            .pattern = patternOf(each, lost),
            .arguments
            = {each.group.name, each.accuracyText(), onePlace(std::abs(lost)), best.group.name, best.accuracyText(),
                threeDigits(each.skew), threeDigits(best.skew), std::to_string(each.group.runs.size())},
            .figures = {{"accuracy", each.accuracy.mean}, {"points_lost", lost}, {"label_skew", each.skew}},
            .runs = each.group.ids()});
    }
    const std::string accuracy = best.accuracyText();
    alike.tell("partitioning.alike", LS_TR("Findings", "Within %1 percentage points of %2 (%3): %4."),
        {onePlace(LeastPoints), best.group.name, accuracy}, findings);
    undecided.tell("partitioning.undecided",
        LS_TR("Findings",
            "Whether these differ from %1 (%2) cannot be told, because the 95 % confidence interval of the difference "
            "contains 0: %3."),
        {best.group.name, accuracy}, findings);
    if (isChance) {
        findings.push_back({.kind = "partitioning.chance",
            .pattern = LS_TR("Findings",
                "Some of the partitions ran once: add repeats to see how much of their difference from %1 is chance."),
            .arguments = {best.group.name}});
    }
}

/// `drawn` in the order of alpha.
std::string_view patternOf(const std::vector<const Partitioned*>& drawn)
{
    if (isApart(differenceOf(drawn.back()->group, drawn.front()->group, testAccuracyOf)) == Apart::No) {
        return LS_TR("Findings",
            "Whether the accuracy changes with Dirichlet's alpha cannot be told, because the 95 % confidence interval "
            "of the difference between the largest and the smallest alpha contains 0: %1.");
    }
    if (!std::is_sorted(drawn.begin(), drawn.end(),
            [](const Partitioned* a, const Partitioned* b) { return a->accuracy.mean < b->accuracy.mean; })) {
        return LS_TR("Findings", "Accuracy does not rise steadily with Dirichlet's alpha: %1.");
    }
    return std::is_sorted(
               drawn.begin(), drawn.end(), [](const Partitioned* a, const Partitioned* b) { return a->skew > b->skew; })
        ? LS_TR("Findings",
            "The larger Dirichlet's alpha, the more similar the ranks' labels and the more accurate the net: %1.")
        : LS_TR("Findings", "The larger Dirichlet's alpha, the more accurate the net: %1.");
}

void alphas(const std::vector<Partitioned>& all, std::vector<Finding>& findings)
{
    std::vector<const Partitioned*> drawn;
    for (const Partitioned& each : all) {
        if (is(each.group.runs.front()->spec, experiment::PartitionName::Dirichlet)) {
            drawn.push_back(&each);
        }
    }
    if (drawn.size() < 2) {
        return;
    }
    const auto alphaOf
        = [](const Partitioned* each) { return each->group.runs.front()->spec.settings->partition.alpha; };
    std::sort(drawn.begin(), drawn.end(),
        [&](const Partitioned* a, const Partitioned* b) { return alphaOf(a) < alphaOf(b); });
    Finding finding;
    finding.kind = "partitioning.alpha";
    finding.pattern = patternOf(drawn);
    std::string list;
    for (const Partitioned* each : drawn) {
        list += (list.empty() ? "" : ", ") + experiment::toText(alphaOf(each)) + " → " + each->accuracyText();
        finding.figures.emplace_back("accuracy_at_" + experiment::toText(alphaOf(each)), each->accuracy.mean);
        finding.addRuns(each->group.ids());
    }
    finding.arguments = {list};
    findings.push_back(std::move(finding));
}

std::string_view patternOf(experiment::UnevenShares uneven)
{
    switch (uneven) {
    case experiment::UnevenShares::Pad:
        return LS_TR("Findings",
            "In %1 the ranks' shares have from %2 to %3 samples (n = %4): smaller ones repeat samples until all ranks "
            "have equally many.");
    case experiment::UnevenShares::Cut:
        return LS_TR("Findings",
            "In %1 the ranks' shares have from %2 to %3 samples (n = %4): larger ones drop some in each epoch.");
    case experiment::UnevenShares::Proportional:
        break;
    }
    return LS_TR("Findings",
        "In %1 the ranks' shares have from %2 to %3 samples (n = %4): proportional batches let all ranks finish an "
        "epoch in the same step, but a rank with more samples computes longer in each step.");
}

/// Over all repeats: another seed draws other shares.
void sizes(std::span<const RunRecord> runs, std::vector<Finding>& findings)
{
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
        findings.push_back({.kind = "partitioning.uneven",
            .pattern = patternOf(experiment::choice<experiment::UnevenShares>(group.runs.front()->spec)),
            .arguments = {group.name, grouped(fewest), grouped(most), std::to_string(drawn)},
            .figures = {{"most", static_cast<double>(most)}, {"fewest", static_cast<double>(fewest)}},
            .runs = group.ids()});
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
    std::string names;
    for (const Group& group : groups) {
        const experiment::RunSpec& spec = group.runs.front()->spec;
        if (!spec.settings->partition.setsEpoch && is(spec, experiment::PartitionName::RandomSampling) == draws) {
            names += (names.empty() ? "" : ", ") + group.name;
            finding.addRuns(group.ids());
        }
    }
    if (names.empty()) {
        return;
    }
    finding.kind = "partitioning.set_epoch";
    finding.pattern = pattern;
    finding.arguments = {names};
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
    Interval speedUp; ///< throughput over that of the single process of the same seed, or of their mean
    int ranks;
};

Compared comparedWith(const Group& single, const Partitioned& each)
{
    const auto throughput = inSummary<samplesPerSecondOf>;
    const double mean = estimateOf(&Summary::samplesPerSecondTypical, single.runs).mean;
    const Interval speedUp = each.group.mean([&](const RunRecord& run) {
        const auto partner = std::find_if(single.runs.begin(), single.runs.end(), [&run](const RunRecord* other) {
            return other->spec.settings->train.seed == run.spec.settings->train.seed;
        });
        return throughput(run) / (partner == single.runs.end() ? mean : throughput(**partner));
    });
    const auto inPercent = [](const RunRecord& run) { return testAccuracyOf(run) * 100.0; };
    return {&each, differenceOf(each.group, single, inPercent), speedUp, ranksOf(*each.group.runs.front())};
}

/// `+1.2`, `0.0`, or `-0.4 ± 0.3` where there are repeats.
std::string pointsText(const Interval& points)
{
    const bool hasInterval = points.n > 1 && std::isfinite(points.halfWidth);
    return signedOnePlace(points.mean) + (hasInterval ? " ± " + onePlace(points.halfWidth) : std::string());
}

/// What the partitions cost and gain, against the single process.
void againstSingle(const Group& single, const std::vector<Compared>& all, std::vector<Finding>& findings)
{
    Finding accuracy;
    Finding speed;
    std::string points;
    std::string speedUps;
    std::size_t fewest = single.runs.size();
    accuracy.runs = speed.runs = single.ids();
    for (const Compared& each : all) {
        const Group& group = each.partitioned->group;
        fewest = std::min(fewest, group.runs.size());
        points += (points.empty() ? "" : ", ") + group.name + " " + pointsText(each.points);
        accuracy.figures.emplace_back("points_" + group.key, each.points.mean);
        accuracy.addRuns(group.ids());
        if (std::isfinite(each.speedUp.mean)) {
            const double efficiency = each.speedUp.mean / each.ranks;
            speedUps += (speedUps.empty() ? "" : ", ") + group.name + " " + withInterval(each.speedUp) + " × ("
                + percent(efficiency) + ")";
            speed.figures.emplace_back("speed_up_" + group.key, each.speedUp.mean);
            speed.figures.emplace_back("efficiency_" + group.key, efficiency);
            speed.addRuns(group.ids());
        }
    }
    const std::string counted = std::to_string(fewest);
    accuracy.kind = "partitioning.against_single";
    accuracy.pattern = LS_TR(
        "Findings", "The test accuracy of one process, %1, is %2. Relative to it, in percentage points: %3 (n = %4).");
    accuracy.arguments = {single.name, estimateText(&Summary::testAccuracy, single.runs), points, counted};
    findings.push_back(std::move(accuracy));
    if (!speedUps.empty()) {
        speed.kind = "partitioning.speed_up";
        speed.pattern
            = LS_TR("Findings", "Throughput relative to one process, %1 (%2 samples/s), and efficiency: %3 (n = %4).");
        speed.arguments
            = {single.name, estimateText(&Summary::samplesPerSecondTypical, single.runs), speedUps, counted};
        findings.push_back(std::move(speed));
    }
}

void againstSingles(
    std::span<const RunRecord> all, const std::vector<Partitioned>& partitioned, std::vector<Finding>& findings)
{
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
        }
    }
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
    againstSingles(all, partitioned, findings);
    if (partitioned.size() > 1) {
        losses(partitioned, findings);
        alphas(partitioned, findings);
    }
    sizes(runs, findings);
    redraws(runs, findings);
    const std::vector<Group> groups = groupsOf(all);
    repeatedEpochs(groups, false,
        LS_TR("Findings",
            "set_epoch is not called in %1: every epoch repeats the first one's order, so each batch always consists "
            "of the same samples."),
        findings);
    repeatedEpochs(groups, true,
        LS_TR("Findings",
            "set_epoch is not called in %1: each rank draws the same samples in every epoch, and some never."),
        findings);
    return findings;
}

} // namespace lockstep::analysis
