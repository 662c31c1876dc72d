// The sizes and buffers of a sweep over a collective.
#pragma once

#include "engine/comm/communicator.h"
#include "experiment/spec.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::engine {

enum class SweepBuffers : std::uint8_t { OutOfPlace, InPlace, Training };

/// One line of the result: a size, in one kind of buffers.
struct SweepPoint {
    std::int64_t bytes = 0; ///< requested; rounded to whole elements per rank
    SweepBuffers buffers = SweepBuffers::OutOfPlace;
};

struct Sweep {
    comm::Collective what = comm::Collective::AllReduce;
    comm::DataType type = comm::DataType::Float32;
    comm::Reduction reduction = comm::Reduction::Sum;
    int root = 0; ///< within its group
    int groups = 1; ///< equal ones of neighbouring ranks, at the same time
    bool isAsync = false;
    std::vector<SweepPoint> points;
};

[[nodiscard]] Sweep sweepOf(const experiment::RunSpec& run);

/// Elements of a rank's input and output for a buffer of about `bytes` bytes, at least one a rank.
struct Counts {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t larger = 0; ///< of the two, on the rank that has most: the basis of bandwidth
};
[[nodiscard]] Counts countsOf(comm::Collective what, std::int64_t bytes, comm::DataType type, int ranks);

} // namespace lockstep::engine
