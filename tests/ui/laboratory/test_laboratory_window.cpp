// A laboratory in the window, from its folder to the file that is handed in, by clicks and keys and with fake ranks.
#include "laboratory/hand_in.h"

#include "laboratory/read_laboratory.h"
#include "program/window_test.h"
#include "ui/laboratory/laboratory_hands.h"
#include "ui/laboratory/made_up_laboratory.h"
#include "ui/models/background_pool.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/pages/laboratory/hand_in_dialog.h"
#include "ui/pages/laboratory/laboratory_page.h"
#include "ui/pages/laboratory/lesson_view.h"
#include "ui/shell/laboratory_actions.h"
#include "ui/shell/pictures.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/temporary_store.h"
#include "ui/shell/window_fixture.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSemaphore>
#include <QThreadPool>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;

class TestLaboratoryWindow : public QObject, private LaboratoryHands {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_pictures.begin(); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        QSettings().clear();
        m_laboratory = writeMadeUpLaboratory(m_folder->path());
        openAgain();
        QVERIFY(page() != nullptr);
    }

    void cleanup()
    {
        m_window.reset();
        m_folder.reset();
    }

    void theStepsStandWithTheirState()
    {
        QVERIFY(page() != nullptr);
        QCOMPARE(steps().count(), 11);
        QVERIFY2(steps().item(0)->text().contains(QStringLiteral("to read")), qPrintable(steps().item(0)->text()));
        QVERIFY2(
            steps().item(5)->text().contains(QStringLiteral("predict first")), qPrintable(steps().item(5)->text()));
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("Laboratory 0: Two rates")));
        QVERIFY(m_window->findChild<QLabel*>(QStringLiteral("progress"))->text().isEmpty()); // it is no error
        click("next_step");
        QVERIFY2(steps().item(0)->text().endsWith(QStringLiteral("\nread")), qPrintable(steps().item(0)->text()));
        QCOMPARE(steps().currentRow(), 1);
    }

    void formulasAreReadableAndCodeStays()
    {
        const auto* lesson = page()->findChild<ui::LessonView*>();
        const QString text = lesson->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("w ← w − η∇L")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("code_with_$dollar$")), qPrintable(text));
    }

    void predictionsOpenTheRun()
    {
        go("rates");
        QVERIFY(!button("run_step")->isEnabled());
        m_window->findChild<QWidget*>(QStringLiteral("laboratory"))->setFocus();
        pressKeys(*m_window, Qt::CTRL | Qt::Key_Return);
        QCOMPARE(controller().feeds().size(), std::size_t(0));
        QVERIFY(!controller().isBusy());
        sealAll();
        go("rates");
        QVERIFY(!button("run_step")->isEnabled()); // the seed follows from the number
        enterStudents();
        QTRY_VERIFY(button("run_step")->isEnabled());
        runToTheEnd();
        QTRY_VERIFY_WITH_TIMEOUT(steps().item(5)->text().contains(QStringLiteral("has run")), 60'000);
        // The seed is the number's, in both variants.
        const auto& record = controller().feeds().front()->record();
        QCOMPARE(experiment::toText(record.spec.settings.find("train.seed")->second),
            std::to_string(laboratory::seedOf("007")));
        go("guess-accuracy");
        QTRY_VERIFY(!label("outcome")->text().contains(QStringLiteral("stands here once")));
    }

    /// While another experiment runs, those of the step wait for their turn.
    void runsInTheQueueAreQueued()
    {
        sealAll();
        enterStudents();
        go("rates");
        QTRY_VERIFY(button("run_step")->isEnabled());
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        auto other = *experiment::expand(*experiment::preset("optimizers"));
        other.resize(1);
        controller().start(other);
        QTRY_VERIFY(controller().isBusy());
        click("run_step");
        QTRY_VERIFY2(steps().item(5)->text().contains(QStringLiteral("queued: 2 of 2 runs")),
            qPrintable(steps().item(5)->text()));
        QCOMPARE(label("runs")->text(), QStringLiteral("0 of 2 runs have finished. 2 are queued."));
        qputenv("LOCKSTEP_FAKE", "steps=50,rate=0");
        controller().queue().stopActive();
        QTRY_VERIFY_WITH_TIMEOUT(steps().item(5)->text().contains(QStringLiteral("has run")), 60'000);
        qunsetenv("LOCKSTEP_FAKE");
    }

    /// The window is closed while they wait, and they run in the next session.
    void queuedRunsReachTheJournalAfterARestart()
    {
        sealAll();
        enterStudents();
        go("rates");
        QTRY_VERIFY(button("run_step")->isEnabled());
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=500");
        auto other = *experiment::expand(*experiment::preset("optimizers"));
        other.resize(1);
        controller().start(other);
        QTRY_VERIFY(controller().isBusy());
        click("run_step");
        QTRY_VERIFY(steps().item(5)->text().contains(QStringLiteral("queued: 2 of 2 runs")));
        controller().queue().change(QStringLiteral("pause"), 0, 0);
        controller().queue().stopActive();
        QTRY_VERIFY(!controller().isBusy());
        QVERIFY(!journal().contains("\"kind\":\"run\""));
        qputenv("LOCKSTEP_FAKE", "steps=50,rate=0");
        openAgain();
        QTRY_VERIFY2(steps().item(5)->text().contains(QStringLiteral("queued: 2 of 2 runs")),
            qPrintable(steps().item(5)->text()));
        controller().queue().change(QStringLiteral("resume"), 0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(steps().item(5)->text().contains(QStringLiteral("has run")), 60'000);
        QCOMPARE(journal().count("\"kind\":\"run\""), qsizetype{1});
        qunsetenv("LOCKSTEP_FAKE");
    }

    void whatIsSealedStays()
    {
        go("guess-way");
        button("lower")->click();
        click("seal_prediction");
        const QString seal = label("seal")->text();
        QVERIFY2(seal.contains(QStringLiteral("Seal code: ")), qPrintable(seal));
        QVERIFY(!button("higher")->isEnabled());
        QVERIFY(!button("seal_prediction")->isVisible());
        openAgain();
        go("guess-way");
        QCOMPARE(label("seal")->text(), seal);
        QVERIFY(radio("lower")->isChecked());
        QVERIFY(!button("higher")->isEnabled());
        page()->findChild<QLineEdit*>(QStringLiteral("comment"))->setText(QStringLiteral("I was sure."));
        QTest::keyClick(page()->findChild<QLineEdit*>(QStringLiteral("comment")), Qt::Key_Return);
        QVERIFY(journal().contains("I was sure."));
        QCOMPARE(label("seal")->text(), seal);
    }

    void aSealedNumberHasAllItsDigits()
    {
        go("guess-accuracy");
        type("low", "50");
        type("best", "90.1234567");
        type("high", "99");
        click("seal_prediction");
        QVERIFY(!button("seal_prediction")->isVisible());
        QCOMPARE(shown<QLineEdit>("best")->text(), QStringLiteral("90.1234567"));
    }

    /// From the menu, by its folder: work that was begun is listed.
    void choosingTheOpenLaboratoryKeepsIt()
    {
        openAgain();
        QTRY_VERIFY(listed() != nullptr);
        const ui::LaboratoryPage* before = page();
        listed()->trigger();
        QCOMPARE(page(), before);
        const QString notices = noticesOf(*m_window).text();
        QVERIFY2(!notices.contains(QStringLiteral("another window")), qPrintable(notices));
    }

    void draggedRowsMoveTheButtons()
    {
        go("sorted");
        auto* list = shown<QListWidget>("order");
        QVERIFY(button("order_down")->isEnabled());
        QVERIFY(list->model()->moveRow({}, 0, {}, 2)); // as a drop does
        list->setCurrentRow(1);
        QTRY_VERIFY(!button("order_down")->isEnabled());
        QVERIFY(list->model()->moveRow({}, 1, {}, 0));
        QTRY_VERIFY(button("order_down")->isEnabled());
    }

    /// Its menu says once what it is; the palette finds it by the menu's word and by its title, in both languages.
    void thePaletteFindsALaboratory()
    {
        openAgain();
        QTRY_VERIFY(listed() != nullptr);
        QCOMPARE(listed()->text(), QStringLiteral("Laboratory 0: Two rates"));
        const auto* invitation = m_window->findChild<QToolButton*>(QStringLiteral("invitation_laboratories"));
        QVERIFY(invitation->menu()->actions().contains(listed()));
        pressKeys(*m_window, Qt::CTRL | Qt::Key_K);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        QWidget* palette = QApplication::activePopupWidget();
        const auto* list = palette->findChild<QTreeWidget*>();
        for (const char* typed : {"two rates", "laboratories two", "课程实验 rates", "两种学习率"}) {
            palette->findChild<QLineEdit*>()->setText(QString::fromUtf8(typed));
            QVERIFY2(!list->findItems(listed()->text(), Qt::MatchExactly).isEmpty(), typed);
        }
        palette->hide();
    }

    void aPreviewShowsTheKey()
    {
        QFile key(m_laboratory + QStringLiteral("/key.json"));
        QVERIFY(key.open(QIODevice::WriteOnly));
        key.write(R"({"laboratory": "made-up", "revision": 1, "steps": {
            "updates": {"answer": "train.steps/2", "tolerance": 0.05, "points": 2},
            "why": {"points": 3, "rubric": {"en": "The size of a step."}}}})");
        key.close();
        m_window = openWindow(m_folder->filePath(QStringLiteral("preview")), {1280, 800});
        m_window->laboratories().openPreview(m_laboratory);
        QVERIFY2(page() != nullptr, qPrintable(noticesOf(*m_window).text()));
        QVERIFY(label("key")->isHidden()); // of the first step
        go("updates");
        QCOMPARE(label("key")->text(), QStringLiteral("Key: 200 / 2 = 100 updates\nTolerance: 5 %\nPoints: 2"));
        go("why");
        QCOMPARE(label("key")->text(), QStringLiteral("Points: 3\nRubric: The size of a step."));
        openAgain(); // as a student
        go("updates");
        QVERIFY(label("key")->isHidden() && label("key")->text().isEmpty());
    }

    /// However many there are: the window is there before any of them is read.
    void worksAreReadBesideTheWindow()
    {
        constexpr int Works = 200;
        const QString works = m_folder->filePath(QStringLiteral("store/laboratories/made-up-"));
        m_window.reset();
        for (int revision = 2; revision <= Works; ++revision) {
            QVERIFY(QDir().mkpath(works + QString::number(revision)));
            for (const char* file : {"/laboratory.lab", "/work.jsonl"}) {
                QVERIFY(QFile::copy(
                    works + u'1' + QLatin1String(file), works + QString::number(revision) + QLatin1String(file)));
            }
        }
        QThreadPool& readers = ui::backgroundPool();
        readers.waitForDone();
        const int threads = readers.maxThreadCount();
        readers.setMaxThreadCount(1);
        QSemaphore gate;
        readers.start([&gate] { gate.acquire(); }); // until then nothing is read
        m_window = openWindow(m_folder->filePath(QStringLiteral("store")), {1280, 800});
        QTRY_VERIFY(!m_window->form().rows().empty());
        int turns = 0;
        QTimer turning;
        connect(&turning, &QTimer::timeout, this, [&turns] { ++turns; });
        turning.start(0);
        QTRY_VERIFY(turns >= 100);
        QVERIFY(listed() == nullptr);
        gate.release();
        readers.setMaxThreadCount(threads);
        QTRY_VERIFY_WITH_TIMEOUT(listed() != nullptr, 60'000);
    }

    void aRangeInTheWrongOrderIsRefused()
    {
        go("guess-accuracy");
        type("low", "95");
        type("best", "90");
        type("high", "99");
        click("seal_prediction");
        QVERIFY(button("seal_prediction")->isVisible());
        type("low", "80");
        click("seal_prediction");
        QVERIFY(!button("seal_prediction")->isVisible());
    }

    void whatIsNotSealedIsThereAgain()
    {
        go("guess-accuracy");
        type("low", "5");
        type("best", "90,1");
        go("guess-way");
        button("higher")->click();
        openAgain();
        go("guess-way");
        QVERIFY(radio("higher")->isChecked());
        QVERIFY(button("seal_prediction")->isVisible());
        go("guess-accuracy");
        QCOMPARE(page()->findChild<QLineEdit*>(QStringLiteral("best"))->text(), QStringLiteral("90,1"));
        QCOMPARE(page()->findChild<QLineEdit*>(QStringLiteral("low"))->text(), QStringLiteral("5"));
    }

    void answersAreThereAgain()
    {
        go("why");
        auto* text = page()->findChild<QPlainTextEdit*>(QStringLiteral("answer"));
        QTest::keyClicks(text, QStringLiteral("Larger steps."));
        go("updates");
        type("answer", "1,5");
        go("reason");
        radio("noise")->click();
        go("sorted");
        button("order_down")->click();
        openAgain();
        go("why");
        QCOMPARE(page()->findChild<QPlainTextEdit*>(QStringLiteral("answer"))->toPlainText(),
            QStringLiteral("Larger steps."));
        go("updates");
        QCOMPARE(page()->findChild<QLineEdit*>(QStringLiteral("answer"))->text(), QStringLiteral("1,5"));
        go("reason");
        QVERIFY(radio("noise")->isChecked());
        go("sorted");
        QVERIFY(page()
                    ->findChild<QListWidget*>(QStringLiteral("order"))
                    ->item(0)
                    ->text()
                    .contains(QStringLiteral("Second")));
    }

    /// Without closing the window: the journal has it within a second.
    void typedTextIsWrittenMeanwhile()
    {
        go("why");
        QTest::keyClicks(page()->findChild<QPlainTextEdit*>(QStringLiteral("answer")), QStringLiteral("unforgotten"));
        QTRY_VERIFY(journal().contains("unforgotten"));
    }

    void aDrawnCurveStandsOverTheMeasurement()
    {
        go("guess-curve");
        auto* pad = m_window->findChild<ui::CurvePad*>(QStringLiteral("curve_pad"));
        QTRY_VERIFY(pad->isVisible());
        draw(*pad);
        const auto drawn = pad->curve();
        QVERIFY(drawn.size() > 30);
        QVERIFY(drawn.front().y() > drawn.back().y());
        click("seal_prediction");
        const auto sealed = pad->curve();
        draw(*pad); // it is sealed: nothing happens
        QCOMPARE(pad->curve(), sealed);
        openAgain();
        go("guess-curve");
        pad = m_window->findChild<ui::CurvePad*>(QStringLiteral("curve_pad"));
        const auto again = pad->curve();
        QCOMPARE(again.size(), sealed.size());
        for (std::size_t i = 0; i < again.size(); ++i) {
            QVERIFY(std::abs(again[i].y() - sealed[i].y()) < 1e-6);
        }
    }

    void aClaimHasItsVerdict()
    {
        sealAll();
        enterStudents();
        go("rates");
        QTRY_VERIFY(button("run_step")->isEnabled());
        runToTheEnd();
        go("claim");
        click("claim_add");
        QTRY_VERIFY(page()->findChild<QLabel*>(QStringLiteral("verdict")) != nullptr);
        QTRY_VERIFY(!label("verdict")->text().isEmpty());
        const QString verdict = label("verdict")->text();
        QVERIFY2(!verdict.contains(QStringLiteral("Not measured")), qPrintable(verdict));
        QVERIFY2(verdict.count(QStringLiteral("Cannot be told")) < 2, qPrintable(verdict)); // one repeat tells nothing
    }

    void whatIsHandedInCanBeRead()
    {
        sealAll();
        enterStudents();
        go("rates");
        QTRY_VERIFY(button("run_step")->isEnabled());
        runToTheEnd();
        go("why");
        QTest::keyClicks(page()->findChild<QPlainTextEdit*>(QStringLiteral("answer")), QStringLiteral("Larger steps."));
        documentsAreIn(m_folder->path());
        click("hand_in");
        auto* dialog = m_window->findChild<ui::HandInDialog*>();
        QTRY_VERIFY(dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->isEnabled());
        const QString missing = dialog->findChild<QLabel*>(QStringLiteral("missing"))->text();
        QVERIFY2(missing.contains(QStringLiteral("Updates")), qPrintable(missing));
        QVERIFY2(!missing.contains(QStringLiteral("Why")), qPrintable(missing));
        dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->click();
        auto* state = dialog->findChild<QLabel*>(QStringLiteral("hand_in_state"));
        QTRY_VERIFY_WITH_TIMEOUT(state->text().contains(QStringLiteral(".pdf")), 60000);
        const QStringList files = state->text().split(u'\n');
        QCOMPARE(files.size(), qsizetype{5}); // a heading, three files, and what to do with them
        QVERIFY2(files.back().contains(QFileInfo(files[1]).fileName()), qPrintable(files.back()));
        for (const QString& file : files.mid(1, 3)) {
            QVERIFY2(QFileInfo(file).size() > 100 && file.startsWith(m_folder->path()), qPrintable(file));
        }
        const auto handedIn = laboratory::readHandIn(files[1], "made-up");
        QVERIFY2(handedIn, handedIn ? "" : handedIn.error().text().c_str());
        QCOMPARE(handedIn->state.students().front().number, std::string("007"));
        QCOMPARE(handedIn->state.answerOf("why").text, std::string("Larger steps."));
        QVERIFY(handedIn->state.sealOf("guess-curve") != nullptr);
        QVERIFY(!handedIn->journal.fault().has_value());
        // Written again, as into another folder, the report has its figures again.
        const qint64 before = QFileInfo(files[2]).size();
        dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->click();
        QTRY_VERIFY(state->text().contains(QStringLiteral(".pdf")));
        QVERIFY2(QFileInfo(files[2]).size() > before * 9 / 10, qPrintable(QString::number(before)));
        dialog->close();
        readAgain(files[1]);
    }

    void theExperimentsComeBack()
    {
        QVERIFY(!m_window->findChild<QListWidget*>(QStringLiteral("gallery"))->isVisible());
        click("close_laboratory");
        QTRY_VERIFY(m_window->findChild<QListWidget*>(QStringLiteral("gallery"))->isVisible());
        QTRY_VERIFY(m_window->windowTitle().startsWith(QStringLiteral("Optimizers")));
        // The gallery lists the work, since the laboratory does not come with the program.
        auto* gallery = m_window->findChild<QListWidget*>(QStringLiteral("gallery"));
        const auto items = [gallery] { return gallery->findItems(QStringLiteral("Laboratory 0"), Qt::MatchContains); };
        QTRY_VERIFY(!items().isEmpty());
        gallery->scrollToItem(items().front());
        QTest::mouseClick(gallery->viewport(), Qt::LeftButton, {}, gallery->visualItemRect(items().front()).center());
        QTRY_VERIFY(page() != nullptr);
    }

    void pictures_data() { m_pictures.addLooks(); }
    void pictures()
    {
        const QSize size = m_pictures.startLook();
        openAgain(size);
        look("text", "start");
        look("direction", "guess-way");
        look("number", "guess-accuracy");
        look("order", "guess-order");
        go("guess-curve");
        draw(*m_window->findChild<ui::CurvePad*>(QStringLiteral("curve_pad")));
        look("curve", "guess-curve");
        look("waiting", "rates");
        sealAll();
        enterStudents();
        look("ready", "rates");
        runToTheEnd();
        look("run", "rates");
        look("curve-measured", "guess-curve");
        look("number-measured", "guess-accuracy");
        look("answer", "why");
        look("choice", "reason");
        go("claim");
        click("claim_add");
        look("claim", "claim");
        m_pictures.lookAtOpened(*m_window, QStringLiteral("laboratory-students"), [this] { click("students"); });
        click("hand_in");
        auto* dialog = m_window->findChild<ui::HandInDialog*>();
        QTRY_VERIFY(dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->isEnabled());
        m_pictures.look(*dialog, QStringLiteral("laboratory-hand-in"));
        dialog->close();
        QTest::qWait(10);
        m_pictures.endLook();
    }

private:
    /// As a lecturer opens a hand-in: all of it is there, and nothing of it can be changed.
    void readAgain(const QString& handIn)
    {
        const auto store = ui::TemporaryStore::ofHandIn(handIn);
        QVERIFY2(store.isOk(), store.isOk() ? "" : store.error().text().c_str());
        m_window = openWindow(store->folder(), {1280, 800});
        QTRY_VERIFY(!m_window->form().rows().empty());
        m_window->laboratories().openHandIn(handIn);
        QVERIFY2(page() != nullptr, qPrintable(noticesOf(*m_window).text()));
        QVERIFY2(m_window->windowTitle().contains(QStringLiteral("hand-in of 阿达 Lovelace 007")),
            qPrintable(m_window->windowTitle()));
        QTRY_VERIFY(steps().item(5)->text().contains(QStringLiteral("has run"))); // the runs are in its store
        go("why");
        QCOMPARE(page()->findChild<QPlainTextEdit*>(QStringLiteral("answer"))->toPlainText(),
            QStringLiteral("Larger steps."));
        QTest::keyClicks(shown<QPlainTextEdit>("answer"), QStringLiteral("x"));
        QVERIFY(label("laboratory_message")->text().contains(QStringLiteral("only read")));
        go("rates");
        QVERIFY(!button("run_step")->isEnabled());
        QVERIFY(!button("hand_in")->isEnabled());
        m_window.reset(); // before its store
    }

    /// The menu's entry; null: works are not read yet.
    [[nodiscard]] QAction* listed()
    {
        const auto all = m_window->findChildren<QAction*>();
        const auto found = std::ranges::find(all, QStringLiteral("Laboratory 0: Two rates"), &QAction::text);
        return found == all.end() ? nullptr : *found;
    }

    /// The window over the same store, with the laboratory open.
    void openAgain(const QSize& size = {1280, 800})
    {
        openAt(m_folder->filePath(QStringLiteral("store")), m_laboratory, size);
    }
    [[nodiscard]] QByteArray journal() const
    {
        QFile file(m_folder->filePath(QStringLiteral("store/laboratories/made-up-1/work.jsonl")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void runToTheEnd()
    {
        click("run_step");
        QTRY_COMPARE_WITH_TIMEOUT(controller().feeds().size(), std::size_t(2), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!controller().isBusy(), 120000);
        // Of 2 runs 2 have finished, in any language.
        QTRY_COMPARE_WITH_TIMEOUT(label("runs")->text().count(u'2'), qsizetype(2), 60'000);
    }

    void look(const char* name, const char* step)
    {
        go(step);
        QTest::qWait(200);
        m_pictures.look(*m_window, QStringLiteral("laboratory-%1").arg(QLatin1String(name)));
    }

    Pictures m_pictures;
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_laboratory;
};

LOCKSTEP_WINDOW_TEST(TestLaboratoryWindow)
#include "test_laboratory_window.moc"
