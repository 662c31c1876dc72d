// A rank that never enters one of its calls, at random, under every strategy and backend: the run's message names that
// rank and that call. The rank itself says in its log what it did not enter. LOCKSTEP_LONG: every strategy over every
// backend, twice; else each strategy over one backend.
#include "base/clock.h"
#include "base/random.h"
#include "core/engine/comm/mpirun.h"
#include "faults/campaign.h"
#include "program/programs.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int FaultyRanks = 3;
constexpr std::uint64_t LastCall = 60; ///< of those that can be skipped
/// A step of a pipeline has 16 messages of a middle stage, after one call at most. In the first step nothing shows the
/// order of a rank's messages: the right rank is named, with any of those that it did not enter.
constexpr std::uint64_t AfterFirstStep = 18;
constexpr double Patience = 2.0; ///< comm.timeout_s

struct FaultyStrategy {
    const char* name;
    const char* settings;
    std::uint64_t namedFrom = 1; ///< the first call that must be named
};

constexpr FaultyStrategy FaultyStrategies[] = {
    {"all_reduce", "strategy.name=data world_size=3"},
    {"ring", "strategy.name=data world_size=3 aggregation.algorithm=ring"},
    {"parameter server", "strategy.name=data world_size=3 aggregation.algorithm=parameter_server"},
    {"median", "strategy.name=data world_size=3 aggregation.rule=median aggregation.algorithm=all_gather"},
    {"buckets", "strategy.name=data world_size=3 comm.form=buckets comm.bucket_kb=64"},
    {"local SGD", "strategy.name=local world_size=3 local.every=2"},
    {"pipeline", "strategy.name=pipeline pipeline.stages=3 net.name=deep-mlp pipeline.transport=p2p", AfterFirstStep},
    {"pipeline, 1f1b",
        "strategy.name=pipeline pipeline.stages=3 net.name=deep-mlp pipeline.transport=p2p "
        "pipeline.schedule=1f1b link.latency_us=1",
        AfterFirstStep},
    {"pipeline by remote calls", "strategy.name=pipeline pipeline.stages=3 net.name=deep-mlp pipeline.transport=rpc",
        AfterFirstStep},
    {"tensor", "strategy.name=tensor tensor.size=3 net.name=deep-mlp"},
    {"grid", "strategy.name=grid grid.data=3 grid.pipeline=1 grid.tensor=1 net.name=deep-mlp"},
    {"ZeRO-1", "strategy.name=zero zero.stage=1 world_size=3"},
    {"ZeRO-2", "strategy.name=zero zero.stage=2 world_size=3"},
    {"ZeRO-3", "strategy.name=zero zero.stage=3 world_size=3"},
};

struct Told {
    QString message; ///< of the run
    QString confession; ///< what the faulty rank says it did not enter
    int recordedRanks = 0; ///< whose last calls are kept with the run
};

Told readTold(const QString& folder, int rank)
{
    Told told;
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.empty()) {
        return told;
    }
    told.message = QString::fromStdString(runs.front().message);
    const QRegularExpression confessed(
        QStringLiteral("rank %1 does not enter (.*) \\(fault\\.skip_collective\\)").arg(rank));
    const auto replayed = (*store)->replay(runs.front().id, [&](const store::Delta& delta) {
        told.recordedRanks += static_cast<int>(delta.calls.size());
        for (const auto& [from, line] : delta.logs) {
            if (const auto found = confessed.match(QString::fromStdString(line.text)); found.hasMatch()) {
                told.confession = found.captured(1);
            }
        }
        return true;
    });
    return replayed ? told : Told{};
}

} // namespace

class TestSkippedCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRunNamesTheRankAndTheCall_data();
    void theRunNamesTheRankAndTheCall();
};

void TestSkippedCalls::theRunNamesTheRankAndTheCall_data()
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<quint64>("namedFrom");
    std::vector<QString> backends{QStringLiteral("shm"), QStringLiteral("gloo")};
    if (canRunMpirun() && toldByRanks("--doctor").contains("\"backend\": \"mpi\"")) {
        backends.push_back(QStringLiteral("mpi"));
    }
    const bool knowsRpc = toldByRanks("--choices").contains("\"rpc\"");
    const bool isLong = qEnvironmentVariableIsSet("LOCKSTEP_LONG");
    std::size_t number = 0;
    for (const FaultyStrategy& strategy : FaultyStrategies) {
        const QString settings = QString::fromLatin1(strategy.settings);
        const bool isRpc = settings.contains(QStringLiteral("transport=rpc"));
        if (isRpc && !knowsRpc) {
            continue;
        }
        for (int trial = 0; trial < (isLong ? 2 : 1); ++trial) {
            for (std::size_t backend = 0; backend < backends.size(); ++backend) {
                const bool isWanted = isLong || backend == number % (isRpc ? 2 : backends.size());
                if (isWanted && !(isRpc && backends[backend] == QStringLiteral("mpi"))) {
                    QTest::addRow("%s, %s, %d", qPrintable(backends[backend]), strategy.name, trial)
                        << backends[backend] << settings << quint64{strategy.namedFrom};
                }
            }
        }
        ++number;
    }
}

void TestSkippedCalls::theRunNamesTheRankAndTheCall()
{
    QFETCH(const QString, backend);
    QFETCH(const QString, settings);
    QFETCH(const quint64, namedFrom);
    Random random(Seed{static_cast<std::uint64_t>(wallNs())});
    const int rank = static_cast<int>(random.below(FaultyRanks));
    // In the first call ranks arrive as they start: on a busy machine farther apart than they wait for each other.
    const std::uint64_t call = 2 + random.below(LastCall - 1);
    QStringList words{"run", "optimizers", "--only", "SGD"};
    const QString fault = QStringLiteral("comm.backend=%1 fault.rank=%2 fault.skip_collective=%3 comm.timeout_s=%4")
                              .arg(backend)
                              .arg(rank)
                              .arg(call)
                              .arg(Patience);
    for (const QString& setting :
        (settings + QStringLiteral(" repeats=1 train.steps=100000 ") + fault).split(QChar(' '))) {
        words << QStringLiteral("--set") << setting;
    }
    const QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LOCKSTEP_STORE"), folder.path());
    environment.remove(QStringLiteral("LOCKSTEP_RANK"));
    process.setProcessEnvironment(environment);
    process.start(Lockstep, words);
    QVERIFY(process.waitForFinished(120'000));
    const QByteArray error = process.readAllStandardError();
    QVERIFY2(process.exitCode() == 3, error.constData());
    const Told told = readTold(folder.path(), rank);
    const QString what = QStringLiteral("rank %1, call %2: %3").arg(rank).arg(call).arg(told.message);
    QVERIFY2(!told.confession.isEmpty(), qPrintable(what));
    const QString expected = QStringLiteral("rank %1 never entered %2")
                                 .arg(rank)
                                 .arg(call < namedFrom ? QString() : told.confession + u',');
    QVERIFY2(told.message.startsWith(expected), qPrintable(what + QStringLiteral("; it skipped ") + told.confession));
    QVERIFY2(error.contains(expected.toUtf8()), error.constData());
    QCOMPARE(told.recordedRanks, FaultyRanks);
}

LOCKSTEP_TEST(TestSkippedCalls)
#include "test_skipped_calls.moc"
