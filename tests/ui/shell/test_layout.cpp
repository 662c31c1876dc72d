// Where things are in the window: pages and their charts, the chart's share of the height, what must not move, vanish,
// be cut or cover something, in both languages and at the sizes that must work. Writes pictures to build/screenshots.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/charts/chart_view.h"
#include "ui/forms/fold.h"
#include "ui/forms/parameter_field.h"
#include "ui/models/form/variant_edits.h"
#include "ui/models/ring_run.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/straggler_strip.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"
#include "ui/widgets/view_area.h"

#include <QDir>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <map>

using namespace lockstep;
using namespace lockstep::tests;

class TestLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_fresh.begin();
        QVERIFY(QDir().mkpath(m_folder));
    }

    void init() { m_fresh.renew(); }

    /// Five pages hold every chart; a page that has nothing to show stays, disabled.
    void fivePages()
    {
        const auto window = openWindow(m_fresh.store());
        start(*window, "aggregation");
        ui::RunTabs& tabs = window->tabs();
        const QStringList expected{QStringLiteral("Learning"), QStringLiteral("Time"), QStringLiteral("System"),
            QStringLiteral("Findings"), QStringLiteral("Report")};
        QCOMPARE(tabs.tabBar().count(), static_cast<int>(expected.size()));
        for (int page = 0; page < tabs.tabBar().count(); ++page) {
            QVERIFY(tabs.tabBar().isTabVisible(page));
            QCOMPARE(tabs.tabBar().tabText(page), expected[page]);
        }
        for (int view = 0; view < tabs.count(); ++view) {
            if (tabs.isOffered(view)) {
                tabs.setCurrentIndex(view);
                QCOMPARE(tabs.currentIndex(), view);
                QVERIFY(tabs.widget(view)->isVisible());
                QCOMPARE(tabs.picker().currentText(), tabs.titleOf(view));
                QCOMPARE(tabs.tabBar().currentIndex(), tabs.pageOf(view));
            }
        }
        tabs.setCurrentIndex(tabs.viewOf(*ui::findChart(u"loss")));
        const int communication = tabs.viewOf(*ui::findChart(u"comm"));
        tabs.setCurrentIndex(communication);
        tabs.showPage(static_cast<int>(ui::Page::Learning));
        QCOMPARE(tabs.currentIndex(), tabs.viewOf(*ui::findChart(u"loss")));
        tabs.showPage(static_cast<int>(ui::Page::Time));
        QCOMPARE(tabs.currentIndex(), communication); // as it was left
        stop(*window);
    }

    /// Defect 27: Alt and a digit follow what is seen.
    void keysFollowTheTabs()
    {
        const auto window = openWindow(m_fresh.store());
        start(*window, "aggregation");
        ui::RunTabs& tabs = window->tabs();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        for (int page = 0; page < 4; ++page) {
            if (tabs.tabBar().isTabEnabled(page)) {
                QTest::keyClick(window.get(), Qt::Key(Qt::Key_1 + page), Qt::AltModifier);
                QCOMPARE(tabs.tabBar().currentIndex(), page);
            }
        }
        tabs.setCurrentIndex(tabs.viewOf(*ui::findChart(u"loss")));
        QTest::keyClick(window.get(), Qt::Key_PageDown, Qt::ControlModifier);
        QCOMPARE(tabs.currentIndex(), tabs.viewOf(*ui::findChart(u"accuracy")));
        QTest::keyClick(window.get(), Qt::Key_PageUp, Qt::ControlModifier);
        QCOMPARE(tabs.currentIndex(), tabs.viewOf(*ui::findChart(u"loss")));
        stop(*window);
    }

    /// Defect 16: with four ranks at work the chart has 60 % of the window's height.
    void theChartIsLarge_data() { looks(); }
    void theChartIsLarge()
    {
        const auto window = openInLook();
        start(*window, "aggregation");
        window->tabs().setCurrentIndex(0);
        QTest::qWait(50);
        const auto* strip = window->findChild<ui::RankStrip*>();
        QTRY_VERIFY(strip->count() == 4);
        const int row = strip->cards().front()->y();
        QVERIFY(std::ranges::all_of(strip->cards(),
            [&](const QWidget* card) { return card->y() == row && strip->rect().contains(card->geometry()); }));
        const auto* chart = window->tabs().widget(0)->findChild<ui::ChartView*>();
        QVERIFY2(chart->height() >= 0.6 * window->height(),
            qPrintable(QStringLiteral("%1 of %2").arg(chart->height()).arg(window->height())));
        save(*window, "layout-running");
        stop(*window);
    }

    /// Defect 14: neither starting nor ending a run moves anything.
    void nothingMovesWithARun()
    {
        const auto window = openWindow(m_fresh.store(), {1024, 640});
        const auto places = [&] {
            const QWidget* strip = window->findChild<ui::StragglerStrip*>();
            const QWidget* ranks = window->findChild<ui::RankStrip*>();
            return std::vector<QRect>{inWindow(window->tabs().viewArea().views()), inWindow(*strip), inWindow(*ranks)};
        };
        finish(*window, "aggregation");
        const auto before = places();
        start(*window, "aggregation");
        const auto* slider = window->findChild<ui::StragglerStrip*>()->findChild<QSlider*>();
        QTRY_VERIFY(slider->isEnabled());
        QCOMPARE(places(), before);
        stop(*window);
        QVERIFY(!slider->isEnabled());
        QVERIFY(slider->isVisible());
        QCOMPARE(places(), before);
    }

    /// Defect 14: no key edits the form because a control went off under it.
    void theFocusDoesNotReachTheForm()
    {
        const auto window = openWindow(m_fresh.store());
        setPreset(*window, "aggregation");
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=200");
        auto* run = window->findChild<QPushButton*>(QStringLiteral("run"));
        run->setFocus();
        QTest::keyClick(run, Qt::Key_Return);
        QVERIFY(window->controller().isBusy());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&window->tabs().tabBar()));
        auto* slider = window->findChild<ui::StragglerStrip*>()->findChild<QSlider*>();
        QTRY_VERIFY(slider->isEnabled());
        slider->setFocus();
        stop(*window);
        QVERIFY(!slider->isEnabled());
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(&window->tabs().tabBar()));
    }

    /// A message lies over the page, moves nothing and covers no control, on every page.
    void messagesCoverNoControl_data() { looks(); }
    void messagesCoverNoControl()
    {
        const auto window = openInLook();
        finish(*window, "aggregation");
        auto* strip = window->findChild<ui::MessageStrip*>(QStringLiteral("notices"));
        QVERIFY(strip != nullptr);
        const QRect before = inWindow(window->tabs().viewArea().views());
        strip->showMessage(ui::Tone::Error, QStringLiteral("ring failed: rank 2 has ended with signal 9"),
            {QStringLiteral("step 117 loss 0.31"), QStringLiteral("step 118 loss 0.29")}, {QStringLiteral("Run again")},
            [](int) {});
        for (int view = 0; view < window->tabs().count(); ++view) {
            window->tabs().setCurrentIndex(view);
            QTest::qWait(20);
            QCOMPARE(inWindow(window->tabs().viewArea().views()), before);
            QVERIFY(strip->isVisible());
            QVERIFY(window->rect().contains(inWindow(*strip)));
            for (const QWidget* widget : window->findChildren<QWidget*>()) {
                if (widget->isVisible() && isControl(*widget)
                    && qobject_cast<const QAbstractItemView*>(widget) == nullptr && !strip->isAncestorOf(widget)) {
                    QVERIFY2(!inWindow(*widget).intersects(inWindow(*strip)),
                        qPrintable(QStringLiteral("%1 on %2").arg(nameOf(*widget), window->tabs().titleOf(view))));
                }
            }
        }
        window->tabs().setCurrentIndex(0);
        QTest::qWait(50);
        save(*window, "layout-message");
    }

    /// Defects 1 and 16: nothing is cut, in no experiment.
    void nothingIsCut_data() { looks(); }
    void nothingIsCut()
    {
        QFETCH(QSize, size);
        const auto window = openInLook();
        for (const std::string_view name : experiment::presetNames()) {
            window->form().setSpec(*experiment::preset(name)); // also one whose data are missing
            QTest::qWait(60);
            QCOMPARE(window->size(), size);
            const QStringList cut = cutOf(*window);
            QVERIFY2(cut.isEmpty(),
                qPrintable(QString::fromUtf8(name.data(), qsizetype(name.size())) + u'\n' + cut.join(u'\n')));
            save(*window, QByteArray("layout-form-").append(name.data(), qsizetype(name.size())).constData());
        }
        finish(*window, "aggregation");
        for (int view = 0; view < window->tabs().count(); ++view) {
            if (window->tabs().isOffered(view)) {
                window->tabs().setCurrentIndex(view);
                QTest::qWait(60);
                const QStringList cut = cutOf(*window);
                QVERIFY2(cut.isEmpty(), qPrintable(window->tabs().titleOf(view) + u'\n' + cut.join(u'\n')));
            }
        }
    }

    /// Defects 1 and 26: with every section open each number in the form is whole, no section has a label twice,
    /// tabbing through the fields scrolls nothing sideways, and the sliders have their place, whatever the experiment.
    void fieldsAreWhole_data() { looks(); }
    void fieldsAreWhole()
    {
        const auto window = openInLook();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        for (const std::string_view name : experiment::presetNames()) {
            setPreset(*window, std::string(name));
            for (ui::Fold* fold : window->findChildren<ui::Fold*>()) {
                fold->setOpen(true);
            }
            QTest::qWait(30);
            const QString problem = cutFields(*window);
            QVERIFY2(problem.isEmpty(),
                qPrintable(QString::fromUtf8(name.data(), qsizetype(name.size())) + QStringLiteral(": ") + problem));
            const auto* sliders = window->findChild<ui::StragglerStrip*>();
            for (const QSlider* slider : sliders->findChildren<QSlider*>()) {
                QVERIFY(slider->isVisible() && sliders->rect().contains(slider->geometry()));
            }
            QCOMPARE(sliders->findChildren<QSlider*>().size(), 3);
        }
    }

    /// Defect 15: another experiment has its own page; its newest runs come back with it.
    void anotherExperimentHasItsOwnCharts()
    {
        const auto window = openWindow(m_fresh.store());
        finish(*window, "optimizers");
        QCOMPARE(window->controller().feeds().size(), std::size_t(3));
        auto* gallery = window->findChild<ui::Gallery*>();
        gallery->choose(1);
        QVERIFY(window->controller().feeds().empty());
        QVERIFY(!window->tabs().isVisible());
        QCOMPARE(window->findChild<ui::RankStrip*>()->count(), 0);
        gallery->choose(0);
        QCOMPARE(window->controller().feeds().size(), std::size_t(3));
        QVERIFY(window->tabs().isVisible());
    }

    /// Defect 5: where all losses coincide the first chart is another one.
    void aggregationOpensOnCommunication()
    {
        const auto window = openWindow(m_fresh.store());
        window->findChild<ui::Gallery*>()->choose(1);
        window->form().setRepeats(1);
        qputenv("LOCKSTEP_FAKE", "steps=50,rate=0");
        window->controller().start(window->form().runs());
        QCOMPARE(window->tabs().currentIndex(), window->tabs().viewOf(*ui::findChart(u"comm")));
        window->tabs().setCurrentIndex(0);
        QTRY_VERIFY(!window->controller().isBusy());
        QCOMPARE(window->tabs().currentIndex(), 0); // as it was chosen
    }

    /// The list at the left: a batch under its experiment, its variants under it; ticks and clicks show runs.
    void runsAreListedByBatch()
    {
        const auto window = openWindow(m_fresh.store());
        finish(*window, "optimizers");
        auto* list = window->findChild<ui::RunList*>()->findChild<QTreeWidget*>();
        QTRY_VERIFY(list->topLevelItem(0) != nullptr);
        QTreeWidgetItem* experiment = list->topLevelItem(0);
        QTRY_COMPARE(experiment->childCount(), 1);
        QTreeWidgetItem* first = experiment->child(0);
        QCOMPARE(first->childCount(), 3);
        QTRY_COMPARE(first->child(0)->text(0), QStringLiteral("GD"));
        QCOMPARE(first->checkState(0), Qt::Checked);
        first->child(0)->setCheckState(0, Qt::Unchecked);
        QCOMPARE(window->controller().feeds().size(), std::size_t(2));
        QTRY_COMPARE(first->checkState(0), Qt::PartiallyChecked);
        QTest::qWait(1100); // a batch is known by the second in which it was started
        finish(*window, "optimizers");
        QTRY_COMPARE(experiment->childCount(), 2);
        QTRY_COMPARE(first->checkState(0), Qt::Unchecked); // a new experiment shows its own runs
        QCOMPARE(experiment->child(1), first); // the newest is the first
        Q_EMIT list->itemClicked(first, 0);
        QCOMPARE(window->controller().feeds().size(), std::size_t(3));
        QTRY_COMPARE(first->checkState(0), Qt::Checked);
        QTRY_COMPARE(experiment->child(0)->checkState(0), Qt::Unchecked);
        QTest::qWait(50);
        save(*window, "layout-runs");
    }

    /// Defect 22: the next start has the form as it was left.
    void theFormIsAsItWasLeft()
    {
        {
            const auto window = openWindow(m_fresh.store());
            window->findChild<ui::Gallery*>()->choose(1);
            window->form().setText("train.batch", QStringLiteral("96"));
            window->form().setVariantEnabled(0, false);
            window->form().setText("net.hidden", QStringLiteral("-3"));
            QVERIFY(window->close());
        }
        ui::MainWindow again(m_fresh.store());
        QCOMPARE(again.form().experiment(), std::string("aggregation"));
        QCOMPARE(again.form().row("train.batch")->text, QStringLiteral("96"));
        QCOMPARE(again.form().row("net.hidden")->text, QStringLiteral("-3"));
        QVERIFY(!again.form().problem().isEmpty());
        QVERIFY(!again.form().variants().front().isEnabled);
        QVERIFY(again.form().variants().back().isEnabled);
    }

    /// Also an experiment that was never saved, with rows that were added.
    void anOwnExperimentIsAsItWasLeft()
    {
        std::size_t count = 0;
        {
            const auto window = openWindow(m_fresh.store());
            window->documents().create->trigger();
            window->form().setVariants(
                QStringLiteral("Add"), ui::withAdded(window->form().variants(), QStringLiteral("Mine")));
            window->form().setVariants(
                QStringLiteral("Add"), ui::withAdded(window->form().variants(), QStringLiteral("Mine")));
            count = window->form().variants().size();
            window->form().setText("train.batch", QStringLiteral("96"));
            window->form().setRepeats(4);
            experiment::About about = window->form().about();
            about.title.en = "Mine alone";
            window->form().setAbout(about);
            QTest::qWait(600); // as after a crash: it is remembered shortly after the last change
        }
        ui::MainWindow again(m_fresh.store());
        QCOMPARE(again.form().variants().size(), count);
        QCOMPARE(again.form().row("train.batch")->text, QStringLiteral("96"));
        QCOMPARE(again.form().repeats(), 4);
        QCOMPARE(again.documents().title(), QStringLiteral("Mine alone"));
        QVERIFY(!again.documents().document().isFile() && !again.documents().document().isSaved());
    }

    /// Defects 6 and 22: a run that was interrupted is offered once, and its ranks do not read "running".
    void anInterruptedRunIsOffered()
    {
        {
            auto store = store::RunStore::open(m_fresh.store());
            QVERIFY(store.isOk());
            test::RingRun run(2);
            auto writer = store.value()->create(run.record());
            QVERIFY(writer.isOk());
            QVERIFY(writer.value()->add(run.hello()).isOk());
            QVERIFY(writer.value()->add(run.step(true)).isOk());
            QVERIFY(writer.value()->finish(analysis::RunStatus::Interrupted, "lockstep ended", {}).isOk());
        }
        {
            const auto window = openWindow(m_fresh.store());
            const auto* strip = window->findChild<ui::MessageStrip*>(QStringLiteral("notices"));
            QTRY_VERIFY(strip->isVisible());
            QVERIFY2(strip->text().contains(QStringLiteral("interrupted")), qPrintable(strip->text()));
            QTest::mouseClick(strip->findChildren<QPushButton*>().last(), Qt::LeftButton);
            QTRY_COMPARE(window->controller().feeds().size(), std::size_t(1));
            const ui::RunFeed* feed = window->controller().feeds().front();
            QTRY_COMPARE(feed->ranks().size(), std::size_t(2));
            for (const ui::RankCard& card : feed->ranks()) {
                QCOMPARE(card.state, store::RankState::Stopped);
            }
        }
        const auto window = openWindow(m_fresh.store());
        QTRY_VERIFY(window->controller().table().rowCount() == 1);
        QTest::qWait(50);
        QVERIFY(!window->findChild<ui::MessageStrip*>(QStringLiteral("notices"))->isVisible());
    }

    /// Defect 4: a variant's colour does not depend on which others run, nor on what else is shown.
    void aVariantKeepsItsColour()
    {
        const auto window = openWindow(m_fresh.store());
        finish(*window, "optimizers");
        std::map<std::string, QColor> before;
        for (const ui::RunFeed* feed : window->controller().feeds()) {
            before[feed->record().spec.name] = feed->color();
        }
        QCOMPARE(before.size(), std::size_t(3));
        window->form().setVariantEnabled(0, false);
        window->controller().shown().keepShown(true);
        window->controller().start(window->form().runs());
        QTRY_VERIFY(!window->controller().isBusy());
        QCOMPARE(window->controller().feeds().size(), std::size_t(5)); // beside those of before
        for (const ui::RunFeed* feed : window->controller().feeds()) {
            QCOMPARE(feed->color(), before.at(feed->record().spec.name));
        }
        for (const QColor& color : ui::variantColors(ui::PaletteName::Vibrant)) { // defect 19
            for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
                QVERIFY(Phase(phase) == Phase::Wait || ui::phaseColor(Phase(phase)) != color);
            }
        }
    }

    /// The drawers of log and table open, close and say how many warnings there are.
    void drawers()
    {
        const auto window = openWindow(m_fresh.store());
        finish(*window, "optimizers");
        auto* log = window->findChild<QToolButton*>(QStringLiteral("drawer:log"));
        auto* table = window->findChild<QToolButton*>(QStringLiteral("drawer:table"));
        const int whole = window->tabs().height();
        for (QToolButton* button : {log, table}) {
            QTest::mouseClick(button, Qt::LeftButton);
            QTest::qWait(20);
            QVERIFY(window->tabs().height() < whole);
            save(*window, button == log ? "layout-log" : "layout-table");
            QTest::mouseClick(button, Qt::LeftButton);
            QTest::qWait(20);
            QCOMPARE(window->tabs().height(), whole);
        }
        QCOMPARE(log->text(), QStringLiteral("Log"));
        store::Delta delta;
        delta.logs.push_back({0, {.timeNs = 1, .level = wire::LogLevel::Warning, .text = "slow"}});
        window->controller().log().append(RunId{"x"}, QStringLiteral("x"), delta);
        QCOMPARE(log->text(), QStringLiteral("Log (1 warning)"));
    }

private:
    static void looks()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1280, 800), QSize(1024, 640)}) {
            QTest::addRow("en-light-%d", size.width()) << false << false << size;
            QTest::addRow("zh-dark-%d", size.width()) << true << true << size;
        }
    }

    std::unique_ptr<ui::MainWindow> openInLook()
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        QFETCH(QSize, size);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        auto window = openWindow(m_fresh.store(), size);
        QTest::qWait(20);
        return window;
    }

    /// What is wrong with the visible fields of the form; empty: nothing.
    static QString cutFields(ui::MainWindow& window)
    {
        QStringList labels;
        const QScrollArea* area = nullptr;
        for (const ui::ParameterField* field : window.findChildren<ui::ParameterField*>()) {
            if (!field->isVisible()) {
                continue;
            }
            area = areaOf(*field);
            auto* edit = field->findChild<QLineEdit*>();
            if (edit != nullptr && edit->isVisible()) {
                edit->setFocus(Qt::TabFocusReason);
                const int text = edit->fontMetrics().horizontalAdvance(edit->text()) + 8;
                if (edit->alignment().testFlag(Qt::AlignRight) && edit->width() < text) {
                    return nameOf(*edit) + QStringLiteral(" is cut: ") + edit->text();
                }
            }
            const auto* label = field->findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
            const QString place = QString::number(quintptr(field->parentWidget())) + label->text();
            if (labels.contains(place)) { // another section may have the same word
                return QStringLiteral("twice: ") + label->text();
            }
            labels << place;
        }
        if (labels.size() < 10) {
            return QStringLiteral("there are few fields");
        }
        const bool isSideways = area->horizontalScrollBar()->maximum() > 0 || area->horizontalScrollBar()->value() > 0;
        return isSideways ? QStringLiteral("the form scrolls sideways") : QString();
    }

    static const QScrollArea* areaOf(const QWidget& widget)
    {
        const QObject* parent = &widget;
        while (parent != nullptr && qobject_cast<const QScrollArea*>(parent) == nullptr) {
            parent = parent->parent();
        }
        return qobject_cast<const QScrollArea*>(parent);
    }

    static void setPreset(ui::MainWindow& window, const std::string& name)
    {
        auto spec = experiment::preset(name);
        QVERIFY(spec);
        spec->repeats = 1;
        window.form().setSpec(*spec);
        QVERIFY2(window.form().problem().isEmpty(), qPrintable(window.form().problem()));
    }

    /// Starts the preset with ranks that go on until they are stopped.
    static void start(ui::MainWindow& window, const std::string& name)
    {
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=200");
        setPreset(window, name);
        window.controller().start(window.form().runs());
        QTRY_VERIFY(window.controller().currentFeed() != nullptr
            && window.controller().currentFeed()->record().status == analysis::RunStatus::Running);
    }

    static void finish(ui::MainWindow& window, const std::string& name)
    {
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,evaluate=100,log=50");
        setPreset(window, name);
        window.controller().start(window.form().runs());
        QTRY_VERIFY(!window.controller().isBusy());
    }

    static void stop(ui::MainWindow& window)
    {
        window.controller().stopAll();
        QTRY_VERIFY(!window.controller().isBusy());
        QTest::qWait(50);
    }

    void save(ui::MainWindow& window, const char* name)
    {
        const char* look = QTest::currentDataTag() == nullptr ? "en-light-1280" : QTest::currentDataTag();
        QVERIFY(
            window.grab().save(QStringLiteral("%1/%2-%3.png").arg(m_folder, QLatin1String(name), QLatin1String(look))));
    }

    FreshWindows m_fresh;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
};

LOCKSTEP_WINDOW_TEST(TestLayout)
#include "test_layout.moc"
