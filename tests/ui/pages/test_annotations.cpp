// The user's own remarks in charts: written in a dialog, drawn for their experiment and axis, kept for the next start.
#include "program/window_test.h"
#include "ui/charts/chart_view.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/chart_view_menu.h"

#include <QAction>
#include <QDialog>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

QStringList marksOf(const ui::ChartModel& model)
{
    QStringList marks;
    for (const ui::MarkSpec& mark : model.fullChart().marks) {
        marks << QStringLiteral("%1 at %2").arg(mark.text).arg(mark.x);
    }
    return marks;
}

QDialog* dialogOf(const QWidget& panel)
{
    panel.findChild<ui::ChartViewMenu*>()->menu()->actions().last()->trigger();
    return panel.findChild<QDialog*>();
}

void press(const QDialog& dialog, const QString& text)
{
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        if (button->text() == text) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
    }
    QFAIL(qPrintable(text));
}

} // namespace

class TestAnnotations : public QObject {
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

    void theyAreOfAnExperimentAndAnAxis()
    {
        const auto runs = sampleRuns();
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartOptions options;
        options.annotations = {{"optimizers", ui::XAxis::Step, 100.0, QStringLiteral("here")},
            {"aggregation", ui::XAxis::Step, 200.0, QStringLiteral("elsewhere")},
            {"optimizers", ui::XAxis::Seconds, 0.1, QStringLiteral("then")}};
        model.setOptions(options);
        QCOMPARE(marksOf(model), QStringList{QStringLiteral("here at 100")});
        options.x = ui::XAxis::Seconds;
        model.setOptions(options);
        QCOMPARE(marksOf(model), QStringList{QStringLiteral("then at 0.1")});
    }

    void theyAreWrittenMovedAndRemoved()
    {
        const auto runs = sampleRuns();
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(feedsOf(runs));
        ui::ChartPanel panel(model);
        panel.resize(760, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QTRY_VERIFY(!panel.findChild<ui::ChartView*>()->chart().series.empty());
        QDialog* dialog = dialogOf(panel);
        QVERIFY(dialog != nullptr);
        press(*dialog, QStringLiteral("Add"));
        auto* table = dialog->findChild<QTableWidget*>();
        table->item(0, 1)->setText(QStringLiteral("warm-up ends"));
        const auto [low, high] = panel.findChild<ui::ChartView*>()->horizontalRange();
        QCOMPARE(marksOf(model), QStringList{QStringLiteral("warm-up ends at %1").arg(std::round((low + high) / 2.0))});
        table->item(0, 0)->setData(Qt::EditRole, 125.0);
        const QStringList written{QStringLiteral("warm-up ends at 125")};
        QCOMPARE(marksOf(model), written);
        QTRY_COMPARE(panel.findChild<ui::ChartView*>()->chart().marks.size(), std::size_t(1));
        QVERIFY(QDir().mkpath(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots")));
        QVERIFY(panel.grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/annotation.png")));
        QVERIFY(dialog->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/annotations.png")));
        {
            ui::ChartModel next(*ui::findChart(u"loss"));
            next.setFeeds(feedsOf(runs));
            const ui::ChartPanel later(next);
            QCOMPARE(marksOf(next), written); // as at the next start
        }
        press(*dialog, QStringLiteral("Remove"));
        QCOMPARE(marksOf(model), QStringList());
        dialog->close();
    }

private:
    QTemporaryDir m_folder;
};

LOCKSTEP_WINDOW_TEST(TestAnnotations)
#include "test_annotations.moc"
