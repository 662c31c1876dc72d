#include "analysis/figures/comparison.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/scaling/bandwidth.h"
#include "analysis/scaling/comm_cost.h"
#include "analysis/scaling/link_fit.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::analysis {

namespace {

void wrongOnes(const RunRecord& run, std::vector<Finding>& findings)
{
    std::int64_t wrong = 0;
    for (const CollectiveMeasurement& each : run.measurements) {
        wrong += each.wrong;
    }
    if (wrong == 0) {
        return;
    }
    findings.push_back({.kind = "collectives.wrong",
        .pattern = wrong == 1
            ? LS_TR("Findings", "%1 gave a WRONG result: one element differs from the expected value.")
            : LS_TR("Findings", "%1 gave WRONG results: %2 elements differ from the expected values."),
        .arguments = {displayName(run), grouped(wrong)},
        .figures = {{"wrong", static_cast<double>(wrong)}},
        .runs = {run.id}});
}

/// `4.92 µs`, `272 ms`.
std::string shortTime(double seconds)
{
    constexpr double Millisecond = 1e-3;
    return seconds < Millisecond ? threeDigits(seconds * 1e6) + " µs" : threeDigits(seconds * 1e3) + " ms";
}

std::string_view titleOfFits(LinkReach reach)
{
    switch (reach) {
    case LinkReach::Emulated:
        return LS_TR("Findings", "The time per message and the bandwidth that fit the times of each algorithm best.");
    case LinkReach::Hosts:
        return LS_TR("Findings",
            "The time per message and the bandwidth between hosts that fit the times of each algorithm best. What "
            "each host does in its own memory is part of them.");
    default:
        return LS_TR("Findings",
            "The time per message and the bandwidth that fit the times of each algorithm best. They do not carry over "
            "to ranks on several machines.");
    }
}

/// Of more algorithms over one kind of link a table instead of a sentence each.
std::vector<Finding> fitsTable(const std::vector<Group>& groups, std::vector<Finding> fits)
{
    constexpr std::size_t MostFitSentences = 2;
    const bool areAlike
        = std::ranges::all_of(fits, [&](const Finding& each) { return each.pattern == fits.front().pattern; });
    if (fits.size() <= MostFitSentences || !areAlike) {
        return fits;
    }
    Finding table{.kind = fits.front().kind,
        .pattern = titleOfFits(reachOf(*groups.front().runs.front())),
        .table
        = {{LS_TR("Findings", "Algorithm"), LS_TR("Findings", "Ranks"), LS_TR("Findings", "Time per message (µs)"),
               LS_TR("Findings", "Bandwidth (GB/s)"), LS_TR("Findings", "To within")},
            {}}};
    for (const Finding& each : fits) {
        table.table.rows.push_back(each.arguments);
        const auto group = std::ranges::find_if(groups, [&](const Group& of) { return of.ids() == each.runs; });
        for (const auto& [name, value] : each.figures) {
            table.figures.emplace_back(name + "_" + (group == groups.end() ? each.arguments[0] : group->key), value);
        }
        table.addRuns(each.runs);
    }
    return {std::move(table)};
}

void fitted(const Group& group, std::vector<Finding>& findings)
{
    const auto fit = linkOf(group.runs);
    if (!fit) {
        return;
    }
    const double gigabytes = fit->link.beta > 0.0 ? 1e-9 / fit->link.beta : NotMeasured;
    const LinkReach reach = reachOf(*group.runs.front());
    const std::string_view pattern = reach == LinkReach::Emulated
        ? LS_TR("Findings", "%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5.")
        : reach == LinkReach::SharedMemory ? LS_TR("Findings",
              "%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5. They are of one machine's "
              "shared memory and do not carry over to ranks on several machines.")
        : reach == LinkReach::Hosts
        ? LS_TR("Findings",
            "%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s between its hosts, to within %5. What each "
            "host does in its own memory is part of them.")
        : LS_TR("Findings",
            "%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5. They are of processes of one "
            "machine and do not carry over to ranks on several machines.");
    findings.push_back({.kind = "collectives.fit",
        .pattern = pattern,
        .arguments = {group.name, std::to_string(ranksOfCall(*group.runs.front())), threeDigits(fit->link.alpha * 1e6),
            fit->link.beta > 0.0 ? threeDigits(gigabytes) : std::string("∞"), percent(fit->residual)},
        .figures = {{"alpha_us", fit->link.alpha * 1e6}, {"beta_gb_per_s", gigabytes}, {"residual", fit->residual},
            {"carries_beyond_machine", carriesBeyondMachine(reach) ? 1.0 : 0.0}},
        .runs = group.ids()});
}

/// What is not usual about a sweep's calls: its times are to be read with it.
void how(const Group& group, std::vector<Finding>& findings)
{
    const RunRecord& run = *group.runs.front();
    const auto add = [&](std::string_view kind, std::string_view pattern, std::vector<std::string> arguments,
                         std::pair<std::string, double> figure) {
        findings.push_back({.kind = kind,
            .pattern = pattern,
            .arguments = std::move(arguments),
            .figures = {std::move(figure)},
            .runs = group.ids()});
    };
    if (const std::int64_t groups = run.spec.settings->sweep.groups; groups > 1) {
        add("collectives.groups",
            LS_TR("Findings",
                "In %1, %2 groups of %3 ranks made every call at the same time. Its times are those of the slowest "
                "group."),
            {group.name, std::to_string(groups), std::to_string(ranksOfCall(run))},
            {"groups", static_cast<double>(groups)});
    }
    if (run.spec.settings->sweep.isAsync) {
        add("collectives.async",
            LS_TR("Findings",
                "In %1 the ranks started their calls without waiting for each. The time of a call runs from the end of "
                "the one before it."),
            {group.name}, {"async", 1.0});
    }
    if (const std::int64_t root = run.spec.settings->sweep.root; root != 0) {
        add("collectives.root", LS_TR("Findings", "In %1 the root is rank %2."), {group.name, std::to_string(root)},
            {"root", static_cast<double>(root)});
    }
}

/// Whether the sweeps differ by neither the ranks of a call nor how it is made: only then does the fastest say
/// anything.
bool areOfEqualCalls(const std::vector<Group>& groups)
{
    const experiment::Settings& first = *groups.front().runs.front()->spec.settings;
    return std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
        const experiment::Settings& other = *group.runs.front()->spec.settings;
        return other.rank.worldSize == first.rank.worldSize && other.sweep.groups == first.sweep.groups
            && other.sweep.isAsync == first.sweep.isAsync && other.sweep.root == first.sweep.root
            && other.sweep.buffers == first.sweep.buffers;
    });
}

struct Best {
    double seconds = 0.0;
    const Group* group = nullptr;
};

double logSecondsAt(const RunRecord& run, double bytes)
{
    for (const Measurement& time : measurementsOf(run)) {
        if (time.bytes == bytes) {
            return std::log(time.seconds);
        }
    }
    return NotMeasured;
}

/// By size; of repeats the median of their times counts.
std::map<double, Best> fastestBySize(const std::vector<Group>& groups)
{
    std::map<double, Best> best;
    for (const Group& group : groups) {
        for (const auto& [bytes, seconds] : secondsBySize(group.runs)) {
            const auto found = best.find(bytes);
            if (found == best.end() || seconds < found->second.seconds) {
                best[bytes] = {seconds, &group};
            }
        }
    }
    return best;
}

/// Says so where the repeats of the fastest of a size and of another overlap; true if it did.
bool saysThatNoneIsFastest(
    double bytes, const Best& best, const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    for (const Group& group : groups) {
        const auto logSeconds = [bytes](const RunRecord& run) { return logSecondsAt(run, bytes); };
        const Interval difference = differenceOf(group.mean(logSeconds), best.group->mean(logSeconds));
        if (&group == best.group || isApart(difference) != Apart::No) {
            continue;
        }
        const double low = std::exp(difference.mean - difference.halfWidth);
        const double high = std::exp(difference.mean + difference.halfWidth);
        const bool areAlike = isSmallDifference(low - 1.0, high - 1.0);
        findings.push_back({.kind = "collectives.no_difference",
            .pattern = areAlike
                ? LS_TR("Findings",
                    "At %1 there is no difference worth naming between %2 and %3, which takes %4 times as long.")
                : LS_TR("Findings",
                    "Whether %2 and %3 take different times at %1 cannot be told: %3 takes %4 times as long."),
            .arguments
            = {bytesText(bytes), best.group->name, group.name, timesText(std::exp(difference.mean), low, high)},
            .figures = {{"ratio", std::exp(difference.mean)}, {"n", static_cast<double>(difference.n)}},
            .runs = idsOf({best.group, &group}),
            .moreRepeats
            = areAlike ? 0 : moreRepeatsToTell(difference, std::log1p(SmallDifference), Sides::Independent)});
        return true;
    }
    return false;
}

Finding fastestOf(const std::map<double, Best>& best, std::size_t repeats)
{
    const Group* small = best.begin()->second.group;
    const Group* large = best.rbegin()->second.group;
    const auto changed
        = std::find_if(best.begin(), best.end(), [&](const auto& each) { return each.second.group != small; });
    return {.kind = "collectives.fastest",
        .pattern = small == large
            ? LS_TR("Findings", "%1 is the fastest at the smallest size (%2: %3) and at the largest (%4: %5).")
            : LS_TR("Findings",
                "%1 is the fastest at the smallest size (%2: %3), %6 at the largest (%4: %5). From %7 on, %1 is no "
                "longer the fastest."),
        .arguments = {small->name, bytesText(best.begin()->first), shortTime(best.begin()->second.seconds),
            bytesText(best.rbegin()->first), shortTime(best.rbegin()->second.seconds), large->name,
            changed == best.end() ? std::string() : bytesText(changed->first)},
        .figures
        = {{"smallest_us", best.begin()->second.seconds * 1e6}, {"largest_us", best.rbegin()->second.seconds * 1e6},
            {"crossover_bytes", changed == best.end() ? NotMeasured : changed->first},
            {"n", static_cast<double>(repeats)}},
        .runs = small == large ? small->ids() : idsOf({small, large})};
}

/// The fastest at each size, from small to large: with repeats only where their intervals distinguish it from every
/// other.
void fastest(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    const std::map<double, Best> best = fastestBySize(groups);
    if (groups.size() < 2 || best.size() < 2 || !areOfEqualCalls(groups)) {
        return;
    }
    const bool isNoneAtSmallest = saysThatNoneIsFastest(best.begin()->first, best.begin()->second, groups, findings);
    const bool isNoneAtLargest = saysThatNoneIsFastest(best.rbegin()->first, best.rbegin()->second, groups, findings);
    if (isNoneAtSmallest || isNoneAtLargest) {
        return;
    }
    std::size_t repeats = groups.front().runs.size();
    for (const Group& group : groups) {
        repeats = std::min(repeats, group.runs.size());
    }
    findings.push_back(fastestOf(best, repeats));
}

/// Of an algorithm at one size, by the theory's cost with the link that fits its own times best.
struct Prediction {
    double predicted = NotMeasured; ///< seconds
    double measured = NotMeasured;

    [[nodiscard]] double ratio() const { return measured / predicted; }
    [[nodiscard]] std::vector<std::string> texts() const { return {shortTime(predicted), shortTime(measured)}; }
};

struct Predicted {
    const Group* group = nullptr;
    double smallest = 0.0; ///< bytes
    double largest = 0.0;
    Prediction atSmallest;
    Prediction atLargest;
};

/// Nothing without a fit over at least three sizes: through two every line goes.
std::optional<Predicted> predictedOf(const Group& group)
{
    constexpr std::size_t FewestSizes = 3;
    const RunRecord& run = *group.runs.front();
    const auto fit = linkOf(group.runs);
    const std::map<double, double> times = secondsBySize(group.runs);
    if (!fit || times.size() < FewestSizes) {
        return std::nullopt;
    }
    const auto at = [&](const std::pair<const double, double>& time) {
        const auto seconds = algorithmSeconds(
            nameOf(run.spec.settings->aggregation.algorithm), ranksOfMessages(run), fit->link, time.first);
        return Prediction{seconds.value_or(NotMeasured), time.second};
    };
    return Predicted{&group, times.begin()->first, times.rbegin()->first, at(*times.begin()), at(*times.rbegin())};
}

/// `1.2`, `2.8 – 9.6`
std::string rangeText(double low, double high)
{
    const std::string least = threeDigits(low);
    const std::string most = threeDigits(high);
    return least == most ? least : least + " – " + most;
}

/// What theory predicts beside what was measured, with a verdict: a rate that fits all sizes may not be that of one.
void theory(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    constexpr double Agrees = 1.5; // times, to both sides
    std::vector<Predicted> all;
    for (const Group& group : groups) {
        const auto each = predictedOf(group);
        if (each && (all.empty() || (each->smallest == all[0].smallest && each->largest == all[0].largest))) {
            all.push_back(*each);
        }
    }
    if (all.empty()) {
        return;
    }
    double low = all[0].atLargest.ratio();
    double high = low;
    double furthest = 1.0;
    Finding finding{.kind = "collectives.theory",
        .table = {{LS_TR("Findings", "Algorithm"), LS_TR("Findings", "Smallest, predicted"),
                      LS_TR("Findings", "Smallest, measured"), LS_TR("Findings", "Largest, predicted"),
                      LS_TR("Findings", "Largest, measured")},
            {}}};
    for (const Predicted& each : all) {
        low = std::min(low, each.atLargest.ratio());
        high = std::max(high, each.atLargest.ratio());
        finding.table.rows.push_back({each.group->name});
        for (const Prediction* prediction : {&each.atSmallest, &each.atLargest}) {
            std::ranges::copy(prediction->texts(), std::back_inserter(finding.table.rows.back()));
            furthest = std::max({furthest, prediction->ratio(), 1.0 / prediction->ratio()});
        }
        finding.figures.emplace_back("smallest_ratio_" + each.group->key, each.atSmallest.ratio());
        finding.figures.emplace_back("largest_ratio_" + each.group->key, each.atLargest.ratio());
        finding.addRuns(each.group->ids());
    }
    finding.pattern = furthest <= Agrees
        ? LS_TR("Findings",
            "Theory, fitted to all sizes, agrees with the smallest size (%1) and the largest (%2) to within a factor "
            "of %3.")
        : low > Agrees ? LS_TR("Findings",
              "Theory is too optimistic for large messages. At %2 they take %4 times as long as predicted with the "
              "bandwidth that fits all sizes.")
                       : LS_TR("Findings",
                           "Theory, fitted to all sizes, differs from the smallest size (%1) or the largest (%2) by up "
                           "to a factor of %3.");
    finding.arguments
        = {bytesText(all[0].smallest), bytesText(all[0].largest), threeDigits(furthest), rangeText(low, high)};
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> collectivesFindings(std::span<const RunRecord> runs)
{
    std::vector<Finding> findings;
    for (const RunRecord& run : runs) {
        wrongOnes(run, findings);
    }
    const std::vector<Group> groups = groupsOf(runs, SameSeed::Each); // a sweep has no seed
    fastest(groups, findings);
    theory(groups, findings);
    std::vector<Finding> fits;
    for (const Group& group : groups) {
        how(group, findings);
        fitted(group, fits);
    }
    std::ranges::move(fitsTable(groups, std::move(fits)), std::back_inserter(findings));
    return findings;
}

} // namespace lockstep::analysis
