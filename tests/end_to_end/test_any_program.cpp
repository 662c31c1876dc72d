// `lockstep run -- COMMAND`: programs that know nothing of the workbench, and scripts that make their ranks themselves.
// How they end, what is said of it, and what is kept of their output.
#include "end_to_end/lockstep_folder.h"
#include "program/test_class.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>

#include <memory>

using namespace lockstep::tests;

namespace {

/// A rank in a child process: it joins as what RANK says, as the watcher lets a spawned process join.
constexpr const char* Child = R"(
import os, signal, sys, time
import lockstep
run = lockstep.connect()
for step in range(int(sys.argv[1])):
    time.sleep(0.002)
    run.step(loss=1.0 / (step + 1), samples=4)
    if len(sys.argv) > 2 and run.rank == 1 and step == 40:
        os.kill(os.getpid(), signal.SIGKILL)
)";

/// The script that makes two of them, as mp.spawn does: it fails if one fails.
constexpr const char* Parent = R"(
import os, subprocess, sys
child = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")
assert "RANK" not in os.environ and os.environ["LOCKSTEP_WORLD"] == "script"
ranks = [subprocess.Popen([sys.executable, child] + sys.argv[1:],
                          env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "2"}) for rank in range(2)]
codes = [rank.wait() for rank in ranks]
print("children ended with", codes)
sys.exit(1 if any(codes) else 0)
)";

} // namespace

class TestAnyProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void ends_data();
    void ends();
    void aCommandKeepsItsWords();
    void eachRankIsStarted();
    void theScriptMakesItsRanks();
    void aRankThatTheScriptMadeIsNamed();
    void aFailureIsSaidOnce();
    void theOutputIsInAFile();
    void whatIsRunMustBeGiven();

private:
    /// `lockstep run --json OPTIONS -- COMMAND`
    [[nodiscard]] EndedRun run(const QStringList& command, const QStringList& options = {}) const
    {
        return m_folder->lockstep(QStringList{QStringLiteral("run"), QStringLiteral("--json")} + options
            + QStringList{QStringLiteral("--")} + command);
    }

    std::unique_ptr<LockstepFolder> m_folder;
};

void TestAnyProgram::init()
{
    m_folder = std::make_unique<LockstepFolder>();
    QVERIFY(!m_folder->write(QStringLiteral("child.py"), Child).isEmpty());
    QVERIFY(!m_folder->write(QStringLiteral("parent.py"), Parent).isEmpty());
}

void TestAnyProgram::ends_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const QString nothing = QStringLiteral("nothing was seen of it: ");
    QTest::addRow("exit code 0") << QStringList{"sh", "-c", "echo done"} << 0
                                 << nothing + "none of its processes did a training step with PyTorch";
    QTest::addRow("exit code 0, isolated") << QStringList{"python3", "-I", "-c", "print(1)"} << 0
                                           << nothing + "it cannot be watched: with -I Python ignores PYTHONPATH";
    QTest::addRow("exit code 3") << QStringList{"sh", "-c", "echo the last word; exit 3"} << 3
                                 << "rank 0 ended with exit code 3 before its first step; its last line: the last word";
    QTest::addRow("killed") << QStringList{"sh", "-c", "kill -9 $$"} << 3
                            << "rank 0 was killed by signal 9 \\(Killed\\) before its first step";
    QTest::addRow("a progress bar") << QStringList{"sh", "-c",
        "printf '\\r 1%%\\r\\033[32m99%%\\033[0m of it' >&2; exit 3"}
                                    << 3
                                    << "rank 0 ended with exit code 3 before its first step; its last line: 99% of it";
    QTest::addRow("a long line") << QStringList{"python3", "-c", "print('x' * 5000); raise SystemExit(3)"} << 3
                                 << "rank 0 ended .* its last lines?: [x…| ]{1,620}";
    QTest::addRow("an abort after the last step")
        << QStringList{"python3", "-c",
               "import lockstep, os\nrun = lockstep.connect()\nrun.step(loss=1.0)\nrun.finish()\nos.abort()"}
        << 0 << "rank 0 was killed by signal 6 \\(Aborted\\) after its last step, 1";
    QTest::addRow("exit code 3 after the last step") << QStringList{"python3", "-c",
        "import lockstep, sys\nrun = lockstep.connect()\nrun.step(loss=1.0)\nsys.exit(3)"}
                                                     << 3 << "rank 0 ended with exit code 3 after step 1";
}

void TestAnyProgram::ends()
{
    QFETCH(QStringList, command);
    QFETCH(int, code);
    QFETCH(QString, message);
    const EndedRun ended = run(command);
    QVERIFY2(ended.code == code, qPrintable(ended.error));
    QCOMPARE(ended.status(), code == 0 ? QStringLiteral("finished") : QStringLiteral("failed"));
    const QRegularExpression expected(QRegularExpression::anchoredPattern(message));
    QVERIFY2(expected.match(ended.message()).hasMatch(), qPrintable(ended.message()));
}

void TestAnyProgram::aCommandKeepsItsWords()
{
    const QString script = m_folder->write(
        "words.py", "import json, sys\nwith open('words', 'w') as file:\n    json.dump(sys.argv[1:], file)\n");
    const QStringList words{"--lr", "0.1", "a b", "it's", "\"", "", "--", "-n", "\\", "line\nline"};
    QCOMPARE(run(QStringList{"python3", "words.py"} + words).code, 0);
    QFile file(m_folder->filePath("words"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(file.readAll()).array(), QJsonArray::fromStringList(words));
}

void TestAnyProgram::eachRankIsStarted()
{
    const EndedRun ended = run({"sh", "-c", "echo $RANK of $WORLD_SIZE $LOCKSTEP_WORLD $LOCKSTEP_WATCH; exit 5"},
        {"-n", "2", "--set", "rank.watch=off"});
    QCOMPARE(ended.code, 3);
    const QRegularExpression expected("^rank ([01]) ended with exit code 5 .*last line: \\1 of 2 given$");
    QVERIFY2(expected.match(ended.message()).hasMatch(), qPrintable(ended.message()));
}

void TestAnyProgram::theScriptMakesItsRanks()
{
    const EndedRun ended = run({"python3", "parent.py", "50"});
    QVERIFY2(ended.code == 0, qPrintable(ended.error));
    QCOMPARE(ended.status(), QStringLiteral("finished"));
    QCOMPARE(ended.message(), QString());
    QCOMPARE(ended.summary()["steps"].toInt(), 50);
    const QJsonArray losses = ended.values("loss");
    QCOMPARE(losses.size(), 50);
    QCOMPARE(losses.at(1).toDouble(), 0.5);
}

void TestAnyProgram::aRankThatTheScriptMadeIsNamed()
{
    const EndedRun ended = run({"python3", "parent.py", "60", "kill"});
    QCOMPARE(ended.code, 3);
    const QRegularExpression expected("^rank 1 was lost: the program ended with exit code 1 after step \\d+; its last "
                                      "line: children ended with \\[0, -9\\]$");
    QVERIFY2(expected.match(ended.message()).hasMatch(), qPrintable(ended.message()));
}

void TestAnyProgram::aFailureIsSaidOnce()
{
    const EndedRun ended = run({"sh", "-c", "echo the last word; exit 3"});
    QCOMPARE(ended.error.count(QStringLiteral("its last line: the last word")), 1);
}

void TestAnyProgram::theOutputIsInAFile()
{
    const EndedRun ended
        = run({"python3", "-c", "for i in range(60000): print(i, 'x' * 100)\nprint('\\033[1mlast\\033[0m')"});
    QCOMPARE(ended.code, 0);
    QFile file(m_folder->filePath("store/" + ended.run()["id"].toString() + ".output/rank0.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.size() <= (4 << 20));
    const QByteArray text = file.readAll();
    QVERIFY(text.startsWith("0 xxx"));
    QVERIFY(text.endsWith("\nlast\n"));
    QCOMPARE(text.count("bytes of output are left out here]\n"), 1);
}

void TestAnyProgram::whatIsRunMustBeGiven()
{
    const EndedRun both = m_folder->lockstep({"run", "optimizers", "--", "python3", "x.py"});
    QCOMPARE(both.code, 2);
    QVERIFY2(both.error.contains("run: needs one preset or spec file"), qPrintable(both.error));
    const EndedRun gone = run({"no-such-program"});
    QCOMPARE(gone.code, 2);
    QVERIFY2(gone.error.contains("rank.program: no-such-program is not a program"), qPrintable(gone.error));
}

LOCKSTEP_TEST(TestAnyProgram)
#include "test_any_program.moc"
