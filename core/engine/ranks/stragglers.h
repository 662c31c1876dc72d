// The stragglers of a run: ranks that are slowed down on purpose, from the spec and changeable during the run. Every
// rank knows all values, because a message is as slow as the slower of its two ends.
#pragma once

#include "engine/comm/link/link.h"
#include "experiment/spec.h"
#include "wire/messages.h"

#include <vector>

namespace lockstep::engine {

class Stragglers {
public:
    /// How one rank is slowed down.
    struct Values {
        double delayMs = 0.0; ///< in each step
        double factor = 1.0; ///< of the time of its computation
        comm::Link link;
    };

    Stragglers(const experiment::RunSpec& run, int ranks);

    /// Takes SetStraggler, SetStragglerFactor, SetLink and SetLinkBandwidth, for one rank or all; false for any other.
    [[nodiscard]] bool apply(const wire::Control& control);

    [[nodiscard]] const Values& of(int rank) const { return m_ranks[static_cast<std::size_t>(rank)]; }

private:
    std::vector<Values> m_ranks;
};

} // namespace lockstep::engine
