// SIGKILL of a rank, and of the workbench, at random moments. Each time: no process is left after 3 s, every row up to
// 100 ms before the kill is in the store with none missing in between, and the run is marked failed or interrupted.
#include "base/clock.h"
#include "base/random.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/busy_machine.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <optional>
#include <vector>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

constexpr double LongestLossMs = 100.0;

struct StoredRun {
    bool hasRun = false;
    RunStatus status = RunStatus::Queued;
    std::string message;
    std::int64_t lastEndNs = 0; ///< 0: no row
    bool isGapless = true;
};

[[nodiscard]] StoredRun storedRun(const QString& folder)
{
    StoredRun kept;
    const auto store = store::RunStore::open(folder);
    if (!store) {
        qWarning("%s", store.error().message.c_str());
        return kept;
    }
    const std::vector<analysis::RunRecord> runs = (*store)->list();
    if (runs.empty()) {
        return kept;
    }
    const auto record = (*store)->load(runs.front().id);
    kept.hasRun = record.isOk();
    if (!record) {
        return kept;
    }
    kept.status = record->status;
    kept.message = record->message;
    std::int64_t next = 1;
    const auto replayed = (*store)->replay(record->id, [&](const store::Delta& delta) {
        for (const auto& [rank, batch] : delta.steps) {
            for (const StepRow& row : batch.rows) {
                kept.isGapless = kept.isGapless && row.step == next++;
                kept.lastEndNs = row.endNs;
            }
        }
        return true;
    });
    kept.isGapless = kept.isGapless && replayed.isOk();
    return kept;
}

/// A run that takes longer than any trial; `mark` is in the environment of each of its processes.
void startRun(QProcess& workbench, const QString& rankProgram, const QByteArray& mark, const QString& store)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_RANK", rankProgram);
    environment.insert("LOCKSTEP_FAKE", "steps=1000000,rate=1000,spans");
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    workbench.setProcessEnvironment(environment);
    workbench.start(Lockstep,
        {"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set", "train.steps=1000000", "--store", store});
}

/// Waits until no process with the mark is left; gives how long that took.
[[nodiscard]] qint64 msUntilGone(const QByteArray& mark)
{
    QElapsedTimer clock;
    clock.start();
    while (!markedProcesses(mark).all.empty() && clock.elapsed() < 60'000) {
        QTest::qWait(10);
    }
    return clock.elapsed();
}

} // namespace

class TestFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void kill_data();
    void kill();
};

void TestFaults::kill_data()
{
    QTest::addColumn<bool>("killsWorkbench");
    QTest::addColumn<QString>("rankProgram");
    const QString fake = QStringLiteral(LOCKSTEP_BINARY_DIR "/tests/bin/fake_rank");
    const QString real = RankProgram;
    QTest::addRow("rank, fake") << false << fake;
    QTest::addRow("workbench, fake") << true << fake;
    if (QFileInfo(real).isExecutable()) {
        QTest::addRow("rank, real") << false << real;
        QTest::addRow("workbench, real") << true << real;
    }
}

void TestFaults::kill()
{
    QFETCH(bool, killsWorkbench);
    QFETCH(QString, rankProgram);
    const Seed seed{static_cast<std::uint64_t>(wallNs())};
    Random random(seed);
    std::int64_t longestLossNs = 0;
    qint64 longestEndMs = 0;
    int withoutRows = 0;
    // On a busy machine a run may need longer to its first row than a trial gives it: then trials become longer, until
    // one has had rows.
    const int mostTrials = 4 * trialCount(5);
    int trial = 0;
    for (; trial < trialCount(5) || (withoutRows == trial && trial < mostTrials); ++trial) {
        const QTemporaryDir store;
        const QByteArray mark = markOf(trial);
        QProcess workbench;
        startRun(workbench, rankProgram, mark, store.path());
        QVERIFY(workbench.waitForStarted());
        const int moment = static_cast<int>(random.uniform() * 2000 * (1 + withoutRows));
        QTest::qWait(moment);
        Marked marked = markedProcesses(mark);
        if (!killsWorkbench) {
            QTRY_VERIFY(!(marked = markedProcesses(mark)).ranks.empty());
        }
        const qint64 victim = killsWorkbench ? workbench.processId() : marked.ranks.front();
        const std::int64_t killedNs = monotonicNs();
        QVERIFY(sendSignal(victim, SIGKILL));
        const qint64 endMs = msUntilGone(mark);
        longestEndMs = std::max(longestEndMs, endMs);
        const QByteArray context = "trial " + QByteArray::number(trial) + ", " + QByteArray::number(moment) + " ms";
        QVERIFY2(isWithin(endMs, 3000), context + ", ended after " + QByteArray::number(endMs));
        QTRY_COMPARE(workbench.state(), QProcess::NotRunning);

        const StoredRun kept = storedRun(store.path());
        if (killsWorkbench) {
            // It may have died before it had made the run.
            QVERIFY2(!kept.hasRun || kept.status == RunStatus::Interrupted, context.constData());
        } else {
            QCOMPARE(workbench.exitCode(), 3);
            QVERIFY2(kept.status == RunStatus::Failed, context.constData());
            QVERIFY2(kept.message.starts_with("rank 0 was killed by signal 9 (Killed)"), kept.message.c_str());
        }
        QVERIFY2(kept.isGapless, context.constData());
        if (kept.lastEndNs == 0) {
            ++withoutRows;
            continue;
        }
        longestLossNs = std::max(longestLossNs, killedNs - kept.lastEndNs);
        QVERIFY2(isWithin(static_cast<double>(killedNs - kept.lastEndNs) * 1e-6, LongestLossMs),
            (context + ", lost " + QByteArray::number((killedNs - kept.lastEndNs) / 1'000'000) + " ms").constData());
    }
    // A run that never gets as far as its first row would pass the checks above.
    QVERIFY(withoutRows < trial);
    qInfo("%d trials: all processes gone after at most %lld ms, at most the last %.0f ms of rows lost, %d before the "
          "first row (seed %llu)",
        trial, static_cast<long long>(longestEndMs), static_cast<double>(longestLossNs) * 1e-6, withoutRows,
        static_cast<unsigned long long>(seed.number));
}

LOCKSTEP_TEST(TestFaults)
#include "test_faults.moc"
