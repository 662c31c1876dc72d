// The list of figures, their means over repeats, differences and rounding.
#include "analysis/figures/figure_estimate.h"
#include "analysis/numbers.h"
#include "analysis/statistics/paired_rounds.h"
#include "analysis/study/parameter_study.h"
#include "analysis/table/column.h"
#include "core/analysis/readable.h"
#include "core/analysis/table/table_runs.h"
#include "program/test_class.h"

#include <QTest>

#include <array>
#include <cmath>
#include <cstring>
#include <set>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

/// Runs of these seeds, whose figure has these values.
std::vector<RunRecord> runsWith(double Summary::*figure, const std::vector<double>& values, std::int64_t firstSeed = 1)
{
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        runs.push_back(tableRun("SGD", firstSeed + static_cast<std::int64_t>(i), 0.1, 0.9));
        runs.back().summary.*figure = values[i];
    }
    return runs;
}

std::string shownOf(double Summary::*figure, const std::vector<double>& values)
{
    const auto runs = runsWith(figure, values);
    return estimateText(figure, pointersTo(runs));
}

FigureDifference differenceOfValues(double Summary::*figure, const std::vector<double>& before,
    const std::vector<double>& after, std::int64_t firstSeedAfter = 1)
{
    const auto baseline = runsWith(figure, before);
    const auto runs = runsWith(figure, after, firstSeedAfter);
    return differenceOf(figureOf(figure), pointersTo(baseline), pointersTo(runs));
}

bool areNear(double a, double b)
{
    return std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(b));
}

/// The numbers of a summary that were never set, wherever they are in it. In static storage bytes between members are
/// 0.
int unsetNumbers(const Summary& summary)
{
    int unset = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&summary);
    for (std::size_t at = 0; at + sizeof(double) <= sizeof(Summary); at += alignof(double)) {
        unset += std::memcmp(bytes + at, &NotMeasured, sizeof(double)) == 0 ? 1 : 0;
    }
    return unset;
}

} // namespace

class TestRunFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Whoever adds a number to Summary adds its row to the list.
    void everyNumberOfASummaryIsAFigure()
    {
        static Summary summary;
        QVERIFY(unsetNumbers(summary) >= 25);
        for (const Figure& figure : figures()) {
            if (figure.member != nullptr) {
                QVERIFY2(std::isnan(summary.*figure.member), std::string(figure.name).c_str()); // one row a member
                QVERIFY(&figureOf(figure.member) == &figure);
                summary.*figure.member = 1.0;
            }
        }
        summary.bytesByKind.fill(1.0);
        QCOMPARE(unsetNumbers(summary), 0);
    }

    void rowsAreWhole()
    {
        std::set<std::string_view> names;
        for (const Figure& figure : figures()) {
            const std::string name(figure.name);
            QVERIFY2((figure.member == nullptr) != (figure.function == nullptr), name.c_str());
            QVERIFY2(names.insert(figure.name).second, name.c_str());
            QVERIFY2(figure.shortName.empty() || names.insert(figure.shortName).second, name.c_str());
            QVERIFY2(figure.label.empty() == figure.help.empty(), name.c_str());
            // A quotient of two geometric means is the geometric mean of the quotients.
            const bool isQuotient = name.ends_with("_typical") && figure.function != nullptr;
            QVERIFY2(isQuotient || (figure.kind == FigureKind::Share) == (figure.estimator == Estimator::Logit),
                name.c_str());
            QVERIFY2(findFigure(figure.name) == &figure && findFigure(figure.columnName()) == &figure, name.c_str());
            const Column* column = findColumn(figure.columnName());
            QVERIFY2((column == nullptr) == figure.label.empty(), name.c_str());
            QVERIFY2(column == nullptr || column->figure == &figure, name.c_str());
        }
        QVERIFY(findFigure("no such figure") == nullptr);
        QVERIFY(std::ranges::all_of(studyFigures(), [](const Figure* figure) { return figure != nullptr; }));
    }

    void columnsKeepTheirNames()
    {
        for (const char* name : {"loss", "best_loss", "accuracy", "best_accuracy", "label_skew", "staleness",
                 "max_staleness", "verify_difference", "ms_per_step", "samples_per_s", "train_seconds",
                 "comm_ms_per_step", "wait_ms_per_step", "comm_share", "comms_with_wait", "overlap",
                 "exposed_ms_per_step", "critical_comm_ms_per_step", "critical_share", "bubble", "bytes_per_step",
                 "start_seconds", "seconds_to_first_loss", "steps", "peak_memory"}) {
            QVERIFY2(findColumn(name) != nullptr && findColumn(name)->isFigure(), name);
        }
        // The names in JSON are understood, too.
        QCOMPARE((*columnNamed("final_loss"))->name, std::string_view("loss"));
        QCOMPARE((*columnNamed("bubble_fraction"))->name, std::string_view("bubble"));
        QCOMPARE((*columnNamed("memory"))->name, std::string_view("peak_memory"));
        QVERIFY(!columnNamed("critical_rank").isOk());
    }

    void meansAreOfTheFiguresKind()
    {
        const auto losses = runsWith(&Summary::finalLoss, {1.0, 4.0});
        QVERIFY(areNear(estimateOf(&Summary::finalLoss, pointersTo(losses)).mean, 2.5));
        const auto times = runsWith(&Summary::msPerStep, {1.0, 4.0});
        QVERIFY(areNear(estimateOf(&Summary::msPerStep, pointersTo(times)).mean, 2.0));
        // The ratio of two such means is the mean ratio, and throughput is the reciprocal of time.
        const auto rates = runsWith(&Summary::samplesPerSecond, {1.0, 0.25});
        QVERIFY(areNear(estimateOf(&Summary::samplesPerSecond, pointersTo(rates)).mean, 0.5));
        // 0 has no logarithm.
        const auto waits = runsWith(&Summary::waitMsPerStep, {0.0, 4.0});
        QVERIFY(areNear(estimateOf(&Summary::waitMsPerStep, pointersTo(waits)).mean, 2.0));
        const auto shares = runsWith(&Summary::testAccuracy, {0.999, 0.90});
        const MeanEstimate share = estimateOf(&Summary::testAccuracy, pointersTo(shares));
        QVERIFY(share.hasInterval() && share.low > 0.0 && share.low < 0.9 && share.high < 1.0);
    }

    void missingValuesAreLeftOut()
    {
        const auto runs = runsWith(&Summary::msPerStep, {2.0, NotMeasured, 2.2});
        QCOMPARE(estimateOf(&Summary::msPerStep, pointersTo(runs)).n, std::size_t{2});
        QCOMPARE(shownOf(&Summary::msPerStep, {NotMeasured}), "–");
        QCOMPARE(estimateText(&Summary::testAccuracy, {}), "–");
        // Of three seeds two have partners that have the figure.
        const FigureDifference paired
            = differenceOfValues(&Summary::msPerStep, {1.0, NotMeasured, 2.0}, {1.1, 3.0, 2.2});
        QVERIFY(paired.isPaired && areNear(paired.difference, 0.1));
        QCOMPARE(paired.n, std::size_t{2});
    }

    void oneRoundingForAll_data()
    {
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("text");
        const auto add = [](double mean, double low, double high, const char* text) {
            QTest::addRow("%s", text) << mean << low << high << QString::fromUtf8(text);
        };
        add(0.0191, 0.0042, 0.0342, "0.019 [0.004, 0.034]"); // half-width 0.015
        add(12.346, 12.2, 12.5, "12.35 [12.20, 12.50]");
        add(1234.5, 1084.0, 1384.0, "1,230 [1,080, 1,380]");
        add(2.0, 1.9004, 2.0996, "2.00 [1.90, 2.10]"); // half-width 0.0996, which is 0.10
        add(1234.5, 1233.0, 1236.0, "1,235 [1,233, 1,236]");
        add(0.02, 0.0004, 0.8, "0.02 [0.0004, 0.80]"); // never 0.00
        add(4.51e-6, 3.0e-6, 6.0e-6, "4.5e-06 [3.0e-06, 6.0e-06]");
        add(0.0921, NotMeasured, NotMeasured, "0.0921");
        add(1234.5, NotMeasured, NotMeasured, "1,235");
        add(0.1, 0.1, 0.1 + 1e-16, "0.100"); // equal but for rounding
        add(NotMeasured, NotMeasured, NotMeasured, "–");
    }
    void oneRoundingForAll()
    {
        QFETCH(double, mean);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(estimateText(figureOf(&Summary::msPerStep), {mean, low, high, 3})), text);
        QCOMPARE(QString::fromStdString(estimateText(figureOf(&Summary::finalLoss), {mean, low, high, 3})), text);
    }

    void equalValuesHaveNoInterval()
    {
        for (const std::size_t n : {1, 2, 3, 4, 5}) {
            QCOMPARE(shownOf(&Summary::testAccuracy, std::vector<double>(n, 0.96)), "96.0 %");
            QCOMPARE(shownOf(&Summary::testAccuracy, std::vector<double>(n, 0.0)), "0.0 %");
            QCOMPARE(shownOf(&Summary::testAccuracy, std::vector<double>(n, 1.0)), "100.0 %");
            QCOMPARE(shownOf(&Summary::finalLoss, std::vector<double>(n, 0.1)), "0.100");
            QCOMPARE(shownOf(&Summary::msPerStep, std::vector<double>(n, 12.3)), "12.3");
            QCOMPARE(shownOf(&Summary::waitMsPerStep, std::vector<double>(n, 0.0)), "0");
            QCOMPARE(shownOf(&Summary::bytesPerStep, std::vector<double>(n, 4.8e6)), "4.80 MB");
            const auto runs = runsWith(&Summary::msPerStep, std::vector<double>(n, 12.3));
            QCOMPARE(estimateOf(&Summary::msPerStep, pointersTo(runs)).mean, 12.3);
            QCOMPARE(estimateText(*findFigure("steps"), estimateOf(*findFigure("steps"), pointersTo(runs))), "100");
        }
        QCOMPARE(shownOf(&Summary::testAccuracy, {0.94, 0.95, 0.96}), "95.0 % [91.8, 97.0]");
    }

    void differencesHaveTheDigitsOfTheirInterval()
    {
        const auto text = [](double difference, double low, double high, bool isInPoints) {
            return differenceText({difference, low, high, 3, isInPoints, true});
        };
        QCOMPARE(text(0.032, 0.010, 0.055, false), "+3.2 % [+1.0, +5.5]");
        QCOMPARE(text(-0.4075012, -0.4075013, -0.4075011, false), "−40.75 %");
        QCOMPARE(text(0.0003, -0.014, 0.015, false), "0.0 % [−1.4, +1.5]");
        QCOMPARE(text(-0.0004, -0.0141, 0.0151, false), "0.0 % [−1.4, +1.5]");
        QCOMPARE(text(-0.012, NotMeasured, NotMeasured, true), "−1.2 points");
        QCOMPARE(text(-0.0124, -0.0241, -0.0004, true), "−1.2 points [−2.4, 0.0]");
        QCOMPARE(text(0.5, NotMeasured, NotMeasured, false), "+50.0 %");
        QCOMPARE(text(0.5, 0.5, 0.5, false), "+50.0 %");
        QCOMPARE(text(NotMeasured, NotMeasured, NotMeasured, false), "–");
    }

    void pairsAreOfTheWholeSmallerSide()
    {
        const FigureDifference paired = differenceOfValues(&Summary::msPerStep, {1.0, 2.0, 3.0}, {1.1, 2.2, 3.3});
        QVERIFY(paired.isPaired && !paired.hasInterval() && areNear(paired.difference, 0.1));
        const FigureDifference apart
            = differenceOfValues(&Summary::msPerStep, {1.0, 2.0, 3.0}, {1.1, 2.2, 3.3}, 2); // seeds 2, 3, 4
        QVERIFY(!apart.isPaired && apart.hasInterval() && areNear(apart.difference, 0.1));
        const FigureDifference points = differenceOfValues(&Summary::testAccuracy, {0.90, 1.0}, {0.91, 1.0});
        QVERIFY(points.isInPoints && points.isPaired && areNear(points.difference, 0.005));
        QVERIFY(std::isnan(differenceOfValues(&Summary::finalLoss, {0.0}, {1.0}).difference));
        QVERIFY(std::isnan(differenceOfValues(&Summary::finalLoss, {NotMeasured}, {1.0}).difference));
    }

    /// Two single runs that took turns: as the comparison of results has them.
    void singleRunsInTurnsAreComparedByRounds()
    {
        auto baseline = runsWith(&Summary::msPerStep, {10.0});
        auto runs = runsWith(&Summary::msPerStep, {99.0}); // what a pause in between would do to the mean
        for (std::int64_t round = 0; round < 12; ++round) {
            const double ms = 10.0 + 0.1 * static_cast<double>(round % 3);
            const std::int64_t at = round * 1'000;
            baseline.front().blocks.push_back({round, at, at + 400, 10, ms, 640.0 / ms});
            runs.front().blocks.push_back({round, at + 500, at + 900, 10, 1.2 * ms, 640.0 / (1.2 * ms)});
        }
        const FigureDifference time
            = differenceOf(figureOf(&Summary::msPerStep), pointersTo(baseline), pointersTo(runs));
        QVERIFY(time.isPaired && areNear(time.difference, 0.2));
        QCOMPARE(time.n, std::size_t{12});
        const RelativeDifference rounds
            = differenceOfRounds(logRatios(baseline.front(), runs.front(), &MeasuredBlock::msPerStep));
        QCOMPARE(time.low, rounds.low);
        QCOMPARE(time.high, rounds.high);
        // Blocks have no loss.
        runs.front().summary.finalLoss = 0.2;
        QVERIFY(areNear(
            differenceOf(figureOf(&Summary::finalLoss), pointersTo(baseline), pointersTo(runs)).difference, 1.0));
    }
};

LOCKSTEP_TEST(TestRunFigures)
#include "test_run_figures.moc"
