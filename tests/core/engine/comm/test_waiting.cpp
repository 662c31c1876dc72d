// Waiting told from transferring: the table of arrivals, and the times that a watched communicator reports.
#include "base/clock.h"
#include "core/engine/comm/group.h"
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/link/watched_communicator.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

constexpr auto Late = std::chrono::milliseconds(40);
constexpr double LateUs = 40'000.0;

using WatchedBody = std::function<Result<void>(WatchedCommunicator&, std::vector<OperationTimes>&)>;

/// As ranks that tell waiting; `body` also gets the times that are reported.
std::string firstErrorOf(int ranks, const WatchedBody& body)
{
    const auto table = Arrivals::makeFile(ranks);
    if (!table) {
        return table.error().message;
    }
    std::vector<Result<void>> results(static_cast<std::size_t>(ranks));
    const auto region = Region::makeFile(ranks);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            results[static_cast<std::size_t>(rank)] = [&]() -> Result<void> {
                LOCKSTEP_TRY_ASSIGN(auto joined, joinRegion(*region, rank, {}));
                LOCKSTEP_TRY_ASSIGN(auto arrivals, Arrivals::open(*table, ranks));
                std::vector<OperationTimes> times;
                WatchedCommunicator group(std::move(joined));
                group.measureWaiting(std::move(arrivals));
                group.setTimer([&times](const OperationTimes& each) { times.push_back(each); });
                return body(group, times);
            }();
        });
    }
    threads.clear();
    // A rank whose check fails leaves, and the others then miss it: its error is the cause.
    const auto cause = std::ranges::find_if(
        results, [](const auto& each) { return !each && !each.error().message.ends_with("has left the group"); });
    return cause != results.end() ? cause->error().message : firstError(results);
}

double ms(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}

/// The largest of the ranks' numbers.
Result<std::int64_t> latest(Communicator& group, std::int64_t ownNs)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(group.size()));
    LOCKSTEP_TRY(group.allGather({&ownNs, 1, DataType::Int64}, {all.data(), group.size(), DataType::Int64}));
    return std::ranges::max(all);
}

/// Waiting lasts until the last rank has entered, to the nanosecond, however busy the machine is. Every rank of `group`
/// calls this with the times of the same operation.
Result<void> expectWaitForLast(Communicator& group, OperationTimes times, bool mayLeaveBefore = false)
{
    if (times.lastArrivalNs == 0) {
        return Error{"waiting was not told"};
    }
    LOCKSTEP_TRY_ASSIGN(const std::int64_t last, latest(group, times.enterNs));
    const std::int64_t until = std::max(times.lastArrivalNs, times.enterNs);
    const bool hasLeftBefore = mayLeaveBefore && times.exitNs < last;
    return until == last || hasLeftBefore
        ? Result<void>()
        : Error{"waits " + std::to_string(ms(until - times.enterNs)) + " ms, and the last rank came after "
            + std::to_string(ms(last - times.enterNs)) + " ms"};
}

Result<void> allReduceSum(WatchedCommunicator& group, std::vector<float>& numbers)
{
    const View view{numbers.data(), static_cast<std::int64_t>(numbers.size()), DataType::Float32};
    return group.allReduce(view, view, Reduction::Sum);
}

} // namespace

class TestWaiting : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableKeepsTheLatestCalls();
    void othersWaitForTheLastOfACollective_data();
    void othersWaitForTheLastOfACollective();
    void anAlgorithmOfManyMessagesWaitsAsOne_data();
    void anAlgorithmOfManyMessagesWaitsAsOne();
    void aReceiverWaitsForTheSend();
    void aLargeSendWaitsForTheReceiver();
    void anEmulatedLatencyIsNotWaiting();
    void startedOperationsEnterWhenTheyAreStarted();
    void groupsThatAreSplitOffTellAsWell();
    void messagesInALargerGroupAreNotTold();
    void withoutATableNothingIsTold();
};

void TestWaiting::theTableKeepsTheLatestCalls()
{
    using Kind = Arrivals::Kind;
    const auto file = Arrivals::makeFile(2);
    QVERIFY(file);
    const auto table = Arrivals::open(*file, 2);
    QVERIFY(table);
    const Arrivals::Place place{1, 3};
    QCOMPARE((*table)->entered(place, Kind::Send, 1), Arrivals::NotYet);
    for (std::int64_t number = 1; number <= 3 * Arrivals::Kept; ++number) {
        (*table)->enter(place, Kind::Send, number, 1000 + number);
        QCOMPARE((*table)->entered(place, Kind::Send, number), 1000 + number);
        QCOMPARE((*table)->entered(place, Kind::Send, number + 1), Arrivals::NotYet);
        QCOMPARE((*table)->entered(place, Kind::Send, number + Arrivals::Kept), Arrivals::NotYet);
        if (number > Arrivals::Kept) {
            QCOMPARE(
                (*table)->entered(place, Kind::Send, number - Arrivals::Kept + 1), 1000 + number - Arrivals::Kept + 1);
            QCOMPARE((*table)->entered(place, Kind::Send, number - Arrivals::Kept), Arrivals::Forgotten);
        }
    }
    for (const auto& [other, kind] : std::map<int, Kind>{{0, Kind::Collective}, {1, Kind::Receive}}) {
        QCOMPARE((*table)->entered({1, 3}, kind, 1), Arrivals::NotYet);
        QCOMPARE((*table)->entered({other, 2}, Kind::Send, 1), Arrivals::NotYet);
    }
}

void TestWaiting::othersWaitForTheLastOfACollective_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("isLinked");
    QTest::newRow("2") << 2 << false;
    QTest::newRow("4") << 4 << false;
    QTest::newRow("4, composed of messages") << 4 << true;
}

void TestWaiting::othersWaitForTheLastOfACollective()
{
    QFETCH(int, ranks);
    QFETCH(bool, isLinked);
    const std::string error = firstErrorOf(ranks, [&](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(1000);
        for (int rank = 0; rank < ranks && isLinked; ++rank) {
            group.setLink(rank, {0.001, 0.0});
        }
        // Every rank is the late one in turn.
        for (int late = 0; late < ranks; ++late) {
            LOCKSTEP_TRY(group.barrier());
            if (group.rank() == late) {
                std::this_thread::sleep_for(Late);
            }
            times.clear();
            LOCKSTEP_TRY(allReduceSum(group, numbers));
            LOCKSTEP_TRY(expectWaitForLast(group, times.at(0)));
        }
        return {};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::anAlgorithmOfManyMessagesWaitsAsOne_data()
{
    QTest::addColumn<QString>("name");
    for (const Algorithm& each : algorithms()) {
        QTest::newRow(std::string(each.name).c_str()) << QString::fromStdString(std::string(each.name));
    }
}

void TestWaiting::anAlgorithmOfManyMessagesWaitsAsOne()
{
    QFETCH(QString, name);
    const Algorithm* found = algorithm(name.toStdString());
    QVERIFY(found != nullptr);
    const std::string error = firstErrorOf(4, [&](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(1000);
        const View view{numbers.data(), 1000, DataType::Float32};
        Scratch scratch;
        for (const int late : {0, 3}) {
            LOCKSTEP_TRY(group.barrier());
            if (group.rank() == late) {
                std::this_thread::sleep_for(Late);
            }
            times.clear();
            LOCKSTEP_TRY(group.asOneCollective(
                Call::AllReduce, view.byteCount(), [&] { return found->run(group, view, Reduction::Sum, scratch); }));
            if (times.size() != 1) {
                return Error{std::to_string(times.size()) + " times for one collective"};
            }
            // A rank that only sends may leave before the late one comes: then it waits as long as it is there.
            LOCKSTEP_TRY(expectWaitForLast(group, times.front(), true));
        }
        return {};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::aReceiverWaitsForTheSend()
{
    const std::string error = firstErrorOf(2, [](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(100);
        const View view{numbers.data(), 100, DataType::Float32};
        if (group.rank() == 0) {
            std::this_thread::sleep_for(Late);
            LOCKSTEP_TRY(group.send(view, 1));
        } else {
            LOCKSTEP_TRY(group.receive(view, 0));
        }
        return expectWaitForLast(group, times.at(0), group.rank() == 0); // a small message blocks nobody
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::aLargeSendWaitsForTheReceiver()
{
    const std::string error = firstErrorOf(2, [](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(1'000'000); // more than is buffered
        const View view{numbers.data(), 1'000'000, DataType::Float32};
        if (group.rank() == 0) {
            LOCKSTEP_TRY(group.send(view, 1));
        } else {
            std::this_thread::sleep_for(Late);
            LOCKSTEP_TRY(group.receive(view, 0));
        }
        return expectWaitForLast(group, times.at(0));
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::anEmulatedLatencyIsNotWaiting()
{
    const std::string error = firstErrorOf(2, [](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(100);
        const View view{numbers.data(), 100, DataType::Float32};
        for (const int rank : {0, 1}) {
            group.setLink(rank, {LateUs, 0.0});
        }
        if (group.rank() == 0) {
            LOCKSTEP_TRY(group.send(view, 1));
        } else {
            LOCKSTEP_TRY(group.receive(view, 0));
        }
        const OperationTimes own = times.at(0);
        LOCKSTEP_TRY(
            expectWaitForLast(group, own, group.rank() == 0)); // the message is on its way without the receiver
        LOCKSTEP_TRY_ASSIGN(const std::int64_t sent, latest(group, group.rank() == 0 ? own.enterNs : 0));
        const double after = ms(own.exitNs - sent);
        return group.rank() == 0 || after * 1e3 >= LateUs ? Result<void>()
                                                          : Error{"received after " + std::to_string(after) + " ms"};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::startedOperationsEnterWhenTheyAreStarted()
{
    const std::string error = firstErrorOf(2, [](WatchedCommunicator& group, auto&) -> Result<void> {
        std::vector<float> numbers(1000);
        const View view{numbers.data(), 1000, DataType::Float32};
        const Operation sum{.what = Collective::AllReduce, .in = view, .out = view, .reduction = Reduction::Sum};
        if (group.rank() == 0) {
            std::this_thread::sleep_for(Late);
        }
        const std::int64_t started = monotonicNs();
        std::vector<std::unique_ptr<Work>> works;
        for (int i = 0; i < 3; ++i) {
            works.push_back(group.start(sum));
        }
        const std::int64_t allStarted = monotonicNs();
        for (const auto& work : works) {
            LOCKSTEP_TRY(work->wait());
        }
        LOCKSTEP_TRY_ASSIGN(const std::int64_t lastStarted, latest(group, started));
        LOCKSTEP_TRY_ASSIGN(const std::int64_t lastAllStarted, latest(group, allStarted));
        for (const auto& work : works) {
            const std::int64_t last = work->times().lastArrivalNs;
            if (last < lastStarted || last > lastAllStarted) {
                return Error{
                    "the last rank entered " + std::to_string(ms(last - lastStarted)) + " ms after it started"};
            }
        }
        return {};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::groupsThatAreSplitOffTellAsWell()
{
    const std::string error = firstErrorOf(4, [](WatchedCommunicator& group, auto&) -> Result<void> {
        // Ranks 0 and 1 make a pair that the others do not know, so that the numbers of groups differ; the ranks of the
        // halves stand in reverse order.
        LOCKSTEP_TRY_ASSIGN(const auto pair, group.split(group.rank() < 2 ? 0 : -1, 0));
        LOCKSTEP_TRY_ASSIGN(const auto half, group.split(group.rank() % 2, -group.rank()));
        auto& watched = static_cast<WatchedCommunicator&>(*half);
        std::vector<OperationTimes> times;
        watched.setTimer([&times](const OperationTimes& each) { times.push_back(each); });
        std::vector<float> numbers(100);
        for (const int late : {0, 1}) {
            LOCKSTEP_TRY(watched.barrier());
            if (watched.rank() == late) {
                std::this_thread::sleep_for(Late);
            }
            times.clear();
            LOCKSTEP_TRY(allReduceSum(watched, numbers));
            LOCKSTEP_TRY(expectWaitForLast(watched, times.at(0)));
        }
        return {};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::messagesInALargerGroupAreNotTold()
{
    const std::string error = firstErrorOf(3, [](WatchedCommunicator& group, auto& times) -> Result<void> {
        std::vector<float> numbers(100);
        const View view{numbers.data(), 100, DataType::Float32};
        if (group.rank() == 2) {
            return {};
        }
        LOCKSTEP_TRY(group.rank() == 0 ? group.send(view, 1) : group.receive(view, 0));
        return times.at(0).lastArrivalNs == 0 ? Result<void>() : Error{"waiting was told"};
    });
    QVERIFY2(error.empty(), error.c_str());
}

void TestWaiting::withoutATableNothingIsTold()
{
    const auto results = asRanks(2, [](Communicator& group) -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(auto inner, group.split(0, group.rank()));
        WatchedCommunicator watched(std::move(inner));
        std::vector<OperationTimes> times;
        watched.setTimer([&times](const OperationTimes& each) { times.push_back(each); });
        std::vector<float> numbers(100);
        LOCKSTEP_TRY(allReduceSum(watched, numbers));
        return times.at(0).lastArrivalNs == 0 ? Result<void>() : Error{"waiting was told"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

LOCKSTEP_TEST(TestWaiting)
#include "test_waiting.moc"
