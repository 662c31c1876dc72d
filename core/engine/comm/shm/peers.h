// Whether the other ranks' processes still live, asked of the kernel by descriptors that cannot mean another process.
#pragma once

#include "engine/comm/shm/region.h"

#include <vector>

namespace lockstep::comm {

class Peers {
public:
    /// All ranks are present: their process ids are known.
    explicit Peers(const Region& region);
    ~Peers();
    Peers(const Peers&) = delete;
    Peers& operator=(const Peers&) = delete;

    /// Why that rank can never come again, empty if it can.
    [[nodiscard]] Text goneBecause(int rank) const;

private:
    const Region& m_region;
    std::vector<int> m_descriptors; ///< pidfd by rank, or why there is none
};

} // namespace lockstep::comm
