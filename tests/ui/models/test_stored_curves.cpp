// Curves of very long stored runs: what is drawn of the pyramid in the run's file is what its rows show, and smoothing
// follows a few runs at a time.
#include "analysis/statistics/statistics.h"
#include "program/test_class.h"
#include "store/run_store.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/sample_runs.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t Steps = 100'000;

analysis::RunRecord record(int number)
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    analysis::RunRecord made;
    made.id = makeRunId(1'795'000'000 + number, static_cast<std::uint32_t>(number));
    made.spec = experiment::expand(*spec)->at(1);
    made.spec.settings["optimizer.lr"] = 0.001 * (1 + number);
    made.createdNs = (1'795'000'000LL + number) * 1'000'000'000;
    made.status = analysis::RunStatus::Finished;
    made.summary.steps = Steps;
    return made;
}

/// Noisy losses that fall, with a spike one step wide.
void write(store::RunStore& store, const analysis::RunRecord& run)
{
    auto writer = store.create(run);
    QVERIFY(writer.isOk());
    store::Delta start;
    wire::Hello hello;
    hello.worldSize = 1;
    start.hellos.push_back({0, hello});
    wire::Prepared facts;
    facts.trainSamples = 60'000;
    facts.totalSteps = Steps;
    start.prepared.push_back({0, facts});
    QVERIFY((*writer)->add(start).isOk());
    std::mt19937 random(static_cast<unsigned>(run.createdNs / 1'000'000'000));
    std::normal_distribution<double> noise(0.0, 0.1);
    for (std::int64_t first = 1; first <= Steps; first += 5000) {
        store::Delta delta;
        wire::StepBatch& batch = delta.steps.emplace_back().what;
        for (std::int64_t step = first; step < first + 5000; ++step) {
            StepRow row{
                .step = step, .endNs = step * 1'000'000, .wallNs = 1'000'000, .samples = step * 60, .batch = 60};
            row.loss = step == 54'321 ? 3.0 : 1.0 / std::sqrt(1.0 + 0.001 * double(step)) * std::exp(noise(random));
            batch.rows.push_back(row);
        }
        QVERIFY((*writer)->add(delta).isOk());
    }
    store::Delta end;
    end.statuses.push_back({run.status, "it is over", 1});
    QVERIFY((*writer)->add(end).isOk());
    QVERIFY((*writer)->finish(run.status, "", run.summary).isOk());
}

class Nothing : public store::DeltaSink {
public:
    void add(const store::Delta&) override { }
};

/// What a curve covers of each column of pixels.
std::map<int, std::pair<double, double>> columnsOf(const ui::SeriesSpec& series, const ui::ChartWindow& window)
{
    std::map<int, std::pair<double, double>> columns;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double share = (series.x[i] - window.xMinimum) / (window.xMaximum - window.xMinimum);
        const int column = static_cast<int>(std::floor(share * window.pixels));
        auto& [low, high] = columns.try_emplace(column, series.y[i], series.y[i]).first->second;
        low = std::min(low, series.y[i]);
        high = std::max(high, series.y[i]);
    }
    return columns;
}

/// Whether the other curve is as low and as high as this one is in each column of pixels, there or hardly beside it.
bool areAlike(const std::map<int, std::pair<double, double>>& one,
    const std::map<int, std::pair<double, double>>& other, const ui::ChartWindow& window, double pixel)
{
    constexpr int Beside = 2;
    return std::ranges::all_of(one, [&](const auto& column) {
        if (column.first < Beside || column.first >= window.pixels - Beside) {
            return true; // points beside the window are drawn for the frame's sake
        }
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (int near = column.first - Beside; near <= column.first + Beside; ++near) {
            if (const auto found = other.find(near); found != other.end()) {
                low = std::min(low, found->second.first);
                high = std::max(high, found->second.second);
            }
        }
        return low <= column.second.first + pixel && high >= column.second.second - pixel;
    });
}

} // namespace

class TestStoredCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_store = std::move(*store::RunStore::open(m_folder.path()));
        for (int i = 0; i < Runs; ++i) {
            write(*m_store, record(i));
        }
    }

    void theOutlineShowsWhatRowsShow_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("the whole run") << 0.0 << double(Steps);
        QTest::newRow("its middle half") << 25'000.0 << 75'000.0;
        QTest::newRow("with the spike") << 54'000.0 - 25'000.0 << 54'000.0 + 25'000.0;
    }

    void theOutlineShowsWhatRowsShow()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        auto outline = std::make_shared<store::Delta>();
        auto rows = std::make_shared<store::Delta>();
        const auto source = store::replaySource(m_folder.path(), record(0).id, std::make_shared<Nothing>());
        QTRY_VERIFY([&] {
            if (const auto delta = source->take()) {
                outline->append(*delta);
            }
            return source->isOver();
        }());
        QVERIFY(outline->storedLoss.front().isOutline());
        outline->storedLoss.resize(1);
        outline->gathered.clear();
        QVERIFY(m_store
                    ->replay(record(0).id,
                        [&](const store::Delta& delta) {
                            rows->append(delta);
                            return true;
                        })
                    .isOk());
        const ui::ChartWindow window{from, to, 700};
        const ui::SeriesSpec drawn = curveOf(outline, &window);
        const ui::SeriesSpec exact = curveOf(rows, nullptr);
        QCOMPARE(drawn.total, std::size_t(Steps));
        QCOMPARE(exact.x.size(), std::size_t(Steps));
        QVERIFY(drawn.x.size() <= 4 * 700 + 4);
        const auto one = columnsOf(drawn, window);
        const auto other = columnsOf(exact, window);
        const double pixel = 3.0 / 420.0; // of the chart's height
        QVERIFY(areAlike(one, other, window, pixel));
        QVERIFY(areAlike(other, one, window, pixel));
        if (from < 54'321.0 && to > 54'321.0) {
            QCOMPARE(*std::ranges::max_element(drawn.y), 3.0);
        }
    }

    /// A hundred long runs are smoothed over a few charts; what is not smoothed yet is drawn raw, and the note says so.
    void smoothingFollows()
    {
        std::vector<std::unique_ptr<ui::RunFeed>> feeds;
        std::vector<ui::RunFeed*> pointers;
        for (int i = 0; i < Runs; ++i) {
            feeds.push_back(ui::storedFeed(record(i), m_folder.path()));
            pointers.push_back(feeds.back().get());
        }
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(pointers);
        QVERIFY(model.chart({0.0, 0.0, 700}).series.empty()); // nothing has been read
        for (const auto& feed : feeds) {
            QTRY_VERIFY((feed->pull(), !feed->isReading())); // only while a core is free
        }
        ui::ChartSpec chart = model.chart({0.0, 0.0, 700});
        QVERIFY(model.isBehind());
        const auto outlines = [&chart] {
            return std::ranges::count_if(
                chart.series, [](const auto& each) { return each.key.endsWith(QStringLiteral("/loss-outline")); });
        };
        QVERIFY(outlines() > 0 && outlines() < Runs);
        QVERIFY2(chart.note.contains(QString::number(outlines())), qPrintable(chart.note));
        for (int charts = 0; model.isBehind() && charts < Runs; ++charts) {
            chart = model.chart({0.0, 0.0, 700});
        }
        QVERIFY(!model.isBehind());
        QCOMPARE(outlines(), 0);
        QCOMPARE(chart.series.size(), std::size_t(2 * Runs));
        const std::vector<double> smooth = analysis::smoothed(feeds.back()->loss().value, model.options().smoothing);
        const ui::SeriesSpec& last = chart.series.back();
        QVERIFY(last.key.endsWith(QStringLiteral("/loss-smoothed")));
        for (std::size_t i = 0; i < last.x.size(); ++i) {
            QCOMPARE(last.y[i], smooth.at(static_cast<std::size_t>(last.x[i]) - 1));
        }
    }

    /// A run that ended after it was listed: its file knows.
    void theStatusIsThatOfTheFile()
    {
        analysis::RunRecord listed = record(0);
        listed.status = analysis::RunStatus::Running;
        const auto feed = ui::storedFeed(listed, m_folder.path());
        QSignalSpy changed(feed.get(), &ui::RunFeed::recordChanged);
        QTRY_VERIFY((feed->pull(), !feed->isReading()));
        QCOMPARE(feed->record().status, analysis::RunStatus::Finished);
        QCOMPARE(feed->record().message, std::string("it is over"));
        QCOMPARE(changed.count(), 1);
    }

    /// Exports have every point, however long that takes.
    void aFullChartIsWhole()
    {
        std::vector<std::unique_ptr<ui::RunFeed>> feeds;
        std::vector<ui::RunFeed*> pointers;
        for (int i = 0; i < Runs; ++i) {
            feeds.push_back(ui::storedFeed(record(i), m_folder.path()));
            pointers.push_back(feeds.back().get());
            QTRY_VERIFY((feeds.back()->pull(), !feeds.back()->isReading()));
        }
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds(pointers);
        for (const ui::SeriesSpec& series : model.fullChart().series) {
            QCOMPARE(series.x.size(), std::size_t(Steps));
        }
    }

private:
    static constexpr int Runs = 6;

    /// The unsmoothed curve of a run that has received this; null: all of it.
    static ui::SeriesSpec curveOf(const store::DeltaPtr& delta, const ui::ChartWindow* window)
    {
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>(1, delta);
        ui::RunFeed feed(record(0), std::make_unique<ScriptedSource>(deltas));
        feed.pull();
        ui::ChartModel model(*ui::findChart(u"loss"));
        ui::ChartOptions options = model.options();
        options.smoothing = 0.0;
        model.setOptions(options);
        model.setFeeds({&feed});
        return (window == nullptr ? model.fullChart() : model.chart(*window)).series.front();
    }

    QTemporaryDir m_folder;
    std::unique_ptr<store::RunStore> m_store;
};

LOCKSTEP_TEST(TestStoredCurves)
#include "test_stored_curves.moc"
