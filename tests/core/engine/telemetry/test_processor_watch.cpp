// Processor times of a made-up process: threads that begin and end, holds, and kernels that keep no statistics.
#include "engine/telemetry/processor_watch.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <string>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::engine;
using Watched = ProcessorWatch::Steps;

namespace {

/// A folder like /proc, with one process on cores 0 and 1 of three.
class MadeUpProc {
public:
    MadeUpProc() { setBusyTicks(0); }

    [[nodiscard]] std::string path() const { return m_folder.path().toStdString(); }

    void setThread(int id, std::int64_t runNs, std::int64_t delayNs)
    {
        QDir(m_folder.path()).mkpath(threadFolder(id));
        write(threadFolder(id) + QStringLiteral("/schedstat"), QStringLiteral("%1 %2 5\n").arg(runNs).arg(delayNs));
    }
    void endThread(int id) { QDir(m_folder.filePath(threadFolder(id))).removeRecursively(); }

    /// Of cores 0 and 1 together. Core 2, which the process may not use, is always busy.
    void setBusyTicks(std::int64_t ticks)
    {
        write(QStringLiteral("stat"),
            QStringLiteral(
                "cpu  9 0 0 9 0 0 0 0\ncpu0 %1 0 0 100 0 0 0 0\ncpu1 0 0 0 50 0 0 0 0\ncpu2 %2 0 0 0 0 0 0 0\n")
                .arg(ticks)
                .arg(1000 + 5 * ticks));
    }
    void removeStat() { QFile::remove(m_folder.filePath(QStringLiteral("stat"))); }

private:
    static QString threadFolder(int id) { return QStringLiteral("self/task/%1").arg(id); }
    void write(const QString& name, const QString& text) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text.toUtf8());
    }

    QTemporaryDir m_folder;
};

ProcessorWatch watchOf(const MadeUpProc& proc)
{
    return ProcessorWatch(proc.path(), {0, 1});
}

} // namespace

class TestProcessorWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsWhileStepsRun()
    {
        MadeUpProc proc;
        proc.setThread(1, 1'000, 100);
        ProcessorWatch watch = watchOf(proc);
        QVERIFY(!watch.follow(Watched::None));
        proc.setThread(1, 2'000, 200); // starting up
        proc.setBusyTicks(10);
        QVERIFY(!watch.follow(Watched::Run));
        QCOMPARE(watch.counted(), ProcessorTimes{});
        proc.setThread(1, 5'000, 900);
        proc.setBusyTicks(14);
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{3'000});
        QCOMPARE(watch.counted().delayNs, std::int64_t{700});
        QCOMPARE(watch.counted().busyNs, 4'000'000'000 / std::int64_t{sysconf(_SC_CLK_TCK)});
        QVERIFY(watch.counted().watchedNs > 0);
    }

    void threadsThatBeginAndEnd()
    {
        MadeUpProc proc;
        proc.setThread(1, 1'000, 0);
        proc.setThread(2, 70'000, 7'000);
        ProcessorWatch watch = watchOf(proc);
        watch.follow(Watched::Run);
        proc.setThread(2, 80'000, 8'000);
        watch.follow(Watched::Held);
        QCOMPARE(watch.counted().runNs, std::int64_t{10'000});
        watch.follow(Watched::Run); // what was before the first hold is forgotten
        proc.setThread(2, 85'000, 8'500);
        proc.setThread(3, 400, 40); // began meanwhile
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{5'400});
        QCOMPARE(watch.counted().delayNs, std::int64_t{540});
        proc.endThread(2); // what it did counts on
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{5'400});
        proc.setThread(3, 100, 10); // another one that got the id
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{5'500});
        QCOMPARE(watch.counted().delayNs, std::int64_t{550});
    }

    void holdsAreLeftOut()
    {
        MadeUpProc proc;
        proc.setThread(1, 0, 0);
        ProcessorWatch watch = watchOf(proc);
        std::int64_t run = 0;
        std::int64_t ticks = 0;
        const auto goOn = [&](std::int64_t ns) {
            run += ns;
            proc.setThread(1, run, run / 10);
            proc.setBusyTicks(++ticks);
        };
        watch.follow(Watched::Run);
        goOn(1'000'000);
        QVERIFY(watch.follow(Watched::Held));
        QVERIFY(!watch.follow(Watched::Held));
        for (int block = 0; block < 3; ++block) {
            goOn(500); // in a hold
            QVERIFY(!watch.follow(Watched::Run));
            goOn(2'000);
            QVERIFY(watch.follow(Watched::Held));
        }
        QCOMPARE(watch.counted().runNs, std::int64_t{6'000});
        const std::int64_t watched = watch.counted().watchedNs;
        goOn(500);
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{6'000});
        QCOMPARE(watch.counted().watchedNs, watched);
        QCOMPARE(watch.counted().busyNs, 3'000'000'000 / std::int64_t{sysconf(_SC_CLK_TCK)});
    }

    /// A run that waits for its turn before its first step has no steps to forget.
    void aHoldBeforeTheFirstStepForgetsNothing()
    {
        MadeUpProc proc;
        proc.setThread(1, 0, 0);
        ProcessorWatch watch = watchOf(proc);
        QVERIFY(!watch.follow(Watched::Held));
        watch.follow(Watched::Run);
        proc.setThread(1, 3'000, 0);
        QVERIFY(watch.follow(Watched::Held));
        watch.follow(Watched::Run);
        proc.setThread(1, 4'000, 0);
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{4'000});
    }

    void unknownWhereTheKernelDoesNotTell()
    {
        MadeUpProc none; // no schedstat at all
        ProcessorWatch without = watchOf(none);
        without.follow(Watched::Run);
        without.finish();
        QCOMPARE(without.counted(), ProcessorTimes{});
        MadeUpProc zeros;
        zeros.setThread(1, 0, 0);
        ProcessorWatch switchedOff = watchOf(zeros);
        switchedOff.follow(Watched::Run);
        zeros.setBusyTicks(100);
        switchedOff.finish();
        QCOMPARE(switchedOff.counted(), ProcessorTimes{});
    }

    void aReadingThatFailsChangesNothing()
    {
        MadeUpProc proc;
        proc.setThread(1, 1'000, 0);
        proc.endThread(1);
        ProcessorWatch watch = watchOf(proc);
        watch.follow(Watched::Run); // nothing to begin with
        proc.setThread(1, 2'000, 0);
        watch.finish();
        QCOMPARE(watch.counted(), ProcessorTimes{});
        proc.endThread(1);
        watch.finish();
        proc.setThread(1, 5'000, 0);
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{3'000});
    }

    void busyCoresMayBeUnknown()
    {
        MadeUpProc proc;
        proc.setThread(1, 0, 0);
        ProcessorWatch watch = watchOf(proc);
        watch.follow(Watched::Run);
        proc.removeStat();
        proc.setThread(1, 3'000, 30);
        watch.finish();
        proc.setBusyTicks(100);
        watch.finish();
        QCOMPARE(watch.counted().runNs, std::int64_t{3'000});
        QCOMPARE(watch.counted().busyNs, std::int64_t{0});
    }
};

LOCKSTEP_TEST(TestProcessorWatch)
#include "test_processor_watch.moc"
