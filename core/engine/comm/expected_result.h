// Inputs whose reduction is known and exact in every type, for counting wrong elements: small whole numbers that differ
// between ranks and places (as nccl-tests makes them).
#pragma once

#include "engine/comm/communicator.h"

#include <cstdint>

namespace lockstep::comm {

class ExpectedResult {
public:
    ExpectedResult(DataType type, Reduction reduction, int ranks);

    /// What rank `rank` gives at each place.
    void fill(const View& view, int rank) const;
    /// What `op` must have put into `out` of rank `rank`, where `in` was filled by fill(): how many places differ.
    /// Places that the operation does not write there count as right.
    [[nodiscard]] std::int64_t countWrong(const Operation& op, int rank) const;

private:
    [[nodiscard]] std::int64_t numberAt(int rank, std::int64_t place) const;
    [[nodiscard]] std::int64_t reducedAt(std::int64_t place) const;
    [[nodiscard]] std::int64_t expectedAt(const Operation& op, int rank, std::int64_t place) const;

    DataType m_type;
    Reduction m_reduction;
    int m_ranks;
};

} // namespace lockstep::comm
