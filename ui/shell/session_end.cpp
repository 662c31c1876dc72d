#include "ui/shell/session_end.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QEventLoop>
#include <QGuiApplication>
#include <QPointer>
#include <QSessionManager>
#include <QTimer>

namespace lockstep::ui {

namespace {

constexpr int MostCommitMs = 4500;
const QString Logind = QStringLiteral("org.freedesktop.login1");
const QString LogindPath = QStringLiteral("/org/freedesktop/login1");
const QString LogindManager = QStringLiteral("org.freedesktop.login1.Manager");

} // namespace

SessionEnd::SessionEnd(QObject* parent)
    : QObject(parent)
{
    connect(&m_interrupts, &launch::Interrupts::interrupted, this, &SessionEnd::ending);
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &SessionEnd::onCommit, Qt::DirectConnection);
    QTimer::singleShot(0, this, &SessionEnd::askLogind); // the window comes first
}

/// The session manager ends this process when it and all others have returned from here, if the user has not cancelled
/// that; Qt then quits.
void SessionEnd::onCommit(QSessionManager& manager)
{
    manager.setRestartHint(QSessionManager::RestartNever);
    bool isSaved = false;
    QEventLoop loop;
    const QPointer<QEventLoop> here(&loop);
    const auto done = [here, &isSaved] {
        if (here) { // else it took too long
            isSaved = true;
            here->quit();
        }
    };
    Q_EMIT saving(done);
    if (!isSaved) {
        QTimer::singleShot(MostCommitMs, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

void SessionEnd::askLogind()
{
    QDBusConnection bus = QDBusConnection::systemBus();
    if (!bus.isConnected()) {
        return; // a container, or no systemd: a signal comes
    }
    bus.connect(Logind, LogindPath, LogindManager, QStringLiteral("PrepareForShutdown"), this, SLOT(onShutdown(bool)));
    QDBusMessage inhibit = QDBusMessage::createMethodCall(Logind, LogindPath, LogindManager, QStringLiteral("Inhibit"));
    inhibit << QStringLiteral("shutdown") << QStringLiteral("Lockstep") << tr("Runs are stopped with a checkpoint.")
            << QStringLiteral("delay");
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(inhibit), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *answer;
        if (reply.isValid()) {
            m_delay = reply.value();
        }
        answer->deleteLater();
    });
}

void SessionEnd::onShutdown(bool begins)
{
    if (begins) {
        Q_EMIT ending();
    }
}

} // namespace lockstep::ui
