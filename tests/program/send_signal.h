// A signal to a process that a test has started.
#pragma once

#include <QtGlobal>

#include <csignal>

namespace lockstep::tests {

/// Returns whether it could be sent. A QProcess that has ended has the number 0, which kill() takes for everything in
/// the caller's process group, and -1 means every process: neither is sent anything.
inline bool sendSignal(qint64 process, int signal)
{
    return process > 1 && ::kill(static_cast<pid_t>(process), signal) == 0;
}

} // namespace lockstep::tests
