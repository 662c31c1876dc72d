// The files of a checkpoint that ranks send: put together where a run that resumes looks, and only if they are whole.
#include "launch/collect/gathered_checkpoints.h"
#include "program/test_class.h"
#include "store/checkpoints.h"

#include <QCryptographicHash>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace lockstep;
using launch::GatheredCheckpoints;

namespace {

QByteArray fileOf(int rank)
{
    return QByteArray(1000 * (rank + 1), static_cast<char>('a' + rank));
}

QByteArray manifestOf(int ranks)
{
    nlohmann::json files = nlohmann::json::array();
    for (int rank = 0; rank < ranks; ++rank) {
        files.push_back({{"name", "rank-" + std::to_string(rank) + ".safetensors"}, {"bytes", fileOf(rank).size()},
            {"sha256", QCryptographicHash::hash(fileOf(rank), QCryptographicHash::Sha256).toHex().toStdString()}});
    }
    return QByteArray::fromStdString(nlohmann::json{{"version", 1}, {"files", files}}.dump());
}

wire::CheckpointPart part(
    std::int64_t step, const std::string& name, const QByteArray& all, qsizetype from, qsizetype size)
{
    wire::CheckpointPart made{step, name, from, all.size(), {}};
    const auto bytes = std::as_bytes(std::span(all.constData() + from, static_cast<std::size_t>(size)));
    made.bytes.assign(bytes.begin(), bytes.end());
    return made;
}

wire::CheckpointPart whole(std::int64_t step, const std::string& name, const QByteArray& all)
{
    return part(step, name, all, 0, all.size());
}

QStringList namesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class TestGatheredCheckpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allFilesMakeACheckpoint();
    void filesJoinThoseThatAreThere();
    void anOlderOneIsGivenUp();
    void withoutAFolderItIsSaid();
    void theNewestAreKept();
    void whatIsNotWholeIsRefused_data();
    void whatIsNotWholeIsRefused();
    void nothingIsGatheredUnlessAsked();
};

void TestGatheredCheckpoints::allFilesMakeACheckpoint()
{
    const QTemporaryDir folder;
    {
        GatheredCheckpoints gathered(folder.path(), 0);
        const auto mark = gathered.leaveMark();
        QVERIFY(mark);
        QVERIFY(QFile::exists(folder.filePath(QString::fromStdString(*mark))));
        QVERIFY(!gathered.add(0, whole(20, "manifest.json", manifestOf(2))));
        QVERIFY(!gathered.add(1, part(20, "rank-1.safetensors", fileOf(1), 0, 700)));
        QVERIFY(!gathered.add(0, whole(20, "rank-0.safetensors", fileOf(0))));
        QVERIFY(store::checkpointsIn(folder.path()).empty());
        const auto line = gathered.add(1, part(20, "rank-1.safetensors", fileOf(1), 700, 1300));
        QVERIFY(line);
        QCOMPARE(QString::fromStdString(line->text),
            QStringLiteral("checkpoint of step 20: the files of all hosts are in %1/step-00000020").arg(folder.path()));
        QVERIFY(!gathered.add(0, whole(20, "manifest.json", manifestOf(2)))); // saved again
        QVERIFY(!gathered.add(0, part(40, "manifest.json", manifestOf(2), 0, 10))); // the run ends before the rest
    }
    QCOMPARE(namesIn(folder.path()), QStringList{"step-00000020"});
    const auto all = store::checkpointsIn(folder.path());
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY(all[0].isWhole);
    QFile second(all[0].folder + "/rank-1.safetensors");
    QVERIFY(second.open(QIODevice::ReadOnly));
    QCOMPARE(second.readAll(), fileOf(1));
}

/// Rank 0 writes to the workbench's own folder, rank 1 does not.
void TestGatheredCheckpoints::filesJoinThoseThatAreThere()
{
    const QTemporaryDir folder;
    GatheredCheckpoints gathered(folder.path(), 0);
    QVERIFY(gathered.leaveMark());
    const QString named = folder.filePath("step-00000020");
    QVERIFY(QDir().mkpath(named));
    for (const auto& [name, bytes] :
        {std::pair("rank-0.safetensors", fileOf(0)), std::pair("manifest.json", manifestOf(2))}) {
        QFile file(named + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    QVERIFY(!store::checkpointsIn(folder.path()).front().isWhole);
    QVERIFY(!gathered.add(0, whole(20, "manifest.json", manifestOf(2))));
    QVERIFY(gathered.add(1, whole(20, "rank-1.safetensors", fileOf(1))));
    QVERIFY(store::checkpointsIn(folder.path()).front().isWhole);
}

/// A newer checkpoint is complete: what came of the older one is not awaited any more.
void TestGatheredCheckpoints::anOlderOneIsGivenUp()
{
    const QTemporaryDir folder;
    GatheredCheckpoints gathered(folder.path(), 0);
    QVERIFY(gathered.leaveMark());
    QVERIFY(!gathered.add(1, part(20, "rank-1.safetensors", fileOf(1), 0, 700)));
    QVERIFY(QDir(folder.filePath(".incoming-20")).exists());
    QVERIFY(!gathered.add(0, whole(40, "manifest.json", manifestOf(1))));
    QVERIFY(gathered.add(0, whole(40, "rank-0.safetensors", fileOf(0))));
    QVERIFY(!QDir(folder.filePath(".incoming-20")).exists());
    QVERIFY(!gathered.add(1, part(20, "rank-1.safetensors", fileOf(1), 700, 1300)));
    QCOMPARE(store::checkpointsIn(folder.path()).size(), std::size_t{1});
}

void TestGatheredCheckpoints::withoutAFolderItIsSaid()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    GatheredCheckpoints gathered(folder.filePath("file/checkpoints"), 0);
    const auto mark = gathered.leaveMark();
    QVERIFY(!mark);
    QCOMPARE(QString::fromStdString(mark.error().message),
        QStringLiteral("the folder %1 cannot be made").arg(folder.filePath("file/checkpoints")));
}

void TestGatheredCheckpoints::theNewestAreKept()
{
    const QTemporaryDir folder;
    GatheredCheckpoints gathered(folder.path(), 2);
    QVERIFY(gathered.leaveMark());
    for (const int step : {10, 20, 30}) {
        QVERIFY(!gathered.add(0, whole(step, "rank-0.safetensors", fileOf(0))));
        QVERIFY(gathered.add(0, whole(step, "manifest.json", manifestOf(1))));
    }
    const auto all = store::checkpointsIn(folder.path());
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all.front().step, 20);
}

void TestGatheredCheckpoints::whatIsNotWholeIsRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("from");
    QTest::addColumn<QString>("why");
    const QString other = "rank 0 sent something other than the next piece of its file";
    QTest::addRow("another rank's file") << "rank-1.safetensors" << fileOf(1) << 0 << other;
    QTest::addRow("a path") << "../rank-0.safetensors" << fileOf(0) << 0 << other;
    QTest::addRow("a gap") << "rank-0.safetensors" << fileOf(0) << 10 << other;
    QTest::addRow("other bytes") << "rank-0.safetensors" << QByteArray(1000, 'z') << 0
                                 << "%1 is damaged: rank-0.safetensors is not what was written";
}

void TestGatheredCheckpoints::whatIsNotWholeIsRefused()
{
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, from);
    QFETCH(const QString, why);
    const QTemporaryDir folder;
    GatheredCheckpoints gathered(folder.path(), 0);
    QVERIFY(gathered.leaveMark());
    QVERIFY(!gathered.add(0, whole(20, "manifest.json", manifestOf(1))));
    const auto line = gathered.add(0, part(20, name.toStdString(), bytes, from, bytes.size() - from));
    QVERIFY(line);
    QCOMPARE(line->level, wire::LogLevel::Warning);
    QCOMPARE(QString::fromStdString(line->text),
        "the checkpoint of step 20 could not be gathered: "
            + QString(why).replace("%1", folder.filePath(".incoming-20")));
    QVERIFY(!gathered.add(0, whole(20, "rank-0.safetensors", fileOf(0)))); // once is enough
    QVERIFY(store::checkpointsIn(folder.path()).empty());
}

void TestGatheredCheckpoints::nothingIsGatheredUnlessAsked()
{
    GatheredCheckpoints gathered({}, 0);
    QCOMPARE(*gathered.leaveMark(), std::string());
    QVERIFY(!gathered.add(0, whole(20, "rank-0.safetensors", fileOf(0))));
}

LOCKSTEP_TEST(TestGatheredCheckpoints)
#include "test_gathered_checkpoints.moc"
