// Waiting for other work on this machine to end, with made-up readings of its processors.
#include "launch/quiet_wait.h"
#include "program/test_class.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace lockstep;
using namespace lockstep::launch;
using namespace std::chrono_literals;

namespace {

/// /proc/stat of a machine whose cores are busy for this share of their time, read after read.
class MadeUpStat {
public:
    explicit MadeUpStat(double busyShare)
        : m_busyShare(busyShare)
    {
        write();
        QObject::connect(&m_timer, &QTimer::timeout, [this] { write(); });
        m_timer.start(20);
    }

    void setBusy(double share) { m_busyShare = share; }
    [[nodiscard]] std::string folder() const { return m_folder.path().toStdString(); }

private:
    void write()
    {
        m_busy += static_cast<qint64>(1000.0 * m_busyShare);
        m_idle += static_cast<qint64>(1000.0 * (1.0 - m_busyShare));
        QFile file(m_folder.filePath(QStringLiteral("stat")));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(QStringLiteral("cpu  %1 0 0 %2 0 0 0 0\n").arg(m_busy).arg(m_idle).toUtf8());
        }
    }

    QTemporaryDir m_folder;
    QTimer m_timer;
    double m_busyShare;
    qint64 m_busy = 0;
    qint64 m_idle = 0;
};

} // namespace

class TestQuietWait : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuietMachineHardlyDelays()
    {
        const MadeUpStat stat(0.02);
        QuietWait wait(1h, nullptr, stat.folder());
        QSignalSpy ended(&wait, &QuietWait::ended);
        QSignalSpy waits(&wait, &QuietWait::waits);
        QVERIFY(ended.wait());
        QVERIFY(ended.front().front().toBool());
        QVERIFY(waits.isEmpty());
    }

    void itEndsOnceOtherWorkHasEnded()
    {
        MadeUpStat stat(0.6);
        QuietWait wait(1h, nullptr, stat.folder());
        QSignalSpy ended(&wait, &QuietWait::ended);
        QSignalSpy waits(&wait, &QuietWait::waits);
        QVERIFY(waits.wait());
        QVERIFY(ended.isEmpty());
        stat.setBusy(0.0);
        QVERIFY(ended.wait());
        QVERIFY(ended.front().front().toBool());
        QCOMPARE(waits.size(), 1);
    }

    void itsTimeIsLimited()
    {
        const MadeUpStat stat(0.6);
        QuietWait wait(600ms, nullptr, stat.folder());
        QSignalSpy ended(&wait, &QuietWait::ended);
        QVERIFY(ended.wait());
        QVERIFY(!ended.front().front().toBool());
        QVERIFY(wait.elapsed() >= 600ms);
    }

    /// Without /proc nothing can be waited for.
    void anUnknownMachineIsTakenAsQuiet()
    {
        QuietWait wait(1h, nullptr, "/nowhere");
        QSignalSpy ended(&wait, &QuietWait::ended);
        QVERIFY(ended.wait());
        QVERIFY(ended.front().front().toBool());
    }

    void theEnvironmentSetsTheTime()
    {
        qputenv("LOCKSTEP_QUIET_S", "7");
        QCOMPARE(quietTimeoutFromEnvironment(), 7s);
        qputenv("LOCKSTEP_QUIET_S", "0");
        QCOMPARE(quietTimeoutFromEnvironment(), 0s);
        qunsetenv("LOCKSTEP_QUIET_S");
        QCOMPARE(quietTimeoutFromEnvironment(), 60s);
    }
};

LOCKSTEP_TEST(TestQuietWait)
#include "test_quiet_wait.moc"
