#include "wire/messages.h"

#include "wire/frame.h"

#include <lockstep_generated.h>

#include <bit>
#include <cstring>

namespace lockstep::wire {

namespace {

// The columns are copied as they lie in memory; FlatBuffers are little-endian.
static_assert(std::endian::native == std::endian::little);

using Builder = flatbuffers::FlatBufferBuilder;
using Body = flatbuffers::Offset<void>;
using Longs = flatbuffers::Offset<flatbuffers::Vector<std::int64_t>>;

struct Built {
    fb::Body type = fb::Body::NONE;
    Body body;
};

Built build(Builder& b, const Hello& m)
{
    const auto runId = b.CreateString(m.runId);
    const auto host = b.CreateString(m.host);
    const auto device = b.CreateString(m.device);
    const auto libtorch = b.CreateString(m.libtorch);
    return {fb::Body::Hello,
        fb::CreateHello(b, m.protocol, runId, m.rank, m.worldSize, m.pid, host, device, libtorch).Union()};
}

Built build(Builder& b, const Prepared& m)
{
    const auto device = b.CreateString(m.device);
    const auto dataset = b.CreateString(m.dataset);
    const auto communication = b.CreateString(m.communication);
    return {fb::Body::Prepared,
        fb::CreatePrepared(b, device, m.trainSamples, m.testSamples, m.totalSteps, m.stepsPerEpoch, m.parameterCount,
            m.dataNs, dataset, communication, m.cores)
            .Union()};
}

Built build(Builder& b, const StepBatch& m)
{
    std::array<flatbuffers::Offset<fb::Column>, PhaseCount> phases;
    for (std::size_t p = 0; p < PhaseCount; ++p) {
        const Longs values = b.CreateVector(m.phaseNs[p]);
        phases[p] = fb::CreateColumn(b, values);
    }
    const auto phaseNs = b.CreateVector(phases.data(), phases.size());
    const Longs step = b.CreateVector(m.step);
    const Longs endNs = b.CreateVector(m.endNs);
    const Longs wallNs = b.CreateVector(m.wallNs);
    const Longs samples = b.CreateVector(m.samples);
    const Longs batch = b.CreateVector(m.batch);
    const auto loss = b.CreateVector(m.loss);
    const auto learningRate = b.CreateVector(m.learningRate);
    const Longs bytesSent = b.CreateVector(m.bytesSent);
    const Longs arrivalNs = b.CreateVector(m.arrivalNs);
    const Longs hiddenNs = m.hidesAny() ? b.CreateVector(m.hiddenNs) : Longs();
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Column>>> bytesByKind;
    if (m.tellsKinds()) {
        std::array<flatbuffers::Offset<fb::Column>, TrafficKindCount> kinds;
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            const Longs values = b.CreateVector(m.bytesByKind[kind]);
            kinds[kind] = fb::CreateColumn(b, values);
        }
        bytesByKind = b.CreateVector(kinds.data(), kinds.size());
    }
    return {fb::Body::StepBatch,
        fb::CreateStepBatch(b, step, endNs, wallNs, samples, batch, loss, learningRate, bytesSent, phaseNs, arrivalNs,
            hiddenNs, bytesByKind)
            .Union()};
}

Built build(Builder& b, const SpanBatch& m)
{
    const Longs step = b.CreateVector(m.step);
    const auto phase = b.CreateVector(m.phase);
    const Longs startNs = b.CreateVector(m.startNs);
    const Longs durationNs = b.CreateVector(m.durationNs);
    const auto microBatch = m.hasMicroBatches() ? b.CreateVector(m.microBatch) : flatbuffers::Offset<flatbuffers::Vector<std::int32_t>>();
    return {fb::Body::SpanBatch,
        fb::CreateSpanBatch(b, step, phase, startNs, durationNs, m.dropped, microBatch).Union()};
}

Built build(Builder& b, const TrafficBatch& m)
{
    const Longs step = b.CreateVector(m.step);
    const Longs number = b.CreateVector(m.number);
    const auto to = b.CreateVector(m.to);
    const auto from = b.CreateVector(m.from);
    const Longs bytes = b.CreateVector(m.bytes);
    const Longs startNs = b.CreateVector(m.startNs);
    const Longs durationNs = b.CreateVector(m.durationNs);
    return {fb::Body::TrafficBatch,
        fb::CreateTrafficBatch(b, step, number, to, from, bytes, startNs, durationNs, m.dropped).Union()};
}

Built build(Builder& b, const Measurement& m)
{
    const auto collective = b.CreateString(m.collective);
    const auto algorithm = b.CreateString(m.algorithm);
    const auto type = b.CreateString(m.type);
    return {fb::Body::Measurement,
        fb::CreateMeasurement(
            b, collective, algorithm, type, m.bytes, m.inPlace, m.calls, m.p50Ns, m.p99Ns, m.meanNs, m.wrong)
            .Union()};
}

Built build(Builder& b, const Verification& m)
{
    return {fb::Body::Verification, fb::CreateVerification(b, m.steps, m.maxRelativeDifference, m.atStep).Union()};
}

Built build(Builder& b, const Share& m)
{
    const Longs labels = b.CreateVector(m.labels);
    return {fb::Body::Share, fb::CreateShare(b, m.samples, m.shared, m.redraws, labels).Union()};
}

Built build(Builder& b, const Evaluation& m)
{
    return {fb::Body::Evaluation,
        fb::CreateEvaluation(b, m.step, m.samples, m.endNs, m.durationNs, m.accuracy, m.loss).Union()};
}

Built build(Builder& b, const LogLine& m)
{
    const auto text = b.CreateString(m.text);
    return {fb::Body::LogLine, fb::CreateLogLine(b, m.timeNs, static_cast<fb::LogLevel>(m.level), text).Union()};
}

Built build(Builder& b, const Vitals& m)
{
    return {fb::Body::Vitals, fb::CreateVitals(b, m.timeNs, m.residentBytes, m.deviceBytes).Union()};
}

Built build(Builder& b, const MemorySample& m)
{
    const Longs live = b.CreateVector(m.live.data(), m.live.size());
    const Longs most = b.CreateVector(m.most.data(), m.most.size());
    const Longs planned = b.CreateVector(m.planned.data(), m.planned.size());
    return {fb::Body::MemorySample,
        fb::CreateMemorySample(b, m.step, m.timeNs, live, most, m.mostOfSum, m.highest, m.residentBytes,
            m.highestResidentBytes, planned, m.plannedHighest)
            .Union()};
}

Built build(Builder& b, const Applied& m)
{
    return {fb::Body::Applied,
        fb::CreateApplied(b, static_cast<fb::Command>(m.command), m.step, m.timeNs, m.rank, m.value).Union()};
}

Built build(Builder& b, const Goodbye& m)
{
    const auto message = b.CreateString(m.message);
    return {fb::Body::Goodbye, fb::CreateGoodbye(b, static_cast<fb::Outcome>(m.outcome), m.step, message).Union()};
}

Built build(Builder& b, const Welcome& m)
{
    const auto specJson = b.CreateString(m.specJson);
    return {fb::Body::Welcome, fb::CreateWelcome(b, m.protocol, specJson).Union()};
}

Built build(Builder& b, const Control& m)
{
    return {fb::Body::Control, fb::CreateControl(b, static_cast<fb::Command>(m.command), m.rank, m.value).Union()};
}

/// Bytes that the columns and texts of a message take, before FlatBuffers (which asserts above 2 GiB) sees them.
struct PayloadBytes {
    std::size_t operator()(const StepBatch& m) const
    {
        std::size_t values = m.step.size() + m.endNs.size() + m.wallNs.size() + m.samples.size() + m.batch.size()
            + m.loss.size() + m.learningRate.size() + m.bytesSent.size() + m.arrivalNs.size()
            + m.hiddenNs.size();
        for (const auto& column : m.phaseNs) {
            values += column.size();
        }
        for (const auto& column : m.bytesByKind) {
            values += column.size();
        }
        return 8 * values;
    }
    std::size_t operator()(const SpanBatch& m) const
    {
        return 8 * (m.step.size() + m.startNs.size() + m.durationNs.size()) + m.phase.size();
    }
    std::size_t operator()(const Hello& m) const
    {
        return m.runId.size() + m.host.size() + m.device.size() + m.libtorch.size();
    }
    std::size_t operator()(const TrafficBatch& m) const
    {
        return 8 * (m.step.size() + m.number.size() + m.bytes.size() + m.startNs.size() + m.durationNs.size())
            + 4 * (m.to.size() + m.from.size());
    }
    std::size_t operator()(const Measurement& m) const
    {
        return m.collective.size() + m.algorithm.size() + m.type.size();
    }
    std::size_t operator()(const Prepared& m) const
    {
        return m.device.size() + m.dataset.size() + m.communication.size();
    }
    std::size_t operator()(const LogLine& m) const { return m.text.size(); }
    std::size_t operator()(const Goodbye& m) const { return m.message.size(); }
    std::size_t operator()(const Welcome& m) const { return m.specJson.size(); }
    std::size_t operator()(const Verification&) const { return 0; }
    std::size_t operator()(const Share& m) const { return 8 * m.labels.size(); }
    std::size_t operator()(const Evaluation&) const { return 0; }
    std::size_t operator()(const Vitals&) const { return 0; }
    std::size_t operator()(const MemorySample&) const { return 3 * sizeof(MemoryBytes); }
    std::size_t operator()(const Applied&) const { return 0; }
    std::size_t operator()(const Control&) const { return 0; }
};

Error tooLong(std::size_t bytes)
{
    return Error{"a message of " + std::to_string(bytes) + " bytes does not fit into a frame of "
        + std::to_string(MaxFrameBytes)};
}

} // namespace

Result<std::vector<std::byte>> encode(const Message& message)
{
    const std::size_t payloadBytes = std::visit(PayloadBytes{}, message);
    if (payloadBytes > MaxFrameBytes) {
        return tooLong(payloadBytes);
    }
    Builder builder(payloadBytes + 512);
    const Built built = std::visit([&builder](const auto& m) { return build(builder, m); }, message);
    builder.Finish(fb::CreateFrame(builder, built.type, built.body), fb::FrameIdentifier());

    const std::uint32_t length = builder.GetSize();
    if (length > MaxFrameBytes) {
        return tooLong(length);
    }
    // Not FinishSizePrefixed: that aligns the columns as seen from the length, and decode() gets the payload alone.
    std::vector<std::byte> frame(sizeof(length) + length);
    std::memcpy(frame.data(), &length, sizeof(length));
    std::memcpy(frame.data() + sizeof(length), builder.GetBufferPointer(), length);
    return frame;
}

} // namespace lockstep::wire
