#include "session/collect/gathered_checkpoints.h"

#include "base/clock.h"
#include "session/store/checkpoints.h"

#include <fmt/format.h>

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QUuid>

#include <algorithm>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::int64_t LargestFile = std::int64_t{1} << 40; ///< bytes

[[nodiscard]] Error failure(const QFile& file)
{
    return Error{
        fmt::format("{}: cannot be written: {}", file.fileName().toStdString(), file.errorString().toStdString())};
}

[[nodiscard]] Result<std::string> sha256Of(const QString& path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) {
        return Error{fmt::format("{}: cannot be read: {}", path.toStdString(), file.errorString().toStdString())};
    }
    return hash.result().toHex().toStdString();
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

std::string GatheredCheckpoints::leaveMark()
{
    if (m_folder.isEmpty() || !QDir().mkpath(m_folder)) {
        return {};
    }
    const QString name = u".workbench-"_s + QUuid::createUuid().toString(QUuid::Id128);
    QFile file(m_folder + u'/' + name);
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        return {};
    }
    m_mark = file.fileName();
    return name.toStdString();
}

QString GatheredCheckpoints::named(std::int64_t step) const
{
    return u"%1/step-%2"_s.arg(m_folder).arg(step, 8, 10, QLatin1Char('0'));
}

QString GatheredCheckpoints::incomingFolder(std::int64_t step) const
{
    return u"%1/.incoming-%2"_s.arg(m_folder).arg(step);
}

bool GatheredCheckpoints::Incoming::has(const std::string& name) const
{
    const auto found = files.find(name);
    return found != files.end() && found->second.isComplete();
}

std::optional<wire::LogLine> GatheredCheckpoints::add(std::int32_t rank, const wire::CheckpointPart& part)
{
    if (m_mark.isEmpty() || m_incoming[part.step].hasFailed) {
        return std::nullopt; // not asked for, or reported
    }
    const auto written = write(rank, part);
    const auto isComplete = written ? complete(part.step) : Result<bool>(written.error());
    if (isComplete && !*isComplete) {
        return std::nullopt;
    }
    if (!isComplete) {
        m_incoming[part.step].hasFailed = true;
        return wire::LogLine{monotonicNs(), wire::LogLevel::Warning,
            fmt::format("the checkpoint of step {} could not be gathered: {}", part.step, isComplete.error().message)};
    }
    m_incoming.erase(part.step);
    dropOldest();
    return wire::LogLine{monotonicNs(), wire::LogLevel::Info,
        fmt::format("checkpoint of step {}: gathered from the hosts in {}", part.step, named(part.step).toStdString())};
}

Result<void> GatheredCheckpoints::write(std::int32_t rank, const wire::CheckpointPart& part)
{
    File& known = m_incoming[part.step].files[part.name];
    const auto size = static_cast<qint64>(part.bytes.size());
    const bool isOwn = part.name == CheckpointManifest || part.name == fmt::format("rank-{}.pt", rank);
    if (!isOwn || part.offset != known.received || size == 0 || part.total > LargestFile
        || part.offset + size > part.total) {
        return Error{fmt::format("rank {} sent something other than the next piece of its file", rank)};
    }
    if (!QDir().mkpath(incomingFolder(part.step))) {
        return Error{fmt::format("the folder {} cannot be made", incomingFolder(part.step).toStdString())};
    }
    QFile file(incomingFolder(part.step) + u'/' + QString::fromStdString(part.name));
    const QIODevice::OpenMode how = part.offset == 0 ? QIODevice::Truncate : QIODevice::Append;
    const char* bytes = reinterpret_cast<const char*>(part.bytes.data()); // NOLINT: bytes as they are
    if (!file.open(QIODevice::WriteOnly | how) || file.write(bytes, size) != size || !file.flush()) {
        return failure(file);
    }
    known = {known.received + size, part.total};
    return {};
}

/// Ranks that share the workbench's folder have named it already; the files of the others are added to it.
Result<bool> GatheredCheckpoints::complete(std::int64_t step)
{
    const Incoming& incoming = m_incoming[step];
    const QDir from(incomingFolder(step));
    const QDir to(named(step));
    const bool brings = incoming.has(CheckpointManifest);
    if (!brings
        && (incoming.files.contains(CheckpointManifest) || !to.exists(QString::fromLatin1(CheckpointManifest)))) {
        return false;
    }
    const std::vector<CheckpointFile> files = filesOf((brings ? from : to).path());
    if (files.empty()) {
        return Error{(brings ? from : to).path().toStdString() + " is not a checkpoint: it has no manifest.json"};
    }
    const bool areAllHere = std::ranges::all_of(files, [&](const CheckpointFile& each) {
        return incoming.has(each.name) || QFile::exists(to.filePath(QString::fromStdString(each.name)));
    });
    if (!areAllHere) {
        return false;
    }
    std::vector<std::string> moved;
    for (const CheckpointFile& file : files) {
        if (!incoming.has(file.name)) {
            continue;
        }
        LOCKSTEP_TRY_ASSIGN(const auto sha256, sha256Of(from.filePath(QString::fromStdString(file.name))));
        if (sha256 != file.sha256) {
            return Error{
                fmt::format("{} is damaged: {} is not what was written", from.path().toStdString(), file.name)};
        }
        moved.push_back(file.name);
    }
    if (brings) {
        moved.push_back(CheckpointManifest); // last: with it the checkpoint is complete
    }
    for (const std::string& each : moved) {
        const QString name = QString::fromStdString(each);
        QFile::remove(to.filePath(name)); // of an earlier attempt at the same step
        QFile file(from.filePath(name));
        if (!to.mkpath(u"."_s) || !file.rename(to.filePath(name))) {
            return failure(file);
        }
    }
    QDir(from).removeRecursively();
    return true;
}

void GatheredCheckpoints::dropOldest() const
{
    const std::vector<Checkpoint> all = checkpointsIn(m_folder);
    const auto kept = static_cast<std::size_t>(m_keep);
    for (std::size_t i = 0; m_keep > 0 && i + kept < all.size(); ++i) {
        QDir(all[i].folder).removeRecursively();
    }
}

} // namespace lockstep::session
