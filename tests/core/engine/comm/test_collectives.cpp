// Every collective with every type and reduction, on inputs whose exact result is known, compared bit by bit. Ranks are
// threads here; test_shm_faults has them as processes.
#include "core/engine/comm/conformance.h"
#include "core/engine/comm/group.h"
#include "program/test_class.h"

#include <QTest>

#include <cstring>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

std::int64_t largestCount()
{
    return qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 1'000'003 : 100'003;
}

} // namespace

class TestCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationIsExact_data();
    void everyCombinationIsExact();
    void startedOnesKeepTheirOrder();
    void messagesGoRound_data();
    void messagesGoRound();
    void messagesKeepTheirOrder();
    void subGroups();
    void floatsAreTheSameOnAllRanks();
    void whatDoesNotFitIsRefused();
};

void TestCollectives::everyCombinationIsExact_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("ranks");
    for (const Collective what : {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
             Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
        for (const int ranks : {1, 2, 3, 4, 8}) {
            QTest::addRow("%s, %d ranks", std::string(nameOf(what)).c_str(), ranks) << static_cast<int>(what) << ranks;
        }
    }
}

void TestCollectives::everyCombinationIsExact()
{
    QFETCH(int, what);
    QFETCH(int, ranks);
    const std::vector<Case> cases = casesOf(static_cast<Collective>(what), ranks, largestCount());
    const auto results = asRanks(ranks, [&](Communicator& group) -> Result<void> {
        HostPlace place;
        for (const Case& c : cases) {
            if (auto right = tryCase(group, c, false, place); !right) {
                return right;
            }
        }
        // Asynchronously too, mixed with the synchronous ones, which queue behind them.
        for (std::size_t i = 0; i < cases.size(); i += 3) {
            if (auto right = tryCase(group, cases[i], true, place); !right) {
                return right;
            }
        }
        return group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestCollectives::startedOnesKeepTheirOrder()
{
    const auto results = asRanks(3, [](Communicator& group) -> Result<void> {
        std::vector<std::vector<std::int64_t>> numbers;
        for (int i = 0; i < 50; ++i) {
            numbers.emplace_back(1000, group.rank() + i);
        }
        std::vector<std::unique_ptr<Work>> works;
        for (auto& array : numbers) {
            const View view{array.data(), 1000, DataType::Int64};
            works.push_back(group.start({.what = Collective::AllReduce, .in = view, .out = view}));
        }
        std::int64_t last = group.rank();
        const View view{&last, 1, DataType::Int64};
        if (auto summed = group.allReduce(view, view, Reduction::Max); !summed) {
            return summed;
        }
        for (int i = 0; i < 50; ++i) {
            const bool isRight = works[static_cast<std::size_t>(i)]->isDone()
                && works[static_cast<std::size_t>(i)]->wait()
                && numbers[static_cast<std::size_t>(i)] == std::vector<std::int64_t>(1000, 3 + 3 * i);
            if (!isRight) {
                return Error{"operation " + std::to_string(i) + " is wrong, or was overtaken by a later one"};
            }
        }
        return last == 2 ? Result<void>() : Error{"the last one is wrong"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestCollectives::messagesGoRound_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("count");
    for (const int ranks : {2, 3, 8}) {
        for (const int count : {0, 1, 1000, 300'000}) { // the last is more than a mailbox holds
            QTest::addRow("%d ranks, %d numbers", ranks, count) << ranks << count;
        }
    }
}

void TestCollectives::messagesGoRound()
{
    QFETCH(int, ranks);
    QFETCH(int, count);
    const auto results = asRanks(ranks, [&](Communicator& group) -> Result<void> {
        const int next = (group.rank() + 1) % ranks;
        const int previous = (group.rank() + ranks - 1) % ranks;
        std::vector<std::int32_t> mine(static_cast<std::size_t>(count), group.rank());
        std::vector<std::int32_t> theirs(mine.size(), -1);
        for (int turn = 0; turn < ranks; ++turn) {
            if (auto moved = group.sendReceive(
                    {mine.data(), count, DataType::Int32}, next, {theirs.data(), count, DataType::Int32}, previous);
                !moved) {
                return moved;
            }
            std::swap(mine, theirs);
        }
        return mine == std::vector<std::int32_t>(mine.size(), group.rank()) ? Result<void>()
                                                                            : Error{"not my own again"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestCollectives::messagesKeepTheirOrder()
{
    const auto results = asRanks(2, [](Communicator& group) -> Result<void> {
        for (std::int64_t i = 0; i < 5000; ++i) {
            std::int64_t number = i;
            const View view{&number, 1, DataType::Int64};
            auto moved = group.rank() == 0 ? group.send(view, 1) : group.receive(view, 0);
            if (!moved || number != i) {
                return moved ? Error{"message " + std::to_string(i) + " is " + std::to_string(number)} : moved.error();
            }
        }
        return group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestCollectives::subGroups()
{
    const auto results = asRanks(5, [](Communicator& group) -> Result<void> {
        // Even ranks backwards, odd ones forwards, and rank 4 in none.
        const int color = group.rank() == 4 ? -1 : group.rank() % 2;
        auto part = group.split(color, color == 0 ? -group.rank() : group.rank());
        if (!part) {
            return part.error();
        }
        if (group.rank() == 4) {
            return *part == nullptr ? group.barrier() : Error{"rank 4 is in a group"};
        }
        Communicator& half = **part;
        const int expectedRank = color == 0 ? (group.rank() == 2 ? 0 : 1) : group.rank() / 2;
        std::int32_t sum = group.rank();
        const View view{&sum, 1, DataType::Int32};
        if (auto summed = half.allReduce(view, view, Reduction::Sum); !summed) {
            return summed;
        }
        const bool isRight = half.size() == 2 && half.rank() == expectedRank && sum == (color == 0 ? 2 : 4);
        return isRight ? group.barrier() : Error{"the sub-group of rank " + std::to_string(group.rank()) + " is wrong"};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestCollectives::floatsAreTheSameOnAllRanks()
{
    constexpr std::int64_t Count = 200'003;
    std::vector<std::vector<float>> sums(4, std::vector<float>(Count));
    const auto results = asRanks(4, [&](Communicator& group) -> Result<void> {
        auto& mine = sums[static_cast<std::size_t>(group.rank())];
        for (std::size_t i = 0; i < Count; ++i) {
            mine[i] = 1.0F / static_cast<float>(i + 1 + static_cast<std::size_t>(group.rank()) * 7);
        }
        const View view{mine.data(), Count, DataType::Float32};
        return group.allReduce(view, view, Reduction::Sum);
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (int rank = 1; rank < 4; ++rank) {
        QVERIFY(std::memcmp(sums[0].data(), sums[static_cast<std::size_t>(rank)].data(), Count * sizeof(float)) == 0);
    }
}

void TestCollectives::whatDoesNotFitIsRefused()
{
    const auto results = asRanks(2, [](Communicator& group) -> Result<void> {
        std::array<float, 4> numbers{};
        const View all{numbers.data(), 4, DataType::Float32};
        const View half{numbers.data(), 2, DataType::Float32};
        const auto message = [](const Result<void>& result) { return result ? "accepted" : result.error().message; };
        const std::vector<std::pair<std::string, std::string>> expected{
            {message(group.allReduce(all, half, Reduction::Sum)),
                "all_reduce: in has 4 float32, out 2 float32; with 2 ranks they must have 4 and 4 of one type"},
            {message(group.reduceScatter(all, all, Reduction::Sum)),
                "reduce_scatter: in has 4 float32, out 4 float32; with 2 ranks they must have 8 and 4 of one type"},
            {message(group.broadcast(all, 2)), "broadcast: root 2 does not exist; the ranks are 0 to 1"},
            {message(group.allReduce(all, all, Reduction::BitOr)),
                "all_reduce: bor is not defined for float32; use int32, int64 or uint8"},
            {message(group.send(all, group.rank())),
                "send_recv: another rank " + std::to_string(group.rank()) + " does not exist; the ranks are 0 to 1"}};
        for (const auto& [given, wanted] : expected) {
            if (given != wanted) {
                return Error{given};
            }
        }
        return group.barrier(); // nothing was sent, so the group is as good as before
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

LOCKSTEP_TEST(TestCollectives)
#include "test_collectives.moc"
