#include "analysis/figures/comparison.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/scaling/bandwidth.h"
#include "analysis/scaling/comm_cost.h"
#include "analysis/scaling/link_fit.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"

#include <fmt/format.h>

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

/// What times per message and bandwidths are not; empty: nothing to say.
std::string_view reachText(LinkReach reach)
{
    switch (reach) {
    case LinkReach::Emulated:
        return {};
    case LinkReach::Hosts:
        return LS_TR(
            "Findings", "What each host does in its own memory is part of the times per message and the bandwidths.");
    default:
        return LS_TR(
            "Findings", "These times per message and bandwidths do not carry over to ranks on several machines.");
    }
}

/// Of more algorithms over one kind of link, of which theory() has a row each, a sentence for all.
std::vector<Finding> inOneSentence(const std::vector<Group>& groups, std::vector<Finding> fits)
{
    constexpr std::size_t MostFitSentences = 2;
    const bool areAlike
        = std::ranges::all_of(fits, [&](const Finding& each) { return each.pattern == fits.front().pattern; });
    if (fits.size() <= MostFitSentences || !areAlike) {
        return fits;
    }
    Finding all{.kind = fits.front().kind, .pattern = reachText(reachOf(*groups.front().runs.front()))};
    for (const Finding& each : fits) {
        const auto group = std::ranges::find_if(groups, [&](const Group& of) { return of.ids() == each.runs; });
        for (const auto& [name, value] : each.figures) {
            all.figures.emplace_back(name + "_" + (group == groups.end() ? each.arguments[0] : group->key), value);
        }
        all.addRuns(each.runs);
    }
    return all.pattern.empty() ? std::vector<Finding>() : std::vector<Finding>{std::move(all)};
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
        .pattern = changed == best.end()
            ? LS_TR("Findings", "%1 came out fastest at every size, from %2 (%3) to %4 (%5).")
            : small == large
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

/// `1.2`, `2.8 – 9.6`
std::string rangeText(const std::string& least, const std::string& most)
{
    return least == most ? least : least + " – " + most;
}

/// A time beside that of the theory, with the link that fits all times of the algorithm best.
struct TimeAtSize {
    double bytes = 0.0;
    double predicted = NotMeasured; ///< seconds
    double measured = NotMeasured;

    /// Times, to either side.
    [[nodiscard]] double off() const { return std::max(measured / predicted, predicted / measured); }
};

/// By size; nothing without a fit over at least three sizes: through two every line goes.
std::vector<TimeAtSize> predictedOf(const Group& group)
{
    constexpr std::size_t FewestSizes = 3;
    const RunRecord& run = *group.runs.front();
    const auto fit = linkOf(group.runs);
    const std::map<double, double> times = secondsBySize(group.runs);
    std::vector<TimeAtSize> predicted;
    if (!fit || times.size() < FewestSizes) {
        return predicted;
    }
    for (const auto& [bytes, seconds] : times) {
        const auto byTheory = algorithmSeconds(
            nameOf(run.spec.settings->aggregation.algorithm), ranksOfMessages(run), fit->link, bytes);
        predicted.push_back({bytes, byTheory.value_or(NotMeasured), seconds});
    }
    return predicted;
}

/// `6.21 µs`; `–` where theory says nothing.
std::string predictedText(const Group& group, double bytes)
{
    const std::vector<TimeAtSize> theory = predictedOf(group);
    const auto at = std::ranges::find(theory, bytes, &TimeAtSize::bytes);
    return at == theory.end() ? std::string("–") : shortTime(at->predicted);
}

/// How long a call takes at each size, and what theory predicts.
void times(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    const std::map<double, Best> best = fastestBySize(groups);
    if (groups.size() < 2 || best.size() < 2 || !areOfEqualCalls(groups)) {
        return;
    }
    std::vector<std::string> ranges;
    Finding finding{.kind = "collectives.times", .table = {{LS_TR("Findings", "Size")}, {}}};
    for (const Group& group : groups) {
        finding.table.header.push_back(group.name);
        finding.addRuns(group.ids());
    }
    for (const auto& [bytes, fastest] : best) {
        double slowest = fastest.seconds;
        std::vector<std::string>& row = finding.table.rows.emplace_back(std::vector{bytesText(bytes)});
        for (const Group& group : groups) {
            const std::map<double, double> all = secondsBySize(group.runs);
            const auto here = all.find(bytes);
            row.push_back(here == all.end() ? std::string("–")
                                            : shortTime(here->second) + " (" + predictedText(group, bytes) + ")");
            slowest = here == all.end() ? slowest : std::max(slowest, here->second);
        }
        ranges.push_back(rangeText(shortTime(fastest.seconds), shortTime(slowest)));
    }
    finding.pattern = LS_TR("Findings",
        "Depending on the algorithm, a call takes %2 at %1, and %4 at %3. Behind each time the prediction stands in "
        "brackets.");
    finding.arguments
        = {bytesText(best.begin()->first), ranges.front(), bytesText(best.rbegin()->first), ranges.back()};
    finding.figures
        = {{"smallest_us", best.begin()->second.seconds * 1e6}, {"largest_us", best.rbegin()->second.seconds * 1e6}};
    findings.push_back(std::move(finding));
    if (std::ranges::all_of(groups, [](const Group& group) { return group.runs.size() == 1; })) {
        findings.push_back({.kind = "collectives.one_repeat",
            .pattern = LS_TR("Findings", "Each was measured in one run, so small differences may be chance."),
            .figures = {{"n", 1.0}},
            .runs = findings.back().runs,
            .role = Role::Caveat});
    }
}

/// Of an algorithm's times those that theory is far from.
struct Misfit {
    std::vector<double> sizes; ///< in bytes, rising
    TimeAtSize furthest;
};

Misfit misfitOf(const std::vector<TimeAtSize>& times, double tolerance)
{
    Misfit misfit;
    misfit.furthest = *std::ranges::max_element(times, {}, &TimeAtSize::off);
    for (const TimeAtSize& each : times) {
        if (each.off() > tolerance) {
            misfit.sizes.push_back(each.bytes);
        }
    }
    return misfit;
}

/// What theory predicts beside what was measured, judged at every size: a link that fits all sizes on average may be
/// wrong at many of them.
void theory(const std::vector<Group>& groups, std::vector<Finding>& findings)
{
    constexpr double Agrees = 1.5; // times, to both sides
    const Group* furthestGroup = nullptr;
    TimeAtSize furthest;
    std::size_t all = 0;
    std::size_t within = 0;
    Finding finding{.kind = "collectives.theory",
        .table = {{LS_TR("Findings", "Algorithm"), LS_TR("Findings", "Messages"), LS_TR("Findings", "Bytes ÷ size"),
                      LS_TR("Findings", "Time per message (µs)"), LS_TR("Findings", "Bandwidth (GB/s)"),
                      LS_TR("Findings", "Sizes where theory agrees"), LS_TR("Findings", "Furthest off at"),
                      LS_TR("Findings", "Predicted"), LS_TR("Findings", "Measured")},
            {}}};
    for (const Group& group : groups) {
        const std::vector<TimeAtSize> predicted = predictedOf(group);
        if (predicted.empty()) {
            continue;
        }
        const Misfit misfit = misfitOf(predicted, Agrees);
        const TimeAtSize& worst = misfit.furthest;
        const std::size_t agreeing = predicted.size() - misfit.sizes.size();
        const RunRecord& run = *group.runs.front();
        const LinkCost link = linkOf(group.runs)->link;
        const AlgorithmCost cost = algorithmCost(
            nameOf(run.spec.settings->aggregation.algorithm), ranksOfMessages(run), link, predicted.back().bytes)
                                       .value_or(AlgorithmCost{});
        finding.table.rows.push_back(
            {group.name, fmt::format("{:.3g}", cost.messages), fmt::format("{:.3g}", cost.arrays),
                threeDigits(link.alpha * 1e6), link.beta > 0.0 ? threeDigits(1e-9 / link.beta) : std::string("∞"),
                std::to_string(agreeing) + "/" + std::to_string(predicted.size()), bytesText(worst.bytes),
                shortTime(worst.predicted), shortTime(worst.measured)});
        finding.figures.emplace_back("times_off_" + group.key, worst.off());
        finding.figures.emplace_back("sizes_off_" + group.key, static_cast<double>(misfit.sizes.size()));
        finding.addRuns(group.ids());
        all += predicted.size();
        within += agreeing;
        if (furthestGroup == nullptr || worst.off() > furthest.off()) {
            furthestGroup = &group;
            furthest = worst;
        }
    }
    if (furthestGroup == nullptr) {
        return;
    }
    finding.pattern = within == all
        ? LS_TR("Findings",
            "In theory, time = messages × time per message + bytes ÷ bandwidth, both fitted to these measurements. It "
            "agrees with each of them to within a factor of %3.")
        : LS_TR("Findings",
            "In theory, time = messages × time per message + bytes ÷ bandwidth, both fitted to these measurements. It "
            "agrees with %1 of %2 of them to within a factor of %3. It is furthest off with %4 at %5: %6 predicted, %7 "
            "measured.");
    finding.arguments = {std::to_string(within), std::to_string(all),
        within == all ? threeDigits(furthest.off()) : onePlace(Agrees), furthestGroup->name, bytesText(furthest.bytes),
        shortTime(furthest.predicted), shortTime(furthest.measured)};
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> collectivesFindings(std::span<const RunRecord> runs, bool isAlone)
{
    std::vector<Finding> findings;
    for (const RunRecord& run : runs) {
        wrongOnes(run, findings);
    }
    const std::vector<Group> groups = groupsOf(runs, SameSeed::Each); // a sweep has no seed
    times(groups, findings);
    fastest(groups, findings);
    if (isAlone) {
        theory(groups, findings);
    }
    std::vector<Finding> fits;
    for (const Group& group : groups) {
        how(group, findings);
        if (isAlone) {
            fitted(group, fits);
        }
    }
    std::ranges::move(inOneSentence(groups, std::move(fits)), std::back_inserter(findings));
    return findings;
}

} // namespace lockstep::analysis
