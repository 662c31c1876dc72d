// `lockstep run` with a program of one's own as the rank: what it reports, how it ends, and that a file starts nothing.
#include "end_to_end/lockstep_folder.h"
#include "program/python.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <csignal>
#include <memory>

using namespace lockstep::tests;

namespace {

const QString Script = QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/end_to_end/scripts/line.py");

[[nodiscard]] QStringList ownRun(const QStringList& settings, const QString& program = "python3 '" + Script + u'\'')
{
    QStringList words{QStringLiteral("run"), QStringLiteral("own"), QStringLiteral("--json")};
    for (const QString& setting : QStringList{QStringLiteral("rank.program=") + program} + settings) {
        words += {QStringLiteral("--set"), setting};
    }
    return words;
}

} // namespace

class TestOwnProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void twoRanksReport();
    void parametersReachTheScript();
    void refused_data();
    void refused();
    void failures_data();
    void failures();
    void allRanksStopAtOneStep();
    void aFileStartsNothingWithoutTrust();
    void whatAFileStartsOrWritesIsShown();
    void theScriptIsNeverRunToReadIt();
    void aFileIsOpenedByTheWindow();
    void recordsWithoutAWorkbench();
    void withoutAWorkbenchItDoesNothing();
    void examples_data();
    void examples();

private:
    std::unique_ptr<LockstepFolder> m_folder;
};

void TestOwnProgram::init()
{
    m_folder = std::make_unique<LockstepFolder>();
}

void TestOwnProgram::twoRanksReport()
{
    const EndedRun ended = m_folder->lockstep(ownRun({"world_size=2", "own.lr=0.25"}));
    QVERIFY2(ended.code == 0, qPrintable(ended.error));
    QCOMPARE(ended.status(), QStringLiteral("finished"));
    QCOMPARE(ended.summary()["steps"].toInt(), 40);
    // w goes from 0 to 3 by half of the distance a step: 9, 9 / 4, 9 / 16, ...
    const QJsonArray losses = ended.values("loss");
    QCOMPARE(losses.size(), 40);
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(losses.at(i).toDouble(), 9.0 / std::pow(4.0, i));
    }
    QCOMPARE(ended.values("distance").at(0).toDouble(), 1.5);
    QCOMPARE(ended.values("distance").size(), 40);
    QVERIFY(ended.summary()["test_accuracy"].toDouble() > 0.99);
    // Nothing was stamped: it is not told, which is not zero.
    for (const char* figure : {"wait_ms_per_step", "comm_ms_per_step", "bytes_per_step"}) {
        QVERIFY2(ended.summary()[QLatin1String(figure)].isNull(), figure);
    }
    QVERIFY(ended.summary()["ms_per_step"].toDouble() >= 1.0);
}

void TestOwnProgram::parametersReachTheScript()
{
    // world_size 0 is one rank, and a single rank does not wait.
    const EndedRun ended = m_folder->lockstep(ownRun({"own.steps=7", "own.lr=1"}));
    QVERIFY2(ended.code == 0, qPrintable(ended.error));
    QCOMPARE(ended.summary()["steps"].toInt(), 7);
    QCOMPARE(ended.summary()["wait_ms_per_step"].toDouble(-1.0), 0.0);
    const QJsonObject settings = ended.run()["spec"].toObject()["base"].toObject();
    QCOMPARE(settings["own.lr"].toDouble(), 1.0);
    QCOMPARE(settings["own.ends"].toString(), QStringLiteral("well")); // the script's default
    QVERIFY(settings["rank.program"].toString().contains(Script));
}

void TestOwnProgram::refused_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QString>("line");
    QTest::addRow("not declared") << QStringList{"own.lrr=1"}
                                  << "own.lrr: line.py does not declare it; it declares own.lr, own.steps.*";
    QTest::addRow("outside") << QStringList{"own.lr=2"} << "own.lr: 2 is outside \\[0, 1\\]";
    QTest::addRow("another type") << QStringList{"own.steps=2.5"} << "own.steps: 2.5 is not an integer, .*";
    QTest::addRow("no choice") << QStringList{"own.ends=badly"} << "own.ends: badly is not one of well, raise.*";
    QTest::addRow("does not reach a script")
        << QStringList{"optimizer.lr=0.5"} << "optimizer.lr: has no effect in this experiment: .*";
    QTest::addRow("no program") << QStringList{"strategy.name=own", "rank.program="}
                                << "rank.program: .*needs the command.*";
    QTest::addRow("no such program") << QStringList{"rank.program=no-such-program x.py"}
                                     << "rank.program: no-such-program is not a program that can be started.*";
    QTest::addRow("no such script") << QStringList{"rank.program=python3 gone.py"}
                                    << "rank.program: there is no file gone.py";
    QTest::addRow("open quote") << QStringList{"rank.program=python3 'x.py"} << "rank.program: a quote is not closed.*";
    QTest::addRow("too many ranks") << QStringList{"world_size=65"} << "world_size: .*";
}

void TestOwnProgram::refused()
{
    QFETCH(QStringList, settings);
    QFETCH(QString, line);
    const EndedRun ended = m_folder->lockstep(ownRun(settings));
    QCOMPARE(ended.code, 2);
    QCOMPARE(ended.error.count(u'\n'), 1);
    const QRegularExpression expected("^lockstep: " + line + "\n$");
    QVERIFY2(expected.match(ended.error).hasMatch(), qPrintable(ended.error));
}

void TestOwnProgram::failures_data()
{
    QTest::addColumn<QString>("ends");
    QTest::addColumn<QString>("message");
    QTest::addRow("raise")
        << "raise"
        << "rank 1 failed after step 199; its last lines: .*line.py.* line \\d+.* \\| raise ValueError.*"
           " \\| ValueError: the data has a hole";
    QTest::addRow("kill") << "kill"
                          << "rank 1 was killed by signal 9 \\(Killed\\) after step \\d+.*";
    QTest::addRow("exit") << "exit"
                          << "rank 1 ended with exit code 7 after step \\d+.*";
}

void TestOwnProgram::failures()
{
    QFETCH(QString, ends);
    QFETCH(QString, message);
    const EndedRun ended
        = m_folder->lockstep(ownRun({"world_size=2", "own.steps=4000", "own.at=200", "own.ends=" + ends}));
    QCOMPARE(ended.code, 3);
    const QString said = ended.message();
    QVERIFY2(QRegularExpression(QRegularExpression::anchoredPattern(message)).match(said).hasMatch(), qPrintable(said));
}

void TestOwnProgram::allRanksStopAtOneStep()
{
    QProcess process;
    process.setProcessEnvironment(m_folder->environment());
    process.start(Lockstep, ownRun({"world_size=2", "own.steps=100000", "own.pace_ms=5"}));
    const QRegularExpression hasSteps("step [1-9]\\d\\d");
    QString said;
    QTRY_VERIFY((said += QString::fromUtf8(process.readAllStandardError())).contains(hasSteps));
    QVERIFY(sendSignal(process.processId(), SIGINT));
    QVERIFY(process.waitForFinished(60'000));
    const EndedRun ended{process.exitCode(), process.readAllStandardOutput(), {}};
    QCOMPARE(ended.status(), QStringLiteral("stopped"));
    QCOMPARE(ended.message(), QString());
    QVERIFY(ended.summary()["steps"].toInt() > 10);
}

void TestOwnProgram::aFileStartsNothingWithoutTrust()
{
    const QString script = m_folder->write("touch.py",
        "import lockstep, sys\nopen(sys.argv[1], 'w').close()\n"
        "run = lockstep.connect()\nrun.step(loss=1.0)\n");
    const QString mark = m_folder->filePath("mark");
    const auto spec = [&](const QString& more) {
        return m_folder->write("spec.json",
            QStringLiteral(R"({"version":1,"experiment":"own","base":{"rank.program":"python3 %1 %2"%3}})")
                .arg(script, mark, more)
                .toUtf8());
    };
    const QString file = spec({});
    EndedRun ended = m_folder->lockstep({"run", file, "--json"});
    QCOMPARE(ended.code, 2);
    QCOMPARE(ended.error.count(u'\n'), 1);
    QVERIFY2(ended.error.contains("rank.program: \"python3 " + script + ' ' + mark + "\" would be started"),
        qPrintable(ended.error));
    QVERIFY(!QFileInfo::exists(mark));

    ended = m_folder->lockstep({"run", file, "--json", "--trust"});
    QVERIFY2(ended.code == 0, qPrintable(ended.error));
    QVERIFY(QFile::remove(mark));
    // The script tells no number of samples.
    QCOMPARE(ended.values("loss"), QJsonArray{1.0});
    QVERIFY(ended.summary()["samples_per_s"].isNull());
    const QString kept = m_folder->filePath("config/lockstep/trusted");
    QCOMPARE(QFile::permissions(kept) & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
        QFile::Permissions());
    // Confirmed once for this content.
    QCOMPARE(m_folder->lockstep({"run", file, "--json"}).code, 0);
    QVERIFY(QFile::remove(mark));

    // The same command with another script is another program.
    QVERIFY(!m_folder
                 ->write("touch.py",
                     "import lockstep, sys\nopen(sys.argv[1], 'w').close()\nlockstep.connect().step(loss=2.0)\n")
                 .isEmpty());
    ended = m_folder->lockstep({"run", file, "--json"});
    QCOMPARE(ended.code, 2);
    QCOMPARE(ended.error.count(u'\n'), 1);
    QVERIFY2(ended.error.contains("its files have changed since it was confirmed"), qPrintable(ended.error));
    QVERIFY(!QFileInfo::exists(mark));
    QCOMPARE(m_folder->lockstep({"run", file, "--json", "--trust"}).code, 0);
    QVERIFY(QFile::remove(mark));

    const QString other = spec(R"(,"checkpoint.every":0)");
    QCOMPARE(m_folder->lockstep({"run", other, "--json"}).code, 0);
    QVERIFY(QFile::remove(mark));
    const QString changed = m_folder->write("changed.json",
        QStringLiteral(R"({"version":1,"experiment":"own","base":{"rank.program":"python3 -B %1 %2"}})")
            .arg(script, mark)
            .toUtf8());
    QCOMPARE(m_folder->lockstep({"run", changed}).code, 2);
    QVERIFY(!QFileInfo::exists(mark));

    // A file that others may write confirms nothing.
    QVERIFY(QFile::setPermissions(kept, QFile::ReadOwner | QFile::WriteOwner | QFile::WriteOther));
    QCOMPARE(m_folder->lockstep({"run", file}).code, 2);
}

void TestOwnProgram::whatAFileStartsOrWritesIsShown()
{
    // What is shown is one line, and what would be started.
    const QString hidden = m_folder->write("hidden.json",
        R"({"version":1,"experiment":"own","base":{"rank.program":"python3 a.py\n\u001b[2K\u202e\udb40\udc41yp.b"}})");
    EndedRun ended = m_folder->lockstep({"run", hidden});
    QCOMPARE(ended.code, 2);
    QCOMPARE(ended.error.count(u'\n'), 1);
    QVERIFY2(ended.error.contains("python3 a.py\\u{a}\\u{1b}[2K\\u{202e}\\u{e0041}yp.b"), qPrintable(ended.error));
    const QString writes = m_folder->write("writes.json",
        R"({"version":1,"experiment":"optimizers","base":{"checkpoint.path":"/tmp/elsewhere","train.steps":1}})");
    ended = m_folder->lockstep({"run", writes});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.contains("checkpoint.path: \"/tmp/elsewhere\" would be written to"), qPrintable(ended.error));
}

void TestOwnProgram::theScriptIsNeverRunToReadIt()
{
    const QString mark = m_folder->filePath("mark");
    const QString script = m_folder->write("own.py",
        "import lockstep\nopen('" + mark.toUtf8()
            + "', 'w').close()\n"
              "lr = lockstep.parameter('lr', compute())\n");
    const EndedRun ended = m_folder->lockstep(ownRun({}, "python3 " + script));
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.contains("rank.program: the parameters of own.py cannot be read: line 3: parameter(): default "
                                  "must be written as a literal"),
        qPrintable(ended.error));
    QVERIFY(!QFileInfo::exists(mark));
}

/// As a double click does. Its program is not started.
void TestOwnProgram::aFileIsOpenedByTheWindow()
{
    const QString mark = m_folder->filePath("mark");
    const QString script = m_folder->write(
        "own.py", "import lockstep\nopen('" + mark.toUtf8() + "', 'a').close()\nlockstep.connect().step(loss=1.0)\n");
    QCOMPARE(m_folder->lockstep(ownRun({}, "python3 " + script)).code, 0);
    QVERIFY(QFile::remove(mark));
    const QString bundle = m_folder->filePath("one.lockstep");
    QCOMPARE(m_folder->lockstep({"bundle", "last", "--out", bundle}).code, 0);

    const QString other = m_folder->filePath("other");
    QProcess window;
    window.setProcessEnvironment(m_folder->environment());
    window.start(Lockstep, {"--store", other, bundle});
    QTRY_VERIFY(
        m_folder->lockstep({"runs", "--store", other, "--json"}).out.contains("\"imported_from\": \"one.lockstep\""));
    window.terminate();
    QVERIFY(window.waitForFinished(60'000));
    QVERIFY(!QFileInfo::exists(mark));

    const EndedRun gone = m_folder->lockstep({m_folder->filePath("gone.lockstep")});
    QCOMPARE(gone.code, 2);
    QVERIFY2(gone.error.contains("there is no file"), qPrintable(gone.error));
}

void TestOwnProgram::recordsWithoutAWorkbench()
{
    QProcess process;
    QProcessEnvironment values = m_folder->environment();
    values.insert("LOCKSTEP_RECORD", m_folder->filePath("recording"));
    values.insert("LOCKSTEP_PARAMETERS", R"({"steps": 12})");
    values.insert("PYTHONPATH", QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/python"));
    process.setProcessEnvironment(values);
    process.start("python3", {Script});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    const EndedRun imported = m_folder->lockstep({"import", m_folder->filePath("recording")});
    QVERIFY2(imported.code == 0, qPrintable(imported.error));
    const EndedRun listed = m_folder->lockstep({"runs", "--json"});
    QVERIFY2(listed.out.contains("\"finished\""), listed.out.constData());
}

void TestOwnProgram::withoutAWorkbenchItDoesNothing()
{
    QProcess process;
    QProcessEnvironment values = m_folder->environment();
    values.insert("PYTHONPATH", QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/python"));
    process.setProcessEnvironment(values);
    process.start("python3", {Script});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(process.readAllStandardError(), QByteArray());
}

void TestOwnProgram::examples_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("isKnown");
    QTest::addRow("ddp, stamped") << "ddp_mnist.py" << QStringList{"own.samples=2048"} << 2 << true;
    const QString mnist = qEnvironmentVariable("LOCKSTEP_MNIST");
    if (!mnist.isEmpty()) {
        QTest::addRow("ddp, MNIST") << "ddp_mnist.py" << QStringList{"own.samples=2048", "own.mnist=" + mnist} << 2
                                    << true;
    }
    QTest::addRow("ddp, not stamped") << "ddp_mnist.py" << QStringList{"own.samples=2048", "own.stamps=false"} << 2
                                      << false;
    QTest::addRow("aggregation by hand") << "aggregation.py"
                                         << QStringList{"own.steps=16", "own.algorithm=gather", "own.slow_ms=10"} << 2
                                         << true;
    QTest::addRow("messages by hand") << "aggregation.py" << QStringList{"own.steps=16", "own.algorithm=ring"} << 2
                                      << false;
    QTest::addRow("optimizer") << "optimizer.py" << QStringList{"own.steps=16", "own.optimizer=adam"} << 1 << true;
    QTest::addRow("partition") << "partition.py" << QStringList{"own.samples=2048", "own.split=by_label"} << 2 << true;
    QTest::addRow("layers") << "layers.py" << QStringList{"own.steps=16"} << 2 << false;
}

void TestOwnProgram::examples()
{
    QFETCH(QString, script);
    QFETCH(QStringList, settings);
    QFETCH(int, ranks);
    QFETCH(bool, isKnown);
    const QString python = pythonWith("torch.distributed");
    if (python.isEmpty()) {
        QSKIP("python3-torch is not installed: the examples were not run");
    }
    const EndedRun ended = m_folder->lockstep(ownRun(QStringList{QStringLiteral("world_size=%1").arg(ranks)} + settings,
        python + " " LOCKSTEP_SOURCE_DIR "/resources/python/examples/" + script));
    QVERIFY2(ended.code == 0, qPrintable(ended.error));
    QCOMPARE(ended.summary()["steps"].toInt(), 16);
    QVERIFY(ended.summary()["test_accuracy"].toDouble() > 0.3);
    QCOMPARE(ended.values("gradient_norm").size(), script == "ddp_mnist.py" ? 16 : 0);
    QCOMPARE(ended.summary()["wait_ms_per_step"].isNull(), !isKnown);
    // Spans tell how long communication takes with the waiting in it.
    QCOMPARE(ended.summary()["comm_ms_per_step"].isNull(), settings.contains("own.stamps=false"));
    if (settings.contains("own.slow_ms=10")) {
        QVERIFY(ended.summary()["wait_ms_per_step"].toDouble() > 2.0); // rank 1 waits for rank 0, half of the ranks
    }
}

LOCKSTEP_TEST(TestOwnProgram)
#include "test_own_program.moc"
