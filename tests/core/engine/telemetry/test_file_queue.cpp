// Files for the workbench: in pieces, whole, and which checkpoints were sent.
#include "engine/telemetry/file_queue.h"
#include "program/test_class.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using engine::FileQueue;

class TestFileQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileComesInPieces();
    void stepsThatWereSentAreKnown();
    void aFileThatIsMissingIsAnError();

private:
    std::string fileOf(qsizetype bytes)
    {
        QFile file(m_folder.filePath("file"));
        if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray(bytes, 'w')) != bytes) {
            qFatal("there is no place for a file");
        }
        return file.fileName().toStdString();
    }
    QTemporaryDir m_folder;
};

void TestFileQueue::aFileComesInPieces()
{
    constexpr auto Piece = static_cast<std::int64_t>(wire::CheckpointPieceBytes);
    FileQueue queue;
    QVERIFY(queue.push(20, "rank-0.safetensors", fileOf(2 * Piece + 5)));
    QVERIFY(QFile::remove(m_folder.filePath("file"))); // it was opened
    std::vector<std::int64_t> sizes;
    while (const auto part = queue.next()) {
        QCOMPARE(part->name, std::string("rank-0.safetensors"));
        QCOMPARE(part->total, 2 * Piece + 5);
        sizes.push_back(std::ssize(part->bytes));
    }
    QCOMPARE(sizes, (std::vector<std::int64_t>{Piece, Piece, 5}));
    QVERIFY(queue.isEmpty());
    QCOMPARE(queue.steps(), (std::set<std::int64_t>{20}));
}

void TestFileQueue::stepsThatWereSentAreKnown()
{
    FileQueue queue;
    const std::string path = fileOf(10);
    for (const int step : {20, 40, 60}) {
        QVERIFY(queue.push(step, "manifest.json", path));
        QVERIFY(queue.push(step, "rank-0.safetensors", path));
        while (queue.next()) { }
    }
    QCOMPARE(queue.steps(), (std::set<std::int64_t>{40, 60}));
    QVERIFY(queue.push(80, "manifest.json", path));
    QVERIFY(queue.push(80, "rank-0.safetensors", path));
    QVERIFY(queue.next());
    QVERIFY(!queue.isEmpty());
    QCOMPARE(queue.steps(), (std::set<std::int64_t>{40, 60, 80}));
}

void TestFileQueue::aFileThatIsMissingIsAnError()
{
    FileQueue queue;
    const auto pushed = queue.push(20, "rank-0.safetensors", m_folder.filePath("none").toStdString());
    QVERIFY(!pushed);
    QVERIFY(
        QString::fromStdString(pushed.error().message).endsWith("/none: cannot be read: No such file or directory"));
    QVERIFY(queue.isEmpty());
}

LOCKSTEP_TEST(TestFileQueue)
#include "test_file_queue.moc"
