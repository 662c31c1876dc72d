// Keras's .npz files.
#include "core/datasets/small_files.h"
#include "core/engine/run_of.h"
#include "datasets/npz.h"
#include "datasets/registry.h"
#include "program/test_class.h"

#include <QTest>

#include <cstring>

using namespace lockstep;
using namespace lockstep::datasets;
using namespace lockstep::tests;

namespace {

const SmallSet KerasSet{{3, 1, 4, 1, 5, 12}, {2, 6, 5}};

QList<SmallMember> without(const char* name)
{
    QList<SmallMember> members = npzMembers(KerasSet);
    members.removeIf([&](const SmallMember& each) { return each.name == name; });
    return members;
}

/// With another array in a member's place.
QList<SmallMember> with(const char* name, const QByteArray& bytes, qint64 says = -1)
{
    QList<SmallMember> members = npzMembers(KerasSet);
    for (SmallMember& member : members) {
        if (member.name == name) {
            member.bytes = bytes;
            member.says = says;
        }
    }
    return members;
}

} // namespace

class TestNpz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsStoredAndDeflatedMembers_data()
    {
        QTest::addColumn<bool>("isDeflated");
        QTest::newRow("savez") << false;
        QTest::newRow("savez_compressed") << true;
    }

    void readsStoredAndDeflatedMembers()
    {
        QFETCH(bool, isDeflated);
        auto run = runWith(zipOf(npzMembers(KerasSet), isDeflated));
        const auto described = describe(run);
        QVERIFY2(described.isOk(), messageOf(described).c_str());
        QVERIFY((*run.data == experiment::DataFacts{13, 1, 28, 28, 6, 3}));
        const auto set = readNpz(run, *npzFiles(run));
        QVERIFY2(set.isOk(), messageOf(set).c_str());
        QCOMPARE(set->train.labels, (std::vector<std::uint8_t>{3, 1, 4, 1, 5, 12}));
        QCOMPARE(set->test.labels, (std::vector<std::uint8_t>{2, 6, 5}));
        const QByteArray pixels = smallImages(KerasSet.train);
        QCOMPARE(
            QByteArray(reinterpret_cast<const char*>(set->train.pixels.data()), std::ssize(set->train.pixels)), pixels);
    }

    void readsOtherTypesOfWholeNumbers()
    {
        QByteArray floats;
        for (const char pixel : smallImages(KerasSet.test)) {
            const auto value = static_cast<float>(static_cast<unsigned char>(pixel));
            floats += QByteArray(reinterpret_cast<const char*>(&value), sizeof(value));
        }
        auto members = with("x_test.npy", npy("<f4", "(3, 28, 28)", floats));
        members[1].bytes = npy("<i4", "(6, 1)", [] {
            QByteArray numbers;
            for (const int label : KerasSet.train) {
                numbers += numberBytes(static_cast<std::uint64_t>(label), 4, false);
            }
            return numbers;
        }());
        auto run = runWith(zipOf(members, true));
        const auto set = readNpz(run, *npzFiles(run));
        QVERIFY2(set.isOk(), messageOf(set).c_str());
        QCOMPARE(set->train.labels, (std::vector<std::uint8_t>{3, 1, 4, 1, 5, 12}));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(set->test.pixels.data()), std::ssize(set->test.pixels)),
            smallImages(KerasSet.test));
    }

    void channelsBecomePlanes()
    {
        QList<SmallMember> members = npzMembers(KerasSet);
        members[0].bytes = npy("|u1", "(6, 1, 2, 3)", QByteArray("abcdef").repeated(6));
        members[2].bytes = npy("|u1", "(3, 1, 2, 3)", QByteArray("uvwxyz").repeated(3));
        auto run = runWith(zipOf(members, false));
        QVERIFY(describe(run).isOk());
        QVERIFY((*run.data == experiment::DataFacts{13, 3, 1, 2, 6, 3}));
        const auto set = readNpz(run, *npzFiles(run));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(set->test.pixels.data()), 12), QByteArray("uxvywzuxvywz"));
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        const QByteArray good = zipOf(npzMembers(KerasSet), true);
        const QByteArray images = smallImages(KerasSet.test);
        const auto row = [](const char* name, const QByteArray& bytes, const char* message) {
            QTest::newRow(name) << bytes << QString::fromLatin1(message);
        };
        row("cut", good.chopped(30), "%1 is no zip archive, or is cut off");
        row("front missing", good.mid(500), "%1 is no zip archive, or is cut off");
        row("foreign", "Dear reader", "%1 is no zip archive, or is cut off");
        row("empty", "", "%1 is no zip archive, or is cut off");
        row("member missing", zipOf(without("y_test.npy"), true),
            "%1 has no array y_test; needed are x_train, y_train, x_test and y_test");
        row("pickled", zipOf(with("y_test.npy", npy("|O", "(3,)", "\x80\x04K\x01.")), true),
            "%1: y_test.npy is an array of pickled Python objects, which is not read; save numbers");
        row("no array", zipOf(with("y_test.npy", "hello, world"), true), "%1: y_test.npy is no array of numpy");
        row("type", zipOf(with("y_test.npy", npy("<f8", "(3,)", QByteArray(24, '\0'))), true),
            "%1: y_test.npy has numbers of type <f8; allowed are uint8 (|u1), int32, int64 and float32");
        row("huge shape", zipOf(with("x_test.npy", npy("|u1", "(99999999999, 28, 28)", images)), true),
            "%1: x_test.npy has no shape of at most 4 dimensions in C order");
        row("wrong shape", zipOf(with("x_test.npy", npy("|u1", "(4000000, 28, 28)", images)), true),
            "%1: x_test.npy has 2352 bytes of numbers, which do not fit the shape in its header");
        row("negative shape", zipOf(with("x_test.npy", npy("|u1", "(-3, 28, 28)", images)), true),
            "%1: x_test.npy has no shape of at most 4 dimensions in C order");
        row("flat", zipOf(with("x_test.npy", npy("|u1", "(3, 784)", images)), true),
            "%1: x_test.npy is not of shape (images, rows, columns) or (images, rows, columns, channels)");
        row("counts", zipOf(with("y_test.npy", npy("|u1", "(2,)", QByteArray(2, '\1'))), true),
            "%1: y_test.npy has not one label for each of the 3 images of x_test.npy");
        row("sizes", zipOf(with("x_test.npy", npy("|u1", "(3, 1, 784)", images)), true),
            "%1 has training images of another size than its test images");
        row("label", zipOf(with("y_test.npy", npy("<i4", "(3,)", QByteArray(12, '\x40'))), true),
            "%1: number 0 of y_test.npy is not a whole number from 0 to 255; save the images as uint8, not scaled");
        row("bomb", zipOf(with("x_test.npy", npy("|u1", "(4000000, 28, 28)", images), 3'136'000'128), true),
            "%1: x_test.npy says it has 3136000128 bytes, more than its %2 packed bytes can hold");
        row("huge", zipOf(with("x_test.npy", images, 0xffffffff), true), "%1: x_test.npy has 4 GiB or more");
    }

    void saysWhatIsWrong()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        auto run = runWith(bytes);
        const QString given = QString::fromStdString(messageOf(describe(run)));
        const qsizetype at = message.indexOf(QLatin1String("%2"));
        const QString expected = "dataset.path: " + message.left(at).replace(QLatin1String("%1"), m_path);
        QVERIFY2(at < 0 ? given == expected : given.startsWith(expected), qPrintable(given));
        QVERIFY(!given.contains(u'\n'));
        QVERIFY(!readNpz(run, {m_path.toStdString()}).isOk());
    }

    void everyCutAndEveryFlippedBitOfTheLabelsIsNoticed()
    {
        const QByteArray good = zipOf(npzMembers({{1, 2}, {3}}, 2), true);
        for (qsizetype length = 0; length < good.size(); length += 7) {
            auto run = runWith(good.left(length));
            QVERIFY2(!describe(run).isOk(), qPrintable(QString::number(length)));
        }
        auto whole = runWith(good);
        QVERIFY(describe(whole).isOk());
        const qsizetype data = good.indexOf("x_train.npy") + 11 + 20;
        QByteArray changed = good;
        changed[data + 3] = static_cast<char>(changed[data + 3] ^ 0x10);
        auto run = runWith(changed);
        QVERIFY(!readNpz(run, *npzFiles(run)).isOk());
    }

private:
    /// A run that reads a file of these bytes.
    [[nodiscard]] experiment::RunSpec runWith(const QByteArray& bytes)
    {
        m_path = m_folder.filePath(QStringLiteral("set%1.npz").arg(++m_files));
        if (!writeSmallFile(m_path, bytes)) {
            qFatal("cannot write");
        }
        return runOf({{"dataset.name", "npz"}, {"dataset.path", m_path.toStdString()}, {"train.batch", "1"},
            {"net.name", "mlp"}});
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_files = 0;
};

LOCKSTEP_TEST(TestNpz)
#include "test_npz.moc"
