// Mark…: the form becomes the task of `lockstep grade`, marking runs in a thread, its results are shown.
#include "base/translate.h"
#include "program/window_test.h"
#include "ui/pages/laboratory/mark_dialog.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QTest>
#include <QThread>

#include <memory>

using namespace lockstep;
using namespace lockstep::laboratory::grading;
using namespace Qt::StringLiterals;

class TestMarkDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { ui::applyTheme(ui::Theme::Light); }
    void init()
    {
        m_dialog = std::make_unique<ui::MarkDialog>(nullptr);
        m_dialog->show();
        QTRY_VERIFY_WITH_TIMEOUT(!label("sandbox_reason")->text().contains(u"being tried"_s), 60'000);
    }
    void cleanup() { m_dialog.reset(); }

    void theFormIsTheTask()
    {
        MarkTask seen;
        m_dialog->setMarker([&seen](const MarkTask& task, const MarkTools& tools) {
            seen = task;
            return tools.drawPdf ? ui::MarkDialog::Result(made()) : failure("no PDF");
        });
        QVERIFY(!button("mark_now")->isEnabled());
        fill();
        QCOMPARE(field("out")->text(), QDir::rootPath() + u"class/marks"_s); // beside the hand-ins
        field("roster")->setText(u"/class/grades.csv"_s);
        m_dialog->findChild<QComboBox*>(u"feedback"_s)->setCurrentIndex(1);
        m_dialog->setSandbox({launch::SandboxKind::Works, {}, {}});
        check("run_code")->setChecked(false);
        check("has_deadline")->setChecked(true);
        mark();
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isMarking(), 60'000);
        QCOMPARE(seen.submissions, u"/class/in.zip"_s);
        QCOMPARE(seen.laboratories, QStringList{u"/class/a.lab"_s});
        QCOMPARE(seen.keys, QStringList{u"/class/a.key"_s});
        QCOMPARE(seen.roster, u"/class/grades.csv"_s);
        QCOMPARE(seen.feedback, FeedbackFormat::Pdf);
        QVERIFY(seen.deadline.has_value() && !seen.runsCode);
        QCOMPARE(label("mark_state")->text(), u"Marked: 1. Not read: 1. Pairs to look at: 0."_s);
        const QString lines = m_dialog->findChild<QPlainTextEdit*>(u"mark_lines"_s)->toPlainText();
        QVERIFY2(lines.startsWith(u"b.handin: it has no end"_s), qPrintable(lines));
        QVERIFY(button("open_class_page")->isVisible() && button("open_marks")->isVisible());
    }

    void marksBesideTheWindowAndCancels()
    {
        QSemaphore begun;
        m_dialog->setMarker([&begun](const MarkTask&, const MarkTools& tools) {
            tools.progress.marked(3, 40);
            begun.release();
            while (tools.progress.checkCancelled()) {
                QThread::msleep(5);
            }
            return ui::MarkDialog::Result(tools.progress.checkCancelled().error());
        });
        fill();
        mark();
        QVERIFY(begun.tryAcquire(1, 60'000));
        QTRY_COMPARE_WITH_TIMEOUT(label("mark_state")->text(), u"Marked: 3 of 40"_s, 60'000);
        QVERIFY(m_dialog->isMarking() && !field("key")->isEnabled());
        QCOMPARE(button("mark_now")->text(), u"Cancel"_s);
        mark();
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isMarking(), 60'000);
        QCOMPARE(label("mark_state")->text(), u"cancelled: nothing was written"_s);
        QVERIFY(field("key")->isEnabled() && !button("open_marks")->isVisible());
        mark(); // and closing cancels first
        QVERIFY(begun.tryAcquire(1, 60'000));
        m_dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isVisible(), 60'000);
    }

    void withoutASandboxCodeIsByHand()
    {
        m_dialog->setSandbox({launch::SandboxKind::NotInstalled, {},
            LS_TR("Messages", "bubblewrap is not installed: code is not run while marking")});
        QVERIFY(!check("run_code")->isEnabled() && !check("run_code")->isChecked());
        QVERIFY(label("sandbox_reason")->text().contains(u"bubblewrap is not installed"_s));
        m_dialog->setSandbox({launch::SandboxKind::Works, {}, {}});
        QVERIFY(check("run_code")->isEnabled() && check("run_code")->isChecked());
    }

private:
    static MarkedClass made()
    {
        MarkedClass marked;
        marked.grading.marks.works.resize(1);
        marked.grading.unread = {{"b.handin", failure(LS_TR("Messages", "it has no end"))}};
        return marked;
    }
    void fill() const
    {
        field("submissions")->setText(u"/class/in.zip"_s);
        field("laboratory")->setText(u"/class/a.lab"_s);
        field("key")->setText(u"/class/a.key"_s);
    }
    void mark() const { button("mark_now")->click(); }
    [[nodiscard]] QLineEdit* field(const char* name) const
    {
        return m_dialog->findChild<QLineEdit*>(QLatin1StringView(name));
    }
    [[nodiscard]] QLabel* label(const char* name) const
    {
        return m_dialog->findChild<QLabel*>(QLatin1StringView(name));
    }
    [[nodiscard]] QCheckBox* check(const char* name) const
    {
        return m_dialog->findChild<QCheckBox*>(QLatin1StringView(name));
    }
    [[nodiscard]] QPushButton* button(const char* name) const
    {
        return m_dialog->findChild<QPushButton*>(QLatin1StringView(name));
    }

    std::unique_ptr<ui::MarkDialog> m_dialog;
};

LOCKSTEP_WINDOW_TEST(TestMarkDialog)
#include "test_mark_dialog.moc"
