// The window as a person uses it, on the offscreen platform, with fake ranks that use the real protocol.
#include "analysis/numbers.h"
#include "core/engine/data/cifar10_files.h"
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/export/export_dialog.h"
#include "ui/forms/experiment_form.h"
#include "ui/models/number_text.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/shell/help_window.h"
#include "ui/shell/window_checks.h"
#include "ui/shell/window_fixture.h"
#include "ui/theme/settings.h"

#include <QAction>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using ui::RunsTableModel;

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fresh.begin(); }

    void init() { m_fresh.renew(); }

    /// Qt carries out neither of two actions that have one key.
    void everyKeyHasOneAction()
    {
        const auto window = openWindow(m_fresh.store());
        QStringList keys;
        for (const QAction* action : window->actions()) {
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
                keys << key.toString();
            }
        }
        QVERIFY(keys.contains(QStringLiteral("Ctrl+Return")));
    }

    /// Defect 29: actions, buttons and fields are found by a part of their names, by both keys.
    void everythingIsFoundByItsName()
    {
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        for (const auto& [key, modifiers] : {std::pair{Qt::Key_K, Qt::KeyboardModifiers(Qt::ControlModifier)},
                 {Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier}}) {
            QTest::keyClick(window.get(), key, modifiers);
            auto* palette = QApplication::activePopupWidget();
            QVERIFY(palette != nullptr);
            auto* list = palette->findChild<QTreeWidget*>();
            auto* edit = palette->findChild<QLineEdit*>();
            const auto found = [&](const QString& typed) {
                edit->setText(typed);
                return list->topLevelItemCount() == 0 ? QString() : list->topLevelItem(0)->text(0);
            };
            QCOMPARE(found(QStringLiteral("dark")), QStringLiteral("Appearance: Dark"));
            QCOMPARE(found(QStringLiteral("delete old")), QStringLiteral("Table of runs: Delete old runs…"));
            QCOMPARE(found(QStringLiteral("vary a")), QStringLiteral("Vary a parameter"));
            QCOMPARE(found(QStringLiteral("duplicate the")), QStringLiteral("Duplicate the experiment"));
            QCOMPARE(found(QStringLiteral("no such thing")), QString());
            QVERIFY(found(QStringLiteral("own program")).contains(QStringLiteral("own program")));
            QCOMPARE(found(QStringLiteral("test samples")).isEmpty(), false); // folded away
            QCOMPARE(found(QStringLiteral("深色")), QStringLiteral("Appearance: Dark")); // by the other language's word
            QCOMPARE(found(QStringLiteral("batch size")), QStringLiteral("Go to Batch size in samples"));
            QTest::keyClick(edit, Qt::Key_Return);
            QTRY_COMPARE(QApplication::focusWidget(), window->findChild<QWidget*>(QStringLiteral("train.batch")));
        }
    }

    /// Also one that is folded away, below what is seen of the form.
    void aFieldThatIsFoundIsSeen()
    {
        const auto window = openWindow(m_fresh.store(), {1024, 640});
        auto* form = window->findChild<ui::ExperimentForm*>();
        form->focusField("checkpoint.every");
        const auto* field = window->findChild<QWidget*>(QStringLiteral("checkpoint.every"));
        QVERIFY(field != nullptr);
        QTRY_COMPARE(field->visibleRegion().boundingRect(), field->rect());
    }

    void everyControlHasANameAndADescription()
    {
        const auto window = openWindow(m_fresh.store());
        window->form().setText("dataset.name", QStringLiteral("mnist"));
        const QStringList nameless = namelessIn(*window);
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
    }

    /// A text is a file, a folder of images is a folder: the button beside the path says which it opens.
    void aPathIsChosenAsWhatItNames()
    {
        const auto window = openWindow(m_fresh.store());
        const auto* browse = window->findChild<QWidget*>(QStringLiteral("browse:dataset.path"));
        QVERIFY(browse != nullptr);
        window->form().setText("dataset.name", QStringLiteral("idx"));
        QCOMPARE(browse->accessibleName(), QStringLiteral("Choose a folder"));
        window->form().setText("dataset.name", QStringLiteral("text"));
        QCOMPARE(browse->accessibleName(), QStringLiteral("Choose a file"));
    }

    /// Without a path CIFAR-10 is looked for where it is kept: the form says where to put it, until it is there.
    void whereCifar10GoesIsSaid()
    {
        const QTemporaryDir folder;
        const QString place = folder.filePath(QStringLiteral("cifar-10-batches-bin"));
        qputenv("LOCKSTEP_CIFAR10", place.toUtf8());
        const auto window = openWindow(m_fresh.store());
        window->form().setText("dataset.name", QStringLiteral("cifar10"));
        const QString problem = window->form().problem();
        QVERIFY2(problem.contains(QStringLiteral("cifar-10-binary.tar.gz into ") + folder.path()), qPrintable(problem));
        QVERIFY(!window->findChild<QPushButton*>(QStringLiteral("run"))->isEnabled());
        window->form().setText("dataset.name", QStringLiteral("digits"));
        QVERIFY(QDir().mkpath(place) && writeCifar10(place, 1, 1));
        window->form().setText("dataset.name", QStringLiteral("cifar10"));
        qunsetenv("LOCKSTEP_CIFAR10");
        QCOMPARE(window->form().problem(), QString());
    }

    void oneReturnTrains()
    {
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        auto* run = window->findChild<QPushButton*>(QStringLiteral("run"));
        QVERIFY(run->hasFocus());
        QTest::keyClick(run, Qt::Key_Return);
        QVERIFY(window->controller().isBusy());
        QCOMPARE(run->text(), QStringLiteral("Add to queue"));
        QVERIFY(!run->hasFocus()); // the same key again queues nothing
        QTRY_VERIFY(!window->controller().isBusy());
        QCOMPARE(window->controller().feeds().size(), std::size_t(3));
    }

    /// As they are when an experiment begins, whichever window has chosen them.
    void experimentsBeginOnTheChosenHosts()
    {
        const auto window = openWindow(m_fresh.store());
        ui::settings::hosts.write(QStringLiteral("n1 slots=1"));
        ui::settings::hostsUsed.write(true);
        const std::vector<experiment::Override> two{{"strategy.name", "data"}, {"world_size", "2"}};
        const auto spec = experiment::customise(*experiment::preset(experiment::OwnExperiment), two, {});
        QVERIFY(spec.isOk());
        QSignalSpy failed(&window->controller(), &ui::RunController::runFailed);
        window->controller().start(*experiment::expand(*spec));
        QVERIFY(failed.size() == 1 || failed.wait(60'000));
        ui::settings::hostsUsed.write(false);
        const QString message = failed.front().at(2).toString();
        QVERIFY2(
            message.contains(QStringLiteral("the run needs 2 ranks, and the hosts have 1 slots")), qPrintable(message));
    }

    void shownNumbersAreTheStores()
    {
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        const RunsTableModel& table = window->controller().table();
        QCOMPARE(table.rowCount(), 3);
        const auto store = store::RunStore::open(m_fresh.store());
        QVERIFY(store.isOk());
        for (int row = 0; row < 3; ++row) {
            const auto record = store.value()->load(table.idAt(row));
            QVERIFY(record.isOk());
            const analysis::Summary& summary = record.value().summary;
            const auto text = [&](int column) { return table.index(row, column).data(Qt::DisplayRole).toString(); };
            QCOMPARE(record.value().status, analysis::RunStatus::Finished);
            QCOMPARE(text(RunsTableModel::Status), QStringLiteral("finished"));
            QCOMPARE(text(RunsTableModel::Loss), ui::numberText(summary.finalLoss));
            QCOMPARE(text(RunsTableModel::BestLoss), ui::numberText(summary.bestLoss));
            QCOMPARE(text(RunsTableModel::Accuracy), ui::percentText(summary.testAccuracy));
            QCOMPARE(text(RunsTableModel::MsPerStep),
                QString::fromStdString(analysis::threeDigits(summary.msPerStepTypical)));
        }
        for (const ui::RunFeed* feed : window->controller().feeds()) {
            QCOMPARE(feed->loss().size(), std::size_t(200));
        }
        QVERIFY(window->controller().log().rowCount() > 0);
    }

    void storedRunsAreDrawnAgain()
    {
        {
            const auto first = openWindow(m_fresh.store());
            runAll(*first);
        }
        const auto window = openWindow(m_fresh.store());
        RunsTableModel& table = window->controller().table();
        QTRY_COMPARE(table.rowCount(), 3);
        QVERIFY(window->controller().feeds().empty());
        table.setData(table.index(1, RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
        QCOMPARE(window->controller().feeds().size(), std::size_t(1));
        QTRY_COMPARE(window->controller().feeds().front()->loss().size(), std::size_t(200));
        table.setData(table.index(1, RunsTableModel::Name), Qt::Unchecked, Qt::CheckStateRole);
        QVERIFY(window->controller().feeds().empty());
    }

    void deletedRunsComeBack()
    {
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        RunsTableModel& table = window->controller().table();
        const RunId id = table.idAt(0);
        window->controller().store().remove(id);
        QTRY_COMPARE(table.rowCount(), 2);
        window->controller().store().restore(id);
        QTRY_COMPARE(table.rowCount(), 3);
        window->controller().rename(id, QStringLiteral("kept"));
        const auto store = store::RunStore::open(m_fresh.store());
        QTRY_COMPARE(store.value()->load(id).value().label, std::string("kept"));
    }

    void aDeadRankIsNamed()
    {
        qputenv("LOCKSTEP_FAKE", "steps=200,rate=0,log=10,kill=60");
        const auto window = openWindow(m_fresh.store());
        runAll(*window);
        const auto strips = window->findChildren<ui::MessageStrip*>();
        const auto failure = std::find_if(
            strips.begin(), strips.end(), [](const ui::MessageStrip* strip) { return strip->isVisible(); });
        QVERIFY(failure != strips.end());
        QVERIFY2((*failure)->text().contains(QStringLiteral("rank 0")), qPrintable((*failure)->text()));
        QVERIFY2((*failure)->text().contains(QStringLiteral("signal 9")), qPrintable((*failure)->text()));
        const auto buttons = (*failure)->findChildren<QPushButton*>();
        QVERIFY(!buttons.isEmpty());
        qputenv("LOCKSTEP_FAKE", "steps=50,rate=0");
        QTest::mouseClick(buttons.last(), Qt::LeftButton);
        QVERIFY(window->controller().isBusy());
        QTRY_VERIFY(!window->controller().isBusy());
    }

    void pauseAndStop()
    {
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        const auto window = openWindow(m_fresh.store());
        window->controller().start(window->form().runs());
        const RunsTableModel& table = window->controller().table();
        const auto status = [&] { return table.record(window->controller().currentFeed()->id())->status; };
        QTRY_COMPARE(status(), analysis::RunStatus::Running);
        window->controller().queue().togglePause();
        QTRY_COMPARE(status(), analysis::RunStatus::Paused);
        window->controller().queue().togglePause();
        QTRY_COMPARE(status(), analysis::RunStatus::Running);
        QVERIFY(window->findChild<ui::RankStrip*>()->count() == 1);
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
    }

    void closingARunIsAsked()
    {
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        const auto window = openWindow(m_fresh.store());
        window->controller().start(window->form().runs());
        QVERIFY(!window->close());
        QVERIFY(window->isVisible());
        window->controller().stopAll();
        QTRY_VERIFY(!window->controller().isBusy());
        QVERIFY(window->close());
    }

    void wrongValueSwitchesRunOff()
    {
        const auto window = openWindow(m_fresh.store());
        auto* hidden = window->findChild<QLineEdit*>(QStringLiteral("net.hidden"));
        auto* run = window->findChild<QPushButton*>(QStringLiteral("run"));
        hidden->clear();
        QTest::keyClicks(hidden, QStringLiteral("-3"));
        QVERIFY(!run->isEnabled());
        QVERIFY(!run->toolTip().isEmpty());
        auto* error = window->findChild<QLabel*>(QStringLiteral("error:net.hidden"));
        QVERIFY(!error->text().isEmpty());
        window->form().reset("net.hidden");
        QVERIFY(run->isEnabled());
        QCOMPARE(hidden->text(), QStringLiteral("128"));
    }

    void languageChangesAtOnce()
    {
        const auto window = openWindow(m_fresh.store());
        auto* run = window->findChild<QPushButton*>(QStringLiteral("run"));
        QCOMPARE(run->text(), QStringLiteral("Run"));
        ui::applyLanguage(ui::Language::Chinese);
        QTRY_COMPARE(run->text(), QStringLiteral("开始"));
        QCOMPARE(window->tabs().titleOf(0), QStringLiteral("损失"));
        window->form().setText("train.batch", QStringLiteral("9000"));
        auto* error = window->findChild<QLabel*>(QStringLiteral("error:train.batch"));
        QCOMPARE(error->text(), QStringLiteral("9000 多于 8000 个训练样本（变体 SGD）"));
        QCOMPARE(window->form().problem(), QStringLiteral("批大小：9000 多于 8000 个训练样本（变体 SGD）"));
        ui::applyLanguage(ui::Language::English);
        QTRY_COMPARE(error->text(), QStringLiteral("9000 is more than the 8000 training samples (variant SGD)"));
        QVERIFY(run->toolTip().contains(error->text()));
        window->form().reset("train.batch");
        ui::applyLanguage(ui::Language::English);
        QTRY_COMPARE(run->text(), QStringLiteral("Run"));
    }

    void helpListsEveryParameter()
    {
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        QTest::keySequence(window.get(), QKeySequence::HelpContents);
        auto* help = window->findChild<ui::HelpWindow*>();
        QVERIFY(help != nullptr);
        auto* contents = help->findChild<QListWidget*>();
        const auto* page = help->findChild<QTextBrowser*>();
        QVERIFY(page->toPlainText().contains(QStringLiteral("Ctrl+E")));
        contents->setCurrentRow(contents->count() - 1);
        const QString text = page->toPlainText();
        for (const experiment::Parameter& parameter : experiment::parameters()) {
            const auto name = QString::fromStdString(std::string(parameter.name));
            QVERIFY2(text.contains(name), qPrintable(name));
        }
    }

    /// Both pages and titles are in the window's language; the two for developers exist in English only.
    void helpHasTheManual()
    {
        const auto restore = qScopeGuard([] { ui::applyLanguage(ui::Language::English); });
        for (const ui::Language language : {ui::Language::English, ui::Language::Chinese}) {
            const bool isChinese = language == ui::Language::Chinese;
            ui::applyLanguage(language);
            ui::HelpWindow help({}, nullptr);
            const auto* contents = help.findChild<QListWidget*>();
            auto* page = help.findChild<QTextBrowser*>();
            const QDir manual(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/docs"));
            const auto files = manual.entryList({isChinese ? QStringLiteral("*.zh_CN.md") : QStringLiteral("*.md")});
            const auto translated = isChinese
                ? files
                : files.filter(QRegularExpression(QStringLiteral("^(?!laboratories)[a-z_]+\\.md$")));
            QCOMPARE(contents->count(), translated.size() + (isChinese ? 2 : 1)); // parameters.md is English
            QCOMPARE(
                contents->item(9)->text(), isChinese ? QStringLiteral("多台主机") : QStringLiteral("Several hosts"));
            Q_EMIT page->anchorClicked(QUrl(isChinese ? QStringLiteral("hosts.zh_CN.md") : QStringLiteral("hosts.md")));
            QCOMPARE(contents->currentRow(), 9);
            QVERIFY(page->toPlainText().contains(QStringLiteral("salloc --nodes=2")));
            QVERIFY2(!page->toPlainText().contains(QStringLiteral("| --- |")), "a table that is not read as one");
        }
    }

    void exportSaysWhere()
    {
        const auto window = openWindow(m_fresh.store());
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key_E, Qt::ControlModifier);
        QVERIFY2(window->findChild<ui::ExportDialog*>() == nullptr, "there is no chart to save yet");
        QVERIFY(shownMessage(*window).contains(QStringLiteral("no chart yet")));
        runAll(*window);
        QTest::keyClick(window.get(), Qt::Key_E, Qt::ControlModifier);
        auto* dialog = window->findChild<ui::ExportDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->saved(QStringLiteral("/some/where/loss.pdf"));
        QVERIFY(shownMessage(*window).contains(QStringLiteral("/some/where/loss.pdf")));
        dialog->close();
    }

private:
    [[nodiscard]] static QString shownMessage(const ui::MainWindow& window)
    {
        for (const ui::MessageStrip* strip : window.findChildren<ui::MessageStrip*>()) {
            if (strip->isVisible()) {
                return strip->text();
            }
        }
        return {};
    }

    void runAll(ui::MainWindow& window)
    {
        window.controller().start(window.form().runs());
        QTRY_VERIFY(!window.controller().isBusy());
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(),
            [](const ui::RunFeed* feed) { return analysis::isFinal(feed->record().status); }));
        // The table receives the end through a separate signal.
        QTRY_VERIFY(std::ranges::all_of(window.controller().feeds(), [&](const ui::RunFeed* feed) {
            return analysis::isFinal(window.controller().table().record(feed->id())->status);
        }));
    }

    FreshWindows m_fresh;
};

LOCKSTEP_WINDOW_TEST(TestWindow)
#include "test_window.moc"
