// The ranks of a feed: cards of the last second, speed, interventions.
#include "ui/models/run_feed_data.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr std::int64_t CardNs = 1'000'000'000; ///< what a card's means reach back
constexpr std::int64_t SpeedNs = 5'000'000'000; ///< what the time left is judged by

} // namespace

RankCard& RunFeed::Private::card(std::int32_t rank)
{
    const auto at = std::lower_bound(
        cards.begin(), cards.end(), rank, [](const RankCard& each, std::int32_t number) { return each.rank < number; });
    if (at != cards.end() && at->rank == rank) {
        return *at;
    }
    RankCard added;
    added.rank = rank;
    return *cards.insert(at, added);
}

void RunFeed::Private::refreshCards()
{
    for (auto& [rank, batches] : recent) {
        while (batches.size() > 1 && batches.front().endNs < batches.back().endNs - CardNs) {
            batches.pop_front();
        }
        std::int64_t steps = 0;
        std::int64_t wallNs = 0;
        std::array<std::int64_t, PhaseCount> phases{};
        for (const Recent& batch : batches) {
            steps += batch.steps;
            wallNs += batch.wallNs;
            for (std::size_t i = 0; i < PhaseCount; ++i) {
                phases[i] += batch.phaseNs[i];
            }
        }
        if (steps == 0) {
            continue;
        }
        RankCard& shown = card(rank);
        shown.msPerStep = static_cast<double>(wallNs) / static_cast<double>(steps) / 1e6;
        // A step's own time leaves evaluation out, its phases do not: together they are the whole.
        const auto evaluate = static_cast<std::size_t>(Phase::Evaluate);
        const double whole = static_cast<double>(std::max<std::int64_t>(1, wallNs + phases[evaluate]));
        for (std::size_t i = 0; i < PhaseCount; ++i) {
            shown.phaseShare[i] = static_cast<double>(phases[i]) / whole;
        }
    }
}

void RunFeed::Private::refreshSpeed()
{
    if (loss.size() == 0) {
        return;
    }
    if (speed.empty()) {
        speed.push_back({clock.beginNs(), 0});
    }
    if (speed.back().step != loss.step.back()) {
        speed.push_back({clock.endNs(), loss.step.back()});
    }
    while (speed.size() > 2 && speed.front().endNs < speed.back().endNs - SpeedNs) {
        speed.pop_front();
    }
}

void RunFeed::Private::takeApplied(const session::Delta& delta)
{
    for (const auto& [rank, applied] : delta.applied) {
        if (summary != nullptr) {
            session::addIntervention(*summary, applied);
        }
        // Every rank reports the same command at the same step; the chart marks it once.
        const bool isKnown
            = std::any_of(interventions.begin(), interventions.end(), [&what = applied](const Intervention& each) {
                  return each.command == what.command && each.step == what.step && each.rank == what.rank;
              });
        if (!isKnown) {
            interventions.push_back({applied.step, clock.hasBegun() ? clock.secondsAt(applied.timeNs) : 0.0,
                applied.command, applied.rank, applied.value, applied.timeNs});
        }
    }
}

void RunFeed::Private::takeRanks(const session::Delta& delta)
{
    for (const auto& [rank, vitals] : delta.vitals) {
        RankCard& shown = card(rank);
        shown.residentBytes = vitals.residentBytes;
        shown.deviceBytes = vitals.deviceBytes;
        shown.heardNs = vitals.timeNs;
    }
    for (const session::RankChange& change : delta.ranks) {
        RankCard& shown = card(change.rank);
        shown.state = change.state;
        shown.message = change.message;
    }
}

/// A rank's first sample may come before its first step, which waits for the other ranks'.
void RunFeed::Private::takeMemory(const session::Delta& delta)
{
    for (const auto& sample : delta.memory) {
        analysis::addMemory(memory, session::memoryOf(sample));
    }
    if (!memory.empty()) {
        record.summary.memory = memory; // the builder, made with the first step, knows none
    }
}

const std::vector<analysis::Machine>& RunFeed::machines() const
{
    return m_private->machines;
}

const std::vector<analysis::MachineSample>& RunFeed::machineSamples() const
{
    return m_private->machineSamples;
}

double RunFeed::secondsAt(std::int64_t timeNs) const
{
    const Private& d = *m_private;
    const bool hasBegun = d.clock.hasBegun();
    if (!hasBegun && d.machineSamples.empty()) {
        return 0.0;
    }
    return static_cast<double>(timeNs - (hasBegun ? d.clock.beginNs() : d.machineSamples.front().timeNs)) / 1e9;
}

double RunFeed::progress() const
{
    if (m_private->record.status == analysis::RunStatus::Finished) {
        return 1.0;
    }
    if (m_private->facts.totalSteps <= 0) {
        return analysis::NotMeasured;
    }
    const double done = m_private->loss.size() == 0 ? 0.0 : static_cast<double>(m_private->loss.step.back());
    return std::clamp(done / static_cast<double>(m_private->facts.totalSteps), 0.0, 1.0);
}

double RunFeed::secondsLeft() const
{
    const Private& d = *m_private;
    if (d.facts.totalSteps <= 0 || d.speed.size() < 2) {
        return analysis::NotMeasured;
    }
    const auto steps = static_cast<double>(d.speed.back().step - d.speed.front().step);
    const double seconds = static_cast<double>(d.speed.back().endNs - d.speed.front().endNs) / 1e9;
    if (steps <= 0.0 || seconds <= 0.0) {
        return analysis::NotMeasured;
    }
    return static_cast<double>(std::max<std::int64_t>(0, d.facts.totalSteps - d.speed.back().step)) * seconds / steps;
}

std::array<double, PhaseCount> RunFeed::phaseMsPerStep() const
{
    std::array<double, PhaseCount> shares{};
    if (m_private->rows > 0) {
        for (std::size_t i = 0; i < PhaseCount; ++i) {
            shares[i] = static_cast<double>(m_private->phaseNs[i]) / static_cast<double>(m_private->rows) / 1e6;
        }
    }
    return shares;
}

} // namespace lockstep::ui
