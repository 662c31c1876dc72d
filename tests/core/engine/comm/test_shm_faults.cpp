// Shared-memory ranks as processes: they die, hang, disagree, or never come. No survivor may hang, every one must name
// the cause, and nothing may be left behind. LOCKSTEP_FAULT_TRIALS: how often each.
#include "core/engine/comm/group.h"
#include "core/engine/comm/processes.h"
#include "engine/comm/failures.h"
#include "engine/comm/shm/meeting.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

using GroupBody = std::function<Result<void>(Communicator&)>;

/// Runs `body` in `ranks` processes that find each other by name.
std::vector<Ending> asGroup(int ranks, const ShmOptions& options, const GroupBody& body)
{
    return tests::asProcesses(ranks, [&, name = uniqueName()](int rank) -> Result<void> {
        const auto group = joinByName(name, rank, ranks, options);
        return group ? body(**group) : Result<void>(group.error());
    });
}

/// For two ranks; null if it cannot be made.
std::unique_ptr<Region> freshRegion()
{
    const auto file = Region::makeFile(2);
    auto region = file ? Region::open(*file) : file.error();
    return region ? std::move(*region) : nullptr;
}

Result<void> reduceForEver(Communicator& group, std::size_t count, const std::function<void(int)>& beforeStep)
{
    std::vector<float> numbers(count, 1.0F);
    const View view{numbers.data(), static_cast<std::int64_t>(count), DataType::Float32};
    for (int step = 0; step < 1'000'000; ++step) {
        beforeStep(step);
        if (auto summed = group.allReduce(view, view, Reduction::Min); !summed) {
            return summed;
        }
    }
    return Error{"no rank died"};
}

} // namespace

class TestShmFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void processesFindEachOther();
    void aKilledRankIsNamed_data();
    void aKilledRankIsNamed();
    void aKilledPartnerIsNamed();
    void aRankThatDiesWhileArrivingIsNamed();
    void anErrorOfAnotherProcessKeepsItsParts();
    void aRankThatLeavesIsNamed();
    void theDeadIsNamedNotWhoLeftAfterIt();
    void aStandstillEndsAtTheLimit();
    void disagreementIsToldEveryRank();
    void aRankThatNeverComes();
    void nothingIsLeftBehind();

private:
    const int m_trials = qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 100 : 5;
};

void TestShmFaults::processesFindEachOther()
{
    const auto endings = asGroup(4, {}, [](Communicator& group) -> Result<void> {
        std::int64_t sum = group.rank();
        const View view{&sum, 1, DataType::Int64};
        if (auto summed = group.allReduce(view, view, Reduction::Sum); !summed) {
            return summed;
        }
        auto half = group.split(group.rank() % 2, 0);
        if (!half) {
            return half.error();
        }
        auto met = (*half)->barrier();
        return met && sum == 6 ? Result<void>() : Error{"wrong"};
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, std::string("fine"));
    }
}

void TestShmFaults::aKilledRankIsNamed_data()
{
    QTest::addColumn<int>("count");
    QTest::newRow("small") << 10;
    QTest::newRow("large") << 500'000;
}

void TestShmFaults::aKilledRankIsNamed()
{
    QFETCH(int, count);
    for (int trial = 0; trial < m_trials; ++trial) {
        const int victim = trial % 3;
        QElapsedTimer clock;
        clock.start();
        const auto endings = asGroup(3, {}, [&](Communicator& group) {
            return reduceForEver(group, static_cast<std::size_t>(count), [&](int step) {
                if (group.rank() == victim && step == 3 + trial) {
                    ::kill(getpid(), SIGKILL);
                }
            });
        });
        for (int rank = 0; rank < 3; ++rank) {
            const Ending& ending = endings[static_cast<std::size_t>(rank)];
            if (rank == victim) {
                QVERIFY(WIFSIGNALED(ending.status) && ending.text.empty());
                continue;
            }
            const std::string expected = "all_reduce: rank " + std::to_string(victim) + " (process ";
            QVERIFY2(ending.text.starts_with(expected) && ending.text.ends_with("has died"), ending.text.c_str());
        }
        QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QString::number(clock.elapsed())));
    }
}

void TestShmFaults::aKilledPartnerIsNamed()
{
    const auto endings = asGroup(2, {}, [](Communicator& group) -> Result<void> {
        std::vector<std::byte> bytes(1 << 20);
        const View view{bytes.data(), 1 << 20, DataType::UInt8};
        if (group.rank() == 1) {
            ::kill(getpid(), SIGKILL);
        }
        return group.send(view, 1); // more than the mailbox holds
    });
    QVERIFY2(endings[0].text.starts_with("send_recv: rank 1 (process ") && endings[0].text.ends_with("has died"),
        endings[0].text.c_str());
}

void TestShmFaults::aRankThatDiesWhileArrivingIsNamed()
{
    constexpr std::chrono::milliseconds Limit{20'000};
    const auto region = freshRegion();
    QVERIFY(region);
    const pid_t child = fork();
    if (child == 0) {
        Meeting meeting(*region, 1, Limit);
        const auto joined = meeting.join();
        // It has counted its arrival for itself, and dies before it counts it for all.
        region->rank(1).meetings.fetch_add(1);
        _exit(joined ? 0 : 1);
    }
    Meeting meeting(*region, 0, Limit);
    QVERIFY(meeting.join());
    QElapsedTimer clock;
    clock.start();
    const auto met = meeting.meet(Collective::Barrier);
    QVERIFY(isWithin(clock.elapsed(), 3000));
    QVERIFY(!met);
    QCOMPARE(met.error().message, "barrier: rank 1 (process " + std::to_string(child) + ") has died");
    waitpid(child, nullptr, 0);
}

/// What another process says of a group, in the numbers of the run: still a pattern and its parts.
void TestShmFaults::anErrorOfAnotherProcessKeepsItsParts()
{
    const auto waited = [](int rank, int other) {
        return ofOperation(Collective::AllReduce, {"%1 has waited %2 s for %3", {rankName(rank), 30, rankName(other)}});
    };
    const std::vector<int> members{2, 5};
    for (const Text& reason : {waited(0, 1), Text(LS_TR("Messages", "queued")), verbatim(std::string(2000, 'x'))}) {
        const auto region = freshRegion();
        QVERIFY(region);
        const pid_t child = fork();
        if (child == 0) {
            static_cast<void>(Meeting(*region, 1, std::chrono::milliseconds(1000)).breakGroup(reason));
            _exit(0);
        }
        waitpid(child, nullptr, 0);
        const auto state = Meeting(*region, 0, std::chrono::milliseconds(1000)).state();
        QVERIFY(!state);
        if (reason.isVerbatim) {
            QCOMPARE(state.error().message, std::string(1008, 'x')); // as far as it fits
            continue;
        }
        QCOMPARE(Text(state.error()), reason);
        const Error named = failureOf(renamed(state.error(), members));
        QCOMPARE(Text(named), reason.pattern.empty() ? reason : waited(2, 5));
        QCOMPARE(named.message, reason.pattern.empty() ? "queued" : "all_reduce: rank 2 has waited 30 s for rank 5");
    }
}

void TestShmFaults::aRankThatLeavesIsNamed()
{
    const auto endings = asGroup(3, {},
        [](Communicator& group) -> Result<void> { return group.rank() == 2 ? Result<void>() : group.barrier(); });
    QVERIFY2(endings[0].text.starts_with("barrier: rank 2 (process "), endings[0].text.c_str());
    QVERIFY2(endings[1].text.ends_with("has left the group"), endings[1].text.c_str());
}

void TestShmFaults::theDeadIsNamedNotWhoLeftAfterIt()
{
    const auto endings = asGroup(3, {}, [](Communicator& group) -> Result<void> {
        float value = 0;
        switch (group.rank()) {
        case 0: // is the first to know, and leaves
            while (group.deadPeer().empty()) {
                usleep(1000);
            }
            return {};
        case 1: // looks at rank 0 only
            return group.receive({&value, 1, DataType::Float32}, 0);
        default:
            ::kill(getpid(), SIGKILL);
            return {};
        }
    });
    QVERIFY2(endings[1].text.starts_with("send_recv: rank 2 (process "), endings[1].text.c_str());
    QVERIFY2(endings[1].text.ends_with("has died"), endings[1].text.c_str());
}

void TestShmFaults::aStandstillEndsAtTheLimit()
{
    const auto endings = asGroup(3, {.timeout = std::chrono::milliseconds(1000)}, [](Communicator& group) {
        if (group.rank() == 1) {
            usleep(2'000'000);
        }
        return group.barrier();
    });
    const std::string expected = "barrier: not all ranks have arrived within 1 s; here: 0, 2; missing: 1";
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text, expected);
    }
}

void TestShmFaults::disagreementIsToldEveryRank()
{
    const auto endings = asGroup(3, {}, [](Communicator& group) {
        std::array<double, 8> numbers{};
        const View view{numbers.data(), group.rank() == 2 ? 7 : 8, DataType::Float64};
        return group.allReduce(view, view, Reduction::Sum);
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text,
            std::string("the ranks call different operations: rank 0 calls all_reduce of 8 float64 (sum), rank 2 calls "
                        "all_reduce of 7 float64 (sum)"));
    }
    const auto messages = asGroup(2, {}, [](Communicator& group) {
        std::array<float, 4> numbers{};
        return group.rank() == 0 ? group.send({numbers.data(), 4, DataType::Float32}, 1)
                                 : group.receive({numbers.data(), 3, DataType::Float32}, 0);
    });
    QCOMPARE(messages[1].text, std::string("send_recv: rank 0 has sent 4 float32, rank 1 expected 3 float32"));
}

void TestShmFaults::aRankThatNeverComes()
{
    const auto joined = joinByName(uniqueName(), 0, 2, {.joinTimeout = std::chrono::milliseconds(300)});
    QVERIFY(!joined);
    QVERIFY2(joined.error().message.starts_with("shared memory: only 1 of 2 ranks"), joined.error().message.c_str());
    const auto alone = joinByName(uniqueName(), 1, 2, {.joinTimeout = std::chrono::milliseconds(300)});
    QVERIFY(!alone && alone.error().message.starts_with("shared memory: rank 0 has not arrived"));
}

void TestShmFaults::nothingIsLeftBehind()
{
    QVERIFY(QDir(QStringLiteral("/dev/shm")).entryList({QStringLiteral("*lockstep*")}, QDir::Files).isEmpty());
    QVERIFY(waitpid(-1, nullptr, WNOHANG) < 0); // no child, not even a zombie
}

LOCKSTEP_TEST(TestShmFaults)
#include "test_shm_faults.moc"
