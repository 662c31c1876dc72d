// Many stored runs at once in the window: told of together, read by other threads, and gone again at any time.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/charts/chart_view.h"
#include "ui/shell/window_fixture.h"

#include <QSignalSpy>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int OverlaidRuns = 12;
constexpr std::int64_t OverlaidSteps = 70'000; ///< that have an outline

void storeRun(store::RunStore& store, int number)
{
    analysis::RunRecord run;
    run.id = makeRunId(1'795'000'000 + number, static_cast<std::uint32_t>(number));
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    run.spec = experiment::expand(*spec)->at(1);
    run.spec.name = "lr " + std::to_string(number);
    run.spec.settings["optimizer.lr"] = 0.001 * (1 + number);
    run.createdNs = (1'795'000'000LL + number) * 1'000'000'000;
    run.summary.steps = OverlaidSteps;
    auto writer = store.create(run);
    QVERIFY(writer.isOk());
    store::Delta delta;
    wire::Hello hello;
    hello.worldSize = 1;
    delta.hellos.push_back({0, hello});
    delta.logs.push_back({0, {1, wire::LogLevel::Info, "training begins"}});
    QVERIFY((*writer)->add(delta).isOk());
    for (std::int64_t first = 1; first <= OverlaidSteps; first += 10'000) {
        store::Delta part;
        wire::StepBatch& batch = part.steps.emplace_back().what;
        for (std::int64_t step = first; step < first + 10'000; ++step) {
            StepRow row{
                .step = step, .endNs = step * 1'000'000, .wallNs = 1'000'000, .samples = step * 60, .batch = 60};
            row.loss = (1.0 + 0.1 * number) / static_cast<double>(step);
            batch.rows.push_back(row);
        }
        QVERIFY((*writer)->add(part).isOk());
    }
    QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", run.summary).isOk());
}

} // namespace

class TestOverlay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_fresh.begin();
        m_fresh.renew();
        const auto store = store::RunStore::open(m_fresh.store());
        for (int i = 0; i < OverlaidRuns; ++i) {
            storeRun(**store, i);
        }
    }

    void init()
    {
        m_window = openWindow(m_fresh.store());
        QTRY_COMPARE(m_window->controller().table().rowCount(), OverlaidRuns);
        m_view = m_window->tabs().widget(0)->findChild<ui::ChartView*>();
    }

    void runsThatAreTickedTogetherAreToldOnce()
    {
        ui::RunController& controller = m_window->controller();
        QSignalSpy told(&controller, &ui::RunController::feedsChanged);
        showAll();
        QCOMPARE(told.count(), 0);
        QTRY_COMPARE(told.count(), 1);
        QTRY_COMPARE(smoothed(), OverlaidRuns); // whole, however they came
        for (const ui::RunFeed* feed : controller.feeds()) {
            QTRY_VERIFY(!feed->isReading()); // only while a core is free
            QCOMPARE(feed->loss().size(), std::size_t(OverlaidSteps));
            QCOMPARE(feed->ranks().front().step, OverlaidSteps);
        }
        QCOMPARE(controller.log().rowCount(), OverlaidRuns);
        told.clear();
        for (const ui::RunFeed* feed : controller.feeds()) {
            controller.shown().hide(feed->id());
        }
        QVERIFY(controller.feeds().empty());
        QTRY_COMPARE(told.count(), 1);
        QCOMPARE(controller.log().rowCount(), 0);
        controller.showRun(controller.table().idAt(0));
        QTRY_COMPARE(smoothed(), 1);
    }

    /// Hidden and shown again before anyone was told: another feed of the same run.
    void aRunCanBeHiddenAndShownAgainAtOnce()
    {
        ui::RunController& controller = m_window->controller();
        const RunId id = controller.table().idAt(0);
        controller.showRun(id);
        QTRY_COMPARE(smoothed(), 1);
        controller.shown().hide(id);
        controller.showRun(id);
        QTRY_COMPARE(smoothed(), 1);
        QTRY_VERIFY(!controller.feeds().front()->isReading());
        QCOMPARE(controller.feeds().front()->loss().size(), std::size_t(OverlaidSteps));
    }

    /// While all are read: nothing waits for the readers.
    void theWindowCanBeClosedWhileRunsAreRead()
    {
        showAll();
        QTest::qWait(20);
        m_window.reset();
    }

private:
    void showAll()
    {
        for (int row = 0; row < OverlaidRuns; ++row) {
            m_window->controller().showRun(m_window->controller().table().idAt(row));
        }
    }

    [[nodiscard]] int smoothed() const
    {
        return static_cast<int>(std::ranges::count_if(m_view->chart().series,
            [](const ui::SeriesSpec& series) { return series.key.endsWith(QStringLiteral("/loss-smoothed")); }));
    }

    FreshWindows m_fresh;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::ChartView* m_view = nullptr;
};

LOCKSTEP_WINDOW_TEST(TestOverlay)
#include "test_overlay.moc"
