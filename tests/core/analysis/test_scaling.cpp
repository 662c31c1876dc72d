#include "analysis/findings/all_findings.h"
#include "analysis/numbers.h"
#include "core/analysis/scaling_runs.h"
#include "experiment/vary.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests::scaling;

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

    /// A speed-up is not told again as a multiple of the time, nor its link as a fit.
    void aRatioStandsOnce()
    {
        const auto runs = everything();
        QVERIFY(!textOf(findings(runs), "scaling.speed_up").isEmpty());
        for (const Finding& finding : findings(runs)) {
            QVERIFY2(
                !finding.kind.starts_with("timing.") && !finding.kind.starts_with("collectives."), finding.kind.data());
        }
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
        const ScalingModel strong = *scalingStudy(runs).curves.front().model;
        QVERIFY(std::abs(strong.limit() - (ParallelMs + SerialMs) / SerialMs) < 1e-9);
        const int best = strong.bestRanks(Cores::Enough);
        QCOMPARE(strong.mostRanks, 32); // a sample each
        QCOMPARE(scalingStudy(runs).curves.back().model->mostRanks, 4096 / 32);
        for (int ranks = 1; ranks <= strong.mostRanks; ranks *= 2) {
            QVERIFY(strong.speedUp(ranks, Cores::Enough) <= strong.speedUp(best, Cores::Enough));
            QVERIFY(strong.speedUp(ranks, Cores::Enough) <= strong.limit());
        }
        QVERIFY(std::isinf(scalingStudy(runs).curves.back().model->limit()));
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

    void moreThanItsCoresCanExplain_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("cores"); ///< of the machine; 0: not known
        QTest::addColumn<int>("threads"); ///< of each rank
        QTest::addColumn<bool>("isGpu");
        QTest::addColumn<double>("most");
        QTest::addRow("a core each") << 4 << 64 << 1 << false << 4.0;
        QTest::addRow("two cores") << 4 << 2 << 1 << false << 2.0;
        QTest::addRow("two threads each") << 4 << 4 << 2 << false << 2.0;
        QTest::addRow("one thread of many uses all cores") << 4 << 2 << 8 << false << 1.0;
        QTest::addRow("unknown cores") << 4 << 0 << 1 << false << 4.0;
        QTest::addRow("GPUs") << 4 << 2 << 1 << true << 4.0;
    }

    /// By whole intervals; a run alone by more than a tenth.
    void moreThanItsCoresCanExplain()
    {
        QFETCH(int, ranks);
        QFETCH(int, cores);
        QFETCH(int, threads);
        QFETCH(bool, isGpu);
        QFETCH(double, most);
        const std::string variant = std::to_string(ranks);
        const auto measured = [&](const std::vector<double>& speedUps) {
            std::vector<RunRecord> runs;
            for (std::size_t i = 0; i < speedUps.size(); ++i) {
                for (const std::string& each : {std::string("single"), variant}) {
                    RunRecord& run = runs.emplace_back(trained(each, static_cast<int>(i)));
                    run.summary.cores = cores;
                    run.summary.device = isGpu ? "cuda:0" : "cpu";
                    run.spec.settings["rank.threads"] = std::int64_t{threads};
                    run.summary.samplesPerSecond = 100.0 * (each == "single" ? 1.0 : speedUps[i]);
                }
            }
            return runs;
        };
        const auto pointOf = [&](const std::vector<double>& speedUps) {
            return scalingStudy(measured(speedUps)).curves.front().points[1];
        };
        QCOMPARE(pointOf({1.0}).mostSpeedUp, most);
        QVERIFY(!pointOf({most * 1.05}).isUnexplained());
        QVERIFY(pointOf({most * 1.2}).isUnexplained());
        QVERIFY(!pointOf({most * 0.9, most * 1.2, most * 1.5}).isUnexplained());
        QVERIFY(pointOf({most * 1.04, most * 1.05, most * 1.06}).isUnexplained());
        QVERIFY(!pointOf({most, most, most}).isUnexplained());
        const QString more = textOf(findings(measured({most * 1.04, most * 1.05, most * 1.06})), "scaling.speed_up");
        QVERIFY2(
            more.contains(QStringLiteral("n %1 ranks it came out faster than this machine's cores allow").arg(ranks)),
            qPrintable(more));
        QVERIFY(!textOf(findings(measured({0.9 * most})), "scaling.speed_up").contains("cores allow"));
    }

    void aPredictionHasAVerdict()
    {
        QVERIFY(agreementOf(1.95, meanWithInterval(std::vector{1.6, 1.67, 1.74})) == Agreement::TooOptimistic);
        QVERIFY(agreementOf(1.2, meanWithInterval(std::vector{1.6, 1.67, 1.74})) == Agreement::TooPessimistic);
        QVERIFY(agreementOf(1.68, meanWithInterval(std::vector{1.66, 1.67, 1.68})) == Agreement::Agrees);
        // Apart by less than what a model can know.
        QVERIFY(agreementOf(1.72, meanWithInterval(std::vector{1.66, 1.67, 1.68})) == Agreement::Agrees);
        QVERIFY(agreementOf(1.95, meanWithInterval(std::vector{1.2, 1.7, 2.2})) == Agreement::Unknown);
        QVERIFY(agreementOf(1.95, meanWithInterval(std::vector{1.0})) == Agreement::Unknown); // one run
        const auto saidOf = [](double factor) {
            std::vector<RunRecord> runs{link()};
            for (int repeat = 0; repeat < 3; ++repeat) {
                runs.push_back(trained("single", repeat));
                runs.push_back(trained("2", repeat));
                runs.back().summary.samplesPerSecond *= factor * (1.0 + 0.001 * repeat);
            }
            return textOf(findings(runs), "scaling.prediction");
        };
        QVERIFY2(saidOf(1.0).contains("× was measured: both agree to within 10 %."), qPrintable(saidOf(1.0)));
        QVERIFY(saidOf(0.5).contains("× was measured: the prediction is too optimistic."));
        QVERIFY2(saidOf(1.25).contains("× was measured: the prediction is too pessimistic."), qPrintable(saidOf(1.25)));
        QVERIFY(saidOf(2.0).isEmpty()); // faster than two cores allow: nothing is held against that
        QVERIFY(textOf(findings(everything()), "scaling.prediction").contains("whether both agree cannot be told."));
    }

    void anExtrapolationSaysFromWhereItIsUnsupported()
    {
        auto runs = everything();
        QCOMPARE(scalingStudy(runs).curves.front().mostSupported(Cores::Enough), 8);
        QVERIFY2(textOf(findings(runs), "scaling.unsupported")
                     .endsWith("at most 8 ranks were measured with a core each. Its link was measured inside one "
                               "machine."),
            qPrintable(textOf(findings(runs), "scaling.unsupported")));
        for (RunRecord& each : runs) {
            each.summary.cores = 2;
        }
        QCOMPARE(scalingStudy(runs).curves.front().mostSupported(Cores::Enough), 2);
        QCOMPARE(scalingStudy(runs).curves.front().mostSupported(Cores::AtHand), 8);
        for (RunRecord& each : runs) {
            each.summary.cores = 64;
            if (ranksOf(each) > 1) {
                each.spec.settings["link.latency_us"] = 50.0;
            }
        }
        QVERIFY(
            textOf(findings(runs), "scaling.unsupported").endsWith("at most 8 ranks were measured with a core each."));
        std::erase_if(runs, [](const RunRecord& each) { return !each.measurements.empty(); });
        QVERIFY(textOf(findings(runs), "scaling.unsupported").isEmpty()); // without a prediction
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
        QVERIFY(two.msPerStep.halfWidth() > 1.0);
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

    /// The single process has no link to emulate: it is the baseline all the same.
    void anEmulatedLinkHasItsSpeedUpsAndItsPrediction()
    {
        std::vector<RunRecord> runs{trained("single"), trained("2"), trained("4"), link()};
        for (std::size_t i = 1; i < runs.size(); ++i) {
            runs[i].spec.settings["link.latency_us"] = 500.0;
        }
        QVERIFY(scalesByExperiment(runs).at("scaling") == Scales::Only);
        const ScalingStudy study = scalingStudy(runs);
        QCOMPARE(study.curves.size(), std::size_t{1});
        QCOMPARE(study.curves[0].points.size(), std::size_t{3});
        QVERIFY(study.curves[0].model.has_value());
        // What a single process uses as well must be equal.
        runs[1].spec.settings["optimizer.lr"] = runs[2].spec.settings["optimizer.lr"] = 0.017;
        QVERIFY(scalesByExperiment(runs).at("scaling") == Scales::None);
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
        // At the typical time per step, so that no evaluation counts.
        const auto secondsOf = [&runs](std::size_t evaluation) {
            return static_cast<double>(runs[2].accuracy.step[evaluation]) * runs[2].summary.msPerStep / 1e3;
        };
        QCOMPARE(scalingStudy(runs).curves[0].points[2].secondsToTarget.mean, secondsOf(1));
        runs[2].accuracy.value = {0.8, 0.93};
        const ScalingPoint missed = scalingStudy(runs).curves[0].points[2];
        QCOMPARE(missed.secondsToTarget.n, std::size_t{0});
        for (RunRecord& each : runs) {
            each.spec.settings["train.target_accuracy"] = 0.8;
        }
        QCOMPARE(scalingStudy(runs).curves[0].target, 0.8);
        QCOMPARE(scalingStudy(runs).curves[0].points[2].secondsToTarget.mean, secondsOf(0));
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
            QString("Strong scaling (one batch for all ranks): on 4 ranks training is 2.15 times as fast as on 1 rank. "
                    "On 8 ranks it came out faster than this machine's cores allow: do not trust these times."));
        QVERIFY2(textOf(all, "scaling.speed_up", 1).startsWith("Weak scaling (a batch for each rank): "),
            qPrintable(textOf(all, "scaling.speed_up", 1)));
        QCOMPARE(textOf(all, "scaling.time"),
            QString("Strong scaling (one batch for all ranks): on 8 ranks a step takes 16.1 ms, on 1 rank 42.0 ms. "
                    "Computing takes 7.00 ms of it (on 1 rank 42.0). Most is lost in communicating (9.10 ms) and "
                    "waiting (0 ms)."));
        QVERIFY(textOf(all, "scaling.prediction")
                    .contains("It assumes a serial share of 4.76 % in the single process's step"));
        QVERIFY(textOf(all, "scaling.prediction").contains("21.0 × if communication cost nothing"));
        QVERIFY(textOf(all, "scaling.time_to_accuracy").endsWith("with a test accuracy of 94.0 %."));
        const auto toAccuracy = std::ranges::find(all, std::string_view("scaling.time_to_accuracy"), &Finding::kind);
        const double ofSingle = secondsTo(
            *std::ranges::find_if(runs, [](const RunRecord& each) { return each.spec.name == "single"; }), 0.94);
        QCOMPARE(toAccuracy->table.rows.front(), (std::vector<std::string>{"1", threeDigits(ofSingle)}));
        QVERIFY(textOf(all, "scaling.time_to_accuracy", 1).endsWith("94.0 %; – where no run reaches it."));
        const auto weak = std::ranges::find_if(all, [&](const Finding& finding) {
            return finding.kind == "scaling.time_to_accuracy" && finding.table.header.size() > 2;
        });
        QVERIFY(weak != all.end());
        QCOMPARE(weak->table.rows.back(), (std::vector<std::string>{"8", "–", "0/1"}));
        QCOMPARE(textOf(all, "scaling.large_batch"),
            QString("8 ranks with a batch each reach a test accuracy of 90.0 %, 1 rank 95.0 %. "
                    "They take 64 steps of 256 samples instead of 512 of 32."));
        // Both kinds of scaling answer, and where the time went.
        QStringList headlines;
        for (const Finding& finding : all) {
            if (finding.role == Role::Headline) {
                headlines += QString::fromUtf8(finding.kind.data(), static_cast<qsizetype>(finding.kind.size()));
            }
        }
        QCOMPARE(headlines.join(u' '), QStringLiteral("scaling.speed_up scaling.time scaling.speed_up"));
        // More samples per second are no faster training.
        for (RunRecord& each : runs) {
            each.summary.cores = 64;
        }
        const QString weakly = textOf(findings(runs), "scaling.speed_up", 1);
        QVERIFY2(weakly.endsWith(QStringLiteral(", but no run on 8 ranks reached a test accuracy of 94.0 %.")),
            qPrintable(weakly));
        // Comparing numbers of ranks says nothing about an algorithm.
        QVERIFY(textOf(all, "aggregation.fastest").isEmpty());
        QVERIFY(textOf(all, "optimizers.final").isEmpty());
    }
};

LOCKSTEP_TEST(TestScaling)
#include "test_scaling.moc"
