#include "launch/turn_taker.h"

#include "analysis/statistics/paired_rounds.h"
#include "experiment/choices.h"
#include "plan/local_sgd.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::launch {

namespace {

constexpr double UpToTheEnd = -1.0;
/// The first run's share of its steps that it takes while the others load: its curve begins at once.
constexpr double StepsWhileLoading = 0.25;

wire::Control runSteps(std::int64_t block, double steps)
{
    return {wire::Command::RunSteps, static_cast<std::int32_t>(block), steps};
}

std::int64_t roundedUp(std::int64_t steps, std::int64_t period)
{
    return (steps + period - 1) / period * period;
}

/// A sweep has measured all of its sizes.
bool canGoOn(const experiment::RunSpec& run)
{
    return !experiment::isSweep(run);
}

/// A user's own program could end before the command to hold arrives.
bool beginsAtOnce(const experiment::RunSpec& run, std::size_t place)
{
    return place == 0 && !experiment::isSweep(run) && !is(run, experiment::Strategy::Own);
}

} // namespace

TurnTaker::TurnTaker(Send send, std::uint64_t seed, LeaveOut leaveOut)
    : m_send(std::move(send))
    , m_leaveOut(std::move(leaveOut))
    , m_random(seed)
{ }

std::size_t TurnTaker::add(const experiment::RunSpec& run, std::int32_t worldSize)
{
    const std::size_t place = m_runs.size();
    m_runs.emplace_back();
    m_runs.back().spec = run;
    setWorldSize(place, worldSize);
    if (run.name == experiment::BaselineName) {
        m_baseline = place;
    }
    m_limitSeconds = std::max(m_limitSeconds, run.settings->measure.limitSeconds);
    return place;
}

void TurnTaker::setWorldSize(std::size_t run, std::int32_t worldSize)
{
    m_runs.at(run).worldSize = worldSize;
    m_runs.at(run).blocks.setWorldSize(worldSize);
}

wire::Control TurnTaker::firstCommand(const experiment::RunSpec& run, std::size_t place)
{
    return runSteps(0, beginsAtOnce(run, place) ? UpToTheEnd : 0.0);
}

void TurnTaker::allAdded()
{
    m_allAdded = true;
    proceed();
}

void TurnTaker::onPrepared(std::size_t run, std::int64_t totalSteps, std::int64_t stepsPerEpoch)
{
    // A user's own program ends by itself; what it says of its steps may be wrong.
    m_runs.at(run).totalSteps = is(m_runs.at(run).spec, experiment::Strategy::Own) ? 0 : totalSteps;
    m_runs.at(run).stepsPerEpoch = stepsPerEpoch;
    if (m_stage == Stage::Loading && beginsAtOnce(m_runs.at(run).spec, run)) {
        // The rest of its steps is compared, once the others are there and no longer load beside it.
        m_send(0, runSteps(0, std::max(1.0, std::floor(static_cast<double>(totalSteps) * StepsWhileLoading))));
    }
}

bool TurnTaker::isReady(std::size_t run) const
{
    const Run& of = m_runs.at(run);
    return of.hasEnded || of.held.size() + of.gone.size() == static_cast<std::size_t>(of.worldSize);
}

void TurnTaker::onHeld(std::size_t run, std::int32_t rank, const wire::Held& held)
{
    m_runs.at(run).held[rank] = held;
    takeTurnBack(run);
}

void TurnTaker::onGoodbye(std::size_t run, std::int32_t rank)
{
    reportLeftOut(run, keptRounds());
    m_runs.at(run).gone.insert(rank);
    if (m_runs.at(run).held.erase(rank) == 0) { // else it held, and was sent Stop
        takeTurnBack(run);
    }
}

void TurnTaker::onClosing(std::size_t run)
{
    reportLeftOut(run, keptRounds());
}

void TurnTaker::takeTurnBack(std::size_t run)
{
    Run& of = m_runs.at(run);
    if (!isReady(run) || of.held.empty()) {
        return; // its end follows if all ranks said goodbye
    }
    takeBlock(of);
    if (m_current == run) {
        m_current.reset();
    }
    proceed();
}

void TurnTaker::setPaused(std::size_t run, bool isPaused)
{
    m_runs.at(run).isPaused = isPaused;
    m_runs.at(run).wasPaused = m_runs.at(run).wasPaused || isPaused;
    proceed();
}

void TurnTaker::onEnded(std::size_t run, analysis::RunStatus how)
{
    m_runs.at(run).hasEnded = true;
    m_runs.at(run).isCompared = how == analysis::RunStatus::Finished;
    m_runs.at(run).isPaused = false;
    if (m_current == run) {
        m_current.reset();
    }
    proceed();
}

/// All ranks hold: what they have measured.
void TurnTaker::takeBlock(Run& run)
{
    double ms = 0.0;
    std::int64_t startNs = run.held.begin()->second.startNs;
    std::int64_t endNs = 0;
    std::int64_t steps = run.held.begin()->second.steps;
    for (const auto& [rank, held] : run.held) {
        steps = std::min(steps, held.steps);
        ms += static_cast<double>(held.wallNs) * 1e-6 / static_cast<double>(std::max<std::int64_t>(1, held.steps));
        startNs = std::min(startNs, held.startNs);
        endNs = std::max(endNs, held.timeNs);
    }
    ms /= static_cast<double>(run.held.size());
    if (run.isComplete() && startNs > 0) {
        // A pause is not measured: the block then takes the time of its steps.
        m_extraNs += run.wasPaused ? ms * 1e6 * static_cast<double>(steps) : static_cast<double>(endNs - startNs);
    }
    run.step = run.held.begin()->second.step;
    if (run.held.begin()->second.block <= 0) {
        run.firstMs = steps > 0 && ms > 0.0 ? ms : run.firstMs;
        return;
    }
    for (const auto& [rank, held] : run.held) {
        if (held.block > 0) {
            run.blocks.add({held.block, held.startNs, held.timeNs, held.steps, held.wallNs, held.samples});
        }
    }
}

void TurnTaker::findBlockSteps()
{
    double sum = 0.0;
    double known = 0.0;
    for (const Run& run : m_runs) {
        sum += run.firstMs;
        known += run.firstMs > 0.0 ? 1.0 : 0.0;
    }
    if (known > 0.0) {
        const auto wanted = static_cast<std::int64_t>(std::ceil(BlockMs * known / sum));
        m_blockSteps = std::clamp(wanted, FewestSteps, MostSteps);
    }
}

std::size_t TurnTaker::alive() const
{
    return static_cast<std::size_t>(
        std::count_if(m_runs.begin(), m_runs.end(), [](const Run& run) { return !run.hasEnded; }));
}

/// By run and round; NaN where it had no block. Of a run that is compared with none: nothing.
std::vector<std::vector<double>> TurnTaker::logMsOfRounds() const
{
    std::vector<std::vector<double>> all;
    for (const Run& run : m_runs) {
        all.emplace_back(run.isCompared ? static_cast<std::size_t>(m_round) : 0, analysis::NotMeasured);
        for (const analysis::MeasuredBlock& block : run.blocks.blocks()) {
            if (run.isCompared && block.number >= 1 && block.number <= m_round) {
                all.back()[static_cast<std::size_t>(block.number - 1)] = std::log(block.msPerStep);
            }
        }
    }
    return all;
}

std::vector<bool> TurnTaker::keptRounds() const
{
    return analysis::keptRounds(logMsOfRounds());
}

/// Whether measuring every run beyond its own steps makes a difference better known.
bool TurnTaker::mustMeasure() const
{
    const auto ends = [](const Run& run) { return run.hasEnded || (run.isComplete() && !canGoOn(run.spec)); };
    // What is measured after a run's end counts for none, and nothing is compared with a baseline that is gone.
    const bool isOver = std::any_of(m_runs.begin(), m_runs.end(),
        [&](const Run& run) { return run.isCompared ? ends(run) : &run == &m_runs[m_baseline]; });
    if (isOver || extraSeconds() >= m_limitSeconds) {
        return false;
    }
    const std::vector<std::vector<double>> logMs = logMsOfRounds();
    const std::vector<bool> kept = analysis::keptRounds(logMs);
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
        if (run == m_baseline || !m_runs[run].isCompared) {
            continue;
        }
        std::vector<double> ratios;
        for (std::size_t round = 0; round < kept.size(); ++round) {
            if (kept[round]) {
                ratios.push_back(logMs[run][round] - logMs[m_baseline][round]);
            }
        }
        const analysis::RelativeDifference difference = analysis::differenceOfRounds(ratios);
        if (difference.n < FewestRounds || !(difference.halfWidth() <= WantedHalfWidth)) {
            return true;
        }
    }
    return false;
}

/// Of each run once: what was decided first holds.
void TurnTaker::reportLeftOut(std::size_t run, const std::vector<bool>& kept)
{
    if (std::exchange(m_runs.at(run).isReported, true) || !m_leaveOut) {
        return;
    }
    std::vector<std::int64_t> rounds;
    for (const analysis::MeasuredBlock& block : m_runs[run].blocks.blocks()) {
        const auto place = static_cast<std::size_t>(block.number - 1);
        if (place >= kept.size() || !kept[place]) {
            rounds.push_back(block.number);
        }
    }
    m_leaveOut(run, rounds);
}

void TurnTaker::beginRound()
{
    if (m_blockSteps == 0) {
        findBlockSteps();
    }
    m_round += m_blockSteps > 0 ? 1 : 0;
    const bool isAnyComplete
        = std::any_of(m_runs.begin(), m_runs.end(), [](const Run& run) { return run.isComplete(); });
    m_isMeasured = m_isMeasured || (isAnyComplete && !mustMeasure());
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
        if (!m_runs[run].hasEnded && (!m_runs[run].isComplete() || (!m_isMeasured && canGoOn(m_runs[run].spec)))) {
            m_order.push_back(run);
        }
    }
    std::shuffle(m_order.begin(), m_order.end(), m_random);
}

std::int64_t TurnTaker::stepsOf(const Run& run) const
{
    if (experiment::isSweep(run.spec)) {
        return 1;
    }
    return wire::UncountedSteps
        + roundedUp(std::max(FewestSteps, m_blockSteps), plan::periodOf(run.spec, run.stepsPerEpoch));
}

void TurnTaker::give(std::size_t run, double steps)
{
    Run& to = m_runs[run];
    to.held.clear();
    to.wasPaused = false;
    m_current = run;
    m_send(run, runSteps(m_round, steps));
}

/// One run after the other, so that none disturbs what another does after its steps.
void TurnTaker::endOne()
{
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
        if (!m_runs[run].hasEnded) {
            m_current = run;
            m_send(run, {wire::Command::Stop});
            return;
        }
    }
}

void TurnTaker::nextTurn()
{
    if (m_order.empty()) {
        beginRound();
        if (m_order.size() == 1 && !m_runs[m_order.back()].isComplete()) {
            // Runs without turns if no other run takes any.
            return give(std::exchange(m_order, {}).back(), UpToTheEnd);
        }
    }
    while (!m_order.empty()) {
        const std::size_t run = m_order.back();
        m_order.pop_back();
        if (!m_runs[run].hasEnded) {
            return give(run, static_cast<double>(stepsOf(m_runs[run])));
        }
    }
    if (alive() > 0) {
        m_stage = Stage::Ending;
        const std::vector<bool> kept = keptRounds();
        for (std::size_t run = 0; run < m_runs.size(); ++run) {
            reportLeftOut(run, kept);
        }
        endOne();
    }
}

void TurnTaker::proceed()
{
    const bool isPaused = std::any_of(m_runs.begin(), m_runs.end(), [](const Run& run) { return run.isPaused; });
    if (!m_allAdded || m_current || isPaused || alive() == 0) {
        return;
    }
    if (m_stage == Stage::Loading) {
        for (std::size_t run = 1; run < m_runs.size(); ++run) {
            if (!isReady(run)) {
                return;
            }
        }
        m_stage = Stage::Stopping;
        if (!isReady(0)) {
            m_send(0, runSteps(0, 0.0));
        }
    }
    if (m_stage == Stage::Stopping) {
        if (!isReady(0)) {
            return;
        }
        m_stage = Stage::Turns;
    }
    if (m_stage == Stage::Turns) {
        nextTurn();
    } else if (m_stage == Stage::Ending) {
        endOne();
    }
}

} // namespace lockstep::launch
