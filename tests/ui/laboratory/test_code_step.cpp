// The form of a code step: the file from the template, Check in its thread, the verdict and its history.
#include "laboratory/read_laboratory.h"
#include "program/test_class.h"
#include "ui/pages/laboratory/code_pane.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/pages/laboratory/laboratory_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/code_editor.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <memory>

using namespace lockstep;
using namespace Qt::StringLiterals;

namespace {

laboratory::CodeVerdict wrongVerdict()
{
    laboratory::CodeVerdict verdict = laboratory::wrong(
        failure(LS_TR("Messages", "step %1: element %2 of parameter %3 changes by %4 instead of %5"),
            {1, 1, 1, verbatim("0.01"), verbatim("-0.01")}),
        23);
    verdict.mistake = "sign";
    verdict.mistakeName = Text(LS_TR("Messages", "the sign is wrong: the update is added"));
    verdict.mistakeFormula = "w = w + lr ...";
    return verdict;
}

} // namespace

class TestCodeStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::applyTheme(ui::Theme::Light); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }

    void cleanup()
    {
        m_page.reset();
        m_pad.reset();
        m_model.reset();
        m_folder.reset();
    }

    void theTemplateIsWrittenOnce()
    {
        QVERIFY(button("write_template")->isVisible());
        QVERIFY(!button("check_code")->isVisible());
        button("write_template")->click();
        QVERIFY(!button("write_template")->isVisible());
        QVERIFY(button("check_code")->isVisible());
        QVERIFY2(fileText().contains("class Adam"), fileText().constData());
        QVERIFY(label("code_file")->text().contains(u"adam.py"_s));
        edit("# mine\n");
        m_model->codeCheck().writeTemplate(m_model->current()); // as from a second click
        QCOMPARE(fileText(), QByteArray("# mine\n"));
    }

    /// Beside the text of the step: saved as it is typed, and shown anew where another editor has written it.
    void codeIsTypedInTheWindow()
    {
        ui::CodePane pane;
        pane.setModel(m_model.get());
        pane.showWork();
        auto* editor = pane.findChild<ui::CodeEditor*>(u"code"_s);
        QVERIFY(editor->toPlainText().contains(u"class Adam"_s));
        QVERIFY(!m_model->codeCheck().hasTyped());
        QByteArray seen;
        m_model->codeCheck().setChecker([&](const ui::CodeCheck::Job& job, const std::atomic_bool&) {
            seen = job.code;
            return Result<laboratory::CodeVerdict>(wrongVerdict());
        });
        const QString typed = QString(u"# 梯度\n"_s).repeated(30);
        editor->setPlainText(typed);
        QVERIFY(m_model->codeCheck().hasTyped());
        QTRY_VERIFY(!m_model->codeCheck().hasTyped()); // without any other action
        QCOMPARE(fileText(), typed.toUtf8());
        QVERIFY(button("check_code")->isVisible());
        editor->appendPlainText(u"last = 1"_s);
        button("check_code")->click();
        QTRY_VERIFY(!m_model->codeCheck().isRunning());
        QVERIFY(seen.endsWith("last = 1")); // what was typed a moment ago is checked
        QCOMPARE(seen, editor->toPlainText().toUtf8());
        pane.showWork();
        QCOMPARE(editor->extraSelections().size(), 1);
        QCOMPARE(editor->extraSelections().front().cursor.blockNumber(), 22);
        edit("# from outside\n");
        QTRY_COMPARE(editor->toPlainText(), u"# from outside\n"_s);
        edit("\xff\n"); // no UTF-8: it would not be saved as it was
        QTRY_VERIFY(editor->isReadOnly());
    }

    /// Also where the text is replaced with the editor's signals blocked, as CodePane does.
    void theNumbersHaveRoom()
    {
        ui::CodeEditor editor;
        const int before = editor.viewport()->x();
        const QSignalBlocker blocker(editor);
        editor.replaceText(QString(u"x = 1\n"_s).repeated(2000));
        QVERIFY(editor.viewport()->x() > before);
        QVERIFY(editor.viewport()->x() >= editor.numbersWidth());
    }

    void newLinesAndTabsAreBlanks()
    {
        ui::CodeEditor editor;
        QTest::keyClicks(&editor, u"    for w in params:"_s);
        QTest::keyClick(&editor, Qt::Key_Return);
        QTest::keyClicks(&editor, u"w"_s);
        QTest::keyClick(&editor, Qt::Key_Tab);
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), u"    for w in params:\n        w   \n        "_s);
    }

    /// The window stays usable while the code runs; each check reads the file again.
    void aCheckRunsBesideTheWindow()
    {
        QSemaphore go;
        QByteArray seen;
        m_model->codeCheck().setChecker([&](const ui::CodeCheck::Job& job, const std::atomic_bool& cancelled) {
            while (!go.tryAcquire(1, 10) && !cancelled) { }
            seen = job.code;
            return Result<laboratory::CodeVerdict>(wrongVerdict());
        });
        button("write_template")->click();
        edit("# edited outside\n");
        button("check_code")->click();
        QVERIFY(m_model->codeCheck().isRunning());
        QVERIFY(!button("check_code")->isEnabled());
        QVERIFY(button("cancel_check")->isVisible());
        QVERIFY(!label("code_verdict")->isVisible());
        go.release();
        QTRY_VERIFY(label("code_verdict")->isVisible());
        QCOMPARE(seen, QByteArray("# edited outside\n"));
        QCOMPARE(label("code_verdict")->text(),
            u"✗ Wrong, line 23: step 1: element 1 of parameter 1 changes by 0.01 instead of -0.01\n"
            "Known mistake: the sign is wrong: the update is added (w = w + lr ...)"_s);
        QVERIFY(button("check_code")->isEnabled());
        QCOMPARE(m_model->stateOf(m_model->current()), laboratory::StepState::Open);
        look(u"wrong"_s);
    }

    void itIsDoneOnceItIsRight()
    {
        bool isRight = false;
        m_model->codeCheck().setChecker([&isRight](const ui::CodeCheck::Job&, const std::atomic_bool&) {
            return Result<laboratory::CodeVerdict>(isRight ? laboratory::CodeVerdict() : wrongVerdict());
        });
        button("write_template")->click();
        for (const bool each : {false, true, false}) {
            isRight = each;
            button("check_code")->click();
            QTRY_VERIFY(!m_model->codeCheck().isRunning());
        }
        QCOMPARE(m_model->stateOf(m_model->current()), laboratory::StepState::Done); // it was right once
        const auto checks = m_model->state().checksOf("adam");
        QCOMPARE(checks.size(), std::size_t(3));
        QVERIFY(!checks[0].isRight && checks[1].isRight && checks[0].mistake == "sign");
        QVERIFY2(label("code_history")->text().contains(u"First right"_s), qPrintable(label("code_history")->text()));
        open();
        QCOMPARE(m_model->state().checksOf("adam").size(), std::size_t(3));
        QVERIFY(!m_model->work().journal().fault().has_value());
    }

    void aCancelledCheckSaysSoAndIsNoVerdict()
    {
        m_model->codeCheck().setChecker([](const ui::CodeCheck::Job&, const std::atomic_bool& cancelled) {
            while (!cancelled) {
                QThread::msleep(1);
            }
            return Result<laboratory::CodeVerdict>(failure(LS_TR("Messages", "the check was cancelled")));
        });
        button("write_template")->click();
        button("check_code")->click();
        button("cancel_check")->click();
        QTRY_VERIFY(!m_model->codeCheck().isRunning());
        QVERIFY(!label("code_verdict")->isVisible());
        QCOMPARE(label("laboratory_message")->text(), u"the check was cancelled"_s);
        QVERIFY(m_model->state().checksOf("adam").empty());
    }

    void closingCancelsAndWaits()
    {
        bool hasEnded = false;
        m_model->codeCheck().setChecker([&hasEnded](const ui::CodeCheck::Job&, const std::atomic_bool& cancelled) {
            while (!cancelled) {
                QThread::msleep(1);
            }
            hasEnded = true;
            return Result<laboratory::CodeVerdict>(failure(LS_TR("Messages", "the check was cancelled")));
        });
        button("write_template")->click();
        button("check_code")->click();
        m_page.reset();
        m_model.reset();
        QVERIFY(hasEnded);
    }

private:
    void open()
    {
        m_page.reset();
        m_model.reset();
        const auto shipped = laboratory::shippedLaboratories();
        const auto lab = laboratory::readLaboratory(
            std::ranges::find(shipped, "optimizers", &laboratory::ShippedLaboratory::id)->path);
        QVERIFY2(lab, lab ? "" : lab.error().text().c_str());
        auto work = laboratory::Work::open(m_folder->path(), *lab);
        QVERIFY2(work, work ? "" : work.error().text().c_str());
        m_model = std::make_unique<ui::LaboratoryModel>(*std::move(work),
            ui::RunLookup{[](const RunId&) { return std::optional<analysis::RunRecord>(); },
                [](const RunId&) { return std::optional<analysis::RunStatus>(); }});
        m_pad = std::make_unique<ui::CurvePad>();
        m_page = std::make_unique<ui::LaboratoryPage>(*m_model, *m_pad);
        m_page->resize(900, 1100);
        m_page->show();
        const auto& steps = m_model->laboratory().steps;
        m_model->setCurrent(static_cast<int>(std::ranges::find(steps, "adam", &laboratory::Step::id) - steps.begin()));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents(); // what is new in a layout is shown then
    }

    [[nodiscard]] QPushButton* button(const char* name)
    {
        return m_page->findChild<QPushButton*>(QLatin1StringView(name));
    }
    [[nodiscard]] QLabel* label(const char* name) { return m_page->findChild<QLabel*>(QLatin1StringView(name)); }
    [[nodiscard]] QString file() const { return laboratory::codeFileOf(m_model->work(), m_model->current()); }
    [[nodiscard]] QByteArray fileText() const
    {
        QFile read(file());
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    void edit(const QByteArray& text) const
    {
        QFile written(file());
        QVERIFY(written.open(QIODevice::WriteOnly | QIODevice::Truncate));
        written.write(text);
    }
    /// With LOCKSTEP_PICTURES=FOLDER, for eyes.
    void look(const QString& name)
    {
        if (const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES"); !folder.isEmpty()) {
            QVERIFY(m_page->grab().save(folder + u"/code-step-"_s + name + u".png"_s));
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ui::LaboratoryModel> m_model;
    std::unique_ptr<ui::CurvePad> m_pad;
    std::unique_ptr<ui::LaboratoryPage> m_page;
};

LOCKSTEP_TEST_WITH(QApplication, TestCodeStep)
#include "test_code_step.moc"
