// Experiments as documents in the window: its title, the gallery, the keys, the clipboard.
#include "experiment/spec.h"
#include "program/busy_machine.h"
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/form/form_model.h"
#include "ui/pages/message_strip.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/window_fixture.h"
#include "wire/messages.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QUrl>

using namespace lockstep;
using namespace lockstep::tests;

class TestDocumentActions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        // A dialog that grows tells its window, which the offscreen platform does not hear.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
        isolate(m_settings);
        m_store = std::make_unique<QTemporaryDir>();
        QSettings().setValue(QStringLiteral("experiments/mine"), mine());
        QDir(mine()).removeRecursively();
        ui::applyLanguage(ui::Language::English);
        m_window = openWindow(m_store->path(), {1280, 800});
        m_gallery = m_window->findChild<QListWidget*>(QStringLiteral("gallery"));
    }
    void cleanup() { m_window.reset(); }

    void theTitleSaysWhatIsOpenAndWhetherItIsSaved()
    {
        form().undoStack().setIndex(0);
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Optimizers – Lockstep"));
        form().setText("train.batch", QStringLiteral("48"));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Optimizers (not saved) – Lockstep"));
        QVERIFY(item(QStringLiteral("optimizers"))->text().endsWith(u'•'));
        form().undoStack().undo();
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Optimizers – Lockstep"));
        QVERIFY(!item(QStringLiteral("optimizers"))->text().endsWith(u'•'));
    }

    void aNewExperimentIsSavedUnderMine()
    {
        actions().create->trigger();
        QCOMPARE(m_window->windowTitle(), QStringLiteral("SGD, MLP (not saved) – Lockstep"));
        form().setAbout({{"Batch sizes", "批次大小"}, {"How large?", {}}, {}, {}});
        form().setText("train.batch", QStringLiteral("48"));
        const QString path = QDir(mine()).filePath(QStringLiteral("batch-sizes.json"));
        QCOMPARE(actions().document().suggestedFileName(), QStringLiteral("batch-sizes.json"));
        QVERIFY(actions().document().save(path).isOk());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Batch sizes – Lockstep"));
        actions().shelf().refresh();
        QTRY_VERIFY(item(path) != nullptr && item(path)->toolTip() == QStringLiteral("How large?"));
        // From another and back by the gallery, also in Chinese.
        actions().open(QStringLiteral("scaling"));
        QCOMPARE(form().experiment(), std::string("scaling"));
        m_gallery->setCurrentItem(item(path));
        QCOMPARE(form().row("train.batch")->text, QStringLiteral("48"));
        ui::applyLanguage(ui::Language::Chinese);
        QTRY_COMPARE(m_window->windowTitle(), QStringLiteral("批次大小 – Lockstep"));
        QTRY_VERIFY(item(path) != nullptr && item(path)->text().contains(QStringLiteral("批次大小")));
        m_window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/documents-zh.png"));
        ui::applyLanguage(ui::Language::English);
        QTest::qWait(50);
        m_window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/documents-en.png"));
    }

    void theChartThatItOpensWithIsChosenInTheForm()
    {
        actions().create->trigger();
        auto* chart = m_window->findChild<QComboBox*>(QStringLiteral("about_chart"));
        QVERIFY(chart != nullptr);
        QCOMPARE(chart->currentIndex(), 0);
        const int heatMap = chart->findData(QStringLiteral("heat-map"));
        QVERIFY(heatMap > 0);
        chart->setCurrentIndex(heatMap);
        Q_EMIT chart->activated(heatMap);
        QCOMPARE(form().about().charts, std::vector<std::string>{"heat-map"});
        const QString path = QDir(mine()).filePath(QStringLiteral("with-chart.json"));
        QVERIFY(actions().document().save(path).isOk());
        actions().open(QStringLiteral("scaling"));
        actions().open(path);
        QCOMPARE(chart->currentData().toString(), QStringLiteral("heat-map"));
        chart->setCurrentIndex(0);
        Q_EMIT chart->activated(0);
        QVERIFY(form().about().charts.empty());
        form().undoStack().undo();
        QCOMPARE(form().about().charts, std::vector<std::string>{"heat-map"});
    }

    void filesAndFoldersAreDropped()
    {
        const QTemporaryDir given;
        QVERIFY(QFile::copy(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/presets/scaling.json"),
            given.filePath(QStringLiteral("handed-out.json"))));
        drop(given.path());
        QTRY_VERIFY(item(given.filePath(QStringLiteral("handed-out.json"))) != nullptr);
        QCOMPARE(form().experiment(), std::string("optimizers")); // a folder is only listed
        drop(given.filePath(QStringLiteral("handed-out.json")));
        const QString copy = QDir(mine()).filePath(QStringLiteral("handed-out.json"));
        QVERIFY(QFile::exists(copy));
        QCOMPARE(form().experiment(), std::string("scaling"));
        QTRY_VERIFY(item(copy) != nullptr && m_gallery->currentItem() == item(copy));
    }

    void aScriptIsAProgram()
    {
        const QString script = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts/line.py");
        drop(script);
        QCOMPARE(form().experiment(), std::string("own"));
        const ui::FormRow* program = form().row("rank.program");
        QVERIFY(program != nullptr && program->isShown);
        const QString folder = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts");
        QCOMPARE(program->text, QStringLiteral("env -C %1 python3 %2").arg(folder, script)); // as if started there
        QVERIFY(form().row("own.lr") != nullptr); // read, not run
    }

    void aProgramIsTyped()
    {
        actions().ownProgram->trigger();
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("own_program"));
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit*>(QStringLiteral("own_command"))->setText(QStringLiteral("true --lr 0.1"));
        dialog->findChild<QSpinBox*>(QStringLiteral("own_ranks"))->setValue(2);
        for (auto* button : dialog->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Open")) {
                button->click();
                break;
            }
        }
        QCOMPARE(form().row("rank.program")->text, QStringLiteral("true --lr 0.1"));
        QCOMPARE(form().row("world_size")->text, QStringLiteral("2"));
    }

    void filesOfRunsAreImported()
    {
        drop(QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/data/runs/20261122-191949-et1d.run"));
        QTRY_VERIFY(visibleStrip() != nullptr && visibleStrip()->text().contains(QStringLiteral("New runs: 1")));
        QVERIFY(QFile::exists(m_store->filePath(QStringLiteral("20261122-191949-et1d.run"))));
        QCOMPARE(form().experiment(), std::string("optimizers"));
        QFile broken(m_store->filePath(QStringLiteral("broken.lockstep")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("PK") > 0);
        broken.close();
        actions().open(broken.fileName());
        QTRY_VERIFY(
            visibleStrip() != nullptr && visibleStrip()->text().contains(QStringLiteral("is not a zip archive")));
    }

    void whatCannotBeOpenedIsSaid()
    {
        const QString path = QDir(m_store->path()).filePath(QStringLiteral("newer.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(R"({"version":7})") > 0);
        file.close();
        actions().open(path);
        const ui::MessageStrip* strip = visibleStrip();
        QVERIFY(strip != nullptr);
        QVERIFY2(strip->text().contains(QStringLiteral("version: 7")), qPrintable(strip->text()));
        QCOMPARE(form().experiment(), std::string("optimizers"));
    }

    void theCommandStartsTheSameRuns()
    {
        form().setText("train.batch", QStringLiteral("48"));
        actions().copyCommand->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(),
            QStringLiteral("lockstep run optimizers --set train.batch=48 --set repeats=1"));
    }

    void closingAsksForWhatIsNotSaved()
    {
        actions().create->trigger();
        form().setText("train.batch", QStringLiteral("48"));
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        const ui::MessageStrip* strip = visibleStrip();
        QVERIFY(strip != nullptr);
        QVERIFY2(strip->text().contains(QStringLiteral("SGD, MLP")), qPrintable(strip->text()));
        for (auto* button : strip->findChildren<QAbstractButton*>()) {
            if (button->text() == QStringLiteral("Discard")) {
                button->click();
                break;
            }
        }
        QTRY_VERIFY(!m_window->isVisible());
    }

    /// By the keyboard: the first answer has the focus, Escape keeps the window.
    void escapeKeepsTheWindow()
    {
        actions().create->trigger();
        form().setText("train.batch", QStringLiteral("48"));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(!m_window->close());
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(noticeButton(QStringLiteral("Save"))));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(visibleStrip() == nullptr);
        QVERIFY(m_window->isVisible());
    }

    void closingSavesByName()
    {
        actions().create->trigger();
        form().setAbout({{"Momentum sweep", {}}, {}, {}, {}});
        const QString place = actions().document().place();
        QTRY_VERIFY(item(place) != nullptr && item(place)->text().trimmed() == QStringLiteral("Momentum sweep •"));
        QVERIFY(!m_window->close());
        QVERIFY(noticeButton(QStringLiteral("Cancel")) != nullptr);
        noticeButton(QStringLiteral("Save"))->click();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(QFile::exists(QDir(mine()).filePath(QStringLiteral("momentum-sweep.json"))));
    }

    /// By F2 and by the menu of the gallery; both can be undone.
    void anExperimentIsRenamedAndDeleted()
    {
        actions().create->trigger();
        form().setAbout({{"Momentum sweep", {}}, {}, {}, {}});
        const QString path = QDir(mine()).filePath(QStringLiteral("momentum-sweep.json"));
        QVERIFY(actions().document().save(path).isOk());
        actions().shelf().refresh();
        QTRY_VERIFY(item(path) != nullptr);
        m_gallery->setCurrentItem(item(path));
        galleryAction(QKeySequence(Qt::Key_F2))->trigger();
        QTRY_VERIFY(m_window->findChild<QInputDialog*>() != nullptr);
        auto* dialog = m_window->findChild<QInputDialog*>();
        QCOMPARE(dialog->textValue(), QStringLiteral("Momentum sweep"));
        dialog->setTextValue(QStringLiteral("Momentum"));
        dialog->accept();
        QTRY_COMPARE(actions().title(), QStringLiteral("Momentum"));
        QTRY_COMPARE(item(path)->text().trimmed(), QStringLiteral("Momentum •")); // before it is saved
        form().undoStack().undo();
        QCOMPARE(actions().title(), QStringLiteral("Momentum sweep"));
        galleryAction(QKeySequence(QKeySequence::Delete))->trigger();
        QTRY_VERIFY(!QFile::exists(path));
        QCOMPARE(form().experiment(), std::string(experiment::presetNames().front()));
        QTRY_VERIFY(noticeButton(QStringLiteral("Undo")) != nullptr);
        noticeButton(QStringLiteral("Undo"))->click();
        QTRY_VERIFY(QFile::exists(path));
        QCOMPARE(actions().title(), QStringLiteral("Momentum sweep"));
    }

    void aPresetIsOnlyDuplicated()
    {
        m_gallery->setCurrentItem(item(QStringLiteral("scaling")));
        QVERIFY(!galleryAction(QKeySequence(Qt::Key_F2))->isEnabled());
        QVERIFY(!galleryAction(QKeySequence(QKeySequence::Delete))->isEnabled());
        QVERIFY(galleryAction({})->isEnabled());
        galleryAction({})->trigger();
        QCOMPARE(actions().title(), QStringLiteral("Scaling (copy)"));
        for (const experiment::RunSpec& each : form().runs()) { // they are filed under it
            QCOMPARE(each.title.en, std::string("Scaling (copy)"));
        }
        QVERIFY(form().key() != "scaling");
    }

    /// A run of the table from its first rows on, and finished once its rank has ended.
    void aRecordingThatIsStillWrittenIsFollowed()
    {
        const QString path = recording(QStringLiteral("run.rank0"), {});
        actions().open(path);
        QTRY_COMPARE(runCount(), 1);
        auto* show = noticeButton(QStringLiteral("Show the run"));
        QVERIFY(show != nullptr);
        show->click();
        QTRY_COMPARE(m_window->controller().feeds().size(), std::size_t(1));
        const RunId id = m_window->controller().feeds().front()->id();
        const auto status = [&] { return m_window->controller().table().record(id)->status; };
        QCOMPARE(status(), analysis::RunStatus::Running);
        // Opened again it is the same run.
        actions().open(path);
        QTRY_VERIFY(noticeButton(QStringLiteral("Show the run")) != nullptr);
        append(path, {wire::Goodbye{}});
        QTRY_COMPARE(status(), analysis::RunStatus::Finished);
        QCOMPARE(runCount(), 1);
    }

    void readingARecordingCanBeStopped()
    {
        actions().open(recording(QStringLiteral("stopped.rank0"), {}));
        QTRY_COMPARE(runCount(), 1);
        QTRY_VERIFY(noticeButton(QStringLiteral("Stop reading")) != nullptr);
        noticeButton(QStringLiteral("Stop reading"))->click();
        const auto& table = m_window->controller().table();
        QTRY_COMPARE(table.records().front().status, analysis::RunStatus::Interrupted);
    }

    /// Also one whose ranks have just ended, and the files of several ranks as one.
    void aRecordingThatHasEndedIsImported()
    {
        const QString path = recording(QStringLiteral("ended.rank0"), {wire::Goodbye{}});
        actions().addDropped({path, path});
        QTRY_VERIFY(
            noticesOf(*m_window).isVisible() && noticesOf(*m_window).text().contains(QStringLiteral("New runs: 1")));
        QTRY_COMPARE(runCount(), 1);
    }

    void closingEndsReadingARecording()
    {
        actions().open(recording(QStringLiteral("other.rank0"), {}));
        QTRY_COMPARE(runCount(), 1);
        QElapsedTimer clock;
        clock.start();
        m_window.reset();
        QVERIFY(isWithin(clock.elapsed(), 5000));
        const auto store = store::RunStore::open(m_store->path());
        QCOMPARE((*store)->list().front().status, analysis::RunStatus::Interrupted);
    }

private:
    [[nodiscard]] int runCount() const { return m_window->controller().table().rowCount(); }
    [[nodiscard]] QAction* galleryAction(const QKeySequence& key) const
    {
        for (QAction* action : m_gallery->actions()) {
            if (action->shortcut() == key) {
                return action;
            }
        }
        return nullptr;
    }
    [[nodiscard]] QAbstractButton* noticeButton(const QString& text) const
    {
        for (auto* button : noticesOf(*m_window).findChildren<QAbstractButton*>()) {
            if (button->isVisible() && button->text() == text) {
                return button;
            }
        }
        return nullptr;
    }
    /// Of one rank, which has sent a step and then `more`.
    [[nodiscard]] QString recording(const QString& name, const std::vector<wire::Message>& more) const
    {
        const QString path = QDir(m_settings.path()).filePath(name);
        const experiment::RunSpec run = experiment::expand(*experiment::preset("optimizers"))->front();
        wire::StepBatch steps;
        steps.rows.push_back({.step = 1, .endNs = 2'000'000, .wallNs = 1'000'000, .samples = 64, .batch = 64});
        append(path, {wire::Welcome{.specJson = experiment::toJson(run)}, wire::Hello{}, steps});
        append(path, more);
        return path;
    }
    static void append(const QString& path, const std::vector<wire::Message>& messages)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append));
        for (const wire::Message& message : messages) {
            const auto frame = wire::encode(message);
            file.write(reinterpret_cast<const char*>(frame->data()), static_cast<qint64>(frame->size()));
        }
    }
    [[nodiscard]] ui::FormModel& form() const { return m_window->form(); }
    [[nodiscard]] ui::DocumentActions& actions() const { return m_window->documents(); }
    [[nodiscard]] QString mine() const { return QDir(m_settings.path()).filePath(QStringLiteral("mine")); }
    [[nodiscard]] QListWidgetItem* item(const QString& place) const
    {
        for (int row = 0; row < m_gallery->count(); ++row) {
            if (m_gallery->item(row)->data(Qt::UserRole).toString() == place) {
                return m_gallery->item(row);
            }
        }
        return nullptr;
    }
    [[nodiscard]] const ui::MessageStrip* visibleStrip() const
    {
        for (const auto* strip : m_window->findChildren<ui::MessageStrip*>()) {
            if (strip->isVisible()) {
                return strip;
            }
        }
        return nullptr;
    }
    void drop(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        // Only what a drag has entered gets the drop.
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
    }

    QTemporaryDir m_settings;
    std::unique_ptr<QTemporaryDir> m_store;
    std::unique_ptr<ui::MainWindow> m_window;
    QListWidget* m_gallery = nullptr;
};

LOCKSTEP_WINDOW_TEST(TestDocumentActions)
#include "test_document_actions.moc"
