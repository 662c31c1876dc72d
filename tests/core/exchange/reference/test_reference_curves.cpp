// Reference curves: what is read of event files and CSV, what is refused, and the run that they become.
#include "program/test_class.h"

#include "exchange/export/event_record.h"
#include "exchange/reference/import_reference.h"
#include "exchange/reference/reference_curves.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

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
        QVERIFY(!read->isCutShort);
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
            QVERIFY(read->isCutShort);
            QCOMPARE(read->curves[1].step.size(), std::size_t{3});
        }
        RunId id = imported(whole.chopped(7), u"events.out.tfevents.2"_s);
        QCOMPARE(m_store->list().front().message,
            std::string("the event file is cut short: the complete part was imported"));
    }

    void aChangedByteIsRefused()
    {
        const QByteArray whole = lossEvents(3);
        for (qsizetype place = 0; place < whole.size(); ++place) {
            QByteArray changed = whole;
            changed[place] = static_cast<char>(changed[place] ^ 0x10);
            const auto read = readEventFile(written(u"changed"_s, changed));
            QVERIFY2(!read, qPrintable(QString::number(place)));
            QVERIFY(QString::fromStdString(read.error().text()).startsWith(u"record "_s));
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
        add("half a step", "step,loss\n1.5,2\n", u"line 2, step: \"1.5\" is not a number"_s);
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

    void aReferenceIsARunToCompareWith()
    {
        const RunId id = imported(lossEvents(6), u"events.out.tfevents.3"_s);
        const auto run = m_store->load(id);
        QVERIFY(run);
        QCOMPARE(run->status, analysis::RunStatus::Finished);
        QCOMPARE(run->importedFrom, std::string("events.out.tfevents.3"));
        QCOMPARE(run->marks.tags, std::vector<std::string>{"reference"});
        QCOMPARE(run->loss.step, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(run->loss.value[1], 0.5);
        QCOMPARE(run->loss.seconds[5], 5.0);
        QCOMPARE(run->accuracy.value, std::vector<double>(6, 0.5));
        QCOMPARE(run->metrics.at("grad norm").value[5], 6.0);
        QCOMPARE(run->summary.finalLoss, static_cast<double>(static_cast<float>(1.0 / 6.0)));
        for (const double figure : {run->summary.msPerStep, run->summary.commMsPerStep, run->summary.waitMsPerStep,
                 run->summary.samplesPerSecond, run->summary.bytesPerStep, run->summary.exposedMsPerStep}) {
            QVERIFY(std::isnan(figure)); // the file does not tell them
        }
    }

    void aPercentageIsNoShare()
    {
        openStore();
        const auto id = importReference(*m_store, written(u"p.csv"_s, "step,accuracy\n1,97.5\n"));
        QVERIFY(id);
        const auto run = m_store->load(*id);
        QCOMPARE(run->accuracy.size(), std::size_t{0});
        QCOMPARE(run->metrics.at("accuracy").value, std::vector<double>{97.5});
    }

    void ourOwnEventFilesComeBack()
    {
        openStore();
        const auto any = importAny(*m_store, written(u"events.x"_s, lossEvents(2)));
        QVERIFY(any && any->runs.size() == 1);
        const auto none = importAny(*m_store, m_folder.filePath(u"none.csv"_s));
        QVERIFY(!none);
        QVERIFY(QString::fromStdString(none.error().text()).endsWith(u"no such file"_s));
        const auto empty = importAny(*m_store, written(u"empty.tfevents"_s, eventFileHead(ReferenceBegin)));
        QVERIFY(!empty);
        QVERIFY(QString::fromStdString(empty.error().text()).endsWith(u"it has no curve"_s));
    }

private:
    QString written(const QString& name, const QByteArray& bytes)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
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
