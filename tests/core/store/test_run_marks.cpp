// Tags, notes and pins beside a run's name: kept in its file and in the index, also of stores of the version before.
#include "experiment/spec.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QFile>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::store;
using namespace Qt::StringLiterals;

namespace {

const analysis::RunMarks Marks{{"paper", "draft"}, "a \"note\", 一行", true};

analysis::RunRecord newRun(int number)
{
    analysis::RunRecord record;
    record.id = {"20261120-12000" + std::to_string(number) + "-abcd"};
    record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
    record.status = analysis::RunStatus::Running;
    record.createdNs = 1'700'000'000'000'000'000 + number;
    return record;
}

/// Runs statements on a database file.
void execute(const QString& path, const QStringList& statements)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"marks"_s);
        database.setDatabaseName(path);
        QVERIFY(database.open());
        for (const QString& sql : statements) {
            QSqlQuery query(database);
            QVERIFY2(query.exec(sql), qPrintable(sql));
        }
    }
    QSqlDatabase::removeDatabase(u"marks"_s);
}

} // namespace

class TestRunMarks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        open();
    }
    void cleanup() { m_store.reset(); }

    void marksAreKept()
    {
        store(1);
        QVERIFY(m_store->mark(newRun(1).id, Marks).isOk());
        QVERIFY(m_store->rename(newRun(1).id, u"mine"_s).isOk());
        QCOMPARE(m_store->list().front().marks, Marks);
        QVERIFY(m_store->load(newRun(1).id)->marks == Marks);
        rebuildIndex();
        QCOMPARE(m_store->list().front().marks, Marks);
        QCOMPARE(m_store->list().front().label, "mine");
        QVERIFY(m_store->remove(newRun(1).id).isOk());
        QVERIFY(m_store->restore(newRun(1).id).isOk());
        QCOMPARE(m_store->list().front().marks, Marks);
    }

    void aRunCanBeMarkedWhileItIsWritten()
    {
        auto writer = m_store->create(newRun(1));
        QVERIFY(writer.isOk());
        QVERIFY(m_store->mark(newRun(1).id, Marks).isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QCOMPARE(m_store->list().front().marks, Marks);
        QVERIFY(m_store->list().front().status == analysis::RunStatus::Finished);
    }

    void anIndexOfTheVersionBeforeIsUpgraded()
    {
        store(1);
        m_store.reset();
        // As format 1 was: no such columns.
        execute(index(),
            {u"ALTER TABLE runs DROP COLUMN tags"_s, u"ALTER TABLE runs DROP COLUMN note"_s,
                u"ALTER TABLE runs DROP COLUMN pinned"_s, u"PRAGMA user_version = 1"_s});
        open();
        QCOMPARE(m_store->list().size(), std::size_t(1));
        QCOMPARE(m_store->list().front().marks, analysis::RunMarks());
        QVERIFY(m_store->mark(newRun(1).id, Marks).isOk());
        QCOMPARE(m_store->list().front().marks, Marks);
    }

    void aRunFileOfTheVersionBeforeHasNoMarks()
    {
        store(1);
        execute(m_folder->filePath(u"20261120-120001-abcd.run"_s),
            {u"DELETE FROM meta WHERE key IN ('tags', 'note', 'pinned')"_s});
        QVERIFY(m_store->load(newRun(1).id)->marks == analysis::RunMarks());
    }

    void anIndexOfALaterVersionIsRefused()
    {
        m_store.reset();
        execute(index(), {u"PRAGMA user_version = 99"_s});
        const auto refused = RunStore::open(m_folder->path());
        QVERIFY(!refused.isOk());
        QVERIFY2(refused.error().message.find("format 99") != std::string::npos, refused.error().message.c_str());
    }

    void anotherStoresChangesAreSeen()
    {
        QVERIFY(!m_store->hasChangedElsewhere());
        const auto other = RunStore::open(m_folder->path());
        QVERIFY(other.isOk());
        QVERIFY(!m_store->hasChangedElsewhere());
        analysis::RunRecord starting = newRun(2);
        starting.status = analysis::RunStatus::Starting;
        auto writer = (*other)->create(starting);
        QVERIFY(m_store->hasChangedElsewhere());
        QVERIFY(m_store->list().front().status == analysis::RunStatus::Running); // as far as the index knows
        QVERIFY(!m_store->hasChangedElsewhere());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
        QVERIFY(m_store->hasChangedElsewhere());
        QCOMPARE(m_store->list().size(), std::size_t(1));
        QVERIFY(m_store->mark(newRun(2).id, Marks).isOk()); // its own change
        QVERIFY(!m_store->hasChangedElsewhere());
    }

private:
    [[nodiscard]] QString index() const { return m_folder->filePath(u"index.sqlite"_s); }
    void open()
    {
        auto opened = RunStore::open(m_folder->path());
        QVERIFY2(opened.isOk(), opened ? "" : opened.error().message.c_str());
        m_store = std::move(*opened);
    }
    void rebuildIndex()
    {
        m_store.reset();
        QVERIFY(QFile::remove(index()));
        open();
    }
    void store(int number)
    {
        auto writer = m_store->create(newRun(number));
        QVERIFY(writer.isOk());
        QVERIFY((*writer)->finish(analysis::RunStatus::Finished, "", {}).isOk());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestRunMarks)
#include "test_run_marks.moc"
