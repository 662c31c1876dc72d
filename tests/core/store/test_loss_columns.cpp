// The loss of a long run as columns of its file: it comes before the rows, and equals what they give.
#include "program/test_class.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

using namespace lockstep;
using namespace lockstep::store;

namespace {

constexpr std::int64_t LongRun = 10'000;
constexpr std::int64_t VeryLongRun = 80'000; ///< the columns of which are read after their outline

/// Adds up what it gets.
class Gatherer : public DeltaSink {
public:
    void add(const Delta& delta) override { account.add(delta); }

    RunAccount account;
};

analysis::RunRecord record()
{
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    analysis::RunRecord made;
    made.id = makeRunId(1'795'000'000, 7);
    made.spec = experiment::expand(*spec)->front();
    made.createdNs = 1'795'000'000'000'000'000;
    return made;
}

Delta rowsOf(std::int32_t rank, std::int64_t first, std::int64_t count)
{
    Delta delta;
    wire::StepBatch& batch = delta.steps.emplace_back(FromRank<wire::StepBatch>{rank, {}}).what;
    for (std::int64_t step = first; step < first + count; ++step) {
        StepRow row{.step = step,
            .endNs = 1'000'000'000 + step * 1'000'000 + rank,
            .wallNs = 1'000'000,
            .samples = step * 64,
            .batch = 30 + rank,
            .loss = step == 70 ? std::nan("") : (1.0 + rank) / static_cast<double>(step)};
        row.phaseNs.fill(100'000);
        batch.rows.push_back(row);
    }
    return delta;
}

/// Two ranks whose batches do not end at the same steps, and a pause.
std::vector<Delta> deltasOf(std::int64_t steps)
{
    std::vector<Delta> deltas(1);
    wire::Hello hello;
    hello.worldSize = 2;
    deltas.front().hellos = {{0, hello}, {1, hello}};
    wire::Prepared facts;
    facts.trainSamples = 640;
    facts.totalSteps = steps;
    deltas.front().prepared = {{0, facts}, {1, facts}};
    for (std::int64_t step = 1; step <= steps; step += 500) {
        Delta delta = rowsOf(0, step, 500);
        if (step > 1) {
            delta.append(rowsOf(1, step - 200, 500));
        } else {
            delta.append(rowsOf(1, 1, 300));
        }
        if (step == 2001) {
            delta.applied.push_back({0, {wire::Command::Pause, step + 100, 3'101'000'000, -1, 0.0}});
            delta.applied.push_back({0, {wire::Command::Resume, step + 100, 3'101'500'000, -1, 0.0}});
        }
        deltas.push_back(std::move(delta));
    }
    deltas.push_back(rowsOf(1, steps - 199, 200));
    return deltas;
}

bool areSame(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0; // NaN too
}

bool areSame(const analysis::Curve& a, const analysis::Curve& b)
{
    return a.step == b.step && areSame(a.epoch, b.epoch) && areSame(a.seconds, b.seconds) && areSame(a.value, b.value);
}

} // namespace

class TestLossColumns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        auto store = RunStore::open(m_folder->path());
        QVERIFY(store.isOk());
        m_store = std::move(*store);
    }

    void aLongRunsLossComesFirst()
    {
        write(LongRun, Ends::Yes);
        const analysis::Curve whole = curveOf(deltasOf(LongRun));
        QCOMPARE(whole.size(), std::size_t(LongRun));
        const auto source = replaySource(m_folder->path(), record().id);
        RunAccount account;
        takeFirst(*source, account);
        QVERIFY(areSame(account.loss(), whole));
        takeAll(*source, account, LongRun);
        QVERIFY(areSame(account.loss(), whole)); // no step twice
        QCOMPARE(account.summary().steps, LongRun);
        QVERIFY(areSame(m_store->load(record().id)->loss, whole));
    }

    void aShortRunHasItsRowsAlone()
    {
        write(4000, Ends::Yes);
        const auto source = replaySource(m_folder->path(), record().id);
        DeltaPtr first;
        QTRY_VERIFY(first || (first = source->take())); // the macro asks twice
        QVERIFY(first->storedLoss.empty());
    }

    /// Of a run whose workbench died the columns end with a chunk: the rows add the rest.
    void theRowsAddWhatTheColumnsLack()
    {
        write(LongRun, Ends::No);
        const auto source = replaySource(m_folder->path(), record().id);
        RunAccount account;
        takeFirst(*source, account);
        const std::size_t stored = account.loss().size();
        QVERIFY2(stored >= 4096 && stored < std::size_t(LongRun), qPrintable(QString::number(stored)));
        takeAll(*source, account, LongRun);
        QVERIFY(areSame(account.loss(), curveOf(deltasOf(LongRun))));
    }

    /// The window opens a run and renames it while its rows wait to be taken.
    void aRunThatIsReadCanBeRenamed()
    {
        write(LongRun, Ends::Yes);
        const auto source = replaySource(m_folder->path(), record().id);
        RunAccount account;
        takeFirst(*source, account);
        QTest::qWait(300); // until as many rows wait as may
        const auto renamed = m_store->rename(record().id, QStringLiteral("mine"));
        QVERIFY2(renamed.isOk(), renamed ? "" : renamed.error().text().c_str());
        takeAll(*source, account, LongRun);
        QVERIFY(areSame(account.loss(), curveOf(deltasOf(LongRun))));
        QCOMPARE(m_store->load(record().id)->label, std::string("mine"));
    }

    void aFileOfAnEarlierVersionHasNone()
    {
        write(LongRun, Ends::Yes);
        dropTable(QStringLiteral("loss_columns"));
        const auto source = replaySource(m_folder->path(), record().id);
        RunAccount account;
        takeAll(*source, account, LongRun);
        QVERIFY(areSame(account.loss(), curveOf(deltasOf(LongRun))));
    }

    /// With a sink the reader's thread adds everything up; only the loss comes before that, its outline first.
    void aVeryLongRunsOutlineComesFirst()
    {
        write(VeryLongRun, Ends::Yes);
        const analysis::Curve whole = curveOf(deltasOf(VeryLongRun));
        const auto source = replaySource(m_folder->path(), record().id, std::make_shared<Gatherer>());
        Delta all;
        takeWhole(*source, all);
        QCOMPARE(all.storedLoss.size(), std::size_t(2));
        const StoredLoss& outline = all.storedLoss.front();
        QVERIFY(outline.isOutline());
        QCOMPARE(outline.steps, std::size_t(VeryLongRun));
        QVERIFY(!all.storedLoss.back().isOutline());
        QVERIFY(areSame(*all.storedLoss.back().curve, whole));
        QVERIFY(all.steps.empty());
        QCOMPARE(all.gathered.size(), std::size_t(1));
        const auto& gathered = static_cast<const Gatherer&>(*all.gathered.front());
        QVERIFY(areSame(gathered.account.loss(), whole));
        QCOMPARE(gathered.account.summary().steps, VeryLongRun);
        hasTheExtremesOf(*outline.curve, whole);
    }

    /// Neither does a short run have an outline, nor a long one whose columns are as fast.
    void onlyAVeryLongRunHasAnOutline()
    {
        write(LongRun, Ends::Yes);
        const auto source = replaySource(m_folder->path(), record().id, std::make_shared<Gatherer>());
        Delta all;
        takeWhole(*source, all);
        QCOMPARE(all.storedLoss.size(), std::size_t(1));
        QVERIFY(!all.storedLoss.front().isOutline());
    }

    void aFileWithoutAPyramidIsRead()
    {
        write(VeryLongRun, Ends::Yes);
        dropTable(QStringLiteral("loss_pyramid"));
        const auto source = replaySource(m_folder->path(), record().id, std::make_shared<Gatherer>());
        Delta all;
        takeWhole(*source, all);
        QCOMPARE(all.storedLoss.size(), std::size_t(1));
        QCOMPARE(static_cast<const Gatherer&>(*all.gathered.front()).account.summary().steps, VeryLongRun);
    }

    /// What could be read is there, and why no more.
    void aFileThatCannotBeReadSaysSo()
    {
        write(LongRun, Ends::Yes);
        dropTable(QStringLiteral("meta"));
        const auto source = replaySource(m_folder->path(), record().id, std::make_shared<Gatherer>());
        Delta all;
        takeWhole(*source, all);
        QCOMPARE(all.gathered.size(), std::size_t(1));
        QCOMPARE(all.logs.size(), std::size_t(1));
        QCOMPARE(all.logs.front().what.level, wire::LogLevel::Error);
    }

    /// A run that is hidden again at once is not read on, and nothing waits for it.
    void aSourceCanEndAtAnyTime()
    {
        write(VeryLongRun, Ends::Yes);
        const auto sink = std::make_shared<Gatherer>();
        for (int i = 0; i < 30; ++i) {
            const auto source = replaySource(m_folder->path(), record().id, sink);
            QTest::qWait(i % 7);
            static_cast<void>(source->take());
        }
        QTRY_COMPARE(sink.use_count(), 1L);
    }

private:
    enum class Ends { Yes, No };
    void write(std::int64_t steps, Ends ends)
    {
        auto writer = m_store->create(record());
        QVERIFY(writer.isOk());
        for (const Delta& delta : deltasOf(steps)) {
            QVERIFY((*writer)->add(delta).isOk());
        }
        if (ends == Ends::Yes) {
            QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        }
    }

    static analysis::Curve curveOf(const std::vector<Delta>& deltas)
    {
        RunAccount account;
        for (const Delta& delta : deltas) {
            account.add(delta);
        }
        return account.loss();
    }

    void dropTable(const QString& name) const
    {
        {
            auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("older"));
            database.setDatabaseName(
                m_folder->path() + u'/' + QString::fromStdString(record().id.text) + QStringLiteral(".run"));
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY2(query.exec(QStringLiteral("DROP TABLE ") + name), qPrintable(query.lastError().text()));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("older"));
    }

    /// Each of the outline's points is one of the curve's, and beside any 64 steps there are some as low and as high.
    static void hasTheExtremesOf(const analysis::Curve& outline, const analysis::Curve& whole)
    {
        QVERIFY(outline.size() <= whole.size() / 16);
        std::map<std::size_t, std::pair<double, double>> found; // by stretch
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto at = static_cast<std::size_t>(outline.step[i] - 1);
            QCOMPARE(whole.step[at], outline.step[i]);
            QCOMPARE(std::memcmp(&whole.value[at], &outline.value[i], sizeof(double)), 0);
            QCOMPARE(outline.seconds[i], whole.seconds[at]);
            QCOMPARE(outline.epoch[i], whole.epoch[at]);
            const auto place = found.try_emplace(at / 64, outline.value[i], outline.value[i]).first;
            place->second.first = std::fmin(place->second.first, outline.value[i]);
            place->second.second = std::fmax(place->second.second, outline.value[i]);
        }
        QVERIFY(std::ranges::any_of(outline.value, [](double value) { return std::isnan(value); })); // the gap
        for (std::size_t first = 0; first < whole.size(); first += 64) {
            double low = std::nan("");
            double high = std::nan("");
            for (std::size_t i = first; i < std::min(whole.size(), first + 64); ++i) {
                low = std::fmin(low, whole.value[i]);
                high = std::fmax(high, whole.value[i]);
            }
            double lowest = low + 1.0;
            double highest = high - 1.0;
            for (std::size_t near = first < 64 ? 0 : first / 64 - 1; near <= first / 64 + 1; ++near) {
                if (const auto place = found.find(near); place != found.end()) {
                    lowest = std::fmin(lowest, place->second.first);
                    highest = std::fmax(highest, place->second.second);
                }
            }
            QVERIFY2(lowest <= low && highest >= high, qPrintable(QString::number(first)));
        }
    }

    /// Everything, until nothing more will come.
    static void takeWhole(DeltaSource& source, Delta& all)
    {
        QTRY_VERIFY([&] {
            if (const DeltaPtr delta = source.take()) {
                all.append(*delta);
            }
            return source.isOver();
        }());
    }

    static void takeFirst(DeltaSource& source, RunAccount& account)
    {
        DeltaPtr first;
        QTRY_VERIFY(first || (first = source.take())); // the macro asks twice
        QCOMPARE(first->storedLoss.size(), std::size_t(1));
        account.add(*first);
    }

    static void takeAll(DeltaSource& source, RunAccount& account, std::int64_t steps)
    {
        QTRY_VERIFY([&] {
            if (const DeltaPtr delta = source.take()) {
                account.add(*delta);
            }
            return account.summary().steps == steps;
        }());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestLossColumns)
#include "test_loss_columns.moc"
