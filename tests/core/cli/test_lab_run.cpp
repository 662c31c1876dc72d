// `lockstep lab run`: what the laboratory locks and what its predictions open, as in the window; fake ranks.
#include "core/cli/ended_command.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "program/test_class.h"
#include "ui/laboratory/made_up_laboratory.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;

class TestLabRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        const auto read = laboratory::readLaboratory(writeMadeUpLaboratory(m_folder->path()));
        QVERIFY2(read.isOk(), read.isOk() ? "" : read.error().text().c_str());
        QVERIFY(laboratory::writeLaboratory(*read, lab()).isOk());
        m_laboratory = *read;
    }

    void badInput_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const auto preview = [](const char* step, const QStringList& more) {
            return QStringList{u"--step"_s, QLatin1String(step), u"--preview"_s} + more;
        };
        QTest::newRow("no step") << QStringList{} << QByteArray("lab run: needs one laboratory, and its experiment");
        QTest::newRow("unknown step") << preview("x", {}) << QByteArray("--step: the laboratory made-up has no step x");
        QTest::newRow("another kind") << preview("why", {}) << QByteArray("why is not an experiment step");
        QTest::newRow("locked field") << preview("rates", {u"--set"_s, u"train.steps=5"_s})
                                      << QByteArray("train.steps: the laboratory has locked it; free: train.batch");
        QTest::newRow("varied field") << preview("rates", {u"--set"_s, u"optimizer.lr=1"_s})
                                      << QByteArray("optimizer.lr: the laboratory has locked it; free: train.batch");
        QTest::newRow("free field, bad value")
            << preview("rates", {u"--set"_s, u"train.batch=-1"_s}) << QByteArray("train.batch: -1 is outside");
        QTest::newRow("number of other work") << QStringList{u"--step"_s, u"rates"_s, u"--number"_s, u"7"_s,
            u"--work"_s, u"made-up"_s} << QByteArray("--number: leave it out");
        QTest::newRow("no work") << QStringList{u"--step"_s, u"rates"_s}
                                 << QByteArray("no work on made-up-1 was begun in the store");
    }
    void badInput()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        verifyRefused(QStringList{u"lab"_s, u"run"_s, lab()} + words, says);
    }

    void runSaysHowAStepIsRun()
    {
        verifyRefused({u"run"_s, lab()}, "is a laboratory; run one of its steps: lockstep lab run " + lab().toUtf8());
    }

    void predictionsOpenTheRun()
    {
        const QStringList words{u"lab"_s, u"run"_s, lab(), u"--step"_s, u"rates"_s, u"--json"_s};
        QVERIFY(laboratory::Work::open(store(), m_laboratory).isOk());
        verifyRefused(words, "predict first: guess-way, guess-accuracy, guess-order, guess-curve");
        {
            const auto work = laboratory::Work::open(store(), m_laboratory);
            QVERIFY(
                (*work)->seal("guess-way", {laboratory::DirectionPrediction{laboratory::Direction::Lower}, {}}).isOk());
            QVERIFY((*work)->seal("guess-accuracy", {laboratory::NumberPrediction{0.9, 0.5, 0.99}, {}}).isOk());
            QVERIFY((*work)->seal("guess-order", {laboratory::OrderPrediction{{"small", "large"}}, {}}).isOk());
            QVERIFY((*work)->seal("guess-curve", {laboratory::CurvePrediction{{{1.0, 2.0}, {100.0, 0.5}}}, {}}).isOk());
        }
        verifyRefused(words, "enter your number first");
        {
            const auto work = laboratory::Work::open(store(), m_laboratory);
            QVERIFY((*work)->setStudents({{"Ada", "007"}}).isOk());
            verifyRefused(words, "is open in another window of Lockstep"); // else the journal would be written twice
        }
        verifyRefused(words + QStringList{u"--set"_s, u"train.epochs=1"_s}, "train.epochs: the laboratory has locked");
        const auto ran = endedCommand(store(), words + QStringList{u"--set"_s, u"train.batch=16"_s}, u"steps=20"_s);
        QVERIFY2(ran.code == 0, ran.error.constData());
        const auto work = laboratory::Work::open(store(), m_laboratory);
        QVERIFY(work.isOk() && !(*work)->journal().fault());
        QStringList added;
        for (const RunId& run : (*work)->state().runsOf("rates")) {
            added += QString::fromStdString(run.text);
        }
        QStringList said;
        for (const QJsonObject& run : runsIn(ran)) {
            said += run["id"].toString();
            verifySettings(run, "007", 16);
        }
        QCOMPARE(said.size(), qsizetype{2});
        QCOMPARE(added, said);
        QCOMPARE((*work)->state().stateOf(m_laboratory, "rates"), laboratory::StepState::Done);
    }

    /// Without the window: a number begins work, and no other number runs in it.
    void aNumberBeginsWork()
    {
        const QStringList words{u"lab"_s, u"run"_s, lab(), u"--step"_s, u"rates"_s, u"--json"_s, u"--number"_s};
        verifyRefused(words + QStringList{u"007"_s, u"--name"_s, u"Ada"_s}, "predict first: guess-way");
        {
            const auto work = laboratory::Work::open(store(), m_laboratory);
            QVERIFY((*work)->state().students() == std::vector<laboratory::Student>({{"Ada", "007"}}));
        }
        verifyRefused(words + QStringList{u"8"_s}, "--number: the work in this store is of the number 007");
    }

    /// As in the window: what is found would name the fault.
    void findingsAboutAFaultAreHidden()
    {
        const QStringList words{
            u"lab"_s, u"run"_s, u"find-the-fault"_s, u"--step"_s, u"run-d"_s, u"--number"_s, u"7"_s};
        const auto ran = endedCommand(store(), words + QStringList{u"--name"_s, u"Ada"_s}, u"steps=20"_s);
        QVERIFY2(ran.code == 0, ran.error.constData());
        QVERIFY2(ran.out.contains("The laboratory hides the findings"), ran.out.constData());
        QVERIFY2(!(ran.out + ran.error).contains("set_epoch"), ran.out.constData());
        const auto preview = endedCommand(store(), words + QStringList{u"--preview"_s}, u"steps=20"_s);
        QVERIFY2(preview.out.contains("set_epoch"), preview.out.constData());
    }

    /// Its author needs neither predictions nor work, and none is begun.
    void aPreviewRunsAtOnce()
    {
        const auto ran = endedCommand(store(),
            {u"lab"_s, u"run"_s, lab(), u"--step"_s, u"rates"_s, u"--preview"_s, u"--number"_s, u"00７"_s, u"--json"_s},
            u"steps=20"_s);
        QVERIFY2(ran.code == 0, ran.error.constData());
        const auto runs = runsIn(ran);
        QCOMPARE(runs.size(), qsizetype{2});
        for (const QJsonObject& run : runs) {
            verifySettings(run, "007", 64); // as the preset has it
        }
        QVERIFY(laboratory::workFoldersIn(store()).empty());
    }

private:
    [[nodiscard]] QString lab() const { return m_folder->filePath(u"made-up.lab"_s); }
    [[nodiscard]] QString store() const { return m_folder->filePath(u"store"_s); }
    void verifyRefused(const QStringList& words, const QByteArray& says) const
    {
        const auto ended = endedCommand(store(), words, u"steps=20"_s);
        QVERIFY2(ended.code == 2, ended.error.constData());
        QVERIFY2(ended.error.contains(says), ended.error.constData());
        QCOMPARE(ended.error.count('\n'), qsizetype{1});
        QCOMPARE(ended.out, QByteArray());
    }
    static QList<QJsonObject> runsIn(const EndedCommand& ended)
    {
        QList<QJsonObject> runs;
        for (const QJsonValue& run : QJsonDocument::fromJson(ended.out).object()["runs"].toArray()) {
            runs += run.toObject();
        }
        return runs;
    }
    static void verifySettings(const QJsonObject& run, const char* number, int batch)
    {
        const QJsonObject settings = run["spec"].toObject()["base"].toObject();
        QCOMPARE(run["status"].toString(), u"finished"_s);
        QCOMPARE(settings["train.seed"].toInteger(), qint64{laboratory::seedOf(number)});
        QCOMPARE(settings["train.batch"].toInt(), batch);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    laboratory::Laboratory m_laboratory;
};

LOCKSTEP_TEST(TestLabRun)
#include "test_lab_run.moc"
