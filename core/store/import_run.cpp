#include "store/import_run.h"

#include "store/recording.h"
#include "wire/frame.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep::store {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 ReadAtOnce = 1 << 20;
constexpr std::chrono::milliseconds LookAgainAfter{100};
constexpr std::chrono::seconds LastWritten{60};

/// The file of one rank, read piece by piece. Its number is in its Hello; the messages before that wait.
class RankFile {
public:
    explicit RankFile(const QString& path)
        : m_file(path)
    { }

    [[nodiscard]] Result<void> open() { return m_file.open(QIODevice::ReadOnly) ? Result<void>() : unreadable(); }
    /// For now. One that has become shorter is not.
    [[nodiscard]] bool isAtEnd() const { return m_file.size() == m_file.pos(); }
    [[nodiscard]] Result<void> readSome(Recording& recording);
    /// Hands over what waits although no Hello has come.
    [[nodiscard]] Result<void> handOver(Recording& recording);

private:
    [[nodiscard]] std::string path() const { return m_file.fileName().toStdString(); }
    [[nodiscard]] Error unreadable() const
    {
        return failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(path()), verbatim(m_file.errorString().toStdString())});
    }

    QFile m_file;
    wire::FrameDecoder m_decoder;
    std::optional<std::int32_t> m_rank;
    std::vector<wire::Message> m_waiting;
};

Result<void> RankFile::readSome(Recording& recording)
{
    if (m_file.size() < m_file.pos()) {
        return failure(
            LS_TR("Messages", "%1 was begun again while it was being read: another run records into the same file"),
            {verbatim(path())});
    }
    const QByteArray bytes = m_file.read(ReadAtOnce);
    if (bytes.isEmpty()) {
        return unreadable();
    }
    m_decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    for (;;) {
        const auto frame = m_decoder.next();
        if (!frame) {
            return notARecording(path(), frame.error());
        }
        if (!*frame) {
            return {};
        }
        auto message = wire::decode(**frame);
        if (!message) {
            return notARecording(path(), message.error());
        }
        if (const auto* hello = std::get_if<wire::Hello>(&*message); hello != nullptr && !m_rank) {
            m_rank = hello->rank;
            m_waiting.push_back(std::move(*message));
            LOCKSTEP_TRY(handOver(recording));
        } else if (m_rank) {
            LOCKSTEP_TRY(recording.take(*m_rank, *message));
        } else if (m_waiting.empty() && std::get_if<wire::Welcome>(&*message) == nullptr) {
            return notARecording(path(), LS_TR("Messages", "it does not begin with a spec"));
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

/// Calls `visit` for each frame until it returns false; false where the file cannot be read or is no recording.
bool eachFrame(const QString& path, const std::function<bool(std::span<const std::byte>)>& visit)
{
    QFile file(path);
    wire::FrameDecoder decoder;
    for (bool isReadable = file.open(QIODevice::ReadOnly); isReadable && !file.atEnd();) {
        const QByteArray bytes = file.read(ReadAtOnce);
        decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        auto frame = decoder.next();
        for (; frame && *frame; frame = decoder.next()) {
            if (!visit(**frame)) {
                return true;
            }
        }
        isReadable = !bytes.isEmpty() && frame.isOk();
    }
    return file.isOpen() && file.atEnd();
}

/// The measurements of the clocks of a file's host. What is wrong with the file is found when it is read.
void learnClocks(ClockCorrection& clocks, const QString& path)
{
    static_cast<void>(eachFrame(path, [&clocks](std::span<const std::byte> frame) {
        const auto message = wire::decode(frame);
        if (const auto* sample = message ? std::get_if<wire::ClockSample>(&*message) : nullptr; sample != nullptr) {
            clocks.learn(*sample);
        }
        return message.isOk();
    }));
}

/// Those of all ranks.
class RankFiles {
public:
    explicit RankFiles(QString name)
        : m_name(std::move(name))
    { }

    /// Those that have not been opened.
    [[nodiscard]] Result<void> open();
    /// Those of them that are there.
    [[nodiscard]] Result<void> openExisting()
    {
        return QFileInfo::exists(filesOfRun(m_name).front()) ? open() : Result<void>();
    }
    /// From all files, which are read for it.
    [[nodiscard]] ClockCorrection clocks() const;
    [[nodiscard]] bool isMore() const;
    /// In turns, so that the rows of a step come soon after each other.
    [[nodiscard]] Result<void> readSome(Recording& recording);
    [[nodiscard]] Result<void> handOver(Recording& recording);

private:
    QString m_name;
    std::map<QString, std::unique_ptr<RankFile>> m_files; ///< by path
};

Result<void> RankFiles::open()
{
    for (const QString& path : filesOfRun(m_name)) {
        if (!m_files.contains(path)) {
            auto file = std::make_unique<RankFile>(path);
            LOCKSTEP_TRY(file->open());
            m_files.emplace(path, std::move(file));
        }
    }
    return {};
}

ClockCorrection RankFiles::clocks() const
{
    ClockCorrection clocks;
    for (const auto& [path, file] : m_files) {
        if (m_files.size() > 1) {
            learnClocks(clocks, path);
        }
    }
    return clocks;
}

bool RankFiles::isMore() const
{
    return std::ranges::any_of(m_files, [](const auto& each) { return !each.second->isAtEnd(); });
}

Result<void> RankFiles::readSome(Recording& recording)
{
    for (const auto& [path, file] : m_files) {
        if (!file->isAtEnd()) {
            LOCKSTEP_TRY(file->readSome(recording));
        }
    }
    return recording.flush();
}

Result<void> RankFiles::handOver(Recording& recording)
{
    for (const auto& [path, file] : m_files) {
        LOCKSTEP_TRY(file->handOver(recording));
    }
    return {};
}

/// Until every rank has ended, or no more is to be expected.
Result<void> follow(
    Recording& recording, RankFiles& files, const KeepReading& keepReading, std::chrono::milliseconds silence)
{
    auto lastRead = std::chrono::steady_clock::now();
    while (!recording.isOver()) {
        if (!keepReading(recording.followed())) {
            recording.setEnd(LS_TR("Messages", "reading the recording was stopped before the run ended"));
            return {};
        }
        LOCKSTEP_TRY(files.openExisting());
        if (files.isMore()) {
            LOCKSTEP_TRY(files.readSome(recording));
            lastRead = std::chrono::steady_clock::now();
        } else if (recording.hasEndedRank() && std::chrono::steady_clock::now() - lastRead > silence) {
            return {};
        } else {
            std::this_thread::sleep_for(LookAgainAfter);
        }
    }
    return {};
}

template <typename Message>
bool holds(std::span<const std::byte> frame)
{
    const auto message = wire::decode(frame);
    return message && std::holds_alternative<Message>(*message);
}

bool isRecording(const QString& path)
{
    bool isOne = false;
    return eachFrame(path, [&isOne](std::span<const std::byte> frame) {
        isOne = holds<wire::Welcome>(frame);
        return false;
    }) && isOne;
}

/// Whether the rank that writes it has said how it ended.
bool hasEnded(const QString& path)
{
    std::vector<std::byte> last;
    const bool isRead = eachFrame(path, [&last](std::span<const std::byte> frame) {
        last.assign(frame.begin(), frame.end());
        return true;
    });
    return isRead && holds<wire::Goodbye>(last);
}

} // namespace

bool isDatabase(const QString& file)
{
    QFile input(file);
    return input.open(QIODevice::ReadOnly) && input.read(15) == "SQLite format 3";
}

bool beginsAsRecording(const QString& file)
{
    QFile input(file);
    const QByteArray bytes = input.open(QIODevice::ReadOnly) ? input.read(8) : QByteArray();
    wire::FrameDecoder decoder;
    decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    return decoder.next().isOk();
}

bool isBeingRecorded(const QString& file)
{
    const QStringList files = filesOfRun(file);
    const QDateTime now = QDateTime::currentDateTime();
    const auto isNew = [&now](const QString& path) { // by the clock of the machine that has the file
        const QDateTime written = QFileInfo(path).lastModified();
        return written.isValid() && std::abs(written.secsTo(now)) < LastWritten.count();
    };
    return std::ranges::any_of(files, isNew) && std::ranges::all_of(files, isRecording)
        && !std::ranges::all_of(files, hasEnded);
}

QString recordingOf(const QString& file)
{
    static const QRegularExpression OfRank(u"\\.rank\\d+$"_s);
    return QString(file).remove(OfRank);
}

QStringList filesOfRun(const QString& file)
{
    const QString common = recordingOf(file);
    const QFileInfo info(common);
    if (common == file && info.exists()) {
        return {file};
    }
    QStringList files;
    for (const QString& each : info.dir().entryList({info.fileName() + u".rank*"_s}, QDir::Files, QDir::Name)) {
        if (const QString path = info.dir().filePath(each); recordingOf(path) == common) {
            files += path;
        }
    }
    return files.isEmpty() ? QStringList(file) : files;
}

Result<analysis::RunRecord> importRecording(const QString& file, const RunId& fresh, const MakeWriter& make)
{
    Recording recording(file.toStdString(), fresh, make, false);
    RankFiles files(file);
    LOCKSTEP_TRY(files.open());
    recording.setClocks(files.clocks());
    while (files.isMore()) {
        LOCKSTEP_TRY(files.readSome(recording));
    }
    LOCKSTEP_TRY(files.handOver(recording));
    return recording.finish();
}

Result<Followed> followRecording(const QString& file, const RunId& fresh, const MakeWriter& make,
    const KeepReading& keepReading, std::chrono::milliseconds silence)
{
    // Files of an earlier run may be there instead.
    if (std::ranges::all_of(filesOfRun(file), hasEnded)) {
        return failure(
            LS_TR("Messages", "%1 is not written any more: its ranks have ended; import it without --follow"),
            {verbatim(file.toStdString())});
    }
    Recording recording(file.toStdString(), fresh, make, true);
    RankFiles files(file);
    auto read = follow(recording, files, keepReading, silence);
    read = read ? files.handOver(recording) : std::move(read);
    if (!recording.hasBegun()) {
        return read ? failure(LS_TR("Messages", "no rank has begun to record into %1"), {verbatim(file.toStdString())})
                    : read.error();
    }
    LOCKSTEP_TRY_ASSIGN(const auto record, recording.finish(read));
    return Followed{record.id, recording.followed().lastStep, read ? Text() : Text(read.error())};
}

} // namespace lockstep::store
