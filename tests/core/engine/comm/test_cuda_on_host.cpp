// What is written for GPUs, on fakes of the CUDA runtime and of NCCL (tests/fakes/cuda): how a GPU is refused, what
// different GPUs have in common, what is freed, and how failures are reported. cuda_collectives_on_host has the rest.
#include "engine/comm/device/peer_watch.h"
#include "engine/comm/device/staged_communicator.h"
#include "engine/cuda/cuda_device.h"
#include "fakes/cuda/cuda_script.h"
#include "gpu/gpu_checks.h"
#include "program/test_class.h"
#ifdef LOCKSTEP_HAS_NCCL
#include "engine/cuda/nccl_communicator.h"

#include <nccl.h>
#endif

#include <cuda_runtime_api.h>

#include <QTest>

#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t Count = 100'000;

/// The report of one process.
std::string saidAlone(const std::function<Result<void>()>& body)
{
    return asProcesses(1, [&](int) { return body(); }).at(0).text;
}

Result<void> reduceAll(const GpuRank& rank)
{
    const auto memory = rank.gpu.allocate(Count * sizeof(float));
    if (!memory) {
        return memory.error();
    }
    rank.gpu.zero(*memory, Count * sizeof(float));
    const View view{*memory, Count, DataType::Float32, Space::Device};
    auto done = rank.group.allReduce(view, view, Reduction::Sum);
    rank.gpu.free(*memory);
    return done ? rank.group.finish() : done;
}

/// What is queued from now on comes that much later.
void holdUp(Device& gpu, std::chrono::seconds time)
{
    const auto flags = gpu.allocateShared(sizeof(std::uint32_t));
    const auto words = gpu.allocateHost(2 * sizeof(std::uint32_t));
    gpu.zero(*flags, sizeof(std::uint32_t));
    std::memset(*words, 0, 2 * sizeof(std::uint32_t));
    auto* word = reinterpret_cast<std::uint32_t*>(*words);
    const auto* flag = reinterpret_cast<const std::uint32_t*>(*flags);
    gpu.waitForFlags({.flags = {&flag, 1}, .value = 1, .limit = time, .stop = word, .missing = word + 1});
}

/// Waits a moment for what the others give back.
Result<void> isAllFree()
{
    std::size_t free = 0;
    std::size_t all = 0;
    for (const auto end = std::chrono::steady_clock::now() + 3s; std::chrono::steady_clock::now() < end;) {
        if (cudaMemGetInfo(&free, &all) == cudaSuccess && free == all) {
            return {};
        }
        std::this_thread::sleep_for(5ms);
    }
    return Error{std::to_string(all - free) + " bytes are still taken"};
}

#ifdef LOCKSTEP_HAS_NCCL
std::vector<Ending> overNccl(
    int ranks, const cuda::NcclOptions& options, bool onOneGpu, const std::function<Result<void>(const GpuRank&)>& body)
{
    return asProcesses(ranks, [&, name = uniqueName()](int rank) -> Result<void> {
        auto host = joinByName(name, rank, ranks, {});
        auto gpu = cuda::openGpu(onOneGpu ? 0 : rank);
        if (!host || !gpu) {
            return host ? gpu.error() : host.error();
        }
        {
            auto group = cuda::overNccl(std::move(*host), *gpu, options);
            if (!group) {
                return group.error();
            }
            if (auto done = body({**group, **gpu}); !done) {
                return done;
            }
        }
        gpu->reset();
        return isAllFree();
    });
}
#endif

} // namespace

class TestCudaOnHost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void refusals_data();
    void refusals();
    void afterAFork();
    void everyKindOfGpu_data();
    void everyKindOfGpu();
    void withoutIpc();
    void slicesOfAGpu();
    void noMemory();
    void allIsGivenBack();
    void aFailureIsToldByAll();
    void messagesToALateDevice();
    void lateFlagsAreNamed();
    void aDeathBehindAFullQueue();
    void aStepOfManyKernelsBehindADeadRankEnds();
#ifdef LOCKSTEP_HAS_NCCL
    void ncclOnOneGpu();
    void ncclGivesAllBack();
    void ncclComparesCalls();
    void ncclHasATimeLimit();
    void ncclDeathWhileMeeting();
#endif
};

void TestCudaOnHost::refusals_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("index");
    QTest::addColumn<QString>("line");
    QTest::addRow("no driver") << QByteArray("driver=0") << 0
                               << "device: cuda:0 needs an NVIDIA driver, and this machine has none; install it so "
                                  "that nvidia-smi lists the GPU, or use device=cpu";
    const QString runtime = QStringLiteral("%1.%2").arg(CUDART_VERSION / 1000).arg(CUDART_VERSION % 1000 / 10);
    QTest::addRow("an old driver") << QByteArray("driver=11080") << 1
                                   << "device: cuda:1 needs a driver for CUDA " + runtime
            + ", and the one here is for CUDA 11.8; update the driver, or use device=cpu";
    QTest::addRow("no GPU") << QByteArray("gpus=0") << 0
                            << "device: cuda:0 does not exist: the driver finds no GPU (CUDA_VISIBLE_DEVICES can hide "
                               "them); use device=cpu";
    QTest::addRow("beyond the last") << QByteArray("gpus=2") << 2
                                     << "device: cuda:2 does not exist; the GPUs are cuda:0 to cuda:1";
    QTest::addRow("before the first") << QByteArray("gpus=2") << -1
                                      << "device: cuda:-1 does not exist; the GPUs are cuda:0 to cuda:1";
    QTest::addRow("an old GPU") << QByteArray("capability=70") << 0
                                << "device: cuda:0 has compute capability 7.0; it needs 7.5 (Turing) or later; use "
                                   "device=cpu";
    QTest::addRow("the oldest") << QByteArray("capability=75") << 0 << "fine";
}

void TestCudaOnHost::refusals()
{
    QFETCH(QByteArray, script);
    QFETCH(int, index);
    QFETCH(QString, line);
    const CudaScripted scripted(script.constData());
    const std::string said = saidAlone([index]() -> Result<void> {
        const auto gpu = cuda::openGpu(index);
        return gpu ? Result<void>() : gpu.error();
    });
    QCOMPARE(QString::fromStdString(said), line);
}

void TestCudaOnHost::afterAFork()
{
    const std::string said = saidAlone([]() -> Result<void> {
        const auto gpu = cuda::openGpu(0);
        if (!gpu) {
            return gpu.error();
        }
        return Error{saidAlone([]() -> Result<void> {
            const auto again = cuda::openGpu(0);
            return again ? Result<void>() : again.error();
        })};
    });
    QCOMPARE(said,
        std::string("device: cuda:0 cannot be used: cudaGetDeviceCount: initialization error "
                    "(cudaErrorInitializationError)"));
}

void TestCudaOnHost::everyKindOfGpu_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addRow("kernels that are compiled as they come") << QByteArray("nvcc=0");
    QTest::addRow("without memory in the order of streams") << QByteArray("pools=0");
}

void TestCudaOnHost::everyKindOfGpu()
{
    QFETCH(QByteArray, script);
    const CudaScripted scripted(script.constData());
    QCOMPARE(complaints(asGpuRanks(2, {}, everyTypeAndReduction)), std::string());
}

void TestCudaOnHost::withoutIpc()
{
    const CudaScripted scripted("ipc=0");
    const auto endings = asGpuRanks(2, {}, reduceAll);
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text,
            std::string("rank 0: cuda:0 cannot be shared between processes: cudaIpcGetEventHandle: operation not "
                        "supported (cudaErrorNotSupported)"));
    }
}

/// As placeRanks() has it: ranks on one slice share its memory, those on different ones stage their arrays.
void TestCudaOnHost::slicesOfAGpu()
{
    const CudaScripted scripted("slices=2 megabytes=64");
    const auto onSlices = [](bool together, const std::function<Result<void>(const GpuRank&)>& body) {
        return asProcesses(2, [=, name = uniqueName()](int rank) -> Result<void> {
            setenv("CUDA_VISIBLE_DEVICES", together || rank == 0 ? "MIG-0" : "MIG-1", 1);
            auto host = joinByName(name, rank, 2, {});
            const auto other = cuda::openGpu(1);
            auto gpu = cuda::openGpu(0);
            if (!host || !gpu || other) {
                return !host ? host.error() : !gpu ? gpu.error() : Error{"it sees the other slice"};
            }
            auto group = overIpc(*host, *gpu, {});
            if (group) {
                return body({**group, **gpu});
            }
            const std::string why = group.error().message;
            if (why.find("cannot be shared between processes") == std::string::npos) {
                return group.error();
            }
            StagedCommunicator staged(std::move(*host), *gpu);
            auto done = body({staged, **gpu});
            return done ? Error{"staged"} : done;
        });
    };
    QCOMPARE(complaints(onSlices(true, everyTypeAndReduction)), std::string());
    for (const Ending& ending : onSlices(false, everyTypeAndReduction)) {
        QCOMPARE(ending.text, std::string("staged"));
    }
    // Each has memory of its own: together they take more than one has.
    for (const Ending& ending : onSlices(false, [](const GpuRank& rank) -> Result<void> {
             const auto memory = rank.gpu.allocate(std::size_t{40} << 20);
             auto met = rank.group.barrier();
             return memory ? met : Result<void>(memory.error());
         })) {
        QCOMPARE(ending.text, std::string("staged"));
    }
}

void TestCudaOnHost::noMemory()
{
    const CudaScripted scripted("megabytes=8");
    const std::string said = saidAlone([]() -> Result<void> {
        const auto gpu = cuda::openGpu(0);
        const auto memory = (*gpu)->allocate(std::size_t{9} << 20);
        const auto shared = (*gpu)->allocateShared(std::size_t{9} << 20);
        if (memory || shared || memory.error().message == shared.error().message || !(*gpu)->state()) {
            return Error{"it was there, or nothing works any more"};
        }
        // What later calls of others in this process would take for their own.
        return cudaGetLastError() == cudaSuccess ? memory.error() : Error{"the error is still there"};
    });
    QCOMPARE(said,
        std::string("cuda:0: 9437184 bytes for collectives: cudaMalloc: out of memory (cudaErrorMemoryAllocation)"));
}

void TestCudaOnHost::allIsGivenBack()
{
    const auto endings = asProcesses(3, [name = uniqueName()](int rank) -> Result<void> {
        auto host = joinByName(name, rank, 3, {});
        auto gpu = cuda::openGpu(0);
        auto group = overIpc(*host, *gpu, {});
        if (!group) {
            return group.error();
        }
        // Slots, arrays of the group, places for messages, a group within it.
        const auto array = (*group)->share(Count, Space::Device);
        auto done = reduceAll({**group, **gpu});
        auto part = (*group)->split(rank % 2, rank);
        done = done && part ? everyTypeAndReduction({**part, **gpu}) : done;
        const auto memory = (*gpu)->allocate(Count);
        for (int i = 0; done && i < 3; ++i) {
            const View to{*memory, Count / 2, DataType::UInt8, Space::Device};
            const View from{*memory + Count / 2, Count / 2, DataType::UInt8, Space::Device};
            done = (*group)->sendReceive(to, (rank + 1) % 3, from, (rank + 2) % 3);
        }
        (*gpu)->free(*memory);
        done = done ? (*group)->finish() : done;
        if (!done || !array || !part) {
            return done ? Error{"no array or no group"} : done;
        }
        part->reset();
        group->reset();
        const auto state = (*gpu)->state();
        gpu->reset();
        return state ? isAllFree() : state;
    });
    QCOMPARE(complaints(endings), std::string());
}

void TestCudaOnHost::aFailureIsToldByAll()
{
    const auto endings = asGpuRanks(2, {}, [](const GpuRank& rank) -> Result<void> {
        if (rank.group.rank() == 1) {
            const auto memory = rank.gpu.allocate(Count);
            rank.gpu.free(*memory);
            rank.gpu.zero(*memory, Count);
        }
        return reduceAll(rank);
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text,
            std::string("all_reduce: rank 1: cuda:0: cudaMemsetAsync: invalid argument (cudaErrorInvalidValue)"));
    }
}

/// The sender's device is far ahead of the receiver's, which still has to take the pieces in the message buffers.
void TestCudaOnHost::messagesToALateDevice()
{
    const auto endings = asGpuRanks(2, {}, [](const GpuRank& rank) -> Result<void> {
        constexpr std::size_t Messages = 6;
        constexpr std::size_t Bytes = 1000;
        GpuArray all(rank.gpu, Messages * Bytes);
        Result<void> done;
        for (const bool isLate : {false, true}) { // the first time ranks open each other's places, and wait for that
            for (std::size_t i = 0; i < Messages; ++i) {
                std::memset(all.host() + i * Bytes, rank.group.rank() == 0 ? static_cast<int>(i) + 1 : 0, Bytes);
            }
            all.upload();
            if (isLate && rank.group.rank() == 1) {
                holdUp(rank.gpu, 1s);
            }
            for (std::size_t i = 0; done && i < Messages; ++i) {
                const View each{all.device() + i * Bytes, Bytes, DataType::UInt8, Space::Device};
                done = rank.group.rank() == 0 ? rank.group.send(each, 1) : rank.group.receive(each, 0);
            }
            all.download();
            done = done ? rank.group.finish() : done;
        }
        for (std::size_t i = 0; done && i < Messages * Bytes; ++i) {
            done = all.host()[i] == std::byte(i / Bytes + 1) ? done : Error{"wrong at " + std::to_string(i)};
        }
        return done;
    });
    QCOMPARE(complaints(endings), std::string());
}

void TestCudaOnHost::lateFlagsAreNamed()
{
    const auto endings = asGpuRanks(2, {.spinsOnFlags = true}, [](const GpuRank& rank) -> Result<void> {
        auto ready = reduceAll(rank);
        rank.group.setTimeout(1s);
        if (rank.group.rank() == 1) {
            holdUp(rank.gpu, 3s);
        }
        return ready ? reduceAll(rank) : ready;
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, std::string("all_reduce: the work of rank 1 has not come on the device within 1 s"));
    }
}

/// A rank whose device is held up dies when all have queued for as long as they may.
void TestCudaOnHost::aDeathBehindAFullQueue()
{
    const auto endings = asGpuRanks(3, {}, [](const GpuRank& rank) -> Result<void> {
        alarm(20); // what never returns ends with a signal
        const auto memory = rank.gpu.allocate(Count * sizeof(float));
        rank.gpu.zero(*memory, Count * sizeof(float));
        const View view{*memory, Count, DataType::Float32, Space::Device};
        auto done = rank.group.allReduce(view, view, Reduction::Max);
        done = done ? rank.group.finish() : done;
        if (rank.group.rank() == 1) {
            holdUp(rank.gpu, 30s);
            alarm(1);
        }
        const auto other = rank.gpu.allocate(1);
        for (int i = 0; done && i < 1000; ++i) {
            for (int own = 0; own < 10 && rank.group.rank() != 1; ++own) { // so that the others' queues are full first
                rank.gpu.zero(*other, 1);
            }
            done = rank.group.allReduce(view, view, Reduction::Max);
        }
        return done;
    });
    for (const int rank : {0, 2}) {
        const std::string& said = endings.at(static_cast<std::size_t>(rank)).text;
        QVERIFY2(said.starts_with("all_reduce: rank 1 (process ") && said.ends_with("has died"), said.c_str());
    }
}

/// Between two collectives a step queues more kernels than the queue takes: only the watch sees the death.
void TestCudaOnHost::aStepOfManyKernelsBehindADeadRankEnds()
{
    constexpr int NamesTheDead = 42;
    const auto start = std::chrono::steady_clock::now();
    const auto endings = asGpuRanks(3, {}, [](const GpuRank& rank) -> Result<void> {
        alarm(20); // what never returns ends with a signal
        const PeerWatch watch([&rank] { return rank.group.deadPeer(); },
            [](const std::string& dead) {
                _exit(dead.starts_with("rank 1 (process ") && dead.ends_with("has died") ? NamesTheDead : 1);
            });
        auto done = reduceAll(rank);
        const auto memory = rank.gpu.allocate(Count * sizeof(float));
        const View view{*memory, Count, DataType::Float32, Space::Device};
        rank.gpu.zero(*memory, Count * sizeof(float));
        if (rank.group.rank() == 1) {
            holdUp(rank.gpu, 30s);
        }
        done = done ? rank.group.allReduce(view, view, Reduction::Max) : done;
        if (rank.group.rank() == 1) {
            ::kill(getpid(), SIGKILL);
        }
        for (int kernel = 0; done && kernel < 3000; ++kernel) {
            rank.gpu.zero(*memory, sizeof(float));
        }
        return done ? Error{"its queue has taken everything"} : done;
    });
    QVERIFY(std::chrono::steady_clock::now() - start < 6s); // the fakes' GPUs are slow
    for (const int rank : {0, 2}) {
        const Ending& ending = endings.at(static_cast<std::size_t>(rank));
        QVERIFY2(WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == NamesTheDead, ending.text.c_str());
    }
}

#ifdef LOCKSTEP_HAS_NCCL

void TestCudaOnHost::ncclOnOneGpu()
{
    QCOMPARE(complaints(overNccl(2, {.takesSharedGpu = true}, true, reduceAll)), std::string());
}

void TestCudaOnHost::ncclGivesAllBack()
{
    const CudaScripted scripted("gpus=2");
    QCOMPARE(complaints(overNccl(2, {}, false,
                 [](const GpuRank& rank) -> Result<void> {
                     auto part = rank.group.split(0, -rank.group.rank());
                     auto done = part ? everyTypeAndReduction({**part, rank.gpu}) : part.error();
                     return done ? reduceAll(rank) : done;
                 })),
        std::string());
}

void TestCudaOnHost::ncclComparesCalls()
{
    const CudaScripted scripted("gpus=2");
    const auto endings = overNccl(2, {}, false, [](const GpuRank& rank) -> Result<void> {
        const auto memory = rank.gpu.allocate(Count);
        const View view{*memory, 10 + rank.group.rank(), DataType::Float32, Space::Device};
        auto done = rank.group.allReduce(view, view, Reduction::Max);
        const auto again = rank.group.allReduce(view, view, Reduction::Max);
        return again ? Error{"it went on"} : done;
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text,
            std::string(
                "the ranks call different operations: rank 0 calls all_reduce of 10 float32 (max), rank 1 calls "
                "all_reduce of 11 float32 (max)"));
    }
}

void TestCudaOnHost::ncclHasATimeLimit()
{
    const CudaScripted scripted("gpus=2");
    const auto endings = overNccl(2, {.timeout = 1s}, false, [](const GpuRank& rank) -> Result<void> {
        const auto memory = rank.gpu.allocate(Count);
        const View view{*memory, 100, DataType::Float32, Space::Device};
        if (rank.group.rank() == 1) {
            holdUp(rank.gpu, 3s);
        }
        auto done = rank.group.allReduce(view, view, Reduction::Max);
        return done ? rank.group.finish() : done;
    });
    QCOMPARE(endings.at(0).text, std::string("nccl: not done within 1 s: do all ranks call the same operation?"));
    QVERIFY2(endings.at(1).text.starts_with("nccl: not done within 1 s"), endings.at(1).text.c_str());
}

void TestCudaOnHost::ncclDeathWhileMeeting()
{
    const CudaScripted scripted("gpus=2");
    const auto endings = asProcesses(2, [name = uniqueName()](int rank) -> Result<void> {
        alarm(10); // what never returns ends with a signal
        auto host = joinByName(name, rank, 2, {});
        auto gpu = cuda::openGpu(rank);
        if (!host || !gpu) {
            return host ? gpu.error() : host.error();
        }
        if (rank == 1) { // it takes part in telling the group's name, and dies
            ncclUniqueId id{};
            std::int64_t isMade = 0;
            static_cast<void>((*host)->broadcast({&isMade, 1, DataType::Int64}, 0));
            const View text{&id, static_cast<std::int64_t>(sizeof(id)), DataType::UInt8};
            static_cast<void>((*host)->broadcast(text, 0));
            ::kill(getpid(), SIGKILL);
        }
        const auto group = cuda::overNccl(std::move(*host), *gpu, {});
        return group ? Result<void>() : group.error();
    });
    const std::string& said = endings.at(0).text;
    QVERIFY2(said.find("rank 1 (process ") != std::string::npos && said.ends_with("has died"), said.c_str());
}

#endif

LOCKSTEP_TEST(TestCudaOnHost)
#include "test_cuda_on_host.moc"
