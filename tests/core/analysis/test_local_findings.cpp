// Findings about runs that synchronize less often than others.
#include "analysis/findings/all_findings.h"
#include "core/analysis/readable.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;
using lockstep::tests::textOf;

namespace {

RunRecord run(const char* name, int repeat, std::vector<experiment::Override> overrides, double accuracy, double bytes)
{
    overrides.push_back({"world_size", "2"});
    overrides.push_back({"train.seed", std::to_string(1 + repeat)});
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    RunRecord made;
    made.spec = experiment::expand(*spec)->front();
    made.spec.name = name;
    made.id.text = name + std::to_string(repeat);
    made.status = RunStatus::Finished;
    made.summary.testAccuracy = accuracy;
    made.summary.bytesPerStep = bytes;
    made.summary.msPerStep = 2.0 + 0.1 * repeat;
    made.summary.finalLoss = 0.1;
    made.summary.steps = 100;
    made.summary.trainSamples = 1000;
    return made;
}

RunRecord data(int repeat, double accuracy)
{
    return run("data", repeat, {{"strategy.name", "data"}}, accuracy, 400'000.0);
}

RunRecord local(int repeat, double accuracy)
{
    return run("local", repeat, {{"strategy.name", "local"}, {"local.every", "20"}}, accuracy, 20'000.0);
}

std::vector<Finding> saidOf(const std::vector<RunRecord>& runs)
{
    auto all = findings(runs);
    std::erase_if(all, [](const Finding& each) { return each.kind != "local.synchronizes"; });
    return all;
}

} // namespace

class TestLocalFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatIsSavedAndLost()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(data(repeat, 0.95 + 0.001 * repeat));
            runs.push_back(local(repeat, 0.90 + 0.001 * repeat));
        }
        const auto said = saidOf(runs);
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(textOf(said[0]),
            QString("local synchronizes every 20 steps. Each rank sends 20.0 kB per step (data: 400 kB), a step takes "
                    "2.10 [1.86, 2.36] ms (data: 2.10 [1.86, 2.36] ms). The test accuracies differ: 90.1 % [89.8, "
                    "90.3] against 95.1 % [94.8, 95.3]."));
        QCOMPARE(said[0].runs.size(), std::size_t{6});
        QVERIFY(std::abs(said[0].figures[2].second - 0.05) < 1e-12);
        const auto points = std::find_if(
            said[0].figures.begin(), said[0].figures.end(), [](const auto& each) { return each.first == "points"; });
        QVERIFY(std::abs(points->second + 5.0) < 1e-9);
    }

    /// What a seed does to both variants is in neither's favour.
    void aDifferenceOfEverySeedIsTold()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(data(repeat, 0.95 + 0.01 * repeat));
            runs.push_back(local(repeat, 0.945 + 0.0101 * repeat));
        }
        QVERIFY(textOf(saidOf(runs).at(0)).contains("The test accuracies differ: "));
    }

    void aDifferenceThatVariesIsNotTold()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(data(repeat, 0.95 + 0.01 * repeat));
            runs.push_back(local(repeat, 0.965 - 0.01 * repeat));
        }
        QVERIFY(textOf(saidOf(runs).at(0)).contains("cannot be told apart"));
    }

    void oneRunEachIsChance() { QVERIFY(textOf(saidOf({data(0, 0.95), local(0, 0.9)}).at(0)).contains("add repeats")); }

    void othersAreNotCompared()
    {
        RunRecord longer = local(0, 0.9);
        longer.summary.steps = 200;
        QVERIFY(saidOf({data(0, 0.95), longer}).empty());
        for (const auto& [name, value] : {std::pair<const char*, experiment::Value>{"link.latency_us", 50.0},
                 {"straggler.delay_ms", 10.0}, {"comm.backend", std::string("gloo")}}) {
            RunRecord other = local(0, 0.9);
            other.spec.settings[name] = value;
            QVERIFY2(saidOf({data(0, 0.95), other}).empty(), name);
        }
        QVERIFY(saidOf({local(0, 0.9)}).empty());
        QVERIFY(saidOf({data(0, 0.95)}).empty());
    }
};

LOCKSTEP_TEST(TestLocalFindings)
#include "test_local_findings.moc"
