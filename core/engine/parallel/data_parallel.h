// Data parallelism: every rank has the whole net and a part of each batch. Either the gradients are aggregated in every
// step, so that all ranks keep the same weights (Li et al., "PyTorch Distributed: experiences on accelerating data
// parallel training", 2020), or every rank trains on its own and the weights are averaged every k steps (local SGD:
// Stich, "Local SGD converges fast and communicates little", 2019).
#pragma once

#include "engine/parallel/aggregation.h"
#include "engine/parallel/rank_group.h"
#include "engine/telemetry/recorder.h"
#include "plan/slices.h"

#include <cstdint>
#include <string>

namespace lockstep::engine {

class DataParallel {
public:
    /// `group` and `recorder` must outlive this.
    DataParallel(const experiment::RunSpec& run, RankGroup& group, Recorder& recorder);
    ~DataParallel();
    DataParallel(const DataParallel&) = delete;
    DataParallel& operator=(const DataParallel&) = delete;

    /// This rank's part of `total` samples.
    [[nodiscard]] plan::Slice sliceOf(std::int64_t total) const;
    /// Every rank starts from rank 0's weights.
    [[nodiscard]] Result<void> shareWeights(torch::Tensor& weights);

    /// `samples` of the step over all ranks. Messages of this step are told to the recorder if it is to be sampled.
    void beginStep(std::int64_t step, std::int64_t samples);
    [[nodiscard]] bool areGradientsDue() const { return m_sharesGradients; }
    /// At the end of `step`.
    [[nodiscard]] bool areWeightsDue(std::int64_t step) const;
    /// Gradients or weights, as they are due.
    [[nodiscard]] Result<void> aggregate(torch::Tensor& array);
    /// The mean of every rank's weights, outside of the training's own exchange: what local SGD is judged by.
    [[nodiscard]] Result<void> average(torch::Tensor& weights);
    /// Adds up the ranks' numbers.
    [[nodiscard]] Result<void> addUp(std::span<double> numbers);

    /// The first step after the next aggregation that begins in or after `step`: from there on all ranks know what rank
    /// 0 said before `step`.
    [[nodiscard]] std::int64_t agreedStep(std::int64_t step) const;

    /// "ring over shm (auto: ...)", and what is special about it.
    [[nodiscard]] std::string description() const;
    [[nodiscard]] bool hasLocalWeights() const { return !m_sharesGradients; }
    [[nodiscard]] RankGroup& group() { return m_group; }

private:
    void listen(const comm::MessageEvent& event);

    RankGroup& m_group;
    Recorder& m_recorder;
    Aggregation m_aggregation;
    std::string m_name;
    bool m_sharesGradients;
    std::int64_t m_every;
    std::int64_t m_step = 0;
    std::int64_t m_messages = 0; ///< of this step
    bool m_isSampled = false;
    std::int64_t m_lastSampleNs = 0;
    Shares m_shares; ///< since the last aggregation
};

} // namespace lockstep::engine
