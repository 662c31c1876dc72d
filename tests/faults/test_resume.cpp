// Runs killed at random moments (a rank, all ranks, or the workbench) and resumed, again and again, until they finish:
// their last checkpoint is byte for byte that of a run that was never disturbed. LOCKSTEP_FAULT_TRIALS: how many kills
// that a checkpoint survives, for each kind of run.
#include "base/clock.h"
#include "base/random.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/checkpoints.h"
#include "store/run_store.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int Steps = 2400;
constexpr int Every = 60;

[[nodiscard]] std::optional<analysis::RunRecord> newestRun(const QString& store)
{
    const auto opened = store::RunStore::open(store);
    const auto runs = opened ? (*opened)->list() : std::vector<analysis::RunRecord>();
    return runs.empty() ? std::nullopt : std::optional(runs.front());
}

/// The checksums of the ranks' files at the last step; empty unless that checkpoint is there.
[[nodiscard]] QJsonArray lastFiles(const QString& store)
{
    const auto run = newestRun(store);
    const auto all = run ? store::checkpointsOf(store, *run) : std::vector<store::Checkpoint>();
    if (all.empty() || all.back().step != Steps || !all.back().isWhole) {
        return {};
    }
    return QJsonDocument::fromJson(contentOf(all.back().folder + "/manifest.json")).object()["files"].toArray();
}

} // namespace

class TestResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
    }
    void killedAndResumed_data();
    void killedAndResumed();

private:
    /// Gives whether it was killed; the exit code is in `code`.
    static bool runAndKill(const QStringList& words, const QByteArray& mark, double afterMs, int kind, int& code);
};

bool TestResume::runAndKill(const QStringList& words, const QByteArray& mark, double afterMs, int kind, int& code)
{
    QProcess workbench;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    workbench.setProcessEnvironment(environment);
    workbench.start(Lockstep, words);
    const bool hasEnded = workbench.waitForFinished(static_cast<int>(afterMs));
    if (!hasEnded) {
        const Marked marked = markedProcesses(mark);
        if (kind == 0) {
            workbench.kill();
        } else {
            for (std::size_t i = 0; i < marked.ranks.size() && (kind == 2 || i == 0); ++i) {
                sendSignal(marked.ranks[i], SIGKILL);
            }
        }
    }
    workbench.waitForFinished(60'000);
    code = workbench.exitStatus() == QProcess::NormalExit ? workbench.exitCode() : -1;
    for (int i = 0; i < 500 && !markedProcesses(mark).all.empty(); ++i) {
        QTest::qWait(10);
    }
    return !hasEnded;
}

void TestResume::killedAndResumed_data()
{
    QTest::addColumn<QStringList>("variant");
    QTest::addColumn<QStringList>("settings");
    const QStringList random{"partitioning", "--only", "random"};
    QTest::newRow("one process, adam") << QStringList{"optimizers", "--only", "Adam"} << QStringList();
    QTest::newRow("two ranks, momentum") << random
                                         << QStringList{"optimizer.name=momentum", "world_size=2",
                                                "aggregation.what=gradients", "partition.name=unequal"};
    QTest::newRow("three ranks, weights averaged")
        << random
        << QStringList{"world_size=3", "aggregation.what=weights", "aggregation.every=7", "partition.name=by-label"};
}

void TestResume::killedAndResumed()
{
    QFETCH(QStringList, variant);
    QFETCH(QStringList, settings);
    QStringList words = QStringList{"run"} + variant;
    settings += {"repeats=1", "dataset.train_samples=1000", "dataset.test_samples=50",
        QStringLiteral("train.steps=%1").arg(Steps), QStringLiteral("checkpoint.every=%1").arg(Every),
        "train.evaluate_every=1000"};
    for (const QString& setting : settings) {
        words += {"--set", setting};
    }
    int code = 0;
    const QTemporaryDir undisturbed;
    QVERIFY(!runAndKill(words + QStringList{"--store", undisturbed.path()}, markOf(-1), 60'000, 0, code));
    QCOMPARE(code, 0);
    const QJsonArray wanted = lastFiles(undisturbed.path());
    QVERIFY(!wanted.isEmpty());

    Random random(Seed{static_cast<std::uint64_t>(wallNs())});
    int survived = 0; // kills after which a run resumed from a checkpoint
    for (int round = 0; survived < trialCount(2) && round < 10 * trialCount(2); ++round) {
        const QTemporaryDir store;
        const QStringList inStore{"--store", store.path()};
        QStringList next = words + inStore;
        for (int attempt = 0; attempt < 12 && lastFiles(store.path()).isEmpty(); ++attempt) {
            const int kind = static_cast<int>(random.below(3));
            runAndKill(
                next, markOf(round * 100 + attempt), attempt < 8 ? random.uniform(300.0, 1600.0) : 60'000, kind, code);
            const auto run = newestRun(store.path());
            QVERIFY(run || attempt == 0);
            const bool canGoOn = run && store::resumedSpec(store.path(), *run).isOk();
            survived += canGoOn && lastFiles(store.path()).isEmpty() ? 1 : 0;
            next = canGoOn ? QStringList{"resume", "last"} + inStore : words + inStore;
        }
        QCOMPARE(lastFiles(store.path()), wanted);
    }
    QVERIFY(survived >= trialCount(2));
}

LOCKSTEP_TEST(TestResume)
#include "test_resume.moc"
