// Data parallelism: every rank has the whole net and a part of each batch. Either the gradients are aggregated in every
// step, so that all ranks keep the same weights (Li et al., "PyTorch Distributed: experiences on accelerating data
// parallel training", 2020), or every rank trains on its own and the weights are averaged every k steps (local SGD:
// Stich, "Local SGD converges fast and communicates little", 2019).
#pragma once

#include "engine/memory/memory_account.h"
#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/data/gradient_buckets.h"
#include "engine/ranks/rank_group.h"
#include "engine/telemetry/recorder.h"
#include "plan/partition/dealing.h"
#include "plan/slices.h"
#include "plan/steps.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::engine {

class DataParallel {
public:
    /// `group` and `recorder` must outlive this.
    DataParallel(const experiment::RunSpec& run, const plan::StepPlan& plan, RankGroup& group, Recorder& recorder);
    ~DataParallel();
    DataParallel(const DataParallel&) = delete;
    DataParallel& operator=(const DataParallel&) = delete;

    /// This rank's part of `total` samples.
    [[nodiscard]] plan::Slice sliceOf(std::int64_t total) const;
    /// Every rank starts from rank 0's weights.
    [[nodiscard]] Result<void> shareWeights(torch::Tensor& weights);

    /// Messages of this step are told to the recorder if it is to be sampled.
    void beginStep(std::int64_t step, plan::Dealing& dealing);
    [[nodiscard]] bool areGradientsDue() const { return m_sharesGradients; }
    /// At the end of `step`.
    [[nodiscard]] bool areWeightsDue(std::int64_t step) const;
    /// What this rank's gradient is to be scaled by before it is aggregated.
    [[nodiscard]] double gradientScale() const { return m_aggregation.scaleOf(m_shares); }
    /// Where gradients go piece by piece (comm.form): looks after `parameters` from now on, which must outlive this.
    void watch(FlatParameters& parameters);
    /// The next backward is this step's last.
    void beginLastBackward();
    /// Whether gradients leave as soon as backward has them: then it cannot be recorded, since who sends them is told by it.
    [[nodiscard]] bool sendsDuringBackward() const { return m_buckets != nullptr; }
    /// "buckets: 5, overlap 63 % ..." once there are steps; empty for one array.
    [[nodiscard]] std::string formReport() const;
    /// Time since the last call in which gradients were under way while backward went on.
    [[nodiscard]] std::int64_t takeHiddenNs() { return m_buckets ? m_buckets->takeHiddenNs() : 0; }
    /// Memory for as many gradients, on the same device, that the ranks aggregate without copying; undefined where there is
    /// none.
    [[nodiscard]] Result<torch::Tensor> gradientMemory(const torch::Tensor& gradients);
    /// Scaled gradients. The result is in `gradients`, or in memory that is for reading until the next step.
    [[nodiscard]] Result<torch::Tensor> aggregateGradients(torch::Tensor& gradients);
    [[nodiscard]] Result<void> aggregateWeights(torch::Tensor& weights);
    /// The mean of every rank's weights, outside of the training's own exchange: what local SGD is judged by.
    [[nodiscard]] Result<void> average(torch::Tensor& weights);

    /// What has come together since the last aggregation, for checkpoints: [2 + ranks] int64.
    [[nodiscard]] torch::Tensor sharesSoFar() const;
    void setSharesSoFar(const torch::Tensor& shares);

    /// The first step after the next aggregation that begins in or after `step`: from there on all ranks know what rank
    /// 0 said before `step`.
    [[nodiscard]] std::int64_t agreedStep(std::int64_t step) const;

    /// "ring over shm (the ranks run on the CPU)", and what is special about it.
    [[nodiscard]] std::string description() const;
    [[nodiscard]] bool hasLocalWeights() const { return !m_sharesGradients; }
    [[nodiscard]] RankGroup& group() { return m_group; }

private:
    void listen(const comm::MessageEvent& event);
    /// What has come together since the last aggregation, and begins the next.
    Shares takeShares();

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
    std::string m_form;
    std::int64_t m_bucketBytes;
    std::int64_t m_firstBucketBytes;
    std::unique_ptr<GradientBuckets> m_buckets; ///< null: one array
    Shares m_shares; ///< since the last aggregation
    std::vector<bool> m_hadSamples; ///< by rank, since the last aggregation
    ForeignMemory m_ownMemory; ///< of m_gradients
    ForeignMemory m_resultMemory;
    std::shared_ptr<comm::SharedArray> m_gradients; ///< null: they are in memory of this rank's own
};

} // namespace lockstep::engine
