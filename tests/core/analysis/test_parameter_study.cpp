// Figures against parameters, and which of two parameters matters more, on made-up runs where the answer is known.
#include "analysis/findings/all_findings.h"
#include "analysis/statistics/statistics.h"
#include "analysis/study/influence.h"
#include "analysis/study/parameter_study.h"
#include "core/analysis/readable.h"
#include "core/experiment/overrides.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::analysis;
using lockstep::tests::pointersTo;

namespace {

RunRecord finishedRun(const QString& settings, std::int64_t seed, double accuracy)
{
    const experiment::Spec spec{"aggregation", {}, {{"run", {}}}, 1}; // whose answer is not the influence
    const auto changed = experiment::customise(spec, withSettings({{"optimizer.name", "momentum"}}, settings), {});
    const auto runs
        = changed ? experiment::expand(*changed) : Result<std::vector<experiment::RunSpec>>(changed.error());
    if (!runs) {
        qFatal("%s", runs.error().message.c_str());
    }
    RunRecord run;
    run.spec = runs->front();
    run.spec.name = settings.toStdString(); // settings tell runs apart, not names
    run.spec.settings["train.seed"] = seed;
    run.id.text = settings.toStdString() + '#' + std::to_string(seed);
    run.status = RunStatus::Finished;
    run.createdNs = 1;
    run.summary.testAccuracy = accuracy;
    run.summary.finalLoss = 1.0 - accuracy;
    return run;
}

const QStringList Momenta{"0", "0.5", "0.9"};
const QStringList Batches{"16", "32", "64"};

/// Momentum by batch size by seed. Effects in shares of 1 by place of the value; `noise` is the deviation of a run.
std::vector<RunRecord> gridOf(const std::vector<double>& ofMomentum, const std::vector<double>& ofBatch, double noise,
    int seeds, unsigned randomSeed = 1)
{
    std::mt19937 random(randomSeed);
    std::normal_distribution<double> deviation(0.0, noise);
    std::vector<RunRecord> runs;
    for (int seed = 1; seed <= seeds; ++seed) {
        const double ofSeed = 0.01 * seed; // shifts all settings alike
        for (int m = 0; m < 3; ++m) {
            for (int b = 0; b < 3; ++b) {
                runs.push_back(finishedRun(
                    QStringLiteral("optimizer.momentum=%1 train.batch=%2").arg(Momenta[m], Batches[b]), seed,
                    0.7 + ofSeed + ofMomentum[static_cast<std::size_t>(m)] + ofBatch[static_cast<std::size_t>(b)]
                        + deviation(random)));
            }
        }
    }
    return runs;
}

const Figure& accuracy()
{
    return *findStudyFigure("test_accuracy");
}

std::vector<std::string> namesOf(const std::vector<StudyParameter>& parameters)
{
    std::vector<std::string> names;
    for (const StudyParameter& each : parameters) {
        names.emplace_back(each.parameter->name);
    }
    return names;
}

/// The sentence on influence; empty without one.
std::string influenceText(const std::vector<RunRecord>& runs, std::string_view kind)
{
    for (const Finding& finding : findings(runs)) {
        if (finding.kind == kind) {
            return sentence(finding, {});
        }
    }
    return {};
}

} // namespace

class TestParameterStudy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void variedParametersAreFound()
    {
        const auto runs = gridOf({0, 0, 0}, {0, 0, 0}, 0.01, 2);
        const auto varied = studyParameters(pointersTo(runs));
        auto names = namesOf(varied);
        std::sort(names.begin(), names.end());
        QCOMPARE(names, (std::vector<std::string>{"optimizer.momentum", "train.batch"}));
        for (const StudyParameter& each : varied) {
            QCOMPARE(each.values.size(), std::size_t{3});
            QVERIFY(std::is_sorted(each.values.begin(), each.values.end()));
            QVERIFY(each.isNumeric());
        }
        QVERIFY(studyParameters({&runs[0], &runs[9]}).empty()); // the seed is not one
    }

    void pointsAreMeansOverSeeds()
    {
        const auto runs = gridOf({0, 0.1, 0.2}, {0, 0.01, 0.02}, 0.0, 3);
        const ParameterStudy study = parameterStudy(pointersTo(runs), accuracy(), "train.batch", "optimizer.momentum");
        QCOMPARE(std::string(study.first->parameter->name), std::string("train.batch"));
        QCOMPARE(study.lines.size(), std::size_t{3});
        const StudyPoint& point = study.lines[2].points[1]; // momentum 0.9, batch 32
        QCOMPARE(point.n, std::size_t{3});
        QVERIFY(std::fabs(point.mean - 93.0) < 1e-9);
        const ShareInterval expected = shareWithInterval(std::vector<double>{0.92, 0.93, 0.94});
        QVERIFY(std::fabs(point.low - expected.low * 100.0) < 1e-9);
        QVERIFY(std::fabs(point.high - expected.high * 100.0) < 1e-9);
        QVERIFY(study.together.empty());
    }

    void unfinishedInterferedAndRepeatedRunsDoNotCount()
    {
        auto runs = gridOf({0, 0.1, 0.2}, {0, 0.01, 0.02}, 0.0, 3);
        runs[0].status = RunStatus::Failed;
        runs[9].summary.interference.isPaused = true;
        runs.push_back(runs[1]); // seed 1 once more, newer
        runs.back().createdNs = 2;
        runs.back().summary.testAccuracy = 0.5;
        const auto pointers = pointersTo(runs);
        ParameterStudy study = parameterStudy(pointers, accuracy(), "train.batch", {});
        QCOMPARE(study.unfinished, std::size_t{1});
        QCOMPARE(study.interfered, std::size_t{1});
        const auto& points = study.lines.front().points;
        QCOMPARE(points[0].n, std::size_t{1});
        QVERIFY(!std::isfinite(points[0].low));
        QCOMPARE(points[1].n, std::size_t{3});
        QVERIFY(std::fabs(points[1].mean - (50.0 + 73.0 + 74.0) / 3.0) < 1e-9);
        study = parameterStudy(pointers, accuracy(), "train.batch", {}, Interfered::Include);
        QCOMPARE(study.lines.front().points[0].n, std::size_t{2});
    }

    void settingsThatDidNotRunHaveNoPoint()
    {
        auto runs = gridOf({0, 0.1, 0.2}, {0, 0.01, 0.02}, 0.0, 1);
        runs.erase(runs.begin() + 4);
        const ParameterStudy study = parameterStudy(pointersTo(runs), accuracy(), "train.batch", "optimizer.momentum");
        QCOMPARE(study.lines[1].points.size(), std::size_t{2});
        QCOMPARE(study.lines[1].points[1].x, experiment::Value{std::int64_t{64}});
        QVERIFY(!influenceOf(pointersTo(runs), accuracy())); // no full grid
    }

    /// A learning rate of each optimizer's own is not what was varied.
    void whatFollowsFromAChoiceIsSaid()
    {
        std::vector<RunRecord> runs;
        for (const char* settings : {"optimizer.name=sgd optimizer.lr=0.1", "optimizer.name=adam optimizer.lr=0.001"}) {
            runs.push_back(finishedRun(QLatin1String(settings), 1, 0.9));
        }
        ParameterStudy study = parameterStudy(pointersTo(runs), accuracy(), {}, {});
        QCOMPARE(std::string(study.first->parameter->name), std::string("optimizer.name"));
        QVERIFY(!study.second);
        QCOMPARE(study.lines.size(), std::size_t{1});
        QCOMPARE(study.together.size(), std::size_t{1});
        QCOMPARE(std::string(study.together.front()->name), std::string("optimizer.lr"));
        study = parameterStudy(pointersTo(runs), accuracy(), "optimizer.lr", {}); // asked for
        QVERIFY(study.together.empty());
        QCOMPARE(study.lines.size(), std::size_t{2}); // no line joins the two optimizers
        for (const auto& line : study.lines) {
            QCOMPARE(line.points.size(), std::size_t{1});
            QCOMPARE(std::string(line.others.front().first->name), std::string("optimizer.name"));
        }
    }

    /// Settings of a third parameter are never pooled.
    void aThirdParameterMakesMoreLines()
    {
        auto runs = gridOf({0, 0.1, 0.2}, {0, 0.01, 0.02}, 0.0, 2);
        for (const RunRecord& run : gridOf({0, 0, 0}, {0, 0, 0}, 0.0, 2)) {
            runs.push_back(run);
            runs.back().spec.settings["optimizer.lr"] = 0.01;
        }
        const ParameterStudy study = parameterStudy(pointersTo(runs), accuracy(), "train.batch", "optimizer.momentum");
        QCOMPARE(study.lines.size(), std::size_t{6});
        QCOMPARE(std::string(study.lines[0].others[0].first->name), std::string("optimizer.lr"));
        QCOMPARE(study.lines[0].others[0].second, study.lines[2].others[0].second);
        QVERIFY(study.lines[2].others[0].second != study.lines[3].others[0].second);
        QVERIFY(!influenceOf(pointersTo(runs), accuracy()));
    }

    void zeroForAllHasNoPlaceOnAnAxis()
    {
        const std::vector<RunRecord> runs{
            finishedRun("dataset.train_samples=0", 1, 0.9), finishedRun("dataset.train_samples=1000", 1, 0.8)};
        QVERIFY(!studyParameters(pointersTo(runs)).front().isNumeric());
    }

    /// They are not in the table, and their numbers are written with a point or without.
    void parametersOfOnesOwnProgramVaryToo()
    {
        std::vector<RunRecord> runs;
        for (const experiment::Value& value :
            {experiment::Value{std::int64_t{1}}, experiment::Value{0.5}, experiment::Value{std::int64_t{2}}}) {
            runs.push_back(finishedRun("", 1, 0.9));
            runs.back().spec.settings["own.rate"] = value;
        }
        const ParameterStudy study = parameterStudy(pointersTo(runs), accuracy(), {}, {});
        QCOMPARE(std::string(study.first->parameter->name), std::string("own.rate"));
        QVERIFY(study.first->isNumeric());
        QCOMPARE(study.lines.size(), std::size_t{1});
        QCOMPARE(study.lines.front().points.size(), std::size_t{3});
        QCOMPARE(study.lines.front().points.front().x, experiment::Value{0.5});
    }

    void theLargerInfluenceIsTold()
    {
        const auto runs = gridOf({0, 0.06, 0.12}, {0, 0.01, 0.02}, 0.001, 3);
        const auto influence = influenceOf(pointersTo(runs), accuracy());
        QVERIFY(influence && influence->isKnown());
        QCOMPARE(std::string(influence->larger->name), std::string("optimizer.momentum"));
        QVERIFY(std::fabs(influence->largerRange - 12.0) < 0.5 && std::fabs(influence->smallerRange - 2.0) < 0.5);
        QVERIFY(influence->low < 10.0 && influence->high > 10.0 && influence->low > 5.0);
        QCOMPARE(influence->runs.size(), std::size_t{27});
        const std::string text = influenceText(runs, "parameters.influence");
        QVERIFY2(text.starts_with("Momentum changes the test accuracy more than batch size: "), text.c_str());
        // The other way round.
        const auto turned = influenceOf(pointersTo(gridOf({0, 0.01, 0.02}, {0, 0.06, 0.12}, 0.001, 3)), accuracy());
        QCOMPARE(std::string(turned->larger->name), std::string("train.batch"));
    }

    /// A learning rate that grows with the batch size: what one of them does cannot be told from what the other does.
    void nothingIsSaidOfWhatChangesTogether()
    {
        auto runs = gridOf({0, 0.06, 0.12}, {0, 0.01, 0.02}, 0.001, 3);
        for (RunRecord& run : runs) {
            run.spec.settings["optimizer.lr"] = 0.001 * static_cast<double>(run.spec.settings->train.batch);
        }
        QVERIFY(!influenceOf(pointersTo(runs), accuracy()));
    }

    void aSweepBesideTheGridChangesNothing()
    {
        auto runs = gridOf({0, 0.06, 0.12}, {0, 0.01, 0.02}, 0.001, 3);
        runs.push_back(runs.front());
        runs.back().id.text = "sweep";
        runs.back().createdNs = 2;
        runs.back().spec.settings["strategy.name"] = std::string("collectives");
        runs.back().summary.testAccuracy = NotMeasured;
        const auto influence = influenceOf(pointersTo(runs), accuracy());
        QVERIFY(influence);
        QCOMPARE(influence->seeds, std::size_t{3});
    }

    void labelsOfParametersAreTranslated()
    {
        const auto all = findings(gridOf({0, 0.06, 0.12}, {0, 0.01, 0.02}, 0.001, 3));
        const auto said = std::find_if(
            all.begin(), all.end(), [](const Finding& finding) { return finding.kind == "parameters.influence"; });
        QVERIFY(said != all.end());
        const std::string text = sentence(*said, [](std::string_view pattern) {
            return pattern == "Momentum"  ? std::string("M")
                : pattern == "Batch size" ? std::string("B")
                                          : std::string("%1 > %2 (%5)");
        });
        QCOMPARE(text, std::string("M > B (%5)"));
    }

    void whatCannotBeToldIsNot()
    {
        const auto runs = gridOf({0, 0.03, 0.05}, {0, 0.03, 0.05}, 0.01, 3);
        QVERIFY(influenceText(runs, "parameters.influence").empty());
        const std::string text = influenceText(runs, "parameters.influence_unknown");
        QVERIFY2(text.find("cannot be told: by up to") != std::string::npos, text.c_str());
        const auto once = gridOf({0, 0.06, 0.12}, {0, 0.01, 0.02}, 0.001, 1);
        QVERIFY(influenceText(once, "parameters.influence").empty());
        const std::string single = influenceText(once, "parameters.influence_unknown");
        QVERIFY2(single.find("cannot be told from one seed") != std::string::npos, single.c_str());
    }

    void nothingIsSaidAcrossDataSets()
    {
        std::vector<RunRecord> runs;
        for (const char* samples : {"1000", "2000"}) {
            for (const char* batch : {"16", "32"}) {
                for (int seed = 1; seed <= 3; ++seed) {
                    const QString settings = QStringLiteral("dataset.train_samples=%1 train.batch=%2");
                    runs.push_back(finishedRun(settings.arg(QLatin1String(samples), QLatin1String(batch)), seed, 0.9));
                }
            }
        }
        QVERIFY(influenceText(runs, "parameters.influence").empty());
        QVERIFY(influenceText(runs, "parameters.influence_unknown").empty());
    }

    /// Of stores in which both parameters have the same range at most 5 % may claim a difference, although the range is
    /// a maximum over values; and the interval holds the true difference.
    void theIntervalKeepsItsConfidence_data()
    {
        QTest::addColumn<QList<double>>("momentum");
        QTest::addColumn<QList<double>>("batch");
        QTest::newRow("no effects") << QList<double>{0, 0, 0} << QList<double>{0, 0, 0};
        QTest::newRow("equal effects") << QList<double>{0, 0.05, 0.02} << QList<double>{0.05, 0, 0.05};
        QTest::newRow("one effect") << QList<double>{0, 0.1, 0.1} << QList<double>{0, 0, 0};
    }
    void theIntervalKeepsItsConfidence()
    {
        QFETCH(QList<double>, momentum);
        QFETCH(QList<double>, batch);
        const std::vector<double> ofMomentum(momentum.begin(), momentum.end());
        const std::vector<double> ofBatch(batch.begin(), batch.end());
        const auto rangeOf = [](const QList<double>& effects) {
            return 100.0
                * (*std::max_element(effects.begin(), effects.end())
                    - *std::min_element(effects.begin(), effects.end()));
        };
        const double truth = rangeOf(momentum) - rangeOf(batch);
        auto runs = gridOf(ofMomentum, ofBatch, 0.0, 4);
        const std::vector<RunRecord> clean = runs;
        std::mt19937 random(7);
        std::normal_distribution<double> noise(0.0, 0.02);
        constexpr int Stores = 400;
        int missed = 0;
        for (int store = 0; store < Stores; ++store) {
            for (std::size_t i = 0; i < runs.size(); ++i) {
                runs[i].summary.testAccuracy = clean[i].summary.testAccuracy + noise(random);
            }
            const auto influence = influenceOf(pointersTo(runs), accuracy());
            const bool isMomentum = influence->larger->name == "optimizer.momentum";
            const double low = isMomentum ? influence->low : -influence->high;
            const double high = isMomentum ? influence->high : -influence->low;
            missed += low > truth || high < truth ? 1 : 0;
        }
        QVERIFY2(missed <= Stores * 5 / 100, qPrintable(QString::number(missed)));
    }
};

LOCKSTEP_TEST(TestParameterStudy)
#include "test_parameter_study.moc"
