// Reference curves: what is read of event files and CSV, and what is refused.
#include "program/test_class.h"

#include "exchange/export/event_record.h"
#include "exchange/reference/import_reference.h"
#include "exchange/reference/reference_curves.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::exchange;

namespace {

constexpr double ReferenceBegin = 1.7e9;

QByteArray lossEvents(int steps)
{
    QByteArray events = eventFileHead(ReferenceBegin);
    for (int step = 1; step <= steps; ++step) {
        events += eventRecord(ReferenceBegin + step, step,
            {scalarValue("train/loss", 1.0 / step), scalarValue("val/accuracy", 0.5), scalarValue("grad norm", step),
                textValue("note", "not a scalar")});
    }
    return events;
}

/// A scalar as TensorFlow 2 writes it: a tensor of one float, of the plug-in `scalars`.
QByteArray tensorEvent(int step, float value)
{
    ProtoMessage tensor;
    tensor.integer(1, 1).float32(5, value);
    ProtoMessage data;
    data.bytes(1, "scalars");
    ProtoMessage metadata;
    metadata.bytes(1, data.view());
    ProtoMessage tagged;
    tagged.bytes(1, "epoch_loss").bytes(9, metadata.view()).bytes(8, tensor.view());
    return eventRecord(ReferenceBegin, step, {tagged});
}

} // namespace

class TestReferenceCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scalarsOfAnEventFileAreRead()
    {
        const QString file = written(u"events.out.tfevents.1"_s, lossEvents(5));
        QVERIFY(isEventFile(file));
        const auto read = readEventFile(file);
        QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
        QVERIFY(read->damage.empty());
        QCOMPARE(read->curves.size(), std::size_t{3});
        QCOMPARE(read->curves[1].name, std::string("train/loss"));
        QCOMPARE(read->curves[1].step, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
        QCOMPARE(read->curves[1].value[3], 0.25);
        QCOMPARE(read->curves[1].wallSeconds[4], ReferenceBegin + 5);
    }

    void scalarsOfTensorFlow2AreRead()
    {
        const auto read = readEventFile(
            written(u"events"_s, eventFileHead(ReferenceBegin) + tensorEvent(3, 0.5F) + tensorEvent(7, 0.25F)));
        QVERIFY(read);
        QCOMPARE(read->curves.size(), std::size_t{1});
        QCOMPARE(read->curves[0].value, (std::vector<double>{0.5, 0.25}));
    }

    void anEventFileCutShortGivesWhatIsWhole()
    {
        const QByteArray whole = lossEvents(4);
        const qsizetype lastRecord = whole.size() - lossEvents(3).size();
        for (qsizetype cut = 1; cut < lastRecord; ++cut) {
            const auto read = readEventFile(written(u"cut"_s, whole.chopped(cut)));
            QVERIFY2(read.isOk(), qPrintable(QString::number(cut)));
            QVERIFY(!read->damage.empty());
            QCOMPARE(read->curves[1].step.size(), std::size_t{3});
        }
        RunId id = imported(whole.chopped(7), u"events.out.tfevents.2"_s);
        QCOMPARE(m_store->list().front().message,
            std::string("the event file is cut short: the complete part was imported"));
    }

    void aChangedByteKeepsWhatCameBefore()
    {
        const QByteArray whole = lossEvents(3);
        std::vector<qsizetype> ends; // of the records: the head, then one a step
        for (int steps = 0; steps <= 3; ++steps) {
            ends.push_back(lossEvents(steps).size());
        }
        for (qsizetype place = 0; place < whole.size(); ++place) {
            QByteArray changed = whole;
            changed[place] = static_cast<char>(changed[place] ^ 0x10);
            const auto read = readEventFile(written(u"changed"_s, changed));
            const auto before = static_cast<std::size_t>(std::ranges::upper_bound(ends, place) - ends.begin());
            QCOMPARE(read.isOk(), before > 1); // else no curve came before it
            const Text said = read ? read->damage : Text(read.error());
            QVERIFY2(said.english.starts_with("record " + std::to_string(before + 1)), said.english.c_str());
            QVERIFY(!read || read->curves[1].step.size() == before - 1);
        }
    }

    void tablesAreRead()
    {
        const auto wide = readCurveTable(
            written(u"a.csv"_s, "\xEF\xBB\xBFstep,loss,\"test, accuracy\"\r\n1,2.5,\r\n2,+1e-1,0.5\r\n\r\n"));
        QVERIFY2(wide.isOk(), wide.isOk() ? "" : wide.error().text().c_str());
        QCOMPARE(wide->curves.size(), std::size_t{2});
        QCOMPARE(wide->curves[0].value, (std::vector<double>{2.5, 0.1}));
        QVERIFY(wide->curves[0].wallSeconds.empty());
        QCOMPARE(wide->curves[1].name, std::string("test, accuracy"));
        QCOMPARE(wide->curves[1].step, std::vector<std::int64_t>{2});
        const auto boards
            = readCurveTable(written(u"run1-tag-loss.csv"_s, "Wall time,Step,Value\n1700000000.5,3,0.25\n"));
        QVERIFY(boards);
        QCOMPARE(boards->curves[0].name, std::string("run1-tag-loss"));
        QCOMPARE(boards->curves[0].wallSeconds, std::vector<double>{1700000000.5});
        const auto semicolons = readCurveTable(written(u"b.csv"_s, "step;loss\n1;2\n"));
        QVERIFY(semicolons && semicolons->curves.size() == 1);
        const auto missing = readCurveTable(written(u"c.tsv"_s, "step\tloss\n1\tnan\n"));
        QVERIFY(missing && std::isnan(missing->curves[0].value[0]));
    }

    void badTablesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        const auto add = [](const char* name, const QByteArray& text, const QString& error) {
            QTest::newRow(name) << text << error;
        };
        add("a formula", "step,loss\n1,\"=1+1\"\n", u"line 2, loss: \"=1+1\" is not a number"_s);
        add("a command", "step,loss\n1,2\n2,=cmd|' /C calc'!A0\n",
            u"line 3, loss: \"=cmd|' /C calc'!A0\" is not a number"_s);
        add("a formula as a step", "step,loss\n=A1,2\n", u"line 2, step: \"=A1\" is not a number"_s);
        add("half a step", "step,loss\n1.5,2\n", u"line 2, step: \"1.5\" is not a whole number"_s);
        add("a negative step", "step,loss\n-1,2\n", u"loss: step -1 is negative"_s);
        add("too few cells", "step,loss\n1\n", u"line 2: it has 1 cells, the first line 2"_s);
        add("an open quotation mark", "step,loss\n1,\"2\n", u"line 2: a quotation mark is not closed"_s);
        add("one column", "loss\n1\n", u"its first line must name a column of steps and at least one other column"_s);
        add("empty", "", u"its first line must name a column of steps and at least one other column"_s);
        add("a long name", "step," + QByteArray(500, 'a') + "\n1,2\n",
            QString(40, u'a') + u": the name has more than 400 bytes"_s);
        add("a long cell", "step,loss\n1," + QByteArray(5000, '1') + "\n",
            u"line 2: a cell is too long, or there are too many cells"_s);
    }

    void badTablesAreRefused()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, error);
        const QString file = written(u"bad.csv"_s, text);
        const auto read = readCurveTable(file);
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().text()), error);
        openStore();
        const auto run = importReference(*m_store, file);
        QVERIFY(!run);
        QCOMPARE(QString::fromStdString(run.error().text()), file + u" cannot be imported: "_s + error);
        QVERIFY(m_store->list().empty());
    }

    void tensorsOfOtherTypesAreRead_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("field");
        QTest::addColumn<quint64>("value"); // as the field's integer
        QTest::addColumn<QByteArray>("content"); // as in memory
        QTest::addColumn<double>("number");
        const auto add = [](const char* name, int type, int field, quint64 value, const QByteArray& content,
                             double number) { QTest::newRow(name) << type << field << value << content << number; };
        add("half", 19, 13, 0x3800, QByteArray("\x00\x38", 2), 0.5);
        add("smallest half", 19, 13, 0x8001, QByteArray("\x01\x80", 2), -std::ldexp(1.0, -24));
        add("bfloat16", 14, 13, 0x3F40, QByteArray("\x40\x3F", 2), 0.75);
        add("int32", 3, 7, static_cast<quint64>(-7), QByteArray("\xF9\xFF\xFF\xFF", 4), -7.0);
        add("int64", 9, 10, quint64{1} << 40, QByteArray("\0\0\0\0\0\x01\0\0", 8), std::ldexp(1.0, 40));
        add("uint8", 4, 7, 200, QByteArray("\xC8", 1), 200.0);
        add("bool", 10, 11, 1, QByteArray("\x01", 1), 1.0);
        add("uint32", 22, 16, 4'000'000'000, QByteArray("\x00\x28\x6B\xEE", 4), 4e9);
    }

    void tensorsOfOtherTypesAreRead()
    {
        QFETCH(const int, type);
        QFETCH(const int, field);
        QFETCH(const quint64, value);
        QFETCH(const QByteArray, content);
        QFETCH(const double, number);
        const auto first = [&] {
            ProtoMessage tensor;
            tensor.integer(1, static_cast<std::uint64_t>(type));
            return tensor;
        };
        ProtoMessage listed = first();
        listed.integer(field, value);
        ProtoMessage packed = first();
        const QByteArray varint = packedVarint(value);
        packed.bytes(field, {varint.constData(), static_cast<std::size_t>(varint.size())});
        ProtoMessage raw = first();
        raw.bytes(4, {content.constData(), static_cast<std::size_t>(content.size())});
        for (const ProtoMessage* tensor : {&listed, &packed, &raw}) {
            ProtoMessage tagged;
            tagged.bytes(1, "a").bytes(8, tensor->view());
            const auto read = readEventFile(
                written(u"types"_s, eventFileHead(ReferenceBegin) + eventRecord(ReferenceBegin, 1, {tagged})));
            QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
            QCOMPARE(read->curves.size(), std::size_t{1});
            QCOMPARE(read->curves[0].value, std::vector<double>{number});
        }
    }

    void packedAndWideTablesAreRead()
    {
        const QByteArray text = "step,loss\n1,2.5\n2,1.5\n";
        const auto wide = readCurveTable(written(u"wide.csv"_s, utf16(text)));
        QVERIFY2(wide.isOk(), wide.isOk() ? "" : wide.error().text().c_str());
        QCOMPARE(wide->curves[0].value, (std::vector<double>{2.5, 1.5}));
        const QByteArray gzip = gzipped(text);
        const auto whole = readCurveTable(written(u"packed.csv.gz"_s, gzip));
        QVERIFY(whole && whole->damage.empty());
        QCOMPARE(whole->curves[0].value, (std::vector<double>{2.5, 1.5}));
        const auto cut = readCurveTable(written(u"cut.csv.gz"_s, gzip.chopped(9)));
        QVERIFY2(cut.isOk(), cut.isOk() ? "" : cut.error().text().c_str());
        QVERIFY(!cut->damage.empty());
    }

    void aTableCutShortKeepsItsCompleteLines()
    {
        const QByteArray lines = "step,loss\n1,2\n2,3\n";
        const QByteArray zeros(20, '\0');
        for (const QByteArray& tail : {QByteArray("3"), zeros, "3,1" + zeros}) {
            const auto read = readCurveTable(written(u"tail.csv"_s, lines + tail));
            QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
            QCOMPARE(read->curves[0].value, (std::vector<double>{2.0, 3.0}));
            QVERIFY(!read->damage.empty());
        }
        const auto between = readCurveTable(written(u"between.csv"_s,
            lines
                + QByteArray("3,\0"
                             "1\n4,1\n",
                    9)));
        QVERIFY(!between);
        QCOMPARE(QString::fromStdString(between.error().text()), u"it is no text: it contains zero bytes"_s);
    }

private:
    static QByteArray packedVarint(quint64 value)
    {
        QByteArray bytes;
        for (; value >= 0x80; value >>= 7) {
            bytes += static_cast<char>(value | 0x80);
        }
        return bytes + static_cast<char>(value);
    }
    /// Little-endian, with its mark.
    static QByteArray utf16(const QByteArray& ascii)
    {
        QByteArray wide("\xFF\xFE");
        for (const char each : ascii) {
            wide.append(each).append('\0');
        }
        return wide;
    }
    /// qCompress() without its length, with gzip's head and tail around the deflated bytes.
    static QByteArray gzipped(const QByteArray& text)
    {
        const QByteArray zlib = qCompress(text);
        const QByteArray deflated = zlib.mid(4 + 2, zlib.size() - 4 - 2 - 4);
        std::uint32_t crc = ~0U;
        for (const char each : text) {
            crc ^= static_cast<std::uint8_t>(each);
            for (int bit = 0; bit < 8; ++bit) {
                crc = (crc >> 1) ^ (0xEDB88320U & (0U - (crc & 1U)));
            }
        }
        QByteArray tail(8, '\0');
        qToLittleEndian(~crc, tail.data());
        qToLittleEndian(static_cast<std::uint32_t>(text.size()), tail.data() + 4);
        return QByteArray("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10) + deflated + tail;
    }
    QString written(const QString& name, const QByteArray& bytes)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly)
            || file.write(bytes) != bytes.size()) {
            qFatal("cannot write");
        }
        return path;
    }
    void openStore()
    {
        m_stored = std::make_unique<QTemporaryDir>();
        auto store = RunStore::open(m_stored->path());
        m_store = store ? std::move(*store) : nullptr;
    }
    RunId imported(const QByteArray& events, const QString& name)
    {
        openStore();
        const auto id = importReference(*m_store, written(name, events));
        return id ? *id : RunId{};
    }

    const QTemporaryDir m_folder;
    std::unique_ptr<QTemporaryDir> m_stored;
    std::unique_ptr<RunStore> m_store;
};

LOCKSTEP_TEST(TestReferenceCurves)
#include "test_reference_curves.moc"
