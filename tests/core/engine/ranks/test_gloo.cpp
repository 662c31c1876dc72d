// Gloo as a backend: every collective exact, sub-groups, calls that differ, and ranks that never come.
#include "core/engine/comm/checked_call.h"
#include "core/engine/comm/group.h"
#include "engine/compat/libtorch.h"
#include "engine/ranks/gloo_communicator.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

/// As lockstep-rank does first of all.
const bool IsPrepared = [] {
    engine::stopFlightRecorder();
    return true;
}();

std::vector<Result<void>> asGlooRanks(int ranks, const std::function<Result<void>(Communicator&)>& body,
    std::chrono::milliseconds timeout = std::chrono::milliseconds(20'000))
{
    static std::atomic<int> groups{0};
    const JoinOptions all{.name = "test-gloo-" + std::to_string(getpid()) + "-" + std::to_string(groups++),
        .size = ranks,
        .timeout = timeout};
    std::vector<Result<void>> results(static_cast<std::size_t>(ranks));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            JoinOptions options = all;
            options.rank = rank;
            auto joined = engine::joinGloo(options);
            results[static_cast<std::size_t>(rank)] = joined ? body(**joined) : Result<void>(joined.error());
        });
    }
    threads.clear();
    return results;
}

} // namespace

class TestGloo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationIsExact_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {1, 2, 3, 4, 8}) {
            if (ranks <= 4 || qEnvironmentVariableIsSet("LOCKSTEP_LONG")) {
                QTest::addRow("%d ranks", ranks) << ranks;
            }
        }
    }

    void everyCombinationIsExact()
    {
        QFETCH(int, ranks);
        const std::int64_t largest = qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 1'000'003 : 20'003;
        const auto results = asGlooRanks(ranks, [&](Communicator& group) -> Result<void> {
            for (const Collective what :
                {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
                    Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
                for (const DataType type : DataTypes) {
                    for (const Reduction reduction : Reductions) {
                        const bool reduces = what == Collective::Reduce || what == Collective::AllReduce
                            || what == Collective::ReduceScatter;
                        if (!isDefined(reduction, type) || (!reduces && reduction != Reduction::Sum)) {
                            continue;
                        }
                        for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, largest}) {
                            const int root = static_cast<int>(count) % ranks;
                            if (auto right = callAndCheck(group, what, type, reduction, root, count, count == 7);
                                !right) {
                                return right;
                            }
                        }
                    }
                }
            }
            return group.barrier();
        });
        QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    }

    /// Else a rank that has failed could not say why before the message came, and two would wait for each other.
    void abortEndsAMessage()
    {
        std::atomic<bool> hasEnded{false};
        const auto results = asGlooRanks(2, [&hasEnded](Communicator& group) -> Result<void> {
            if (group.rank() == 1) {
                while (!hasEnded) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
                return {};
            }
            std::int32_t number = 0;
            const auto begin = std::chrono::steady_clock::now();
            const auto work
                = group.start({.what = Collective::SendReceive, .out = View{&number, 1, DataType::Int32}, .from = 1});
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            group.abort();
            const auto received = work->wait();
            const auto later = group.receive(View{&number, 1, DataType::Int32}, 1);
            hasEnded = true;
            const bool isSoon = std::chrono::steady_clock::now() - begin < std::chrono::seconds(10);
            return !received && !later && isSoon ? Result<void>() : Error{"the message was waited for"};
        });
        QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    }

    void subGroups()
    {
        const auto results = asGlooRanks(5, [](Communicator& group) -> Result<void> {
            const int color = group.rank() == 4 ? -1 : group.rank() % 2;
            auto part = group.split(color, -group.rank());
            if (!part) {
                return part.error();
            }
            if (group.rank() == 4) {
                return *part == nullptr ? group.barrier() : Error{"rank 4 is in a group"};
            }
            std::int32_t sum = group.rank();
            const View view{&sum, 1, DataType::Int32};
            if (auto summed = (*part)->allReduce(view, view, Reduction::Sum); !summed) {
                return summed;
            }
            const bool isRight = (*part)->rank() == (group.rank() < 2 ? 1 : 0) && sum == (color == 0 ? 2 : 4);
            return isRight ? group.barrier()
                           : Error{"the sub-group of rank " + std::to_string(group.rank()) + " is wrong"};
        });
        QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    }

    void messagesGoRound()
    {
        const auto results = asGlooRanks(3, [](Communicator& group) -> Result<void> {
            for (const std::int64_t count : {0, 1, 100'000}) {
                std::vector<std::int64_t> mine(static_cast<std::size_t>(count), group.rank());
                std::vector<std::int64_t> theirs(mine.size(), -1);
                for (int turn = 0; turn < 3; ++turn) {
                    if (auto moved = group.sendReceive({mine.data(), count, DataType::Int64}, (group.rank() + 1) % 3,
                            {theirs.data(), count, DataType::Int64}, (group.rank() + 2) % 3);
                        !moved) {
                        return moved;
                    }
                    std::swap(mine, theirs);
                }
                if (std::any_of(mine.begin(), mine.end(), [&](std::int64_t each) { return each != group.rank(); })) {
                    return Error{"not my own again"};
                }
            }
            return {};
        });
        QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    }

    void callsThatDifferAreAnErrorEverywhere()
    {
        const auto results = asGlooRanks(3, [](Communicator& group) -> Result<void> {
            std::vector<float> numbers(100);
            const View view{numbers.data(), group.rank() == 2 ? 50 : 100, DataType::Float32};
            return group.allReduce(view, view, Reduction::Sum);
        });
        for (const auto& result : results) {
            QVERIFY(!result);
            QCOMPARE(QString::fromStdString(result.error().message),
                QString(
                    "the ranks call different operations: rank 0 calls all_reduce of 100 float32 (sum), rank 2 calls "
                    "all_reduce of 50 float32 (sum)"));
        }
    }

    void aMessageThatDoesNotFitIsAnError()
    {
        const auto results = asGlooRanks(2, [](Communicator& group) -> Result<void> {
            std::vector<float> numbers(100);
            return group.rank() == 0 ? group.send({numbers.data(), 100, DataType::Float32}, 1)
                                     : group.receive({numbers.data(), 50, DataType::Float32}, 0);
        });
        QVERIFY(!results[1]);
        QCOMPARE(QString::fromStdString(results[1].error().message),
            QString("send_recv: rank 0 has sent 100 float32, rank 1 expected 50 float32"));
    }

    void whoNeverComesIsNamed()
    {
        const auto results = asGlooRanks(
            3,
            [](Communicator& group) -> Result<void> {
                if (auto met = group.barrier(); !met) {
                    return met;
                }
                if (group.rank() == 1) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
                    return {};
                }
                return group.barrier();
            },
            std::chrono::milliseconds(1000));
        for (const int rank : {0, 2}) {
            const auto& result = results[static_cast<std::size_t>(rank)];
            QVERIFY(!result);
            QVERIFY2(result.error().message.find("missing: 1") != std::string::npos, result.error().message.c_str());
        }
    }

    void whatIsHowIsTold()
    {
        QCOMPARE(engine::howGlooDoes(Collective::AllReduce, DataType::Float32), std::string_view("native"));
        QCOMPARE(engine::howGlooDoes(Collective::AllReduce, DataType::BFloat16), std::string_view("composed"));
        QCOMPARE(engine::howGlooDoes(Collective::ReduceScatter, DataType::Float32), std::string_view("composed"));
        QCOMPARE(engine::howGlooDoes(Collective::AllGather, DataType::BFloat16), std::string_view("bytes"));
    }
};

LOCKSTEP_TEST(TestGloo)
#include "test_gloo.moc"
