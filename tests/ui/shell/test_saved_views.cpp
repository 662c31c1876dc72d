// Views that are saved under a name: as files, and in the window with fake ranks that use the real protocol.
#include "program/window_test.h"
#include "ui/models/charts/chart_model.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/pages/message_strip.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_menu.h"
#include "ui/shell/views/view_modes.h"
#include "ui/shell/window_fixture.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <algorithm>
#include <functional>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

ui::SavedView sampleView()
{
    ui::SavedView view{QStringLiteral("Loss & 准确率 <b>"), QStringLiteral("loss"), QStringLiteral("accuracy"),
        {{"20261120-221403-k3f9"}, {"20261120-221404-0000"}}, {}};
    ui::ChartOptions options;
    options.x = ui::XAxis::Seconds;
    options.smoothing = 0.07;
    options.yScale = ui::Scale::Log;
    options.showsRaw = false;
    options.first = QStringLiteral("train.batch");
    options.annotations = {{"optimizers", ui::XAxis::Seconds, 2.5, QStringLiteral("slower <from> here")}};
    view.charts = {{QStringLiteral("loss"), options}, {QStringLiteral("accuracy"), {}}};
    return view;
}

/// The view's file with one entry changed.
QByteArray changed(const std::function<void(QJsonObject&)>& change)
{
    QJsonObject object = QJsonDocument::fromJson(ui::viewAsJson(sampleView())).object();
    change(object);
    return QJsonDocument(object).toJson();
}

QAction* entryOf(ui::MainWindow& window, const QString& menu, const QString& text)
{
    for (QAction* action : window.actions()) {
        const auto* owner = qobject_cast<QMenu*>(action->property("menu").value<QObject*>());
        if (owner != nullptr && owner->title() == menu && action->text() == text) {
            return action;
        }
    }
    return nullptr;
}

} // namespace

class TestSavedViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_fresh.begin(); }
    void init() { m_fresh.renew(); }

    void sameBytesAgain()
    {
        const QByteArray text = ui::viewAsJson(sampleView());
        const auto view = ui::viewFromJson(text);
        QVERIFY(view.isOk());
        QVERIFY(*view == sampleView());
        QCOMPARE(ui::viewAsJson(*view), text);
    }

    void aViewWithoutAnnotationsIsRead()
    {
        const auto view = ui::viewFromJson(changed([](QJsonObject& o) {
            QJsonObject charts = o["charts"].toObject();
            QJsonObject loss = charts["loss"].toObject();
            loss.remove("annotations");
            charts["loss"] = loss;
            o["charts"] = charts;
        }));
        QVERIFY(view.isOk());
        QVERIFY(view->charts.at(QStringLiteral("loss")).annotations.empty());
    }

    void badFilesAreRefusedByName_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, const std::function<void(QJsonObject&)>& change, const QString& named) {
            QTest::newRow(name) << changed(change) << named;
        };
        QTest::newRow("no JSON") << QByteArray("{") << QStringLiteral("not a saved view");
        QTest::newRow("cut short") << ui::viewAsJson(sampleView()).chopped(40) << QStringLiteral("not a saved view");
        row(
            "newer", [](QJsonObject& o) { o["view"] = 2; }, QStringLiteral("newer version"));
        row(
            "unknown", [](QJsonObject& o) { o["colour"] = 1; }, QStringLiteral("colour"));
        row(
            "without a name", [](QJsonObject& o) { o["name"] = ""; }, QStringLiteral("name"));
        row(
            "missing", [](QJsonObject& o) { o.remove("opening"); }, QStringLiteral("opening"));
        row(
            "no run", [](QJsonObject& o) { o["runs"] = QJsonArray{"../../etc/passwd"}; }, QStringLiteral("runs"));
        row(
            "smoothing",
            [](QJsonObject& o) {
                QJsonObject charts = o["charts"].toObject();
                QJsonObject loss = charts["loss"].toObject();
                loss["smoothing"] = 7;
                charts["loss"] = loss;
                o["charts"] = charts;
            },
            QStringLiteral("charts.loss.smoothing"));
    }
    void badFilesAreRefusedByName()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, named);
        const auto view = ui::viewFromJson(text);
        QVERIFY(!view.isOk());
        QVERIFY2(view.error().message.find(named.toStdString()) != std::string::npos, view.error().message.c_str());
    }

    void filesAreListedByName()
    {
        const ui::SavedViews views(m_fresh.store());
        QVERIFY(views.list().views.empty());
        ui::SavedView other = sampleView();
        other.name = QStringLiteral("A/../b");
        QVERIFY(views.save(sampleView()).isOk());
        QVERIFY(views.save(other).isOk());
        other.second.clear();
        QVERIFY(views.save(other).isOk());
        QFile bad(m_fresh.store() + QStringLiteral("/views/bad.json"));
        QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("[]") == 2);
        bad.close();
        const auto listed = views.list();
        QCOMPARE(listed.views.size(), 2U);
        QVERIFY(listed.views[0] == other);
        QVERIFY(listed.views[1] == sampleView());
        QCOMPARE(listed.unreadable.size(), 1U);
        QVERIFY(views.remove(other.name).isOk());
        QVERIFY(!views.remove(other.name).isOk());
        QCOMPARE(views.list().views.size(), 1U);
        QFile full(m_fresh.store() + QStringLiteral("/file"));
        QVERIFY(full.open(QIODevice::WriteOnly));
        QVERIFY(!ui::SavedViews(full.fileName()).save(other).isOk()); // a file is no folder
    }

    /// Saved in one window, shown in the same after everything has changed, and in the next one.
    void aViewComesBack()
    {
        ui::SavedView saved;
        {
            const auto window = openWindow(m_fresh.store());
            auto& controller = window->controller();
            QTRY_VERIFY(window->form().problem().isEmpty());
            controller.start(window->form().runs());
            QTRY_VERIFY(!controller.isBusy() && controller.feeds().size() >= 3);
            auto& tabs = window->tabs();
            tabs.setCurrentIndex(tabs.viewOf(*ui::findChart(u"accuracy")));
            auto* panel = qobject_cast<ui::ChartPanel*>(tabs.currentWidget());
            ui::ChartOptions options = panel->model().options();
            options.x = ui::XAxis::Seconds;
            options.xScale = ui::Scale::Log;
            panel->setOptions(options);
            setTwo(*window, true);
            window->modes().twoCharts().second().choose(QStringLiteral("loss"));
            controller.shown().hide(controller.feeds().front()->id());
            saveByHand(*window, QStringLiteral("Two of three"));
            saved = window->views().current(QStringLiteral("Two of three"));
            QCOMPARE(saved.second, QStringLiteral("loss"));
            QCOMPARE(saved.runs.size(), controller.feeds().size());
            controller.shown().keepOnly({});
            setTwo(*window, false);
            panel->setOptions({});
            tabs.setCurrentIndex(tabs.viewOf(*ui::findChart(u"time")));
            QVERIFY(window->views().current(saved.name) != saved);
            trigger(*window, "Saved views", saved.name);
            QTRY_VERIFY(window->views().current(saved.name) == saved);
            QCOMPARE(panel->model().options().x, ui::XAxis::Seconds);
        }
        const auto next = openWindow(m_fresh.store());
        QTRY_VERIFY(next->controller().table().record(saved.runs.front()) != nullptr);
        trigger(*next, "Saved views", saved.name);
        QTRY_VERIFY(next->views().current(saved.name) == saved);
        QTest::qWait(100);
        QVERIFY(next->grab().save(QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots/saved-view.png")));
        missingRunsAreNamed(*next, saved);
    }

private:
    void missingRunsAreNamed(ui::MainWindow& window, const ui::SavedView& saved)
    {
        window.controller().store().remove(saved.runs.front());
        QTRY_VERIFY(window.controller().table().record(saved.runs.front()) == nullptr);
        trigger(window, "Saved views", saved.name);
        const auto* strip = window.findChild<ui::MessageStrip*>(QStringLiteral("notices"));
        QTRY_COMPARE(strip->text(), QStringLiteral("1 run of the view Two of three is not in the store."));
        trigger(window, "Delete a view", saved.name);
        QTRY_VERIFY(entryOf(window, QStringLiteral("Saved views"), saved.name) == nullptr);
        QVERIFY(QDir(m_fresh.store() + QStringLiteral("/views")).isEmpty());
    }

    static void setTwo(ui::MainWindow& window, bool isOn)
    {
        const QKeySequence keys(Qt::CTRL | Qt::SHIFT | Qt::Key_T);
        for (QAction* action : window.actions()) {
            if (action->shortcuts().contains(keys)) {
                action->setChecked(isOn);
            }
        }
    }

    static void saveByHand(ui::MainWindow& window, const QString& name)
    {
        const QList<QAction*> actions = window.actions();
        const auto save = std::ranges::find(actions, QStringLiteral("Save this view…"), &QAction::text);
        QVERIFY(save != actions.end());
        (*save)->trigger();
        auto* dialog = window.findChild<QInputDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setTextValue(name);
        dialog->accept();
    }

    static void trigger(ui::MainWindow& window, const char* menu, const QString& name)
    {
        QAction* entry = entryOf(window, QLatin1String(menu), name);
        QVERIFY2(entry != nullptr, qPrintable(name));
        entry->trigger();
    }

    FreshWindows m_fresh;
};

LOCKSTEP_WINDOW_TEST(TestSavedViews)
#include "test_saved_views.moc"
