#include "core/truth/truth_check.h"

#include "analysis/figures/comparison.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/table/column.h"
#include "experiment/vary.h"
#include "plan/grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace lockstep::tests {

namespace {

using analysis::Group;
using analysis::RunRecord;
using analysis::RunStatus;
using Values = std::vector<double>;

constexpr double ClearlyOther = 1.2; ///< ratio of two means of which one is larger by the model
constexpr double Alike = 1.15; ///< ratio of two means that differ by chance
constexpr double SlowFactor = 1.3; ///< from here on a rank is slow

double meanOf(const Values& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool contains(const std::vector<std::string_view>& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

class Checker {
public:
    Checker(const TruthRow& row, const std::vector<TruthRun>& runs);

    [[nodiscard]] std::vector<std::string> untrue();

private:
    void checkBest();
    void checkWorst();
    void checkSettings();
    void checkLearning();
    void checkRanks(const RunRecord& run);
    void checkSpeedUp();
    void must(bool holds, const std::string& what);
    [[nodiscard]] double valueOf(const RunRecord& run) const;
    /// As valueOf(), but so that the lowest is best.
    [[nodiscard]] double costOf(const RunRecord& run) const;
    [[nodiscard]] std::map<std::string, Values> byVariant() const;
    [[nodiscard]] Values meansBy(std::string_view parameter) const;
    [[nodiscard]] bool isToldByBlocks() const;

    const TruthRow& m_row;
    const Truth& m_truth;
    const analysis::Figure* m_figure; ///< null: no comparison
    std::vector<RunRecord> m_all;
    std::vector<RunRecord> m_counted; ///< finished, undisturbed and from the first step on; of a seed the newest
    std::vector<std::string> m_untrue;
};

Checker::Checker(const TruthRow& row, const std::vector<TruthRun>& runs)
    : m_row(row)
    , m_truth(row.truth)
    , m_figure(analysis::findFigure(row.truth.figure))
    , m_all(recordsOf(runs))
{
    for (const RunRecord& run : m_all) {
        const bool isWhole = run.status == RunStatus::Finished && !run.summary.interference.any()
            && run.spec.settings->checkpoint.from.empty();
        const auto earlier = std::ranges::find_if(m_counted, [&](const RunRecord& each) {
            return each.spec.name == run.spec.name && each.spec.repeat == run.spec.repeat;
        });
        if (isWhole && earlier != m_counted.end()) {
            *earlier = run;
        } else if (isWhole) {
            m_counted.push_back(run);
        }
    }
}

std::vector<std::string> Checker::untrue()
{
    if (m_figure != nullptr) {
        checkBest();
        checkWorst();
        checkSettings();
    }
    checkLearning();
    std::ranges::for_each(m_all, [this](const RunRecord& run) { checkRanks(run); });
    checkSpeedUp();
    return m_untrue;
}

void Checker::must(bool holds, const std::string& what)
{
    if (!holds) {
        m_untrue.push_back(std::string(m_row.name) + ": " + what);
    }
}

double Checker::valueOf(const RunRecord& run) const
{
    return m_figure->of(run);
}

double Checker::costOf(const RunRecord& run) const
{
    return m_truth.isHighestBest ? 1.0 / valueOf(run) : valueOf(run);
}

std::map<std::string, Values> Checker::byVariant() const
{
    std::map<std::string, Values> values;
    for (const RunRecord& run : m_counted) {
        if (std::isfinite(costOf(run))) {
            values[run.spec.name].push_back(costOf(run));
        }
    }
    return values;
}

bool Checker::isToldByBlocks() const
{
    const auto best = std::ranges::find(m_counted, m_truth.best, [](const RunRecord& run) { return run.spec.name; });
    return std::ranges::all_of(m_counted, [&](const RunRecord& run) {
        return &run == &*best
            || analysis::differenceOfRounds(analysis::logRatios(*best, run, &analysis::MeasuredBlock::msPerStep)).low
            > 0.0;
    });
}

void Checker::checkBest()
{
    const std::map<std::string, Values> values = byVariant();
    const std::vector<Group> groups = analysis::groupsOf(m_counted);
    const auto ranking = analysis::lowestFirst(groups, [this](const RunRecord& run) { return costOf(run); });
    must(ranking.order.size() == values.size(), "every variant is a group");
    const bool isByBlocks = m_row.inTurns && m_row.repeats == 1;
    const bool isTold = ranking.first == analysis::Apart::Yes;
    must(isByBlocks || isTold == m_truth.isTold, std::string("repeats tell the best: ") + (isTold ? "yes" : "no"));
    must(m_truth.best.empty() || ranking.order.front()->name == m_truth.best,
        "the best is " + ranking.order.front()->name);
    if (isByBlocks) {
        const auto other = analysis::comparisons(m_counted);
        must(m_truth.isTold ? isToldByBlocks() : other.front().difference.holdsZero(), "blocks tell the best");
    }
    if (!m_truth.isTold) {
        return;
    }
    const Values& best = values.at(std::string(m_truth.best));
    for (const auto& [name, others] : values) {
        must(name == m_truth.best || std::ranges::max(best) < std::ranges::min(others), "apart from " + name);
    }
}

void Checker::checkWorst()
{
    const std::map<std::string, Values> values = byVariant();
    for (const auto& [name, others] : values) {
        must(m_truth.worst.empty() || name == m_truth.worst
                || std::ranges::min(values.at(std::string(m_truth.worst))) > std::ranges::max(others),
            "the worst is apart from " + name);
    }
}

/// Of the figure, by the parameter's values in their order.
Values Checker::meansBy(std::string_view parameter) const
{
    std::map<double, Values> values;
    const analysis::Column* column = analysis::findColumn(parameter);
    for (const RunRecord& run : m_counted) {
        values[analysis::numberOf(analysis::cellOf(*column, run))].push_back(valueOf(run));
    }
    Values means;
    for (const auto& [at, ofRuns] : values) {
        means.push_back(meanOf(ofRuns));
    }
    return means;
}

void Checker::checkSettings()
{
    const auto range = [](const Values& means) { return std::ranges::max(means) / std::ranges::min(means); };
    if (m_truth.direction != Direction::None) {
        const Values means = meansBy(m_truth.parameter);
        const bool isFlat = m_truth.direction == Direction::Flat;
        const bool isOrdered = m_truth.direction == Direction::Rises
            ? std::ranges::is_sorted(means)
            : std::ranges::is_sorted(means, std::ranges::greater());
        must(isFlat ? range(means) < Alike : isOrdered && range(means) > ClearlyOther, "its direction");
    }
    for (const std::string_view text : m_row.varied) {
        const std::string_view parameter = text.substr(0, text.find('='));
        if (m_row.varied.size() > 1) {
            const double ratio = range(meansBy(parameter));
            must(parameter == m_truth.matters ? ratio > ClearlyOther : ratio < Alike,
                std::string(parameter) + " has a range of " + std::to_string(ratio));
        }
    }
}

/// What learned, what diverged, what does not count.
void Checker::checkLearning()
{
    std::set<std::string> leftOut;
    for (const RunRecord& run : m_all) {
        const std::string& name = run.spec.name;
        const bool hasDiverged = run.status == RunStatus::Failed && std::isnan(run.summary.finalLoss);
        must(hasDiverged == contains(m_truth.diverged, name), name + " diverged");
        const bool isCounted = std::ranges::any_of(m_counted, [&](const RunRecord& each) { return each.id == run.id; });
        if (!isCounted && !hasDiverged) {
            leftOut.insert(name);
        }
        if (isCounted && !run.loss.value.empty()) {
            const bool hasLearned = run.summary.bestLoss < 0.9 * run.loss.value.front();
            must(hasLearned != contains(m_truth.never, name), name + " learned");
        }
    }
    must(leftOut == std::set<std::string>(m_truth.leftOut.begin(), m_truth.leftOut.end()), "what is left out");
}

void Checker::checkRanks(const RunRecord& run)
{
    const double cores = run.machines.empty() ? 0.0 : run.machines.front().meanBusyCores;
    double ofRanks = 0.0;
    for (const analysis::RankFigures& rank : run.machines.front().ranks) {
        ofRanks += rank.meanCores;
    }
    must((cores - ofRanks > 1.0) == m_truth.isBusy, run.spec.name + " had the machine for itself");
    if (run.ranks.size() < 2 || plan::dividesModel(run.spec)) {
        return;
    }
    const auto computing = [](const analysis::RankSummary& rank) {
        return rank.phaseMs[static_cast<std::size_t>(Phase::Forward)]
            + rank.phaseMs[static_cast<std::size_t>(Phase::Backward)];
    };
    Values times;
    std::ranges::transform(run.ranks, std::back_inserter(times), computing);
    const auto slowest = std::ranges::max_element(times);
    const bool isSlow = *slowest > SlowFactor * std::ranges::min(times);
    must(isSlow == (m_truth.slowRank >= 0), run.spec.name + " has a slow rank");
    must(!isSlow || slowest - times.begin() == m_truth.slowRank, run.spec.name + " has another slow rank");
}

void Checker::checkSpeedUp()
{
    double mostPerRank = 0.0;
    for (const RunRecord& run : m_counted) {
        for (const RunRecord& single : m_counted) {
            if (single.spec.name == experiment::BaselineName && m_row.preset == "scaling") {
                mostPerRank = std::max(mostPerRank,
                    run.summary.samplesPerSecond / single.summary.samplesPerSecond / analysis::ranksOf(run));
            }
        }
    }
    must(m_truth.isBusy || (mostPerRank > 1.1) == m_truth.isImpossible, "a speed-up above the number of ranks");
}

} // namespace

std::vector<std::string> untrue(const TruthRow& row, const std::vector<TruthRun>& runs)
{
    return Checker(row, runs).untrue();
}

} // namespace lockstep::tests
