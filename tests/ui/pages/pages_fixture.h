// Pages drawn from real runs in build/screenshots: a preset is run once by rank processes, then its pages are opened in
// both languages and themes. For eyes; the tests hold the numbers against the store's.
#pragma once

#include "store/run_store.h"
#include "ui/models/charts/chart_model.h"
#include "ui/shell/window_fixture.h"

#include <QDir>

#include <algorithm>
#include <functional>
#include <memory>

namespace lockstep::tests {

/// A store with the runs of one preset, and windows onto it. Of a test class, as a member.
class Pages {
public:
    static bool canRun() { return QFileInfo(RealRank).isExecutable(); }

    /// The columns and rows of a test function that is called with each look.
    static void addLooks()
    {
        QTest::addColumn<bool>("isChinese");
        QTest::addColumn<bool>("isDark");
        QTest::newRow("en-light") << false << false;
        QTest::newRow("zh-dark") << true << true;
    }

    /// Runs the preset as `change` leaves it, which makes `count` runs.
    void run(const char* preset, int count, const std::function<void(experiment::Spec&)>& change)
    {
        isolate(m_settings);
        qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
        QVERIFY(QDir().mkpath(m_folder));
        ui::applyLanguage(ui::Language::English);
        ui::applyTheme(ui::Theme::Light);
        auto spec = experiment::preset(preset);
        QVERIFY(spec);
        spec->repeats = 1;
        change(*spec);
        const auto window = openWindow(m_store.path());
        window->form().setSpec(*spec);
        QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
        window->controller().start(window->form().runs());
        QTRY_VERIFY_WITH_TIMEOUT(
            window->controller().table().rowCount() == count && !window->controller().isBusy(), 180000);
        m_count = count;
    }

    /// In the look of the current row, with all runs shown and read. Null if that failed, which the test then knows.
    std::unique_ptr<ui::MainWindow> open()
    {
        std::unique_ptr<ui::MainWindow> window;
        openInto(window);
        return QTest::currentTestFailed() ? nullptr : std::move(window);
    }

    /// `NAME-LOOK.png`, once the page has been drawn.
    void save(ui::MainWindow& window, int tab, const QString& name) const
    {
        QVERIFY(window.tabs().isOffered(tab));
        window.tabs().setCurrentIndex(tab);
        QTest::qWait(150);
        QVERIFY(window.grab().save(
            QStringLiteral("%1/%2-%3.png").arg(m_folder, name, QLatin1String(QTest::currentDataTag()))));
    }
    /// `PRESET-CHART-LOOK.png`.
    void save(ui::MainWindow& window, const char* preset, const ui::ChartKind& kind) const
    {
        save(window, window.tabs().viewOf(kind),
            QStringLiteral("%1-%2").arg(QLatin1String(preset), QLatin1String(kind.id)));
    }

    static ui::ChartSpec chartOf(ui::MainWindow& window, const ui::ChartKind& kind)
    {
        ui::ChartModel model(kind);
        model.setFeeds(window.controller().feeds());
        return model.fullChart();
    }

    [[nodiscard]] QString store() const { return m_store.path(); }

private:
    void openInto(std::unique_ptr<ui::MainWindow>& window)
    {
        QFETCH(bool, isChinese);
        QFETCH(bool, isDark);
        ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
        ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
        window = openWindow(m_store.path());
        ui::RunsTableModel& table = window->controller().table();
        QTRY_COMPARE(table.rowCount(), m_count);
        for (int row = 0; row < m_count; ++row) {
            QCOMPARE(table.index(row, ui::RunsTableModel::Status).data(Qt::DisplayRole).toString(),
                isChinese ? QStringLiteral("已完成") : QStringLiteral("finished"));
            table.setData(table.index(row, ui::RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
        }
        const auto isRead = [](const ui::RunFeed* feed) { return !feed->isReading(); };
        const ui::RunController& controller = window->controller();
        QTRY_VERIFY(int(controller.feeds().size()) == m_count && std::ranges::all_of(controller.feeds(), isRead));
    }

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
    int m_count = 0;
};

} // namespace lockstep::tests
