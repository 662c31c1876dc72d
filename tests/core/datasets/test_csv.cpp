// CSV files of images, as Kaggle gives them out.
#include "core/datasets/small_files.h"
#include "core/engine/run_of.h"
#include "datasets/csv.h"
#include "datasets/registry.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::datasets;
using namespace lockstep::tests;

namespace {

const QList<int> Labels{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9}; // 13: two of them test

experiment::RunSpec csvRun(const QString& path)
{
    return runOf(
        {{"dataset.name", "csv"}, {"dataset.path", path.toStdString()}, {"train.batch", "1"}, {"net.name", "mlp"}});
}

} // namespace

class TestCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theLastSixthTests_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("names") << csvOf(Labels) << "train.csv";
        QTest::newRow("no names") << csvOf(Labels, false) << "digits.csv";
        QTest::newRow("Windows") << csvOf(Labels).replace("\n", "\r\n") << "train.csv";
        QTest::newRow("no end of line") << csvOf(Labels).chopped(1) << "train.csv";
        QTest::newRow("compressed") << packed(csvOf(Labels)) << "train.csv.gz";
    }

    void theLastSixthTests()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, name);
        QVERIFY(writeSmallFile(path(name), bytes));
        // Kaggle's images without labels are no test set.
        QVERIFY(writeSmallFile(path(QStringLiteral("test.csv")), csvOf({1, 2, 3}, true, 28, false)));
        if (name.startsWith(QLatin1String("digits"))) {
            QFile::remove(path(QStringLiteral("test.csv")));
        }
        for (const QString& given : {path(name), m_folder->path()}) {
            auto run = csvRun(given);
            const auto described = describe(run);
            QVERIFY2(described.isOk(), messageOf(described).c_str());
            QVERIFY((*run.data == experiment::DataFacts{10, 1, 28, 28, 11, 2}));
            const auto set = readCsv(run, *csvFiles(run));
            QVERIFY2(set.isOk(), messageOf(set).c_str());
            QCOMPARE(set->train.labels, (std::vector<std::uint8_t>{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}));
            QCOMPARE(set->test.labels, (std::vector<std::uint8_t>{8, 9}));
            std::vector<std::uint8_t> pixels = set->train.pixels;
            pixels.insert(pixels.end(), set->test.pixels.begin(), set->test.pixels.end());
            const QByteArray expected = smallImages(Labels);
            QVERIFY(std::equal(pixels.begin(), pixels.end(), expected.begin(), expected.end(),
                [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
        }
    }

    void aLabelledTestFileTests()
    {
        QVERIFY(writeSmallFile(path(QStringLiteral("fashion-mnist_train.csv")), csvOf({1, 2, 11}, true, 8)));
        QVERIFY(writeSmallFile(path(QStringLiteral("fashion-mnist_test.csv")), csvOf({4, 5}, true, 8)));
        auto run = csvRun(m_folder->path());
        QVERIFY(describe(run).isOk());
        QVERIFY((*run.data == experiment::DataFacts{12, 1, 8, 8, 3, 2}));
        QCOMPARE(readCsv(run, *csvFiles(run))->test.labels, (std::vector<std::uint8_t>{4, 5}));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const QByteArray good = csvOf(Labels, true, 2); // label and four pixels
        const auto with = [&](const char* line) { return good + line + '\n' + good.mid(good.indexOf('\n') + 1); };
        QTest::newRow("short line") << with("1,2,3,4") << "%1: line 15 has 4 values, the first one has 5";
        QTest::newRow("long line") << with("1,2,3,4,5,6") << "%1: line 15 has 6 values, the first one has 5";
        QTest::newRow("cut") << good.chopped(5) << "";
        QTest::newRow("pixel") << with("1,2,256,4,5")
                               << "%1: line 15, column 3: \"256\" is not a whole number from 0 to 255";
        QTest::newRow("fraction") << with("1,2,3,0.5,5")
                                  << "%1: line 15, column 4: \"0.5\" is not a whole number from 0 to 255";
        QTest::newRow("label") << with("-1,2,3,4,5")
                               << "%1: line 15, column 1: \"-1\" is not a whole number from 0 to 255";
        QTest::newRow("nothing in between")
            << with("1,2,,4,5") << "%1: line 15, column 3: \"\" is not a whole number from 0 to 255";
        QTest::newRow("nothing at the end")
            << with("1,2,3,4,") << "%1: line 15, column 5: \"\" is not a whole number from 0 to 255";
        QTest::newRow("no square") << QByteArray("label,a,b,c\n1,2,3,4\n")
                                   << "%1 has 4 columns; needed are a label and the pixels of a square image of at "
                                      "most 256 x 256 (785 columns for 28 x 28)";
        QTest::newRow("a text") << QByteArray("Dear reader\n")
                                << "%1 has 1 columns; needed are a label and the pixels "
                                   "of a square image of at most 256 x 256 (785 columns "
                                   "for 28 x 28)";
        QTest::newRow("empty") << QByteArray("") << "%1 has no images";
        QTest::newRow("names only") << good.left(good.indexOf('\n') + 1) << "%1 has no images";
        QTest::newRow("few") << csvOf({1, 2, 3}, true, 2)
                             << "%1 has 3 images; its last sixth is for testing, so at least 6 are needed";
        QTest::newRow("no lines") << QByteArray(4'000'000, '1') << "%1: line 1 is longer than 1048576 bytes";
        QTest::newRow("packed and cut") << packed(good).chopped(9)
                                        << "%1 is cut off: its compressed data stops before its end";
    }

    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        const QString file = path(QStringLiteral("some.csv"));
        QVERIFY(writeSmallFile(file, bytes));
        auto run = csvRun(file);
        const auto described = describe(run);
        if (message.isEmpty()) { // somewhere in the last line
            QVERIFY(!described.isOk());
        } else {
            QCOMPARE(QString::fromStdString(messageOf(described)), "dataset.path: " + message.arg(file));
        }
    }

    void namesTheFileThatIsMissing()
    {
        auto run = csvRun(path(QStringLiteral("none.csv")));
        QCOMPARE(QString::fromStdString(messageOf(describe(run))),
            "dataset.path: the file \"" + path(QStringLiteral("none.csv")) + "\" does not exist; choose a CSV file");
        auto folder = csvRun(m_folder->path());
        QCOMPARE(QString::fromStdString(messageOf(describe(folder))),
            "dataset.path: " + m_folder->path()
                + " has 0 CSV files that could be the training images; choose the file");
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

LOCKSTEP_TEST(TestCsv)
#include "test_csv.moc"
