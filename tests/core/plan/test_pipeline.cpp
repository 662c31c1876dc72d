// Properties of every schedule over many shapes: complete, in order, never locked up, with the bubble and the memory
// that the papers say.
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
                std::map<std::pair<Kind, int>, int> nextMicroBatch; // by direction and chunk
                std::map<std::pair<int, int>, bool> isForwardDone;
                for (const PipelineAction& action : kind.actions(stage, shape)) {
                    QCOMPARE((nextMicroBatch[{action.kind, action.chunk}]++), action.microBatch);
                    bool& done = isForwardDone[{action.chunk, action.microBatch}];
                    QCOMPARE(done, action.kind == Kind::Backward);
                    done = true;
                }
                QCOMPARE(nextMicroBatch.size(), static_cast<std::size_t>(2 * shape.chunks));
                for (const auto& [which, count] : nextMicroBatch) {
                    QCOMPARE(count, shape.microBatches);
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
                const int held = mostInFlight(kind.actions(stage, shape));
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
            const int parts = shape.stages * shape.chunks;
            for (int from = 0; from < shape.stages; ++from) {
                for (const Kind direction : {Kind::Forward, Kind::Backward}) {
                    const int step = direction == Kind::Forward ? 1 : -1;
                    const int to = (from + step + shape.stages) % shape.stages;
                    using Letter = std::pair<int, int>; // the part that it goes to, micro-batch
                    std::vector<Letter> sent;
                    std::vector<Letter> taken;
                    for (const PipelineAction& action : kind.actions(from, shape)) {
                        const int next = action.chunk * shape.stages + from + step;
                        if (action.kind == direction && next >= 0 && next < parts) {
                            sent.emplace_back(next, action.microBatch);
                        }
                    }
                    for (const PipelineAction& action : kind.actions(to, shape)) {
                        const int part = action.chunk * shape.stages + to;
                        const bool isFromThere
                            = part - step >= 0 && part - step < parts && (part - step) % shape.stages == from;
                        if (action.kind == direction && isFromThere) {
                            taken.emplace_back(part, action.microBatch);
                        }
                    }
                    QCOMPARE(taken, sent);
                }
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
