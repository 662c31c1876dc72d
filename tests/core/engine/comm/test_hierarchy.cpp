// The backend for ranks on several hosts, on pretended ones: every collective, what crosses the network, what is told
// of the time, groups that are split off, and ranks that die, hang or disagree.
#include "core/engine/comm/conformance.h"
#include "core/engine/comm/hosts.h"
#include "engine/comm/failures.h"
#include "engine/comm/link/watched_communicator.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <cstring>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

using Hosts = std::vector<int>;

constexpr std::int64_t Long = 700'001; ///< float64: several pieces, not equally long

View viewOf(std::vector<double>& numbers)
{
    return {numbers.data(), static_cast<std::int64_t>(numbers.size()), DataType::Float64};
}

/// Numbers whose sum depends on the order of summing.
std::vector<double> numbersOf(int rank, std::int64_t count)
{
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = 1.0 / static_cast<double>(1 + (i * 7 + static_cast<std::size_t>(rank) * 13) % 1009);
    }
    return numbers;
}

Result<void> sumForEver(Communicator& group, const std::function<void(int)>& beforeStep)
{
    for (int step = 0; step < 1'000'000; ++step) {
        beforeStep(step);
        std::vector<double> numbers(300'000, 1.0);
        LOCKSTEP_TRY(group.allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum));
    }
    return Error{"no rank died"};
}

std::vector<Ending> asProcessesOnHosts(
    const Hosts& hosts, std::chrono::milliseconds timeout, const std::function<Result<void>(Communicator&)>& body)
{
    return tests::asProcesses(static_cast<int>(hosts.size()), [&, name = uniqueName()](int rank) -> Result<void> {
        NetworkOfTest network;
        const auto group = joinHosts(name, hosts, rank, network, timeout);
        return group ? body(**group) : Result<void>(group.error());
    });
}

} // namespace

class TestHierarchy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationIsExact_data();
    void everyCombinationIsExact();
    void longArraysAreTheSameOnAllRanks_data();
    void longArraysAreTheSameOnAllRanks();
    void oneRankOfAHostUsesTheNetwork();
    void timeBetweenHostsIsTold();
    void oneRankEachNeedsNoHierarchy();
    void subGroups();
    void aKilledRankIsNamed_data();
    void aKilledRankIsNamed();
    void aDeadRankOfAPartIsNamedAsInTheRun();
    void aLateRankIsNamedByItsNumber();
    void whoLeftForALateRankIsNotTheCause();
    void disagreementIsTold();
};

void TestHierarchy::everyCombinationIsExact_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<Hosts>("hosts");
    for (const Collective what : {Collective::AllReduce, Collective::Broadcast, Collective::Reduce, Collective::Gather,
             Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
        const std::string name(nameOf(what));
        QTest::addRow("%s, 2 x 2", name.c_str()) << static_cast<int>(what) << Hosts{0, 0, 1, 1};
        if (what == Collective::AllReduce) {
            QTest::addRow("%s, placed in turn", name.c_str()) << static_cast<int>(what) << Hosts{0, 1, 0, 1};
            QTest::addRow("%s, 3 and 1", name.c_str()) << static_cast<int>(what) << Hosts{0, 0, 0, 1};
            QTest::addRow("%s, 1 and 3", name.c_str()) << static_cast<int>(what) << Hosts{1, 0, 0, 0};
            QTest::addRow("%s, three hosts", name.c_str()) << static_cast<int>(what) << Hosts{2, 0, 1, 0, 2};
            QTest::addRow("%s, one host", name.c_str()) << static_cast<int>(what) << Hosts{0, 0, 0};
        }
    }
}

void TestHierarchy::everyCombinationIsExact()
{
    QFETCH(int, what);
    QFETCH(Hosts, hosts);
    const std::vector<Case> cases = casesOf(static_cast<Collective>(what), static_cast<int>(hosts.size()), 20'003);
    const auto results = onHosts(hosts, [&](Communicator& group, NetworkOfTest&) -> Result<void> {
        HostPlace place;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            LOCKSTEP_TRY(tryCase(group, cases[i], i % 3 == 0, place));
        }
        return group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestHierarchy::longArraysAreTheSameOnAllRanks_data()
{
    QTest::addColumn<Hosts>("hosts");
    QTest::addColumn<bool>("isInPlace");
    QTest::newRow("2 x 2") << Hosts{0, 0, 1, 1} << false;
    QTest::newRow("2 x 2, in place") << Hosts{0, 0, 1, 1} << true;
    QTest::newRow("placed in turn") << Hosts{0, 1, 0, 1, 0} << true;
    QTest::newRow("3 and 1") << Hosts{0, 0, 0, 1} << false;
}

void TestHierarchy::longArraysAreTheSameOnAllRanks()
{
    QFETCH(Hosts, hosts);
    QFETCH(bool, isInPlace);
    std::vector<std::vector<double>> found(hosts.size());
    const auto results = onHosts(hosts, [&](Communicator& group, NetworkOfTest&) -> Result<void> {
        const std::vector<double> given = numbersOf(group.rank(), Long);
        std::vector<double> in = given;
        std::vector<double> out(in.size(), -1.0);
        for (int i = 0; i < 3; ++i) { // the second and third have nothing to compare
            in = given;
            std::vector<double>& to = isInPlace ? in : out;
            LOCKSTEP_TRY(group.allReduce(viewOf(in), viewOf(to), Reduction::Sum));
            if (!isInPlace && in != given) {
                return Error{"the input was written"};
            }
            found[static_cast<std::size_t>(group.rank())] = to;
        }
        return {};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (const auto& each : found) {
        QVERIFY(std::memcmp(each.data(), found.front().data(), each.size() * sizeof(double)) == 0);
    }
    std::vector<double> expected(static_cast<std::size_t>(Long), 0.0);
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        const auto numbers = numbersOf(static_cast<int>(rank), Long);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            expected[i] += numbers[i];
        }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY(std::abs(found.front()[i] - expected[i]) <= 1e-15 * 5 * expected[i]);
    }
}

/// What a host sends does not grow with its ranks.
void TestHierarchy::oneRankOfAHostUsesTheNetwork()
{
    const auto results = onHosts({0, 1, 0, 1}, [](Communicator& group, NetworkOfTest& network) -> Result<void> {
        std::vector<double> numbers(static_cast<std::size_t>(Long), 1.0);
        const View view = viewOf(numbers);
        LOCKSTEP_TRY(group.allReduce(view, view, Reduction::Sum));
        LOCKSTEP_TRY(group.barrier());
        network.calls = 0;
        network.reduced = 0;
        LOCKSTEP_TRY(group.allReduce(view, view, Reduction::Sum));
        const bool isLeader = group.rank() < 2;
        if (isLeader ? network.reduced != view.byteCount() : network.calls != 0) {
            return Error{"rank " + std::to_string(group.rank()) + " made " + std::to_string(network.calls)
                + " calls on the network with " + std::to_string(network.reduced) + " bytes"};
        }
        const std::size_t expected = (isLeader ? 2 : 1) * view.byteCount(); // 2 (h - 1) / h is 1 of two hosts
        const std::int64_t told = group.lastTimes().bytesSent;
        return told == static_cast<std::int64_t>(expected) ? Result<void>()
                                                           : Error{"bytesSent is " + std::to_string(told)};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestHierarchy::timeBetweenHostsIsTold()
{
    constexpr auto Delay = std::chrono::milliseconds(20);
    const auto results = onHosts(
        {0, 0, 1, 1},
        [&](Communicator& group, NetworkOfTest&) -> Result<void> {
            std::vector<double> numbers(1000, 1.0);
            LOCKSTEP_TRY(group.allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum));
            LOCKSTEP_TRY(group.allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum));
            const OperationTimes times = group.lastTimes();
            const std::int64_t delayNs = std::chrono::nanoseconds(Delay).count();
            if (times.betweenHostsNs < delayNs || times.betweenHostsNs > times.exitNs - times.enterNs) {
                return Error{"rank " + std::to_string(group.rank()) + ": " + std::to_string(times.betweenHostsNs)
                    + " ns of " + std::to_string(times.exitNs - times.enterNs)};
            }
            return {};
        },
        Delay);
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    // A watched group passes it to its timer, of a call and of one that was started.
    const auto watched = onHosts({0, 1, 1}, [](Communicator& group, NetworkOfTest&) -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(auto inner, group.split(0, 0));
        WatchedCommunicator ranks(std::move(inner));
        std::int64_t told = 0;
        ranks.setTimer([&](const OperationTimes& times) { told = times.betweenHostsNs; });
        std::vector<double> numbers(1000, 1.0);
        const Operation op{.what = Collective::AllReduce, .in = viewOf(numbers), .out = viewOf(numbers)};
        LOCKSTEP_TRY(ranks.run(op));
        const auto work = ranks.start(op);
        LOCKSTEP_TRY(work->wait());
        // To the other host, and to or from the own host's leader.
        const std::size_t each = group.rank() == 0 ? 8000 : group.rank() == 1 ? 16'000 : 8000;
        return told > 0 && work->times().betweenHostsNs > 0 && ranks.takeBytesSent() == 2 * each
            ? Result<void>()
            : Error{"rank " + std::to_string(group.rank()) + " was told nothing"};
    });
    QVERIFY2(firstError(watched).empty(), firstError(watched).c_str());
}

void TestHierarchy::oneRankEachNeedsNoHierarchy()
{
    const auto backendOn = [](const Hosts& hosts) {
        std::string found;
        const auto results = onHosts(hosts, [&](Communicator& group, NetworkOfTest&) -> Result<void> {
            if (group.rank() == 0) {
                found = group.backend();
            }
            return group.barrier();
        });
        return firstError(results) + found;
    };
    QCOMPARE(backendOn({1, 0, 2}), std::string("network"));
    QCOMPARE(backendOn({0, 0, 2}), std::string("hierarchical"));
}

void TestHierarchy::subGroups()
{
    const auto results = onHosts({0, 1, 0, 1, 1, 0}, [](Communicator& group, NetworkOfTest& network) -> Result<void> {
        // Of one host: everything is in its memory.
        const bool isEven = group.rank() % 2 == 0;
        const int host = std::vector<int>{0, 1, 0, 1, 1, 0}[static_cast<std::size_t>(group.rank())];
        LOCKSTEP_TRY_ASSIGN(auto own, group.split(host, 0));
        network.calls = 0;
        std::vector<double> numbers(100, group.rank());
        LOCKSTEP_TRY(own->allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum));
        LOCKSTEP_TRY(own->broadcast(viewOf(numbers), 1));
        LOCKSTEP_TRY_ASSIGN(auto memory, own->share(64));
        if (network.calls != 0 || numbers[0] != (host == 0 ? 7.0 : 8.0) || !memory) {
            return Error{"the host's own group"};
        }
        // Over hosts, in the reverse order, and one that only some ranks are in.
        LOCKSTEP_TRY_ASSIGN(auto half, group.split(isEven ? 0 : -1, -group.rank()));
        if (!half) {
            return isEven ? Result<void>(Error{"no half"}) : Result<void>();
        }
        std::vector<double> ranks(1, half->rank());
        LOCKSTEP_TRY(half->broadcast(viewOf(ranks), 0));
        std::vector<double> more(static_cast<std::size_t>(Long), group.rank());
        LOCKSTEP_TRY(half->allReduce(viewOf(more), viewOf(more), Reduction::Sum));
        const bool isRight = half->size() == 3 && half->rank() == 2 - group.rank() / 2 && ranks[0] == 0.0
            && more.front() == 6.0 && more.back() == 6.0;
        return isRight ? Result<void>() : Error{"the half"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestHierarchy::aKilledRankIsNamed_data()
{
    QTest::addColumn<int>("victim");
    QTest::newRow("a host's first rank") << 1;
    QTest::newRow("another") << 2;
    QTest::newRow("the only one of its host") << 4;
}

void TestHierarchy::aKilledRankIsNamed()
{
    QFETCH(int, victim);
    QElapsedTimer clock;
    clock.start();
    const auto endings = asProcessesOnHosts({0, 1, 0, 1, 2}, std::chrono::seconds(30), [&](Communicator& group) {
        return sumForEver(group, [&](int step) {
            if (group.rank() == victim && step == 30) {
                raise(SIGKILL);
            }
        });
    });
    QVERIFY2(isWithin(clock.elapsed(), 10'000), qPrintable(QString::number(clock.elapsed())));
    const std::string name = "rank " + std::to_string(victim) + " (process ";
    for (int rank = 0; rank < 5; ++rank) {
        const std::string& text = endings[static_cast<std::size_t>(rank)].text;
        QVERIFY2(rank == victim ? text.empty() : text.starts_with("all_reduce: " + name) && text.ends_with("has died"),
            (std::to_string(rank) + ": " + text).c_str());
    }
}

void TestHierarchy::aDeadRankOfAPartIsNamedAsInTheRun()
{
    const auto endings
        = asProcessesOnHosts({0, 0, 1, 1, 0, 1}, std::chrono::seconds(30), [](Communicator& group) -> Result<void> {
              LOCKSTEP_TRY_ASSIGN(auto half, group.split(group.rank() % 2, 0));
              if (group.rank() % 2 == 0) {
                  usleep(2'000'000);
                  return {};
              }
              return sumForEver(*half, [&](int step) {
                  if (group.rank() == 3 && step == 10) {
                      raise(SIGKILL);
                  }
              });
          });
    for (const std::size_t rank : {1, 5}) {
        const std::string& text = endings[rank].text;
        QVERIFY2(text.starts_with("all_reduce: global rank 3 (process ") && text.ends_with("has died"), text.c_str());
    }
    const std::vector<int> ranks{3, 2};
    const Text told("all_reduce: %1 has died; rank 1 waits for %2", {rankName(0), rankName(1)});
    QCOMPARE(inNumbersOfRun(renamedGlobally(told, ranks)).english,
        std::string("all_reduce: rank 3 has died; rank 1 waits for rank 2"));
}

void TestHierarchy::aLateRankIsNamedByItsNumber()
{
    const auto endings = asProcessesOnHosts({0, 1, 0, 1}, std::chrono::seconds(1), [](Communicator& group) {
        std::vector<double> numbers(10, 1.0);
        auto done = group.allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum);
        if (done && group.rank() == 3) {
            usleep(5'000'000);
        }
        return done ? group.allReduce(viewOf(numbers), viewOf(numbers), Reduction::Sum) : done;
    });
    for (const int rank : {0, 1, 2}) {
        const std::string& text = endings[static_cast<std::size_t>(rank)].text;
        QVERIFY2(text == "all_reduce: not all ranks have arrived within 1 s; here: 0, 1, 2; missing: 3", text.c_str());
    }
}

void TestHierarchy::whoLeftForALateRankIsNotTheCause()
{
    std::vector<std::shared_ptr<PeerRegistry>> registries(3);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < 3; ++rank) {
        threads.emplace_back([&registries, rank] {
            auto met = PeerRegistry::meet("late" + std::to_string(getpid()), rank, 3, std::chrono::seconds(30));
            registries[static_cast<std::size_t>(rank)] = met ? *met : nullptr;
        });
    }
    threads.clear();
    QVERIFY(registries[0] && registries[1] && registries[2]);
    registries[0]->beginCall();
    registries[1]->beginCall();
    QVERIFY(!registries[0]->hasLeftForMissing()); // rank 2 is late, but nobody has left
    registries[1].reset();
    QVERIFY(registries[0]->hasLeftForMissing());
    registries[2]->beginCall();
    QVERIFY(!registries[0]->hasLeftForMissing());
    registries[0]->beginCall(); // rank 1 left before it
    QVERIFY(!registries[0]->hasLeftForMissing());
}

void TestHierarchy::disagreementIsTold()
{
    const auto endings = asProcessesOnHosts({0, 1, 0, 1}, std::chrono::seconds(5), [](Communicator& group) {
        std::vector<double> numbers(8, 1.0);
        const View view{numbers.data(), group.rank() == 3 ? 7 : 8, DataType::Float64};
        return group.allReduce(view, view, Reduction::Sum);
    });
    for (const Ending& ending : endings) {
        QCOMPARE(ending.text,
            std::string("the ranks call different operations: rank 0 calls all_reduce of 8 float64 (sum), rank 3 calls "
                        "all_reduce of 7 float64 (sum)"));
    }
}

LOCKSTEP_TEST(TestHierarchy)
#include "test_hierarchy.moc"
