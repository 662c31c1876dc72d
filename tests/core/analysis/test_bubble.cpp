#include "analysis/findings/all_findings.h"
#include "analysis/timing/bubble.h"
#include "analysis/timing/summary.h"
#include "plan/pipeline/schedule.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

constexpr std::int64_t MsInNs = 1'000'000;

/// One step as a plan has it, at `ms` for each forward and twice that for each backward; the last `dropped` spans are
/// lost.
void addStep(BubbleBuilder& builder, std::int64_t step, const plan::ScheduleKind& kind,
    const plan::PipelineShape& shape, std::int64_t ms, std::size_t dropped = 0)
{
    const std::vector<double> forward(static_cast<std::size_t>(shape.stages * shape.chunks), static_cast<double>(ms));
    const std::vector<double> backward(forward.size(), 2.0 * static_cast<double>(ms));
    const auto spans = *plan::simulate(kind, shape, forward, backward);
    for (std::size_t i = 0; i + dropped < spans.size(); ++i) {
        const bool isForward = spans[i].action.kind == plan::PipelineAction::Kind::Forward;
        const auto start = static_cast<std::int64_t>(spans[i].start) * MsInNs + step * 1000 * MsInNs;
        const auto duration = static_cast<std::int64_t>(spans[i].end - spans[i].start) * MsInNs;
        builder.add(spans[i].stage, step, isForward ? Phase::Forward : Phase::Backward, start, duration,
            spans[i].action.microBatch);
    }
}

} // namespace

class TestBubble : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void spansOfAPlanGiveThePlansBubble()
    {
        for (const plan::ScheduleKind& kind : plan::scheduleKinds()) {
            for (const plan::PipelineShape& shape : {plan::PipelineShape{2, 4, kind.isInterleaved ? 2 : 1},
                     plan::PipelineShape{4, 8, kind.isInterleaved ? 3 : 1}}) {
                BubbleBuilder builder(shape.stages);
                for (std::int64_t step = 1; step <= 14; ++step) {
                    addStep(builder, step, kind, shape, step <= WarmUpSteps ? 1 : 3);
                }
                QVERIFY(std::abs(builder.bubble() - plan::idealBubble(shape)) < 1e-12);
            }
        }
    }

    void stepsWithDroppedSpansSayNothing()
    {
        const plan::PipelineShape shape{2, 4, 1};
        BubbleBuilder builder(2);
        QVERIFY(std::isnan(builder.bubble()));
        addStep(builder, 1, *plan::scheduleKind("gpipe"), shape, 1);
        QVERIFY(std::isnan(builder.bubble())); // it may not be whole yet
        addStep(builder, 2, *plan::scheduleKind("gpipe"), shape, 1, 3);
        addStep(builder, 3, *plan::scheduleKind("gpipe"), shape, 1);
        QVERIFY(std::abs(builder.bubble() - plan::idealBubble(shape)) < 1e-12);
    }

    /// A sum between ranks that share a layer splits a pass in two and is no idle time.
    void aSumWithinAPassBelongsToIt()
    {
        StepPasses step;
        for (const std::int32_t rank : {0, 1}) {
            step.add(rank, Phase::Forward, 100, 20, 0);
            step.add(rank, Phase::Communicate, 120, 10, 0);
            step.add(rank, Phase::Forward, 130, 20, 0);
            step.add(rank, Phase::Wait, 150, 25, -1);
            step.add(rank, Phase::Communicate, 175, 5, -1); // no pass's
            step.add(rank, Phase::Backward, 180, 20, 0);
        }
        QCOMPARE(step.passes.at(0).count, 2);
        QVERIFY(step.isWhole(2) && !step.isWhole(3));
        BubbleSums sums;
        sums.add(step, 2);
        QVERIFY(std::abs(sums.bubble() - 0.3) < 1e-12); // 30 of 100
        step.add(1, Phase::Forward, 200, 20, 1);
        QVERIFY(!step.isWhole(2));
    }

    void otherSpansAreNoPasses()
    {
        BubbleBuilder builder(1);
        for (std::int64_t step = 1; step <= 3; ++step) {
            builder.add(0, step, Phase::Forward, step * 100, 50, -1);
            builder.add(0, step, Phase::Wait, step * 100, 50, -1);
            builder.add(0, step, Phase::Optimize, step * 100, 50, 0);
        }
        QVERIFY(std::isnan(builder.bubble()));
    }

    /// Ranks that share a layer wait for each other within a pass: that is no bubble, and cuts no pass in two.
    void waitingWithinAPassIsPartOfIt()
    {
        BubbleBuilder builder(2);
        for (std::int64_t step = 1; step <= 12; ++step) {
            const std::int64_t begin = step * 1000;
            builder.add(0, step, Phase::Forward, begin, 40, 0);
            builder.add(0, step, Phase::Wait, begin + 40, 20, 0);
            builder.add(0, step, Phase::Communicate, begin + 60, 10, 0);
            builder.add(0, step, Phase::Forward, begin + 70, 30, 0);
            builder.add(1, step, Phase::Forward, begin + 100, 100, 0);
        }
        QCOMPARE(builder.bubble(), 0.5);
    }

    void findingsHoldItAgainstTheFormula()
    {
        auto spec = *experiment::preset("optimizers");
        const auto spec2 = experiment::customise(spec,
            std::vector<experiment::Override>{{"strategy.name", "pipeline"}, {"net.name", "deep-mlp"}},
            std::vector<std::string>{"SGD"});
        RunRecord run;
        run.spec = experiment::expand(*spec2)->front();
        run.id.text = "a";
        run.status = RunStatus::Finished;
        run.summary.bubbleFraction = 0.21;
        const auto textOf = [&](std::string_view kind) {
            for (const Finding& finding : findings(std::span(&run, 1))) {
                if (finding.kind == kind) {
                    return QString::fromStdString(sentence(finding, {}));
                }
            }
            return QString();
        };
        QCOMPARE(textOf("pipeline.bubble"),
            QString("SGD: ranks are idle for 21.0 % of the time (the bubble). That is as the schedule predicts: 20.0 % "
                    "for 2 stages and 4 micro-batches."));
        // A cause is named only where the run measured that it takes as long: here nothing did.
        run.summary.bubbleFraction = 0.4;
        run.summary.cores = 1;
        QVERIFY(textOf("pipeline.bubble").endsWith("would be 20.0 % for 2 stages and 4 micro-batches."));
        run.summary.msPerStep = 10.0;
        run.summary.commMsPerStep = 0.9;
        QVERIFY(textOf("pipeline.bubble").endsWith("micro-batches."));
        run.summary.commMsPerStep = 1.1;
        QVERIFY(textOf("pipeline.bubble").endsWith("Here messages take a large part of the step."));
        run.summary.runDelayShare = 0.12;
        QVERIFY(textOf("pipeline.bubble").endsWith("Here they waited for a core."));
        for (const std::int32_t rank : {0, 1}) {
            RankSummary of;
            of.rank = rank;
            of.phaseMs[static_cast<std::size_t>(Phase::Forward)] = 1.0 + rank;
            run.ranks.push_back(of);
        }
        QVERIFY(textOf("pipeline.bubble").endsWith("Here some stages compute longer than others."));
    }
};

LOCKSTEP_TEST(TestBubble)
#include "test_bubble.moc"
