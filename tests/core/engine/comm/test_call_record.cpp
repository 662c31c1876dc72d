// The record of the ranks' last calls: what is kept of them, also where they are composed, started or split off.
#include "base/clock.h"
#include "core/engine/comm/group.h"
#include "engine/comm/link/watched_communicator.h"
#include "program/test_class.h"

#include <QTest>

#include <functional>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

using RecordedBody = std::function<Result<void>(WatchedCommunicator&)>;

/// As ranks of one record; `skipped`: rank 1 stays out of that call.
std::string errorOfRecorded(CallRecord& record, const RecordedBody& body, std::int64_t skipped = 0)
{
    const int ranks = record.ranks();
    const auto arrivals = Arrivals::makeFile(ranks);
    const auto region = Region::makeFile(ranks);
    std::vector<Result<void>> results(static_cast<std::size_t>(ranks));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            results[static_cast<std::size_t>(rank)] = [&]() -> Result<void> {
                LOCKSTEP_TRY_ASSIGN(auto joined, joinRegion(*region, rank, {}));
                LOCKSTEP_TRY_ASSIGN(auto table, Arrivals::open(*arrivals, ranks));
                WatchedCommunicator group(std::move(joined));
                group.measureWaiting(std::move(table));
                const auto stayOut = [](const std::string& call) { return Error{"stays out of " + call}; };
                group.record(std::make_shared<RankCalls>(
                    RankCalls{{&record, [](CallRecord*) {}}, rank, rank == 1 ? skipped : 0, stayOut}));
                return body(group);
            }();
        });
    }
    threads.clear();
    return firstError(results);
}

std::shared_ptr<CallRecord> freshRecord(int ranks)
{
    const auto file = CallRecord::makeFile(ranks);
    auto record = file ? CallRecord::open(*file, ranks) : Result<std::shared_ptr<CallRecord>>(file.error());
    return record ? *record : nullptr;
}

Result<void> allReduceOne(WatchedCommunicator& group)
{
    float number = 1.0F;
    const View view{&number, 1, DataType::Float32};
    return group.allReduce(view, view, Reduction::Sum);
}

} // namespace

class TestCallRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastCallsAreKept();
    void anotherProcessReadsThem();
    void callsOfAGroupAreNumbered();
    void startedCallsAreWaitedForLater();
    void aComposedCollectiveIsOneCall();
    void groupsThatAreSplitOffAreNamed();
    void aSkippedCallIsNotEntered();
    void callsAfterASkippedOneAreNotEntered();
};

void TestCallRecord::theLastCallsAreKept()
{
    const auto record = freshRecord(2);
    QVERIFY(record);
    QVERIFY(record->of(1).empty());
    record->setStep(1, 7);
    constexpr std::int64_t Calls = 3 * CallRecord::Kept + 5;
    for (std::int64_t number = 1; number <= Calls; ++number) {
        const std::int64_t place = record->reserve(1, 1);
        QCOMPARE(place, number);
        record->enter(1, place, {.call = Call::AllReduce, .number = number, .members = 3, .bytes = 8, .enteredNs = 1});
        if (number < Calls) {
            record->leave(1, place, 2);
        }
    }
    const auto kept = record->of(1);
    QCOMPARE(static_cast<std::int64_t>(kept.size()), CallRecord::Kept);
    QCOMPARE(kept.front().number, Calls - CallRecord::Kept + 1);
    QCOMPARE(kept.back().number, Calls);
    QCOMPARE(kept.back().step, 7);
    QCOMPARE(kept.front().leftNs, 2);
    QCOMPARE(kept.back().leftNs, 0);
    record->leave(1, 1, 99); // long overwritten
    QCOMPARE(record->of(1).front().leftNs, 2);
    QVERIFY(record->of(0).empty());
    QVERIFY(record->claim());
    QVERIFY(!record->claim());
}

void TestCallRecord::anotherProcessReadsThem()
{
    const auto file = CallRecord::makeFile(2);
    QVERIFY(file);
    const auto here = CallRecord::open(*file, 2);
    const auto there = CallRecord::open(*file, 2);
    QVERIFY(here && there);
    (*here)->enter(0, (*here)->reserve(0, 1), {.call = Call::Receive, .number = 3, .members = 3, .peer = 1});
    const auto seen = (*there)->of(0);
    QCOMPARE(seen.size(), std::size_t{1});
    QCOMPARE(seen.front().call, Call::Receive);
    QCOMPARE(seen.front().peer, 1);
}

void TestCallRecord::callsOfAGroupAreNumbered()
{
    const auto record = freshRecord(2);
    QCOMPARE(
        errorOfRecorded(*record,
            [](WatchedCommunicator& group) -> Result<void> {
                LOCKSTEP_TRY(allReduceOne(group));
                LOCKSTEP_TRY(group.barrier());
                const int other = 1 - group.rank();
                double mine = 1.0;
                double theirs = 0.0;
                return group.sendReceive({&mine, 1, DataType::Float64}, other, {&theirs, 1, DataType::Float64}, other);
            }),
        std::string());
    for (int rank = 0; rank < 2; ++rank) {
        const auto calls = record->of(rank);
        QCOMPARE(calls.size(), std::size_t{4});
        QCOMPARE(calls[0].call, Call::AllReduce);
        QCOMPARE(calls[0].number, 1);
        QCOMPARE(calls[0].bytes, 4);
        QCOMPARE(calls[1].call, Call::Barrier);
        QCOMPARE(calls[1].number, 2);
        QCOMPARE(calls[2].call, Call::Send);
        QCOMPARE(calls[3].call, Call::Receive);
        QCOMPARE(calls[3].number, 1);
        QCOMPARE(calls[3].peer, 1 - rank);
        for (const CallRecord::Entry& call : calls) {
            QCOMPARE(call.members, std::uint64_t{3});
            QVERIFY(call.leftNs >= call.enteredNs && call.enteredNs > 0);
            QCOMPARE(call.waitedNs, call.enteredNs);
        }
    }
}

void TestCallRecord::startedCallsAreWaitedForLater()
{
    const auto record = freshRecord(2);
    QCOMPARE(errorOfRecorded(*record,
                 [&record](WatchedCommunicator& group) -> Result<void> {
                     float number = 1.0F;
                     const View view{&number, 1, DataType::Float32};
                     auto work = group.start({.what = Collective::AllReduce, .in = view, .out = view});
                     const auto before = record->of(group.rank()).back().waitedNs;
                     LOCKSTEP_TRY(work->wait());
                     const CallRecord::Entry after = record->of(group.rank()).back();
                     return before == 0 && after.waitedNs > 0 && after.leftNs > 0 ? Result<void>() : Error{"not so"};
                 }),
        std::string());
}

void TestCallRecord::aComposedCollectiveIsOneCall()
{
    const auto record = freshRecord(3);
    QCOMPARE(errorOfRecorded(*record,
                 [](WatchedCommunicator& group) -> Result<void> {
                     std::vector<float> numbers(6, 1.0F);
                     const View view{numbers.data(), 6, DataType::Float32};
                     Scratch scratch;
                     LOCKSTEP_TRY(group.asOneCollective(Call::AllReduce, view.byteCount(),
                         [&] { return algorithm("ring")->run(group, view, Reduction::Sum, scratch); }));
                     return group.barrier();
                 }),
        std::string());
    const auto calls = record->of(2);
    QCOMPARE(calls.size(), std::size_t{2});
    QCOMPARE(calls[0].call, Call::AllReduce);
    QCOMPARE(calls[0].bytes, 24);
    QVERIFY(calls[0].leftNs > 0 && calls[1].leftNs > 0);
    QCOMPARE(calls[1].number, 2);
}

void TestCallRecord::groupsThatAreSplitOffAreNamed()
{
    const auto record = freshRecord(4);
    QCOMPARE(errorOfRecorded(*record,
                 [](WatchedCommunicator& group) -> Result<void> {
                     LOCKSTEP_TRY_ASSIGN(auto odd, group.split(group.rank() % 2, group.rank()));
                     LOCKSTEP_TRY_ASSIGN(auto again, group.split(group.rank() % 2, group.rank()));
                     LOCKSTEP_TRY(odd->barrier());
                     LOCKSTEP_TRY(again->barrier());
                     return again->barrier();
                 }),
        std::string());
    const auto calls = record->of(3);
    QCOMPARE(calls.size(), std::size_t{3});
    QCOMPARE(calls[0].members, std::uint64_t{0b1010});
    QCOMPARE(calls[2].number, 2);
    QVERIFY(calls[0].group != calls[1].group);
    QCOMPARE(calls[1].group, record->of(1)[1].group);
}

void TestCallRecord::aSkippedCallIsNotEntered()
{
    const auto record = freshRecord(1);
    QCOMPARE(record->reserve(0, 0), 1);
    const auto two = freshRecord(2);
    const std::string error = errorOfRecorded(
        *two,
        [](WatchedCommunicator& group) -> Result<void> {
            LOCKSTEP_TRY(group.barrier());
            return group.rank() == 1 ? allReduceOne(group) : Result<void>();
        },
        2);
    QCOMPARE(error, std::string("stays out of all_reduce number 2"));
    QCOMPARE(two->of(1).size(), std::size_t{1});
}

/// What the other ranks sent before they went would meet them.
void TestCallRecord::callsAfterASkippedOneAreNotEntered()
{
    const auto record = freshRecord(2);
    const auto body = [](WatchedCommunicator& group) -> Result<void> {
        LOCKSTEP_TRY(allReduceOne(group));
        if (group.rank() == 0) {
            return {};
        }
        const auto skipped = allReduceOne(group);
        const auto later = allReduceOne(group);
        return !skipped && !later ? later : Result<void>(Error{"entered"});
    };
    QCOMPARE(QString::fromStdString(errorOfRecorded(*record, body, 2)),
        QStringLiteral("follows a call that this rank did not enter"));
    QCOMPARE(record->of(1).size(), std::size_t{1});
}

LOCKSTEP_TEST(TestCallRecord)
#include "test_call_record.moc"
