#include "session/store/import_run.h"

#include "analysis/summary.h"
#include "base/clock.h"
#include "session/store/run_store.h"
#include "wire/frame.h"

#include <QFile>

#include <optional>

namespace lockstep::session {

namespace {

constexpr qint64 ReadAtOnce = 1 << 20;

/// Gathers the frames of one file into Deltas and a summary.
class Recording {
public:
    explicit Recording(std::string path)
        : m_path(std::move(path))
    { }

    Result<void> take(std::span<const std::byte> frame, const RunId& fresh, const MakeWriter& make);
    Result<void> flush();
    Result<analysis::RunRecord> finish();

private:
    Result<void> start(const wire::Welcome& welcome, const RunId& fresh, const MakeWriter& make);
    void sort(const wire::Message& message);
    void addSteps(const wire::StepBatch& batch);

    std::string m_path;
    analysis::RunRecord m_record;
    std::unique_ptr<RunWriter> m_writer;
    std::optional<analysis::SummaryBuilder> m_summary;
    std::optional<wire::Goodbye> m_goodbye;
    std::int32_t m_rank = 0;
    Delta m_delta;
};

Result<void> Recording::start(const wire::Welcome& welcome, const RunId& fresh, const MakeWriter& make)
{
    auto spec = experiment::parseRunSpec(welcome.specJson);
    if (!spec) {
        return Error{m_path + ": its spec cannot be read: " + spec.error().message};
    }
    m_record.id = fresh;
    m_record.spec = std::move(*spec);
    m_record.status = analysis::RunStatus::Running;
    m_record.createdNs = wallNs();
    m_summary.emplace(1);
    auto writer = make(m_record);
    if (!writer) {
        return writer.error();
    }
    m_writer = std::move(*writer);
    return {};
}

void Recording::addSteps(const wire::StepBatch& batch)
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        m_summary->addStep(m_rank, rowAt(batch, i));
    }
}

void Recording::sort(const wire::Message& message)
{
    if (const auto* hello = std::get_if<wire::Hello>(&message)) {
        m_rank = hello->rank;
        m_summary.emplace(hello->worldSize);
        m_summary->setHost(m_rank, hello->host);
        m_delta.hellos.push_back({m_rank, *hello});
    } else if (const auto* facts = std::get_if<wire::Prepared>(&message)) {
        m_summary->setData(facts->trainSamples, facts->testSamples);
        m_summary->setCores(m_rank, facts->cores);
        m_delta.prepared.push_back({m_rank, *facts});
    } else if (const auto* steps = std::get_if<wire::StepBatch>(&message)) {
        addSteps(*steps);
        m_delta.steps.push_back({m_rank, *steps});
    } else if (const auto* spans = std::get_if<wire::SpanBatch>(&message)) {
        session::addSpans(*m_summary, m_rank, *spans);
        m_delta.spans.push_back({m_rank, *spans});
    } else if (const auto* traffic = std::get_if<wire::TrafficBatch>(&message)) {
        m_delta.traffic.push_back({m_rank, *traffic});
    } else if (const auto* measurement = std::get_if<wire::Measurement>(&message)) {
        m_delta.measurements.push_back({m_rank, *measurement});
    } else if (const auto* verification = std::get_if<wire::Verification>(&message)) {
        m_summary->setVerification(verification->maxRelativeDifference);
        m_delta.verifications.push_back({m_rank, *verification});
    } else if (const auto* share = std::get_if<wire::Share>(&message)) {
        m_summary->addShare(m_rank, share->labels);
        m_delta.shares.push_back({m_rank, *share});
    } else if (const auto* result = std::get_if<wire::Evaluation>(&message)) {
        m_summary->addEvaluation(result->accuracy, result->loss);
        m_delta.evaluations.push_back({m_rank, *result});
    } else if (const auto* line = std::get_if<wire::LogLine>(&message)) {
        m_delta.logs.push_back({m_rank, *line});
    } else if (const auto* vitals = std::get_if<wire::Vitals>(&message)) {
        m_delta.vitals.push_back({m_rank, *vitals});
    } else if (const auto* memory = std::get_if<wire::MemorySample>(&message)) {
        m_delta.memory.push_back({m_rank, *memory});
        m_summary->addMemory(memoryOf(m_delta.memory.back()));
    } else if (const auto* applied = std::get_if<wire::Applied>(&message)) {
        addIntervention(*m_summary, *applied);
        m_delta.applied.push_back({m_rank, *applied});
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        m_goodbye = *goodbye;
    }
}

Result<void> Recording::take(std::span<const std::byte> frame, const RunId& fresh, const MakeWriter& make)
{
    const auto message = wire::decode(frame);
    if (!message) {
        return Error{m_path + " is not a recording of lockstep-rank: " + message.error().message};
    }
    if (const auto* welcome = std::get_if<wire::Welcome>(&*message); welcome != nullptr && !m_writer) {
        return start(*welcome, fresh, make);
    }
    if (!m_writer) {
        return Error{m_path + " is not a recording of lockstep-rank: it does not begin with a spec"};
    }
    sort(*message);
    return {};
}

Result<void> Recording::flush()
{
    if (!m_writer) {
        return {};
    }
    auto done = m_writer->add(m_delta);
    m_delta = {};
    return done;
}

Result<analysis::RunRecord> Recording::finish()
{
    if (!m_writer) {
        return Error{m_path + " is not a recording of lockstep-rank: it contains no complete frame"};
    }
    m_record.status = analysis::RunStatus::Interrupted;
    m_record.message = "the recording ends before the run does";
    if (m_goodbye) {
        const bool bad = m_goodbye->outcome == wire::Outcome::Failed || m_goodbye->outcome == wire::Outcome::Refused;
        m_record.status = bad                              ? analysis::RunStatus::Failed
            : m_goodbye->outcome == wire::Outcome::Stopped ? analysis::RunStatus::Stopped
                                                           : analysis::RunStatus::Finished;
        m_record.message = m_goodbye->message;
    }
    m_delta.statuses.push_back({m_record.status, m_record.message, wallNs()});
    if (auto done = flush(); !done) {
        return done.error();
    }
    m_record.summary = m_summary->summary();
    if (auto done = m_writer->finish(m_record.status, m_record.message, m_record.summary); !done) {
        return done.error();
    }
    return m_record;
}

} // namespace

bool isDatabase(const QString& file)
{
    QFile input(file);
    return input.open(QIODevice::ReadOnly) && input.read(15) == "SQLite format 3";
}

Result<analysis::RunRecord> importRecording(const QString& file, const RunId& fresh, const MakeWriter& make)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly)) {
        return Error{file.toStdString() + " cannot be read: " + input.errorString().toStdString()};
    }
    Recording recording(file.toStdString());
    wire::FrameDecoder decoder;
    while (!input.atEnd()) {
        const QByteArray bytes = input.read(ReadAtOnce);
        if (bytes.isEmpty()) {
            return Error{file.toStdString() + " cannot be read: " + input.errorString().toStdString()};
        }
        decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        for (;;) {
            const auto frame = decoder.next();
            if (!frame) {
                return Error{file.toStdString() + " is not a recording of lockstep-rank: " + frame.error().message};
            }
            if (!*frame) {
                break;
            }
            if (auto taken = recording.take(**frame, fresh, make); !taken) {
                return taken.error();
            }
        }
        if (auto flushed = recording.flush(); !flushed) {
            return flushed.error();
        }
    }
    return recording.finish();
}

} // namespace lockstep::session
