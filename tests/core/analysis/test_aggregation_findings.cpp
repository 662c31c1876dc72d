// Which aggregation is reported to communicate least, and when this is reported as unknown.
#include "analysis/findings/all_findings.h"
#include "analysis/timing/traffic_by_kind.h"
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
        QCOMPARE(saidOf({runs("tree", {1.0}), runs("ring", {0.5})}),
            QString("Time communicating per step, waiting included: the mean of all ranks."));
    }

    /// The pairs decide: the times of one algorithm differ more from seed to seed than the two from each other.
    void aDifferenceOfEverySeedIsTold()
    {
        QCOMPARE(saidOf({runs("ring", {1.0, 2.0, 3.0}), runs("tree", {1.1, 2.2, 3.31})}),
            QString(
                "ring spends the least time communicating per step, waiting included: 1.8 [0.5, 7.2] ms. tree takes "
                "1.101 [1.096, 1.106] times as long for it."));
    }

    void aDifferenceThatVariesIsNotTold()
    {
        const QString two = saidOf({runs("ring", {1.0, 2.0, 3.0}), runs("tree", {3.1, 2.1, 1.1})});
        QVERIFY2(two.startsWith("Which spends the least time communicating cannot be told"), qPrintable(two));
        const QString three = saidOf(
            {runs("ring", {1.0, 1.1, 1.2}), runs("tree", {1.2, 1.1, 1.0}), runs("all_gather", {9.0, 9.1, 9.2})});
        QVERIFY2(three.startsWith("ring spends the least time ") || three.startsWith("tree spends the least time "),
            qPrintable(three));
    }

    /// A server's clients wait for what others call a transfer.
    void waitingCounts()
    {
        auto server = runs("parameter_server", {1.0, 1.1, 1.2});
        for (RunRecord& run : server) {
            run.summary.waitMsPerStep = 5.0;
        }
        const QString said = saidOf({server, runs("ring", {2.0, 2.2, 2.4})});
        QVERIFY2(said.startsWith("ring spends the least"), qPrintable(said));
    }

    /// A sum, a mean and a weighted mean are the same messages: chance alone would rank them.
    void rulesOfOneCollectiveAreNotRanked()
    {
        auto sum = runs("all_reduce", {0.3, 0.31, 0.32});
        auto mean = runs("all_reduce", {0.6, 0.61, 0.62});
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i].spec.settings["aggregation.rule"] = std::string("sum");
            sum[i].spec.name = "sum";
            sum[i].id.text += "sum";
        }
        QCOMPARE(saidOf({sum, mean}), QString());
        // Taken together they have each seed twice: no pairs.
        const QString said = saidOf({sum, mean, runs("ring", {9.0, 9.1, 9.2})});
        QVERIFY2(said.startsWith("sum, all_reduce spends the least"), qPrintable(said));
    }

    /// Without seeds in common there are no pairs, and the spread of both counts.
    void repeatsOfOtherSeedsAreNoPairs()
    {
        auto tree = runs("tree", {1.0, 1.0, 1.1, 2.11, 3.09});
        tree.erase(tree.begin(), tree.begin() + 2);
        QVERIFY(saidOf({runs("ring", {1.0, 2.0}), tree}).contains("cannot be told"));
        tree[0].summary.commMsPerStep = 2.05;
        tree[2].summary.commMsPerStep = 2.15;
        QVERIFY(!saidOf({runs("ring", {1.0, 1.01}), tree}).contains("cannot be told"));
    }

    void bytesOfABackendsCollectivesAreModelled()
    {
        QVERIFY(areBytesModelled(runs("all_reduce", {1.0}).front()));
        QVERIFY(areBytesModelled(runs("gather_broadcast", {1.0}).front()));
        QVERIFY(!areBytesModelled(runs("ring", {1.0}).front()));
        RunRecord overLink = runs("all_reduce", {1.0}).front();
        overLink.spec.settings["link.latency_us"] = 50.0; // then all is sent by messages
        QVERIFY(!areBytesModelled(overLink));
    }

    void aTrimmedMeanThatTrimsNoRankIsSaid()
    {
        const auto saidOfTrim = [](double trim) {
            auto run = runs("all_gather", {1.0}).front();
            run.spec.settings["aggregation.rule"] = std::string("trimmed_mean");
            run.spec.settings["aggregation.trim"] = trim;
            const auto said = findings(std::vector{run});
            return std::any_of(
                said.begin(), said.end(), [](const Finding& each) { return each.kind == "aggregation.trims_no_rank"; });
        };
        QVERIFY(saidOfTrim(0.25)); // of two ranks
        QVERIFY(saidOfTrim(0.5)); // one must be left
    }

    void aSumIsALargerStepOnlyWhereStepsAreProportional()
    {
        const auto said = [](const char* optimizer, double clip) {
            auto mean = runs("all_reduce", {1.0}).front();
            mean.spec.settings["optimizer.name"] = std::string(optimizer);
            mean.spec.settings["optimizer.clip"] = clip;
            mean.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, 0.9}};
            auto sum = mean;
            sum.spec.name = "sum";
            sum.spec.settings["aggregation.rule"] = std::string("sum");
            sum.loss.value = {1.0, 0.5};
            const auto all = findings(std::vector{mean, sum});
            const auto found = std::find_if(
                all.begin(), all.end(), [](const Finding& each) { return each.kind == "aggregation.sum"; });
            return found == all.end() ? QString() : QString::fromStdString(sentence(*found, {}));
        };
        QVERIFY2(said("momentum", 0.0).contains("would give the same curve"), qPrintable(said("momentum", 0.0)));
        QVERIFY(said("adam", 0.0).contains("no learning rate makes up for that"));
        QVERIFY(said("sgd", 0.5).contains("no learning rate makes up for that"));
    }

    /// Of differences between two synchronizations; a sum of weights is refused.
    void aSumOfDifferencesIsUndoneByTheOuterRate()
    {
        std::vector<RunRecord> both;
        for (const char* rule : {"mean", "sum"}) {
            const std::array<experiment::Override, 4> overrides{{{"world_size", "3"}, {"strategy.name", "local"},
                {"local.what", "differences"}, {"aggregation.rule", rule}}};
            const auto spec = experiment::customise(
                experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
            RunRecord run;
            run.spec = experiment::expand(*spec)->front();
            run.spec.name = run.id.text = rule;
            run.status = RunStatus::Finished;
            run.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, both.empty() ? 0.9 : 0.5}};
            both.push_back(run);
        }
        const auto all = findings(both);
        const auto found
            = std::find_if(all.begin(), all.end(), [](const Finding& each) { return each.kind == "aggregation.sum"; });
        QVERIFY(found != all.end());
        const QString said = QString::fromStdString(sentence(*found, {}));
        QVERIFY2(said.endsWith("An outer learning rate of 0.333 would give the same curve."), qPrintable(said));
    }

    void aStragglersSentenceSaysWhichIsLonger()
    {
        const auto said = [](double transferMs, double slowsWaitMs = 0.0) {
            auto run = runs("all_reduce", {1.0}).front();
            run.spec.settings["straggler.delay_ms"] = 20.0;
            run.spec.settings["straggler.ranks"] = std::vector<std::int64_t>{1};
            for (int rank = 0; rank < 2; ++rank) {
                RankSummary summary;
                summary.rank = rank;
                summary.medianWaitMs = rank == 0 ? 20.0 : slowsWaitMs;
                summary.medianCommunicateMs = transferMs;
                run.ranks.push_back(summary);
            }
            const auto all = findings(std::vector{run});
            const auto found = std::find_if(
                all.begin(), all.end(), [](const Finding& each) { return each.kind == "aggregation.straggler"; });
            return found == all.end() ? QString() : QString::fromStdString(sentence(*found, {}));
        };
        QVERIFY2(said(2.0).endsWith("Their transfers take less, 2.00 and 2.00 ms."), qPrintable(said(2.0)));
        QVERIFY(said(50.0).endsWith("Their transfers take longer than that, 50.0 and 50.0 ms."));
        // Where the straggler waits nearly as long, nothing shows who is waited for.
        QVERIFY(!said(2.0, 9.0).isEmpty());
        QVERIFY2(said(2.0, 11.0).isEmpty(), qPrintable(said(2.0, 11.0)));
    }

    /// The newest counts.
    void theSameSeedTwiceIsNoRepeat()
    {
        auto ring = runs("ring", {9.0, 1.0});
        ring[1].spec.settings["train.seed"] = ring[0].spec.settings.at("train.seed");
        ring[1].createdNs = 5;
        const QString said = saidOf({ring, runs("tree", {2.0})});
        QCOMPARE(said, QString("Time communicating per step, waiting included: the mean of all ranks."));
    }

    void ofOneAlgorithmNothingIsSaid() { QCOMPARE(saidOf({runs("ring", {0.5, 0.6})}), QString()); }
};

LOCKSTEP_TEST(TestAggregationFindings)
#include "test_aggregation_findings.moc"
