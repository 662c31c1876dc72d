// What a timeline keeps, what it lets go, and what each pixel of it shows.
#include "program/test_class.h"
#include "ui/models/feeds/timeline_model.h"
#include "ui/models/ring_run.h"

#include <QTest>

#include <algorithm>

using namespace lockstep;
using test::RingRun;
using ui::TimelineModel;
using ui::TimelineSlice;
using ui::TimelineWindow;

namespace {

struct Span {
    std::int64_t step;
    Phase phase;
    std::int64_t startNs;
    std::int64_t durationNs;
    std::int32_t microBatch = -1;
};

store::Delta deltaOf(std::int32_t rank, const std::vector<Span>& spans, std::int64_t dropped = 0)
{
    wire::SpanBatch batch;
    for (const Span& span : spans) {
        batch.rows.push_back({span.step, span.phase, span.startNs, span.durationNs, span.microBatch});
    }
    batch.dropped = dropped;
    store::Delta delta;
    delta.spans.push_back({rank, batch});
    return delta;
}

bool isSorted(const TimelineModel& model, std::size_t lane)
{
    return std::ranges::is_sorted(model.lane(lane), {}, &ui::TimelineSpan::startNs);
}

} // namespace

class TestTimelineModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lateSpansFindTheirPlace()
    {
        RingRun run(4);
        TimelineModel model;
        model.take(run.hello());
        for (int i = 0; i < 50; ++i) {
            model.take(run.step(false));
        }
        QCOMPARE(model.ranks(), (std::vector<std::int32_t>{0, 1, 2, 3}));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            QVERIFY(isSorted(model, lane));
            const auto& spans = model.lane(lane);
            for (std::size_t i = 1; i < spans.size(); ++i) {
                QVERIFY(spans[i].startNs >= spans[i - 1].endNs());
            }
        }
        QCOMPARE(model.originNs(), RingRun::StartNs);
    }

    void batchesInAnyOrder()
    {
        TimelineModel model;
        model.take(deltaOf(3, {{2, Phase::Backward, 900, 50}, {1, Phase::Data, 100, 10}}));
        model.take(deltaOf(0, {{1, Phase::Data, 120, 10}}));
        model.take(deltaOf(3, {{1, Phase::Wait, 500, 20}}, 7));
        QCOMPARE(model.ranks(), (std::vector<std::int32_t>{0, 3}));
        QCOMPARE(model.size(), std::size_t(4));
        QVERIFY(isSorted(model, 1));
        QCOMPARE(model.lane(1)[1].phase, Phase::Wait);
        QCOMPARE(model.dropped(), 7);
        QCOMPARE(model.originNs(), 100);
        QCOMPARE(model.endNs(), 950);
    }

    void unknownPhasesAreLeftOut()
    {
        TimelineModel model;
        model.take(deltaOf(0, {{1, static_cast<Phase>(PhaseCount), 0, 10}}));
        QVERIFY(model.isEmpty());
    }

    void theOldestAreForgotten()
    {
        TimelineModel model(1000);
        for (std::int64_t i = 0; i < 5000; ++i) {
            model.take(deltaOf(static_cast<std::int32_t>(i % 2), {{i, Phase::Forward, 100 + i * 10, 10}}));
            QVERIFY(model.size() <= 1000);
        }
        QVERIFY(model.size() > 700);
        QCOMPARE(model.forgotten() + std::int64_t(model.size()), 5000);
        QCOMPARE(model.lane(1).back().startNs, 100 + 4999 * 10);
        // Both lanes begin at the same time, and together they have no hole.
        QVERIFY(std::abs(model.lane(0).front().startNs - model.lane(1).front().startNs) <= 10);
        QCOMPARE(model.originNs(), 100);
        QVERIFY(model.whole().fromNs > 100);
    }

    void manyAtOneInstant()
    {
        TimelineModel model(100);
        model.take(deltaOf(0, std::vector<Span>(500, {1, Phase::Forward, 100, 10})));
        QVERIFY(model.size() <= 100);
        QCOMPARE(model.forgotten() + std::int64_t(model.size()), 500);
    }

    void columnsShowWhatTakesMost()
    {
        TimelineModel model;
        model.take(deltaOf(0,
            {{1, Phase::Forward, 1000, 100}, {1, Phase::Backward, 1100, 60}, {1, Phase::Optimize, 1160, 40},
                {2, Phase::Data, 1300, 4}}));
        const auto slices = model.slices(0, {1000, 1400}, 4);
        QCOMPARE(slices.size(), std::size_t(3));
        QCOMPARE(slices[0].phase, Phase::Forward);
        QCOMPARE(slices[1].phase, Phase::Backward);
        QVERIFY(!slices[1].isSparse);
        QCOMPARE(slices[2].from, 3);
        QCOMPARE(slices[2].phase, Phase::Data);
        QVERIFY(slices[2].isSparse);
    }

    void neighboursOfOnePhaseAreOne()
    {
        TimelineModel model;
        model.take(deltaOf(0, {{1, Phase::Forward, 0, 500}, {1, Phase::Backward, 500, 500}}));
        const auto slices = model.slices(0, {0, 1000}, 100);
        QCOMPARE(slices.size(), std::size_t(2));
        QCOMPARE(slices[0].to, 50);
        QCOMPARE(slices[1].to, 100);
    }

    void aLongSpanReachesIntoTheWindow()
    {
        TimelineModel model;
        model.take(deltaOf(0, {{1, Phase::Evaluate, 0, 1'000'000}, {1, Phase::Data, 10, 1}, {2, Phase::Data, 20, 1}}));
        const auto slices = model.slices(0, {500'000, 501'000}, 10);
        QCOMPARE(slices.size(), std::size_t(1));
        QCOMPARE(slices[0].phase, Phase::Evaluate);
        const auto span = model.longestIn(0, {500'000, 500'001});
        QVERIFY(span.has_value());
        QCOMPARE(span->durationNs, 1'000'000);
        QCOMPARE(model.countIn(0, {0, 100}), std::size_t(3));
        QVERIFY(!model.longestIn(0, {2'000'000, 2'000'001}));
    }

    void stepsAndTheNewestOfThem()
    {
        RingRun run(2);
        TimelineModel model;
        for (int i = 0; i < 20; ++i) {
            model.take(run.step(false));
        }
        const auto all = model.stepStarts(model.whole());
        QCOMPARE(all.size(), std::size_t(20));
        QCOMPARE(all.front().step, 1);
        const TimelineWindow newest = model.newest(5);
        QCOMPARE(newest.toNs, model.endNs());
        const auto starts = model.stepStarts({newest.fromNs, newest.toNs});
        QVERIFY(starts.size() >= 4 && starts.size() <= 5);
        QCOMPARE(starts.back().step, 20);
    }

    /// Of steps of 40, 60 and 100 ns the one nearest the median, on all ranks; a step with an evaluation is none.
    void theTypicalStepIsShown()
    {
        TimelineModel model;
        std::vector<Span> first;
        std::vector<Span> second;
        constexpr std::int64_t Lengths[] = {60, 40, 40, 62, 100, 100, 60, 60};
        for (std::int64_t step = 1; step <= 8; ++step) {
            const std::int64_t length = Lengths[step - 1];
            first.push_back({step, Phase::Forward, step * 1000, length});
            second.push_back({step, Phase::Forward, step * 1000 + 5, length});
            if (step == 7) {
                first.push_back({step, Phase::Evaluate, step * 1000 + length, 500});
            }
        }
        model.take(deltaOf(0, first));
        model.take(deltaOf(1, second));
        QCOMPARE(model.typical(), (TimelineWindow{4000, 4067}));
    }

    /// Defect 25 of the window: steps that are followed do not shrink to nothing beside an evaluation.
    void aLongEvaluationIsCut()
    {
        RingRun run(2);
        TimelineModel model;
        for (int i = 0; i < 20; ++i) {
            model.take(run.step(false));
        }
        const TimelineWindow before = model.newest(5);
        store::Delta delta;
        wire::SpanBatch evaluation;
        evaluation.rows.push_back({20, Phase::Evaluate, before.toNs, 100 * before.length()});
        delta.spans.push_back({0, evaluation});
        delta.spans.push_back({1, evaluation});
        model.take(delta);
        const TimelineWindow after = model.newest(5);
        QCOMPARE(after.fromNs, before.fromNs);
        QVERIFY(after.toNs > before.toNs);
        QVERIFY(after.length() < 2 * before.length());
    }

    /// Between two steps of all ranks, and for longer than steps take: other runs had their turn.
    void turnsOfOthersAreBreaks()
    {
        TimelineModel model;
        std::vector<Span> first;
        std::vector<Span> second;
        for (std::int64_t step = 1; step <= 8; ++step) {
            const std::int64_t start = step * 100 + (step > 4 ? 5000 : 0);
            first.push_back({step, Phase::Forward, start, 40});
            first.push_back({step, Phase::Backward, start + 50, 40}); // idle for 10 within the step
            second.push_back({step, Phase::Forward, start + 5, 85});
        }
        model.take(deltaOf(0, first));
        model.take(deltaOf(1, second));
        const auto breaks = model.breaksIn(model.whole());
        QCOMPARE(breaks, (std::vector<TimelineWindow>{{490, 5500}}));
        QVERIFY(model.breaksIn({100, 480}).empty());
        // One rank that is at work throughout: no break.
        model.take(deltaOf(2, {{4, Phase::Evaluate, 480, 5100}}));
        QVERIFY(model.breaksIn(model.whole()).empty());
    }

    void aPartHasTheWindowOnly()
    {
        RingRun run(2);
        TimelineModel model;
        for (int i = 0; i < 20; ++i) {
            model.take(run.step(false));
        }
        const TimelineWindow window = model.newest(3);
        const TimelineModel part = model.part(window);
        QVERIFY(part.size() < model.size() / 3);
        QCOMPARE(part.originNs(), model.originNs());
        const auto before = model.slices(1, window, 300);
        const auto after = part.slices(1, window, 300);
        QVERIFY(std::ranges::equal(before, after, [](const TimelineSlice& one, const TimelineSlice& other) {
            return one.from == other.from && one.to == other.to && one.phase == other.phase;
        }));
    }

    void microBatchesAreToldApart()
    {
        TimelineModel model;
        model.take(deltaOf(0,
            {{1, Phase::Forward, 1000, 100, 0}, {1, Phase::Forward, 1100, 100, 1}, {1, Phase::Wait, 1200, 100},
                {1, Phase::Backward, 1300, 100, 0}}));
        QCOMPARE(model.microBatches(), 2);
        const TimelineWindow window{1000, 1400};
        QCOMPARE(model.slices(0, window, 8).size(), std::size_t(3)); // by phase the forward passes are one
        const auto slices = model.slices(0, window, 8, ui::TimelineColours::MicroBatch);
        QCOMPARE(slices.size(), std::size_t(4));
        QCOMPARE(slices[0].microBatch, std::int16_t(0));
        QCOMPARE(slices[1].microBatch, std::int16_t(1));
        QCOMPARE(slices[2].microBatch, std::int16_t(-1));
        QCOMPARE(slices[3].phase, Phase::Backward);
        QCOMPARE(slices[3].microBatch, std::int16_t(0));
        // One column for both: it is a forward pass, of neither of them.
        const auto coarse = model.slices(0, window, 2, ui::TimelineColours::MicroBatch);
        QCOMPARE(coarse[0].phase, Phase::Forward);
        QCOMPARE(coarse[0].microBatch, std::int16_t(-1));
        QCOMPARE(model.part({1250, 1400}).microBatches(), 2);
    }

    void passesOfALeastLength()
    {
        TimelineModel model;
        model.take(deltaOf(0,
            {{1, Phase::Forward, 1000, 100, 0}, {1, Phase::Forward, 1100, 20, 1}, {1, Phase::Communicate, 1120, 180, 1},
                {1, Phase::Backward, 1300, 200, 0}}));
        const auto passes = model.passesIn(0, {1050, 1400}, 50);
        QCOMPARE(passes.size(), std::size_t(2));
        QCOMPARE(passes[0].startNs, 1000);
        QCOMPARE(passes[1].startNs, 1300);
        QCOMPARE(model.passesIn(0, {1050, 1400}, 0).size(), std::size_t(3));
    }

    void onlyPassesHaveAMicroBatch()
    {
        TimelineModel model;
        model.take(deltaOf(0, {{1, Phase::Optimize, 0, 10, 3}, {1, Phase::Forward, 10, 10, 1'000'000}}));
        QCOMPARE(model.microBatches(), 0);
        QCOMPARE(model.lane(0)[0].microBatch, std::int16_t(-1));
        QCOMPARE(model.lane(0)[1].microBatch, std::int16_t(-1));
    }

    void nothingIsNoTrouble()
    {
        const TimelineModel model;
        QVERIFY(model.whole().length() > 0);
        QVERIFY(model.newest(8).length() > 0);
        QVERIFY(model.stepStarts({0, 100}).empty());
    }
};

LOCKSTEP_TEST(TestTimelineModel)
#include "test_timeline_model.moc"
