// Ranks on several hosts with a GPU each, on fakes of the CUDA runtime and of NCCL (tests/fakes/cuda): device memory
// goes through NCCL, all else through each host's memory and the network between hosts.
#include "core/engine/comm/hosts.h"
#include "engine/comm/device/staged_communicator.h"
#include "engine/cuda/nccl_communicator.h"
#include "fakes/cuda/cuda_script.h"
#include "gpu/gpu_checks.h"
#include "program/test_class.h"

#include <QTest>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

const std::vector<int> TwoHosts{0, 0, 1, 1}; ///< by rank
const std::vector<int> InTurn{0, 1, 0, 1};

/// That ranks reduce to meet in groups; the arrays are far longer.
constexpr std::size_t MostBytesOfCalls = 1000;

enum class By { Nccl, HostMemory };

std::vector<Ending> onGpusOfHosts(
    const std::vector<int>& hosts, By by, const std::function<Result<void>(const GpuRank&)>& body)
{
    return asProcesses(static_cast<int>(hosts.size()), [&, name = uniqueName()](int rank) -> Result<void> {
        alarm(60); // a wait without end ends with a signal
        NetworkOfTest network;
        LOCKSTEP_TRY_ASSIGN(auto host, joinHosts(name, hosts, rank, network));
        LOCKSTEP_TRY_ASSIGN(auto gpu, cuda::openGpu(rank));
        if (by == By::HostMemory) {
            StagedCommunicator staged(std::move(host), gpu);
            return body({staged, *gpu});
        }
        LOCKSTEP_TRY_ASSIGN(auto group, cuda::overNccl(std::move(host), gpu, {}));
        const int before = network.calls;
        const std::size_t reduced = network.reduced;
        auto done = body({*group, *gpu});
        if (done && (network.calls == before || network.reduced - reduced > MostBytesOfCalls)) {
            return Error{"the calls were not compared over the network, or arrays went through it"};
        }
        return done;
    });
}

} // namespace

class TestNcclOverHosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCollectiveIsRight_data()
    {
        QTest::addColumn<std::vector<int>>("hosts");
        QTest::addRow("two ranks on each of two hosts") << TwoHosts;
        QTest::addRow("ranks placed in turn") << InTurn;
        QTest::addRow("three and one") << std::vector<int>{0, 0, 0, 1};
    }
    void everyCollectiveIsRight()
    {
        QFETCH(std::vector<int>, hosts);
        const CudaScripted scripted("gpus=4");
        QCOMPARE(complaints(onGpusOfHosts(hosts, By::Nccl, everyTypeAndReduction)), std::string());
    }

    void groupsAcrossHostsAndWithinOne()
    {
        const CudaScripted scripted("gpus=4");
        QCOMPARE(complaints(onGpusOfHosts(TwoHosts, By::Nccl,
                     [](const GpuRank& rank) -> Result<void> {
                         const int number = rank.group.rank();
                         for (const int color : {number % 2, number / 2}) {
                             LOCKSTEP_TRY_ASSIGN(auto part, rank.group.split(color, -number));
                             LOCKSTEP_TRY(everyTypeAndReduction({*part, rank.gpu}));
                         }
                         return rank.group.barrier();
                     })),
            std::string());
    }

    void aKilledRankIsNamedOnEveryHost()
    {
        const CudaScripted scripted("gpus=4");
        for (const std::vector<int>& hosts : {TwoHosts, InTurn}) {
            const std::string wrong
                = aKilledRank(4, [&hosts](int, const auto& body) { return onGpusOfHosts(hosts, By::Nccl, body); });
            QVERIFY2(wrong.empty(), wrong.c_str());
        }
    }

    /// By which a watch ends a rank that is blocked in CUDA; one that left in good order is not dead.
    void theWatchFindsADeadRankOfAnotherHost()
    {
        const CudaScripted scripted("gpus=4");
        const auto endings = onGpusOfHosts(TwoHosts, By::Nccl, [](const GpuRank& rank) -> Result<void> {
            if (rank.group.rank() == 2) {
                ::kill(getpid(), SIGKILL);
            }
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
            while (rank.group.deadPeer().empty() && std::chrono::steady_clock::now() < end) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            return Error{rank.group.deadPeer()};
        });
        for (const std::size_t rank : {0U, 1U, 3U}) {
            const std::string& said = endings.at(rank).text;
            QVERIFY2(said.starts_with("rank 2 (process ") && said.ends_with("has died"), said.c_str());
        }
    }

    void hostMemoryCarriesThemElsewhere()
    {
        const CudaScripted scripted("gpus=4");
        QCOMPARE(complaints(onGpusOfHosts(TwoHosts, By::HostMemory, everyTypeAndReduction)), std::string());
    }
};

LOCKSTEP_TEST(TestNcclOverHosts)
#include "test_nccl_over_hosts.moc"
