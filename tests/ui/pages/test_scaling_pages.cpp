// The pages of scaling, drawn from real runs in build/screenshots: their numbers are the store's.
#include "analysis/scaling/scaling.h"
#include "program/window_test.h"
#include "ui/pages/pages_fixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr std::array Charts{u"speed-up", u"efficiency", u"throughput", u"split", u"target"};
constexpr int ScalingRuns = 14;

} // namespace

class TestScalingPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pages_data();
    void pages();

private:
    void checkNumbers(ui::MainWindow& window) const;
    static void checkPredictions(const ui::ChartSpec& speedUp);
    static void checkReach(ui::MainWindow& window);

    Pages m_pages;
};

namespace {

double geometric(double a, double b)
{
    return std::sqrt(a * b);
}

bool isPrediction(const ui::SeriesSpec& series)
{
    return series.style == ui::SeriesStyle::DashedLine || series.style == ui::SeriesStyle::DottedLine;
}

/// Of the two curves; the ideal comes last.
std::vector<ui::SeriesSpec> measuredOf(const ui::ChartSpec& chart)
{
    std::vector<ui::SeriesSpec> measured;
    std::ranges::copy_if(chart.series, std::back_inserter(measured), std::not_fn(isPrediction));
    return measured;
}

/// Here and with a core each, of a curve whose training the measured link explains: of none, one or both.
std::vector<ui::SeriesSpec> predictionsOf(const ui::ChartSpec& chart)
{
    std::vector<ui::SeriesSpec> predictions;
    std::ranges::copy_if(chart.series, std::back_inserter(predictions), isPrediction);
    return predictions;
}

} // namespace

void TestScalingPages::initTestCase()
{
    if (!Pages::canRun()) {
        QSKIP("there is no lockstep-rank");
    }
    m_pages.run("scaling", ScalingRuns, [](experiment::Spec& spec) {
        spec.repeats = 2;
        spec.base["dataset.train_samples"] = std::int64_t{2048}; // more steps than the warm-up on every number of ranks
        spec.base["dataset.test_samples"] = std::int64_t{200};
        spec.base["train.epochs"] = std::int64_t{1};
        std::erase_if(spec.variants, [](const experiment::Variant& variant) {
            return variant.name == "8" || variant.name == "8-weak" || variant.name == "link-8";
        });
    });
}

void TestScalingPages::pages_data()
{
    Pages::addLooks();
}

void TestScalingPages::pages()
{
    const auto window = m_pages.open();
    QVERIFY(window != nullptr);
    for (const char16_t* id : Charts) {
        m_pages.save(*window, "scaling", *ui::findChart(id));
    }
    checkNumbers(*window);
}

void TestScalingPages::checkNumbers(ui::MainWindow& window) const
{
    const auto store = store::RunStore::open(m_pages.store());
    QVERIFY(store.isOk());
    std::map<std::pair<std::string, int>, analysis::RunRecord> records;
    for (const ui::RunFeed* feed : window.controller().feeds()) {
        const auto record = store.value()->load(feed->id());
        QVERIFY(record.isOk());
        records[{record->spec.name, record->spec.repeat}] = *record;
    }
    const ui::ChartSpec speedUp = Pages::chartOf(window, *ui::findChart(u"speed-up"));
    const ui::ChartSpec efficiency = Pages::chartOf(window, *ui::findChart(u"efficiency"));
    const ui::ChartSpec throughput = Pages::chartOf(window, *ui::findChart(u"throughput"));
    const ui::ChartSpec split = Pages::chartOf(window, *ui::findChart(u"split"));
    const auto speedUps = measuredOf(speedUp);
    const auto efficiencies = measuredOf(efficiency);
    const auto throughputs = measuredOf(throughput);
    QCOMPARE(speedUps.size(), std::size_t{3});
    QCOMPARE(speedUp.series.back().x, speedUp.series.back().y);
    QVERIFY(std::ranges::all_of(efficiency.series.back().y, [](double percent) { return percent == 100.0; }));
    QCOMPARE(split.x.categories.size(), std::size_t{6});
    for (std::size_t curve = 0; curve < 2; ++curve) {
        std::size_t place = 0;
        for (const std::string name : {"single", "2", "4"}) {
            const std::string variant = place > 0 && curve == 1 ? name + "-weak" : name;
            const std::array of{records.at({variant, 0}).summary, records.at({variant, 1}).summary};
            const std::array single{records.at({"single", 0}).summary, records.at({"single", 1}).summary};
            const double ranks = place == 0 ? 1.0 : place == 1 ? 2.0 : 4.0;
            const double wanted = geometric(of[0].samplesPerSecondTypical / single[0].samplesPerSecondTypical,
                of[1].samplesPerSecondTypical / single[1].samplesPerSecondTypical);
            const ui::SeriesSpec& points = speedUps[curve];
            QCOMPARE(points.x[place], ranks);
            QVERIFY(std::abs(points.y[place] - wanted) < 1e-12 * wanted);
            QVERIFY(std::abs(efficiencies[curve].y[place] - 100.0 * wanted / ranks) < 1e-9);
            const double samples = geometric(of[0].samplesPerSecondTypical, of[1].samplesPerSecondTypical);
            QVERIFY(std::abs(throughputs[curve].y[place] - samples) < 1e-9 * samples);
            double bar = 0.0;
            for (const ui::SeriesSpec& part : split.series) {
                bar += part.y[curve * 3 + place];
            }
            QVERIFY(std::abs(bar - geometric(of[0].msPerStepTypical, of[1].msPerStepTypical)) < 1e-9);
            const double commMs = geometric(of[0].commMsPerStepTypical, of[1].commMsPerStepTypical);
            QVERIFY(std::abs(split.series[1].y[curve * 3 + place] - commMs) < 1e-12);
            ++place;
        }
    }
    checkPredictions(speedUp);
    checkReach(window);
}

void TestScalingPages::checkPredictions(const ui::ChartSpec& speedUp)
{
    // A prediction is drawn as one, says so, and reaches beyond what was measured.
    const auto predictions = predictionsOf(speedUp);
    QVERIFY(predictions.empty() || predictions.size() == 2 || predictions.size() == 4);
    const auto says = [](const QString& text, const char16_t* english, const char16_t* chinese) {
        return text.contains(QStringView(english)) || text.contains(QStringView(chinese));
    };
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        const QString& name = predictions[i].name;
        QVERIFY2(says(name, u"predicted", u"预测"), qPrintable(name));
        if (i % 2 == 1) {
            QCOMPARE(predictions[i].style, ui::SeriesStyle::DottedLine);
            // Its link was measured in shared memory, and does not carry beyond the machine.
            QVERIFY2(says(name, u"on one machine", u"单机"), qPrintable(name));
        }
    }
    QVERIFY2(predictions.empty() || says(speedUp.note, u"in this machine's shared memory", u"本机共享内存"),
        qPrintable(speedUp.note));
}

/// Where it can be read: the measured 1 to 4 ranks fill the chart, unless all that is predicted is asked for.
void TestScalingPages::checkReach(ui::MainWindow& window)
{
    ui::ChartModel model(*ui::findChart(u"speed-up"));
    model.setFeeds(window.controller().feeds());
    const auto reaches = [&model](double ranks) {
        const ui::ChartSpec chart = model.fullChart();
        const auto predictions = predictionsOf(chart);
        return chart.series.back().x.back() == ranks && (predictions.empty() || predictions[1].x.back() == ranks);
    };
    QVERIFY(reaches(8.0));
    ui::ChartOptions options = model.options();
    options.choice = model.choices().back().value;
    model.setOptions(options);
    QVERIFY(reaches(1024.0));
}

LOCKSTEP_WINDOW_TEST(TestScalingPages)
#include "test_scaling_pages.moc"
