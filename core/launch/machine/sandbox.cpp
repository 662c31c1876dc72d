#include "launch/machine/sandbox.h"

#include "base/descriptor.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "launch/machine/machine_facts.h"
#include "launch/machine/process_tree.h"
#include "launch/ranks/local_process.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

constexpr int TrialMs = 20000;
constexpr int WatchMs = 50;
constexpr int EndMs = 5000;
constexpr int TicksAFolder = 4; ///< ticks of the watchdog between two looks at the folder
constexpr int MostFiles = 20000; ///< in the folder
/// The user that code has where root marks: none of the system's. A process of root without capabilities could still
/// change the modes of the machine's devices, and is not bound by RLIMIT_NPROC.
constexpr uid_t GuestOfRoot = 65533;

/// That may go from the disk meanwhile. Files without a name, and those deeper than paths reach, are not in the folder.
constexpr std::int64_t MostOfDisk = std::int64_t{4} << 30;
/// bubblewrap writes the id of the sandbox's first process there (`--info-fd`).
constexpr int InfoDescriptor = 8;

/// `localhost` has its address from here: bubblewrap copies descriptor 9. In a trial no process reads descriptor 8.
const char* const Start = "test -e /proc/self/fd/8 || exec 8>/dev/null\n"
                          "exec 9<<END\n127.0.0.1 localhost sandbox\nEND\nexec \"$@\"";

[[nodiscard]] bool isWithin(const QString& path, const QString& folder)
{
    return path == folder || path.startsWith(folder.endsWith(u'/') ? folder : folder + u'/');
}

/// As given and, where that leads over links, as it is.
[[nodiscard]] QStringList spellings(const QString& path)
{
    QStringList both{QDir::cleanPath(QFileInfo(path).absoluteFilePath())};
    if (const QString real = QFileInfo(path).canonicalFilePath(); !both.contains(real)) {
        both.append(real);
    }
    return both;
}

[[nodiscard]] Result<void> checkPath(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        return failure(LS_TR("Messages", "%1 does not exist"), {verbatim(path.toStdString())});
    }
    const QString home = QFileInfo(QDir::homePath()).canonicalFilePath();
    for (const QString& each : spellings(path)) {
        if (each == u"/"_s || isWithin(home, each)) {
            return failure(LS_TR("Messages", "%1 contains the home folder, which code that is marked may not read"),
                {verbatim(path.toStdString())});
        }
    }
    return {};
}

[[nodiscard]] QStringList systemArguments()
{
    QStringList arguments{u"--ro-bind"_s, u"/usr"_s, u"/usr"_s};
    for (const QString& path : {u"/bin"_s, u"/sbin"_s, u"/lib"_s, u"/lib32"_s, u"/libx32"_s, u"/lib64"_s}) {
        if (const QFileInfo info(path); info.isSymLink()) {
            arguments << u"--symlink"_s << QFile::symLinkTarget(path) << path;
        } else if (info.isDir()) {
            arguments << u"--ro-bind"_s << path << path;
        }
    }
    for (const QString& path : {u"/etc/alternatives"_s, u"/etc/ld.so.cache"_s, u"/etc/ld.so.conf"_s}) {
        arguments << u"--ro-bind-try"_s << path << path;
    }
    return arguments;
}

[[nodiscard]] QStringList folderArguments(const Box& box)
{
    QStringList above;
    QStringList inside;
    for (const QString& path : box.readOnly) {
        for (const QString& each : spellings(path)) {
            (isWithin(QFileInfo(box.folder).canonicalFilePath(), each) ? above : inside)
                << u"--ro-bind"_s << each << each;
        }
    }
    for (const QString& each : spellings(box.folder)) {
        above << u"--bind"_s << each << each;
    }
    return above + inside;
}

[[nodiscard]] QStringList environmentArguments(const Box& box)
{
    std::map<QString, QString> environment{{u"PATH"_s, u"/usr/local/bin:/usr/bin:/bin"_s}, {u"HOME"_s, u"/tmp"_s},
        {u"USER"_s, u"student"_s}, {u"LANG"_s, u"C.UTF-8"_s}, {u"OMP_NUM_THREADS"_s, u"1"_s},
        {u"GLOO_SOCKET_IFNAME"_s, u"lo"_s}, {u"TP_SOCKET_IFNAME"_s, u"lo"_s}};
    for (const auto& [name, value] : box.environment) {
        environment[name] = value;
    }
    QStringList arguments{u"--clearenv"_s};
    for (const auto& [name, value] : environment) {
        arguments << u"--setenv"_s << name << value;
    }
    return arguments;
}

[[nodiscard]] QStringList limitArguments(const SandboxLimits& limits)
{
    return {u"prlimit"_s, u"--as=%1"_s.arg(limits.addressBytes), u"--fsize=%1"_s.arg(limits.fileBytes),
        u"--nproc=%1"_s.arg(limits.processes), u"--cpu=%1"_s.arg(2 * limits.seconds), u"--nofile=1024"_s, u"--core=0"_s,
        u"--"_s};
}

[[nodiscard]] SandboxedCommand boxed(const QString& bubblewrap, const QStringList& command, const Box& box)
{
    // Without an environment from the start: bubblewrap's own is to be read at /proc/1/environ.
    QStringList arguments{u"-i"_s, u"PATH=/usr/sbin:/usr/bin:/sbin:/bin"_s, u"/bin/sh"_s, u"-c"_s,
        QString::fromLatin1(Start), u"sandbox"_s};
    if (geteuid() == 0) {
        arguments << u"setpriv"_s << u"--reuid=%1"_s.arg(GuestOfRoot) << u"--regid=%1"_s.arg(GuestOfRoot)
                  << u"--clear-groups"_s << u"--inh-caps=-all"_s << u"--"_s;
    }
    const QString size = QString::number(box.limits.temporaryBytes);
    arguments << bubblewrap << u"--unshare-all"_s << u"--unshare-user"_s << u"--disable-userns"_s << u"--new-session"_s
              << u"--die-with-parent"_s << u"--info-fd"_s << QString::number(InfoDescriptor) << u"--uid"_s << u"1000"_s
              << u"--gid"_s << u"1000"_s << u"--hostname"_s << u"sandbox"_s;
    arguments << systemArguments() << u"--ro-bind-data"_s << u"9"_s << u"/etc/hosts"_s << u"--proc"_s << u"/proc"_s
              << u"--dev"_s << u"/dev"_s << u"--size"_s << size << u"--tmpfs"_s << u"/dev/shm"_s << u"--remount-ro"_s
              << u"/dev"_s << u"--size"_s << size << u"--tmpfs"_s << u"/tmp"_s;
    arguments << folderArguments(box) << u"--remount-ro"_s << u"/"_s << u"--chdir"_s << box.folder
              << environmentArguments(box) << u"--"_s << limitArguments(box.limits) << command;
    return {u"/usr/bin/env"_s, arguments};
}

/// All below it, links too, which are not followed.
[[nodiscard]] QStringList entriesOf(const QString& folder)
{
    constexpr auto All = QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;
    QStringList paths;
    for (QDirIterator each(folder, All, QDirIterator::Subdirectories); each.hasNext();) {
        paths << each.next();
    }
    return paths;
}

/// To the user that root runs code as.
[[nodiscard]] Result<void> giveAway(const QString& folder)
{
    if (geteuid() != 0) {
        return {};
    }
    const QStringList paths = entriesOf(folder) << folder;
    for (const QString& path : paths) {
        if (lchown(QFile::encodeName(path).constData(), GuestOfRoot, GuestOfRoot) != 0) {
            return failure(LS_TR("Messages", "%1 cannot be given to the user of the sandbox: %2"),
                {verbatim(path.toStdString()), systemError()});
        }
    }
    return {};
}

/// Removes links, pipes and sockets, and opens folders that the program has closed: what is in them would stay.
void cleanUp(const QString& folder)
{
    constexpr auto All = QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot;
    struct stat status { };
    if (const QByteArray name = QFile::encodeName(folder); stat(name.constData(), &status) == 0) {
        (void)chmod(name.constData(), (status.st_mode & ALLPERMS) | S_IRWXU);
    }
    const QStringList entries = QDir(folder).entryList(All);
    for (const QString& entry : entries) {
        const QString path = folder + u'/' + entry;
        const QByteArray name = QFile::encodeName(path);
        if (lstat(name.constData(), &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            cleanUp(path);
        } else if (!S_ISREG(status.st_mode)) {
            unlink(name.constData());
        }
    }
}

[[nodiscard]] std::int64_t bytesOfFolder(const QString& folder)
{
    std::int64_t bytes = 0;
    int files = 0;
    for (QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
             QDirIterator::Subdirectories);
         each.hasNext() && files <= MostFiles; ++files) {
        each.next();
        bytes += each.fileInfo().isSymLink() ? 0 : each.fileInfo().size();
    }
    return files > MostFiles ? std::numeric_limits<std::int64_t>::max() : bytes;
}

[[nodiscard]] Text ended(SandboxedCause cause, const SandboxLimits& limits)
{
    switch (cause) {
    case SandboxedCause::Time:
        return {LS_TR("Messages", "ended after %1 s, the time it may take"), {limits.seconds}};
    case SandboxedCause::Processes:
        return {LS_TR("Messages", "ended: too many processes and threads (at most %1)"), {limits.processes}};
    case SandboxedCause::Memory:
        return {LS_TR("Messages", "ended: it used more than %1 MiB of memory"), {limits.memoryBytes >> 20}};
    case SandboxedCause::Folder:
        return {
            LS_TR("Messages", "ended: it wrote more than %1 MiB or %2 files"), {limits.folderBytes >> 20, MostFiles}};
    case SandboxedCause::Output:
        return {LS_TR("Messages", "ended: it printed more than %1 MiB"), {limits.outputBytes >> 20}};
    case SandboxedCause::Cancelled:
        return LS_TR("Messages", "cancelled");
    case SandboxedCause::Ended:
    case SandboxedCause::NotStarted:
        break;
    }
    return {};
}

/// That of the process whose id bubblewrap writes there; none where the kernel has no such descriptors (before 5.3) or
/// it has ended.
[[nodiscard]] Descriptor firstProcess(const Descriptor& info)
{
    std::array<char, 256> bytes{};
    constexpr std::string_view Name = "\"child-pid\": ";
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(EndMs);
    if (!waitFor(info.number(), POLLIN, deadline) || read(info.number(), bytes.data(), bytes.size() - 1) <= 0) {
        return {};
    }
    const std::string_view text(bytes.data());
    const auto name = text.find(Name);
    pid_t id = 0;
    if (name != std::string_view::npos) {
        std::from_chars(text.data() + name + Name.size(), text.data() + text.size(), id);
    }
    return Descriptor(id > 0 ? static_cast<int>(syscall(SYS_pidfd_open, id, 0)) : -1);
}

/// Watches one program to its end.
class SandboxWatch {
public:
    explicit SandboxWatch(const Box& box)
        : m_box(box)
        , m_free(freeBytes(box.folder.toStdString()))
    { }

    [[nodiscard]] SandboxedEnd run(const SandboxedCommand& command)
    {
        std::array<int, 2> ends{-1, -1};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            return notStarted(systemError());
        }
        const Descriptor info(ends[0]);
        Descriptor toInfo(ends[1]);
        m_process.setStandardInputFile(QProcess::nullDevice());
        m_process.setChildProcessModifier([here = getpid(), end = toInfo.number()] {
            isolate(here, SIGKILL, end == InfoDescriptor ? end : -1);
            dup2(end, InfoDescriptor);
        });
        m_elapsed.start();
        m_process.start(command.program, command.arguments, QIODevice::ReadOnly);
        const bool isStarted = m_process.waitForStarted(EndMs);
        toInfo.close();
        if (!isStarted) {
            return notStarted(verbatim(m_process.errorString().toStdString()));
        }
        m_first = firstProcess(info);
        while (!m_process.waitForFinished(WatchMs) && m_process.state() != QProcess::NotRunning) {
            if (m_end.cause = broken(); m_end.cause != SandboxedCause::Ended) {
                killTree(static_cast<pid_t>(m_process.processId()));
                m_process.waitForFinished(EndMs);
                break;
            }
        }
        finish();
        return m_end;
    }

private:
    [[nodiscard]] SandboxedEnd notStarted(Text why)
    {
        m_end.cause = SandboxedCause::NotStarted;
        m_end.why = std::move(why);
        return m_end;
    }

    /// The limit that it is over, or Ended.
    [[nodiscard]] SandboxedCause broken()
    {
        const SandboxLimits& limits = m_box.limits;
        take();
        if (m_end.out.size() + m_end.error.size() > limits.outputBytes) {
            return SandboxedCause::Output;
        }
        if (m_box.cancelled != nullptr && *m_box.cancelled) {
            return SandboxedCause::Cancelled;
        }
        const ProcessTree tree = processTree(static_cast<pid_t>(m_process.processId()));
        // The kernel refuses more, and earlier where the same user runs others. bubblewrap itself is two of them.
        const bool isLate = m_elapsed.elapsed() > limits.seconds * 1000;
        if (tree.threads >= (isLate ? limits.processes / 2 : limits.processes)) {
            return SandboxedCause::Processes;
        }
        if (isLate) {
            return SandboxedCause::Time;
        }
        // Forked processes share most pages: only where the quick sum is over the limit are they counted once.
        if (tree.residentBytes > limits.memoryBytes && proportionalBytes(tree) > limits.memoryBytes) {
            return SandboxedCause::Memory;
        }
        return ++m_ticks % TicksAFolder == 0 && hasFilled() ? SandboxedCause::Folder : SandboxedCause::Ended;
    }

    [[nodiscard]] bool hasFilled() const
    {
        const auto free = freeBytes(m_box.folder.toStdString());
        const bool isDiskLess = m_free && free && *m_free - *free > std::min(MostOfDisk, *m_free / 2);
        return isDiskLess || bytesOfFolder(m_box.folder) > m_box.limits.folderBytes;
    }

    void take()
    {
        m_end.out += m_process.readAllStandardOutput();
        m_end.error += m_process.readAllStandardError();
    }

    void finish()
    {
        // bubblewrap outside ends before the processes that the program has left; the first process inside after them.
        if (m_first.isOpen()) {
            (void)waitFor(
                m_first.number(), POLLIN, std::chrono::steady_clock::now() + std::chrono::milliseconds(EndMs));
        }
        take();
        if (m_end.cause == SandboxedCause::Ended) {
            m_end.exitCode
                = m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : 128 + m_process.exitCode();
            if (m_end.out.size() + m_end.error.size() > m_box.limits.outputBytes) {
                m_end.cause = SandboxedCause::Output;
            } else if (bytesOfFolder(m_box.folder) > m_box.limits.folderBytes) {
                m_end.cause = SandboxedCause::Folder;
            }
        }
        m_end.out.truncate(static_cast<qsizetype>(m_box.limits.outputBytes));
        m_end.error.truncate(static_cast<qsizetype>(m_box.limits.outputBytes) - m_end.out.size());
        m_end.why = ended(m_end.cause, m_box.limits);
    }

    const Box& m_box;
    const std::optional<std::int64_t> m_free; ///< of the disk, at the start
    Descriptor m_first; ///< of the sandbox's first process, which is the last to end
    QProcess m_process;
    QElapsedTimer m_elapsed;
    SandboxedEnd m_end;
    int m_ticks = 0;
};

} // namespace

SandboxState trialOf(const QString& bubblewrap)
{
    if (bubblewrap.isEmpty()) {
        return {SandboxKind::NotInstalled, {},
            LS_TR("Messages", "bubblewrap is not installed: code is not run while marking")};
    }
    SandboxState state{SandboxKind::Refused, bubblewrap, {}};
    const QTemporaryDir folder;
    Box box;
    box.folder = folder.path();
    if (const Result<void> given = giveAway(box.folder); !given) {
        state.message = Text(
            LS_TR("Messages", "the sandbox does not work (%1): code is not run while marking"), {Text(given.error())});
        return state;
    }
    // Process 1 is bubblewrap's: a low number shows that the processes have a namespace of their own.
    const SandboxedCommand trial
        = boxed(bubblewrap, {u"/bin/sh"_s, u"-c"_s, u"test $$ -lt 9 && echo works >trial && cat trial"_s}, box);
    const ProgramOutput output = outputOf(trial.program, trial.arguments, TrialMs);
    if (output.exitCode == 0 && output.out == "works\n") {
        state.kind = SandboxKind::Works;
        state.message = LS_TR("Messages", "works");
        return state;
    }
    state.message
        = Text(LS_TR("Messages", "namespaces are refused (%1): code is not run while marking"), {output.error});
    return state;
}

const SandboxState& trySandbox()
{
    static const SandboxState state = trialOf(QStandardPaths::findExecutable(u"bwrap"_s));
    return state;
}

Result<SandboxedCommand> sandboxed(const QStringList& command, const Box& box)
{
    const SandboxState& state = trySandbox();
    if (state.kind != SandboxKind::Works) {
        return failureOf(state.message);
    }
    for (const QString& path : QStringList{box.folder} + box.readOnly) {
        LOCKSTEP_TRY(checkPath(path));
    }
    LOCKSTEP_TRY(giveAway(box.folder));
    return boxed(state.program, command, box);
}

SandboxedEnd runSandboxed(const QStringList& command, const Box& box)
{
    const Result<SandboxedCommand> line = sandboxed(command, box);
    if (!line) {
        return {SandboxedCause::NotStarted, -1, {}, {}, line.error()};
    }
    SandboxedEnd end = SandboxWatch(box).run(*line);
    cleanUp(box.folder);
    return end;
}

} // namespace lockstep::launch
