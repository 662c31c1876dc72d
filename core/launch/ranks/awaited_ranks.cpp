#include "launch/ranks/awaited_ranks.h"

#include "base/clock.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "launch/own/own_program.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep::launch {

namespace {

constexpr std::size_t LongestFile = 4096;

Descriptor openedFile(const QString& path)
{
    struct stat facts { };
    // A pipe would wait for its other end.
    Descriptor file(
        uninterrupted([&] { return ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }));
    return file.isOpen() && ::fstat(file.number(), &facts) == 0 && S_ISREG(facts.st_mode) ? std::move(file)
                                                                                          : Descriptor();
}

bool isLocked(const Descriptor& file)
{
    return uninterrupted([&] { return ::flock(file.number(), LOCK_EX | LOCK_NB); }) == 0;
}

/// Whether a file of this name may be replaced: it is of a workbench that has ended.
Result<void> checkReplaceable(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        return {};
    }
    const Text name = verbatim(path.toStdString());
    const Descriptor before = openedFile(path);
    if (!before.isOpen() || !wire::readWorkbenchFile(readUpTo(before.number(), LongestFile))) {
        return failure(
            LS_TR("Messages", "%1 already exists and was not written by a workbench: give another name"), {name});
    }
    return isLocked(before)
        ? Result<void>()
        : failure(
            LS_TR("Messages", "%1 is in use: another workbench waits for its ranks there. Give another name"), {name});
}

/// For this user alone, whole or not at all; over no other file than one of these. Open and locked as long as the
/// workbench waits: the kernel releases it if that dies.
Result<Descriptor> writeSecretFile(const QString& path, const std::string& text)
{
    LOCKSTEP_TRY(checkReplaceable(path));
    const QByteArray name = QFile::encodeName(path);
    QByteArray fresh = name + ".XXXXXX";
    Descriptor file(::mkostemp(fresh.data(), O_CLOEXEC)); // of mode 0600
    int code = errno;
    if (file.isOpen()) {
        static_cast<void>(isLocked(file)); // some file systems have no locks
        code = writeAll(file.number(), text) ? renameOnDisk(fresh.constData(), name.constData()) : errno;
        if (code == 0) {
            return file;
        }
        ::unlink(fresh.constData());
    }
    return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path.toStdString()), systemError(code)});
}

} // namespace

Result<void> checkAwaited(const experiment::RunSpec& spec)
{
    return isOwnProgram(spec) ? refusal(nameOf(&experiment::RankSettings::program),
               LS_TR("Refusals", "--launch wait is for lockstep-rank, not for `%1`"),
               {verbatim(spec.settings->rank.program)})
                              : Result<void>();
}

AwaitedRank::AwaitedRank(std::int32_t rank, CutOff cutOff, Arrived arrived, Shifts shifts, QObject* parent)
    : RankProcess(rank, parent)
    , m_cutOff(std::move(cutOff))
    , m_arrived(std::move(arrived))
    , m_shifts(std::move(shifts))
{ }

void AwaitedRank::connectionOpened(const wire::Hello& hello)
{
    const std::int64_t here = wallNs() - monotonicNs();
    m_shiftNs
        = m_shifts->try_emplace(hello.host, hello.clockOffsetNs != 0 ? hello.clockOffsetNs - here : 0).first->second;
    m_arrived(rank(), hello);
}

void AwaitedRank::connectionClosed(bool hasSaidGoodbye)
{
    m_saidGoodbye = hasSaidGoodbye;
    end(LS_TR("Messages", "closed its connection"));
}

void AwaitedRank::terminate()
{
    if (isAlive()) {
        m_cutOff(rank());
        end(LS_TR("Messages", "was cut off"));
    }
}

void AwaitedRank::end(Text cause)
{
    if (isAlive()) {
        m_cause = std::move(cause);
        reportEnd();
    }
}

AwaitedRanks::AwaitedRanks(QString file, QObject* parent)
    : RankLauncher(parent)
    , m_file(std::move(file))
{ }

AwaitedRanks::~AwaitedRanks()
{
    removeFile();
}

void AwaitedRanks::removeFile()
{
    const Descriptor file = openedFile(m_file);
    if (!m_text.empty() && file.isOpen() && readUpTo(file.number(), LongestFile) == m_text) {
        QFile::remove(m_file);
    }
    m_lock.close();
}

std::vector<RankProcess*> AwaitedRanks::start(const RankStart& start)
{
    m_text = wire::toText({start.where.run.text, start.address, start.where.secret});
    auto written = writeSecretFile(m_file, m_text);
    const auto shifts = std::make_shared<std::map<std::string, std::int64_t>>();
    const auto arrived = [this, size = start.where.worldSize](std::int32_t rank, const wire::Hello& hello) {
        Q_EMIT noted({LS_TR("Messages", "rank %1 of %2 has connected, from %3"), {rank, size, verbatim(hello.host)}});
    };
    std::vector<RankProcess*> ranks;
    for (std::int32_t rank = 0; rank < start.where.worldSize; ++rank) {
        ranks.push_back(new AwaitedRank(rank, start.cutOff, arrived, shifts, this));
        ++m_alive;
        // The workbench no longer listens then, and a rank of the next run is to wait for its file.
        connect(ranks.back(), &RankProcess::ended, this, [this] {
            if (--m_alive == 0) {
                removeFile();
            }
        });
    }
    if (!written) {
        const Error why = written.error();
        // The ranks are known to the run once this has returned.
        QMetaObject::invokeMethod(
            this, [this, why] { Q_EMIT failed(why, FailureCause::Workbench); }, Qt::QueuedConnection);
    } else {
        m_lock = std::move(*written);
        Q_EMIT noted(
            {LS_TR("Messages", "the workbench waits at %1 for %2 ranks that others start with LOCKSTEP_WORKBENCH=%3"),
                {verbatim(start.address.hostAndPort), start.where.worldSize, verbatim(m_file.toStdString())}});
    }
    return ranks;
}

} // namespace lockstep::launch
