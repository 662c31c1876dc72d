#include "engine/ranks/stragglers.h"

#include <algorithm>

namespace lockstep::engine {

namespace {

/// An empty list means every rank.
bool isIn(const std::vector<std::int64_t>& list, std::size_t rank)
{
    return list.empty() || std::find(list.begin(), list.end(), static_cast<std::int64_t>(rank)) != list.end();
}

} // namespace

Stragglers::Stragglers(const experiment::RunSpec& run, int ranks)
    : m_ranks(static_cast<std::size_t>(ranks))
{
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (isIn(run.settings->straggler.ranks, rank)) {
            m_ranks[rank].delayMs = run.settings->straggler.delayMs;
            m_ranks[rank].factor = run.settings->straggler.factor;
        }
        if (isIn(run.settings->link.ranks, rank)) {
            m_ranks[rank].link = {run.settings->link.latencyUs, run.settings->link.bandwidthMbps};
        }
    }
}

bool Stragglers::apply(const wire::Control& control)
{
    const auto set = [&](const auto& change) {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            if (control.rank < 0 || static_cast<std::size_t>(control.rank) == rank) {
                change(m_ranks[rank]);
            }
        }
        return true;
    };
    const double value = std::max(0.0, control.value);
    switch (control.command) {
    case wire::Command::SetStraggler:
        return set([value](Values& rank) { rank.delayMs = value; });
    case wire::Command::SetStragglerFactor:
        return set([value](Values& rank) { rank.factor = std::max(1.0, value); });
    case wire::Command::SetLink:
        return set([value](Values& rank) { rank.link.latencyUs = value; });
    case wire::Command::SetLinkBandwidth:
        return set([value](Values& rank) { rank.link.megabitsPerSecond = value; });
    case wire::Command::Pause:
    case wire::Command::Resume:
    case wire::Command::Stop:
    case wire::Command::Checkpoint:
    case wire::Command::RunSteps:
        break;
    }
    return false;
}

} // namespace lockstep::engine
