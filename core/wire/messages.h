// The messages between rank and workbench, as plain structs. Only encode() and decode() know FlatBuffers. Columns of
// one batch have equal length; decode() refuses anything else.
//
// Session: the rank connects and sends Preamble (frame.h), then Hello; the workbench answers Welcome with the run
// spec; from then on telemetry goes up and Control goes down until the rank's Goodbye.
#pragma once

#include "base/memory_kind.h"
#include "base/phase.h"
#include "base/result.h"
#include "base/traffic.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::wire {

inline constexpr std::uint32_t ProtocolVersion = 1;

// ---- rank -> workbench -------------------------------------------------------------------------------------------

struct Hello {
    std::uint32_t protocol = ProtocolVersion;
    std::string runId;
    std::int32_t rank = 0;
    std::int32_t worldSize = 1;
    std::int64_t pid = 0;
    std::string host;
    std::string device; ///< "cpu", "cuda:0"; may be empty until the spec is known
    std::string libtorch; ///< "1.13.1"

    bool operator==(const Hello&) const = default;
};

/// Facts known once the data and the net are there, before the first step.
struct Prepared {
    std::string device;
    std::int64_t trainSamples = 0; ///< size of the training set
    std::int64_t testSamples = 0;
    std::int64_t totalSteps = 0; ///< steps this run will take
    std::int64_t stepsPerEpoch = 0;
    std::int64_t parameterCount = 0; ///< weights of the whole net
    std::int64_t dataNs = 0; ///< spent loading or making the data
    std::string dataset{}; ///< what was really loaded, in words: "MNIST, 8,000 + 2,000 images"
    std::string communication{}; ///< how the ranks communicate, in words: "ring over shm"; empty for one rank
    std::int32_t cores = 0; ///< that this machine lets the rank's processes run on; 0: not known

    bool operator==(const Prepared&) const = default;
};

/// One row a step, never dropped. All columns equally long.
struct StepBatch {
    std::vector<std::int64_t> step; ///< 1, 2, ...: the step that has just ended
    std::vector<std::int64_t> endNs; ///< CLOCK_MONOTONIC at its end
    std::vector<std::int64_t>
        wallNs; ///< duration of the step: from the end of the one before, pauses and evaluation left out
    std::vector<std::int64_t>
        samples; ///< samples of the training set seen so far by all ranks: epoch = samples / trainSamples
    std::vector<std::int64_t> batch; ///< samples of this step on this rank
    std::vector<double> loss; ///< mean training loss of this step's samples on this rank; may be NaN
    std::vector<double> learningRate;
    std::vector<std::int64_t> bytesSent;
    std::array<std::vector<std::int64_t>, PhaseCount> phaseNs; ///< time in each phase, by Phase
    /// When this rank arrived at the step's aggregation (CLOCK_MONOTONIC); Communicate then counts from there to its end,
    /// and the collector, which has the rows of all ranks, separates the waiting. 0: none, or none that ranks wait for.
    std::vector<std::int64_t> arrivalNs;
    /// Time in which communication overlapped with backward: part of Backward, not of Communicate.
    std::vector<std::int64_t> hiddenNs;
    /// bytesSent by TrafficKind, if the strategy reports it: else all are empty.
    std::array<std::vector<std::int64_t>, TrafficKindCount> bytesByKind{};

    [[nodiscard]] bool tellsKinds() const { return !bytesByKind.front().empty(); }
    [[nodiscard]] bool hidesAny() const
    {
        return std::any_of(hiddenNs.begin(), hiddenNs.end(), [](std::int64_t ns) { return ns != 0; });
    }

    [[nodiscard]] std::size_t size() const { return step.size(); }
    bool operator==(const StepBatch&) const = default;
};

/// Named stretches of time; may be dropped under load, `dropped` says how many were since the last batch.
struct SpanBatch {
    std::vector<std::int64_t> step;
    std::vector<std::uint8_t> phase; ///< Phase
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durationNs;
    std::int64_t dropped = 0;
    std::vector<std::int32_t> microBatch{}; ///< of a pipeline's pass; -1 of others

    [[nodiscard]] bool hasMicroBatches() const
    {
        return std::any_of(microBatch.begin(), microBatch.end(), [](std::int32_t each) { return each >= 0; });
    }

    [[nodiscard]] std::size_t size() const { return step.size(); }
    bool operator==(const SpanBatch&) const = default;
};

/// Single messages between ranks, as the sender and receiver in one saw them; may be dropped under load, as spans are.
struct TrafficBatch {
    std::vector<std::int64_t> step;
    std::vector<std::int64_t> number; ///< among this rank's messages of the step: 0, 1, ...
    std::vector<std::int32_t> to; ///< -1: nothing was sent
    std::vector<std::int32_t> from; ///< -1: nothing was received
    std::vector<std::int64_t> bytes; ///< sent, or else received
    std::vector<std::int64_t> startNs;
    std::vector<std::int64_t> durationNs;
    std::int64_t dropped = 0;

    [[nodiscard]] std::size_t size() const { return step.size(); }
    bool operator==(const TrafficBatch&) const = default;
};

/// One size of a sweep over a collective, as one rank measured it.
struct Measurement {
    std::string collective; ///< "all_reduce", ...
    std::string algorithm; ///< value of `aggregation.algorithm`; empty: the backend's own
    std::string type; ///< "float32"
    std::int64_t bytes = 0; ///< nccl-tests' size: of the larger of the two buffers
    bool inPlace = false;
    std::int64_t calls = 0;
    std::int64_t p50Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t meanNs = 0;
    std::int64_t wrong = 0; ///< elements that differ from the expected values

    bool operator==(const Measurement&) const = default;
};

/// The loss curve against that of one process which carries out the same plan.
struct Verification {
    std::int64_t steps = 0; ///< compared
    double maxRelativeDifference = 0.0;
    std::int64_t atStep = 0; ///< where it is largest

    bool operator==(const Verification&) const = default;
};

/// A rank's share of the training set, if the set is split into shares.
struct Share {
    std::int64_t samples = 0;
    std::int64_t shared = 0; ///< of them, also with another rank
    std::int64_t redraws = 0; ///< of the whole partition, see plan::Partition
    std::vector<std::int64_t> labels; ///< how many of each label

    bool operator==(const Share&) const = default;
};

struct Evaluation {
    std::int64_t step = 0;
    std::int64_t samples = 0; ///< as in StepBatch
    std::int64_t endNs = 0;
    std::int64_t durationNs = 0;
    double accuracy = 0.0; ///< 0 .. 1 on the test set
    double loss = 0.0; ///< mean loss on the test set

    bool operator==(const Evaluation&) const = default;
};

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

struct LogLine {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC
    LogLevel level = LogLevel::Info;
    std::string text;

    bool operator==(const LogLine&) const = default;
};

/// Memory of the process, sampled a few times a second.
struct Vitals {
    std::int64_t timeNs = 0;
    std::int64_t residentBytes = 0;
    std::int64_t deviceBytes = 0; ///< 0 on CPU

    bool operator==(const Vitals&) const = default;
};

/// What a rank's tensors and shared memory take, a few times a second and after the last step; never dropped.
struct MemorySample {
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    MemoryBytes live{}; ///< after the step
    MemoryBytes most{}; ///< of each kind, within the steps since the last sample
    std::int64_t mostOfSum = 0; ///< of all kinds together, within the steps since the last sample
    std::int64_t highest = 0; ///< of all kinds together since the run began, including loading and evaluation
    std::int64_t residentBytes = 0; ///< of the whole process, libraries and all
    std::int64_t highestResidentBytes = 0; ///< since the process began
    MemoryBytes planned{}; ///< expected before the run began: activations at peak, the rest after a step
    std::int64_t plannedHighest = 0;

    bool operator==(const MemorySample&) const = default;
};

/// SetStraggler: extra milliseconds per step. SetStragglerFactor: slowdown factor of the computation. SetLink: extra
/// microseconds per message. SetLinkBandwidth: 10^6 bit/s, 0 for no limit.
enum class Command : std::uint8_t {
    Pause,
    Resume,
    Stop,
    SetStraggler,
    SetLink,
    Checkpoint,
    SetStragglerFactor,
    SetLinkBandwidth
};
inline constexpr Command LastCommand = Command::SetLinkBandwidth;

/// A control command has taken effect at the start of `step` (the agreed one).
struct Applied {
    Command command = Command::Pause;
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    std::int32_t rank = -1; ///< the rank that it concerns, -1: all
    double value = 0.0;

    bool operator==(const Applied&) const = default;
};

/// Refused: the input was bad (exit code 2); Failed: the run went wrong (exit code 3).
enum class Outcome : std::uint8_t { Finished, Stopped, Failed, Refused };

/// The last message of a rank that ends in order.
struct Goodbye {
    Outcome outcome = Outcome::Finished;
    std::int64_t step = 0; ///< steps done; for a failure, the step at which
    std::string message; ///< the cause, one line; empty when finished

    bool operator==(const Goodbye&) const = default;
};

// ---- workbench -> rank -------------------------------------------------------------------------------------------

struct Welcome {
    std::uint32_t protocol = ProtocolVersion;
    std::string specJson; ///< experiment::toJson(RunSpec)

    bool operator==(const Welcome&) const = default;
};

/// Sent to rank 0, which publishes it with the step at which every rank applies it.
struct Control {
    Command command = Command::Pause;
    std::int32_t rank = -1;
    double value = 0.0;

    bool operator==(const Control&) const = default;
};

using Message = std::variant<Hello, Prepared, StepBatch, SpanBatch, Evaluation, LogLine, Vitals, Applied, Goodbye,
    Welcome, Control, TrafficBatch, Measurement, Verification, Share, MemorySample>;

/// One frame: u32 little-endian length, then the verified FlatBuffer. Fails only if it would exceed MaxFrameBytes.
[[nodiscard]] Result<std::vector<std::byte>> encode(const Message& message);

/// Verifies before use: any bytes are safe to give. `payload` is a frame without its length.
[[nodiscard]] Result<Message> decode(std::span<const std::byte> payload);

} // namespace lockstep::wire
