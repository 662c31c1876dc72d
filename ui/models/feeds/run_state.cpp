#include "ui/models/feeds/run_state.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr std::int64_t JudgedByNs = 5'000'000'000; ///< the speed

} // namespace

void Pace::take(const store::Delta& delta, const store::RunAccount& account)
{
    for (const auto& [rank, batch] : delta.steps) {
        for (const StepRow& row : batch.rows) {
            for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
                m_phaseNs[phase] += row.phaseNs[phase];
            }
            m_isWaitKnown = m_isWaitKnown && row.unattributedNs == 0;
        }
        m_rows += static_cast<std::int64_t>(batch.size());
    }
    if (account.loss().size() == 0) {
        return;
    }
    if (m_marks.empty()) {
        m_marks.push_back({account.clock().beginNs(), 0});
    }
    if (m_marks.back().step != account.loss().step.back()) {
        m_marks.push_back({account.clock().endNs(), account.loss().step.back()});
    }
    while (m_marks.size() > 2 && m_marks.front().endNs < m_marks.back().endNs - JudgedByNs) {
        m_marks.pop_front();
    }
}

double Pace::secondsLeft(std::int64_t totalSteps) const
{
    if (totalSteps <= 0 || m_marks.size() < 2) {
        return analysis::NotMeasured;
    }
    const auto steps = static_cast<double>(m_marks.back().step - m_marks.front().step);
    const double seconds = static_cast<double>(m_marks.back().endNs - m_marks.front().endNs) / 1e9;
    if (steps <= 0.0 || seconds <= 0.0) {
        return analysis::NotMeasured;
    }
    return static_cast<double>(std::max<std::int64_t>(0, totalSteps - m_marks.back().step)) * seconds / steps;
}

std::array<double, PhaseCount> Pace::phaseMsPerStep() const
{
    std::array<double, PhaseCount> means{};
    for (std::size_t i = 0; i < PhaseCount && m_rows > 0; ++i) {
        means[i] = static_cast<double>(m_phaseNs[i]) / static_cast<double>(m_rows) / 1e6;
    }
    if (!m_isWaitKnown) {
        analysis::putTogether(means);
    }
    return means;
}

RunState::RunState(const analysis::RunRecord& record)
    : ring(allReduceOf(record.spec))
{
    account.setSpec(record.spec);
    // A file has these in its summary only.
    store::Delta start;
    start.starts.push_back({record.summary.secondsToFirstLoss, record.summary.startSeconds});
    account.add(start);
}

void RunState::add(const store::Delta& delta)
{
    account.add(delta);
    for (const auto& [rank, said] : delta.hellos) {
        if (rank == 0) {
            hello = said;
        }
    }
    cards.take(delta, account);
    pace.take(delta, account);
    timeline.take(delta);
    ring.take(delta);
    machines.insert(machines.end(), delta.machines.begin(), delta.machines.end());
    machineSamples.insert(machineSamples.end(), delta.machineSamples.begin(), delta.machineSamples.end());
}

} // namespace lockstep::ui
