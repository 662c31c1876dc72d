// The messages between rank and workbench, as plain structs. Each describes its fields once, in the order of
// lockstep.fbs; encode(), decode() and the run store visit that description. FlatBuffers stays inside this room.
//
// Session: the rank connects, both sides prove that they have the run's secret (handshake.h), the rank says Hello, the
// workbench answers Welcome with the run spec; then telemetry goes up and Control goes down until the rank's Goodbye.
#pragma once

#include "base/call.h"
#include "base/phase.h"
#include "base/result.h"
#include "base/step_row.h"
#include "wire/checkpoint_part.h"
#include "wire/control.h"
#include "wire/evaluation_result.h"
#include "wire/samples.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::wire {

inline constexpr std::uint32_t ProtocolVersion = 2; ///< 1 sent the secret in clear
inline constexpr std::size_t MaxTextBytes = 64u << 10; ///< of a line of text
inline constexpr std::size_t MaxSpecBytes = 1u << 20;
inline constexpr std::size_t MaxMetricNameBytes = 400;

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
    std::int64_t clockOffsetNs = 0; ///< CLOCK_REALTIME less CLOCK_MONOTONIC of the host; 0 if unknown

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("protocol"), &Hello::protocol);
        visit(Field("run_id").storedAs("run"), &Hello::runId);
        visit(Field("rank").notStored(), &Hello::rank);
        visit(Field("world_size"), &Hello::worldSize);
        visit(Field("pid").notNegative(), &Hello::pid);
        visit(Field("host"), &Hello::host);
        visit(Field("device"), &Hello::device);
        visit(Field("libtorch"), &Hello::libtorch);
        visit(Field("clock_offset_ns").notStored(), &Hello::clockOffsetNs);
    }
    bool operator==(const Hello&) const = default;
};

/// Facts known once the data and the net are loaded, before the first step.
struct Prepared {
    std::string device;
    std::int64_t trainSamples = 0; ///< size of the training set
    std::int64_t testSamples = 0;
    std::int64_t totalSteps = 0; ///< steps this run will take
    std::int64_t stepsPerEpoch = 0;
    std::int64_t parameterCount = 0; ///< weights of the whole net
    std::int64_t dataNs = 0; ///< spent loading or making the data
    std::string dataset{}; ///< what was loaded, in words: "MNIST, 8,000 + 2,000 images"
    std::string communication{}; ///< how the ranks communicate, in words: "ring over shm"; empty for one rank
    std::int32_t cores = 0; ///< that this machine lets the rank's processes run on; 0: not known
    std::string datasetData{}; ///< packed(Text); empty from a rank of an earlier version, as the next
    std::string communicationData{};
    std::int64_t resumedStep = 0; ///< of the checkpoint that the run continues; 0: it begins at its first step
    std::int64_t resumedNs = 0; ///< that the steps up to there took, without pauses; -1: not known
    /// The length that the learning rates of those steps were made for, if this run's length gives others; else 0.
    std::int64_t scheduledSteps = 0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("device"), &Prepared::device);
        visit(Field("train_samples").notNegative(), &Prepared::trainSamples);
        visit(Field("test_samples").notNegative(), &Prepared::testSamples);
        visit(Field("total_steps").notNegative(), &Prepared::totalSteps);
        visit(Field("steps_per_epoch").notNegative(), &Prepared::stepsPerEpoch);
        visit(Field("parameter_count").notNegative().storedAs("parameters"), &Prepared::parameterCount);
        visit(Field("data_ns"), &Prepared::dataNs);
        visit(Field("dataset").atMost(MaxTextBytes), &Prepared::dataset);
        visit(Field("communication").atMost(MaxTextBytes), &Prepared::communication);
        visit(Field("cores").notNegative(), &Prepared::cores);
        visit(Field("dataset_data").atMost(MaxTextBytes), &Prepared::datasetData);
        visit(Field("communication_data").atMost(MaxTextBytes), &Prepared::communicationData);
        visit(Field("resumed_step").notNegative(), &Prepared::resumedStep);
        visit(Field("resumed_ns"), &Prepared::resumedNs);
        visit(Field("scheduled_steps").notNegative(), &Prepared::scheduledSteps);
    }
    bool operator==(const Prepared&) const = default;
};

/// One row a step, never dropped. In a frame and in a file the rows of a batch are columns.
struct StepBatch {
    std::vector<StepRow> rows;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        StepRow::fields(visit);
    }
    [[nodiscard]] std::size_t size() const { return rows.size(); }
    bool operator==(const StepBatch&) const = default;
};

/// A named stretch of time.
struct SpanRow {
    std::int64_t step = 0;
    Phase phase = Phase::Data;
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::int32_t microBatch = -1; ///< of a pipeline's pass; -1 for other spans

    bool operator==(const SpanRow&) const = default;
};

/// May be dropped under load; `dropped` counts them since the last batch.
struct SpanBatch {
    std::vector<SpanRow> rows;
    std::int64_t dropped = 0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &SpanRow::step);
        visit(Field("phase"), &SpanRow::phase);
        visit(Field("start_ns"), &SpanRow::startNs);
        visit(Field("duration_ns"), &SpanRow::durationNs);
        visit(Field("dropped").notNegative(), &SpanBatch::dropped);
        visit(Field("micro_batch").optional(), &SpanRow::microBatch);
    }
    [[nodiscard]] std::size_t size() const { return rows.size(); }
    bool operator==(const SpanBatch&) const = default;
};

/// One message to or from another rank, or both at once.
struct TrafficRow {
    std::int64_t step = 0;
    std::int64_t number = 0; ///< among this rank's messages of the step: 0, 1, ...
    std::int32_t to = -1; ///< -1: nothing was sent
    std::int32_t from = -1; ///< -1: nothing was received
    std::int64_t bytes = 0; ///< sent, or else received
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;

    bool operator==(const TrafficRow&) const = default;
};

/// May be dropped under load, as spans are.
struct TrafficBatch {
    std::vector<TrafficRow> rows;
    std::int64_t dropped = 0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &TrafficRow::step);
        visit(Field("number").notNegative(), &TrafficRow::number);
        visit(Field("to").rankOrNone().storedAs("recipient"), &TrafficRow::to);
        visit(Field("from").rankOrNone().storedAs("sender"), &TrafficRow::from);
        visit(Field("bytes").notNegative(), &TrafficRow::bytes);
        visit(Field("start_ns"), &TrafficRow::startNs);
        visit(Field("duration_ns"), &TrafficRow::durationNs);
        visit(Field("dropped").notNegative(), &TrafficBatch::dropped);
    }
    [[nodiscard]] std::size_t size() const { return rows.size(); }
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
    bool shared = false; ///< the array lies in memory that the ranks share, as training's gradients do

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("collective"), &Measurement::collective);
        visit(Field("algorithm"), &Measurement::algorithm);
        visit(Field("type"), &Measurement::type);
        visit(Field("bytes").notNegative(), &Measurement::bytes);
        visit(Field("in_place"), &Measurement::inPlace);
        visit(Field("calls").notNegative(), &Measurement::calls);
        visit(Field("p50_ns").notNegative(), &Measurement::p50Ns);
        visit(Field("p99_ns").notNegative(), &Measurement::p99Ns);
        visit(Field("mean_ns").notNegative(), &Measurement::meanNs);
        visit(Field("wrong").notNegative(), &Measurement::wrong);
        visit(Field("shared"), &Measurement::shared);
    }
    bool operator==(const Measurement&) const = default;
};

/// The loss curve against that of a single process with the same plan.
struct Verification {
    std::int64_t steps = 0; ///< compared
    double maxRelativeDifference = 0.0;
    std::int64_t atStep = 0; ///< where it is largest
    /// How far the losses of single processes that sum in other orders drift from those of the one above, as
    /// maxRelativeDifference; one value an order. Empty: not measured, as by earlier versions.
    std::vector<double> drifts{};

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("steps").notNegative(), &Verification::steps);
        visit(Field("max_relative_difference").storedAs("difference"), &Verification::maxRelativeDifference);
        visit(Field("at_step").notNegative(), &Verification::atStep);
        visit(Field("drifts"), &Verification::drifts);
    }
    bool operator==(const Verification&) const = default;
};

/// A rank's share of the training set, if the set is split into shares.
struct Share {
    std::int64_t samples = 0;
    std::int64_t shared = 0; ///< of them, also with another rank
    std::int64_t redraws = 0; ///< of the whole partition, see plan::Partition
    std::vector<std::int64_t> labels; ///< how many of each label

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("samples").notNegative(), &Share::samples);
        visit(Field("shared").notNegative(), &Share::shared);
        visit(Field("redraws").notNegative(), &Share::redraws);
        visit(Field("labels").notNegative(), &Share::labels);
    }
    bool operator==(const Share&) const = default;
};

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

struct LogLine {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC
    LogLevel level = LogLevel::Info;
    std::string text;
    std::string data{}; ///< packed(Text); empty from a rank of an earlier version

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("time_ns"), &LogLine::timeNs);
        visit(Field("level"), &LogLine::level);
        visit(Field("text").atMost(MaxTextBytes), &LogLine::text);
        visit(Field("data").atMost(MaxTextBytes), &LogLine::data);
    }
    [[nodiscard]] static LogLine of(std::int64_t timeNs, LogLevel level, const Text& said)
    {
        auto [english, packed] = asFields(said);
        return {timeNs, level, std::move(english), std::move(packed)};
    }
    [[nodiscard]] Text said() const { return unpacked(text, data); }
    bool operator==(const LogLine&) const = default;
};

/// A value that a user's own program reports.
struct MetricRow {
    std::int64_t step = 0;
    std::int64_t samples = 0; ///< as in StepRow
    std::int64_t endNs = 0;
    double value = 0.0; ///< may be NaN

    bool operator==(const MetricRow&) const = default;
};

/// Values of one name; never dropped.
struct MetricBatch {
    std::vector<MetricRow> rows;
    std::string name;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &MetricRow::step);
        visit(Field("samples").notNegative(), &MetricRow::samples);
        visit(Field("end_ns"), &MetricRow::endNs);
        visit(Field("value"), &MetricRow::value);
        visit(Field("name").atMost(MaxMetricNameBytes), &MetricBatch::name);
    }
    [[nodiscard]] std::size_t size() const { return rows.size(); }
    bool operator==(const MetricBatch&) const = default;
};

/// A call of a rank to others. Calls that ranks make together have the same call, number and members; the receive that
/// meets a send has the same number.
struct CallRow {
    Call call = Call::Barrier;
    std::int64_t step = 0; ///< the rank was in it; 0 before the first
    std::int64_t number = 0; ///< from 1 on: among its group's collectives, or the messages to (from) that peer
    std::int32_t group = 0; ///< 0: all ranks; two groups of the same ranks have different numbers
    std::int64_t members = 0; ///< of the group: a bit for each rank
    std::int32_t peer = -1; ///< of a message
    std::int64_t bytes = 0;
    std::int64_t enteredNs = 0;
    std::int64_t waitedNs = 0; ///< since when the rank waits for it to return; 0: it was started, and not waited for
    std::int64_t leftNs = 0; ///< 0: it has not returned

    bool operator==(const CallRow&) const = default;
};

/// The last calls of one rank, when a run has failed. One rank sends those of all.
struct CallBatch {
    std::vector<CallRow> rows;
    std::int32_t rank = 0; ///< whose calls these are
    std::int64_t timeNs = 0; ///< when they were read

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("call"), &CallRow::call);
        visit(Field("step").notNegative(), &CallRow::step);
        visit(Field("number").notNegative(), &CallRow::number);
        visit(Field("group").notNegative().storedAs("group_number"), &CallRow::group);
        visit(Field("members"), &CallRow::members);
        visit(Field("peer").rankOrNone(), &CallRow::peer);
        visit(Field("bytes").notNegative(), &CallRow::bytes);
        visit(Field("entered_ns"), &CallRow::enteredNs);
        visit(Field("waited_ns"), &CallRow::waitedNs);
        visit(Field("left_ns"), &CallRow::leftNs);
        visit(Field("rank").notNegative().storedAs("caller"), &CallBatch::rank);
        visit(Field("time_ns"), &CallBatch::timeNs);
    }
    [[nodiscard]] std::size_t size() const { return rows.size(); }
    bool operator==(const CallBatch&) const = default;
};

/// How far the clock of some ranks is from the clock that all hosts of the run measure against; one rank of each host
/// sends it. Times in all other messages are by the sender's own clock.
struct ClockSample {
    std::vector<std::int64_t> ranks; ///< that read this clock
    std::int64_t timeNs = 0; ///< on it
    std::int64_t offsetNs = 0; ///< the clock of all less this one
    std::int64_t errorNs = 0; ///< of the offset, to both sides
    std::int64_t trips = 0; ///< of which the shortest counts; 0: it is the clock of all

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("ranks").notNegative(), &ClockSample::ranks);
        visit(Field("time_ns"), &ClockSample::timeNs);
        visit(Field("offset_ns"), &ClockSample::offsetNs);
        visit(Field("error_ns").notNegative(), &ClockSample::errorNs);
        visit(Field("trips").notNegative(), &ClockSample::trips);
    }
    bool operator==(const ClockSample&) const = default;
};

/// Refused: the input was bad (exit code 2); Failed: the run went wrong (exit code 3).
enum class Outcome : std::uint8_t { Finished, Stopped, Failed, Refused };

/// The last message of a rank that ends in order.
struct Goodbye {
    Outcome outcome = Outcome::Finished;
    std::int64_t step = 0; ///< steps done; at a failure, the failed step
    std::string message; ///< the cause, one line, which names the rank that failed; empty when finished
    std::string data{}; ///< packed(Text); empty from a rank of an earlier version

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("outcome"), &Goodbye::outcome);
        visit(Field("step").notNegative(), &Goodbye::step);
        visit(Field("message").atMost(MaxTextBytes), &Goodbye::message);
        visit(Field("data").atMost(MaxTextBytes), &Goodbye::data);
    }
    [[nodiscard]] static Goodbye of(Outcome outcome, std::int64_t step, const Text& why)
    {
        auto [english, packed] = asFields(why);
        return {outcome, step, std::move(english), std::move(packed)};
    }
    [[nodiscard]] Text said() const { return unpacked(message, data); }
    bool operator==(const Goodbye&) const = default;
};

// ---- workbench -> rank -------------------------------------------------------------------------------------------

struct Welcome {
    std::uint32_t protocol = ProtocolVersion;
    std::string specJson; ///< experiment::toJson(RunSpec)
    /// Name of a file in the workbench's folder for the run's checkpoints: ranks that do not find it in theirs send
    /// their files (CheckpointPart). Empty: they need not.
    std::string checkpointMark{};

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("protocol"), &Welcome::protocol);
        visit(Field("spec_json").atMost(MaxSpecBytes), &Welcome::specJson);
        visit(Field("checkpoint_mark").atMost(MaxFileNameBytes), &Welcome::checkpointMark);
    }
    bool operator==(const Welcome&) const = default;
};

/// The last value of each enum; higher ones are unknown.
[[nodiscard]] constexpr Phase lastOf(Phase)
{
    return static_cast<Phase>(PhaseCount - 1);
}
[[nodiscard]] constexpr Call lastOf(Call)
{
    return static_cast<Call>(CallCount - 1);
}
[[nodiscard]] constexpr LogLevel lastOf(LogLevel)
{
    return LogLevel::Error;
}
[[nodiscard]] constexpr Outcome lastOf(Outcome)
{
    return Outcome::Refused;
}

/// In the order of the schema's union.
using Message = std::variant<Hello, Prepared, StepBatch, SpanBatch, Evaluation, LogLine, Vitals, Applied, Goodbye,
    Welcome, Control, TrafficBatch, Measurement, Verification, Share, MemorySample, Held, MetricBatch, CallBatch,
    ClockSample, CheckpointPart>;

/// One frame: u32 little-endian length, then the verified FlatBuffer. Fails only if it would exceed MaxFrameBytes.
[[nodiscard]] Result<std::vector<std::byte>> encode(const Message& message);

/// Verifies before use: any bytes are safe to give. `payload` is a frame without its length.
[[nodiscard]] Result<Message> decode(std::span<const std::byte> payload);

} // namespace lockstep::wire
