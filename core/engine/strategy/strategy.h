// How the ranks of a run divide its work. The training loop knows this interface and no strategy by name; registry.cpp
// lists the strategies, one folder each.
#pragma once

#include "base/result.h"
#include "engine/comm/link/call_record.h"
#include "engine/data/batches.h"
#include "engine/gpu/step_clock.h"
#include "engine/model/evaluation.h"
#include "engine/ranks/control_board.h"
#include "engine/ranks/stragglers.h"
#include "engine/telemetry/recorder.h"
#include "wire/messages.h"

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace lockstep::rendezvous {
struct Network;
}

namespace lockstep::engine {

/// What a rank computes on in one step.
struct StepInput {
    std::int64_t step = 0; ///< 1, 2, ...
    const Batch& batch; ///< of this rank's data rank; may be empty
    std::int64_t wholeBatch = 0; ///< samples of the step over all ranks
    /// The loop's: call it when this rank's last backward has run, before anything that follows is sent; a straggler
    /// sleeps there. The loop calls it after gradient() for strategies that send nothing until then.
    std::function<void()> afterLastBackward = [] {};
};

class Strategy {
public:
    Strategy() = default;
    virtual ~Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;

    /// Before the first step, and before a checkpoint is restored: the ranks agree on weights and share memory.
    [[nodiscard]] virtual Result<void> begin() { return {}; }

    /// Which part of each batch this rank computes on; ranks that share a net share a part.
    [[nodiscard]] virtual int dataRank() const { return 0; }
    /// Whether this rank reports its part's samples and loss: one of the ranks that share a part does.
    [[nodiscard]] virtual bool reportsSamples() const { return true; }
    /// Whether batches of one size must lie at one address, because the passes over them are recorded.
    [[nodiscard]] virtual bool needsFixedBatches() const { return false; }

    /// From now on reports all communication within a step to `clock`, which must outlive the steps; null: stops.
    virtual void setClock([[maybe_unused]] StepClock* clock) { }

    /// Forward and backward. Gives the mean loss of this rank's part where it is known, else 0.
    [[nodiscard]] virtual Result<torch::Tensor> gradient(const StepInput& input, StepClock& clock) = 0;
    /// Everything after the gradient: communication, loss scale, clipping, the optimizer.
    [[nodiscard]] virtual Result<void> update(std::int64_t step, double learningRate, StepClock& clock) = 0;

    enum class Evaluates { Here, Elsewhere };
    /// Before the evaluation after `step`: gives the net the weights that are evaluated. Only ranks that answer Here
    /// call evaluate() and endEvaluation().
    [[nodiscard]] virtual Result<Evaluates> prepareEvaluation([[maybe_unused]] std::int64_t step)
    {
        return Evaluates::Here;
    }
    /// Of the whole net on the whole set, the same on every rank that evaluates. Once for each set.
    [[nodiscard]] virtual Result<TestScore> evaluate(const LabelledInputs& set) = 0;
    /// After the last set: the net gets back the weights that this rank trains.
    virtual void endEvaluation() { }

    /// Whether all ranks are at the same step between two steps, as a checkpoint needs.
    [[nodiscard]] virtual bool isSynchronous() const { return true; }
    /// What a checkpoint must keep besides weights and the optimizer's state.
    using State = std::map<std::string, torch::Tensor>;
    [[nodiscard]] virtual State state() const { return {}; }
    /// `state` has the names and shapes of state().
    virtual void setState([[maybe_unused]] const State& state) { }
    /// After weights and optimizer state were restored. Every rank calls it.
    [[nodiscard]] virtual Result<void> afterRestore() { return {}; }
    /// All weights as layoutOf() lays them out, if they fit into memory; undefined if the job already has them all.
    /// Every rank calls it.
    [[nodiscard]] virtual Result<torch::Tensor> wholeWeights() { return torch::Tensor(); }
    /// After the last step of a run that has not failed.
    [[nodiscard]] virtual Result<void> finish() { return {}; }

    /// Rank 0's commands, which every rank applies at the same step.
    [[nodiscard]] virtual ControlBoard& board() = 0;
    /// The step at which all ranks know what rank 0 publishes before `step`.
    [[nodiscard]] virtual std::int64_t agreedStep(std::int64_t step) const { return step; }
    /// Changes a straggler or a link; false where the strategy has none.
    [[nodiscard]] virtual bool apply([[maybe_unused]] const wire::Control& control) { return false; }
    /// How this rank is slowed down from the next step on.
    [[nodiscard]] virtual Stragglers::Values straggler() const { return {}; }

    /// For callers that wait for this rank's device: fails when another rank has died.
    [[nodiscard]] virtual Result<void> checkPeers() { return {}; }
    /// comm::Communicator::deadPeer() of all ranks.
    [[nodiscard]] virtual Text deadPeer() { return {}; }
    /// Sums over all ranks, in place. Every rank calls it; not counted as traffic.
    [[nodiscard]] virtual Result<void> allReduceSum([[maybe_unused]] std::span<double> numbers) { return {}; }

    /// Of the ranks' last calls; null for one process and where ranks are on several hosts.
    [[nodiscard]] virtual std::shared_ptr<comm::CallRecord> callRecord() const { return {}; }

    /// By which ranks on several hosts have met; null for one host.
    [[nodiscard]] virtual std::shared_ptr<rendezvous::Network> network() const { return {}; }

    /// Fills in the strategy's counts since the last row: bytes, hidden and waiting time.
    virtual void count([[maybe_unused]] StepRow& row) { }
    /// Whether `measure.mode=measure` puts a barrier before the communication of some steps.
    [[nodiscard]] virtual bool isMeasured() const { return false; }
    /// "pipeline of 2 stages, 1f1b, 4 micro-batches, over shm"; empty for one process.
    [[nodiscard]] virtual Text description() const { return {}; }
    /// A line for the log at the end; may be empty.
    [[nodiscard]] virtual Text report() const { return {}; }
};

} // namespace lockstep::engine
