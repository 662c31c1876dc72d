// Weights of a checkpoint whose files say what no program of ours has written: refused in one line, and nothing outside
// of a tensor's memory is read or written (run under AddressSanitizer, too).
#include "base/checkpoint_names.h"
#include "core/engine/run_of.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/run/checkpoint_files.h"
#include "engine/run/joined_weights.h"
#include "program/test_class.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>
#include <torch/serialize.h>
#include <torch/types.h>

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
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
        LOCKSTEP_TRY(writeTensors(path + "/" + checkpointFileName(static_cast<int>(rank)), ranks[rank]));
        LOCKSTEP_TRY_ASSIGN(const auto file, describeFile(path, checkpointFileName(static_cast<int>(rank))));
        manifest.files.push_back(file);
    }
    return writeManifestFile(path, manifest);
}

QString joinedIn(const QTemporaryDir& folder)
{
    return QString::fromStdString(
        messageOf(joinWeights(folder.path().toStdString(), folder.filePath("joined.pt").toStdString())));
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

    /// torch::pickle_load takes sizes and strides as they are in the file.
    void aTensorMustLieWithinItsMemory_data()
    {
        QTest::addColumn<QList<qint64>>("sizes");
        QTest::addColumn<QList<qint64>>("strides");
        QTest::addColumn<qint64>("offset");
        QTest::addRow("too long") << QList<qint64>{1000} << QList<qint64>{1} << qint64{0};
        QTest::addRow("wide strides") << QList<qint64>{4, 3} << QList<qint64>{1'000'000, 1} << qint64{0};
        QTest::addRow("strides that overflow")
            << QList<qint64>{4, 3} << QList<qint64>{std::numeric_limits<qint64>::max(), 1} << qint64{0};
        QTest::addRow("offset") << QList<qint64>{4, 3} << QList<qint64>{3, 1} << qint64{1};
        QTest::addRow("far offset") << QList<qint64>{1} << QList<qint64>{1} << std::numeric_limits<qint64>::max();
    }

    void aTensorMustLieWithinItsMemory()
    {
        QFETCH(QList<qint64>, sizes);
        QFETCH(QList<qint64>, strides);
        QFETCH(qint64, offset);
        const torch::Tensor tensor = torch::ones({4, 3});
        tensor.unsafeGetTensorImpl()->set_storage_offset(offset);
        tensor.unsafeGetTensorImpl()->set_sizes_and_strides(std::vector<std::int64_t>(sizes.begin(), sizes.end()),
            std::vector<std::int64_t>(strides.begin(), strides.end()));
        c10::Dict<std::string, at::Tensor> dictionary;
        dictionary.insert("weights/0.weight", tensor);
        const std::vector<char> bytes = torch::pickle_save(dictionary);
        QTemporaryDir folder;
        QFile file(folder.filePath("rank-0.pt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes.data(), std::ssize(bytes)) == std::ssize(bytes));
        file.close();
        const std::string path = folder.path().toStdString();
        const auto read = readTensors(path, *describeFile(path, "rank-0.pt"));
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(messageOf(read)).contains("rank-0.pt"), messageOf(read).c_str());
    }

    /// The file says how large a tensor's memory is; the record in the archive can be shorter.
    void aRecordMustBeAsLongAsItSays()
    {
        const torch::Tensor tensor = torch::ones({4});
        tensor.storage().unsafeGetStorageImpl()->set_nbytes(4'000'000); // says the file; the record has 16 bytes
        tensor.unsafeGetTensorImpl()->set_sizes_contiguous(std::vector<std::int64_t>{1'000'000});
        std::vector<char> program;
        torch::jit::Pickler pickler(
            [&](const char* bytes, std::size_t size) { program.insert(program.end(), bytes, bytes + size); }, nullptr,
            nullptr, nullptr, [](const at::Tensor&) { return std::string("0"); }, false);
        c10::Dict<std::string, at::Tensor> dictionary;
        dictionary.insert("weights/0.weight", tensor);
        pickler.protocol();
        pickler.pushIValue(dictionary);
        pickler.stop();
        std::vector<char> archive;
        caffe2::serialize::PyTorchStreamWriter writer([&](const void* bytes, std::size_t size) {
            const auto* begin = static_cast<const char*>(bytes);
            archive.insert(archive.end(), begin, begin + size);
            return size;
        });
        const std::array<float, 4> numbers{};
        writer.writeRecord("data/0", numbers.data(), sizeof(numbers));
        writer.writeRecord("data.pkl", program.data(), program.size());
        writer.writeEndOfFile();
        QTemporaryDir folder;
        QFile file(folder.filePath("rank-0.pt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(archive.data(), std::ssize(archive)) > 0);
        file.close();
        const std::string path = folder.path().toStdString();
        const auto read = readTensors(path, *describeFile(path, "rank-0.pt"));
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(messageOf(read)).contains("does not fit its memory"), messageOf(read).c_str());
        tensor.storage().unsafeGetStorageImpl()->set_nbytes(16);
        tensor.unsafeGetTensorImpl()->set_sizes_contiguous(std::vector<std::int64_t>{4});
    }

    void theManifestHasSha256()
    {
        QTemporaryDir folder;
        const Tensors rank{{"weights/0.weight", torch::ones({4, 3})}};
        QVERIFY(writeCheckpoint(folder, "data", {rank, rank}));
        auto manifest = readManifest(folder.path().toStdString());
        QVERIFY(manifest);
        QFile file(folder.filePath("rank-0.pt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(manifest->files[0].sha256),
            QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex());
        QVERIFY(readTensors(folder.path().toStdString(), manifest->files[0]));
        manifest->files[0].sha256[0] = manifest->files[0].sha256[0] == '0' ? '1' : '0';
        QVERIFY(messageOf(readTensors(folder.path().toStdString(), manifest->files[0]))
                    .ends_with("is not what was written"));
        manifest->files[0].sha256.clear(); // of an earlier version
        QVERIFY(readTensors(folder.path().toStdString(), manifest->files[0]));
    }
};

LOCKSTEP_TEST(TestJoinedWeights)
#include "test_joined_weights.moc"
