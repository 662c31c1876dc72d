// The asynchronous parameter server (Li et al., "Scaling distributed machine learning with the parameter server", 2014,
// section 3) with bounded staleness (Ho et al., "More effective distributed ML via a stale synchronous parallel
// parameter server", 2013): rank 0 keeps the weights, applies each gradient as it comes and answers with the current
// weights. A rank may be at most `aggregation.staleness` steps ahead of the slowest; until then no rank waits.
//
// Rank 0 is server and worker: a separate thread serves each other rank, over a group of two.
#pragma once

#include "engine/gpu/device_stream.h"
#include "engine/optim/optimizer.h"
#include "engine/ranks/rank_group.h"
#include "plan/steps.h"

#include <torch/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::engine {

class AsyncServer {
public:
    /// Every rank calls it; `run`, `group`, `plan` and `stream` must outlive the server. `weights`: equal on all ranks.
    /// `stream`: this rank's training stream; the server's threads queue there as well.
    [[nodiscard]] static Result<std::unique_ptr<AsyncServer>> start(const experiment::RunSpec& run, RankGroup& group,
        const plan::StepPlan& plan, const torch::Tensor& weights, const DeviceStream* stream);
    ~AsyncServer();
    AsyncServer(const AsyncServer&) = delete;
    AsyncServer& operator=(const AsyncServer&) = delete;

    struct Exchanged {
        std::int64_t heldNs = 0; ///< how long the answer was held back for slower ranks
        std::int64_t staleness = 0; ///< updates between this rank's last reading of the weights and its gradient's
    };
    /// Sends this rank's gradient of `step`, already scaled by its share of the samples, and copies the server's
    /// weights to `weights`.
    [[nodiscard]] Result<Exchanged> exchange(std::int64_t step, torch::Tensor& gradient, torch::Tensor& weights);
    /// Rank 0: waits until every rank's gradient of `step` is applied.
    [[nodiscard]] Result<void> waitForStep(std::int64_t step);
    /// This rank sends no more gradients. Rank 0 waits until the others call it, too.
    [[nodiscard]] Result<void> finish();
    /// Rank 0: the current weights.
    void copyWeights(torch::Tensor& to);

    /// Receives the times of a worker's exchanges with the server: until this sends, the worker waits.
    void setTimer(comm::WatchedCommunicator::Timer timer);
    /// Call after every change of the stragglers' links.
    void applyLinks();
    [[nodiscard]] std::int64_t takeBytesSent() { return m_bytesSent.exchange(0); }

private:
    AsyncServer(const experiment::RunSpec& run, RankGroup& group, const plan::StepPlan& plan);

    void serve(int worker);
    [[nodiscard]] Result<void> serveOnce(int worker, bool& isOver);
    /// Applies the gradient, and returns once `rank` may begin its next step.
    [[nodiscard]] Result<Exchanged> apply(int rank, std::int64_t step, const torch::Tensor& gradient);
    /// Of the thread that serves `rank`, with the mutex: fails if that worker has died.
    void seeWorker(int rank);
    /// Copies the weights that `rank` computes its next gradient on.
    void readWeights(int rank, torch::Tensor& to);
    [[nodiscard]] bool mayGoOn(int rank) const;
    [[nodiscard]] std::int64_t slowest() const;
    void fail(const Text& reason);
    [[nodiscard]] Result<void> openPairs(const torch::Tensor& weights);
    [[nodiscard]] comm::WatchedCommunicator& pair(int worker);

    const experiment::RunSpec& m_run;
    RankGroup& m_group;
    const plan::StepPlan& m_plan;
    int m_rank;
    int m_ranks;
    std::int64_t m_staleness;
    double m_clip;
    double m_patienceSeconds;
    std::vector<std::unique_ptr<comm::Communicator>> m_pairs; ///< by worker at rank 0, one at a worker
    std::atomic<std::int64_t> m_bytesSent{0};

    // Rank 0.
    std::mutex m_mutex; ///< for all below
    std::condition_variable m_moved;
    torch::Tensor m_weights;
    std::unique_ptr<Optimizer> m_optimizer;
    std::vector<std::int64_t> m_clocks; ///< by rank: the step whose gradient has been applied
    std::int64_t m_updates = 0; ///< of the weights
    std::vector<std::int64_t> m_updatesRead; ///< by rank: how many the weights had when it last read them
    Text m_failure;
    std::vector<std::jthread> m_threads;
};

} // namespace lockstep::engine
