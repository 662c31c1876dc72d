// A chart divided by a parameter: a panel for each value, with its runs alone, over axes of one range.
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/chart_view_menu.h"
#include "ui/pages/charts/small_multiples.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// SGD and Adam with two learning rates each.
std::vector<std::unique_ptr<SampleRun>> fourRuns()
{
    auto spec = *experiment::preset("optimizers");
    spec.repeats = 1;
    const auto all = *experiment::expand(spec);
    std::vector<std::unique_ptr<SampleRun>> runs;
    for (int i = 0; i < 4; ++i) {
        runs.push_back(std::make_unique<SampleRun>(i % 2 == 0 ? "SGD" : "Adam", i));
        experiment::RunSpec of = all.at(i % 2 == 0 ? 1 : 2);
        of.settings["optimizer.lr"] = i < 2 ? 0.01 : 0.1;
        runs.back()->setSpec(of);
        runs.back()->addSteps(100 * (i + 1), [i](std::int64_t step) { return (1.0 + i) / double(step); });
    }
    return runs;
}

} // namespace

class TestSmallMultiples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("lockstep-tests"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }
    void init()
    { // The offscreen platform complains about every window; nothing else may be said.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        QSettings().clear();
    }

    void aPanelHasTheRunsOfItsValue()
    {
        const auto runs = fourRuns();
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        QVERIFY(model.parts(nullptr).empty());
        ui::ChartOptions options;
        options.smoothing = 0.0;
        options.panelsBy = QStringLiteral("optimizer.lr");
        model.setOptions(options);
        const auto parts = model.parts(nullptr);
        QCOMPARE(parts.size(), std::size_t(2));
        QCOMPARE(parts[0].title, QStringLiteral("Learning rate: 0.01"));
        QCOMPARE(parts[1].title, QStringLiteral("Learning rate: 0.1"));
        for (std::size_t part = 0; part < 2; ++part) {
            QCOMPARE(parts[part].chart.series.size(), std::size_t(2));
            for (std::size_t i = 0; i < 2; ++i) {
                QCOMPARE(parts[part].chart.series[i].x.size(), 100 * (2 * part + i + 1));
            }
        }
        for (const auto axis : {&ui::ChartSpec::x, &ui::ChartSpec::y}) {
            QVERIFY((parts[0].chart.*axis).maximum.has_value());
            QCOMPARE((parts[0].chart.*axis).minimum, (parts[1].chart.*axis).minimum);
            QCOMPARE((parts[0].chart.*axis).maximum, (parts[1].chart.*axis).maximum);
        }
        QVERIFY(*parts[0].chart.x.maximum >= 400.0 && *parts[0].chart.y.maximum >= 4.0);
        options.panelsBy = QStringLiteral("train.batch"); // in which they do not differ
        model.setOptions(options);
        QVERIFY(model.parts(nullptr).empty());
    }

    /// A run alone shows its ranks beside each other until one chart is chosen.
    void ranksOfARunAlone()
    {
        SampleRun run("SGD");
        run.addSteps(10, [](std::int64_t) { return 1.0; });
        store::Delta delta;
        for (int i = 0; i < 4; ++i) {
            analysis::MachineSample sample;
            sample.timeNs = SampleRun::StartNs + i * 1'000'000'000LL;
            sample.ranks = {{0, 1.0, 2e8}, {1, 0.5, 1e8}};
            delta.machineSamples.push_back(sample);
        }
        run.add(std::move(delta));
        ui::ChartModel model(*ui::findChart(u"machine"));
        model.setFeeds({run.feed.get()});
        ui::ChartPanel panel(model);
        panel.resize(900, 480);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto* multiples = panel.findChild<ui::SmallMultiples*>();
        QTRY_VERIFY(multiples->isVisible());
        QCOMPARE(multiples->findChildren<ui::ChartView*>().size(), 2);
        choose(panel, QStringLiteral("One chart"));
        QTRY_VERIFY(!multiples->isVisible());
    }

    void panelsAreChosenInTheMenu()
    {
        const auto runs = fourRuns();
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartPanel panel(model);
        panel.resize(900, 480);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        choose(panel, QStringLiteral("Learning rate"));
        const auto* multiples = panel.findChild<ui::SmallMultiples*>();
        QTRY_VERIFY(multiples->isVisible());
        const auto views = multiples->findChildren<ui::ChartView*>();
        QCOMPARE(views.size(), 2);
        QCOMPARE(multiples->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly).front()->text(),
            QStringLiteral("Learning rate: 0.01"));
        QTest::qWait(50);
        QVERIFY(views[0]->height() > 300 && std::abs(views[0]->width() - views[1]->width()) < 3);
        QTest::keyClick(views[0], Qt::Key_Plus); // zooms both
        const auto range = views[0]->horizontalRange();
        QTRY_COMPARE(views[1]->horizontalRange(), range);
        QTest::keyClick(views[1], Qt::Key_Plus);
        const auto closer = views[1]->horizontalRange();
        QVERIFY(closer.second - closer.first < range.second - range.first);
        QTRY_COMPARE(views[0]->horizontalRange(), closer);
        const auto heightsOf = [](const ui::ChartView* view) { return view->asShown(ui::ChartSpec()).y; };
        QCOMPARE(heightsOf(views[0]).minimum, heightsOf(views[1]).minimum);
        QCOMPARE(heightsOf(views[0]).maximum, heightsOf(views[1]).maximum);
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        QVERIFY(panel.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/small_multiples.png")));
        QCOMPARE(panel.shownParts().size(), std::size_t(2)); // for the export
        QCOMPARE(panel.shownParts()[0].chart.title, QStringLiteral("Learning rate: 0.01"));
        choose(panel, QStringLiteral("One chart"));
        QTRY_VERIFY(!multiples->isVisible());
    }

private:
    static void choose(const ui::ChartPanel& panel, const QString& text)
    {
        QMenu* menu = panel.findChild<ui::ChartViewMenu*>()->menu();
        Q_EMIT menu->aboutToShow();
        for (QMenu* each :
            menu->findChildren<QMenu*>() + panel.findChild<ui::ChartViewMenu*>()->findChildren<QMenu*>()) {
            for (QAction* action : each->actions()) {
                if (action->text() == text) {
                    action->trigger();
                    return;
                }
            }
        }
        QFAIL(qPrintable(text));
    }

    QTemporaryDir m_folder;
};

LOCKSTEP_WINDOW_TEST(TestSmallMultiples)
#include "test_small_multiples.moc"
