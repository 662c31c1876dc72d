// A script of python3-torch as the rank: DistributedDataParallel over Gloo on two ranks. Its curve grows while it
// trains; a rank that is killed, or that raises an exception, is named, and no process is left.
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/python.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;

namespace {

const QString Examples = QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/python/examples");

/// Steps that are stored of the only run, also while it is written.
[[nodiscard]] std::size_t stepsIn(const QString& folder)
{
    std::size_t steps = 0;
    const auto store = store::RunStore::open(folder);
    for (const analysis::RunRecord& run : store ? (*store)->list() : std::vector<analysis::RunRecord>()) {
        const auto loaded = (*store)->load(run.id);
        steps = loaded ? loaded->loss.value.size() : 0;
    }
    return steps;
}

/// Why the only run failed, from what `lockstep run --json` printed.
[[nodiscard]] QString messageOfRun(const QByteArray& json)
{
    return QJsonDocument::fromJson(json).object()["runs"].toArray().at(0).toObject()["message"].toString();
}

} // namespace

class TestScriptFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = pythonWith(u"torch.distributed"_s);
        if (m_python.isEmpty()) {
            QSKIP("python3-torch is not installed: no script was run");
        }
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aKilledRankIsNamed();
    void aTracebackIsNamed();

private:
    [[nodiscard]] QString store() const { return m_folder->filePath("store"); }
    void start(QProcess& workbench, const QString& script, const QStringList& settings, const QByteArray& mark) const;

    QString m_python;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestScriptFaults::start(
    QProcess& workbench, const QString& script, const QStringList& settings, const QByteArray& mark) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    environment.insert("XDG_CONFIG_HOME", m_folder->filePath("config"));
    environment.insert("PYTHONDONTWRITEBYTECODE", "1");
    environment.remove("LOCKSTEP_RANK");
    QStringList words{u"run"_s, u"own"_s, u"--json"_s, u"--store"_s, store()};
    for (const QString& setting :
        QStringList{u"rank.program=%1 %2"_s.arg(m_python, script), u"world_size=2"_s} + settings) {
        words += {u"--set"_s, setting};
    }
    workbench.setProcessEnvironment(environment);
    workbench.start(Lockstep, words);
}

void TestScriptFaults::aKilledRankIsNamed()
{
    const QByteArray mark = markOf(0);
    QProcess workbench;
    start(workbench, Examples + u"/ddp_mnist.py"_s, {u"own.epochs=100000"_s}, mark);
    QTRY_VERIFY(stepsIn(store()) > 5);
    const std::size_t before = stepsIn(store());
    QTRY_VERIFY(stepsIn(store()) > before); // live
    const Marked marked = markedProcesses(mark);
    QCOMPARE(marked.ranks.size(), std::size_t{2});
    const int victim = marked.ranks.back();
    const int rank = rankOf(victim);
    QVERIFY(sendSignal(victim, SIGKILL));
    QVERIFY(workbench.waitForFinished(60'000));
    QCOMPARE(workbench.exitCode(), 3);
    QVERIFY(markedProcesses(mark).all.empty());
    const QString said = messageOfRun(workbench.readAllStandardOutput());
    const QRegularExpression expected(u"^rank %1 was killed by signal 9 \\(Killed\\) after step \\d+"_s.arg(rank));
    QVERIFY2(expected.match(said).hasMatch(), qPrintable(said));
}

/// The other rank's collective fails as well, and says less.
void TestScriptFaults::aTracebackIsNamed()
{
    QFile script(m_folder->filePath("fails.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, sys\nsys.path.insert(0, '" + Examples.toUtf8()
        + "')\nimport lockstep\nstep = lockstep.Run.step\n\n\ndef fail_in_step(run, *given, **metrics):\n"
          "    if run.rank == 1 and run._step == 7:\n        raise RuntimeError('the optimizer has no state')\n"
          "    return step(run, *given, **metrics)\n\n\nlockstep.Run.step = fail_in_step\n"
          "with open('"
        + Examples.toUtf8() + "/ddp_mnist.py') as file:\n    exec(compile(file.read(), file.name, 'exec'))\n");
    script.close();
    const QByteArray mark = markOf(1);
    QProcess workbench;
    start(workbench, script.fileName(), {}, mark);
    QVERIFY(workbench.waitForFinished(90'000));
    QCOMPARE(workbench.exitCode(), 3);
    QVERIFY(markedProcesses(mark).all.empty());
    const QString said = messageOfRun(workbench.readAllStandardOutput());
    const QRegularExpression expected(
        u"^rank 1 failed after step 7; its last lines: .*fails.py.*fail_in_step \\| raise "
        "RuntimeError.* \\| RuntimeError: the optimizer has no state$"_s);
    QVERIFY2(expected.match(said).hasMatch(), qPrintable(said));
}

LOCKSTEP_TEST(TestScriptFaults)
#include "test_script_faults.moc"
