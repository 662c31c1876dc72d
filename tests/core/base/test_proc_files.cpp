// What ranks read of /proc: a thread's times, and how busy some cores were.
#include "base/proc_files.h"
#include "program/test_class.h"

#include <QTest>

#include <optional>
#include <string>
#include <vector>

using namespace lockstep;

class TestProcFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesOfAThread()
    {
        const auto times = threadTimes("1657947 320 12\n");
        QVERIFY(times.has_value());
        QCOMPARE(times->runNs, std::int64_t{1'657'947});
        QCOMPARE(times->delayNs, std::int64_t{320});
        QVERIFY(threadTimes("0 0 0\n").has_value()); // it has just begun, or the kernel keeps no statistics
        QVERIFY(!threadTimes("").has_value()); // it has ended
        QVERIFY(!threadTimes("17\n").has_value());
        QVERIFY(!threadTimes("much 320 12\n").has_value());
    }

    void coresByNumber()
    {
        const std::string stat = "cpu  30 0 30 100 0 0 0 0 0 0\n"
                                 "cpu0 10 0 10 50 7 0 0 0 0 0\n"
                                 "cpu1 11 1 10 50 0 1 2 3 0 0\n"
                                 "cpu10 9 0 0 50 0 0 0 0 0 0\n"
                                 "intr 12 13\n";
        const auto busyOf = [&stat](std::vector<int> cores) { return busyTicksOf(stat, cores); };
        QCOMPARE(busyOf({0}), std::optional<std::int64_t>(20));
        QCOMPARE(busyOf({1}), std::optional<std::int64_t>(28));
        QCOMPARE(busyOf({10}), std::optional<std::int64_t>(9));
        QCOMPARE(busyOf({0, 1, 10}), std::optional<std::int64_t>(57));
        QVERIFY(!busyOf({0, 2})); // switched off meanwhile
        QVERIFY(!busyOf({}));
        QVERIFY(!busyTicksOf("", std::vector{0}));
        QVERIFY(!busyTicksOf("cpu0 10 0 10 50 7 0 0 0", std::vector{0})); // the number may go on
    }

    void ofThisSystem()
    {
        const std::string schedstat = readProcFile("/proc/self/schedstat");
        if (schedstat.empty()) {
            QSKIP("the kernel keeps no scheduling statistics");
        }
        QVERIFY(threadTimes(schedstat)->runNs >= 0);
    }
};

LOCKSTEP_TEST(TestProcFiles)
#include "test_proc_files.moc"
