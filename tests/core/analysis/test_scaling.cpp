#include "analysis/finding.h"
#include "analysis/scaling.h"
#include "analysis/summary.h"
#include "experiment/vary.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace lockstep;
using namespace lockstep::analysis;
using Cores = ScalingModel::Cores;

namespace {

/// A machine that obeys the model to the last digit.
constexpr double ParallelMs = 40.0;
constexpr double SerialMs = 2.0;
constexpr double Alpha = 50e-6;
constexpr double Beta = 1e-9;
constexpr double CnnBytes = 4.0 * (320 + 18496 + 1179776 + 1290);

double ringMs(int p)
{
    return p < 2 ? 0.0 : 1e3 * (2.0 * (p - 1) * Alpha + 2.0 * (p - 1) / p * CnnBytes * Beta);
}

double stepMs(int p, bool isWeak)
{
    return (isWeak ? ParallelMs : ParallelMs / p) + SerialMs + ringMs(p);
}

RunRecord run(const std::string& variant, int repeat)
{
    const auto spec = experiment::preset("scaling");
    const auto runs = experiment::expand(*spec);
    const auto found = std::find_if(runs->begin(), runs->end(),
        [&](const experiment::RunSpec& each) { return each.name == variant && each.repeat == repeat; });
    RunRecord made;
    made.spec = *found;
    made.id.text = variant + "#" + std::to_string(repeat);
    made.status = RunStatus::Finished;
    return made;
}

/// A training run on that machine, `factor` times as slow.
RunRecord trained(const std::string& variant, int repeat = 0, double factor = 1.0)
{
    RunRecord made = run(variant, repeat);
    const int ranks = ranksOf(made);
    const bool isWeak = made.spec.text("train.batch_of") == "rank" && ranks > 1;
    Summary& summary = made.summary;
    summary.msPerStep = factor * stepMs(ranks, isWeak);
    summary.samplesPerSecond = 32.0 * (isWeak ? ranks : 1) / summary.msPerStep * 1e3;
    summary.commMsPerStep = factor * ringMs(ranks);
    summary.waitMsPerStep = 0.0;
    summary.steps = isWeak ? 512 / ranks : 512;
    summary.cores = 64;
    summary.testAccuracy = summary.bestTestAccuracy = 0.95;
    summary.trainSamples = 4096;
    made.accuracy = {{128, 256}, {1.0, 2.0}, {summary.msPerStep, 2.0 * summary.msPerStep}, {0.8, 0.95}};
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RankSummary of;
        of.rank = rank;
        const double parallel = factor * (isWeak ? ParallelMs : ParallelMs / ranks);
        of.phaseMs = {0.1 * parallel, 0.3 * parallel, 0.6 * parallel, summary.commMsPerStep, 0.0, factor * 1.5, 0.0};
        of.msPerStep = summary.msPerStep;
        made.ranks.push_back(of);
    }
    return made;
}

/// A ring of two, `factor` times as slow.
RunRecord link(const char* variant = "link", double factor = 1.0, bool isShared = true)
{
    RunRecord made = run(variant, 0);
    const int p = ranksOf(made);
    for (const std::int64_t bytes : {4, 4096, 65'536, 1'048'576, 16'777'216}) {
        CollectiveMeasurement each{"all_reduce", "", "float32", bytes, true, 100};
        each.p50Us = each.p99Us = each.meanUs
            = factor * 1e6 * (2.0 * (p - 1) * Alpha + 2.0 * (p - 1) / p * static_cast<double>(bytes) * Beta);
        each.shared = isShared;
        made.measurements.push_back(each);
    }
    return made;
}

std::vector<RunRecord> everything()
{
    std::vector<RunRecord> runs;
    for (const char* variant : {"single", "2", "4", "8", "2-weak", "4-weak", "8-weak"}) {
        runs.push_back(trained(variant));
    }
    runs.push_back(link());
    return runs;
}

QString textOf(const std::vector<Finding>& findings, std::string_view kind, std::size_t number = 0)
{
    for (const Finding& finding : findings) {
        if (finding.kind == kind && number-- == 0) {
            return QString::fromStdString(sentence(finding, {}));
        }
    }
    return {};
}

} // namespace

class TestScaling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void speedUpIsThroughputOverTheSingleProcess()
    {
        const auto runs = everything();
        const ScalingStudy study = scalingStudy(runs);
        QCOMPARE(study.curves.size(), std::size_t{2});
        QVERIFY(study.curves[0].kind == Scaling::Strong);
        QVERIFY(study.curves[1].kind == Scaling::Weak);
        for (const ScalingCurve& curve : study.curves) {
            QVERIFY(curve.apart.empty());
            QCOMPARE(curve.points.size(), std::size_t{4});
            int ranks = 1;
            for (const ScalingPoint& point : curve.points) {
                const bool isWeak = curve.kind == Scaling::Weak;
                const double speedUp = stepMs(1, false) / stepMs(ranks, isWeak) * (isWeak ? ranks : 1);
                QCOMPARE(point.ranks, ranks);
                QVERIFY(std::abs(point.speedUp.mean - speedUp) < 1e-12 * speedUp);
                QVERIFY(std::abs(point.efficiency.mean - speedUp / ranks) < 1e-12);
                QVERIFY(std::abs(point.computeMs + point.communicateMs + point.waitMs - point.msPerStep.mean) < 1e-12);
                QCOMPARE(point.batch, std::int64_t{isWeak ? 32 * ranks : 32});
                ranks *= 2;
            }
        }
    }

    /// Whatever the experiment is called.
    void runsScaleByTheirSettings_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("varied");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* base, const char* varied, Scales expected) {
            QTest::addRow("%s, %s", base, varied) << QString(base) << QString(varied) << static_cast<int>(expected);
        };
        row("strategy.name=data", "world_size=1,2,4", Scales::Only);
        row("strategy.name=data", "world_size=1,2;train.seed=1,2", Scales::Only);
        row("strategy.name=data", "world_size=2,4", Scales::None); // nothing to compare with
        row("strategy.name=data", "world_size=1,2;train.batch=32,64", Scales::Some);
        row("net.name=deep-mlp", "strategy.name=single,data", Scales::Only);
        row("net.name=deep-mlp", "strategy.name=single,data,pipeline", Scales::None);
        row("strategy.name=data", "train.batch=32,64", Scales::None);
        row("strategy.name=single", "train.batch=32,64", Scales::None);
    }

    void runsScaleByTheirSettings()
    {
        QFETCH(QString, base);
        QFETCH(QString, varied);
        QFETCH(int, expected);
        experiment::Spec spec = *experiment::preset(experiment::OwnExperiment);
        const QStringList set = base.split('=');
        const std::vector<experiment::Override> overrides{{set[0].toStdString(), set[1].toStdString()}};
        spec = *experiment::customise(spec, overrides, {});
        std::vector<experiment::VariedParameter> parameters;
        for (const QString& each : varied.split(';')) {
            parameters.push_back(*experiment::parseVaried(each.toStdString()));
        }
        std::vector<RunRecord> records;
        const auto expanded = experiment::expand(*experiment::vary(spec, parameters));
        QVERIFY(expanded.isOk());
        for (const experiment::RunSpec& each : *expanded) {
            records.emplace_back().spec = each;
        }
        std::vector<const RunRecord*> runs;
        std::transform(records.begin(), records.end(), std::back_inserter(runs), [](const auto& run) { return &run; });
        QCOMPARE(static_cast<int>(scalesOf(runs)), expected);
    }

    void presetsScaleOrDoNot_data()
    {
        QTest::addColumn<QString>("preset");
        for (const std::string_view name : experiment::presetNames()) {
            QTest::addRow("%s", std::string(name).c_str()) << QString::fromStdString(std::string(name));
        }
    }

    void presetsScaleOrDoNot()
    {
        QFETCH(QString, preset);
        std::vector<RunRecord> records;
        const auto expanded = experiment::expand(*experiment::preset(preset.toStdString()));
        QVERIFY(expanded.isOk());
        for (const experiment::RunSpec& each : *expanded) {
            records.emplace_back().spec = each;
        }
        const Scales scales = scalesByExperiment(records).at(preset.toStdString());
        QCOMPARE(static_cast<int>(scales), static_cast<int>(preset == u"scaling" ? Scales::Only : Scales::None));
    }

    void findingsSayHowRunsOfOnesOwnScale()
    {
        std::vector<RunRecord> runs{trained("single"), trained("2"), trained("4")};
        for (RunRecord& each : runs) {
            each.spec.experiment = experiment::OwnExperiment;
        }
        QVERIFY(!textOf(findings(runs), "scaling.speed_up").isEmpty());
        runs.erase(runs.begin());
        QVERIFY(textOf(findings(runs), "scaling.speed_up").isEmpty());
    }

    void theModelPredictsTheMachineThatObeysIt()
    {
        const auto runs = everything();
        for (const ScalingCurve& curve : scalingStudy(runs).curves) {
            QVERIFY(curve.model.has_value());
            const ScalingModel& model = *curve.model;
            QCOMPARE(model.links.size(), std::size_t{1});
            QVERIFY(std::abs(model.links[0].fit.link.alpha - Alpha) < 1e-9 * Alpha);
            QVERIFY(std::abs(model.links[0].fit.link.beta - Beta) < 1e-9 * Beta);
            QCOMPARE(model.bytes, CnnBytes);
            for (const ScalingPoint& point : curve.points) {
                QVERIFY(std::abs(model.speedUp(point.ranks, Cores::AtHand) / point.speedUp.mean - 1.0) < 1e-9);
                QVERIFY(std::abs(model.communicateMs(point.ranks, Cores::AtHand) - ringMs(point.ranks)) < 1e-9);
            }
        }
        const ScalingModel& strong = *scalingStudy(runs).curves.front().model;
        QVERIFY(std::abs(strong.limit() - (ParallelMs + SerialMs) / SerialMs) < 1e-9);
        const int best = strong.bestRanks();
        QCOMPARE(strong.mostRanks, 32); // a sample each
        QCOMPARE(scalingStudy(runs).curves.back().model->mostRanks, 4096 / 32);
        for (int ranks = 1; ranks <= strong.mostRanks; ranks *= 2) {
            QVERIFY(strong.speedUp(ranks, Cores::Enough) <= strong.speedUp(best, Cores::Enough));
            QVERIFY(strong.speedUp(ranks, Cores::Enough) <= strong.limit());
        }
        QVERIFY(std::isinf(scalingStudy(runs).curves.back().model->limit()));
    }

    void everyNumberOfRanksHasTheLinkThatItMeasured()
    {
        auto runs = everything();
        runs.push_back(link("link-8", 4.0));
        runs.push_back(link("link-4", 2.0));
        for (RunRecord& each : runs) {
            each.summary.cores = 4;
        }
        const ScalingStudy study = scalingStudy(runs);
        const ScalingModel& model = *study.curves.front().model;
        QCOMPARE(model.links.size(), std::size_t{3});
        QVERIFY(model.reach == LinkReach::SharedMemory && model.areArraysShared);
        for (const auto& [ranks, measured] : {std::pair{1, 2}, {2, 2}, {3, 2}, {4, 4}, {6, 4}, {8, 8}, {64, 8}}) {
            QCOMPARE(model.linkOf(ranks, Cores::AtHand).ranks, measured);
            // What was measured on more ranks than cores says nothing about ranks with a core each.
            QCOMPARE(model.linkOf(ranks, Cores::Enough).ranks, std::min(measured, 4));
        }
        QVERIFY(std::abs(model.communicateMs(8, Cores::AtHand) - 4.0 * ringMs(8)) < 1e-9);
        QVERIFY(std::abs(model.communicateMs(8, Cores::Enough) - 2.0 * ringMs(8)) < 1e-9);
    }

    void aLinkBetweenHostsPredictsNothingYet()
    {
        auto runs = everything();
        QVERIFY(scalingStudy(runs).curves.front().model.has_value());
        runs.back().summary.hosts = 2;
        QVERIFY(!scalingStudy(runs).curves.front().model.has_value());
    }

    void theLinkIsThatOfTrainingsArraysWhereItWasMeasured()
    {
        auto runs = everything();
        runs.back() = link("link", 3.0, false); // of copied arrays, as older runs have it
        QVERIFY(!scalingStudy(runs).curves.front().model->areArraysShared);
        runs.push_back(link("link-4", 2.0));
        const ScalingStudy preferred = scalingStudy(runs);
        const ScalingModel& model = *preferred.curves.front().model;
        QVERIFY(model.areArraysShared);
        QCOMPARE(model.links.size(), std::size_t{1});
        QCOMPARE(model.links[0].ranks, 4);
        // Weights are averaged in place, which needs the link of copied arrays.
        for (RunRecord& each : runs) {
            each.spec.settings["aggregation.what"] = std::string("weights");
        }
        const auto study = scalingStudy(runs);
        QVERIFY(!study.curves.front().model->areArraysShared);
        // Groups that measured beside each other are no link of one group.
        for (RunRecord& each : runs) {
            each.spec.settings["sweep.groups"] = std::int64_t{2};
        }
        QVERIFY(!scalingStudy(runs).curves.front().model);
    }

    void aLinkOfOneMachineIsSaidNotToCarryBeyondIt()
    {
        auto runs = everything();
        const auto figureOf = [](const std::vector<Finding>& all, std::string_view kind, std::string_view name) {
            for (const Finding& finding : all) {
                for (const auto& [each, value] : finding.kind == kind ? finding.figures : decltype(finding.figures)()) {
                    if (each == name) {
                        return value;
                    }
                }
            }
            return NotMeasured;
        };
        const auto shared = findings(runs);
        QCOMPARE(textOf(shared, "scaling.link"),
            QString("The link behind the predictions was measured as training uses it, on arrays in the shared memory "
                    "of one machine; by number of ranks: 2 → 50.0 µs, 1.00 GB/s. It does not carry over to ranks on "
                    "several machines; links of a cluster can be emulated (link.latency_us, link.bandwidth_mbps)."));
        QCOMPARE(figureOf(shared, "scaling.prediction", "link_carries_beyond_machine"), 0.0);
        QVERIFY(textOf(shared, "collectives.fit").contains("one machine's shared memory and do not carry over"));
        runs.back() = link("link", 1.0, false);
        QVERIFY(textOf(findings(runs), "scaling.link").contains("between processes of one machine"));
        // An emulated link represents one between machines.
        for (RunRecord& each : runs) {
            each.spec.settings["link.latency_us"] = 50.0;
        }
        const auto emulated = findings(runs);
        QVERIFY(textOf(emulated, "scaling.link").isEmpty());
        QCOMPARE(figureOf(emulated, "scaling.prediction", "link_carries_beyond_machine"), 1.0);
        QVERIFY(!textOf(emulated, "collectives.fit").contains("carry over"));
    }

    void ranksThatShareCoresGainNothing()
    {
        auto runs = everything();
        for (RunRecord& each : runs) {
            each.summary.cores = 2;
        }
        const auto study = scalingStudy(runs);
        const ScalingModel& model = *study.curves.front().model;
        // The shared part takes as long as on two cores, the rest once for each rank of a core.
        QVERIFY(std::abs(model.stepMs(8, Cores::AtHand) - (ParallelMs / 2 + 4 * SerialMs + ringMs(8))) < 1e-9);
        QVERIFY(std::abs(model.stepMs(8, Cores::Enough) - stepMs(8, false)) < 1e-9);
        QCOMPARE(model.stepMs(2, Cores::AtHand), model.stepMs(2, Cores::Enough));
    }

    void repeatsAreHeldAgainstTheSingleProcessOfTheirSeed()
    {
        // The machine was slow in the second round: each round's ratio is the same all the same.
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            for (const char* variant : {"single", "2"}) {
                runs.push_back(trained(variant, repeat, repeat == 1 ? 3.0 : 1.0));
            }
        }
        const ScalingPoint two = scalingStudy(runs).curves.front().points[1];
        QCOMPARE(two.speedUp.n, std::size_t{3});
        QVERIFY(two.speedUp.halfWidth < 1e-9);
        QVERIFY(two.msPerStep.halfWidth > 1.0);
        // Without the single process of its seed the mean of those that there are counts.
        auto without = runs;
        std::erase_if(
            without, [](const RunRecord& each) { return each.id.text == "single#1" || each.id.text == "single#2"; });
        const ScalingPoint alone = scalingStudy(without).curves.front().points[1];
        QVERIFY(alone.speedUp.halfWidth > 0.1);
        // The same seed on another day, when the machine was twice as slow: each is held against its own day.
        auto later = runs;
        for (RunRecord each : runs) {
            each.id.text += " later";
            each.createdNs = 1'000'000'000'000;
            each.summary.samplesPerSecond /= 2.0;
            later.push_back(each);
        }
        const ScalingPoint both = scalingStudy(later).curves.front().points[1];
        QCOMPARE(both.speedUp.n, std::size_t{6});
        QVERIFY(both.speedUp.halfWidth < 1e-9);
        QCOMPARE(both.accuracy.n, std::size_t{3}); // it learned the same on both
        QCOMPARE(scalingStudy(later).curves.front().points[0].speedUp.mean, 1.0);
    }

    void resumedRunsAndWholeBatchesAreNoScaling()
    {
        std::vector<RunRecord> runs{trained("single"), trained("2"), trained("2")};
        runs[2].spec.settings["checkpoint.from"] = std::string("/store/step-00000100");
        QCOMPARE(scalingStudy(runs).curves.size(), std::size_t{1});
        QCOMPARE(scalingStudy(runs).curves[0].points.size(), std::size_t{2});
        QCOMPARE(scalingStudy(runs).curves[0].points[1].runs.size(), std::size_t{1});
        // Gradient descent uses the whole set, whatever train.batch_of says.
        std::vector<RunRecord> whole{trained("single"), trained("2-weak")};
        for (RunRecord& each : whole) {
            each.spec.settings["optimizer.name"] = std::string("gd");
        }
        QVERIFY(scalingStudy(whole).curves[0].kind == Scaling::Strong);
        QCOMPARE(scalingStudy(whole).curves[0].points[1].batch, std::int64_t{4096});
    }

    void whatDiffersOtherwiseIsACurveOfItsOwn()
    {
        std::vector<RunRecord> runs{trained("single"), trained("2"), trained("4"), trained("2"), trained("4")};
        runs[3].spec.settings["comm.backend"] = runs[4].spec.settings["comm.backend"] = std::string("gloo");
        runs[3].id.text = "gloo 2";
        runs[4].id.text = "gloo 4";
        const ScalingStudy study = scalingStudy(runs);
        QCOMPARE(study.curves.size(), std::size_t{2});
        // A backend that the link was not measured on is not predicted from it.
        runs.push_back(link());
        QVERIFY(scalingStudy(runs).curves[0].model && !scalingStudy(runs).curves[1].model);
        QCOMPARE(study.curves[0].apart, std::string("comm.backend auto"));
        QCOMPARE(study.curves[1].apart, std::string("comm.backend gloo"));
        QCOMPARE(study.curves[1].points.size(), std::size_t{3});
        QVERIFY(!study.curves[0].model); // the link was not measured
    }

    void nothingToCompareIsNoStudy()
    {
        QVERIFY(scalingStudy({}).curves.empty());
        QVERIFY(scalingStudy(std::vector{trained("2"), trained("4")}).curves.empty());
        QVERIFY(scalingStudy(std::vector{trained("single"), link()}).curves.empty());
        std::vector<RunRecord> runs{trained("single"), trained("2")};
        runs[1].status = RunStatus::Failed;
        QVERIFY(scalingStudy(runs).curves.empty());
    }

    void theTargetIsBelowTheSingleProcess()
    {
        auto runs = everything();
        QVERIFY(std::abs(scalingStudy(runs).curves[0].target - 0.94) < 1e-12);
        QCOMPARE(scalingStudy(runs).curves[0].points[2].secondsToTarget.mean, runs[2].accuracy.seconds[1]);
        runs[2].accuracy.value = {0.8, 0.93};
        const ScalingPoint missed = scalingStudy(runs).curves[0].points[2];
        QCOMPARE(missed.secondsToTarget.n, std::size_t{0});
        for (RunRecord& each : runs) {
            each.spec.settings["train.target_accuracy"] = 0.8;
        }
        QCOMPARE(scalingStudy(runs).curves[0].target, 0.8);
        QCOMPARE(scalingStudy(runs).curves[0].points[2].secondsToTarget.mean, runs[2].accuracy.seconds[0]);
        QVERIFY(std::isnan(secondsTo(runs[0], 0.99)));
    }

    void findingsSayWhatWasGainedAndWhereTheTimeWent()
    {
        auto runs = everything();
        runs[6].summary.testAccuracy = 0.9;
        runs[6].accuracy.value = {0.7, 0.9};
        for (RunRecord& each : runs) {
            each.summary.cores = 2;
        }
        const auto all = findings(runs);
        QCOMPARE(textOf(all, "scaling.speed_up"),
            QString(
                "Strong scaling, one batch of 32 shared by all ranks: throughput relative to the single process (762 "
                "samples/s), and efficiency, by number of ranks: 2 → 1.56 × (78.1 %), 4 → 2.15 × (53.8 %), 8 → 2.61 × "
                "(32.6 %) (n = 1)."));
        QVERIFY2(textOf(all, "scaling.speed_up", 1).startsWith("Weak scaling, a batch of 32 per rank: "),
            qPrintable(textOf(all, "scaling.speed_up", 1)));
        QCOMPARE(textOf(all, "scaling.time"),
            QString(
                "Strong scaling: on 8 ranks a step takes 16.1 ms (computing 7.00 ms, communicating 9.10 ms, waiting "
                "0 ms); the single process takes 42.0 ms (n = 1)."));
        QVERIFY(
            textOf(all, "scaling.prediction").contains("With a serial share of 4.76 % in the single process's step"));
        QVERIFY(textOf(all, "scaling.prediction").contains("21.0 × if communication cost nothing"));
        QVERIFY(textOf(all, "scaling.time_to_accuracy")
                    .contains("a test accuracy of 94.0 %, by number of ranks: 1 → 84.0 s, "));
        QVERIFY(textOf(all, "scaling.time_to_accuracy", 1).contains("not reached by 8"));
        QCOMPARE(textOf(all, "scaling.large_batch"),
            QString("8 ranks with a batch each reach a test accuracy of 90.0 %, 5.0 points below the single process "
                    "(95.0 %): 64 steps of 256 samples instead of 512 of 32 (n = 1)."));
        QVERIFY(textOf(all, "scaling.crowded").startsWith("Up to 8 ranks shared 2 cores: "));
        // Comparing numbers of ranks says nothing about an algorithm.
        QVERIFY(textOf(all, "aggregation.fastest").isEmpty());
        QVERIFY(textOf(all, "optimizers.final").isEmpty());
    }
};

LOCKSTEP_TEST(TestScaling)
#include "test_scaling.moc"
