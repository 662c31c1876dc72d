// Inputs whose reduction is known and exact in every type, for counting wrong elements: small whole numbers that differ
// between ranks and places (as nccl-tests makes them).
#pragma once

#include "engine/comm/communicator.h"

#include <cstdint>

namespace lockstep::comm {

class ExpectedResult {
public:
    ExpectedResult(DataType type, Reduction reduction, int ranks);

    /// Fills in the input of rank `rank`.
    void fill(const View& view, int rank) const;
    /// The number of elements in which `out` of rank `rank` differs from the result of `op` on inputs from fill().
    /// Elements that `op` does not write count as right.
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
