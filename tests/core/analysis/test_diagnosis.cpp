// Which rank the others waited for, from made-up records of calls.
#include "analysis/timing/diagnosis.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

constexpr std::int64_t Second = 1'000'000'000;
constexpr std::uint64_t AllThree = 0b111;

/// A collective of all three; `since` 0: it has returned.
RecordedCall ofAll(Call call, std::int64_t number, std::int64_t since)
{
    return {.call = call,
        .number = number,
        .members = AllThree,
        .waitedNs = since == 0 ? 1 : since * Second,
        .leftNs = since == 0 ? 2 : 0};
}

RecordedCall message(Call call, std::int64_t number, std::int32_t peer, std::uint64_t members, std::int64_t since)
{
    RecordedCall made = ofAll(call, number, since);
    made.peer = peer;
    made.members = members;
    made.group = 1;
    return made;
}

RankCallHistory history(std::int32_t rank, std::vector<RecordedCall> calls)
{
    return {rank, 100 * Second, std::move(calls)};
}

QString said(const std::vector<RankCallHistory>& ranks)
{
    const auto missed = missedCall(ranks);
    return missed ? QString::fromStdString(sentence(*missed)) : QString();
}

} // namespace

class TestDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRankThatNeverCame()
    {
        QCOMPARE(said({history(0, {ofAll(Call::AllReduce, 40, 0), ofAll(Call::AllReduce, 41, 70)}),
                     history(1, {ofAll(Call::AllReduce, 41, 71)}), history(2, {ofAll(Call::AllReduce, 40, 0)})}),
            QStringLiteral("rank 2 never entered all_reduce number 41, the others waited 30 s"));
    }

    void whoWaitsForAnotherRankIsNotTheCause()
    {
        // Rank 0 waits for rank 1, which waits for rank 2.
        const auto ranks = std::vector{history(0, {ofAll(Call::Barrier, 3, 60)}),
            history(1, {message(Call::Receive, 8, 2, 0b110, 95)}), history(2, {message(Call::Send, 7, 1, 0b110, 0)})};
        QCOMPARE(
            said({ranks[0], ranks[1], history(2, {message(Call::Send, 7, 1, 0b110, 0), ofAll(Call::Barrier, 2, 0)})}),
            QStringLiteral("rank 2 never entered barrier number 3, the others waited 40 s"));
        QCOMPARE(
            said({ranks[0], ranks[1], history(2, {message(Call::Send, 7, 1, 0b110, 0), ofAll(Call::Barrier, 3, 0)})}),
            QStringLiteral("rank 2 never entered send number 8 to rank 1, which waited 5.0 s"));
    }

    void aCallThatWasOnlyStartedIsNotWaitedFor()
    {
        // Rank 0 has started to receive from rank 1, and computes; rank 1 waits for its message.
        RecordedCall started = message(Call::Receive, 1, 1, 0b11, 50);
        started.waitedNs = 0;
        const std::vector ranks{history(0, {started}), history(1, {message(Call::Receive, 5, 0, 0b11, 90)})};
        QCOMPARE(said(ranks), QStringLiteral("rank 0 never entered send number 5 to rank 1, which waited 10 s"));
    }

    void theOldestCallOfAGroupHoldsUpTheOthers()
    {
        RecordedCall first = ofAll(Call::AllReduce, 5, 80);
        first.waitedNs = 0; // started; the one after it is waited for
        const std::vector ranks{history(0, {first, ofAll(Call::AllReduce, 6, 80)}),
            history(1, {first, ofAll(Call::AllReduce, 6, 85)}), history(2, {ofAll(Call::AllReduce, 4, 0)})};
        QCOMPARE(said(ranks), QStringLiteral("rank 2 never entered all_reduce number 5, the others waited 20 s"));
    }

    void aGroupOfSomeRanksIsNamed()
    {
        RecordedCall call = ofAll(Call::ReduceScatter, 9, 75);
        call.members = 0b101;
        call.group = 2;
        RecordedCall otherGroup = call; // of the same ranks, with numbers that are further on
        otherGroup.group = 3;
        otherGroup.number = 99;
        otherGroup.leftNs = 1;
        QCOMPARE(said({history(0, {call}), history(1, {}), history(2, {otherGroup})}),
            QStringLiteral("rank 2 never entered reduce_scatter number 9 of ranks 0, 2, the others waited 25 s"));
    }

    void aMessageUnderWayIsNotMissing()
    {
        const std::vector ranks{
            history(0, {message(Call::Send, 4, 1, 0b11, 0)}), history(1, {message(Call::Receive, 4, 0, 0b11, 99)})};
        QCOMPARE(said(ranks), QString());
        QCOMPARE(said({}), QString());
    }

    void ofTwoAwaitedCallsTheNextOwnOneIsNamed()
    {
        // A middle stage sends to the next one, then back to the first, in each step; the first has waited longer.
        const auto next
            = [](std::int64_t number, std::int64_t since) { return message(Call::Send, number, 2, 0b110, since); };
        const auto back
            = [](std::int64_t number, std::int64_t since) { return message(Call::Send, number, 0, 0b011, since); };
        const RankCallHistory middle = history(1, {next(1, 0), back(1, 0), next(2, 0), back(2, 0)});
        const std::vector ranks{history(0, {message(Call::Receive, 3, 1, 0b011, 60)}), middle,
            history(2, {message(Call::Receive, 3, 1, 0b110, 90)})};
        QCOMPARE(said(ranks), QStringLiteral("rank 1 never entered send number 3 to rank 2, which waited 10 s"));
    }

    void aMessageWhoseOtherSideHasNotComeIsForeseen()
    {
        // A middle stage starts to receive gradients before it has sent the scores that the next stage waits for.
        const auto at = [](RecordedCall call, std::int64_t step) {
            call.step = step;
            return call;
        };
        const auto receive = [](std::int64_t number) { return message(Call::Receive, number, 2, 0b110, 0); };
        const auto send = [](std::int64_t number) { return message(Call::Send, number, 2, 0b110, 0); };
        const auto scores = [](std::int64_t number) { return message(Call::Receive, number, 0, 0b011, 0); };
        const RankCallHistory middle = history(1,
            {at(scores(1), 1), at(receive(1), 1), at(send(1), 1), at(scores(2), 2), at(receive(2), 2), at(send(2), 2),
                at(scores(3), 3)});
        const RankCallHistory last = history(2, {at(message(Call::Receive, 3, 1, 0b110, 95), 3)});
        QCOMPARE(said({history(0, {}), middle, last}),
            QStringLiteral("rank 1 never entered recv number 3 from rank 2, which waited 5.0 s"));
        // An order within its only earlier step counts less than how that step began.
        const auto back = [](std::int64_t number) { return message(Call::Send, number, 0, 0b011, 0); };
        const RankCallHistory second = history(1,
            {at(scores(1), 1), at(receive(1), 1), at(back(1), 1), at(scores(2), 1), at(send(1), 1), at(back(2), 1),
                at(scores(3), 2)});
        QCOMPARE(said({history(0, {}), second, history(2, {at(message(Call::Receive, 2, 1, 0b110, 95), 2)})}),
            QStringLiteral("rank 1 never entered recv number 2 from rank 2, which waited 5.0 s"));
        // In its first step, nothing shows that order.
        const RankCallHistory early = history(1, {at(scores(1), 1)});
        QCOMPARE(said({history(0, {}), early, history(2, {at(message(Call::Receive, 1, 1, 0b110, 95), 1)})}),
            QStringLiteral("rank 1 never entered send number 1 to rank 2, which waited 5.0 s"));
    }

    void whereAllWaitTheLongestWaitIsNamed()
    {
        const std::vector ranks{
            history(0, {message(Call::Receive, 2, 1, 0b11, 70)}), history(1, {message(Call::Receive, 6, 0, 0b11, 80)})};
        QCOMPARE(said(ranks), QStringLiteral("rank 1 never entered send number 2 to rank 0, which waited 30 s"));
    }
};

LOCKSTEP_TEST(TestDiagnosis)
#include "test_diagnosis.moc"
