#include "launch/collect/gathered_checkpoints.h"

#include "base/checkpoint_names.h"
#include "base/clock.h"
#include "base/draft_folder.h"
#include "store/checkpoints.h"

#include <fmt/format.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

constexpr std::int64_t LargestFile = std::int64_t{1} << 40; ///< bytes
/// What a disk keeps for the run's own file, in bytes.
constexpr std::int64_t Reserve = std::int64_t{256} << 20;
constexpr std::size_t MostSteps = 8; ///< that are incoming at once; ranks send two

[[nodiscard]] Error writeFailure(const QFile& file)
{
    return failure(LS_TR("Messages", "%1: cannot be written: %2"),
        {verbatim(file.fileName().toStdString()), verbatim(file.errorString().toStdString())});
}

} // namespace

GatheredCheckpoints::GatheredCheckpoints(QString folder, std::int64_t keep)
    : m_folder(std::move(folder))
    , m_keep(keep)
{ }

GatheredCheckpoints::~GatheredCheckpoints()
{
    if (m_mark.isEmpty()) {
        return;
    }
    QFile::remove(m_mark);
    for (const auto& [step, incoming] : m_incoming) {
        QDir(incomingFolder(step)).removeRecursively(); // what is not complete
    }
    QDir().rmdir(m_folder); // if nothing is in it
}

Result<std::string> GatheredCheckpoints::leaveMark()
{
    if (m_folder.isEmpty()) {
        return std::string();
    }
    if (!QDir().mkpath(m_folder)) {
        return failure(LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(m_folder.toStdString())});
    }
    // Those of a workbench that was killed.
    const QDir folder(m_folder);
    for (const QString& name : folder.entryList({u".workbench-*"_s}, QDir::Files | QDir::Hidden)) {
        QFile::remove(folder.filePath(name));
    }
    for (const QString& name : folder.entryList({u".incoming-*"_s}, QDir::Dirs | QDir::Hidden)) {
        QDir(folder.filePath(name)).removeRecursively();
    }
    const QString name = u".workbench-"_s + QUuid::createUuid().toString(QUuid::Id128);
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        return writeFailure(file);
    }
    m_mark = file.fileName();
    return name.toStdString();
}

QString GatheredCheckpoints::named(std::int64_t step) const
{
    return m_folder + u'/' + QString::fromStdString(checkpointName(step));
}

QString GatheredCheckpoints::incomingFolder(std::int64_t step) const
{
    return u"%1/.incoming-%2"_s.arg(m_folder).arg(step);
}

bool GatheredCheckpoints::Incoming::has(const std::string& name) const
{
    const auto found = files.find(name);
    return found != files.end() && !found->second.sha256.empty();
}

std::optional<wire::LogLine> GatheredCheckpoints::add(std::int32_t rank, const wire::CheckpointPart& part)
{
    // Not asked for; an older one than that which is complete, or the same saved again; or reported.
    const bool isNewStep = !m_incoming.contains(part.step);
    if (m_mark.isEmpty() || part.step <= m_complete || (isNewStep && m_incoming.size() >= MostSteps)
        || m_incoming[part.step].hasFailed) {
        return std::nullopt;
    }
    const auto isComplete = take(rank, part);
    if (isComplete && !*isComplete) {
        return std::nullopt;
    }
    dropIncoming(part.step);
    if (!isComplete) {
        m_incoming[part.step].hasFailed = true;
        return wire::LogLine::of(
            monotonicNs(), wire::LogLevel::Warning, {CheckpointNotGathered, {part.step, isComplete.error()}});
    }
    m_complete = part.step;
    dropOldest();
    return wire::LogLine::of(monotonicNs(), wire::LogLevel::Info,
        {LS_TR("Messages", "checkpoint of step %1: the files of all hosts are in %2"),
            {part.step, verbatim(named(part.step).toStdString())}});
}

Result<bool> GatheredCheckpoints::take(std::int32_t rank, const wire::CheckpointPart& part)
{
    LOCKSTEP_TRY(write(rank, part));
    return m_incoming[part.step].has(part.name) ? complete(part.step) : Result<bool>(false);
}

void GatheredCheckpoints::dropIncoming(std::int64_t step)
{
    while (!m_incoming.empty() && m_incoming.begin()->first <= step) {
        QDir(incomingFolder(m_incoming.begin()->first)).removeRecursively();
        m_incoming.erase(m_incoming.begin());
    }
}

Result<void> GatheredCheckpoints::write(std::int32_t rank, const wire::CheckpointPart& part)
{
    File& known = m_incoming[part.step].files[part.name];
    const auto size = static_cast<qint64>(part.bytes.size());
    const bool isManifest = rank == 0 && part.name == CheckpointManifest;
    const bool isOwn = isManifest || part.name == checkpointFileName(rank);
    if (!isOwn || part.offset != known.received || size == 0 || part.total > LargestFile
        || part.offset + size > part.total) {
        return failure(LS_TR("Messages", "rank %1 sent something other than the next piece of its file"), {rank});
    }
    if (part.offset == 0) {
        if (!QDir().mkpath(incomingFolder(part.step))) {
            return failure(
                LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(incomingFolder(part.step).toStdString())});
        }
        const auto room = freeBytes(m_folder.toStdString());
        if (room && *room < part.total + Reserve) {
            return failure(LS_TR("Messages", "%1: cannot be written: there is not enough room"),
                {verbatim(m_folder.toStdString())});
        }
        known.hash = std::make_unique<QCryptographicHash>(QCryptographicHash::Sha256);
    }
    QFile file(incomingFolder(part.step) + u'/' + QString::fromStdString(part.name));
    const QIODevice::OpenMode how = part.offset == 0 ? QIODevice::Truncate : QIODevice::Append;
    const QByteArrayView bytes(part.bytes.data(), size);
    if (!file.open(QIODevice::WriteOnly | how) || file.write(bytes.data(), size) != size || !file.flush()) {
        return writeFailure(file);
    }
    known.hash->addData(bytes);
    known.received += size;
    if (known.received == part.total) {
        known.sha256 = known.hash->result().toHex().toStdString();
    }
    return {};
}

/// Ranks that share the workbench's folder have named it already; the files of the others are added to it.
Result<bool> GatheredCheckpoints::complete(std::int64_t step)
{
    const Incoming& incoming = m_incoming[step];
    if (!incoming.has(CheckpointManifest)) {
        return false;
    }
    const QDir from(incomingFolder(step));
    const QDir to(named(step));
    const std::vector<store::CheckpointFile> files = store::filesOf(from.path());
    if (files.empty()) {
        return failure(LS_TR("Messages", "%1 is not a checkpoint: it has no %2"),
            {verbatim(from.path().toStdString()), verbatim(CheckpointManifest)});
    }
    std::vector<std::string> moved;
    for (const store::CheckpointFile& file : files) {
        const auto found = incoming.files.find(file.name);
        if (found == incoming.files.end()
            && QFileInfo(to.filePath(QString::fromStdString(file.name))).size() == file.bytes) {
            continue; // of a rank that writes here
        }
        if (!incoming.has(file.name)) {
            return false;
        }
        if (found->second.sha256 != file.sha256) {
            return failure(LS_TR("Messages", "%1 is damaged: %2 is not what was written"),
                {verbatim(from.path().toStdString()), verbatim(file.name)});
        }
        moved.push_back(file.name);
    }
    moved.emplace_back(CheckpointManifest); // last: with it the checkpoint is complete
    for (const std::string& each : moved) {
        const QString name = QString::fromStdString(each);
        const std::string target = to.filePath(name).toStdString(); // there may be one of an earlier attempt
        const int code = to.mkpath(u"."_s) ? renameOnDisk(from.filePath(name).toStdString(), target) : errno;
        if (code != 0) {
            return failure(LS_TR("Messages", "%1: cannot be written: %2"), {verbatim(target), systemError(code)});
        }
    }
    static_cast<void>(syncToDisk(m_folder.toStdString())); // which has the name of its folder
    return true;
}

/// Only those that are whole count.
void GatheredCheckpoints::dropOldest() const
{
    std::vector<store::Checkpoint> all = store::checkpointsIn(m_folder);
    std::erase_if(all, [](const store::Checkpoint& each) { return !each.isWhole; });
    const auto kept = static_cast<std::size_t>(m_keep);
    for (std::size_t i = 0; m_keep > 0 && i + kept < all.size(); ++i) {
        QDir(all[i].folder).removeRecursively();
    }
}

} // namespace lockstep::launch
