// Why the window has to end without being asked: SIGTERM, SIGHUP or SIGINT, the session manager of the desktop (XSMP),
// or the shutdown of the machine (logind, over D-Bus, which waits for this process as long as it allows). GUI thread
// only, one a process.
#pragma once

#include "launch/interrupts.h"

#include <QDBusUnixFileDescriptor>
#include <QObject>

#include <functional>

class QSessionManager;

namespace lockstep::ui {

class SessionEnd : public QObject {
    Q_OBJECT

public:
    explicit SessionEnd(QObject* parent = nullptr);

Q_SIGNALS:
    /// A second signal gives it again.
    void ending();
    /// The session may end, unless the user cancels that: `done` is to be called once nothing would be lost.
    void saving(const std::function<void()>& done);

private Q_SLOTS:
    void onShutdown(bool begins);

private:
    void onCommit(QSessionManager& manager);
    void askLogind();

    launch::Interrupts m_interrupts;
    QDBusUnixFileDescriptor m_delay; ///< while it is open, logind waits with the shutdown
};

} // namespace lockstep::ui
