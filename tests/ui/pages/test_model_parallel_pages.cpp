// The pages of a net that is split over ranks, drawn from real runs in build/screenshots: their numbers are the
// store's.
#include "analysis/statistics/statistics.h"
#include "plan/pipeline/parts.h"
#include "program/window_test.h"
#include "ui/models/feeds/pipeline_steps.h"
#include "ui/models/form/titles.h"
#include "ui/models/number_text.h"
#include "ui/net/net_panel.h"
#include "ui/net/net_view.h"
#include "ui/net/rank_map_panel.h"
#include "ui/net/rank_map_view.h"
#include "ui/pages/pages_fixture.h"
#include "ui/pages/runs/gallery.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>
#include <array>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int PageRuns = 8;
constexpr std::int64_t TrainedSteps = 42; ///< 2 epochs of 21 batches

void chooseModel(ui::MainWindow& window)
{
    const auto names = experiment::presetNames();
    const auto at = std::find(names.begin(), names.end(), "model-parallel");
    window.findChild<ui::Gallery*>()->choose(static_cast<int>(at - names.begin()));
}

} // namespace

class TestModelParallelPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pages_data() { Pages::addLooks(); }
    void pages();
    void theNetBeforeTheFirstRun_data() { Pages::addLooks(); }
    void theNetBeforeTheFirstRun();
    void aGridIsChosen_data() { Pages::addLooks(); }
    void aGridIsChosen();

private:
    void checkBubble(ui::MainWindow& window, const ui::RunFeed& feed) const;
    void checkThroughput(ui::MainWindow& window) const;
    void checkTraffic(ui::MainWindow& window) const;

    Pages m_pages;
};

void TestModelParallelPages::initTestCase()
{
    if (!Pages::canRun()) {
        QSKIP("there is no lockstep-rank");
    }
    m_pages.run("model-parallel", PageRuns, [](experiment::Spec& spec) {
        spec.repeats = 2;
        spec.base["dataset.train_samples"] = std::int64_t{2688};
        spec.base["dataset.test_samples"] = std::int64_t{200};
        spec.base["train.epochs"] = std::int64_t{2};
        std::erase_if(spec.variants, [](const experiment::Variant& variant) {
            return variant.name != "single" && variant.name != "data" && variant.name != "p2p"
                && variant.name != "tensor";
        });
        // The timeline shows the newest run: a pipeline's.
        std::ranges::rotate(spec.variants, std::ranges::find(spec.variants, "tensor", &experiment::Variant::name));
    });
}

void TestModelParallelPages::pages()
{
    const auto window = m_pages.open();
    QVERIFY(window != nullptr);
    // The run that the timeline shows until another is chosen.
    const ui::RunFeed* feed = window->controller().feeds().back();
    QCOMPARE(feed->record().spec.name, std::string("p2p"));
    m_pages.save(*window, "model-parallel", *ui::findChart(u"loss"));
    m_pages.save(*window, "model-parallel", *ui::findChart(u"throughput"));
    m_pages.save(*window, "model-parallel", *ui::findChart(u"traffic"));
    m_pages.save(*window, "model-parallel", *ui::findChart(u"memory"));
    const int timeline = window->tabs().indexOf(&window->tabs().timeline());
    ui::TimelineView& view = window->tabs().timeline().view();
    window->tabs().setCurrentIndex(timeline);
    const ui::TimelineModel& model = feed->timeline();
    const auto steps = ui::pipelineSteps(model, model.whole(), 2);
    QVERIFY(steps.size() > 30);
    const ui::PipelineStep& late = steps[30];
    view.setShownWindow({late.passes.firstNs - 300'000, steps[32].passes.lastNs + 300'000});
    m_pages.save(*window, timeline, QStringLiteral("model-parallel-timeline"));
    view.setShownWindow({steps[2].passes.firstNs, steps[20].passes.lastNs});
    m_pages.save(*window, timeline, QStringLiteral("model-parallel-timeline-far"));
    checkBubble(*window, *feed);
    checkThroughput(*window);
    checkTraffic(*window);
    chooseModel(*window); // its own runs are shown from now on
    m_pages.save(*window, window->tabs().indexOf(&window->tabs().net()), QStringLiteral("model-parallel-net"));
}

/// The number over the lanes is the store's; spans of the same steps give it as well, up to the last digits.
void TestModelParallelPages::checkBubble(ui::MainWindow& window, const ui::RunFeed& feed) const
{
    const auto store = store::RunStore::open(m_pages.store());
    QVERIFY(store.isOk());
    const auto record = store.value()->load(feed.id());
    QVERIFY(record.isOk());
    const double stored = record->summary.bubbleFraction;
    QVERIFY(stored > 0.0 && stored < 1.0);
    QCOMPARE(record->summary.steps, TrainedSteps);
    auto counted = ui::pipelineSteps(feed.timeline(), feed.timeline().whole(), 2);
    QCOMPARE(counted.size(), std::size_t{TrainedSteps});
    std::erase_if(counted,
        [](const ui::PipelineStep& step) { return step.step <= analysis::WarmUpSteps || step.step == TrainedSteps; });
    QVERIFY(std::abs(ui::bubbleOf(counted, 2) - stored) < 1e-12);
    const QStringList texts = window.tabs().timeline().view().scene().bubble;
    QCOMPARE(texts.size(), 3);
    QVERIFY2(texts[0].contains(ui::percentText(stored) + QStringLiteral(" %")), qPrintable(texts[0]));
    QVERIFY2(texts[2].contains(QStringLiteral("20.0 %")), qPrintable(texts[2])); // 1 / (4 + 1)
    QVERIFY2(
        texts[2].contains(QStringLiteral("p = 2")) && texts[2].contains(QStringLiteral("m = 4")), qPrintable(texts[2]));
}

void TestModelParallelPages::checkThroughput(ui::MainWindow& window) const
{
    const auto store = store::RunStore::open(m_pages.store());
    QVERIFY(store.isOk());
    const ui::ChartSpec chart = Pages::chartOf(window, *ui::findChart(u"throughput"));
    QCOMPARE(chart.x.categories.size(), std::size_t{4});
    const std::vector<std::string> variants{"tensor", "single", "data", "p2p"};
    for (std::size_t i = 0; i < variants.size(); ++i) {
        std::vector<double> rates;
        for (const ui::RunFeed* feed : window.controller().feeds()) {
            if (feed->record().spec.name == variants[i]) {
                const auto record = store.value()->load(feed->id());
                QVERIFY(record.isOk());
                rates.push_back(record->summary.samplesPerSecondTypical);
                QCOMPARE(chart.series[i].color.isValid(), true);
            }
        }
        QCOMPARE(rates.size(), std::size_t{2});
        const double mean = std::sqrt(rates[0] * rates[1]);
        QVERIFY(chart.x.categories[i].startsWith(
            ui::variantTitle(experiment::RunSpec{"model-parallel", variants[i], 0, {}})));
        QVERIFY(std::abs(chart.series[i].y[i] - mean) < 1e-9 * mean);
        QVERIFY(chart.series[i].high[i] > mean);
    }
}

/// A bar for each way to divide the net, in kB: sums within layers, gradients, activations, as the store has them.
void TestModelParallelPages::checkTraffic(ui::MainWindow& window) const
{
    const auto store = store::RunStore::open(m_pages.store());
    QVERIFY(store.isOk());
    const ui::ChartSpec chart = Pages::chartOf(window, *ui::findChart(u"traffic"));
    const std::vector<std::string> variants{"tensor", "data", "p2p"};
    const std::array of{TrafficKind::LayerSums, TrafficKind::Gradients, TrafficKind::Activations};
    QCOMPARE(chart.x.categories.size(), variants.size());
    QCOMPARE(chart.series.size(), TrafficKindCount);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        QVERIFY(chart.x.categories[i].startsWith(
            ui::variantTitle(experiment::RunSpec{"model-parallel", variants[i], 0, {}})));
        std::vector<double> sent;
        for (const ui::RunFeed* feed : window.controller().feeds()) {
            if (feed->record().spec.name == variants[i]) {
                sent.push_back(store.value()->load(feed->id())->summary.bytesPerStep);
            }
        }
        QCOMPARE(sent.size(), std::size_t{2});
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            const bool isIt = static_cast<TrafficKind>(kind) == of[i];
            const double wanted = isIt ? (sent[0] + sent[1]) / 2.0 / 1e3 : 0.0;
            QVERIFY(std::abs(chart.series[kind].y[i] - wanted) <= 1e-9 * wanted);
        }
        QVERIFY(sent[0] > 0.0);
    }
}

void TestModelParallelPages::theNetBeforeTheFirstRun()
{
    QFETCH(bool, isChinese);
    QFETCH(bool, isDark);
    ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
    ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
    QTemporaryDir empty;
    const auto window = openWindow(empty.path(), {1024, 640});
    chooseModel(*window);
    window->form().setText("net.name", QStringLiteral("cnn"));
    QCOMPARE(window->tabs().currentWidget(), static_cast<QWidget*>(&window->tabs().net()));
    QVERIFY(window->tabs().net().isVisible());
    m_pages.save(*window, window->tabs().indexOf(&window->tabs().net()), QStringLiteral("net-cnn"));
    window->form().setText("pipeline.schedule", QStringLiteral("interleaved"));
    window->form().setText("pipeline.cut", QStringLiteral("1,1,1,1"));
    m_pages.save(*window, window->tabs().indexOf(&window->tabs().net()), QStringLiteral("net-interleaved"));
    window->form().setText("net.name", QStringLiteral("deep-mlp"));
    window->form().setText("net.depth", QStringLiteral("64"));
    window->form().setText("pipeline.cut", {});
    m_pages.save(*window, window->tabs().indexOf(&window->tabs().net()), QStringLiteral("net-deep"));
    window->form().setText("pipeline.cut", QStringLiteral("3,5"));
    m_pages.save(*window, window->tabs().indexOf(&window->tabs().net()), QStringLiteral("net-wrong"));
    window->findChild<ui::Gallery*>()->choose(0);
    QVERIFY(!window->tabs().net().isVisible());
}

/// The form's variant is enough: nothing is run.
void TestModelParallelPages::aGridIsChosen()
{
    QFETCH(bool, isChinese);
    QFETCH(bool, isDark);
    ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
    ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
    QTemporaryDir empty;
    const auto window = openWindow(empty.path(), {1024, 640});
    chooseModel(*window);
    auto spec = *experiment::preset("model-parallel");
    spec.variants = {{"grid", {{"strategy.name", std::string("grid")}, {"grid.tensor", std::int64_t{2}}}}};
    window->form().setSpec(spec);
    const int net = window->tabs().indexOf(&window->tabs().net());
    ui::RankMapView& map = window->tabs().net().ranks().view();
    m_pages.save(*window, net, QStringLiteral("grid-2x2x2"));
    QCOMPARE(map.map().shape.ranks(), 8);
    QTest::mouseMove(&map, map.rankRect(5).center().toPoint());
    QTRY_COMPARE(map.current(), 5);
    m_pages.save(*window, net, QStringLiteral("grid-2x2x2-rank"));
    window->form().setText("net.depth", QStringLiteral("64"));
    const auto shape = [&](int data, int pipeline, int tensor) {
        window->form().setText("grid.data", QString::number(data));
        window->form().setText("grid.pipeline", QString::number(pipeline));
        window->form().setTextOf("grid", "grid.tensor", QString::number(tensor));
        m_pages.save(*window, net, QStringLiteral("grid-%1x%2x%3").arg(data).arg(pipeline).arg(tensor));
    };
    shape(4, 4, 4);
    shape(64, 1, 1);
    shape(2, 32, 1);
    shape(16, 2, 2);
    shape(4, 32, 1);
}

LOCKSTEP_WINDOW_TEST(TestModelParallelPages)
#include "test_model_parallel_pages.moc"
