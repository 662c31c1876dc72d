// What the window says and offers in each state: data that are missing, runs that wait, have ended or were interrupted;
// what one click opens, and what both themes make visible.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/charts/chart_view.h"
#include "ui/models/ring_run.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/ring/ring_panel.h"
#include "ui/shell/window_fixture.h"
#include "ui/widgets/run_picker.h"

#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScreen>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

/// As WCAG has it: 1 for equal colours, 21 for black and white.
double contrast(const QColor& a, const QColor& b)
{
    const auto luminance = [](const QColor& color) {
        const auto part = [](float value) { return std::pow(value, 2.2F); };
        return 0.2126F * part(color.redF()) + 0.7152F * part(color.greenF()) + 0.0722F * part(color.blueF());
    };
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return double((high + 0.05F) / (low + 0.05F));
}

} // namespace

class TestWindowStates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fresh.begin(); }
    void init() { m_fresh.renew(); }

    /// Defect 21: a folder that is missing is said once, in the words of the form, and nothing is started.
    void aMissingFolderIsSaidOnce()
    {
        const auto window = openWindow(m_fresh.store());
        window->form().setText("dataset.name", QStringLiteral("idx"));
        window->form().setText("dataset.path", QStringLiteral("/nowhere"));
        window->controller().start(window->form().runs());
        QVERIFY(!window->controller().isBusy());
        QCOMPARE(window->controller().table().rowCount(), 0);
        const auto* strip = window->findChild<ui::MessageStrip*>(QStringLiteral("notices"));
        QVERIFY(strip->isVisible());
        QVERIFY2(strip->text().contains(QStringLiteral("the folder \"/nowhere\" does not exist")),
            qPrintable(strip->text()));
        QVERIFY2(!strip->text().contains(QStringLiteral("dataset.path")), qPrintable(strip->text()));
    }

    /// Unless the screen is smaller than the least that the window needs.
    void theFirstWindowFitsTheScreen()
    {
        ui::MainWindow window(m_fresh.store());
        window.show();
        const QSize most = window.screen()->availableSize().expandedTo(window.minimumSize());
        QVERIFY2(window.width() <= most.width() && window.height() <= most.height(),
            qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
    }

    /// Defect 22: the time left is that of all runs, not of the one at work.
    void theTimeLeftIsThatOfAllRuns()
    {
        qputenv("LOCKSTEP_FAKE", "steps=1000,rate=400");
        const auto window = openWindow(m_fresh.store());
        window->form().setText("measure.interleave", QStringLiteral("false"));
        window->controller().start(window->form().runs());
        const auto ofAll = [&] { return window->controller().progress().secondsLeft; };
        const auto ofOne = [&] { return window->controller().currentFeed()->secondsLeft(); };
        QTRY_VERIFY(window->controller().currentFeed() != nullptr && std::isfinite(ofOne()));
        QCOMPARE(window->controller().progress().number, 1);
        QVERIFY2(ofAll() > ofOne(), qPrintable(QStringLiteral("%1 of %2").arg(ofAll()).arg(ofOne())));
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
    }

    /// Defect 20: a card's time is another quantity than the table's, and says so.
    void aCardSaysOverWhichTime()
    {
        ui::RankCardView card(nullptr);
        ui::RankCard shown;
        shown.msPerStep = 4.35;
        card.setCard(shown);
        QHelpEvent asked(QEvent::ToolTip, {}, {});
        QCoreApplication::sendEvent(&card, &asked);
        const QString text = card.toolTip();
        QVERIFY2(text.contains(QStringLiteral("4.35 ms")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Time per step and bar cover the last second")), qPrintable(text));
        const auto window = openWindow(m_fresh.store());
        const QString help = window->controller()
                                 .table()
                                 .headerData(ui::RunsTableModel::MsPerStep, Qt::Horizontal, Qt::ToolTipRole)
                                 .toString();
        QVERIFY2(help.contains(QStringLiteral("after 10 warm-up steps")), qPrintable(help));
    }

    /// A question goes with what it is about: its button would stop the experiment that has begun since.
    void aQuestionEndsWithItsExperiment()
    {
        qputenv("LOCKSTEP_FAKE", "steps=300,rate=400");
        const auto window = openWindow(m_fresh.store());
        for (int variant = 1; variant < 3; ++variant) {
            window->form().setVariantEnabled(std::size_t(variant), false);
        }
        auto& queue = window->controller().queue();
        window->controller().start(window->form().runs());
        QTRY_VERIFY(queue.isBusy());
        const auto first = queue.state().active()->id;
        window->controller().start(window->form().runs());
        QTRY_COMPARE(queue.waiting(), 1);
        window->findChild<QAbstractButton*>(QStringLiteral("stop"))->click();
        const auto* strip = window->findChild<ui::MessageStrip*>(QStringLiteral("notices"));
        QVERIFY(strip->isVisible() && strip->text().contains(QStringLiteral("waits in the queue")));
        QTRY_VERIFY(queue.isBusy() && queue.state().active()->id != first);
        QVERIFY(!strip->isVisible());
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
    }

    /// Defect 13: a chart that was moved by hand is whole again in the next experiment.
    void aZoomEndsWithItsExperiment()
    {
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        auto* view = window->tabs().widget(0)->findChild<ui::ChartView*>();
        window->tabs().setCurrentIndex(0);
        QTRY_VERIFY(!view->chart().series.empty());
        QTest::keyClick(view, Qt::Key_Plus);
        QTest::keyClick(view, Qt::Key_Right);
        QVERIFY(view->isZoomed());
        window->findChild<ui::Gallery*>()->choose(1);
        QVERIFY(!view->isZoomed());
    }

    /// Defect 24: Resume is for runs that began and did not finish, for all that are selected.
    void resumeIsForWhatDidNotFinish()
    {
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        auto* page = window->findChild<ui::RunsPage*>();
        const QList<QAction*> actions = page->findChildren<QAction*>();
        const auto resume = std::ranges::find_if(actions,
            [](const QAction* action) { return action->text() == QStringLiteral("Resume from its last checkpoint"); });
        QVERIFY(resume != actions.end());
        auto* table = page->findChild<ui::RunsView*>();
        table->selectAll();
        QVERIFY(!(*resume)->isEnabled());
        analysis::RunRecord stopped = *window->controller().table().record(window->controller().table().idAt(0));
        stopped.status = analysis::RunStatus::Stopped;
        window->controller().table().upsert(stopped);
        table->clearSelection();
        table->selectAll();
        QVERIFY((*resume)->isEnabled());
    }

    /// Defect 25: the messages of an all-reduce say of which run they are, also if there is only one.
    void messagesSayWhichRunTheyAreOf()
    {
        const RunId id = storeRing();
        const auto window = openWindow(m_fresh.store());
        QTRY_COMPARE(window->controller().table().rowCount(), 1);
        window->controller().showRun(id);
        const int ring = window->tabs().indexOf(window->findChild<ui::RingPanel*>());
        QTRY_VERIFY(window->tabs().isOffered(ring));
        window->tabs().setCurrentIndex(ring);
        const auto* picker = window->tabs().widget(ring)->findChild<ui::RunPicker*>();
        QVERIFY(picker->isVisible());
        QCOMPARE(picker->currentText(), window->controller().feeds().front()->displayName());
    }

    /// Defect 27: the table of a chart's numbers opens once.
    void dataOpensOnce()
    {
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        window->tabs().setCurrentIndex(0);
        auto* button = window->tabs().currentWidget()->findChild<QToolButton*>(QStringLiteral("data"));
        const auto opened = [&] {
            return std::ranges::count_if(QApplication::topLevelWidgets(), [&](const QWidget* widget) {
                return widget != window.get() && widget->isVisible() && widget->findChild<QTableView*>() != nullptr;
            });
        };
        QTest::mouseClick(button, Qt::LeftButton);
        QTest::mouseClick(button, Qt::LeftButton);
        QTest::qWait(20);
        QCOMPARE(opened(), 1);
    }

    /// Defect 28: boxes that are not ticked have a border, and a scroll bar is told from its trough, in both themes.
    void boxesAndScrollBarsAreSeen_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void boxesAndScrollBarsAreSeen()
    {
        QFETCH(bool, isDark);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        QWidget page;
        page.resize(200, 200);
        QScrollBar bar(Qt::Vertical, &page);
        bar.setRange(0, 100);
        bar.setPageStep(50);
        bar.setGeometry(0, 0, bar.sizeHint().width(), 200);
        QCheckBox box(&page);
        box.setGeometry(60, 20, 30, 30);
        page.show();
        QTest::qWait(20);
        const QImage image = page.grab().toImage();
        const int middle = bar.width() / 2;
        QVERIFY(contrast(image.pixelColor(middle, 60), image.pixelColor(middle, 170)) > 1.9);
        const QColor window = image.pixelColor(150, 150);
        double border = 0.0;
        for (int x = 60; x < 90; ++x) {
            border = std::max(border, contrast(image.pixelColor(x, box.geometry().center().y()), window));
        }
        QVERIFY2(border > 1.9, qPrintable(QString::number(border)));
    }

    /// Defect 28: the arrow of the sorted column has its own place beside the header's text.
    void theSortArrowCoversNoHeader()
    {
        const auto window = openWindow(m_fresh.store(), {1280, 800});
        runAll(*window);
        window->findChild<QToolButton*>(QStringLiteral("drawer:table"))->click();
        QTest::qWait(60);
        auto* table = window->findChild<ui::RunsView*>();
        QHeaderView* header = table->horizontalHeader();
        for (const int column : {ui::RunsTableModel::Loss, ui::RunsTableModel::Accuracy, ui::RunsTableModel::Started}) {
            table->sortByColumn(column, Qt::AscendingOrder);
            QTest::qWait(10);
            const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
            const int arrow = header->style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, header);
            QVERIFY2(header->sectionSize(column) >= header->fontMetrics().horizontalAdvance(title) + arrow,
                qPrintable(QStringLiteral("%1: %2").arg(title).arg(header->sectionSize(column))));
        }
    }

private:
    static void runAll(ui::MainWindow& window)
    {
        window.controller().start(window.form().runs());
        QTRY_VERIFY(!window.controller().isBusy());
        const auto& table = window.controller().table();
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(),
            [&](const ui::RunFeed* feed) { return analysis::isFinal(table.record(feed->id())->status); }));
    }

    RunId storeRing() const
    {
        const auto store = store::RunStore::open(m_fresh.store());
        test::RingRun run(2);
        auto writer = (*store)->create(run.record());
        const bool isStored = writer.isOk() && (*writer)->add(run.hello()).isOk()
            && (*writer)->add(run.step(true)).isOk() && (*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk();
        return isStored ? run.record().id : RunId{};
    }

    FreshWindows m_fresh;
};

LOCKSTEP_WINDOW_TEST(TestWindowStates)
#include "test_window_states.moc"
