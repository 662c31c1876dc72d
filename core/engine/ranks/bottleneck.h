// Slows ranks down on purpose: extra arithmetic and emulated links, from the spec and changeable during the run. Every
// rank knows all values, because a message is as slow as the slower of its two ends.
#pragma once

#include "engine/comm/link/link.h"
#include "experiment/spec.h"
#include "wire/messages.h"

#include <vector>

namespace lockstep::engine {

class Bottleneck {
public:
    Bottleneck(const experiment::RunSpec& run, int ranks);

    /// Takes SetStraggler, SetStragglerFactor, SetLink and SetLinkBandwidth, for one rank or all; false for any other.
    [[nodiscard]] bool apply(const wire::Control& control);

    [[nodiscard]] bool isSlowed(int rank) const { return factor(rank) > 1.0 || delayMs(rank) > 0.0; }
    [[nodiscard]] double delayMs(int rank) const { return m_ranks[static_cast<std::size_t>(rank)].delayMs; }
    [[nodiscard]] double factor(int rank) const { return m_ranks[static_cast<std::size_t>(rank)].factor; }
    [[nodiscard]] const comm::Link& link(int rank) const { return m_ranks[static_cast<std::size_t>(rank)].link; }

private:
    struct RankValues {
        double delayMs = 0.0;
        double factor = 1.0;
        comm::Link link;
    };
    std::vector<RankValues> m_ranks;
};

} // namespace lockstep::engine
