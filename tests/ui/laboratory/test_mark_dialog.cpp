// Mark…: the form becomes the task of `lockstep grade`, marking runs in a thread, its results are shown.
#include "base/translate.h"
#include "program/window_test.h"
#include "ui/export/report/report_pdf.h"
#include "ui/pages/laboratory/mark_dialog.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSemaphore>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
    void cleanup()
    {
        m_dialog.reset();
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
    }

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
        QCOMPARE(label("mark_state")->text(), u"Marked: 1. To mark by hand: 0 answers. Not read: 1. Equal parts: 0."_s);
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

    void runsAreRunAgainAndTheKeyIsFound()
    {
        std::vector<MarkTask> seen;
        m_dialog->setMarker([&seen](const MarkTask& task, const MarkTools&) {
            seen.push_back(task);
            return ui::MarkDialog::Result(made());
        });
        const QTemporaryDir folder;
        for (const char* name : {"a.lab", "a.key"}) {
            QFile file(folder.filePath(QLatin1StringView(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        fill();
        field("key")->clear();
        field("laboratory")->setText(folder.filePath(u"a.lab"_s));
        QCOMPARE(field("key")->text(), folder.filePath(u"a.key"_s));
        auto* again = m_dialog->findChild<QComboBox*>(u"again"_s);
        auto* sample = m_dialog->findChild<QSpinBox*>(u"again_sample"_s);
        for (int choice = 0; choice < again->count(); ++choice) {
            again->setCurrentIndex(choice);
            QCOMPARE(sample->isVisible(), choice == 1);
            QCOMPARE(field("again_runs")->isVisible(), choice == 2);
            sample->setValue(3);
            field("again_runs")->setText(u"007, run-1"_s);
            mark();
            QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isMarking(), 60'000);
        }
        QCOMPARE(seen.size(), std::size_t{3});
        QVERIFY(seen[0].again.empty() && seen[0].againSample == 0);
        QVERIFY(seen[1].again.empty() && seen[1].againSample == 3);
        QVERIFY(seen[2].again == (std::vector<std::string>{"007", "run-1"}) && seen[2].againSample == 0);
    }

    /// As report_pdf.h asks for.
    void feedbackIsDrawnInTheWindowsThread()
    {
        const report::Report report = longReport();
        const QByteArray expected = withoutDates(*ui::reportPdf(report, {}, {}));
        QVERIFY(expected.size() > 4'000);
        std::vector<QByteArray> drawn;
        m_dialog->setMarker([&](const MarkTask&, const MarkTools& tools) {
            for (int i = 0; i < 3; ++i) {
                drawn.push_back(*tools.drawPdf(report));
            }
            return ui::MarkDialog::Result(made());
        });
        fill();
        mark();
        while (m_dialog->isMarking()) {
            QCOMPARE(withoutDates(*ui::reportPdf(report, {}, {})), expected); // the window draws meanwhile
            QTest::qWait(1);
        }
        QCOMPARE(drawn.size(), std::size_t{3});
        for (const QByteArray& each : drawn) {
            QCOMPARE(withoutDates(each), expected);
        }
    }

    /// The window waits for the thread, and the thread for the window to draw: closing ends both.
    void closingEndsADrawing()
    {
        QSemaphore begun;
        std::atomic_bool isDrawn = true;
        m_dialog->setMarker([&](const MarkTask&, const MarkTools& tools) {
            begun.release();
            while (tools.progress.checkCancelled()) {
                QThread::msleep(1);
            }
            isDrawn = tools.drawPdf(longReport()).isOk();
            return ui::MarkDialog::Result(made());
        });
        fill();
        mark();
        QVERIFY(begun.tryAcquire(1, 60'000));
        m_dialog.reset();
        QVERIFY(!isDrawn);
    }

    void nothingIsClipped_data()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        for (const bool isChinese : {false, true}) {
            for (const bool isDark : {false, true}) {
                QTest::addRow("%s %s", isChinese ? "Chinese" : "English", isDark ? "dark" : "light")
                    << isChinese << isDark;
            }
        }
    }
    /// On a screen of 1024 x 640, with all that the form can show.
    void nothingIsClipped()
    {
        QFETCH(const bool, isChinese);
        QFETCH(const bool, isDark);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        m_dialog = std::make_unique<ui::MarkDialog>(nullptr);
        m_dialog->setMarker([](const MarkTask&, const MarkTools&) { return ui::MarkDialog::Result(made()); });
        m_dialog->show();
        m_dialog->setSandbox({launch::SandboxKind::NotInstalled, {},
            LS_TR("Messages", "bubblewrap is not installed: code is not run while marking")});
        look(u"empty"_s);
        fill();
        m_dialog->findChild<QComboBox*>(u"again"_s)->setCurrentIndex(2);
        mark();
        QTRY_VERIFY_WITH_TIMEOUT(!m_dialog->isMarking(), 60'000);
        look(u"marked"_s);
        QVERIFY2(m_dialog->width() <= 1024 && m_dialog->height() <= 600, "with the title bar and a panel");
        m_dialog->resize(m_dialog->minimumSizeHint());
        look(u"smallest"_s);
        for (const QWidget* each : m_dialog->findChildren<QWidget*>()) {
            const bool hasText = qobject_cast<const QAbstractButton*>(each) != nullptr
                || qobject_cast<const QComboBox*>(each) != nullptr
                || qobject_cast<const QDateTimeEdit*>(each) != nullptr || qobject_cast<const QLabel*>(each) != nullptr;
            if (hasText && each->isVisible()) {
                const int height = each->hasHeightForWidth() ? each->heightForWidth(each->width())
                                                             : each->minimumSizeHint().height();
                QVERIFY2(each->width() >= each->minimumSizeHint().width() && each->height() >= height,
                    qPrintable(each->objectName() + u' ' + each->accessibleName()));
            }
        }
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
    static report::Report longReport()
    {
        report::Report report;
        report.title = "Laboratory 1: Optimizers, 实验一";
        report.titleLines = {{"Name", "Émile Borel 王小明"}};
        report::Table table{"Points of each step", {"Step", "Points", "Why"}, {false, true, false}, {}};
        for (int i = 0; i < 20; ++i) {
            table.rows.push_back({"step " + std::to_string(i), std::to_string(i % 7), "no interval; 没有置信区间"});
        }
        report.blocks.push_back({"points", std::move(table)});
        return report;
    }
    /// Each PDF has its time and an id of its own.
    static QByteArray withoutDates(const QByteArray& pdf)
    {
        static const QRegularExpression Own(
            uR"(\(D:[^)]*\)|<[0-9a-fA-F]{32}>|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[^<]*)"_s);
        return QString::fromLatin1(pdf).remove(Own).toLatin1();
    }
    void fill() const
    {
        field("submissions")->setText(u"/class/in.zip"_s);
        field("laboratory")->setText(u"/class/a.lab"_s);
        field("key")->setText(u"/class/a.key"_s);
    }
    void mark() const { button("mark_now")->click(); }
    /// With LOCKSTEP_PICTURES=FOLDER, for eyes.
    void look(const QString& state) const
    {
        if (const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES"); !folder.isEmpty()) {
            const QString name = u"mark-%1-%2.png"_s.arg(QLatin1StringView(QTest::currentDataTag()), state);
            QVERIFY(m_dialog->grab().save(folder + u'/' + QString(name).replace(u' ', u'-')));
        }
    }
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
