#include "session/store/import_run.h"

#include "base/clock.h"
#include "session/clock_correction.h"
#include "session/run_account.h"
#include "session/shift_times.h"
#include "session/step_join.h"
#include "session/store/run_store.h"
#include "wire/frame.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 ReadAtOnce = 1 << 20;
constexpr std::int32_t MostRanks = 1 << 16;

/// Gathers the frames of all ranks into Deltas and a summary.
class Recording {
public:
    Recording(std::string path, RunId fresh, const MakeWriter& make)
        : m_path(std::move(path))
        , m_fresh(std::move(fresh))
        , m_make(make)
    { }

    /// How far the hosts' clocks are apart, before anything is taken.
    void setClocks(ClockCorrection clocks) { m_clocks = std::move(clocks); }
    Result<void> take(std::int32_t rank, wire::Message message);
    Result<void> flush();
    Result<analysis::RunRecord> finish();

private:
    struct Part {
        bool hasBegun = false; ///< with a spec
        std::optional<wire::Goodbye> goodbye{};
        std::int64_t shiftNs = 0; ///< from this rank's clock to that of the first rank's host, by wall clocks
    };

    Result<void> start(const wire::Welcome& welcome);
    Result<void> begin(std::int32_t rank, const wire::Welcome& welcome);
    void meet(std::int32_t rank, const wire::Hello& hello);
    void addSteps(StepJoin::Joined joined);
    void decideStatus();

    std::string m_path;
    RunId m_fresh;
    const MakeWriter& m_make;
    std::string m_specJson;
    analysis::RunRecord m_record;
    std::unique_ptr<RunWriter> m_writer;
    ClockCorrection m_clocks;
    RunAccount m_account{RunAccount::Curves::Leave};
    std::map<std::int32_t, Part> m_parts;
    std::int32_t m_worldSize = 1;
    std::optional<StepJoin> m_join; ///< once a rank has said how many there are
    std::optional<wire::Hello> m_first;
    bool m_isNoted = false; ///< whose clocks the times are by
    Delta m_delta;
};

Error notARecording(const std::string& path, const std::string& why)
{
    return Error{path + " is not a recording of lockstep-rank: " + why};
}

Result<void> Recording::start(const wire::Welcome& welcome)
{
    auto spec = experiment::parseRunSpec(welcome.specJson);
    if (!spec) {
        return Error{m_path + ": its spec cannot be read: " + spec.error().message};
    }
    m_specJson = welcome.specJson;
    m_record.id = m_fresh;
    m_record.spec = std::move(*spec);
    m_record.status = analysis::RunStatus::Running;
    m_record.createdNs = wallNs();
    m_record.importedFrom = QFileInfo(QString::fromStdString(m_path)).fileName().toStdString();
    LOCKSTEP_TRY_ASSIGN(m_writer, m_make(m_record));
    return {};
}

Result<void> Recording::begin(std::int32_t rank, const wire::Welcome& welcome)
{
    if (!m_writer) {
        LOCKSTEP_TRY(start(welcome));
    }
    if (welcome.specJson != m_specJson) {
        return Error{m_path + ": rank " + std::to_string(rank)
            + " recorded a run with a different spec: these files do not belong to one run"};
    }
    m_parts[rank].hasBegun = true;
    return {};
}

/// Each host counts its own time since it was started. What they have in common, where they have not measured how far
/// their clocks are apart, is the wall clock.
void Recording::meet(std::int32_t rank, const wire::Hello& hello)
{
    m_worldSize = std::max(m_worldSize, hello.worldSize);
    if (!m_join) {
        m_join.emplace(m_worldSize, &m_clocks.clocks());
    }
    if (rank < m_join->ranks()) {
        m_join->setHost(rank, hello.host);
    }
    m_delta.ranks.push_back({rank, RankState::Starting, {}});
    if (!m_first) {
        m_first = hello;
    } else if (hello.host != m_first->host && !m_clocks.clocks().at(rank, 0)) {
        const bool isKnown = hello.clockOffsetNs != 0 && m_first->clockOffsetNs != 0;
        m_parts[rank].shiftNs = isKnown ? hello.clockOffsetNs - m_first->clockOffsetNs : 0;
        if (!std::exchange(m_isNoted, true)) {
            m_delta.logs.push_back({rank,
                {monotonicNs(), wire::LogLevel::Warning,
                    isKnown ? "the ranks ran on several hosts: their times are put together by the hosts' wall clocks, "
                              "and differ by as much as these do"
                            : "the ranks ran on several hosts whose clocks are not known: times of different hosts "
                              "cannot be compared"}});
        }
    }
}

Result<void> Recording::take(std::int32_t rank, wire::Message message)
{
    if (const auto* welcome = std::get_if<wire::Welcome>(&message); welcome != nullptr && !m_parts[rank].hasBegun) {
        return begin(rank, *welcome);
    }
    if (!m_parts[rank].hasBegun) {
        return notARecording(m_path, "it does not begin with a spec");
    }
    if (const auto* hello = std::get_if<wire::Hello>(&message)) {
        if (hello->worldSize > MostRanks || hello->rank < 0 || hello->rank >= MostRanks) {
            return notARecording(m_path, "its number of ranks is out of range");
        }
        meet(rank, *hello);
    } else if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        m_parts[rank].goodbye = *goodbye;
    }
    if (const std::int64_t ns = m_parts[rank].shiftNs; ns != 0) {
        shiftTimes(message, ns);
    }
    if (const auto* steps = std::get_if<wire::StepBatch>(&message);
        steps != nullptr && m_join && rank < m_join->ranks()) {
        addSteps(m_join->add(rank, *steps));
    } else {
        m_delta.add(rank, message);
    }
    return {};
}

void Recording::addSteps(StepJoin::Joined joined)
{
    std::ranges::move(joined.steps, std::back_inserter(m_delta.steps));
    std::ranges::move(joined.spans, std::back_inserter(m_delta.spans));
}

Result<void> Recording::flush()
{
    if (!m_writer) {
        return {};
    }
    m_account.add(m_clocks.isNeeded() ? m_clocks.applied(m_delta) : m_delta);
    auto done = m_writer->add(m_delta);
    m_delta = {};
    return done;
}

/// Finished where every rank is; else what the first rank that is not has said.
void Recording::decideStatus()
{
    m_record.status = analysis::RunStatus::Finished;
    for (std::int32_t rank = 0; rank < m_worldSize; ++rank) {
        const auto part = m_parts.find(rank);
        if (part == m_parts.end() || !part->second.goodbye) {
            const std::string cut = part == m_parts.end()
                ? "the recording of rank " + std::to_string(rank) + " is not among these files"
                : "the recording ends before the run does";
            m_delta.ranks.push_back({rank, RankState::Lost, cut});
            if (m_record.status == analysis::RunStatus::Finished) {
                m_record.status = analysis::RunStatus::Interrupted;
                m_record.message = cut;
            }
            continue;
        }
        const wire::Goodbye& goodbye = *part->second.goodbye;
        const bool bad = goodbye.outcome == wire::Outcome::Failed || goodbye.outcome == wire::Outcome::Refused;
        const bool isStopped = goodbye.outcome == wire::Outcome::Stopped;
        if ((bad && m_record.status != analysis::RunStatus::Failed)
            || (isStopped && m_record.status == analysis::RunStatus::Finished)) {
            m_record.status = bad ? analysis::RunStatus::Failed : analysis::RunStatus::Stopped;
            m_record.message = goodbye.message;
        } else if (m_record.message.empty()) {
            m_record.message = goodbye.message;
        }
    }
}

Result<analysis::RunRecord> Recording::finish()
{
    if (!m_writer) {
        return notARecording(m_path, "it contains no complete frame");
    }
    if (m_join) {
        addSteps(m_join->takeRest());
    }
    decideStatus();
    m_delta.statuses.push_back({m_record.status, m_record.message, wallNs()});
    LOCKSTEP_TRY(flush());
    m_record.summary = m_account.summary();
    LOCKSTEP_TRY(m_writer->finish(m_record.status, m_record.message, m_record.summary));
    return m_record;
}

/// The file of one rank, read piece by piece. Its number is in its Hello; the messages before that wait.
class RankFile {
public:
    explicit RankFile(const QString& path)
        : m_file(path)
    { }

    [[nodiscard]] Result<void> open() { return m_file.open(QIODevice::ReadOnly) ? Result<void>() : unreadable(); }
    [[nodiscard]] bool isAtEnd() const { return m_file.atEnd(); }
    [[nodiscard]] Result<void> readSome(Recording& recording);
    /// Hands over what waits although no Hello has come.
    [[nodiscard]] Result<void> handOver(Recording& recording);

private:
    [[nodiscard]] std::string path() const { return m_file.fileName().toStdString(); }
    [[nodiscard]] Error unreadable() const
    {
        return Error{path() + " cannot be read: " + m_file.errorString().toStdString()};
    }

    QFile m_file;
    wire::FrameDecoder m_decoder;
    std::optional<std::int32_t> m_rank;
    std::vector<wire::Message> m_waiting;
};

Result<void> RankFile::readSome(Recording& recording)
{
    const QByteArray bytes = m_file.read(ReadAtOnce);
    if (bytes.isEmpty()) {
        return unreadable();
    }
    m_decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    for (;;) {
        const auto frame = m_decoder.next();
        if (!frame) {
            return notARecording(path(), frame.error().message);
        }
        if (!*frame) {
            return {};
        }
        auto message = wire::decode(**frame);
        if (!message) {
            return notARecording(path(), message.error().message);
        }
        if (const auto* hello = std::get_if<wire::Hello>(&*message); hello != nullptr && !m_rank) {
            m_rank = hello->rank;
            m_waiting.push_back(std::move(*message));
            LOCKSTEP_TRY(handOver(recording));
        } else if (m_rank) {
            LOCKSTEP_TRY(recording.take(*m_rank, *message));
        } else if (m_waiting.empty() && std::get_if<wire::Welcome>(&*message) == nullptr) {
            return notARecording(path(), "it does not begin with a spec");
        } else {
            m_waiting.push_back(std::move(*message));
            if (m_waiting.size() > 1) {
                m_rank = 0; // an old recording, without a Hello
                LOCKSTEP_TRY(handOver(recording));
            }
        }
    }
}

Result<void> RankFile::handOver(Recording& recording)
{
    for (const wire::Message& message : std::exchange(m_waiting, {})) {
        LOCKSTEP_TRY(recording.take(m_rank.value_or(0), message));
    }
    return {};
}

/// The measurements of the clocks of a file's host. What is wrong with the file is found when it is read.
void learnClocks(ClockCorrection& clocks, const QString& path)
{
    QFile file(path);
    wire::FrameDecoder decoder;
    for (bool isReadable = file.open(QIODevice::ReadOnly); isReadable && !file.atEnd();) {
        const QByteArray bytes = file.read(ReadAtOnce);
        decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        isReadable = !bytes.isEmpty();
        for (auto frame = decoder.next(); isReadable && frame && *frame; frame = decoder.next()) {
            const auto message = wire::decode(**frame);
            isReadable = message.isOk();
            if (const auto* sample = message ? std::get_if<wire::ClockSample>(&*message) : nullptr; sample != nullptr) {
                clocks.learn(*sample);
            }
        }
    }
}

} // namespace

bool isDatabase(const QString& file)
{
    QFile input(file);
    return input.open(QIODevice::ReadOnly) && input.read(15) == "SQLite format 3";
}

QStringList filesOfRun(const QString& file)
{
    static const QRegularExpression OfRank(u"\\.rank\\d+$"_s);
    const QString common = QString(file).remove(OfRank);
    const QFileInfo info(common);
    if (common == file && info.exists()) {
        return {file};
    }
    QStringList files;
    for (const QString& each : info.dir().entryList({info.fileName() + u".rank*"_s}, QDir::Files, QDir::Name)) {
        if (const QString path = info.dir().filePath(each); QString(path).remove(OfRank) == common) {
            files += path;
        }
    }
    return files.isEmpty() ? QStringList(file) : files;
}

Result<analysis::RunRecord> importRecording(const QString& file, const RunId& fresh, const MakeWriter& make)
{
    std::vector<std::unique_ptr<RankFile>> parts;
    const QStringList files = filesOfRun(file);
    ClockCorrection clocks;
    for (const QString& each : files) {
        parts.push_back(std::make_unique<RankFile>(each));
        LOCKSTEP_TRY(parts.back()->open());
        if (files.size() > 1) {
            learnClocks(clocks, each);
        }
    }
    Recording recording(file.toStdString(), fresh, make);
    recording.setClocks(std::move(clocks));
    // In turns, so that the rows of a step come soon after each other.
    for (bool isMore = true; isMore;) {
        isMore = false;
        for (const auto& part : parts) {
            if (!part->isAtEnd()) {
                LOCKSTEP_TRY(part->readSome(recording));
                isMore = true;
            }
        }
        LOCKSTEP_TRY(recording.flush());
    }
    for (const auto& part : parts) {
        LOCKSTEP_TRY(part->handOver(recording));
    }
    return recording.finish();
}

} // namespace lockstep::session
