// The pages of partitions, drawn from real runs in build/screenshots: their numbers are the store's.
#include "session/store/run_store.h"
#include "ui/models/chart_model.h"
#include "window_fixture.h"

#include <QTabWidget>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;
using ui::ChartModel;
using ui::RunsTableModel;

class TestPartitionPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pages_data();
    void pages();

private:
    static ui::ChartSpec chartOf(ui::MainWindow& window, ChartModel::Kind kind)
    {
        ChartModel model(kind);
        model.setFeeds(window.controller().feeds());
        return model.fullChart();
    }
    void checkNumbers(ui::MainWindow& window) const;

    QTemporaryDir m_settings;
    QTemporaryDir m_store;
    const QString m_folder = QStringLiteral(LOCKSTEP_BINARY_DIR "/screenshots");
};

void TestPartitionPages::initTestCase()
{
    if (!QFileInfo(RealRank).isExecutable()) {
        QSKIP("there is no lockstep-rank");
    }
    isolate(m_settings);
    qputenv("LOCKSTEP_RANK", RealRank.toUtf8());
    QVERIFY(QDir().mkpath(m_folder));
    ui::applyLanguage(ui::Language::English);
    ui::applyTheme(ui::Theme::Light);
    auto spec = experiment::preset("partitioning");
    QVERIFY(spec);
    spec->repeats = 2;
    spec->base["dataset.train_samples"] = std::int64_t{2000};
    spec->base["train.epochs"] = std::int64_t{2};
    spec->base["rank.bind"] = false;
    std::erase_if(spec->variants, [](const experiment::Variant& variant) {
        return variant.name != "random" && variant.name != "by-label" && variant.name != "dirichlet-0.5"
            && variant.name != "unequal";
    });
    const auto window = openWindow(m_store.path());
    window->form().setSpec(*spec);
    QVERIFY2(window->form().problem().isEmpty(), qPrintable(window->form().problem()));
    window->controller().start(window->form().runs());
    QTRY_VERIFY_WITH_TIMEOUT(window->controller().table().rowCount() == 8 && !window->controller().isBusy(), 120000);
}

void TestPartitionPages::pages_data()
{
    QTest::addColumn<bool>("isChinese");
    QTest::addColumn<bool>("isDark");
    QTest::newRow("en-light") << false << false;
    QTest::newRow("zh-dark") << true << true;
}

void TestPartitionPages::pages()
{
    QFETCH(bool, isChinese);
    QFETCH(bool, isDark);
    ui::applyLanguage(isChinese ? ui::Language::Chinese : ui::Language::English);
    ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
    const auto window = openWindow(m_store.path());
    RunsTableModel& table = window->controller().table();
    QTRY_COMPARE(table.rowCount(), 8);
    for (int row = 0; row < 8; ++row) {
        QCOMPARE(table.index(row, RunsTableModel::Status).data(Qt::DisplayRole).toString(),
            isChinese ? QStringLiteral("已完成") : QStringLiteral("finished"));
        table.setData(table.index(row, RunsTableModel::Name), Qt::Checked, Qt::CheckStateRole);
    }
    const auto isRead
        = [](const ui::RunFeed* feed) { return std::int64_t(feed->loss().size()) == feed->record().summary.steps; };
    QTRY_VERIFY(window->controller().feeds().size() == 8 && std::ranges::all_of(window->controller().feeds(), isRead));
    for (const ChartModel::Kind kind : {ChartModel::Kind::Labels, ChartModel::Kind::Shares, ChartModel::Kind::Skew}) {
        const int tab = static_cast<int>(kind);
        QVERIFY(window->tabs().isTabVisible(tab));
        window->tabs().setCurrentIndex(tab);
        QTest::qWait(150);
        QVERIFY(
            window->grab().save(QStringLiteral("%1/partition-%2-%3.png")
                                    .arg(m_folder, ChartModel::nameOf(kind), QLatin1String(QTest::currentDataTag()))));
    }
    checkNumbers(*window);
}

void TestPartitionPages::checkNumbers(ui::MainWindow& window) const
{
    const auto store = session::RunStore::open(m_store.path());
    QVERIFY(store.isOk());
    const ui::ChartSpec map = chartOf(window, ChartModel::Kind::Labels);
    const ui::ChartSpec bars = chartOf(window, ChartModel::Kind::Shares);
    const ui::ChartSpec skew = chartOf(window, ChartModel::Kind::Skew);
    QCOMPARE(map.series.size(), std::size_t{16}); // four variants of four ranks
    QCOMPARE(map.x.categories.size(), std::size_t{10});
    QCOMPARE(bars.series.size(), std::size_t{10});
    QCOMPARE(skew.series.size(), std::size_t{4});
    std::size_t row = 0;
    std::size_t variant = 0;
    const std::vector<ui::RunFeed*> feeds = window.controller().feeds();
    for (const ui::RunFeed* feed : feeds) {
        const auto record = store.value()->load(feed->id());
        QVERIFY(record.isOk());
        QCOMPARE(record->shares.size(), std::size_t{4});
        if (record->spec.repeat != 0) {
            continue; // of repeats the first is drawn
        }
        for (const analysis::RankShare& share : record->shares) {
            double samples = 0.0;
            for (std::size_t label = 0; label < 10; ++label) {
                const auto count = static_cast<double>(share.labels[label]);
                QCOMPARE(map.series[row].y[label], count);
                QCOMPARE(bars.series[label].y[row], count);
                samples += count;
            }
            QCOMPARE(samples, static_cast<double>(share.samples));
            ++row;
        }
        const auto other = std::ranges::find_if(feeds, [&](const ui::RunFeed* each) {
            return each->record().spec.name == record->spec.name && each->record().spec.repeat == 1;
        });
        const analysis::Summary& first = record->summary;
        const analysis::Summary& second = (*other)->record().summary;
        QVERIFY(std::abs(skew.series[variant].x.front() - (first.labelSkew + second.labelSkew) / 2.0) < 1e-12);
        QVERIFY(std::abs(skew.series[variant].y.front() - (first.testAccuracy + second.testAccuracy) * 50.0) < 1e-9);
        ++variant;
    }
    QCOMPARE(row, std::size_t{16});
    QCOMPARE(variant, std::size_t{4});
}

QTEST_MAIN(TestPartitionPages)
#include "test_partition_pages.moc"
