// Weights of a checkpoint whose files say what no program of ours has written: refused in one line, and nothing outside
// of a tensor's memory is read or written (run under AddressSanitizer, too).
#include "base/checkpoint_names.h"
#include "core/engine/run_of.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/joined_weights.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <limits>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

torch::Tensor integers(const std::vector<std::int64_t>& values)
{
    return torch::tensor(values, torch::kLong);
}

/// Of two ranks, whose manifest fits the files.
Result<void> writeCheckpoint(const QTemporaryDir& folder, const char* strategy, const std::vector<Tensors>& ranks)
{
    const std::string path = folder.path().toStdString();
    Manifest manifest{
        10, experiment::toJson(runOf({{"strategy.name", strategy}, {"world_size", "2"}, {"tensor.size", "2"}})), {}};
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::string name = checkpointFileName(static_cast<int>(rank));
        LOCKSTEP_TRY_ASSIGN(const auto sum, writeTensors(path + "/" + name, ranks[rank]));
        manifest.files.push_back({name, sum});
    }
    return writeManifestFile(path, manifest);
}

QString joinedIn(const QTemporaryDir& folder)
{
    return QString::fromStdString(messageOf(
        joinWeights(folder.path().toStdString(), folder.filePath("joined.pt").toStdString(), WeightsFormat::Torch)));
}

} // namespace

class TestJoinedWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void piecesMustFit_data()
    {
        QTest::addColumn<QList<qint64>>("numbers");
        QTest::addColumn<bool>("isRight");
        QTest::addRow("upper half") << QList<qint64>{0, 8, 4, 4} << true;
        QTest::addRow("in two slices") << QList<qint64>{0, 8, 4, 1, 5, 3} << true;
        QTest::addRow("a gap") << QList<qint64>{0, 8, 3, 1, 5, 3} << false;
        QTest::addRow("less than the part has") << QList<qint64>{0, 8, 4, 3} << false;
        QTest::addRow("none") << QList<qint64>{} << false;
        QTest::addRow("no slices") << QList<qint64>{0, 8} << false;
        QTest::addRow("half a slice") << QList<qint64>{0, 8, 0} << false;
        QTest::addRow("no such dimension") << QList<qint64>{2, 8, 0, 4} << false;
        QTest::addRow("far dimension") << QList<qint64>{1'000'000'000, 8, 0, 4} << false;
        QTest::addRow("dimension below zero") << QList<qint64>{-1, 8, 0, 4} << false;
        QTest::addRow("larger than all files") << QList<qint64>{0, qint64{1} << 60, 0, 4} << false;
        QTest::addRow("smaller than the part") << QList<qint64>{0, 3, 0, 3} << false;
        QTest::addRow("first below zero") << QList<qint64>{0, 8, -4, 4} << false;
        QTest::addRow("count below zero") << QList<qint64>{0, 8, 4, -4} << false;
        QTest::addRow("beyond the whole") << QList<qint64>{0, 8, 5, 4} << false;
        QTest::addRow("overflow") << QList<qint64>{0, 8, std::numeric_limits<qint64>::max(), 4} << false;
        QTest::addRow("more than the part has") << QList<qint64>{0, 8, 0, 4, 4, 4} << false;
    }

    void piecesMustFit()
    {
        QFETCH(QList<qint64>, numbers);
        QFETCH(bool, isRight);
        const std::vector<std::int64_t> values(numbers.begin(), numbers.end());
        QTemporaryDir folder;
        const auto written = writeCheckpoint(folder, "tensor",
            {{{"weights/0.weight", torch::ones({4, 3})}, {"pieces/0.weight", integers({0, 8, 0, 4})}},
                {{"weights/0.weight", torch::ones({4, 3}) * 2}, {"pieces/0.weight", integers(values)}}});
        QVERIFY2(written, messageOf(written).c_str());
        const QString message = joinedIn(folder);
        QVERIFY2(message.isEmpty() == isRight, qPrintable(message));
        QVERIFY(isRight || message.contains("do not fit it") || message.contains("is in no rank's file"));
    }

    void numbersMustBeIntegers()
    {
        for (const torch::Tensor& numbers : {torch::ones({4}), torch::ones({2, 2}, torch::kLong), torch::Tensor()}) {
            QTemporaryDir folder;
            Tensors rank{{"weights/0.weight", torch::ones({4, 3})}};
            rank["pieces/0.weight"] = numbers.defined() ? numbers : torch::empty({0});
            QVERIFY(writeCheckpoint(folder, "tensor", {rank, rank}));
            QVERIFY2(joinedIn(folder).contains("do not fit it"), qPrintable(joinedIn(folder)));
        }
    }

    void shardsMustFit_data()
    {
        QTest::addColumn<QString>("second");
        QTest::addColumn<QList<qint64>>("shape");
        QTest::addColumn<bool>("isRight");
        QTest::addRow("right") << "weights/0.weight@6" << QList<qint64>{4, 3} << true;
        QTest::addRow("a gap") << "weights/0.weight@7" << QList<qint64>{4, 3} << false;
        QTest::addRow("an overlap") << "weights/0.weight@5" << QList<qint64>{4, 3} << false;
        QTest::addRow("no number") << "weights/0.weight@six" << QList<qint64>{4, 3} << false;
        QTest::addRow("below zero") << "weights/0.weight@-6" << QList<qint64>{4, 3} << false;
        QTest::addRow("too many digits") << "weights/0.weight@99999999999999999999" << QList<qint64>{4, 3} << false;
        QTest::addRow("another shape") << "weights/0.weight@6" << QList<qint64>{4, 4} << false;
        QTest::addRow("sizes below zero") << "weights/0.weight@6" << QList<qint64>{-4, -3} << false;
        QTest::addRow("sizes that overflow") << "weights/0.weight@6" << QList<qint64>{qint64{1} << 62, 12} << false;
    }

    void shardsMustFit()
    {
        QFETCH(QString, second);
        QFETCH(QList<qint64>, shape);
        QFETCH(bool, isRight);
        const torch::Tensor sizes = integers({shape.begin(), shape.end()});
        QTemporaryDir folder;
        QVERIFY(writeCheckpoint(folder, "zero",
            {{{"weights/0.weight@0", torch::ones({6})}, {"shapes/0.weight", sizes}},
                {{second.toStdString(), torch::ones({6})}, {"shapes/0.weight", sizes}}}));
        const QString message = joinedIn(folder);
        QVERIFY2(message.isEmpty() == isRight, qPrintable(message));
    }

    void shapesMustBeThere()
    {
        QTemporaryDir folder;
        const Tensors rank{{"weights/0.weight@0", torch::ones({6})}};
        QVERIFY(writeCheckpoint(folder, "zero", {rank, rank}));
        QVERIFY(joinedIn(folder).contains("do not fit it"));
    }

    void everyRankHasItsFile()
    {
        QTemporaryDir folder;
        QVERIFY(writeCheckpoint(folder, "tensor",
            {{{"weights/0.weight", torch::ones({4, 3})}, {"pieces/0.weight", integers({0, 8, 0, 4})}}}));
        QVERIFY2(joinedIn(folder).contains("has the files of 1 ranks, its run has 2"), qPrintable(joinedIn(folder)));
    }

    void averagesAreOfEqualShapes()
    {
        QTemporaryDir folder;
        QVERIFY(writeCheckpoint(folder, "local",
            {{{"weights/0.weight", torch::ones({4, 3})}}, {{"weights/0.weight", torch::ones({1, 3})}}}));
        QVERIFY(joinedIn(folder).contains("tensors of different shapes under the name 0.weight"));
    }

    void whatIsNoFileOfTensorsIsNamed()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        const auto sum = writeFile(path + "/rank-0.safetensors", "no tensors");
        QVERIFY2(sum.isOk(), messageOf(sum).c_str());
        QCOMPARE(messageOf(readTensors(path, {"rank-0.safetensors", *sum})),
            path
                + "/rank-0.safetensors is not a file of tensors: its header is not that of a safetensors file, or it "
                  "is cut off");
    }

    void theManifestHasSha256()
    {
        QTemporaryDir folder;
        const Tensors rank{{"weights/0.weight", torch::ones({4, 3})}};
        QVERIFY(writeCheckpoint(folder, "data", {rank, rank}));
        auto manifest = readManifest(folder.path().toStdString());
        QVERIFY(manifest);
        QFile file(folder.filePath("rank-0.safetensors"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(manifest->files[0].sum.sha256),
            QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex());
        QVERIFY(readTensors(folder.path().toStdString(), manifest->files[0]));
        manifest->files[0].sum.sha256[0] = manifest->files[0].sum.sha256[0] == '0' ? '1' : '0';
        QVERIFY(messageOf(readTensors(folder.path().toStdString(), manifest->files[0]))
                    .ends_with("is not what was written"));
    }
};

LOCKSTEP_TEST(TestJoinedWeights)
#include "test_joined_weights.moc"
