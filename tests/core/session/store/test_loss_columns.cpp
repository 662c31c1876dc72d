// The loss of a long run as columns of its file: it comes before the rows, and equals what they give.
#include "program/test_class.h"
#include "session/run_account.h"
#include "session/store/run_store.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace lockstep;
using namespace lockstep::session;

namespace {

constexpr std::int64_t LongRun = 10'000;

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
        {
            auto database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("older"));
            database.setDatabaseName(
                m_folder->path() + u'/' + QString::fromStdString(record().id.text) + QStringLiteral(".run"));
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY2(query.exec(QStringLiteral("DROP TABLE loss_columns")), qPrintable(query.lastError().text()));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("older"));
        const auto source = replaySource(m_folder->path(), record().id);
        RunAccount account;
        takeAll(*source, account, LongRun);
        QVERIFY(areSame(account.loss(), curveOf(deltasOf(LongRun))));
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

    static void takeFirst(DeltaSource& source, RunAccount& account)
    {
        DeltaPtr first;
        QTRY_VERIFY(first || (first = source.take())); // the macro asks twice
        QCOMPARE(first->storedLoss.size(), std::size_t(1));
        account.add(*first);
    }

    static void takeAll(DeltaSource& source, RunAccount& account, std::int64_t steps)
    {
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                if (const DeltaPtr delta = source.take()) {
                    account.add(*delta);
                }
                return account.summary().steps == steps;
            }(),
            20'000);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestLossColumns)
#include "test_loss_columns.moc"
