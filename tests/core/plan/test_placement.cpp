// Where ranks are placed and what carries their collectives, on machines that are not there.
#include "core/experiment/overrides.h"
#include "core/plan/machines.h"
#include "plan/check.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;
using plan::Transfer;

namespace {

std::string sentenceOf(const experiment::RunSpec& run, const Machine& machine)
{
    const auto placed = plan::placeRanks(run, machine);
    return placed ? placed->sentence().english : "refused: " + placed.error().message;
}

std::string gpusOf(const experiment::RunSpec& run, const Machine& machine)
{
    const auto placed = plan::placeRanks(run, machine);
    std::string text;
    for (const int each : placed ? placed->gpus : std::vector<int>{}) {
        text += std::to_string(each);
    }
    return placed ? text : "refused: " + placed.error().message;
}

} // namespace

class TestPlacement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void ranksTakeTheGpusInTurn_data()
    {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("byHand");
        QTest::addColumn<QString>("expected");
        QTest::addRow("none") << 0 << 4 << "auto"
                              << ""
                              << "";
        QTest::addRow("one") << 1 << 4 << "auto"
                             << ""
                             << "0000";
        QTest::addRow("two, even") << 2 << 4 << "auto"
                                   << ""
                                   << "0101";
        QTest::addRow("two, odd") << 2 << 3 << "auto"
                                  << ""
                                  << "010";
        QTest::addRow("eight, fewer ranks") << 8 << 3 << "auto"
                                            << ""
                                            << "012";
        QTest::addRow("eight, as many") << 8 << 8 << "auto"
                                        << ""
                                        << "01234567";
        QTest::addRow("all on one") << 8 << 3 << "cuda:5"
                                    << ""
                                    << "555";
        QTest::addRow("cuda is the first") << 2 << 2 << "cuda"
                                           << ""
                                           << "00";
        QTest::addRow("cpu") << 8 << 3 << "cpu"
                             << ""
                             << "";
        QTest::addRow("by hand") << 8 << 4 << "auto"
                                 << "7,2"
                                 << "7272";
        QTest::addRow("by hand, one twice") << 2 << 3 << "auto"
                                            << "0,0,1"
                                            << "001";
        QTest::addRow("by hand, longer than the ranks") << 8 << 2 << "auto"
                                                        << "3,4,5"
                                                        << "34";
        QTest::addRow("by hand on the cpu") << 2 << 2 << "cpu"
                                            << "1"
                                            << "";
        QTest::addRow("by hand below a device") << 2 << 2 << "cuda:0"
                                                << "1"
                                                << "00";
    }

    void ranksTakeTheGpusInTurn()
    {
        QFETCH(int, gpus);
        QFETCH(int, ranks);
        QFETCH(QString, device);
        QFETCH(QString, byHand);
        QFETCH(QString, expected);
        const auto run = data(ranks, {{"device", device.toStdString()}, {"device.gpus", byHand.toStdString()}});
        QCOMPARE(QString::fromStdString(gpusOf(run, machineWith(gpus))), expected);
    }

    void aSingleRankHasNobodyToSpeakTo()
    {
        const auto placed = plan::placeRanks(runOf({}), machineWith(2));
        QVERIFY(placed.isOk());
        QCOMPARE(placed->device(0), std::string("cuda:0"));
        QCOMPARE(placed->transfer, Transfer::Alone);
        QVERIFY(placed->sentence().empty());
        QVERIFY(placed->warnings.empty());
        QCOMPARE(gpusOf(runOf({{"device.gpus", "1,0"}}), machineWith(2)), std::string("1"));
        QCOMPARE(plan::placeRanks(runOf({}), cpuBuild())->devices(), std::string("cpu"));
    }

    void kernelsRunTogetherOnOwnGpusOrUnderMps()
    {
        const auto together = [](int ranks, Machine machine, bool mps) {
            machine.runsMps = mps;
            return plan::placeRanks(data(ranks), machine)->runsSideBySide;
        };
        QVERIFY(together(2, machineWith(2), false));
        QVERIFY(together(2, withSlices({"a", "a"}), false));
        QVERIFY(!together(2, machineWith(1), false));
        QVERIFY(!together(3, machineWith(2), false));
        QVERIFY(together(2, machineWith(1), true));
        QVERIFY(!together(2, cpuBuild(), false));
    }

    void devicesAreNamedOnce()
    {
        const auto placed = plan::placeRanks(data(5), machineWith(2));
        QVERIFY(placed.isOk());
        QCOMPARE(placed->devices(), std::string("cuda:0, cuda:1"));
        QCOMPARE(placed->device(3), std::string("cuda:1"));
        QCOMPARE(
            placed->inBrackets().english, std::string("shm with CUDA IPC (5 ranks share 2 GPUs, which NCCL refuses)"));
    }

    void theCarrierAndItsReason_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("expected");
        QTest::addRow("no GPU") << machineWith(0) << 2 << "shm: the ranks run on the CPU";
        QTest::addRow("no CUDA") << cpuBuild() << 2 << "shm: the ranks run on the CPU";
        QTest::addRow("a GPU each") << machineWith(2) << 2 << "nccl: every rank has its own GPU";
        QTest::addRow("GPUs left over") << machineWith(8) << 4 << "nccl: every rank has its own GPU";
        QTest::addRow("one GPU") << machineWith(1) << 4 << "shm with CUDA IPC: 4 ranks share 1 GPU, which NCCL refuses";
        QTest::addRow("two GPUs") << machineWith(2) << 8
                                  << "shm with CUDA IPC: 8 ranks share 2 GPUs, which NCCL refuses";
        Machine none = machineWith(1);
        none.nccl = 0;
        QTest::addRow("no NCCL") << none << 2 << "shm with CUDA IPC: 2 ranks share 1 GPU";
        Machine newer = machineWith(1);
        newer.nccl = 23007;
        QTest::addRow("NCCL that could") << newer << 2
                                         << "shm with CUDA IPC: 2 ranks share 1 GPU, which NCCL refuses without "
                                            "comm.nccl_shared_gpu";
        Machine mps = machineWith(1);
        mps.runsMps = true;
        QTest::addRow("MPS")
            << mps << 2
            << "shm with CUDA IPC: 2 ranks share 1 GPU, which NCCL refuses; MPS runs their kernels side "
               "by side";
        mps.gpus.push_back(gpu());
        mps.peers.emplace_back(0, 1);
        QTest::addRow("MPS, a GPU each") << mps << 2 << "nccl: every rank has its own GPU";
        Machine apart = machineWith(2);
        apart.peers.clear();
        QTest::addRow("apart, a GPU each") << apart << 2 << "nccl: every rank has its own GPU";
        QTest::addRow("apart, shared")
            << apart << 4
            << "gloo, staged through host memory: 4 ranks share 2 GPUs, which NCCL refuses, and "
               "cuda:0 and cuda:1 cannot read each other's memory";
        apart.nccl = 0;
        QTest::addRow("apart, no NCCL")
            << apart << 2
            << "gloo, staged through host memory: this lockstep-rank has no NCCL, and cuda:0 and "
               "cuda:1 cannot read each other's memory";
        Machine together = machineWith(2);
        together.nccl = 0;
        QTest::addRow("together, no NCCL") << together << 2 << "shm with CUDA IPC: this lockstep-rank has no NCCL";
        Machine wsl = machineWith(1);
        wsl.gpus[0].hasIpc = false;
        QTest::addRow("no IPC")
            << wsl << 2
            << "gloo, staged through host memory: 2 ranks share 1 GPU, which NCCL refuses, and processes "
               "cannot open each other's memory (CUDA IPC) on cuda:0";
    }

    void theCarrierAndItsReason()
    {
        QFETCH(Machine, machine);
        QFETCH(int, ranks);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(sentenceOf(data(ranks), machine)), expected);
    }

    void theCarrierBetweenSlices_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("expected");
        QTest::addRow("two slices of a GPU")
            << withSlices({"a", "a"}) << 2
            << "gloo, staged through host memory: 2 ranks have 2 slices of 1 GPU, which NCCL "
               "refuses, and CUDA IPC does not work between slices of a GPU (MIG)";
        QTest::addRow("slices of two GPUs")
            << withSlices({"a", "b"}) << 2
            << "gloo, staged through host memory: 2 ranks have 2 slices of 2 GPUs, which NCCL "
               "refuses, and CUDA IPC does not work between slices of a GPU (MIG)";
        QTest::addRow("one slice") << withSlices({"a"}) << 2
                                   << "shm with CUDA IPC: 2 ranks share 1 slice of 1 GPU, which NCCL refuses";
        Machine newerSlices = withSlices({"a", "b"});
        newerSlices.nccl = plan::NcclThatSharesGpus;
        QTest::addRow("slices of two GPUs, newer NCCL") << newerSlices << 2 << "nccl: every rank has its own GPU";
    }

    void theCarrierBetweenSlices() { theCarrierAndItsReason(); }

    /// CUDA shows a process one slice, so each rank names its own; the user counts all of them.
    void eachRankSeesItsOwnSlice()
    {
        Machine machine = withSlices({"a", "a", "b"});
        for (int i = 0; i < 3; ++i) {
            machine.gpus[static_cast<std::size_t>(i)].uuid = "MIG-" + std::to_string(i);
        }
        const auto allSeen = plan::placeRanks(data(4), machine);
        QVERIFY(allSeen->visible.empty());
        QCOMPARE(allSeen->gpuInProcess(2), 2);
        machine.showsOneGpu = true;
        const auto placed = plan::placeRanks(data(4), machine);
        QCOMPARE(placed->visible, (std::vector<std::string>{"MIG-0", "MIG-1", "MIG-2", "MIG-0"}));
        QCOMPARE(placed->devices(), std::string("cuda:0, cuda:1, cuda:2"));
        QCOMPARE(placed->device(2), std::string("cuda:2"));
        QCOMPARE(placed->gpuInProcess(2), 0);
        const auto byHand = plan::placeRanks(data(2, {{"device.gpus", "2,1"}}), machine);
        QCOMPARE(byHand->visible, (std::vector<std::string>{"MIG-2", "MIG-1"}));
        const auto alone = plan::placeRanks(runOf({{"device", "cuda:1"}}), machine);
        QCOMPARE(alone->visible, (std::vector<std::string>{"MIG-1"}));
        QVERIFY(plan::placeRanks(data(2, {{"device", "cpu"}}), machine)->visible.empty());
    }

    void aBackendByHand_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("expected");
        const Machine none = machineWith(0);
        const Machine one = machineWith(1);
        const Machine two = machineWith(2);
        QTest::addRow("gloo on the cpu") << none << "comm.backend=gloo"
                                         << "gloo";
        QTest::addRow("mpi on the cpu") << cpuBuild() << "comm.backend=mpi"
                                        << "mpi";
        QTest::addRow("hierarchical on one host")
            << cpuBuild() << "comm.backend=hierarchical"
            << "shm: all ranks are on one host, so hierarchical is shared memory alone";
        QTest::addRow("hierarchical leaves the GPU alone")
            << one << "comm.backend=hierarchical"
            << "shm: all ranks are on one host, so hierarchical is shared memory alone";
        QTest::addRow("mpi leaves the GPU alone") << one << "comm.backend=mpi"
                                                  << "mpi";
        QTest::addRow("gloo") << one << "comm.backend=gloo"
                              << "gloo, staged through host memory";
        QTest::addRow("gloo, a GPU each") << two << "comm.backend=gloo"
                                          << "gloo, staged through host memory";
        QTest::addRow("shm") << one << "comm.backend=shm"
                             << "shm with CUDA IPC";
        QTest::addRow("shm, a GPU each") << two << "comm.backend=shm"
                                         << "shm with CUDA IPC";
        QTest::addRow("nccl") << two << "comm.backend=nccl"
                              << "nccl";
    }

    void aBackendByHand()
    {
        QFETCH(Machine, machine);
        QFETCH(QString, settings);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(sentenceOf(data(2, withSettings({}, settings)), machine)), expected);
    }

    void aBackendThatCannotWork_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("expected");
        const Machine none = machineWith(0);
        const Machine one = machineWith(1);
        const Machine two = machineWith(2);
        QTest::addRow("nccl, shared")
            << one << "comm.backend=nccl"
            << "refused: comm.backend: nccl needs a GPU for each rank, and 2 ranks share 1 GPU; use auto or shm, or "
               "no more ranks than GPUs";
        QTest::addRow("nccl, all on one of two") << two << "comm.backend=nccl device=cuda:1"
                                                 << "refused: comm.backend: nccl needs a GPU for each rank, and 2 "
                                                    "ranks share 1 GPU; use auto or shm, or no more ranks than GPUs";
        QTest::addRow("nccl, two slices of a GPU") << withSlices({"a", "a"}) << "comm.backend=nccl"
                                                   << "refused: comm.backend: nccl needs a GPU for each rank, and 2 "
                                                      "ranks have 2 slices of 1 GPU; use auto or shm, or no more "
                                                      "ranks than GPUs";
        QTest::addRow("nccl without CUDA")
            << cpuBuild() << "comm.backend=nccl"
            << "refused: comm.backend: nccl, but this lockstep-rank was built without CUDA; "
               "install one for CUDA (lockstep doctor says how), or use auto, shm, gloo or mpi";
        QTest::addRow("nccl without a GPU")
            << none << "comm.backend=nccl"
            << "refused: comm.backend: nccl needs a GPU for each rank, and LibTorch 2.11.0 "
               "finds none on this machine; use auto, shm, gloo or mpi";
        QTest::addRow("nccl on the cpu")
            << two << "comm.backend=nccl device=cpu"
            << "refused: comm.backend: nccl carries GPU memory only, but device is cpu; use auto, shm, gloo or mpi";
        Machine noNccl = two;
        noNccl.nccl = 0;
        QTest::addRow("nccl that is not there")
            << noNccl << "comm.backend=nccl"
            << "refused: comm.backend: nccl, but this lockstep-rank was built without NCCL; use auto, shm or gloo";
        Machine apart = two;
        apart.peers.clear();
        QTest::addRow("shm between GPUs that are apart") << apart << "comm.backend=shm"
                                                         << "refused: comm.backend: shm cannot carry the memory of "
                                                            "these GPUs: cuda:0 and cuda:1 cannot read each other's "
                                                            "memory; use auto or gloo";
        QTest::addRow("hierarchical on a GPU")
            << one << "comm.backend=hierarchical device=cuda:0"
            << "refused: comm.backend: hierarchical carries host memory only, but the ranks run on GPUs; use auto, "
               "shm, gloo or nccl, or device cpu";
        QTest::addRow("mpi on a GPU")
            << one << "comm.backend=mpi device=cuda:0"
            << "refused: comm.backend: mpi carries host memory only, but the ranks run on GPUs; use auto, shm, gloo "
               "or nccl, or device cpu";
    }

    void aBackendThatCannotWork() { aBackendByHand(); }

    void ncclWithSeveralRanksPerGpu_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("expected");
        const Machine one = machineWith(1);
        const Machine two = machineWith(2);
        QTest::addRow("shared, older NCCL")
            << one << "comm.nccl_shared_gpu=true"
            << "refused: comm.nccl_shared_gpu: needs NCCL 2.30.0 or later, and this is 2.28.9; leave it off and use "
               "comm.backend auto or shm";
        Machine noNccl = one;
        noNccl.nccl = 0;
        QTest::addRow("shared, no NCCL")
            << noNccl << "comm.nccl_shared_gpu=true"
            << "refused: comm.nccl_shared_gpu: needs NCCL 2.30.0 or later, and this lockstep-rank "
               "was built without NCCL; leave it off and use comm.backend auto or shm";
        QTest::addRow("not shared after all") << two << "comm.nccl_shared_gpu=true"
                                              << "nccl: every rank has its own GPU";
        Machine newer = one;
        newer.nccl = 23007;
        QTest::addRow("shared, newer NCCL")
            << newer << "comm.nccl_shared_gpu=true"
            << "nccl, several ranks per GPU: 2 ranks share 1 GPU, as comm.nccl_shared_gpu asks";
        QTest::addRow("nccl, newer, not asked for")
            << newer << "comm.backend=nccl"
            << "refused: comm.backend: nccl needs a GPU for each rank, and 2 ranks share 1 GPU; use auto or shm, or "
               "no more ranks than GPUs, or set comm.nccl_shared_gpu, which is experimental";
        Machine newerSlices = withSlices({"a", "a"});
        newerSlices.nccl = 23007;
        QTest::addRow("slices, newer NCCL")
            << newerSlices << "comm.backend=nccl comm.nccl_shared_gpu=true"
            << "nccl, several ranks per GPU: 2 ranks have 2 slices of 1 GPU, as comm.nccl_shared_gpu asks";
    }

    void ncclWithSeveralRanksPerGpu() { aBackendByHand(); }

    void aGpuThatCannotBeHadIsRefusedByName_data()
    {
        QTest::addColumn<Machine>("machine");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::addRow("no CUDA")
            << cpuBuild() << "device"
            << "cuda:0"
            << "device: cuda:0 needs a LibTorch that was built with CUDA; this one (1.13.1) was built for the CPU "
               "only. Install lockstep-rank for CUDA (lockstep doctor says how), or use cpu";
        QTest::addRow("no GPU")
            << machineWith(0) << "device"
            << "cuda:0"
            << "device: cuda:0 does not exist: LibTorch 2.11.0 finds no GPU on this machine (lockstep doctor says "
               "more); use auto or cpu";
        QTest::addRow("one GPU")
            << machineWith(1) << "device"
            << "cuda:1"
            << "device: cuda:1 does not exist: this machine has 1 GPU (cuda:0); use it, auto or cpu";
        QTest::addRow("two GPUs")
            << machineWith(2) << "device"
            << "cuda:3"
            << "device: cuda:3 does not exist: this machine has 2 GPUs (cuda:0, cuda:1); use one of them, auto or cpu";
        QTest::addRow("by hand")
            << machineWith(2) << "device.gpus"
            << "0,2"
            << "device.gpus: cuda:2 does not exist: this machine has 2 GPUs (cuda:0, cuda:1); use one of them, auto "
               "or cpu";
        QTest::addRow("by hand, for no rank")
            << machineWith(2) << "device.gpus"
            << "0,1,9"
            << "device.gpus: cuda:9 does not exist: this machine has 2 GPUs (cuda:0, cuda:1); use one of them, auto "
               "or cpu";
        QTest::addRow("by hand, no CUDA")
            << cpuBuild() << "device.gpus"
            << "1"
            << "device.gpus: cuda:1 needs a LibTorch that was built with CUDA; this one (1.13.1) was built for the "
               "CPU only. Install lockstep-rank for CUDA (lockstep doctor says how), or use cpu";
    }

    void aGpuThatCannotBeHadIsRefusedByName()
    {
        QFETCH(Machine, machine);
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, message);
        const auto placed = plan::placeRanks(data(2, {{name.toStdString(), value.toStdString()}}), machine);
        QVERIFY(!placed.isOk());
        QCOMPARE(QString::fromStdString(placed.error().message), message);
    }

    void whatNoMachineCanGiveIsRefusedWithoutOne()
    {
        QVERIFY(plan::check(data(2)).isOk());
        QVERIFY(plan::check(data(2, {{"comm.backend", "nccl"}})).isOk());
        QVERIFY(plan::check(data(2, {{"comm.backend", "mpi"}})).isOk());
        // Both places say the same.
        const auto onCpu = data(2, {{"comm.backend", "nccl"}, {"device", "cpu"}});
        QCOMPARE(messageOf(plan::check(onCpu)), messageOf(plan::placeRanks(onCpu, machineWith(2))));
        QVERIFY(messageOf(plan::check(onCpu)).starts_with("comm.backend: nccl carries GPU memory only"));
        for (const experiment::Override& wish : {experiment::Override{"device", "cuda:1"}, {"device.gpus", "1,0"}}) {
            const auto onGpus = data(2, {{"comm.backend", "mpi"}, wish});
            QCOMPARE(messageOf(plan::check(onGpus)), messageOf(plan::placeRanks(onGpus, machineWith(2))));
            QVERIFY(messageOf(plan::check(onGpus)).starts_with("comm.backend: mpi carries host memory only"));
        }
    }
};

LOCKSTEP_TEST(TestPlacement)
#include "test_placement.moc"
