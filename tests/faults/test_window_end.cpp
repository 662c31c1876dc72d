// SIGTERM, SIGHUP and SIGINT of the window: its run stops with a checkpoint as on the command line, within 5 s, its
// experiment can be resumed, and neither a process nor a socket is left.
#include "experiment/spec.h"
#include "faults/marked_processes.h"
#include "launch/queue/ask_queue.h"
#include "launch/queue/queue_lock.h"
#include "launch/queue/queue_request.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/checkpoints.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <nlohmann/json.hpp>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;
using Json = nlohmann::ordered_json;

namespace {

constexpr int LongestEndMs = 5000;

void startWindow(QProcess& window, const QString& store, const QString& rankProgram, const QString& behaviour)
{
    static int s_trial = 0;
    const QByteArray mark = markOf(s_trial++);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_RANK", rankProgram);
    environment.insert("LOCKSTEP_FAKE", behaviour);
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("XDG_CONFIG_HOME", store + "/config");
    environment.insert("XDG_DATA_HOME", store + "/data");
    window.setProcessEnvironment(environment);
    window.setProperty("mark", mark);
    window.setChildProcessModifier([] { // a test that runs in the background may have them ignored
        for (const int each : {SIGTERM, SIGHUP, SIGINT}) {
            std::signal(each, SIG_DFL);
        }
    });
    window.start(Lockstep, {"--store", store});
}

/// One run that takes longer than any test.
[[nodiscard]] bool addRun(const QString& store)
{
    const std::vector<experiment::Override> overrides{
        {"repeats", "1"}, {"dataset.name", "digits"}, {"train.steps", "1000000"}};
    const std::vector<std::string> only{"SGD"};
    const auto runs = *experiment::expand(*experiment::customise(*experiment::preset("optimizers"), overrides, only));
    return launch::askQueue(store, launch::addRequest("optimizers", runs, false)).isOk();
}

[[nodiscard]] analysis::RunRecord onlyRun(const QString& folder)
{
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.size() != 1) {
        return {};
    }
    const auto record = (*store)->load(runs.front().id);
    return record ? *record : analysis::RunRecord();
}

/// Whether a step of the run is stored: its ranks train.
[[nodiscard]] bool hasSteps(const QString& folder)
{
    const auto store = store::RunStore::open(folder);
    const analysis::RunRecord run = onlyRun(folder);
    bool found = false;
    if (store && run.status == RunStatus::Running) {
        static_cast<void>((*store)->replay(run.id, [&found](const store::Delta& delta) {
            found = found || !delta.steps.empty();
            return !found;
        }));
    }
    return found;
}

} // namespace

class TestWindowEnd : public QObject {
    Q_OBJECT

private:
    /// Starts the window and its run, sends it the signal, and sees it end in time.
    void endWindow(const QString& store, const QString& rankProgram, const QString& behaviour, int signal)
    {
        QProcess window;
        startWindow(window, store, rankProgram, behaviour);
        QVERIFY(window.waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(launch::QueueLock::owner(store), window.processId(), 60'000);
        QVERIFY(addRun(store));
        QVERIFY(launch::askQueue(store, Json{{"do", "resume"}}).isOk());
        QTRY_VERIFY_WITH_TIMEOUT(hasSteps(store), 60'000);
        const auto socket = launch::queueSocket(store);
        QVERIFY(socket.isOk());
        QElapsedTimer clock;
        clock.start();
        QVERIFY(sendSignal(window.processId(), signal));
        QVERIFY(window.waitForFinished(60'000));
        QVERIFY2(clock.elapsed() < LongestEndMs, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(window.exitStatus(), QProcess::NormalExit);
        QCOMPARE(window.exitCode(), 0);
        QTRY_VERIFY(markedProcesses(window.property("mark").toByteArray()).all.empty());
        QVERIFY2(!QFileInfo::exists(*socket), qPrintable(*socket));
    }

private Q_SLOTS:
    void endsAsItIsAsked_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("behaviour");
        const QString usual = QStringLiteral("steps=1000000,rate=200");
        QTest::addRow("SIGTERM") << SIGTERM << usual;
        QTest::addRow("SIGHUP") << SIGHUP << usual;
        QTest::addRow("SIGINT") << SIGINT << usual;
        QTest::addRow("a rank that does not listen") << SIGTERM << usual + QStringLiteral(",ignore_stop,ignore_term");
    }
    void endsAsItIsAsked()
    {
        QFETCH(int, signal);
        QFETCH(QString, behaviour);
        QTemporaryDir store;
        endWindow(store.path(), QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank"), behaviour, signal);
        if (QTest::currentTestFailed()) {
            return;
        }
        const analysis::RunRecord run = onlyRun(store.path());
        QCOMPARE(run.status, RunStatus::Stopped);
        const auto answer = launch::askQueue(store.path(), Json{{"do", "list"}});
        QVERIFY(answer.isOk());
        QCOMPARE(answer->state.entries.size(), std::size_t{1});
        QVERIFY(answer->state.entries.front().state == launch::EntryState::Interrupted);
    }

    void theRunHasACheckpoint()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("this build has no lockstep-rank");
        }
        QTemporaryDir store;
        endWindow(store.path(), RankProgram, {}, SIGTERM);
        if (QTest::currentTestFailed()) {
            return;
        }
        const analysis::RunRecord run = onlyRun(store.path());
        QCOMPARE(run.status, RunStatus::Stopped);
        const auto checkpoints = store::checkpointsOf(store.path(), run);
        QVERIFY(!checkpoints.empty() && checkpoints.back().isWhole);
        QVERIFY(store::resumedSpec(store.path(), run).isOk());
    }
};

LOCKSTEP_TEST(TestWindowEnd)
#include "test_window_end.moc"
