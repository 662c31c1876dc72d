// Runs untrusted code for marking: in bubblewrap, without network, environment, home or other files
// than its own folder, within limits, watched to its end. Linux with user namespaces; any thread.
#pragma once

#include "base/result.h"
#include "base/text.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <atomic>
#include <cstdint>
#include <map>

namespace lockstep::launch {

enum class SandboxKind : std::uint8_t { Works, NotInstalled, Refused };

struct SandboxState {
    SandboxKind kind = SandboxKind::NotInstalled;
    QString program{}; ///< bwrap; empty: not installed
    Text message{}; ///< `works`, `bubblewrap is not installed: ...`
};
/// Runs a trial in the sandbox that sandboxed() makes, once a process: an installed package alone shows nothing, since
/// seccomp filters (Docker) and AppArmor (Ubuntu 24.04) refuse namespaces.
[[nodiscard]] const SandboxState& trySandbox();
/// The same trial of this bubblewrap program, now; empty: not installed.
[[nodiscard]] SandboxState trialOf(const QString& bubblewrap);

/// What ends a program: the kernel refuses more than the first four, the watchdog ends all at one of the others.
struct SandboxLimits {
    std::int64_t addressBytes = std::int64_t{6} << 30; ///< of a process: PyTorch with CUDA reserves 3.3 GB
    std::int64_t fileBytes = std::int64_t{256} << 20; ///< of a file
    std::int64_t temporaryBytes = std::int64_t{256} << 20; ///< in /tmp; the same again in /dev/shm
    std::int64_t processes = 256; ///< and threads, all together
    std::int64_t seconds = 120; ///< from the start to the end; twice as much processor time of a process
    std::int64_t memoryBytes = std::int64_t{4} << 30; ///< resident, all together
    std::int64_t folderBytes = std::int64_t{512} << 20; ///< in Box::folder
    std::int64_t outputBytes = std::int64_t{4} << 20; ///< on standard output and error together
};

/// What a program sees beside /usr: paths are the same inside as outside.
struct Box {
    /// Read and written, the working directory. Where root marks, it is given to another user, who must reach it.
    QString folder;
    QStringList readOnly{}; ///< a Python environment, a data set: never home or a folder above it
    std::map<QString, QString> environment{}; ///< beside PATH, HOME=/tmp, LANG, one thread for OpenMP, Gloo on loopback
    SandboxLimits limits{};
    const std::atomic_bool* cancelled = nullptr; ///< ends it once it is set; null: never
};

struct SandboxedCommand {
    QString program;
    QStringList arguments;
};
/// The command line that runs `command` (program and arguments) in a box. All processes of it end with its first.
/// Error: the sandbox does not work, or a path of the box is missing or shows more than it may.
[[nodiscard]] Result<SandboxedCommand> sandboxed(const QStringList& command, const Box& box);

enum class SandboxedCause : std::uint8_t { Ended, NotStarted, Cancelled, Time, Processes, Memory, Folder, Output };

struct SandboxedEnd {
    SandboxedCause cause = SandboxedCause::Ended;
    int exitCode = -1; ///< of Ended; 128 + the signal
    QByteArray out; ///< at most SandboxLimits::outputBytes with `error`
    QByteArray error;
    Text why{}; ///< why the watchdog ended it, or why it did not start; empty for Ended
};
/// Runs it to its end and ends all its processes at a limit. Blocks. What it wrote is its own word alone. Links, pipes
/// and sockets that it left in the folder are removed: who reads there next would follow or wait for them. Folders that
/// it closed are open to their owner again.
[[nodiscard]] SandboxedEnd runSandboxed(const QStringList& command, const Box& box);

} // namespace lockstep::launch
