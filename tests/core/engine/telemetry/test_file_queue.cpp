// Files for the workbench: in pieces, whole, and a newer checkpoint before an older one.
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
    void aNewerCheckpointTakesThePlaceOfAnOlder();
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
    QVERIFY(queue.push(20, "rank-0.pt", fileOf(2 * Piece + 5)));
    QVERIFY(QFile::remove(m_folder.filePath("file"))); // it was opened
    std::vector<std::int64_t> sizes;
    while (const auto part = queue.next()) {
        QCOMPARE(part->name, std::string("rank-0.pt"));
        QCOMPARE(part->total, 2 * Piece + 5);
        sizes.push_back(std::ssize(part->bytes));
    }
    QCOMPARE(sizes, (std::vector<std::int64_t>{Piece, Piece, 5}));
    QVERIFY(queue.isEmpty());
    QCOMPARE(queue.sentSteps()[0], 20);
    QCOMPARE(queue.sentSteps()[1], -1);
}

void TestFileQueue::aNewerCheckpointTakesThePlaceOfAnOlder()
{
    constexpr auto Piece = static_cast<qsizetype>(wire::CheckpointPieceBytes);
    FileQueue queue;
    const std::string path = fileOf(2 * Piece);
    QVERIFY(queue.push(20, "manifest.json", path));
    QVERIFY(queue.push(20, "rank-0.pt", path));
    QVERIFY(queue.next()); // step 20 is under way
    QVERIFY(queue.push(40, "manifest.json", path));
    QVERIFY(queue.push(40, "rank-0.pt", path));
    QVERIFY(queue.push(60, "rank-0.pt", path));
    std::vector<std::int64_t> steps;
    while (const auto part = queue.next()) {
        steps.push_back(part->step);
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{20, 20, 20, 60, 60}));
    QCOMPARE(queue.sentSteps()[0], 60);
    QCOMPARE(queue.sentSteps()[1], 20);
}

void TestFileQueue::aFileThatIsMissingIsAnError()
{
    FileQueue queue;
    const auto pushed = queue.push(20, "rank-0.pt", m_folder.filePath("none").toStdString());
    QVERIFY(!pushed);
    QVERIFY(
        QString::fromStdString(pushed.error().message).endsWith("/none: cannot be read: No such file or directory"));
    QVERIFY(queue.isEmpty());
}

LOCKSTEP_TEST(TestFileQueue)
#include "test_file_queue.moc"
