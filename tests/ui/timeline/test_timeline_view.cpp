// The timeline and the ring as widgets: what they say, how they are steered, what a frame of a million spans costs.
#include "program/window_test.h"
#include "store/account/delta.h"
#include "ui/models/ring_run.h"
#include "ui/models/sample_runs.h"
#include "ui/ring/ring_panel.h"
#include "ui/ring/ring_view.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_axis.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace lockstep;
using test::RingRun;
using test::ScriptedSource;
using ui::TimelineView;
using ui::TimelineWindow;

namespace {

/// A feed with a hand that feeds it.
struct FedTimeline {
    explicit FedTimeline(const RingRun& run, int number = 0)
        : deltas(std::make_shared<std::deque<store::DeltaPtr>>())
        , feed(run.record(number), std::make_unique<ScriptedSource>(deltas))
    {
        give(run.hello());
    }
    void give(store::Delta delta)
    {
        deltas->push_back(std::make_shared<store::Delta>(std::move(delta)));
        feed.pull();
    }

    std::shared_ptr<std::deque<store::DeltaPtr>> deltas;
    ui::RunFeed feed;
};

void turnWheel(TimelineView& view, const QPointF& place, int notches)
{
    QWheelEvent event(
        place, view.mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &event);
}

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void saysByHowMuchTheClocksOfHostsDiffer()
    {
        RingRun run(2);
        FedTimeline fed(run);
        ui::TimelinePanel timeline;
        ui::RingPanel ring;
        timeline.setFeeds({&fed.feed});
        QVERIFY(ring.setFeeds({&fed.feed}));
        for (const QWidget* panel : std::initializer_list<QWidget*>{&timeline, &ring}) {
            QVERIFY(panel->findChild<QLabel*>(QStringLiteral("hostClocks"))->isHidden()); // one host
        }
        store::Delta delta = run.hello();
        delta.hellos.at(1).what.host = "n2 <b>";
        delta.clocks.push_back({0, {{0}, 1, 0, 0, 0}});
        delta.clocks.push_back({1, {{1}, 12'000'000'000, -11'000'300'000, 31'000, 50}});
        fed.give(delta);
        for (const QWidget* panel : std::initializer_list<QWidget*>{&timeline, &ring}) {
            const auto* note = panel->findChild<QLabel*>(QStringLiteral("hostClocks"));
            QVERIFY(!note->isHidden());
            QCOMPARE(note->text(), QStringLiteral("Clocks: n2 <b> +11.0003 s \u00b1 0.04 ms")); // rounded up
            QVERIFY2(note->toolTip().contains(QStringLiteral("less than 0.04 ms apart")), qPrintable(note->toolTip()));
        }
        store::Delta later;
        later.clocks.push_back({1, {{1}, 13'000'000'000, 250'000, 31'000, 50}});
        fed.give(later);
        const QString text = timeline.findChild<QLabel*>(QStringLiteral("hostClocks"))->text();
        QVERIFY2(text.startsWith(QStringLiteral("Clocks: n2 <b> \u22120.250 ms")), qPrintable(text));
    }

    void followsUntilTouched()
    {
        RingRun run(4);
        FedTimeline fed(run);
        TimelineView view;
        view.resize(800, 300);
        view.show();
        view.setFeed(&fed.feed);
        QVERIFY(!view.grab().isNull()); // empty: a sentence
        for (int i = 0; i < 100; ++i) {
            fed.give(run.step(false));
        }
        const ui::TimelineModel& model = fed.feed.timeline();
        QCOMPARE(view.shownWindow().toNs, model.endNs());
        const QSignalSpy spy(&view, &TimelineView::followingChanged);
        turnWheel(view, {400, 150}, 3);
        QCOMPARE(spy.count(), 1);
        const TimelineWindow window = view.shownWindow();
        fed.give(run.step(false));
        QCOMPARE(view.shownWindow(), window);
        QTest::keyClick(&view, Qt::Key_End);
        QVERIFY(view.isFollowing());
        QCOMPARE(view.shownWindow().toNs, model.endNs());
        QTest::mouseDClick(&view, Qt::LeftButton);
        QVERIFY(view.isFollowing());
        QVERIFY(!view.accessibleName().isEmpty() && !view.accessibleDescription().isEmpty());
    }

    void theWheelZoomsAtTheMouse()
    {
        RingRun run(2);
        FedTimeline fed(run);
        for (int i = 0; i < 50; ++i) {
            fed.give(run.step(false));
        }
        TimelineView view;
        view.resize(800, 300);
        view.setFeed(&fed.feed);
        view.showWhole();
        const auto at = [&](double x) {
            const ui::TimelineStyle style{ui::lightTheme(), view.font(), 1.0, 1.0};
            return ui::TimelineLayout(QRectF(view.rect()), fed.feed.timeline(), view.scene(), style).nsAt(x);
        };
        const std::int64_t before = at(500);
        turnWheel(view, {500, 100}, 4);
        const double dot = static_cast<double>(view.shownWindow().length()) / 600.0;
        QVERIFY(std::abs(static_cast<double>(at(500) - before)) <= 2.0 * dot);
        for (int i = 0; i < 10; ++i) {
            turnWheel(view, {500, 100}, 20);
        }
        QCOMPARE(view.shownWindow().length(), 1000); // a microsecond, not less
        QVERIFY(!view.grab().isNull());
        for (int i = 0; i < 10; ++i) {
            turnWheel(view, {500, 100}, -40);
        }
        QVERIFY(view.shownWindow().length() >= fed.feed.timeline().whole().length());
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Home);
        const std::int64_t home = view.shownWindow().fromNs;
        QCOMPARE(home, fed.feed.timeline().originNs());
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.shownWindow().fromNs > home);
    }

    void theCriticalPathIsDrawnOnDemand()
    {
        RingRun run(3);
        FedTimeline fed(run);
        for (int i = 0; i < 30; ++i) {
            fed.give(run.step(false));
        }
        ui::TimelinePanel panel;
        panel.resize(900, 400);
        panel.setFeeds({&fed.feed});
        TimelineView& view = panel.view();
        const QImage before = view.grab().toImage();
        QVERIFY(view.scene().paths.empty());
        panel.findChild<QToolButton*>(QStringLiteral("criticalPath"))->click();
        const auto paths = view.scene().paths;
        QVERIFY(!paths.empty());
        for (const auto& path : paths) {
            for (std::size_t i = 1; i < path.size(); ++i) {
                QCOMPARE(path[i].startNs, path[i - 1].endNs); // from the step's begin to its end
            }
        }
        QVERIFY(view.scene().bubble.join(u' ').contains(QStringLiteral("Critical path: rank ")));
        QVERIFY(view.grab().toImage() != before);
        view.showWhole(); // many steps: no path can be told apart
        for (int i = 0; i < 100; ++i) {
            fed.give(run.step(false));
        }
        view.showWhole();
        QVERIFY(view.scene().paths.empty());
    }

    void theMouseReadsSpans()
    {
        RingRun run(3);
        FedTimeline fed(run);
        for (int i = 0; i < 30; ++i) {
            fed.give(run.step(false));
        }
        TimelineView view;
        view.resize(900, 300);
        view.setFeed(&fed.feed);
        const auto& span = fed.feed.timeline().lane(1).at(60);
        view.setShownWindow({span.startNs - 1000, span.endNs() + 1000});
        const ui::TimelineStyle style{ui::lightTheme(), view.font(), 1.0, 1.0};
        const ui::TimelineLayout layout(QRectF(view.rect()), fed.feed.timeline(), view.scene(), style);
        const QStringList lines
            = view.readOut({layout.xOf(span.startNs + span.durationNs / 2), layout.laneRect(1).center().y()});
        QVERIFY(lines.size() >= 4);
        QVERIFY(lines[0].contains(u"1"));
        QVERIFY(lines[3].contains(ui::nanosecondsText(span.durationNs)));
        QVERIFY(view.readOut({2, 2}).isEmpty());
    }

    void axisNumbersStayShort_data()
    {
        QTest::addColumn<qlonglong>("from");
        QTest::addColumn<qlonglong>("length");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<qlonglong>("base");
        QTest::addRow("the run") << 0LL << 90'000'000'000LL << QStringLiteral("s") << 0LL;
        QTest::addRow("a step") << 61'234'000'000LL << 12'000'000LL << QStringLiteral("ms") << 61'000'000'000LL;
        QTest::addRow("a message") << 61'234'567'000LL << 40'000LL << QStringLiteral("µs") << 61'234'000'000LL;
        QTest::addRow("the first") << 0LL << 40'000LL << QStringLiteral("µs") << 0LL;
    }

    void axisNumbersStayShort()
    {
        QFETCH(qlonglong, from);
        QFETCH(qlonglong, length);
        const ui::TimeAxis axis = ui::timeAxis(from, length, 8);
        QTEST(axis.unit, "unit");
        QTEST(qlonglong(axis.baseNs), "base");
        QVERIFY(length / axis.stepNs <= 8);
        QVERIFY(length / axis.stepNs >= 3);
    }

    /// Defect 6: what an interrupted run did not record is not waited for.
    void anInterruptedRunIsNotWaitedFor()
    {
        RingRun run(2);
        FedTimeline fed(run);
        store::Delta running;
        running.statuses.push_back({analysis::RunStatus::Running, {}, 0});
        fed.give(running);
        const QString waiting = ui::timelineEmptyText(&fed.feed);
        QVERIFY2(waiting.startsWith(QStringLiteral("Waiting for")), qPrintable(waiting));
        store::Delta ended;
        ended.statuses.push_back({analysis::RunStatus::Interrupted, {}, 0});
        fed.give(ended);
        QCOMPARE(ui::timelineEmptyText(&fed.feed), fed.feed.displayName() + QStringLiteral(" has no spans."));
    }

    /// Defect 25: a window that begins before the first span has no time below zero.
    void noTickIsBelowZero()
    {
        const ui::TimeAxis axis = ui::timeAxis(-4'500'000, 90'000'000, 8);
        QCOMPARE(ui::firstTick(axis, -4'500'000), std::int64_t(0));
        QCOMPARE(ui::firstTick(axis, 0), std::int64_t(0));
        QCOMPARE(ui::firstTick(axis, 1), std::int64_t(axis.stepNs));
        QCOMPARE(ui::firstTick(axis, axis.stepNs), std::int64_t(axis.stepNs));
    }

    /// Defect 25: one rank's lane takes the height that is there.
    void oneLaneFillsThePage()
    {
        const test::SampleRun run("SGD", 0);
        const ui::TimelineScene scene;
        const ui::TimelineStyle style{ui::chartThemeFor(QApplication::palette()), QApplication::font(), 1.0, 1.0};
        const ui::TimelineLayout layout(QRectF(0, 0, 800, 600), run.feed->timeline(), scene, style);
        QVERIFY(layout.plot().height() > 450.0);
    }

    /// A frame is the same work however many spans are behind it but for one pass over them.
    void aMillionSpans()
    {
        RingRun run(8);
        FedTimeline fed(run);
        QElapsedTimer timer;
        timer.start();
        store::Delta many;
        while (fed.feed.timeline().size() < 1'000'000) {
            for (int i = 0; i < 200; ++i) {
                many.append(run.step(false));
            }
            fed.give(std::exchange(many, {}));
        }
        qInfo("%zu spans made and taken in %lld ms", fed.feed.timeline().size(), timer.elapsed());
        TimelineView view;
        view.resize(1100, 420);
        view.setFeed(&fed.feed);
        const auto frame = [&](const char* what) {
            QImage image(view.size(), QImage::Format_RGB32);
            QPainter painter(&image);
            timer.restart();
            ui::paintTimeline(painter, QRectF(view.rect()), fed.feed.timeline(), view.scene(),
                {ui::lightTheme(), view.font(), 1.0, 1.0});
            qInfo("%s: %.1f ms", what, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            return image;
        };
        view.showWhole();
        const QImage whole = frame("the whole run");
        const TimelineWindow all = view.shownWindow();
        view.setShownWindow({all.fromNs, all.fromNs + all.length() / 100});
        frame("a hundredth of it");
        view.setFollowing(true);
        const QImage newest = frame("the newest steps");
        QVERIFY(whole != newest);
    }

    void goesToPaper()
    {
        RingRun run(4);
        FedTimeline fed(run);
        for (int i = 0; i < 40; ++i) {
            fed.give(run.step(false));
        }
        ui::TimelineScene scene;
        scene.window = fed.feed.timeline().newest(4);
        const ui::Drawing drawing = ui::timelineDrawing(fed.feed, scene);
        const auto pdf = ui::render(drawing, ui::PaperFormat::Pdf, {});
        QVERIFY(pdf && pdf->startsWith("%PDF"));
        const auto svg = ui::render(drawing, ui::PaperFormat::Svg, {});
        QVERIFY(svg && svg->contains("width=\"183mm\""));
        const auto png = ui::render(drawing, ui::PaperFormat::Png, {});
        QVERIFY(png && QImage::fromData(*png).width() == 2161);
        const auto csv = ui::render(drawing, ui::PaperFormat::Csv, {});
        QVERIFY(csv.isOk());
        const QList<QByteArray> lines = csv->trimmed().split('\n');
        QCOMPARE(lines.front().trimmed(), QByteArray("run,name,rank,step,phase,micro-batch,start (ns),duration (ns)"));
        QCOMPARE(std::size_t(lines.size() - 1), fed.feed.timeline().part(scene.window).size());
        ui::PaperOptions grey;
        grey.colors = ui::PaperOptions::Colors::Grey;
        QVERIFY(ui::renderImage(drawing, grey, 96).allGray());
    }

    void thePageChoosesTheRunAtWork()
    {
        RingRun run(2);
        FedTimeline first(run, 0);
        FedTimeline second(run, 1);
        store::Delta ended;
        ended.statuses.push_back({analysis::RunStatus::Finished, {}, 0});
        second.give(ended);
        first.give(run.step(false));
        ui::TimelinePanel panel;
        panel.resize(700, 300);
        panel.setFeeds({&first.feed, &second.feed});
        QVERIFY(panel.view().shownWindow().length() > 0); // the first one's: the second has no spans
        first.give(ended);
        panel.setFeeds({&first.feed, &second.feed});
        QCOMPARE(panel.view().shownWindow().length(), 0);
        panel.setFeeds({});
        QVERIFY(!panel.grab().isNull());
    }

    void aFrozenRankIsNamed()
    {
        RingRun run(4);
        FedTimeline fed(run);
        ui::RingPanel panel;
        panel.resize(700, 400);
        QVERIFY(panel.setFeeds({&fed.feed}));
        ui::RingView& view = panel.view();
        QVERIFY(!view.player().number());
        fed.give(run.step(true, 2, 3));
        QCOMPARE(view.player().number(), 1);
        while (!view.player().isAtEnd()) {
            view.stepOne();
        }
        QCOMPARE(view.scene().waitedFor, std::vector<int>{2});
        QVERIFY(view.scene().message.contains(u'2'));
        QVERIFY(!panel.grab().isNull());
        store::Delta ended;
        ended.statuses.push_back({analysis::RunStatus::Failed, {}, 0});
        const QString before = view.scene().message;
        fed.give(ended);
        QVERIFY(view.scene().message != before);
    }

    void otherRunsHaveNoRing()
    {
        const auto runs = test::sampleRuns(10);
        ui::RingPanel panel;
        QVERIFY(!panel.setFeeds(test::feedsOf(runs)));
    }
};

LOCKSTEP_WINDOW_TEST(TestTimelineView)
#include "test_timeline_view.moc"
