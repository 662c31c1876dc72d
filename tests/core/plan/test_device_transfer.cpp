// Whether ranks on several hosts use NCCL, on machines that are not there.
#include "core/experiment/overrides.h"
#include "core/plan/machines.h"
#include "plan/device_transfer.h"
#include "program/test_class.h"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

using namespace lockstep;
using namespace lockstep::tests;
using plan::Hosts;
using plan::Transfer;

namespace {

struct Host {
    Machine machine;
    int ranks = 1;
};

/// What the ranks of these hosts (n1, n2, ...) agree on, as text.
std::string agreed(const experiment::RunSpec& run, const std::vector<Host>& hosts)
{
    std::vector<plan::RankDevice> devices;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const auto placed = plan::placeRanks(run, hosts[i].machine, Hosts::Several);
        if (!placed) {
            return "refused on one: " + placed.error().message;
        }
        for (int rank = 0; rank < hosts[i].ranks; ++rank) {
            devices.push_back(plan::deviceOfRank(*placed, hosts[i].machine, rank, "n" + std::to_string(i + 1)));
            names.push_back("n" + std::to_string(i + 1));
        }
    }
    const auto transfer = plan::agreeOnTransfer(run, devices, names);
    if (!transfer) {
        return "refused: " + transfer.error().message;
    }
    const char* name = transfer->transfer == Transfer::Nccl ? "nccl"
        : transfer->transfer == Transfer::NcclShared        ? "nccl shared"
        : transfer->transfer == Transfer::Staged            ? "staged"
        : transfer->transfer == Transfer::Host              ? "host"
                                                            : "wrong";
    return name + (transfer->reason.empty() ? "" : ": " + transfer->reason.english);
}

Machine withNccl(Machine machine, int version)
{
    machine.nccl = version;
    return machine;
}

} // namespace

class TestDeviceTransfer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ncclWhereEveryRankHasItsOwnGpu()
    {
        const auto run = data(4);
        QCOMPARE(agreed(run, {{machineWith(2), 2}, {machineWith(2), 2}}), "nccl: every rank has its own GPU");
        QCOMPARE(agreed(run, {{machineWith(8), 1}, {machineWith(3), 3}}), "nccl: every rank has its own GPU");
        QCOMPARE(agreed(data(4, {{"comm.backend", "nccl"}}), {{machineWith(2), 2}, {machineWith(2), 2}}), "nccl");
        // On one host they would share them.
        QCOMPARE(plan::placeRanks(run, machineWith(2))->transfer, Transfer::Ipc);
    }

    void throughHostMemoryElsewhere()
    {
        const std::vector<Host> shared{{machineWith(2), 2}, {machineWith(1), 2}};
        QCOMPARE(agreed(data(4), shared), "staged: rank 2 on n2 shares its GPU with another rank, which NCCL refuses");
        QCOMPARE(agreed(data(2), {{machineWith(1)}, {withNccl(machineWith(1), 0)}}),
            "staged: the lockstep-rank of rank 1 on n2 has no NCCL");
        QCOMPARE(agreed(data(2), {{machineWith(1)}, {withNccl(machineWith(1), 22703)}}),
            "staged: rank 0 on n1 has NCCL 2.28.9, but rank 1 on n2 has 2.27.3");
        QCOMPARE(agreed(data(2, {{"comm.backend", "gloo"}}), {{machineWith(1)}, {machineWith(1)}}), "staged");
        QCOMPARE(agreed(data(3, {{"device.gpus", "0,1,1"}}), {{machineWith(2), 3}}),
            "staged: rank 1 on n1 shares its GPU with another rank, which NCCL refuses");
        for (const Machine& machine :
            {withSlices({"a", "a"}), withSlices({"a", "b"}), withSlices({"GPU-a", "GPU-b"})}) {
            QCOMPARE(agreed(data(2), {{machine, 2}}),
                "staged: rank 0 on n1 has a slice of a GPU (MIG), for which NCCL is not made");
        }
    }

    void whetherTwoHaveOneGpu()
    {
        const auto run = data(2);
        Machine one = machineWith(1);
        // Two containers of one machine, whose ranks count themselves as its only ones.
        const std::string shared = "staged: rank 0 on n1 shares its GPU with another rank, which NCCL refuses";
        QCOMPARE(agreed(run, {{one}, {one}}), shared);
        one.gpus.front().uuid.clear();
        QCOMPARE(agreed(run, {{one}, {one}}), std::string("nccl: every rank has its own GPU"));
        QCOMPARE(agreed(run, {{one, 2}}), shared);
        // Without --local-rank a rank of another host takes its number in the run for it.
        const auto placed = plan::placeRanks(run, machineWith(2), Hosts::Several);
        QCOMPARE(placed->device(1), std::string("cuda:1"));
    }

    void severalRanksOnAGpuByWish()
    {
        const auto run = data(4, {{"comm.nccl_shared_gpu", "true"}});
        const auto hosts = [](int version) {
            return std::vector<Host>{{withNccl(machineWith(2), version), 2}, {withNccl(machineWith(1), version), 2}};
        };
        QCOMPARE(agreed(run, hosts(23000)), "nccl shared");
        QCOMPARE(agreed(run, hosts(22809)),
            "staged: rank 2 on n2 shares its GPU with another rank, for which NCCL 2.28.9 is older than the "
            "2.30.0 that is needed");
        QCOMPARE(agreed(data(4), hosts(23000)),
            "staged: rank 2 on n2 shares its GPU with another rank, which NCCL refuses without comm.nccl_shared_gpu");
    }

    void onTheCpu()
    {
        QCOMPARE(agreed(data(2), {{cpuBuild()}, {cpuBuild()}}), "host");
        QCOMPARE(agreed(data(2, {{"device", "cpu"}}), {{machineWith(2)}, {cpuBuild()}}), "host");
        QCOMPARE(agreed(data(2, {{"comm.backend", "hierarchical"}}), {{machineWith(2)}, {machineWith(2)}}), "host");
    }

    void whatCannotBeIsRefused()
    {
        QCOMPARE(agreed(data(3), {{cpuBuild()}, {machineWith(1), 2}}),
            "refused: device: rank 1 on n2 has a GPU, but rank 0 on n1 has none; use cpu, or only hosts with GPUs");
        QCOMPARE(agreed(data(4, {{"comm.backend", "nccl"}}), {{machineWith(2), 2}, {machineWith(1), 2}}),
            "refused: comm.backend: nccl cannot be used: rank 2 on n2 shares its GPU with another rank, which NCCL "
            "refuses; use auto or gloo");
        QVERIFY(agreed(data(2, {{"comm.backend", "nccl"}}), {{cpuBuild()}, {machineWith(1)}})
                    .starts_with("refused on one: comm.backend: nccl, but this lockstep-rank was built without CUDA"));
        QVERIFY(agreed(data(2, {{"device", "cuda:1"}}), {{machineWith(2)}, {machineWith(1)}})
                    .starts_with("refused on one: device: cuda:1 does not exist"));
        QVERIFY(agreed(data(2, {{"device", "cuda"}, {"comm.backend", "hierarchical"}}), {{machineWith(1)}})
                    .starts_with("refused on one: comm.backend: hierarchical carries host memory only"));
    }

    void theTextOfHowRanksCommunicate()
    {
        const plan::DeviceTransfer nccl{Transfer::Nccl, "every rank has its own GPU"};
        QCOMPARE(nccl.inBrackets(data(2), "hierarchical", "n1, n2").english,
            std::string("nccl (hosts n1, n2; every rank has its own GPU)"));
        const plan::DeviceTransfer staged{Transfer::Staged, "why"};
        QCOMPARE(staged.inBrackets(data(2), "gloo", "n1, n2").english,
            std::string("gloo, staged through host memory (hosts n1, n2, with one rank each; why)"));
        QCOMPARE(staged.inBrackets(data(4), "hierarchical", "n1, n2").english,
            std::string("hierarchical, staged through host memory (shared memory on each of the hosts n1, n2, gloo "
                        "between them; why)"));
        const plan::DeviceTransfer host{};
        QCOMPARE(host.inBrackets(data(4, {{"comm.backend", "gloo"}}), "gloo", "n1, n2").english,
            std::string("gloo (hosts n1, n2)"));
        QCOMPARE(host.inBrackets(data(4), "hierarchical", "n1, n2").english,
            std::string("hierarchical (shared memory on each of the hosts n1, n2, gloo between them)"));
    }

    void warningsDoNotCountRanksOfOtherHosts()
    {
        // 16 ranks on one GPU would be too many; here they are on 16 hosts.
        QVERIFY(!plan::placeRanks(data(16), machineWith(1))->warnings.empty());
        const auto placed = plan::placeRanks(data(16), machineWith(1), Hosts::Several);
        QVERIFY(placed.isOk() && placed->warnings.empty());
        QCOMPARE(placed->device(0), std::string("cuda:0"));
    }
};

LOCKSTEP_TEST(TestDeviceTransfer)
#include "test_device_transfer.moc"
