// Properties of every schedule over many shapes: complete, in order, never locked up, with the bubble and the memory
// that the papers say.
#include "core/plan/formulas.h"
#include "plan/pipeline/schedule.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace lockstep;
using namespace lockstep::plan;
using Kind = PipelineAction::Kind;

namespace {

/// Every shape that a kind takes up to some size.
template <typename F>
void forShapes(const F& visit)
{
    for (const ScheduleKind& kind : scheduleKinds()) {
        for (int stages = 1; stages <= 6; ++stages) {
            for (int microBatches = 1; microBatches <= 13; ++microBatches) {
                for (int chunks = 1; chunks <= (kind.isInterleaved ? 4 : 1); ++chunks) {
                    const PipelineShape shape{stages, microBatches, chunks};
                    if (checkShape(kind, shape)) {
                        visit(kind, shape);
                    }
                }
            }
        }
    }
}

/// What is done with one micro-batch in one part of the net.
std::vector<Kind> actionsOfPart(int part, const PipelineShape& shape)
{
    const bool isFirst = part == 0;
    const bool isLast = part + 1 == shape.stages * shape.chunks;
    std::vector<Kind> kinds{Kind::ReceiveActivation, Kind::Forward, Kind::SendActivation, Kind::ReceiveGradient,
        Kind::Backward, Kind::SendGradient};
    std::erase_if(kinds, [&](Kind kind) {
        return (isFirst && (kind == Kind::ReceiveActivation || kind == Kind::SendGradient))
            || (isLast && (kind == Kind::SendActivation || kind == Kind::ReceiveGradient));
    });
    return kinds;
}

std::vector<double> equal(const PipelineShape& shape, double time)
{
    return std::vector<double>(static_cast<std::size_t>(shape.stages * shape.chunks), time);
}

} // namespace

class TestPipeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPassComesOnceAndInOrder()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            for (int stage = 0; stage < shape.stages; ++stage) {
                std::map<std::pair<Kind, int>, int> nextMicroBatch; // by kind and chunk
                std::map<std::pair<int, int>, std::vector<Kind>> done; // by chunk and micro-batch
                std::vector<Kind> afterAll;
                for (const PipelineAction& action : kind.actions(stage, shape)) {
                    if (action.microBatch < 0) {
                        afterAll.push_back(action.kind);
                        continue;
                    }
                    QVERIFY(afterAll.empty());
                    QCOMPARE((nextMicroBatch[{action.kind, action.chunk}]++), action.microBatch);
                    done[{action.chunk, action.microBatch}].push_back(action.kind);
                }
                QCOMPARE(done.size(), static_cast<std::size_t>(shape.chunks * shape.microBatches));
                for (const auto& [which, kinds] : done) {
                    QCOMPARE(kinds, actionsOfPart(which.first * shape.stages + stage, shape));
                }
                QCOMPARE(
                    afterAll, shape.stages > 1 ? std::vector({Kind::Wait, Kind::Update}) : std::vector({Kind::Update}));
            }
        });
    }

    void messagesAreReceivedRightBeforeAndSentRightAfterTheirPass()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            const auto isSame = [](PipelineAction a, const PipelineAction& b) {
                a.kind = b.kind;
                return a == b;
            };
            for (int stage = 0; stage < shape.stages; ++stage) {
                const auto actions = kind.actions(stage, shape);
                for (std::size_t i = 0; i < actions.size(); ++i) {
                    if (actions[i].kind == Kind::ReceiveActivation || actions[i].kind == Kind::ReceiveGradient) {
                        QVERIFY(isSame(actions[i], actions[i + 1]));
                    } else if (actions[i].kind == Kind::SendActivation || actions[i].kind == Kind::SendGradient) {
                        QVERIFY(isSame(actions[i], actions[i - 1]));
                    }
                }
            }
        });
    }

    void noScheduleLocksUp()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            const auto spans = simulate(kind, shape, equal(shape, 1.0), equal(shape, 2.0));
            QVERIFY2(spans, spans ? "" : spans.error().message.c_str());
            QCOMPARE(spans->size(), static_cast<std::size_t>(2 * shape.stages * shape.chunks * shape.microBatches));
        });
    }

    void equalPartsGiveTheBubbleOfTheFormula()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            const auto spans = simulate(kind, shape, equal(shape, 1.0), equal(shape, 2.0));
            QVERIFY(std::abs(bubbleOf(*spans, shape.stages) - idealBubble(shape)) < 1e-12);
        });
    }

    void aSlowerPartMakesALargerBubble()
    {
        const PipelineShape shape{2, 4, 1};
        const std::vector<double> forward{1.0, 2.0};
        const std::vector<double> backward{2.0, 4.0};
        for (const char* name : {"gpipe", "1f1b"}) {
            QVERIFY(bubbleOf(*simulate(*scheduleKind(name), shape, forward, backward), 2) > idealBubble(shape) + 0.1);
        }
    }

    void oneForwardOneBackwardHoldsNoMoreThanTheStagesFromItOn()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            for (int stage = 0; stage < shape.stages; ++stage) {
                const int held = tests::mostInFlight(kind.actions(stage, shape));
                if (kind.name == "gpipe") {
                    QCOMPARE(held, shape.microBatches);
                } else if (kind.name == "1f1b") {
                    QCOMPARE(held, std::min(shape.microBatches, shape.stages - stage));
                } else {
                    QVERIFY(held <= shape.microBatches * shape.chunks);
                }
            }
        });
    }

    void messagesBetweenTwoRanksComeInTheOrderInWhichTheyAreSent()
    {
        forShapes([](const ScheduleKind& kind, const PipelineShape& shape) {
            using Letter = std::pair<int, int>; // the part that it goes to, micro-batch
            const auto letters = [&](int stage, Kind of, int step) {
                std::vector<Letter> found;
                for (const PipelineAction& action : kind.actions(stage, shape)) {
                    if (action.kind == of) {
                        found.emplace_back(action.chunk * shape.stages + stage + step, action.microBatch);
                    }
                }
                return found;
            };
            for (int from = 0; from < shape.stages; ++from) {
                const int after = (from + 1) % shape.stages;
                const int before = (from + shape.stages - 1) % shape.stages;
                QCOMPARE(letters(after, Kind::ReceiveActivation, 0), letters(from, Kind::SendActivation, 1));
                QCOMPARE(letters(before, Kind::ReceiveGradient, 0), letters(from, Kind::SendGradient, -1));
            }
        });
    }

    void whatDoesNotFitIsRefused()
    {
        const auto message = [](const char* name, const PipelineShape& shape) {
            const auto checked = checkShape(*scheduleKind(name), shape);
            return checked ? std::string() : checked.error().message;
        };
        QCOMPARE(message("interleaved", {4, 6, 2}),
            std::string(
                "pipeline.microbatches: 6 is not a multiple of the number of stages, 4, as the interleaved schedule "
                "needs"));
        QCOMPARE(message("1f1b", {4, 3, 1}), std::string());
        QCOMPARE(scheduleKind("zigzag"), nullptr);
    }
};

LOCKSTEP_TEST(TestPipeline)
#include "test_pipeline.moc"
