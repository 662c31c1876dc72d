// Warnings about placements, on made-up machines.
#include "core/plan/machines.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

QString warningsOf(const experiment::RunSpec& run, const Machine& machine)
{
    QStringList lines;
    const auto placed = plan::placeRanks(run, machine);
    for (const std::string& each : placed ? placed->warnings : std::vector<Text>{"refused: " + messageOf(placed)}) {
        lines += QString::fromStdString(each);
    }
    return lines.join('\n');
}

} // namespace

class TestPlacementWarnings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatToKnowOfAPlacementIsSaid()
    {
        QCOMPARE(warningsOf(data(8), machineWith(8)), QString());
        QCOMPARE(warningsOf(data(8), machineWith(1)), QString());
        const Machine unequal = machineOf({gpu("RTX 4090", 24 * GB, {8, 9}), gpu("RTX 3060", 12 * GB, {8, 6})});
        QCOMPARE(warningsOf(data(2), unequal),
            QString("the GPUs are unequal (cuda:0 RTX 4090, 24.0 GB; cuda:1 RTX 3060, 12.0 GB): the ranks wait for "
                    "the slowest, and the smallest is full first"));
        // Nobody computes on the other one.
        QCOMPARE(warningsOf(data(2, {{"device", "cuda:0"}}), unequal), QString());
        // 8 % of a GPU is no other kind of GPU, but 2 % are nothing.
        QVERIFY(!warningsOf(data(2), machineOf({gpu("A", 80 * GB), gpu("A", 73 * GB)})).isEmpty());
        QCOMPARE(warningsOf(data(2), machineOf({gpu("A", 80 * GB), gpu("A", 79 * GB)})), QString());
        QVERIFY(warningsOf(data(9), machineWith(1))
                    .startsWith("9 ranks share cuda:0, more than the 8 that have been tried"));
        QVERIFY(warningsOf(data(2), withSlices({"a", "a"}))
                    .startsWith("slices of a GPU (MIG) cannot read each other's memory"));
        QCOMPARE(warningsOf(data(2), withSlices({"a"})), QString());
        Machine newer = machineWith(1);
        newer.nccl = 23007;
        QCOMPARE(warningsOf(data(2, {{"comm.nccl_shared_gpu", "true"}}), newer), QString());
        QVERIFY(warningsOf(data(3, {{"comm.nccl_shared_gpu", "true"}}), newer)
                    .startsWith("3 ranks share cuda:0 through NCCL, which expects 2"));
    }

    void aGpuThatIsLookedForInVainIsSaid()
    {
        QCOMPARE(warningsOf(data(2), machineWith(0)),
            QString(
                "LibTorch 2.11.0 was built with CUDA but finds no GPU here, so the CPU is used; lockstep doctor says "
                "more"));
        QCOMPARE(warningsOf(data(2, {{"device", "cpu"}}), machineWith(0)), QString());
        QCOMPARE(warningsOf(data(2), cpuBuild()), QString());
        QCOMPARE(warningsOf(data(2, {{"comm.backend", "mpi"}}), machineWith(1)), QString());
    }

    void aGpuTooSmallForItsRanksIsSaid()
    {
        const std::vector<experiment::Override> large{
            {"net.name", "deep-mlp"}, {"net.depth", "9"}, {"net.hidden", "2048"}, {"optimizer.name", "adam"}};
        // 16 bytes for each of some 31 million weights a rank: 0.5 GB and the activations.
        const Machine machine = machineOf({gpu("small", 1 * GB), gpu("small", 1 * GB)});
        QCOMPARE(warningsOf(data(2, large), machine), QString());
        const QString text = warningsOf(data(3, large), machine);
        QVERIFY2(text.startsWith("cuda:0 has 1.0 GB, and its 2 ranks take about 1."), qPrintable(text));
        QVERIFY(!text.contains("cuda:1"));
    }

    void aGpuWithoutKernelsIsSaid()
    {
        Machine machine = machineOf({gpu("GTX 980", 4 * GB, {5, 2})});
        QCOMPARE(warningsOf(runOf({}), machine), QString()); // not known what LibTorch has
        machine.architectures = plan::readArchitectures("sm_75 sm_90 compute_90");
        QCOMPARE(warningsOf(runOf({}), machine),
            QString(
                "cuda:0 (GTX 980) has compute capability 5.2, and LibTorch 2.11.0 has kernels for 7.5, 9.0, 9.0: it "
                "cannot compute there; use device cpu, or a LibTorch that supports it"));
        machine.gpus[0].capability = {8, 6};
        QVERIFY(!warningsOf(runOf({}), machine).isEmpty());
        for (const plan::ComputeCapability good : {plan::ComputeCapability{7, 5}, {9, 0}, {12, 0}}) {
            machine.gpus[0].capability = good;
            QCOMPARE(warningsOf(runOf({}), machine), QString());
        }
    }

    void architecturesAreReadAsPyTorchNamesThem()
    {
        const auto read = plan::readArchitectures("sm_75  sm_90a gfx90a sm_x compute_120");
        QCOMPARE(read.size(), std::size_t{3});
        QCOMPARE(plan::toText(read[0].capability), std::string("7.5"));
        QCOMPARE(plan::toText(read[1].capability), std::string("9.0"));
        QCOMPARE(plan::toText(read[2].capability), std::string("12.0"));
        QVERIFY(!read[1].isPortable && read[2].isPortable);
        QVERIFY(plan::readArchitectures("").empty());
        QCOMPARE(plan::ncclText(22809), std::string("2.28.9"));
    }
};

LOCKSTEP_TEST(TestPlacementWarnings)
#include "test_placement_warnings.moc"
