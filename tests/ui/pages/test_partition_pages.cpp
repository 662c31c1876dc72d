// The pages of partitions, drawn from real runs in build/screenshots: their numbers are the store's.
#include "program/window_test.h"
#include "ui/models/form/titles.h"
#include "ui/pages/pages_fixture.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;

class TestPartitionPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pages_data();
    void pages();

private:
    void checkNumbers(ui::MainWindow& window) const;

    Pages m_pages;
};

void TestPartitionPages::initTestCase()
{
    if (!Pages::canRun()) {
        QSKIP("there is no lockstep-rank");
    }
    m_pages.run("partitioning", 10, [](experiment::Spec& spec) {
        spec.repeats = 2;
        spec.base["dataset.train_samples"] = std::int64_t{2000};
        spec.base["train.epochs"] = std::int64_t{2};
        spec.base["rank.bind"] = false;
        std::erase_if(spec.variants, [](const experiment::Variant& variant) {
            return variant.name != "single" && variant.name != "random" && variant.name != "by-label"
                && variant.name != "dirichlet-0.5" && variant.name != "unequal";
        });
    });
}

void TestPartitionPages::pages_data()
{
    Pages::addLooks();
}

void TestPartitionPages::pages()
{
    const auto window = m_pages.open();
    QVERIFY(window != nullptr);
    for (const char16_t* id : {u"labels", u"shares", u"skew"}) {
        m_pages.save(*window, "partition", *ui::findChart(id));
    }
    checkNumbers(*window);
}

void TestPartitionPages::checkNumbers(ui::MainWindow& window) const
{
    const auto store = store::RunStore::open(m_pages.store());
    QVERIFY(store.isOk());
    const ui::ChartSpec map = Pages::chartOf(window, *ui::findChart(u"labels"));
    const ui::ChartSpec bars = Pages::chartOf(window, *ui::findChart(u"shares"));
    const ui::ChartSpec skew = Pages::chartOf(window, *ui::findChart(u"skew"));
    QCOMPARE(map.series.size(), std::size_t{16}); // four variants of four ranks
    QCOMPARE(map.x.categories.size(), std::size_t{10});
    QCOMPARE(bars.series.size(), std::size_t{10});
    QCOMPARE(skew.series.size(), std::size_t{5}); // and the single process, which has no skew
    const ui::SeriesSpec& baseline = skew.series.back();
    QVERIFY(baseline.style == ui::SeriesStyle::DashedLine
        && baseline.name.startsWith(ui::variantTitle(experiment::RunSpec{"partitioning", "single", 0, {}})));
    QCOMPARE(baseline.x.size(), std::size_t{2});
    QCOMPARE(baseline.y.front(), baseline.y.back());
    std::size_t row = 0;
    std::size_t variant = 0;
    const std::vector<ui::RunFeed*> feeds = window.controller().feeds();
    for (const ui::RunFeed* feed : feeds) {
        const auto record = store.value()->load(feed->id());
        QVERIFY(record.isOk());
        const bool isSingle = record->spec.name == "single";
        QCOMPARE(record->shares.size(), std::size_t{isSingle ? 0U : 4U});
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
        if (isSingle) {
            QVERIFY(std::abs(baseline.y.front() - (first.testAccuracy + second.testAccuracy) * 50.0) < 1e-9);
            continue;
        }
        QVERIFY(std::abs(skew.series[variant].x.front() - (first.labelSkew + second.labelSkew) / 2.0) < 1e-12);
        QVERIFY(std::abs(skew.series[variant].y.front() - (first.testAccuracy + second.testAccuracy) * 50.0) < 1e-9);
        ++variant;
    }
    QCOMPARE(row, std::size_t{16});
    QCOMPARE(variant, std::size_t{4});
}

LOCKSTEP_WINDOW_TEST(TestPartitionPages)
#include "test_partition_pages.moc"
