// A program of one's own in the window: its parameters as fields, the question before it starts, its metrics as a
// chart.
#include "program/window_test.h"
#include "store/account/run_account.h"
#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/shell/window_fixture.h"

#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

using namespace lockstep;
using namespace lockstep::tests;

class TestOwnProgramPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        isolate(m_settings);
        ui::applyLanguage(ui::Language::English);
    }

    void itsParametersAreFields()
    {
        const auto window = openWithScript();
        ui::FormModel& form = window->form();
        QVERIFY2(form.problem().isEmpty(), qPrintable(form.problem()));
        QVERIFY(form.row("own.lr") == nullptr);
        auto* button = window->findChild<QPushButton*>(QStringLiteral("read_own_parameters"));
        QVERIFY(button != nullptr);
        button->click();
        QVERIFY(form.row("own.lr") != nullptr);
        QCOMPARE(form.row("own.lr")->text, QStringLiteral("0.1"));
        auto* field = window->findChild<QLineEdit*>(QStringLiteral("own.lr"));
        QVERIFY(field != nullptr);
        form.setText("own.lr", QStringLiteral("0.25"));
        QCOMPARE(field->text(), QStringLiteral("0.25"));
        QVERIFY(form.runs().front().settings.at("own.lr") == experiment::Value(0.25));
        QTest::qWait(100);
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/own-form.png")));
    }

    /// What a script calls its parameters is no word of ours to translate.
    void theirNamesStayAsTheyAre()
    {
        const auto window = openWithScript();
        window->findChild<QPushButton*>(QStringLiteral("read_own_parameters"))->click();
        ui::applyLanguage(ui::Language::Chinese);
        QTest::qWait(20);
        const auto* steps = window->findChild<QLineEdit*>(QStringLiteral("own.steps"));
        const QString name = steps == nullptr ? QString() : steps->accessibleName();
        ui::applyLanguage(ui::Language::English);
        QVERIFY2(name.startsWith(QStringLiteral("steps")), qPrintable(name));
    }

    void nothingStartsBeforeTheAnswer()
    {
        const auto window = openWithScript();
        ui::RunController& controller = window->controller();
        controller.start(window->form().runs());
        QVERIFY(!controller.isBusy());
        auto* question = window->findChild<QMessageBox*>(QStringLiteral("confirmation"));
        QVERIFY(question != nullptr);
        QVERIFY(question->informativeText().contains(Script));
        QVERIFY(question->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/own-confirmation.png")));
        question->reject();
        QTest::qWait(50);
        QVERIFY(!controller.isBusy());
        QVERIFY(controller.feeds().empty());
    }

    void metricsAreAChart()
    {
        const auto window = openWithScript();
        ui::RunController& controller = window->controller();
        controller.start(window->form().runs());
        auto* question = window->findChild<QMessageBox*>(QStringLiteral("confirmation"));
        QVERIFY(question != nullptr);
        for (QAbstractButton* button : question->buttons()) {
            if (question->buttonRole(button) == QMessageBox::AcceptRole) {
                button->click();
            }
        }
        QTRY_VERIFY(!controller.feeds().empty() && !controller.isBusy());
        const ui::RunFeed& feed = *controller.feeds().front();
        QTRY_COMPARE(feed.account().metrics().size(), std::size_t{1});
        QTRY_COMPARE(feed.account().metrics().at("distance").size(), std::size_t{40});
        QCOMPARE(feed.loss().size(), std::size_t{40});
        const int tab = window->tabs().viewOf(*ui::findChart(u"metric"));
        QVERIFY(tab >= 0);
        window->tabs().setCurrentIndex(tab);
        ui::ChartModel chart(*ui::findChart(u"metric"));
        chart.setFeeds(controller.feeds());
        const ui::ChartSpec drawn = chart.fullChart();
        QCOMPARE(drawn.id, QStringLiteral("metric-distance"));
        QCOMPARE(drawn.series.size(), std::size_t{1});
        QCOMPARE(drawn.series.front().y.at(0), 2.4);
        QTest::qWait(300);
        QVERIFY(window->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/own-metric.png")));
        // Asked once: the same program starts at once now.
        controller.start(window->form().runs());
        QVERIFY(controller.isBusy());
        QTRY_VERIFY(!controller.isBusy());
    }

private:
    std::unique_ptr<ui::MainWindow> openWithScript()
    {
        auto window = openWindow(m_store.path());
        auto spec = experiment::preset("own");
        spec->base["rank.program"] = "python3 '" + Script.toStdString() + "'";
        window->form().setSpec(*spec);
        return window;
    }

    const QString Script = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts/line.py");
    QTemporaryDir m_settings;
    QTemporaryDir m_store;
};

LOCKSTEP_WINDOW_TEST(TestOwnProgramPage)
#include "test_own_program_page.moc"
