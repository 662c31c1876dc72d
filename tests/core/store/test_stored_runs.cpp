// Run files that commit 2411294 wrote, a data-parallel and a pipeline run of two ranks: they open, replay and export
// with the figures of that commit's results.json.
#include "exchange/export/run_json.h"
#include "experiment/spec.h"
#include "program/test_class.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::exchange;
using namespace Qt::StringLiterals;

namespace {

const QString StoredRuns = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/data/runs/");

QByteArray storedFile(const QString& name)
{
    QFile file(StoredRuns + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonObject expected(const QString& id)
{
    for (const QJsonValue& run : QJsonDocument::fromJson(storedFile(u"results.json"_s))[u"runs"_s].toArray()) {
        if (run[u"id"_s].toString() == id) {
            return run.toObject();
        }
    }
    return {};
}

QJsonObject asJson(const analysis::RunRecord& record)
{
    const std::string json = runsAsJson({record});
    return QJsonDocument::fromJson(QByteArray::fromStdString(json))[u"runs"_s][0].toObject();
}

/// The first place where `made` lacks or changes what `old` has; what `old` does not know is left alone.
QString difference(const QJsonValue& old, const QJsonValue& made, const QString& at)
{
    if (old.isObject()) {
        const QJsonObject fields = old.toObject();
        for (auto field = fields.begin(); field != fields.end(); ++field) {
            const QString found = difference(field.value(), made[field.key()], at + u'.' + field.key());
            if (!found.isEmpty()) {
                return found;
            }
        }
        return {};
    }
    if (old.isArray()) {
        const QJsonArray list = old.toArray();
        if (list.size() != made.toArray().size()) {
            return at + u": %1 entries, were %2"_s.arg(made.toArray().size()).arg(list.size());
        }
        for (qsizetype i = 0; i < list.size(); ++i) {
            const QString found = difference(list[i], made[i], at + u"[%1]"_s.arg(i));
            if (!found.isEmpty()) {
                return found;
            }
        }
        return {};
    }
    return old == made ? QString()
                       : at + u": "_s + made.toVariant().toString() + u", was "_s + old.toVariant().toString();
}

} // namespace

class TestStoredRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_store = std::move(*RunStore::open(m_folder->path()));
    }

    void figuresAreAsTheyWere_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("data parallel, straggler, shares, ring") << u"20261122-191949-et1d"_s;
        QTest::newRow("pipeline, micro-batches, kinds of traffic") << u"20261122-191949-pqsp"_s;
    }

    void figuresAreAsTheyWere()
    {
        QFETCH(QString, id);
        const auto taken = m_store->import(StoredRuns + id + u".run"_s);
        QVERIFY2(taken.isOk(), taken ? "" : taken.error().message.c_str());
        const auto record = m_store->load(*taken);
        QVERIFY(record.isOk());
        const QJsonObject made = asJson(*record);
        const QJsonObject old = expected(id);
        for (const QString& part : {u"status"_s, u"summary"_s, u"series"_s, u"ranks"_s, u"machines"_s, u"shares"_s}) {
            const QString found = difference(old[part], made[part], part);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
        QCOMPARE(old[u"series"_s][u"loss"_s][u"step"_s].toArray().size(), 30);
    }

    void replaysHoldEveryRow_data() { figuresAreAsTheyWere_data(); }

    void replaysHoldEveryRow()
    {
        QFETCH(QString, id);
        const auto taken = m_store->import(StoredRuns + id + u".run"_s);
        RunAccount account;
        Delta all;
        QVERIFY(m_store
                    ->replay(*taken,
                        [&](const Delta& delta) {
                            account.add(delta);
                            all.append(delta);
                            return true;
                        })
                    .isOk());
        std::size_t rows = 0;
        for (const auto& [rank, batch] : all.steps) {
            rows += batch.size();
        }
        QCOMPARE(rows, std::size_t{60});
        QCOMPARE(all.hellos.size(), std::size_t{2});
        QVERIFY(!all.spans.empty() && !all.memory.empty() && !all.machineSamples.empty() && !all.logs.empty());
        const bool isPipeline = id.endsWith(u"pqsp"_s);
        QCOMPARE(all.traffic.empty(), isPipeline);
        QCOMPARE(all.steps.front().what.rows.front().bytesByKind.has_value(), isPipeline);
        QCOMPARE(account.status()->status, analysis::RunStatus::Finished);
        for (const auto& [rank, change] : account.ranks()) {
            QCOMPARE(change.state, RankState::Finished);
        }
    }

    /// As if the workbench had died: the summary is made again, from the rows.
    void theRowsGiveTheSummary_data() { figuresAreAsTheyWere_data(); }

    void theRowsGiveTheSummary()
    {
        QFETCH(QString, id);
        const QString file = m_folder->filePath(id + u".run"_s);
        QVERIFY(QFile::copy(StoredRuns + id + u".run"_s, file));
        QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"died"_s);
            database.setDatabaseName(file);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(u"UPDATE meta SET value = 'running' WHERE key = 'status'"_s));
        }
        QSqlDatabase::removeDatabase(u"died"_s);
        const auto store = RunStore::open(m_folder->path());
        QVERIFY(store.isOk());
        const auto record = (*store)->load({id.toStdString()});
        QVERIFY(record.isOk());
        QCOMPARE(record->status, analysis::RunStatus::Interrupted);
        QJsonObject summary = expected(id)[u"summary"_s].toObject();
        summary.remove(u"seconds_to_first_loss"_s); // only the session that started the run knows
        const QString found = difference(summary, asJson(*record)[u"summary"_s], u"summary"_s);
        QVERIFY2(found.isEmpty(), qPrintable(found));
    }

    void itsSpecIsRead()
    {
        const auto spec = experiment::parseSpec(storedFile(u"spec.json"_s).toStdString());
        QVERIFY2(spec.isOk(), spec ? "" : spec.error().message.c_str());
        const auto runs = experiment::expand(*spec);
        QVERIFY(runs.isOk());
        QCOMPARE(runs->size(), std::size_t{2});
        // Every setting that the old program wrote out has the value that the spec still gives.
        for (const experiment::RunSpec& run : *runs) {
            const QByteArray now = QByteArray::fromStdString(experiment::toJson(run));
            const QString id = run.name == "data" ? u"20261122-191949-et1d"_s : u"20261122-191949-pqsp"_s;
            const QString found = difference(expected(id)[u"spec"_s], QJsonDocument::fromJson(now).object(), u"spec"_s);
            QVERIFY2(found.isEmpty(), qPrintable(found));
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestStoredRuns)
#include "test_stored_runs.moc"
