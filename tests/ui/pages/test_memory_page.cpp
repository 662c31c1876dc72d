// The page of memory, drawn from real runs in build/screenshots: its numbers are the store's.
#include "program/window_test.h"
#include "store/run_store.h"
#include "ui/models/charts/chart_model.h"
#include "ui/shell/window_fixture.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;
using ui::ChartModel;
using ui::RunsTableModel;

class TestMemoryPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void page_data();
    void page();

private:
    void checkNumbers(ui::MainWindow& window) const;

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
};

void TestMemoryPage::initTestCase()
{
    if (!QFileInfo(RealRank).isExecutable()) {
        QSKIP("there is no lockstep-rank");
    }
    isolate(m_settings);
    qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
    QVERIFY(QDir().mkpath(m_folder));
    ui::applyLanguage(ui::Language::English);
    ui::applyTheme(ui::Theme::Light);
    experiment::Spec spec{.experiment = "optimizers", .base = {}, .variants = {}, .repeats = 1};
    spec.base = {{"dataset.name", std::string("digits")}, {"dataset.train_samples", std::int64_t{1000}},
        {"dataset.test_samples", std::int64_t{100}}, {"net.name", std::string("deep-mlp")},
        {"net.depth", std::int64_t{9}}, {"net.hidden", std::int64_t{256}}, {"optimizer.name", std::string("adam")},
        {"optimizer.lr", 0.001}, {"train.batch", std::int64_t{512}}, {"train.steps", std::int64_t{12}},
        {"rank.bind", false}};
    spec.variants = {{.name = "single", .values = {}},
        {.name = "gpipe",
            .values = {{"strategy.name", std::string("pipeline")}, {"pipeline.schedule", std::string("gpipe")},
                {"pipeline.microbatches", std::int64_t{8}}}},
        {.name = "1f1b",
            .values = {{"strategy.name", std::string("pipeline")}, {"pipeline.schedule", std::string("1f1b")},
                {"pipeline.microbatches", std::int64_t{8}}}}};
    const auto window = openWindow(m_store.path());
    window->form().setSpec(spec);
    QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
    QVERIFY(!window->tabs().isOffered(window->tabs().viewOf(*ui::findChart(u"memory"))));
    window->controller().start(window->form().runs());
    QTRY_VERIFY_WITH_TIMEOUT(window->controller().table().rowCount() == 3 && !window->controller().isBusy(), 120000);
}

void TestMemoryPage::page_data()
{
    QTest::addColumn<bool>("isChinese");
    QTest::addColumn<bool>("isDark");
    QTest::newRow("en-light") << false << false;
    QTest::newRow("zh-dark") << true << true;
}

void TestMemoryPage::page()
{
    QFETCH(bool, isChinese);
    QFETCH(bool, isDark);
    ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
    ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
    const auto window = openWindow(m_store.path());
    RunsTableModel& table = window->controller().table();
    QTRY_COMPARE(table.rowCount(), 3);
    for (int row = 0; row < 3; ++row) {
        QCOMPARE(table.index(row, RunsTableModel::Status).data(Qt::DisplayRole).toString(),
            isChinese ? QStringLiteral("已完成") : QStringLiteral("finished"));
        table.setData(table.index(row, RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
    }
    const auto isRead
        = [](const ui::RunFeed* feed) { return std::int64_t(feed->loss().size()) == feed->record().summary.steps; };
    QTRY_VERIFY(window->controller().feeds().size() == 3 && std::ranges::all_of(window->controller().feeds(), isRead));
    const int tab = window->tabs().viewOf(*ui::findChart(u"memory"));
    QVERIFY(window->tabs().isOffered(tab));
    window->tabs().setCurrentIndex(tab);
    QTest::qWait(150);
    QVERIFY(
        window->grab().save(QStringLiteral("%1/memory-%2.png").arg(m_folder, QLatin1String(QTest::currentDataTag()))));
    checkNumbers(*window);
}

void TestMemoryPage::checkNumbers(ui::MainWindow& window) const
{
    const auto store = store::RunStore::open(m_store.path());
    QVERIFY(store.isOk());
    ChartModel model(*ui::findChart(u"memory"));
    model.setFeeds(window.controller().feeds());
    const ui::ChartSpec chart = model.fullChart();
    QCOMPARE(chart.x.categories.size(), std::size_t{5}); // one rank, and twice two
    // Four kinds by the formula, four measured and the rest up to the peak, and the legend's entry.
    QCOMPARE(chart.series.size(), std::size_t{10});
    std::size_t place = 0;
    for (const ui::RunFeed* feed : window.controller().feeds()) {
        const auto record = store.value()->load(feed->id());
        QVERIFY(record.isOk());
        QCOMPARE(record->summary.memory.size(), record->spec.name == "single" ? std::size_t{1} : std::size_t{2});
        QCOMPARE(feed->record().summary.memory, record->summary.memory);
        for (const analysis::RankMemory& rank : record->summary.memory) {
            double sum = 0.0;
            for (std::size_t kind = 0; kind < 4; ++kind) {
                const bool isActivations = kind == static_cast<std::size_t>(MemoryKind::Activations);
                const auto bytes = static_cast<double>(isActivations ? rank.most[kind] : rank.afterStep[kind]);
                QVERIFY(bytes > 0.0);
                QCOMPARE(chart.series[kind].style, ui::SeriesStyle::FormulaBars);
                QCOMPARE(chart.series[kind].y[place], static_cast<double>(rank.planned[kind]) / 1e6);
                QCOMPARE(chart.series[4 + kind].style, ui::SeriesStyle::StackedBars);
                QCOMPARE(chart.series[4 + kind].y[place], bytes / 1e6);
                sum += bytes;
            }
            QCOMPARE(chart.series[8].y[place], std::max(0.0, static_cast<double>(rank.highest) - sum) / 1e6);
            ++place;
        }
    }
}

LOCKSTEP_WINDOW_TEST(TestMemoryPage)
#include "test_memory_page.moc"
