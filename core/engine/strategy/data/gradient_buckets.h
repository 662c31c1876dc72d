// Gradients that are aggregated piece by piece: parameter by parameter after backward, or in buckets that start while
// backward still works on the layers before them (Li et al., "PyTorch Distributed: experiences on accelerating data
// parallel training", 2020, section 3.2). Buckets are contiguous parts of the flat gradient buffer, filled from its
// end, because backward finishes the last layers first; the first is small, so that communication starts early.
//
// On a device started buckets are on a stream beside backward's: each waits for the event behind its gradients there,
// and the training stream for all of them at the end. They are parts of the gradient buffer, which lives as long as the
// run, so nothing must be kept for that stream. CUDA graphs cannot hold them: for each collective the ranks meet on the
// host.
#pragma once

#include "engine/comm/device/side_stream.h"
#include "engine/comm/link/watched_communicator.h"
#include "engine/gpu/step_clock.h"
#include "engine/model/flat_parameters.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep::engine {

using BufferRange = FlatParameters::Range;

/// `parameters`: the ranges of the parameters as they lie in the buffer. Buckets in the order in which backward fills
/// them: the first of at least `firstBytes`, the others of at least `bytes`, the last of what is left; no parameter is
/// cut.
[[nodiscard]] std::vector<std::vector<std::size_t>> bucketsOf(
    const std::vector<BufferRange>& parameters, std::int64_t elementBytes, std::int64_t firstBytes, std::int64_t bytes);

class GradientBuckets {
public:
    enum class Start { WhenFilled, AfterBackward };

    /// A stream for the buckets, with an input for each, and its marks. Without: the stream of the group.
    struct Beside {
        std::unique_ptr<comm::SideStream> stream;
        std::unique_ptr<DeviceMarks> marks;
    };

    /// All must outlive this. Each bucket is one all-reduce (sum) in place.
    GradientBuckets(FlatParameters& parameters, const std::vector<std::vector<std::size_t>>& buckets,
        comm::WatchedCommunicator& group, Start start, Beside beside = {});
    ~GradientBuckets();
    GradientBuckets(const GradientBuckets&) = delete;
    GradientBuckets& operator=(const GradientBuckets&) = delete;

    /// The next backward is the last before the aggregation: what it fills may be sent (no_sync ends here).
    void arm();
    /// After backward: starts what has not been started, and waits for all; on a device the training stream does.
    [[nodiscard]] Result<void> finish(StepClock& clock);

    [[nodiscard]] std::size_t size() const { return m_buckets.size(); }
    /// Time since the last call during which buckets were in progress while backward continued.
    [[nodiscard]] std::int64_t takeHiddenNs() { return std::exchange(m_hiddenNs, 0); }

private:
    class Hook;
    struct Bucket {
        BufferRange range;
        std::size_t parameters = 0;
        std::size_t filled = 0; ///< in this step
        std::unique_ptr<comm::Work> work;
    };

    void onFilled(std::size_t bucket);
    void start(std::size_t number);
    [[nodiscard]] comm::Around around(std::size_t number);
    [[nodiscard]] Result<void> awaitAll();
    /// Reports to the group's timer how long the caller has waited.
    [[nodiscard]] Result<void> await(Bucket& bucket);

    FlatParameters& m_parameters;
    comm::WatchedCommunicator& m_group;
    Beside m_beside; ///< destroyed after the buckets' work
    std::vector<DeviceMarks::Mark> m_marks; ///< beside, in this step: the beginning and the end of each bucket
    std::vector<Bucket> m_buckets;
    std::size_t m_next = 0; ///< all ranks start them in the same order
    bool m_isArmed = false;
    bool m_startsEarly;
    std::int64_t m_hiddenNs = 0;
    std::vector<std::shared_ptr<void>> m_accumulators; ///< autograd keeps them, and their hooks, only as long as we do
};

} // namespace lockstep::engine
