// What stays of a machine's samples.
#include "analysis/machine_record.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep::analysis;

namespace {

MachineSample sampleAt(double seconds, double use, double power, std::uint64_t reasons)
{
    MachineSample sample;
    sample.host = "here";
    sample.timeNs = static_cast<std::int64_t>(seconds * 1e9);
    sample.busyCores = use / 100.0;
    sample.freeMemoryBytes = 1e9 - seconds * 1e8;
    sample.samplingMs = 2.0;
    sample.ranks = {{0, 1.0 + seconds, 1e6 * (1.0 + seconds)}, {1, NotMeasured, NotMeasured}};
    sample.gpus = {{0, use, 10.0, 2e9, power, 700.0, 40.0 + seconds, 1980.0, 2600.0, reasons}};
    sample.shares = {{0, 0, 1e9 + seconds}, {0, -1, 5e9}};
    return sample;
}

} // namespace

class TestMachine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meansAndExtremes()
    {
        MachineFiguresBuilder builder;
        QVERIFY(builder.isEmpty() && builder.figures().empty());
        builder.add(Machine{"here", 8, 32'000'000'000, {{0, "NVIDIA H200", "GPU-0", 150'000'000'000}}});
        builder.add(sampleAt(0.0, 0.0, 100.0, 0));
        builder.add(sampleAt(1.0, 100.0, 300.0, 0x4 | 0x1));
        builder.add(sampleAt(2.0, 50.0, NotMeasured, 0x40));
        const auto all = builder.figures();
        QCOMPARE(all.size(), std::size_t{1});
        const MachineFigures& host = all.front();
        QCOMPARE(host.host, std::string("here"));
        QCOMPARE(host.cores, 8);
        QCOMPARE(host.samples, std::int64_t{3});
        QCOMPARE(host.meanBusyCores, 0.5);
        QCOMPARE(host.lowestFreeMemoryBytes, 0.8e9);
        QCOMPARE(host.samplingCores, 0.006 / 2.0);
        const GpuFigures& gpu = host.gpus.at(0);
        QCOMPARE(gpu.name, std::string("NVIDIA H200"));
        QCOMPARE(gpu.meanUsePercent, 50.0);
        QCOMPARE(gpu.highestUsePercent, 100.0);
        QCOMPARE(gpu.meanPowerW, 200.0); // the sample without does not count
        QCOMPARE(gpu.energyJ, 300.0);
        QCOMPARE(gpu.highestTemperatureC, 42.0);
        QCOMPARE(gpu.heldShare[static_cast<std::size_t>(HeldBy::Power)], 1.0 / 3.0);
        QCOMPARE(gpu.heldShare[static_cast<std::size_t>(HeldBy::Heat)], 1.0 / 3.0);
        QCOMPARE(gpu.heldShare[static_cast<std::size_t>(HeldBy::Hardware)], 0.0);
        QCOMPARE(host.ranks.size(), std::size_t{2});
        QCOMPARE(host.ranks[0].meanCores, 2.0);
        QCOMPARE(host.ranks[0].highestResidentBytes, 3e6);
        QCOMPARE(host.ranks[0].highestGpuBytes, 1e9 + 2.0);
        QVERIFY(std::isnan(host.ranks[1].meanCores) && std::isnan(host.ranks[1].highestResidentBytes));
    }

    void hostsStayApart()
    {
        MachineFiguresBuilder builder;
        MachineSample other = sampleAt(0.0, 80.0, 10.0, 0);
        other.host = "there";
        builder.add(sampleAt(0.0, 20.0, 10.0, 0));
        builder.add(other);
        const auto all = builder.figures();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].gpus.at(0).meanUsePercent, 20.0);
        QCOMPARE(all[1].gpus.at(0).meanUsePercent, 80.0);
        QVERIFY(std::isnan(all[0].samplingCores)); // one look is no time
    }
};

LOCKSTEP_TEST(TestMachine)
#include "test_machine.moc"
