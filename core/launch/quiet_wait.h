// Waits, for a limited time, until other work leaves this machine's cores alone: runs with different numbers of ranks
// are not disturbed equally by it. Used before any of them starts.
#pragma once

#include "base/proc_files.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::launch {

/// What LOCKSTEP_QUIET_S says, 60 s without it; 0: runs never wait.
[[nodiscard]] std::chrono::milliseconds quietTimeoutFromEnvironment();

class QuietWait : public QObject {
    Q_OBJECT

public:
    /// `procFolder` is another one in tests.
    QuietWait(std::chrono::milliseconds most, QObject* parent, std::string procFolder = "/proc");

    /// How long it has lasted.
    [[nodiscard]] std::chrono::milliseconds elapsed() const;

Q_SIGNALS:
    /// The machine is busy: once, where it does not end at once.
    void waits();
    /// Not from within the constructor. `isQuiet`: the cores were busy for less than BusyMachine of two samples in a
    /// row, or the kernel does not say; else the time is over.
    void ended(bool isQuiet);

private:
    void sample();

    std::string m_proc;
    std::chrono::milliseconds m_most;
    std::int64_t m_startNs;
    std::optional<CpuTicks> m_last;
    double m_lastOwn = 0.0; ///< ticks of this process
    int m_quietSamples = 0;
    bool m_hasSaid = false;
    QTimer m_timer;
};

} // namespace lockstep::launch
