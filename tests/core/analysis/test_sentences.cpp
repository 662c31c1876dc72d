// Sentences against made-up runs, word by word; test_sentence_states.cpp has every kind where it is true, false and
// undecidable.
#include "core/analysis/made_up_stores.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

RunRecord sweepWithWrong(std::int64_t wrong)
{
    RunRecord made = sweep("ring", {1.0, 2.0});
    made.measurements.front().wrong = wrong;
    return made;
}

RunRecord withOverlap(double share)
{
    RunRecord made = replicas("buckets");
    made.summary.overlapFraction = share;
    return made;
}

} // namespace

class TestSentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSentenceIsSaidWhereItIsTrue_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<std::vector<RunRecord>>("runs");
        QTest::addColumn<QString>("words");
        addCollectives();
        addTraining();
    }
    void aSentenceIsSaidWhereItIsTrue()
    {
        QFETCH(QString, kind);
        QFETCH(std::vector<RunRecord>, runs);
        QTEST(said(runs, kind.toStdString()), "words");
    }

private:
    static void row(const char* kind, const char* state, std::vector<RunRecord> runs, const char* words)
    {
        QTest::addRow("%s, %s", kind, state)
            << QString::fromLatin1(kind) << std::move(runs) << QString::fromUtf8(words);
    }
    static void addCollectives()
    {
        row("collectives.wrong", "true", {sweepWithWrong(3)},
            "ring gave WRONG results: 3 elements differ from the expected values.");
        row("collectives.wrong", "one element", {sweepWithWrong(1)},
            "ring gave a WRONG result: one element differs from the expected value.");
        row("collectives.wrong", "false", {sweepWithWrong(0)}, "");
        row("collectives.wrong", "not measured", {sweep("ring", {})}, "");
        row("collectives.wrong", "failed run", {failed(sweepWithWrong(3))}, "");

        row("collectives.fastest", "one", {sweep("ring", {1, 2, 4}), sweep("tree", {2, 3, 5})},
            "ring came out fastest at every size, from 4 B (1.00 µs) to 1.02 kB (4.00 µs).");
        row("collectives.fastest", "another for large ones", {sweep("ring", {1, 4, 9}), sweep("tree", {2, 3, 5})},
            "ring is the fastest at the smallest size (4 B: 1.00 µs), tree at the largest (1.02 kB: 5.00 µs). "
            "From 64 B on, ring is no longer the fastest.");
        const auto repeated = [](const char* name, double small, const char* seed) {
            return sweep(name, {small, 3, 5}, {{"train.seed", seed}});
        };
        const auto slower = [](double small, const char* seed) {
            return sweep("tree", {small, 6, 10}, {{"train.seed", seed}});
        };
        row("collectives.fastest", "repeats tell",
            {repeated("ring", 1.0, "1"), repeated("ring", 1.1, "2"), slower(2.0, "1"), slower(2.2, "2")},
            "ring came out fastest at every size, from 4 B (1.10 µs) to 1.02 kB (5.00 µs).");
        const std::vector<RunRecord> alike{
            repeated("ring", 1.0, "1"), repeated("ring", 1.1, "2"), slower(1.1, "1"), slower(1.0, "2")};
        row("collectives.fastest", "repeats do not tell", alike, "");
        row("collectives.no_difference", "repeats tell",
            {repeated("ring", 1.0, "1"), repeated("ring", 1.1, "2"), slower(2.0, "1"), slower(2.2, "2")}, "");
        row("collectives.no_difference", "repeats do not tell", alike,
            "Whether ring and tree take different times at 4 B cannot be told: tree takes 1.00 [0.75, 1.34] times as "
            "long. About 4 more repeats may tell.");
        row("collectives.no_difference", "repeats agree",
            {repeated("ring", 1.0, "1"), repeated("ring", 1.001, "2"), slower(1.001, "1"), slower(1.0, "2")},
            "At 4 B there is no difference worth naming between ring and tree, which takes 1.000 [0.9970, 1.003] times "
            "as long.");
        row("collectives.no_difference", "one each", {sweep("ring", {1, 2, 4}), sweep("tree", {1, 2, 4})}, "");
        row("collectives.fastest", "alone", {sweep("ring", {1, 2, 4})}, "");
        row("collectives.fastest", "one size", {sweep("ring", {1}), sweep("tree", {2})}, "");
        row("collectives.fastest", "other calls",
            {sweep("ring", {1, 2, 4}), sweep("tree", {2, 3, 5}, {{"sweep.async", "true"}})}, "");
        row("collectives.fastest", "not measured", {sweep("ring", {}), sweep("tree", {})}, "");

        row("collectives.groups", "true", {sweep("ring", {1, 2}, {{"sweep.groups", "2"}})},
            "In ring, 2 groups of 2 ranks made every call at the same time. Its times are those of the slowest group.");
        row("collectives.groups", "false", {sweep("ring", {1, 2})}, "");
        row("collectives.async", "true", {sweep("ring", {1, 2}, {{"sweep.async", "true"}})},
            "In ring the ranks started their calls without waiting for each. The time of a call runs from the end of "
            "the one before it.");
        row("collectives.async", "false", {sweep("ring", {1, 2})}, "");
        row("collectives.root", "true",
            {sweep("broadcast", {1, 2}, {{"collective.name", "broadcast"}, {"sweep.root", "3"}})},
            "In broadcast the root is rank 3.");
        row("collectives.root", "false", {sweep("broadcast", {1, 2}, {{"collective.name", "broadcast"}})}, "");
    }
    static void addTraining()
    {
        row("aggregation.overlap", "true", {withOverlap(0.25)},
            "Part of the communication that overlaps with the backward pass: buckets 25.0 %.");
        row("aggregation.overlap", "not measured", {withOverlap(NotMeasured)}, "");
        row("aggregation.emulated_link", "true", {replicas("ring", {{"link.latency_us", "100"}})},
            "Over an emulated link (100 µs, ∞ Mbit/s) every collective is built from point-to-point messages: this "
            "applies to ring.");
        row("aggregation.emulated_link", "false", {replicas("ring")}, "");
        row("aggregation.emulated_link", "repeats count once",
            {replicas("ring", {{"link.latency_us", "100"}}),
                replicas("ring", {{"link.latency_us", "100"}, {"train.seed", "2"}}), replicas("plain")},
            "Over an emulated link (100 µs, ∞ Mbit/s) every collective is built from point-to-point messages: this "
            "applies to ring.");
        row("aggregation.emulated_link", "two links",
            {replicas("near", {{"link.latency_us", "100"}}),
                replicas("far", {{"link.latency_us", "200"}, {"link.bandwidth_mbps", "1000"}})},
            "Over an emulated link (100 µs, ∞ Mbit/s) every collective is built from point-to-point messages: this "
            "applies to near.\n"
            "Over an emulated link (200 µs, 1,000 Mbit/s) every collective is built from point-to-point messages: this "
            "applies to far.");

        row("partitioning.undecided", "true", partitions({0.90, 0.94, 0.92}, {0.93, 0.88, 0.92}),
            "Whether these differ from random (92.0 % [85.4, 95.8]) in test accuracy cannot be told: strided.");
        row("partitioning.undecided", "a clear difference", partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}),
            "");
        row("partitioning.undecided", "one run each", partitions({0.95}, {0.90}), "");
        row("partitioning.chance", "true", partitions({0.95, 0.951}, {0.90}),
            "Ran once: strided. Add repeats to see how much of the difference from random is chance.");
        row("partitioning.chance", "repeats", partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}), "");
        row("partitioning.chance", "alike", partitions({0.95, 0.951}, {0.951}), "");
        row("partitioning.chance", "all of them, which is said of all", partitions({0.95}, {0.90}), "");
    }
};

LOCKSTEP_TEST(TestSentences)
#include "test_sentences.moc"
