// Forward and backward of a net that this rank has whole: a batch in one piece, in micro-batches, in chunks for
// gradient descent, or replayed from CUDA graphs.
#pragma once

#include "engine/model/gradient_graph.h"
#include "engine/strategy/job.h"
#include "engine/strategy/recorded_batches.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace lockstep::engine {

class ReplicaGradient {
public:
    /// Whether the passes may be recorded: only where they hold no communication and no other thread uses the stream.
    enum class Graphs { Allowed, Off };
    /// All must outlive this.
    ReplicaGradient(const experiment::RunSpec& run, int rank, Job& job, Recorder& recorder, Graphs graphs);

    /// As Strategy's.
    [[nodiscard]] bool needsFixedBatches() const { return m_recorded.isOn(); }
    /// The gradient of `scale` times the mean loss replaces the job's; with float16 also times the loss scale. Gives
    /// the mean loss; 0 without samples. `beforeLastBackward` is called before the pass that completes the gradient.
    [[nodiscard]] torch::Tensor compute(
        const Batch& batch, double scale, StepClock& clock, const std::function<void()>& beforeLastBackward = {});

private:
    [[nodiscard]] torch::Tensor inChunks(const Batch& batch, std::int64_t chunk, double scale, StepClock& clock,
        const std::function<void()>& beforeLastBackward);
    /// Gives up if CUDA cannot record: then the passes run kernel by kernel.
    void record(const Batch& batch);
    [[nodiscard]] torch::Tensor fromGraph(double scale, StepClock& clock);

    Job& m_job;
    Recorder& m_recorder;
    int m_rank;
    double m_wrongScale; ///< fault.gradient_scale; 1 on the ranks that do right
    std::int64_t m_microBatches;
    RecordedBatches m_recorded;
    std::unique_ptr<GradientGraph> m_graph; ///< null until it is recorded
};

} // namespace lockstep::engine
