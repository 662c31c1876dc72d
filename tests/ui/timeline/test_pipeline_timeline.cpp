// A pipeline's timeline by micro-batch: its bubble is that of the plan and of analysis, colours and numbers are drawn,
// what is exported is what is shown.
#include "plan/pipeline/parts.h"
#include "program/window_test.h"
#include "ui/models/feeds/pipeline_steps.h"
#include "ui/models/number_text.h"
#include "ui/models/pipeline_run.h"
#include "ui/models/ring_run.h"
#include "ui/models/sample_runs.h"
#include "ui/shell/window_checks.h"
#include "ui/theme/settings.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_scene.h"
#include "ui/timeline/timeline_view.h"

#include <QComboBox>
#include <QPainter>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lockstep;
using test::PipelineRun;
using test::ScriptedSource;
using ui::TimelineColours;
using ui::TimelineWindow;

namespace {

struct FedPipeline {
    explicit FedPipeline(const analysis::RunRecord& record)
        : deltas(std::make_shared<std::deque<store::DeltaPtr>>())
        , feed(record, std::make_unique<ScriptedSource>(deltas))
    { }
    void give(store::Delta delta)
    {
        deltas->push_back(std::make_shared<store::Delta>(std::move(delta)));
        feed.pull();
    }

    std::shared_ptr<std::deque<store::DeltaPtr>> deltas;
    ui::RunFeed feed;
};

void giveSteps(FedPipeline& fed, PipelineRun& run, int count)
{
    fed.give(run.hello());
    for (int i = 0; i < count; ++i) {
        fed.give(run.step());
    }
}

QImage drawn(const ui::RunFeed& feed, const ui::TimelineScene& scene, const ui::TimelineStyle& style)
{
    QImage image(900, 320, QImage::Format_RGB32);
    QPainter painter(&image);
    ui::paintTimeline(painter, QRectF(image.rect()), feed.timeline(), scene, style);
    return image;
}

} // namespace

class TestPipelineTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QSettings().clear();
    }
    // The offscreen platform warns whenever a window with a least size is shown.
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }

    void theBubbleIsThatOfThePlan_data();
    void theBubbleIsThatOfThePlan();
    void itIsAnalysisFigure();
    void onlyWholeStepsCount();
    void aWindowHasItsSteps();
    void otherRunsHaveNone();
    void passesHaveTheirColours();
    void manyMicroBatches();
    void theMouseReadsMicroBatches();
    void coloursAreChosenAndRemembered();
    void goesToPaperAsShown();

private:
    QTemporaryDir m_settings;
};

void TestPipelineTimeline::theBubbleIsThatOfThePlan_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("formula");
    QTest::newRow("fill-drain") << QStringLiteral(R"("pipeline.schedule":"gpipe","pipeline.stages":4)")
                                << QStringLiteral("42.9 % by (p−1)/(m+p−1) with p = 4, m = 4");
    QTest::newRow("1f1b") << QStringLiteral(R"("pipeline.stages":2,"pipeline.microbatches":8)")
                          << QStringLiteral("11.1 % by (p−1)/(m+p−1) with p = 2, m = 8");
    QTest::newRow("interleaved") << QStringLiteral(
        R"("pipeline.schedule":"interleaved","pipeline.virtual":3,"pipeline.microbatches":4)")
                                 << QStringLiteral("7.7 % by (p−1)/(v·m+p−1) with p = 2, m = 4, v = 3");
}

void TestPipelineTimeline::theBubbleIsThatOfThePlan()
{
    QFETCH(QString, settings);
    PipelineRun run(settings.toStdString());
    FedPipeline fed(run.record());
    giveSteps(fed, run, 15);
    const double ideal = plan::idealBubble(run.shape());
    const TimelineWindow whole = fed.feed.timeline().whole();
    const auto steps = ui::pipelineSteps(fed.feed.timeline(), whole, run.shape().stages);
    QCOMPARE(steps.size(), std::size_t(15)); // the update of the last one has begun
    QVERIFY(std::abs(ui::bubbleOf(steps, run.shape().stages) - ideal) < 1e-12);
    const QStringList texts = ui::bubbleTexts(fed.feed, steps, whole);
    QCOMPARE(texts.size(), 3);
    QVERIFY2(
        texts[0].contains(ui::percentText(ideal) + QStringLiteral(" % measured over the run")), qPrintable(texts[0]));
    QVERIFY2(texts[1].startsWith(ui::percentText(ideal) + QStringLiteral(" % in the 15 ")), qPrintable(texts[1]));
    QTEST(texts[2], "formula");
}

/// Steps differ, and still their spans agree with the stored summary.
void TestPipelineTimeline::itIsAnalysisFigure()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    fed.give(run.hello());
    for (int i = 1; i <= 30; ++i) {
        fed.give(run.step(1 + i % 4));
    }
    auto steps = ui::pipelineSteps(fed.feed.timeline(), fed.feed.timeline().whole(), 2);
    std::erase_if(
        steps, [](const ui::PipelineStep& step) { return step.step <= analysis::WarmUpSteps || step.step == 30; });
    QCOMPARE(steps.size(), std::size_t(19));
    const double measured = fed.feed.record().summary.bubbleFraction;
    QVERIFY(measured > plan::idealBubble(run.shape()) + 0.01);
    QVERIFY(std::abs(ui::bubbleOf(steps, 2) - measured) < 1e-12);
}

void TestPipelineTimeline::onlyWholeStepsCount()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 3);
    store::Delta lossy = run.step();
    auto& [rank, spans] = lossy.spans.back();
    spans.rows.erase(spans.rows.begin() + 1);
    fed.give(std::move(lossy)); // step 4 has lost a pass
    store::Delta early = run.step();
    early.spans.pop_back();
    fed.give(std::move(early)); // step 5 has not come to the second rank
    const auto steps = ui::pipelineSteps(fed.feed.timeline(), fed.feed.timeline().whole(), 2);
    QCOMPARE(steps.size(), std::size_t(3));
    QCOMPARE(steps.back().step, 3);
    QVERIFY(ui::stepBubbleText(steps, 4, 2).isEmpty());
    QVERIFY(ui::stepBubbleText(steps, 3, 2).contains(QStringLiteral("20.0 %")));
}

/// A step that reaches into the window is shaded with all its passes; what is said counts those that are whole in it.
void TestPipelineTimeline::aWindowHasItsSteps()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 12);
    const auto all = ui::pipelineSteps(fed.feed.timeline(), fed.feed.timeline().whole(), 2);
    const TimelineWindow window{all[3].passes.lastNs - 50'000, all[7].passes.firstNs + 50'000};
    const auto steps = ui::pipelineSteps(fed.feed.timeline(), window, 2);
    QCOMPARE(steps.size(), std::size_t(5));
    QCOMPARE(steps.front().step, 4);
    QCOMPARE(steps.front().passes.firstNs, all[3].passes.firstNs);
    QCOMPARE(steps.front().passes.busyNs, all[3].passes.busyNs);
    QVERIFY(ui::bubbleTexts(fed.feed, steps, window)[1].contains(QStringLiteral("the 3 ")));
    const TimelineWindow inside{all[5].passes.firstNs + 1000, all[5].passes.firstNs + 2000};
    const auto one = ui::pipelineSteps(fed.feed.timeline(), inside, 2);
    QCOMPARE(one.size(), std::size_t(1));
    QVERIFY(ui::bubbleTexts(fed.feed, one, inside)[1].contains(QStringLiteral("the 1 ")));
}

void TestPipelineTimeline::otherRunsHaveNone()
{
    test::RingRun ring(2);
    FedPipeline fed(ring.record());
    fed.give(ring.hello());
    for (int i = 0; i < 20; ++i) {
        fed.give(ring.step(false));
    }
    const ui::TimelineScene scene
        = ui::timelineScene(fed.feed, fed.feed.timeline().whole(), TimelineColours::MicroBatch);
    QCOMPARE(scene.colours, TimelineColours::Phase);
    QVERIFY(scene.steps.empty() && scene.bubble.isEmpty());
}

void TestPipelineTimeline::passesHaveTheirColours()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 12);
    const ui::TimelineModel& model = fed.feed.timeline();
    const auto all = ui::pipelineSteps(model, model.whole(), 2);
    const TimelineWindow window{all[4].passes.firstNs, all[5].passes.lastNs};
    const ui::TimelineScene scene = ui::timelineScene(fed.feed, window, TimelineColours::MicroBatch);
    for (const ui::ChartTheme& theme : {ui::lightTheme(), ui::darkTheme()}) {
        const ui::TimelineStyle style{theme, QFont(), 1.0, 1.0};
        const QImage image = drawn(fed.feed, scene, style);
        const ui::TimelineLayout layout(QRectF(image.rect()), model, scene, style);
        for (std::size_t lane = 0; lane < 2; ++lane) {
            const QRectF bar = layout.laneRect(lane);
            const auto y = static_cast<int>(bar.top() + 3.0); // over the numbers
            for (const ui::TimelineSpan& span : model.passesIn(lane, window, 0)) {
                const int x = static_cast<int>(layout.xOf(span.startNs + span.durationNs / 2));
                QCOMPARE(image.pixelColor(x, y), ui::microBatchColor(span.microBatch, span.phase));
            }
        }
        // The second stage waits for its first micro-batch: hatched, so neither the ground nor a pass.
        const QRectF bar = layout.laneRect(1);
        const int left = static_cast<int>(layout.xOf(all[4].passes.firstNs)) + 2;
        QSet<QRgb> shades;
        for (int x = left; x < left + 12; ++x) {
            shades.insert(image.pixel(x, static_cast<int>(bar.center().y())));
        }
        QVERIFY(shades.size() > 2);
        QVERIFY(!shades.contains(theme.background.rgb()));
    }
}

/// Neighbours differ in grey too, and forward is always lighter than backward.
void TestPipelineTimeline::manyMicroBatches()
{
    for (int i = 0; i < 64; ++i) {
        for (const Phase pass : {Phase::Forward, Phase::Backward}) {
            const QColor one = ui::microBatchColor(i, pass);
            const QColor next = ui::microBatchColor(i + 1, pass);
            QVERIFY(std::abs(qGray(one.rgb()) - qGray(next.rgb())) >= 16);
        }
        QVERIFY(qGray(ui::microBatchColor(i, Phase::Forward).rgb())
            > qGray(ui::microBatchColor(i + 1, Phase::Backward).rgb()) + 80);
    }
    PipelineRun run(R"("pipeline.microbatches":64,"train.batch":128)");
    FedPipeline fed(run.record());
    giveSteps(fed, run, 3);
    QCOMPARE(fed.feed.timeline().microBatches(), 64);
    const ui::TimelineScene scene
        = ui::timelineScene(fed.feed, fed.feed.timeline().whole(), TimelineColours::MicroBatch);
    const ui::TimelineStyle style{ui::lightTheme(), QFont(), 1.0, 1.0};
    const ui::TimelineLayout layout(QRectF(0, 0, 700, 300), fed.feed.timeline(), scene, style);
    QVERIFY(layout.legendRows() <= 3);
    for (const ui::LegendEntry& entry : layout.legend()) {
        QVERIFY(entry.x < 700.0);
    }
}

void TestPipelineTimeline::theMouseReadsMicroBatches()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 12);
    ui::TimelineView view;
    view.setColours(TimelineColours::MicroBatch);
    view.resize(900, 320);
    view.setFeed(&fed.feed);
    const ui::TimelineSpan span = fed.feed.timeline().passesIn(1, fed.feed.timeline().whole(), 0)[10];
    view.setShownWindow({span.startNs - 1000, span.endNs() + 1000});
    const ui::TimelineStyle style{ui::lightTheme(), view.font(), 1.0, 1.0};
    const ui::TimelineLayout layout(QRectF(view.rect()), fed.feed.timeline(), view.scene(), style);
    const QStringList lines
        = view.readOut({layout.xOf(span.startNs + span.durationNs / 2), layout.laneRect(1).center().y()});
    QVERIFY2(lines[0].contains(QStringLiteral("micro-batch %1").arg(span.microBatch + 1)), qPrintable(lines[0]));
    QVERIFY(lines[3].contains(ui::nanosecondsText(span.durationNs)));
    QVERIFY(lines.back().contains(QStringLiteral("20.0 %")));
}

void TestPipelineTimeline::coloursAreChosenAndRemembered()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 12);
    test::RingRun ring(2);
    FedPipeline other(ring.record());
    other.give(ring.hello());
    other.give(ring.step(false));
    {
        ui::TimelinePanel panel;
        panel.resize(800, 320);
        panel.show();
        auto* colours = panel.findChild<QComboBox*>(QStringLiteral("colours"));
        QVERIFY(colours != nullptr && !colours->isVisible());
        panel.setFeeds({&other.feed});
        QVERIFY(!colours->isVisible());
        panel.setFeeds({&fed.feed});
        QVERIFY(colours->isVisible());
        QVERIFY(!colours->accessibleName().isEmpty() && !colours->accessibleDescription().isEmpty());
        panel.resize(510, 320); // as in a window of 1024 pixels
        QTest::qWait(20);
        const QStringList cut = tests::cutOf(panel);
        QVERIFY2(panel.width() == 510 && cut.isEmpty(),
            qPrintable(QString::number(panel.width()) + u'\n' + cut.join(u'\n')));
        panel.resize(800, 320);
        QCOMPARE(panel.view().scene().colours, TimelineColours::MicroBatch);
        const QImage byMicroBatch = panel.view().grab().toImage();
        colours->setFocus();
        QTest::keyClick(colours, Qt::Key_Down);
        QCOMPARE(panel.view().scene().colours, TimelineColours::Phase);
        QVERIFY(panel.view().scene().bubble.isEmpty());
        QVERIFY(panel.view().grab().toImage() != byMicroBatch);
    }
    ui::TimelinePanel panel;
    panel.setFeeds({&fed.feed});
    QCOMPARE(panel.view().scene().colours, TimelineColours::Phase);
    ui::settings::timelineByMicroBatch.write(true);
}

void TestPipelineTimeline::goesToPaperAsShown()
{
    PipelineRun run;
    FedPipeline fed(run.record());
    giveSteps(fed, run, 12);
    const TimelineWindow window = fed.feed.timeline().newest(3);
    const ui::Drawing byMicroBatch
        = ui::timelineDrawing(fed.feed, ui::timelineScene(fed.feed, window, TimelineColours::MicroBatch));
    const ui::Drawing byPhase
        = ui::timelineDrawing(fed.feed, ui::timelineScene(fed.feed, window, TimelineColours::Phase));
    const QImage image = ui::renderImage(byMicroBatch, {}, 96);
    const auto has = [](const QImage& picture, const QColor& color) {
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixelColor(x, y) == color) {
                    return true;
                }
            }
        }
        return false;
    };
    for (int i = 0; i < 4; ++i) {
        QVERIFY(has(image, ui::microBatchColor(i, Phase::Forward)));
        QVERIFY(has(image, ui::microBatchColor(i, Phase::Backward)));
    }
    QVERIFY(!has(ui::renderImage(byPhase, {}, 96), ui::microBatchColor(0, Phase::Backward)));
    ui::PaperOptions grey;
    grey.colors = ui::PaperOptions::Colors::Grey;
    QVERIFY(ui::renderImage(byMicroBatch, grey, 96).allGray());
    const auto csv = ui::render(byMicroBatch, ui::PaperFormat::Csv, {});
    QVERIFY(csv.isOk());
    int passes = 0;
    for (const QByteArray& line : csv->trimmed().split('\n')) {
        const QList<QByteArray> cells = line.split(',');
        passes += cells[4] == "forward" && cells[5].toInt() >= 1 && cells[5].toInt() <= 4 ? 1 : 0;
        QVERIFY(cells[4] != "wait" || cells[5].isEmpty());
    }
    QCOMPARE(passes, 3 * 4 * 2);
}

LOCKSTEP_WINDOW_TEST(TestPipelineTimeline)
#include "test_pipeline_timeline.moc"
