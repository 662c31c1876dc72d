// Waiting for a core: for other work, or for ranks of the same run.
#include "analysis/timing/machine_load.h"
#include "analysis/timing/summary.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <map>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

constexpr std::int64_t Second = 1'000'000'000;

/// In ten seconds, by cores.
ProcessorTimes times(double run, double delay, double busy)
{
    const auto ns = [](double cores) { return static_cast<std::int64_t>(cores * 10.0 * Second); };
    return {ns(run), ns(delay), ns(busy), 10 * Second};
}

bool isAbout(double value, double expected)
{
    return std::abs(value - expected) < 1e-9;
}

} // namespace

class TestMachineLoad : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuietMachine()
    {
        const MachineLoad load = machineLoadOf({{0, times(0.99, 0.01, 1.0)}}, {});
        QVERIFY(isAbout(load.runDelayShare, 0.01));
        QVERIFY(isAbout(load.delayByOthers, 0.01 * 0.01));
        QVERIFY(isAbout(load.cpuCores, 0.99));
    }

    void otherWorkOnTheCores()
    {
        // Six programs and one rank on two cores: it gets two sevenths.
        const MachineLoad load = machineLoadOf({{0, times(2.0 / 7.0, 5.0 / 7.0, 2.0)}}, {});
        QVERIFY(isAbout(load.runDelayShare, 5.0 / 7.0));
        QVERIFY(isAbout(load.delayByOthers, 5.0 / 7.0 * 6.0 / 7.0));
        QVERIFY(load.delayByOthers >= BusyMachine);
    }

    void moreThreadsThanCoresShareThem()
    {
        RunRecord run;
        run.spec.settings["strategy.name"] = std::string("data");
        run.spec.settings["world_size"] = std::int64_t{2};
        run.summary.cores = 2;
        QVERIFY(!sharesCores(run));
        run.spec.settings["rank.threads"] = std::int64_t{3};
        QVERIFY(sharesCores(run) && isAbout(threadsPerCore(run), 3.0));
        run.summary.cores = 0; // unknown
        QVERIFY(!sharesCores(run));
    }

    /// More ranks than cores: they wait for each other.
    void ranksThatShareCoresAreNotDisturbed()
    {
        std::map<std::int32_t, ProcessorTimes> ranks;
        for (std::int32_t rank = 0; rank < 8; ++rank) {
            ranks[rank] = times(0.245, 0.7, 2.0);
        }
        const MachineLoad load = machineLoadOf(ranks, {});
        QVERIFY(load.runDelayShare > 0.7);
        QVERIFY(load.delayByOthers < 0.02);
        // And beside other work, that work's part of it counts.
        for (auto& [rank, of] : ranks) {
            of = times(0.125, 0.82, 2.0);
        }
        QVERIFY(isAbout(machineLoadOf(ranks, {}).delayByOthers, 0.82 / 0.945 * 0.5));
    }

    /// Other programs on cores that the ranks do not need.
    void othersOnFreeCoresDisturbNobody()
    {
        const MachineLoad load = machineLoadOf({{0, times(0.999, 0.001, 11.0)}}, {});
        QVERIFY(load.delayByOthers < 0.01);
    }

    void eachHostHasItsOwnLoad()
    {
        const std::map<std::int32_t, ProcessorTimes> ranks{{0, times(0.5, 0.5, 2.0)}, {1, times(1.0, 0.0, 1.0)}};
        const MachineLoad load = machineLoadOf(ranks, {{0, "busy"}, {1, "quiet"}});
        QVERIFY(isAbout(load.runDelayShare, 0.25));
        QVERIFY(isAbout(load.delayByOthers, 0.25 * 0.75));
        QVERIFY(isAbout(load.cpuCores, 1.5));
    }

    /// Ticks and nanoseconds do not fit exactly: less than nothing is nothing.
    void aHostIsNeverLessBusyThanItsRanks()
    {
        QCOMPARE(machineLoadOf({{0, times(1.0, 0.5, 0.98)}}, {}).delayByOthers, 0.0);
    }

    void unknownIsNotZero()
    {
        QVERIFY(std::isnan(machineLoadOf({}, {}).runDelayShare));
        const MachineLoad one = machineLoadOf({{0, times(0.5, 0.5, 2.0)}, {1, {}}}, {});
        QVERIFY(std::isnan(one.runDelayShare) && std::isnan(one.delayByOthers) && std::isnan(one.cpuCores));
        const MachineLoad noTicks = machineLoadOf({{0, times(0.5, 0.5, 0.0)}}, {});
        QVERIFY(isAbout(noTicks.runDelayShare, 0.5));
        QVERIFY(std::isnan(noTicks.delayByOthers));
        const MachineLoad tooShort = machineLoadOf({{0, {Second / 20, Second / 20, Second / 5, Second / 10}}}, {});
        QVERIFY(isAbout(tooShort.runDelayShare, 0.5));
        QVERIFY(std::isnan(tooShort.delayByOthers));
        RunRecord run;
        QVERIFY(!wasMachineBusy(run));
        run.summary.delayByOthers = BusyMachine;
        QVERIFY(wasMachineBusy(run));
    }

    /// A rank of an earlier version sends none.
    void aRunIsKnownWithAllItsRanks()
    {
        SummaryBuilder builder(2);
        builder.setHost(0, "host");
        builder.setHost(1, "host");
        builder.setProcessorTimes(0, times(0.5, 0.5, 1.0));
        builder.setProcessorTimes(1, {});
        QVERIFY(std::isnan(builder.summary().runDelayShare));
        builder.setProcessorTimes(1, times(0.5, 0.5, 1.0));
        QVERIFY(isAbout(builder.summary().runDelayShare, 0.5));
        QCOMPARE(builder.summary().delayByOthers, 0.0);
        // The newest counts.
        builder.setProcessorTimes(0, times(0.25, 0.75, 2.0));
        builder.setProcessorTimes(1, times(0.25, 0.75, 2.0));
        QVERIFY(isAbout(builder.summary().runDelayShare, 0.75));
        QVERIFY(isAbout(builder.summary().delayByOthers, 0.75 * 0.75));
        QVERIFY(isAbout(builder.summary().cpuCores, 0.5));
    }
};

LOCKSTEP_TEST(TestMachineLoad)
#include "test_machine_load.moc"
