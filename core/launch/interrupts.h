// Ctrl+C, SIGTERM and SIGHUP as Qt signals, unless this process was started with them ignored (nohup). One object a
// process, in a thread with an event loop.
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace lockstep::launch {

class Interrupts : public QObject {
    Q_OBJECT

public:
    explicit Interrupts(QObject* parent = nullptr);
    /// Restores the signals' previous handlers.
    ~Interrupts() override;

Q_SIGNALS:
    /// `count` is 1 for the first, of which SIGHUP beside another signal is a part. From the second on this process
    /// ends within seconds, even if nothing handles it.
    void interrupted(int count);

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_count = 0;
};

} // namespace lockstep::launch
