#include "core/engine/run_of.h"
#include "datasets/idx.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>
#include <zlib.h>

using namespace lockstep;
using namespace lockstep::datasets;

namespace {

const std::string BadIdxFolder = LOCKSTEP_SOURCE_DIR "/tests/data/bad/idx";

Result<IdxFile> images(const std::string& name)
{
    return readIdxFile(BadIdxFolder + "/" + name, IdxContent::Images);
}

} // namespace

class TestIdxFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void readsPlainAndPackedAlike()
    {
        const auto plain = images("good-images");
        const auto packed = images("good-images-packed.gz");
        QVERIFY2(plain.isOk() && packed.isOk(), (messageOf(plain) + messageOf(packed)).c_str());
        std::vector<std::uint8_t> expected(24);
        std::iota(expected.begin(), expected.end(), std::uint8_t{0});
        QCOMPARE(plain->sizes, (std::vector<std::int64_t>{4, 2, 3}));
        QCOMPARE(plain->bytes, expected);
        QCOMPARE(packed->sizes, plain->sizes);
        QCOMPARE(packed->bytes, plain->bytes);
    }

    void readsLabels()
    {
        const auto labels = readIdxFile(BadIdxFolder + "/good-labels", IdxContent::Labels);
        QVERIFY2(labels.isOk(), messageOf(labels).c_str());
        QCOMPARE(labels->sizes, (std::vector<std::int64_t>{4}));
        QCOMPARE(labels->bytes, (std::vector<std::uint8_t>{3, 1, 4, 1}));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("stem");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* stem, const char* suffix, const char* message) {
            QTest::addRow("%s", stem) << QString::fromLatin1(stem) + QString::fromLatin1(suffix)
                                      << QStringLiteral("dataset.path: %1/%2%3 %4")
                                             .arg(QString::fromStdString(BadIdxFolder), QString::fromLatin1(stem),
                                                 QString::fromLatin1(suffix), QString::fromLatin1(message));
        };
        row("wrong-magic", "", "has magic 0x00000801, images need 0x00000803");
        row("floats", "", "has magic 0x00000d03, images need 0x00000803");
        row("empty", "", "is cut off: 0 bytes, its header alone needs 16");
        row("cut-header", "", "is cut off: 10 bytes, its header alone needs 16");
        row("cut-content", "", "is cut off: 39 bytes, its header says 40");
        row("cut-content-packed", ".gz", "is cut off: its header says 24 bytes of data, it has 23");
        row("goes-on", "", "is longer than the 24 bytes of data that its header says");
        row("goes-on-packed", ".gz", "is longer than the 24 bytes of data that its header says");
        row("huge-count", "", "says it has 4294967295 entries, allowed are 1 to what fits in 16 GiB");
        row("no-images", "", "says it has 0 entries, allowed are 1 to what fits in 16 GiB");
        row("huge-side", "", "says its images have a side of 2147483647, allowed are 1 to 4096");
        row("no-side", "", "says its images have a side of 0, allowed are 1 to 4096");
        row("big-promise", ".gz", "says it has 1000000000 bytes of data, more than its 36 compressed bytes can hold");
        row("wrong-sum", ".gz", "is damaged: ");
        row("cut-packed", ".gz", "is cut off: its compressed data stops before its end");
        row("nowhere", "", "cannot be read: No such file or directory");
    }

    void saysWhatIsWrong()
    {
        QFETCH(QString, stem);
        QFETCH(QString, message);
        const auto file = images(stem.toStdString());
        // A look at the header, which is all that happens before a run, finds the same.
        const auto header = readIdxHeader(BadIdxFolder + "/" + stem.toStdString());
        QCOMPARE(messageOf(header), messageOf(file));
        QVERIFY(!file.isOk());
        const QString given = QString::fromStdString(file.error().message);
        // For damaged gzip data the message is zlib's own.
        const bool isOpen = message.endsWith(QLatin1Char(' '));
        QVERIFY2(isOpen ? given.startsWith(message) : given == message, qPrintable(given));
    }

    void everyCutOfAPackedFileIsNoticed()
    {
        QFile whole(QString::fromStdString(BadIdxFolder) + QStringLiteral("/good-images-packed.gz"));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        const QTemporaryDir folder;
        for (qsizetype length = 0; length < bytes.size(); ++length) {
            QFile part(folder.filePath(QStringLiteral("part.gz")));
            QVERIFY(part.open(QIODevice::WriteOnly | QIODevice::Truncate));
            part.write(bytes.left(length));
            part.close();
            const auto file = readIdxFile(folder.filePath(QStringLiteral("part.gz")).toStdString(), IdxContent::Images);
            QVERIFY2(!file.isOk(), qPrintable(QStringLiteral("cut after %1 bytes").arg(length)));
        }
    }

    void sixtyThousandPackedImagesInASecond()
    {
        constexpr int Count = 60'000;
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("train.gz")).toStdString();
        std::vector<std::uint8_t> image(784);
        gzFile out = gzopen(path.c_str(), "wb1");
        const std::array<std::uint8_t, 16> header{0, 0, 8, 3, 0, 0, Count >> 8, Count & 255, 0, 0, 0, 28, 0, 0, 0, 28};
        gzwrite(out, header.data(), header.size());
        std::uint32_t state = 1;
        for (int i = 0; i < Count; ++i) {
            // Four fifths black, as MNIST is.
            for (std::size_t k = 300; k < 456; ++k) {
                state = state * 1664525u + 1013904223u;
                image[k] = static_cast<std::uint8_t>(state >> 24);
            }
            gzwrite(out, image.data(), static_cast<unsigned>(image.size()));
        }
        gzclose(out);
        QElapsedTimer timer;
        timer.start();
        const auto file = readIdxFile(path, IdxContent::Images);
        const qint64 spent = timer.elapsed();
        QVERIFY2(file.isOk(), messageOf(file).c_str());
        QCOMPARE(file->sizes.front(), std::int64_t{Count});
        QVERIFY(std::equal(image.begin(), image.end(), file->bytes.end() - 784));
        qInfo("60,000 images from .gz: %lld ms", static_cast<long long>(spent));
        QVERIFY(spent < 5'000); // one second on a free core; the machine may be busy
    }
};

LOCKSTEP_TEST(TestIdxFile)
#include "test_idx_file.moc"
