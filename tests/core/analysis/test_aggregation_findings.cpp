// Which aggregation is reported to communicate least, and when this is reported as unknown.
#include "analysis/finding.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

/// One run for each time, with seeds 1, 2, ...
std::vector<RunRecord> runs(const char* algorithm, std::initializer_list<double> commMs)
{
    std::vector<RunRecord> made;
    for (const double ms : commMs) {
        const std::string seed = std::to_string(1 + made.size());
        const std::array<experiment::Override, 4> overrides{{{"world_size", "2"}, {"strategy.name", "data"},
            {"aggregation.algorithm", algorithm}, {"train.seed", seed}}};
        const auto spec = experiment::customise(
            experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
        RunRecord run;
        run.spec = experiment::expand(*spec)->front();
        run.spec.name = algorithm;
        run.id.text = algorithm + seed;
        run.status = RunStatus::Finished;
        run.summary.commMsPerStep = ms;
        made.push_back(run);
    }
    return made;
}

QString saidOf(std::initializer_list<std::vector<RunRecord>> groups)
{
    std::vector<RunRecord> all;
    for (const auto& group : groups) {
        all.insert(all.end(), group.begin(), group.end());
    }
    const auto said = findings(all);
    const auto found = std::find_if(
        said.begin(), said.end(), [](const Finding& each) { return each.kind == "aggregation.fastest"; });
    return found == said.end() ? QString() : QString::fromStdString(sentence(*found, {}));
}

} // namespace

class TestAggregationFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void oneRunEachIsChance()
    {
        QCOMPARE(saidOf({runs("ring", {0.5}), runs("tree", {1.0})}),
            QString(
                "ring spends the least time communicating, 0.500 ms per step; tree spends 1.00 ms. Some of them ran "
                "once: add repeats to see how much of this is chance."));
        QVERIFY(saidOf({runs("ring", {0.5}), runs("tree", {1.0}), runs("naive", {2.0})}).contains("add repeats"));
    }

    /// The pairs decide: the times of one algorithm differ more from seed to seed than the two from each other.
    void aDifferenceOfEverySeedIsTold()
    {
        QCOMPARE(saidOf({runs("ring", {1.0, 2.0, 3.0}), runs("tree", {1.1, 2.11, 3.09})}),
            QString("ring spends the least time communicating, 2.00 ± 2.48 ms per step; tree spends 2.10 ± 2.47 ms."));
    }

    void aDifferenceThatVariesIsNotTold()
    {
        const QString two = saidOf({runs("ring", {1.0, 2.0, 3.0}), runs("tree", {3.1, 2.1, 1.1})});
        QVERIFY2(two.endsWith("cannot be told apart: the 95 % confidence interval of their difference "
                              "contains 0."),
            qPrintable(two));
        const QString three
            = saidOf({runs("ring", {1.0, 2.0, 3.0}), runs("tree", {3.1, 2.1, 1.1}), runs("naive", {9.0, 9.1, 9.2})});
        QVERIFY2(three.endsWith("contains 0. naive spends the most, 9.10 ± 0.248 ms."), qPrintable(three));
    }

    /// Without seeds in common there are no pairs, and the spread of both counts.
    void repeatsOfOtherSeedsAreNoPairs()
    {
        auto tree = runs("tree", {1.0, 1.0, 1.1, 2.11, 3.09});
        tree.erase(tree.begin(), tree.begin() + 2);
        QVERIFY(saidOf({runs("ring", {1.0, 2.0}), tree}).contains("cannot be told apart"));
        QVERIFY(!saidOf({runs("ring", {0.01, 0.02}), tree}).contains("cannot be told apart"));
    }

    void ofOneAlgorithmNothingIsSaid() { QCOMPARE(saidOf({runs("ring", {0.5, 0.6})}), QString()); }
};

LOCKSTEP_TEST(TestAggregationFindings)
#include "test_aggregation_findings.moc"
