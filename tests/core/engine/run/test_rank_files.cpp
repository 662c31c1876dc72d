// Which ranks of a checkpoint share a folder, and whether they have found the same one: ranks are threads.
#include "base/checkpoint_names.h"
#include "core/engine/comm/group.h"
#include "engine/run/files/rank_files.h"
#include "program/test_class.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

AllReduceSum sumsOver(comm::Communicator& group)
{
    return [&group](std::span<double> numbers) {
        const auto count = std::ssize(numbers);
        return group.allReduce({numbers.data(), count, comm::DataType::Float64},
            {numbers.data(), count, comm::DataType::Float64}, comm::Reduction::Sum);
    };
}

RankContext contextOf(const comm::Communicator& group)
{
    return {.rank = Rank{group.rank()}, .worldSize = group.size(), .group = {}};
}

Result<FileSum> write(const std::string& folder, int rank)
{
    return writeFile(folder + "/" + checkpointFileName(rank), "weights of " + std::to_string(rank));
}

Manifest manifestOf(int number)
{
    Manifest manifest;
    manifest.step = 20;
    manifest.files.push_back({checkpointFileName(0), {10, "0000000" + std::to_string(number) + std::string(56, '0')}});
    return manifest;
}

} // namespace

class TestRankFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankKnowsAllFiles();
    void aRankThatCannotWriteFailsAll();
    void foldersHaveKeepers_data();
    void foldersHaveKeepers();
    void allHaveTheSameManifest();
};

void TestRankFiles::everyRankKnowsAllFiles()
{
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto results = asRanks(3, [&](comm::Communicator& group) -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(
            const auto files, describeFiles(write(path, group.rank()), contextOf(group), sumsOver(group)));
        for (int rank = 0; rank < 3; ++rank) {
            const Manifest::File& file = files.at(static_cast<std::size_t>(rank));
            LOCKSTEP_TRY_ASSIGN(const auto expected, sumOf(path + "/" + checkpointFileName(rank)));
            if (file.name != checkpointFileName(rank) || file.sum != expected) {
                return Error{file.name + " is described otherwise"};
            }
        }
        return {};
    });
    QCOMPARE(firstError(results), std::string());
}

void TestRankFiles::aRankThatCannotWriteFailsAll()
{
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto results = asRanks(2, [&](comm::Communicator& group) -> Result<void> {
        const Result<FileSum> written
            = group.rank() == 1 ? Result<FileSum>(Error{"the disk is full"}) : write(path, group.rank());
        const auto files = describeFiles(written, contextOf(group), sumsOver(group));
        return files ? Result<void>() : Result<void>(files.error());
    });
    QCOMPARE(results[0].error().message, std::string("another rank could not write its part"));
    QCOMPARE(results[1].error().message, std::string("the disk is full"));
}

void TestRankFiles::foldersHaveKeepers_data()
{
    QTest::addColumn<QList<int>>("folders");
    QTest::addColumn<QList<int>>("keepers");
    QTest::addRow("one folder") << QList<int>{0, 0, 0, 0} << QList<int>{0, 0, 0, 0};
    QTest::addRow("two hosts") << QList<int>{0, 0, 1, 1} << QList<int>{0, 0, 2, 2};
    QTest::addRow("in turn") << QList<int>{0, 1, 0, 1} << QList<int>{0, 1, 0, 1};
    QTest::addRow("one each") << QList<int>{0, 1, 2, 3} << QList<int>{0, 1, 2, 3};
}

void TestRankFiles::foldersHaveKeepers()
{
    QFETCH(const QList<int>, folders);
    QFETCH(const QList<int>, keepers);
    const QTemporaryDir all;
    for (const int folder : folders) {
        QVERIFY(QDir(all.path()).mkpath(QString::number(folder)));
        QVERIFY(
            write(all.filePath(QString::number(folder)).toStdString(), 0)); // of an earlier attempt: it tells nothing
    }
    const auto results = asRanks(4, [&](comm::Communicator& group) -> Result<void> {
        const std::string path = all.filePath(QString::number(folders[group.rank()])).toStdString();
        LOCKSTEP_TRY_ASSIGN(auto files, describeFiles(write(path, group.rank()), contextOf(group), sumsOver(group)));
        LOCKSTEP_TRY(findKeepers(path, files, contextOf(group), sumsOver(group)));
        for (int rank = 0; rank < 4; ++rank) {
            const int keeper = files[static_cast<std::size_t>(rank)].keeper;
            if (keeper != keepers[rank]) {
                return Error{"rank " + std::to_string(rank) + " is kept by " + std::to_string(keeper)};
            }
        }
        return {};
    });
    QCOMPARE(firstError(results), std::string());
    for (const int folder : folders) { // no mark stays
        const QDir path(all.filePath(QString::number(folder)));
        QCOMPARE(path.entryList({QStringLiteral(".*")}, QDir::Files | QDir::Hidden), QStringList());
    }
}

void TestRankFiles::allHaveTheSameManifest()
{
    const auto messages = [](const std::function<Result<Manifest>(int)>& own) {
        const auto results = asRanks(2, [&](comm::Communicator& group) -> Result<void> {
            const auto manifest = agreedOn(own(group.rank()), contextOf(group), sumsOver(group));
            return manifest ? Result<void>() : Result<void>(manifest.error());
        });
        return QStringList{QString::fromStdString(results[0] ? "" : results[0].error().message),
            QString::fromStdString(results[1] ? "" : results[1].error().message)};
    };
    QCOMPARE(messages([](int) { return manifestOf(7); }), (QStringList{"", ""}));
    QCOMPARE(messages([](int rank) { return manifestOf(rank); }),
        (QStringList{"checkpoint.from: rank 1 has found another checkpoint there than rank 0",
            "checkpoint.from: rank 0 has found another checkpoint there than rank 1"}));
    QCOMPARE(messages([](int rank) {
        return rank == 1 ? Result<Manifest>(Error{"there is none"}) : Result<Manifest>(manifestOf(7));
    }),
        (QStringList{"checkpoint.from: rank 1 cannot read its part of it", "there is none"}));
}

LOCKSTEP_TEST(TestRankFiles)
#include "test_rank_files.moc"
