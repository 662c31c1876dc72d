// Ranks as processes that share a device and die, hang or disagree: also those that die after all have met, when what
// they had queued never happens. Every survivor must say who it was, and none may hang.
#include "core/engine/comm/fake_device.h"
#include "core/engine/comm/processes.h"
#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/device/peer_watch.h"
#include "engine/comm/shm/shm_communicator.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <thread>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

using namespace std::chrono_literals;

struct NumberedRank {
    Communicator& group;
    FakeDevice& device;
    int number;

    [[nodiscard]] View array(std::int64_t count) const
    {
        const auto memory = device.allocate(static_cast<std::size_t>(count) * sizeof(float));
        return {memory ? *memory : nullptr, count, DataType::Float32, Space::Device};
    }
};

using DeviceBody = std::function<Result<void>(const NumberedRank&)>;

/// The exit code of a rank whose watch has named the dead one.
constexpr int NamesTheDead = 42;
/// As much as a GPU's queue holds: a call that queues more waits.
constexpr std::size_t QueueOfAGpu = 1024;

std::vector<Ending> asDeviceProcesses(
    int ranks, std::chrono::milliseconds timeout, bool spinsOnFlags, const DeviceBody& body)
{
    return asProcesses(ranks, [&, name = uniqueName()](int number) -> Result<void> {
        auto host = joinByName(name, number, ranks, {.timeout = timeout});
        if (!host) {
            return host.error();
        }
        const auto device = std::make_shared<FakeDevice>(
            FakeDeviceOptions{.seed = static_cast<unsigned>(number), .queueLimit = QueueOfAGpu});
        const IpcOptions options{
            .slotsOfAllRanks = std::size_t{256} << 10, .messageBytes = 4096, .spinsOnFlags = spinsOnFlags};
        const auto group = overIpc(*host, device, options);
        return group ? body({**group, *device, number}) : Result<void>(group.error());
    });
}

bool names(const Ending& ending, const std::string& what, int victim)
{
    return ending.text.starts_with(what + ": rank " + std::to_string(victim) + " (process ")
        && ending.text.ends_with("has died");
}

} // namespace

class TestDeviceFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKilledRankIsNamed_data() { addRows(); }
    void aKilledRankIsNamed();
    void aRankThatDiesWithWorkQueuedIsNamed_data() { addRows(); }
    void aRankThatDiesWithWorkQueuedIsNamed();
    void groupsWithoutTheDeadDoNotWaitForTheDevice_data();
    void groupsWithoutTheDeadDoNotWaitForTheDevice();
    void whatWasDoneBeforeADeathCounts();
    void aSenderThatDiesIsNamed();
    void aStandstillOfADeviceEndsAtTheLimit();
    void aFlagThatNeverComes();
    void disagreementIsToldEveryRank_data();
    void disagreementIsToldEveryRank();
    void nothingIsLeftBehind();
    void aStepOfManyKernelsBehindADeadRankEnds();
    void noOneIsStuckBehindARankThatHasLeft();

private:
    static void addRows()
    {
        QTest::addColumn<bool>("flags");
        QTest::addColumn<int>("count");
        QTest::newRow("events, small") << false << 10;
        QTest::newRow("events, large") << false << 100'000;
        QTest::newRow("flags, large") << true << 100'000;
    }
    const int m_trials = qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 30 : 3;
};

void TestDeviceFaults::aKilledRankIsNamed()
{
    QFETCH(bool, flags);
    QFETCH(int, count);
    for (int trial = 0; trial < m_trials; ++trial) {
        const int victim = trial % 3;
        QElapsedTimer clock;
        clock.start();
        const auto endings = asDeviceProcesses(3, 20s, flags, [&](const NumberedRank& rank) -> Result<void> {
            const View view = rank.array(count);
            for (int step = 0; step < 100'000; ++step) {
                if (rank.number == victim && step == 3 + trial) {
                    ::kill(getpid(), SIGKILL);
                }
                auto done = rank.group.allReduce(view, view, Reduction::Min);
                done = done && step % 4 == 0 ? rank.group.finish() : done;
                if (!done) {
                    return done;
                }
            }
            return Error{"no rank died"};
        });
        for (int rank = 0; rank < 3; ++rank) {
            const Ending& ending = endings[static_cast<std::size_t>(rank)];
            QVERIFY2(
                rank == victim ? WIFSIGNALED(ending.status) : names(ending, "all_reduce", victim), ending.text.c_str());
        }
        QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    }
}

void TestDeviceFaults::aRankThatDiesWithWorkQueuedIsNamed()
{
    QFETCH(bool, flags);
    QFETCH(int, count);
    for (int trial = 0; trial < m_trials; ++trial) {
        const int victim = trial % 3;
        QElapsedTimer clock;
        clock.start();
        const auto endings = asDeviceProcesses(3, 20s, flags, [&](const NumberedRank& rank) -> Result<void> {
            const View view = rank.array(count);
            const View small = rank.array(8);
            // Once before, so that memory is shared by the time that counts.
            auto done = rank.group.allReduce(view, view, Reduction::Min);
            done = done ? rank.group.finish() : done;
            if (!done) {
                return done;
            }
            if (rank.number == victim) {
                rank.device.setSlowness(10min);
            }
            // All meet and all queue; of the victim's work nothing will happen.
            done = rank.group.allReduce(small, small, Reduction::Min);
            if (rank.number == victim) {
                ::kill(getpid(), SIGKILL);
            }
            return done ? rank.group.finish() : done;
        });
        for (int rank = 0; rank < 3; ++rank) {
            const Ending& ending = endings[static_cast<std::size_t>(rank)];
            QVERIFY2(
                rank == victim ? WIFSIGNALED(ending.status) : names(ending, "all_reduce", victim), ending.text.c_str());
        }
        QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    }
}

void TestDeviceFaults::groupsWithoutTheDeadDoNotWaitForTheDevice_data()
{
    QTest::addColumn<bool>("flags");
    QTest::newRow("events") << false;
    QTest::newRow("flags") << true;
}

/// What is queued for one group holds up the device for all: as in a grid, where a rank is in several.
void TestDeviceFaults::groupsWithoutTheDeadDoNotWaitForTheDevice()
{
    QFETCH(bool, flags);
    constexpr int Victim = 3;
    QElapsedTimer clock;
    clock.start();
    const auto endings = asDeviceProcesses(4, 20s, flags, [&](const NumberedRank& rank) -> Result<void> {
        const View small = rank.array(8);
        const auto row = rank.group.split(rank.number / 2, rank.number);
        const auto column = rank.group.split(rank.number % 2, rank.number);
        const auto alone = rank.group.split(rank.number, 0);
        if (!row || !column || !alone) {
            return Error{"no groups"};
        }
        for (Communicator* group : {row->get(), column->get(), alone->get()}) {
            auto done = group->allReduce(small, small, Reduction::Min);
            done = done ? group->finish() : done;
            if (!done) {
                return done;
            }
        }
        if (rank.number == Victim) {
            rank.device.setSlowness(10min);
        }
        // All meet; on the devices all wait for the victim's.
        if (auto met = rank.group.barrier(); !met) {
            return met;
        }
        auto done = (*row)->allReduce(small, small, Reduction::Min);
        if (rank.number == Victim) {
            ::kill(getpid(), SIGKILL);
        }
        done = done ? (*row)->finish() : done;
        while (done) {
            done = (*column)->allReduce(small, small, Reduction::Min);
            done = done ? (*column)->finish() : done;
        }
        return done;
    });
    QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    // In its row the victim is the second; the others' row is without it.
    QVERIFY2(names(endings[2], "all_reduce", 1), endings[2].text.c_str());
    for (const std::string& said : {endings[0].text, endings[1].text}) {
        QVERIFY2(said.starts_with("all_reduce: global rank 3 (process ") && said.ends_with("has died"), said.c_str());
    }
}

void TestDeviceFaults::whatWasDoneBeforeADeathCounts()
{
    // Rank 1 has done all its part when it goes, and rank 0 is late to look: nothing is missing.
    const auto endings = asDeviceProcesses(2, 20s, false, [](const NumberedRank& rank) -> Result<void> {
        const View view = rank.array(1000);
        rank.device.zero(view.data, view.byteCount());
        if (rank.number == 0) {
            rank.device.setSlowness(20ms);
        }
        auto done = rank.group.allReduce(view, view, Reduction::Sum);
        if (rank.number == 1) {
            done = done ? rank.group.finish() : done;
            ::kill(getpid(), SIGKILL);
        }
        usleep(100'000);
        return done ? rank.group.finish() : done;
    });
    QCOMPARE(endings[0].text, std::string("fine"));
}

void TestDeviceFaults::aSenderThatDiesIsNamed()
{
    for (const bool hasQueued : {false, true}) {
        const auto endings = asDeviceProcesses(2, 20s, false, [&](const NumberedRank& rank) -> Result<void> {
            const View view = rank.array(100'000);
            if (rank.number == 1) {
                rank.device.setSlowness(hasQueued ? std::chrono::microseconds(10min) : 0us);
                const auto sent
                    = hasQueued ? rank.group.send({view.data, 10, view.type, view.space}, 0) : Result<void>();
                ::kill(getpid(), sent ? SIGKILL : SIGTERM);
            }
            auto done = hasQueued ? rank.group.receive({view.data, 10, view.type, view.space}, 1)
                                  : rank.group.send(view, 1); // more than the places hold
            return done ? rank.group.finish() : done;
        });
        QVERIFY2(names(endings[0], "send_recv", 1), endings[0].text.c_str());
    }
}

void TestDeviceFaults::aStandstillOfADeviceEndsAtTheLimit()
{
    const auto endings = asDeviceProcesses(2, 1s, false, [](const NumberedRank& rank) -> Result<void> {
        const View view = rank.array(10);
        auto done = rank.group.allReduce(view, view, Reduction::Sum);
        done = done ? rank.group.finish() : done;
        if (rank.number == 1) {
            rank.device.setSlowness(2s);
        }
        done = done ? rank.group.allReduce(view, view, Reduction::Sum) : done;
        done = done ? rank.group.finish() : done;
        return done;
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, std::string("all_reduce: it has not been completed within 1 s; all ranks have arrived"));
    }
}

void TestDeviceFaults::aFlagThatNeverComes()
{
    // The others' devices look at a flag that rank 1's never sets; they stop by themselves and say whose it was.
    QElapsedTimer clock;
    clock.start();
    const auto endings = asDeviceProcesses(3, 1s, true, [](const NumberedRank& rank) -> Result<void> {
        const View view = rank.array(10);
        auto done = rank.group.allReduce(view, view, Reduction::Sum);
        done = done ? rank.group.finish() : done;
        if (rank.number == 1) {
            rank.device.setSlowness(2500ms);
        }
        done = done ? rank.group.allReduce(view, view, Reduction::Sum) : done;
        return done ? rank.group.finish() : done;
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, std::string("all_reduce: the work of rank 1 has not come on the device within 1 s"));
    }
}

void TestDeviceFaults::disagreementIsToldEveryRank_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("onHost");
    QTest::addColumn<QByteArray>("told");
    const QByteArray start
        = "the ranks call different operations: rank 0 calls all_reduce of 8 float32 in the GPU's memory "
          "(sum), rank 2 calls all_reduce of ";
    QTest::newRow("count") << 7 << false << start + "7 float32 in the GPU's memory (sum)";
    QTest::newRow("so much that slots would grow")
        << 900'000 << false << start + "900000 float32 in the GPU's memory (sum)";
    QTest::newRow("on the host") << 8 << true << start + "8 float32 (sum)";
}

void TestDeviceFaults::disagreementIsToldEveryRank()
{
    QFETCH(int, count);
    QFETCH(bool, onHost);
    QFETCH(QByteArray, told);
    const auto endings = asDeviceProcesses(3, 20s, false, [&](const NumberedRank& rank) -> Result<void> {
        const View same = rank.array(8);
        auto done = rank.group.allReduce(same, same, Reduction::Sum);
        if (!done) {
            return done;
        }
        std::vector<float> numbers(static_cast<std::size_t>(count));
        const View other = onHost ? View{numbers.data(), count, DataType::Float32} : rank.array(count);
        const View& view = rank.number == 2 ? other : same;
        return rank.group.allReduce(view, view, Reduction::Sum);
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, told.toStdString());
    }
    const auto messages = asDeviceProcesses(2, 20s, false, [](const NumberedRank& rank) -> Result<void> {
        return rank.number == 0 ? rank.group.send(rank.array(4), 1) : rank.group.receive(rank.array(3), 0);
    });
    QCOMPARE(messages[1].text, std::string("send_recv: rank 0 has sent 4 float32, rank 1 expected 3 float32"));
}

void TestDeviceFaults::nothingIsLeftBehind()
{
    QVERIFY(waitpid(-1, nullptr, WNOHANG) < 0); // no child, not even a zombie
}

/// The step after a collective has more kernels than the device's queue takes: the call that queues never returns, so
/// that the thread cannot look at its peers.
void TestDeviceFaults::aStepOfManyKernelsBehindADeadRankEnds()
{
    QElapsedTimer clock;
    clock.start();
    const auto endings = asDeviceProcesses(3, 20s, false, [](const NumberedRank& rank) -> Result<void> {
        alarm(20); // what never returns ends with a signal
        const PeerWatch watch([&rank] { return rank.group.deadPeer(); },
            [](const std::string& dead) {
                _exit(dead.starts_with("rank 1 (process ") && dead.ends_with("has died") ? NamesTheDead : 1);
            });
        const View small = rank.array(8);
        auto done = rank.group.allReduce(small, small, Reduction::Min);
        done = done ? rank.group.finish() : done;
        if (rank.number == 1) {
            rank.device.setSlowness(10min);
        }
        done = done ? rank.group.allReduce(small, small, Reduction::Min) : done;
        if (rank.number == 1) {
            ::kill(getpid(), SIGKILL);
        }
        for (std::size_t kernel = 0; done && kernel < 3 * QueueOfAGpu; ++kernel) {
            rank.device.zero(small.data, small.byteCount());
        }
        return done ? Error{"its queue has taken everything"} : done;
    });
    QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    for (const int rank : {0, 2}) {
        const Ending& ending = endings[static_cast<std::size_t>(rank)];
        QVERIFY2(WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == NamesTheDead, ending.text.c_str());
    }
}

void TestDeviceFaults::noOneIsStuckBehindARankThatHasLeft()
{
    const auto endings = asDeviceProcesses(2, 20s, false, [](const NumberedRank& rank) -> Result<void> {
        const PeerWatch watch(
            [&rank] { return rank.group.deadPeer(); }, [](const std::string&) { _exit(NamesTheDead); });
        if (auto met = rank.group.barrier(); !met || rank.number == 1) {
            return met;
        }
        std::this_thread::sleep_for(PeerWatch::Patience + 500ms); // as rank 0 verifies when the others have ended
        return {};
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, std::string("fine"));
    }
}

LOCKSTEP_TEST(TestDeviceFaults)
#include "test_device_faults.moc"
