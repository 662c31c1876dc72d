#include "wire/messages.h"

#include "wire/frame.h"

#include <lockstep_generated.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace lockstep::wire {

namespace {

static_assert(std::endian::native == std::endian::little);

// Our own frames are three tables deep and have at most PhaseCount + 2 of them.
constexpr flatbuffers::uoffset_t MaxDepth = 8;
constexpr flatbuffers::uoffset_t MaxTables = 64;

constexpr std::size_t MaxNameBytes = 4096;
constexpr std::size_t MaxTextBytes = 64u << 10;
constexpr std::size_t MaxSpecBytes = 1u << 20;
constexpr std::int32_t MaxWorldSize = 1 << 20;

/// Reads the fields of one message and remembers the first thing that is wrong.
class Reader {
public:
    std::string text(const char* field, const flatbuffers::String* value, std::size_t limit)
    {
        if (value == nullptr) {
            return {};
        }
        if (value->size() > limit) {
            fail(std::string(field) + " has " + std::to_string(value->size()) + " bytes, " + std::to_string(limit)
                + " are allowed");
            return {};
        }
        return value->str();
    }

    template <typename T>
    std::vector<T> column(const char* field, const flatbuffers::Vector<T>* values, std::size_t rows)
    {
        const std::size_t given = values == nullptr ? 0 : values->size();
        if (given != rows) {
            fail(std::string(field) + " has " + std::to_string(given) + " values, step has " + std::to_string(rows));
            return {};
        }
        std::vector<T> copy(rows);
        if (rows > 0) {
            std::memcpy(copy.data(), values->Data(), rows * sizeof(T));
        }
        return copy;
    }

    std::vector<std::int64_t> countColumn(
        const char* field, const flatbuffers::Vector<std::int64_t>* values, std::size_t rows)
    {
        std::vector<std::int64_t> copy = column(field, values, rows);
        if (std::any_of(copy.begin(), copy.end(), [](std::int64_t value) { return value < 0; })) {
            fail(std::string(field) + " has a negative value");
        }
        return copy;
    }

    std::int64_t count(const char* field, std::int64_t value)
    {
        if (value < 0) {
            fail(std::string(field) + ": " + std::to_string(value) + " is negative");
        }
        return value;
    }

    template <typename Plain, typename Enum>
    Plain choice(const char* field, Enum value, Plain last)
    {
        if (static_cast<std::uint8_t>(value) > static_cast<std::uint8_t>(last)) {
            fail(std::string(field) + ": " + std::to_string(static_cast<int>(value)) + " is not known");
            return last;
        }
        return static_cast<Plain>(value);
    }

    void fail(std::string what)
    {
        if (!m_error) {
            m_error = Error{std::move(what)};
        }
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    std::optional<Error> m_error;
};

Message read(Reader& r, const fb::Hello& f)
{
    Hello m;
    m.protocol = f.protocol();
    m.runId = r.text("run_id", f.run_id(), MaxNameBytes);
    m.rank = f.rank();
    m.worldSize = f.world_size();
    m.pid = r.count("pid", f.pid());
    m.host = r.text("host", f.host(), MaxNameBytes);
    m.device = r.text("device", f.device(), MaxNameBytes);
    m.libtorch = r.text("libtorch", f.libtorch(), MaxNameBytes);
    if (m.worldSize < 1 || m.worldSize > MaxWorldSize || m.rank < 0 || m.rank >= m.worldSize) {
        r.fail("rank " + std::to_string(m.rank) + " of " + std::to_string(m.worldSize) + " cannot be");
    }
    return m;
}

Message read(Reader& r, const fb::Prepared& f)
{
    Prepared m;
    m.device = r.text("device", f.device(), MaxNameBytes);
    m.trainSamples = r.count("train_samples", f.train_samples());
    m.testSamples = r.count("test_samples", f.test_samples());
    m.totalSteps = r.count("total_steps", f.total_steps());
    m.stepsPerEpoch = r.count("steps_per_epoch", f.steps_per_epoch());
    m.parameterCount = r.count("parameter_count", f.parameter_count());
    m.dataNs = f.data_ns();
    m.dataset = r.text("dataset", f.dataset(), MaxTextBytes);
    m.communication = r.text("communication", f.communication(), MaxTextBytes);
    m.cores = static_cast<std::int32_t>(r.count("cores", f.cores()));
    return m;
}

Message read(Reader& r, const fb::StepBatch& f)
{
    StepBatch m;
    const std::size_t rows = f.step() == nullptr ? 0 : f.step()->size();
    m.step = r.countColumn("step", f.step(), rows);
    m.endNs = r.column("end_ns", f.end_ns(), rows);
    m.wallNs = r.column("wall_ns", f.wall_ns(), rows);
    m.samples = r.countColumn("samples", f.samples(), rows);
    m.batch = r.countColumn("batch", f.batch(), rows);
    m.loss = r.column("loss", f.loss(), rows);
    m.learningRate = r.column("learning_rate", f.learning_rate(), rows);
    m.bytesSent = r.column("bytes_sent", f.bytes_sent(), rows);
    // Optional columns: a single process has no arrivals, and most rows hide no communication.
    const auto countsOrZeros = [&](const char* name, const auto* values) {
        return values != nullptr && values->size() > 0 ? r.countColumn(name, values, rows)
                                                       : std::vector<std::int64_t>(rows, 0);
    };
    m.arrivalNs = countsOrZeros("arrival_ns", f.arrival_ns());
    m.hiddenNs = countsOrZeros("hidden_ns", f.hidden_ns());
    const std::size_t phases = f.phase_ns() == nullptr ? 0 : f.phase_ns()->size();
    if (phases != PhaseCount) {
        r.fail(
            "phase_ns has " + std::to_string(phases) + " columns, there are " + std::to_string(PhaseCount) + " phases");
        return m;
    }
    for (flatbuffers::uoffset_t p = 0; p < PhaseCount; ++p) {
        m.phaseNs[p] = r.column("phase_ns", f.phase_ns()->Get(p)->values(), rows);
    }
    if (f.bytes_by_kind() == nullptr || f.bytes_by_kind()->size() == 0) {
        return m;
    }
    if (f.bytes_by_kind()->size() != TrafficKindCount) {
        r.fail("bytes_by_kind has " + std::to_string(f.bytes_by_kind()->size()) + " columns, there are "
            + std::to_string(TrafficKindCount) + " kinds");
        return m;
    }
    for (flatbuffers::uoffset_t kind = 0; kind < TrafficKindCount; ++kind) {
        m.bytesByKind[kind] = r.countColumn("bytes_by_kind", f.bytes_by_kind()->Get(kind)->values(), rows);
    }
    return m;
}

Message read(Reader& r, const fb::SpanBatch& f)
{
    SpanBatch m;
    const std::size_t rows = f.step() == nullptr ? 0 : f.step()->size();
    m.step = r.countColumn("step", f.step(), rows);
    m.phase = r.column("phase", f.phase(), rows);
    m.startNs = r.column("start_ns", f.start_ns(), rows);
    m.durationNs = r.column("duration_ns", f.duration_ns(), rows);
    m.dropped = r.count("dropped", f.dropped());
    const bool hasMicroBatches = f.micro_batch() != nullptr && f.micro_batch()->size() > 0;
    m.microBatch
        = hasMicroBatches ? r.column("micro_batch", f.micro_batch(), rows) : std::vector<std::int32_t>(rows, -1);
    if (std::any_of(m.phase.begin(), m.phase.end(), [](std::uint8_t phase) { return phase >= PhaseCount; })) {
        r.fail("phase has a value that is not known");
    }
    return m;
}

Message read(Reader& r, const fb::TrafficBatch& f)
{
    TrafficBatch m;
    const std::size_t rows = f.step() == nullptr ? 0 : f.step()->size();
    m.step = r.countColumn("step", f.step(), rows);
    m.number = r.countColumn("number", f.number(), rows);
    m.to = r.column("to", f.to(), rows);
    m.from = r.column("from", f.from(), rows);
    m.bytes = r.countColumn("bytes", f.bytes(), rows);
    m.startNs = r.column("start_ns", f.start_ns(), rows);
    m.durationNs = r.column("duration_ns", f.duration_ns(), rows);
    m.dropped = r.count("dropped", f.dropped());
    const auto isNoRank = [](std::int32_t rank) { return rank < -1 || rank >= MaxWorldSize; };
    if (std::any_of(m.to.begin(), m.to.end(), isNoRank) || std::any_of(m.from.begin(), m.from.end(), isNoRank)) {
        r.fail("to or from is not a rank");
    }
    return m;
}

Message read(Reader& r, const fb::Measurement& f)
{
    Measurement m;
    m.collective = r.text("collective", f.collective(), MaxNameBytes);
    m.algorithm = r.text("algorithm", f.algorithm(), MaxNameBytes);
    m.type = r.text("type", f.type(), MaxNameBytes);
    m.bytes = r.count("bytes", f.bytes());
    m.inPlace = f.in_place();
    m.calls = r.count("calls", f.calls());
    m.p50Ns = r.count("p50_ns", f.p50_ns());
    m.p99Ns = r.count("p99_ns", f.p99_ns());
    m.meanNs = r.count("mean_ns", f.mean_ns());
    m.wrong = r.count("wrong", f.wrong());
    return m;
}

Message read(Reader& r, const fb::Verification& f)
{
    Verification m;
    m.steps = r.count("steps", f.steps());
    m.maxRelativeDifference = f.max_relative_difference();
    m.atStep = r.count("at_step", f.at_step());
    return m;
}

Message read(Reader& r, const fb::Share& f)
{
    Share m;
    m.samples = r.count("samples", f.samples());
    m.shared = r.count("shared", f.shared());
    m.redraws = r.count("redraws", f.redraws());
    m.labels = r.countColumn("labels", f.labels(), f.labels() == nullptr ? 0 : f.labels()->size());
    return m;
}

Message read(Reader& r, const fb::Evaluation& f)
{
    Evaluation m;
    m.step = r.count("step", f.step());
    m.samples = r.count("samples", f.samples());
    m.endNs = f.end_ns();
    m.durationNs = f.duration_ns();
    m.accuracy = f.accuracy();
    m.loss = f.loss();
    return m;
}

Message read(Reader& r, const fb::LogLine& f)
{
    LogLine m;
    m.timeNs = f.time_ns();
    m.level = r.choice("level", f.level(), LogLevel::Error);
    m.text = r.text("text", f.text(), MaxTextBytes);
    return m;
}

Message read(Reader& r, const fb::Vitals& f)
{
    Vitals m;
    m.timeNs = f.time_ns();
    m.residentBytes = r.count("resident_bytes", f.resident_bytes());
    m.deviceBytes = r.count("device_bytes", f.device_bytes());
    return m;
}

Message read(Reader& r, const fb::MemorySample& f)
{
    const auto bytesOf = [&r](const char* field, const flatbuffers::Vector<std::int64_t>* values) {
        MemoryBytes bytes{};
        if (values == nullptr || values->size() != bytes.size()) {
            r.fail(std::string(field) + " has " + std::to_string(values == nullptr ? 0 : values->size())
                + " values, there are " + std::to_string(bytes.size()) + " kinds of memory");
            return bytes;
        }
        for (flatbuffers::uoffset_t kind = 0; kind < bytes.size(); ++kind) {
            bytes[kind] = r.count(field, values->Get(kind));
        }
        return bytes;
    };
    MemorySample m;
    m.step = r.count("step", f.step());
    m.timeNs = f.time_ns();
    m.live = bytesOf("live", f.live());
    m.most = bytesOf("most", f.most());
    m.mostOfSum = r.count("most_of_sum", f.most_of_sum());
    m.highest = r.count("highest", f.highest());
    m.residentBytes = r.count("resident_bytes", f.resident_bytes());
    m.highestResidentBytes = r.count("highest_resident_bytes", f.highest_resident_bytes());
    m.planned = bytesOf("planned", f.planned());
    m.plannedHighest = r.count("planned_highest", f.planned_highest());
    return m;
}

Message read(Reader& r, const fb::Applied& f)
{
    Applied m;
    m.command = r.choice("command", f.command(), LastCommand);
    m.step = r.count("step", f.step());
    m.timeNs = f.time_ns();
    m.rank = f.rank();
    m.value = f.value();
    return m;
}

Message read(Reader& r, const fb::Goodbye& f)
{
    Goodbye m;
    m.outcome = r.choice("outcome", f.outcome(), Outcome::Refused);
    m.step = r.count("step", f.step());
    m.message = r.text("message", f.message(), MaxTextBytes);
    return m;
}

Message read(Reader& r, const fb::Welcome& f)
{
    Welcome m;
    m.protocol = f.protocol();
    m.specJson = r.text("spec_json", f.spec_json(), MaxSpecBytes);
    return m;
}

Message read(Reader& r, const fb::Control& f)
{
    Control m;
    m.command = r.choice("command", f.command(), LastCommand);
    m.rank = f.rank();
    m.value = f.value();
    return m;
}

Message readBody(Reader& r, const fb::Frame& frame)
{
    switch (frame.body_type()) {
    case fb::Body::Hello:
        return read(r, *frame.body_as_Hello());
    case fb::Body::Prepared:
        return read(r, *frame.body_as_Prepared());
    case fb::Body::StepBatch:
        return read(r, *frame.body_as_StepBatch());
    case fb::Body::SpanBatch:
        return read(r, *frame.body_as_SpanBatch());
    case fb::Body::Evaluation:
        return read(r, *frame.body_as_Evaluation());
    case fb::Body::LogLine:
        return read(r, *frame.body_as_LogLine());
    case fb::Body::Vitals:
        return read(r, *frame.body_as_Vitals());
    case fb::Body::Applied:
        return read(r, *frame.body_as_Applied());
    case fb::Body::Goodbye:
        return read(r, *frame.body_as_Goodbye());
    case fb::Body::Welcome:
        return read(r, *frame.body_as_Welcome());
    case fb::Body::Control:
        return read(r, *frame.body_as_Control());
    case fb::Body::TrafficBatch:
        return read(r, *frame.body_as_TrafficBatch());
    case fb::Body::Measurement:
        return read(r, *frame.body_as_Measurement());
    case fb::Body::Verification:
        return read(r, *frame.body_as_Verification());
    case fb::Body::Share:
        return read(r, *frame.body_as_Share());
    case fb::Body::MemorySample:
        return read(r, *frame.body_as_MemorySample());
    case fb::Body::NONE:
        break;
    }
    r.fail("kind " + std::to_string(static_cast<int>(frame.body_type())) + " is not known");
    return {};
}

} // namespace

Result<Message> decode(std::span<const std::byte> payload)
{
    if (payload.size() > MaxFrameBytes || payload.size() < 2 * sizeof(flatbuffers::uoffset_t)) {
        return Error{"a frame of " + std::to_string(payload.size()) + " bytes is not a message"};
    }
    // A frame lies anywhere in the receiver's buffer, and FlatBuffers reads its numbers in place: align it first.
    std::vector<std::uint64_t> aligned((payload.size() + 7) / 8);
    std::memcpy(aligned.data(), payload.data(), payload.size());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(aligned.data());

    flatbuffers::Verifier verifier(bytes, payload.size(), MaxDepth, MaxTables);
    if (!fb::VerifyFrameBuffer(verifier)) {
        return Error{"a frame of " + std::to_string(payload.size()) + " bytes is damaged or of another program"};
    }
    const fb::Frame& frame = *fb::GetFrame(bytes);
    if (frame.body_type() != fb::Body::NONE && frame.body() == nullptr) {
        return Error{"a frame has no message in it"};
    }
    Reader reader;
    Message message = readBody(reader, frame);
    if (reader.error()) {
        return Error{std::string("a message of kind ") + fb::EnumNameBody(frame.body_type())
            + " is malformed: " + reader.error()->message};
    }
    return message;
}

} // namespace lockstep::wire
