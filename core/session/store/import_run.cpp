#include "session/store/import_run.h"

#include "base/clock.h"
#include "session/run_account.h"
#include "session/store/run_store.h"
#include "wire/frame.h"

#include <QFile>
#include <QFileInfo>

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
    void add(const wire::Message& message);

    std::string m_path;
    analysis::RunRecord m_record;
    std::unique_ptr<RunWriter> m_writer;
    RunAccount m_account{RunAccount::Curves::Leave};
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
    m_record.importedFrom = QFileInfo(QString::fromStdString(m_path)).fileName().toStdString();
    auto writer = make(m_record);
    if (!writer) {
        return writer.error();
    }
    m_writer = std::move(*writer);
    return {};
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
    add(*message);
    return {};
}

void Recording::add(const wire::Message& message)
{
    if (const auto* hello = std::get_if<wire::Hello>(&message)) {
        m_rank = hello->rank;
        m_delta.ranks.push_back({m_rank, RankState::Starting, {}});
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        m_goodbye = *goodbye;
    }
    m_delta.add(m_rank, message);
}

Result<void> Recording::flush()
{
    if (!m_writer) {
        return {};
    }
    m_account.add(m_delta);
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
    } else {
        m_delta.ranks.push_back({m_rank, RankState::Lost, m_record.message});
    }
    m_delta.statuses.push_back({m_record.status, m_record.message, wallNs()});
    if (auto done = flush(); !done) {
        return done.error();
    }
    m_record.summary = m_account.summary();
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
