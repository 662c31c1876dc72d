// Reference curves in the store: the runs that they become, how these are named, several files and folders.
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

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::exchange;

namespace {

constexpr double EventsBegin = 1.7e9;

} // namespace

class TestReferenceImports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void droppedPointsAreCounted()
    {
        const int same = QRandomGenerator::global()->bounded(2, 60);
        QByteArray events = eventFileHead(EventsBegin);
        for (int i = 0; i < same; ++i) {
            events += eventRecord(EventsBegin + i, 0, {scalarValue("loss", i)});
        }
        openStore();
        const auto any = importAny(*m_store, {written(u"allstep0.tfevents"_s, events)});
        QVERIFY(any && any->remarks.size() == 1);
        const std::string said = std::to_string(same - 1) + " of " + std::to_string(same) + " points were left out";
        QVERIFY2(any->remarks.front().english.find(said) != std::string::npos, any->remarks.front().english.c_str());
        QCOMPARE(m_store->list().front().why(), Text(any->remarks.front().arguments[1]));
    }

    void stepZeroIsDrawn()
    {
        openStore();
        const auto id = importReference(*m_store, written(u"zero.csv"_s, "step,loss\n0,2.5\n1,2\n5,1\n"));
        QVERIFY(id);
        const auto run = m_store->load(*id);
        QCOMPARE(run->loss.step, (std::vector<std::int64_t>{0, 1, 5}));
        QCOMPARE(run->loss.value.front(), 2.5);
    }

    void whatHasNoTimesHasNone()
    {
        openStore();
        const auto id
            = importReference(*m_store, written(u"timeless.csv"_s, "step,loss,val_accuracy,x\n1,2,0.5,7\n2,1,0.6,8\n"));
        QVERIFY(id);
        const auto run = m_store->load(*id);
        QVERIFY(std::isnan(run->summary.trainSeconds));
        for (const analysis::Curve* curve : {&run->loss, &run->accuracy, &run->metrics.at("x")}) {
            QCOMPARE(curve->seconds.size(), std::size_t{2});
            QVERIFY(std::isnan(curve->seconds[0]) && std::isnan(curve->seconds[1]));
        }
    }

    void namesSayWhatWasMeasuredOn_data()
    {
        QTest::addColumn<QByteArray>("names");
        QTest::addColumn<QByteArray>("roles"); // loss, accuracy, test loss
        QTest::newRow("Keras") << QByteArray("accuracy,loss,val_accuracy,val_loss")
                               << QByteArray("loss,val_accuracy,val_loss");
        QTest::newRow("Lightning") << QByteArray("train_loss_epoch,train_loss_step,val_loss,val_acc")
                                   << QByteArray("train_loss_epoch,val_acc,val_loss");
        QTest::newRow("Hugging Face") << QByteArray("train/loss,eval/loss,eval/accuracy")
                                      << QByteArray("train/loss,eval/accuracy,eval/loss");
        QTest::newRow("plain") << QByteArray("loss,accuracy") << QByteArray("loss,accuracy,");
        QTest::newRow("only tests") << QByteArray("val/loss,x") << QByteArray(",,val/loss");
        QTest::newRow("the same words") << QByteArray("Loss/train,Loss-train,Loss train") << QByteArray(",,");
        QTest::newRow("training accuracy") << QByteArray("train_accuracy,loss_of_x") << QByteArray(",,");
    }

    void namesSayWhatWasMeasuredOn()
    {
        QFETCH(const QByteArray, names);
        QFETCH(const QByteArray, roles);
        const QByteArrayList columns = names.split(',');
        QByteArray line = "\n1";
        for (qsizetype i = 0; i < columns.size(); ++i) {
            line += ',' + QByteArray::number(0.125 * static_cast<double>(i + 1));
        }
        openStore();
        const auto id = importReference(*m_store, written(u"roles.csv"_s, "step," + names + line + '\n'));
        QVERIFY(id);
        const auto run = m_store->load(*id);
        const auto valueOf = [&](const QByteArray& name) {
            return name.isEmpty() ? std::vector<double>()
                                  : std::vector<double>{0.125 * static_cast<double>(columns.indexOf(name) + 1)};
        };
        const QByteArrayList wanted = roles.split(',');
        QCOMPARE(run->loss.value, valueOf(wanted[0]));
        const auto measured = [](const analysis::Curve& curve) {
            std::vector<double> values = curve.value;
            std::erase_if(values, [](double value) { return std::isnan(value); });
            return values;
        };
        QCOMPARE(measured(run->accuracy), valueOf(wanted[1]));
        QCOMPARE(measured(run->testLoss), valueOf(wanted[2]));
    }

    void foldersNameTheirRuns()
    {
        const QString root = u"runs%1"_s.arg(QRandomGenerator::global()->bounded(1000));
        QStringList wanted;
        for (int version = 0; version < 12; ++version) {
            const QString folder = u"%1/version_%2"_s.arg(root).arg(version);
            static_cast<void>(
                written(folder + u"/metrics.csv"_s, "step,loss\n1," + QByteArray::number(version) + '\n'));
            wanted += u"version_%1"_s.arg(version);
        }
        static_cast<void>(written(root + u"/hparams.yaml"_s, "lr: 0.1\n"));
        static_cast<void>(written(root + u"/a/same.csv"_s, "step,loss\n1,20\n"));
        static_cast<void>(written(root + u"/b/same.csv"_s, "step,loss\n1,21\n"));
        static_cast<void>(written(root + u"/board/events.out.tfevents.1"_s, lossEvents(2)));
        static_cast<void>(written(root + u"/board/events.out.tfevents.2"_s, lossEvents(4))); // resumed
        openStore();
        const auto any = importAny(*m_store, {m_folder.filePath(root)});
        QVERIFY2(any.isOk(), any.isOk() ? "" : any.error().text().c_str());
        QVERIFY(any->refused.empty());
        QStringList names;
        for (const RunId& id : any->runs) {
            const auto run = m_store->load(id);
            names += QString::fromStdString(run->spec.name);
            QVERIFY(run->spec.name != "board" || run->loss.size() == 4);
        }
        QCOMPARE(names, (QStringList{u"a/same"_s, u"b/same"_s, u"board"_s} + wanted));
        // A name that is there already gets its folder's, too.
        const auto again = importAny(*m_store, {written(u"%1/again/version_3.csv"_s.arg(root), "step,loss\n1,2\n")});
        QVERIFY(again);
        QCOMPARE(m_store->load(again->runs.front())->spec.name, std::string("again/version_3"));
    }

    void oneBadFileKeepsNoOtherOut()
    {
        openStore();
        const auto any = importAny(
            *m_store, {written(u"good.csv"_s, "step,loss\n1,2\n"), written(u"wrong.csv"_s, "step,loss\n1,?\n")});
        QVERIFY(any);
        QCOMPARE(any->runs.size(), std::size_t{1});
        QCOMPARE(any->refused.size(), std::size_t{1});
        QVERIFY(any->refused.front().text().find("wrong.csv") != std::string::npos);
    }

    void otherKindsAreNamed()
    {
        openStore();
        for (const QByteArray& bytes : {QByteArray("hello, world"), QByteArray("\x89PNG\r\n\x1a\n and more")}) {
            const auto any = importAny(*m_store, {written(u"other"_s, bytes)});
            QVERIFY(!any);
            QVERIFY2(QString::fromStdString(any.error().text()).contains(u"no CSV or TSV, no TensorBoard event file"_s),
                any.error().text().c_str());
        }
        QVERIFY(QDir(m_folder.path()).mkdir(u"nothing"_s));
        const auto none = importAny(*m_store, {m_folder.filePath(u"nothing"_s)});
        QVERIFY(!none && QString::fromStdString(none.error().text()).contains(u"holds no curves"_s));
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
        const auto any = importAny(*m_store, {written(u"events.x"_s, lossEvents(2))});
        QVERIFY(any && any->runs.size() == 1);
        const auto none = importAny(*m_store, {m_folder.filePath(u"none.csv"_s)});
        QVERIFY(!none);
        QVERIFY(QString::fromStdString(none.error().text()).endsWith(u"no such file"_s));
        const auto empty = importAny(*m_store, {written(u"empty.tfevents"_s, eventFileHead(EventsBegin))});
        QVERIFY(!empty);
        QVERIFY(QString::fromStdString(empty.error().text()).endsWith(u"it has no curve"_s));
    }

private:
    static QByteArray lossEvents(int steps)
    {
        QByteArray events = eventFileHead(EventsBegin);
        for (int step = 1; step <= steps; ++step) {
            events += eventRecord(EventsBegin + step, step,
                {scalarValue("train/loss", 1.0 / step), scalarValue("val/accuracy", 0.5),
                    scalarValue("grad norm", step), textValue("note", "not a scalar")});
        }
        return events;
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

LOCKSTEP_TEST(TestReferenceImports)
#include "test_reference_imports.moc"
