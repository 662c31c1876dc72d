// Not a test of its own: the window that test_laboratory_kills kills. It does one thing at the laboratory's page over
// and over, and says on standard output, in lines that begin with `# `, what it has done.
#include "base/clock.h"
#include "program/window_test.h"
#include "ui/laboratory/laboratory_hands.h"
#include "ui/pages/laboratory/hand_in_dialog.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>

#include <functional>

#include <unistd.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int BetweenKeysMs = 10;

/// At once, and whole: the reader must know what was done when the process is killed.
void say(const QString& what)
{
    const QByteArray line = "# " + what.toUtf8() + '\n';
    if (::write(STDOUT_FILENO, line.constData(), static_cast<std::size_t>(line.size())) != line.size()) {
        ::_exit(1); // nobody reads it
    }
}

} // namespace

class DriveLaboratory : public QObject, private LaboratoryHands {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!m_folder.isEmpty(), "test_laboratory_kills starts it");
        QCoreApplication::setOrganizationName(QStringLiteral("LockstepTests"));
        QCoreApplication::setApplicationName(QStringLiteral("lockstep"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, qEnvironmentVariable("XDG_CONFIG_HOME"));
        ui::loadResources();
        ui::applyLanguage(ui::Language::English);
        openAt(m_folder + QStringLiteral("/store"), m_folder + QStringLiteral("/made-up"));
        say(QStringLiteral("open"));
    }
    void cleanupTestCase() { m_window.reset(); }

    /// Until it is killed, but for `once`, `once more` and `open`.
    void drive()
    {
        const QString what = qEnvironmentVariable("LOCKSTEP_DRIVE");
        if (what == QStringLiteral("type")) {
            typeNumbers();
        } else if (what == QStringLiteral("seal")) {
            sealAndComment();
        } else if (what == QStringLiteral("run")) {
            runAgain();
        } else if (what == QStringLiteral("hand in")) {
            handInAgain();
        } else if (what == QStringLiteral("once")) { // all that a hand-in needs
            sealAll();
            enterStudents();
            startRuns();
            handIn();
        } else if (what == QStringLiteral("once more")) {
            handIn();
        } else {
            QCOMPARE(what, QStringLiteral("open"));
        }
    }

private:
    [[noreturn]] void typeNumbers()
    {
        go("why");
        for (int number = 1;; ++number) {
            QTest::keyClicks(shown<QPlainTextEdit>("answer"), QString::number(number) + u' ');
            say(QStringLiteral("typed %1 %2").arg(number).arg(monotonicNs() / 1'000'000));
            QTest::qWait(BetweenKeysMs);
        }
    }

    void sealOne(const char* step, const std::function<void()>& predict)
    {
        go(step);
        predict();
        say(QStringLiteral("seals %1").arg(QLatin1String(step)));
        click("seal_prediction");
        say(QStringLiteral("sealed %1 %2").arg(QLatin1String(step), label("seal")->text().simplified()));
    }
    void sealAndComment()
    {
        sealOne("guess-way", [this] { radio("lower")->click(); });
        sealOne("guess-accuracy", [this] {
            type("low", "50");
            type("best", "90");
            type("high", "99");
        });
        sealOne("guess-order", [] {});
        sealOne("guess-curve", [this] { draw(*m_window->findChild<ui::CurvePad*>(QStringLiteral("curve_pad"))); });
        go("guess-way");
        for (int number = 1;; ++number) {
            auto* comment = shown<QLineEdit>("comment");
            comment->setText(QString::number(number));
            QTest::keyClick(comment, Qt::Key_Return);
            say(QStringLiteral("commented %1").arg(number));
            QTest::qWait(BetweenKeysMs);
        }
    }

    void startRuns()
    {
        go("rates");
        QTRY_VERIFY(button("run_step")->isEnabled());
        say(QStringLiteral("runs"));
        click("run_step");
        QTRY_VERIFY(label("runs")->text().contains(u'2'));
        QTRY_VERIFY_WITH_TIMEOUT(!controller().isBusy(), 240'000);
        say(QStringLiteral("ran"));
    }
    [[noreturn]] void runAgain()
    {
        for (;;) {
            startRuns();
        }
    }

    void handIn()
    {
        documentsAreIn(m_folder + QStringLiteral("/documents"));
        click("hand_in");
        auto* dialog = m_window->findChild<ui::HandInDialog*>();
        QVERIFY(dialog != nullptr);
        QTRY_VERIFY(dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->isEnabled());
        say(QStringLiteral("hands in"));
        dialog->findChild<QPushButton*>(QStringLiteral("hand_in_now"))->click();
        const auto* state = dialog->findChild<QLabel*>(QStringLiteral("hand_in_state"));
        QTRY_VERIFY_WITH_TIMEOUT(state->text().contains(QStringLiteral(".pdf")), 240'000);
        say(QStringLiteral("handed in"));
        dialog->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[noreturn]] void handInAgain()
    {
        for (;;) {
            handIn();
        }
    }

    const QString m_folder = qEnvironmentVariable("LOCKSTEP_DRIVE_FOLDER");
};

LOCKSTEP_WINDOW_TEST(DriveLaboratory)
#include "drive_laboratory.moc"
