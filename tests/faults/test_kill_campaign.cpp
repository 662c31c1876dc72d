// SIGKILL of every kind of process, under every strategy, at every kind of moment: nothing hangs, no process stays, the
// store opens, a run with a checkpoint resumes to its end, and then nothing is left over. The same for verbs that write
// files, and for two windows on one store. A sample: two kills of the workbench and two of ranks, of the first two
// strategies and moments. LOCKSTEP_LONG: 299 of the workbench and 299 of ranks.
#include "base/clock.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "launch/queue/queue_lock.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/checkpoints.h"
#include "store/run_store.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <random>

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;
using analysis::RunStatus;

namespace {

constexpr int LongKills = 299;
/// Of whatever is waited for; no test is of how long it takes.
constexpr int LimitMs = 120'000;

enum class Victim { Workbench, OneRank, AllRanks };
enum class Moment {
    Naming, ///< a checkpoint is written and has not yet its name
    Named, ///< a checkpoint has its name: the run can be resumed
    Begin, ///< the first 100 ms
    Any
};
constexpr std::array<const char*, 4> MomentNames{"naming", "named", "begin", "any"};

struct Kind {
    const char* name;
    const char* words; ///< of `lockstep run`
    bool hasCheckpoints = true;
};
constexpr std::array<Kind, 8> Kinds{{{"one process", "optimizers --only Adam"},
    {"data, shm", "aggregation --only ring --set comm.timeout_s=5 --set world_size=3"},
    {"data, gloo", "aggregation --only ring --set comm.timeout_s=5 --set world_size=2 --set comm.backend=gloo"},
    {"asynchronous",
        "aggregation --only ring --set comm.timeout_s=5 --set world_size=3 "
        "--set aggregation.algorithm=parameter_server_async",
        false},
    {"pipeline", "model-parallel --only p2p --set comm.timeout_s=5"},
    {"tensor", "model-parallel --only tensor --set comm.timeout_s=5"},
    {"zero", "sharding --only zero-3 --set comm.timeout_s=5 --set world_size=2"},
    {"local", "optimizers --only SGD --set strategy.name=local --set comm.timeout_s=5 --set world_size=2"}}};

/// A store with the folders of its processes, and what is known of them.
class Place {
public:
    explicit Place(const QByteArray& mark)
        : m_mark(mark)
    {
        for (const QString& each : {temporary(), runtime()}) {
            QDir().mkpath(each);
        }
        QFile::setPermissions(runtime(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString store() const { return path(u"store"_s); }
    [[nodiscard]] const QByteArray& mark() const { return m_mark; }

    void start(QProcess& process, const QStringList& words) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(m_mark.mid(m_mark.indexOf('=') + 1)));
        environment.insert("TMPDIR", temporary());
        environment.insert("XDG_RUNTIME_DIR", runtime());
        environment.insert("XDG_CONFIG_HOME", path(u"config"_s));
        environment.insert("XDG_DATA_HOME", path(u"data"_s));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        process.setProcessEnvironment(environment);
        process.start(Lockstep, words);
    }
    /// Gives the exit code; what it says on standard error is in `said`. -1: it did not end by itself.
    [[nodiscard]] int execute(const QStringList& words, QByteArray& said) const
    {
        QProcess process;
        start(process, words);
        const bool hasEnded = process.waitForFinished(LimitMs);
        said = process.readAllStandardError();
        return hasEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }
    /// What no run is, in the store and in the folders for temporary files.
    [[nodiscard]] QStringList leftOvers() const
    {
        static const QRegularExpression Known(
            u"^([^/]+\\.(run|output(/.*)?|checkpoints(/step-\\d+(/[^/.][^/]*)?)?)|index\\.sqlite|queue\\..*)$"_s);
        QStringList left = QDir(temporary()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QDirIterator each(store(), QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
            QDirIterator::Subdirectories);
        while (each.hasNext()) {
            const QString name = QDir(store()).relativeFilePath(each.next());
            left += Known.match(name).hasMatch() ? QStringList() : QStringList{name};
        }
        return left;
    }

private:
    [[nodiscard]] QString temporary() const { return path(u"tmp"_s); }
    [[nodiscard]] QString runtime() const { return path(u"run"_s); }

    QTemporaryDir m_folder;
    QByteArray m_mark;
};

[[nodiscard]] QByteArray nextMark()
{
    static int s_trial = 0;
    return markOf(++s_trial);
}

/// Whether there is a checkpoint, with its name or still without.
[[nodiscard]] bool hasCheckpoint(const QString& store, Moment moment)
{
    const QString names = moment == Moment::Naming ? u"*.part"_s : u"step-????????"_s;
    for (const QString& each : QDir(store).entryList({u"*.checkpoints"_s}, QDir::Dirs)) {
        if (!QDir(store + u'/' + each).entryList({names}, QDir::Dirs).isEmpty()) {
            return true;
        }
    }
    return false;
}

[[nodiscard]] std::optional<analysis::RunRecord> newestIn(const QString& folder)
{
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    return runs.empty() ? std::nullopt : std::optional(runs.front());
}

} // namespace

class TestKillCampaign : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workbenchIsKilled() { campaign(Victim::Workbench); }
    void ranksAreKilled() { campaign(Victim::OneRank); }
    void verbsAreKilled_data();
    void verbsAreKilled();
    void oneOfTwoWindowsIsKilled();

private:
    void campaign(Victim victim);
    /// Gives what went wrong; empty if nothing did.
    [[nodiscard]] QString trial(const Kind& kind, Victim victim, Moment moment);
    [[nodiscard]] QString resumed(const Place& place);
    void waitFor(Moment moment, const Place& place, const QProcess& run, Victim victim);
    [[nodiscard]] int below(int limit) { return static_cast<int>(m_random() % static_cast<std::uint64_t>(limit)); }

    std::uint64_t m_seed = static_cast<std::uint64_t>(wallNs());
    std::mt19937_64 m_random{m_seed};
    int m_resumed = 0;
};

void TestKillCampaign::waitFor(Moment moment, const Place& place, const QProcess& run, Victim victim)
{
    QElapsedTimer clock;
    clock.start();
    if (victim != Victim::Workbench) {
        while (run.state() == QProcess::Running && markedProcesses(place.mark()).ranks.empty()) {
            QTest::qWait(2);
        }
    }
    if (moment == Moment::Naming || moment == Moment::Named) {
        while (run.state() == QProcess::Running && clock.elapsed() < LimitMs && !hasCheckpoint(place.store(), moment)) {
            QTest::qWait(1);
        }
    } else {
        QTest::qWait(below(moment == Moment::Begin ? 100 : 3000));
    }
}

QString TestKillCampaign::resumed(const Place& place)
{
    const auto run = newestIn(place.store());
    if (!run) {
        return {};
    }
    if (!isFinal(run->status)) {
        return u"the run has no end"_s;
    }
    const std::string id = run->id.text;
    if (run->status == RunStatus::Finished || store::checkpointsOf(place.store(), *run).empty()) {
        return {};
    }
    QByteArray said;
    const int code = place.execute({"resume", QString::fromStdString(id), "--store", place.store()}, said);
    const auto last = newestIn(place.store());
    ++m_resumed;
    return code != 0 || !last || last->status != RunStatus::Finished
        ? u"resume: exit code %1: %2"_s.arg(code).arg(QString::fromUtf8(said))
        : QString();
}

QString TestKillCampaign::trial(const Kind& kind, Victim victim, Moment moment)
{
    const Place place(nextMark());
    QStringList words = u"run %1 --set repeats=1 --set dataset.name=digits --set measure.limit_s=0 --store %2"_s
                            .arg(QLatin1StringView(kind.words), place.store())
                            .split(u' ');
    const QStringList shortRun = words + QStringList{"--set", "train.steps=3"};
    words += {"--set", "train.steps=120"};
    if (kind.hasCheckpoints) {
        words += {"--set", "checkpoint.every=20"};
    }
    QProcess run;
    place.start(run, words);
    if (!run.waitForStarted()) {
        return u"it does not start"_s;
    }
    waitFor(kind.hasCheckpoints || moment == Moment::Begin ? moment : Moment::Any, place, run, victim);
    std::vector<int> ranks = markedProcesses(place.mark()).ranks;
    if (victim == Victim::Workbench) {
        run.kill();
    } else {
        std::ranges::shuffle(ranks, m_random);
        ranks.resize(std::min(ranks.size(), victim == Victim::OneRank ? std::size_t{1} : ranks.size()));
        std::ranges::for_each(ranks, [](int process) { static_cast<void>(sendSignal(process, SIGKILL)); });
    }
    if (run.state() != QProcess::NotRunning && !run.waitForFinished(LimitMs)) {
        return u"the workbench hangs: "_s + QString::fromUtf8(run.readAllStandardError());
    }
    if (!QTest::qWaitFor([&place] { return markedProcesses(place.mark()).all.empty(); }, LimitMs)) {
        return u"a process is left"_s;
    }
    const int code = run.exitCode();
    if (victim != Victim::Workbench && (run.exitStatus() != QProcess::NormalExit || (code != 0 && code != 3))) {
        return u"exit code %1: %2"_s.arg(code).arg(QString::fromUtf8(run.readAllStandardError()));
    }
    if (const QString problem = resumed(place); !problem.isEmpty()) {
        return problem;
    }
    // The next run of the kind clears what an earlier one left.
    QByteArray said;
    if (const int next = place.execute(shortRun, said); next != 0) {
        return u"the next run: exit code %1: %2"_s.arg(next).arg(QString::fromUtf8(said));
    }
    const QStringList left = place.leftOvers();
    return left.isEmpty() ? QString() : u"left: "_s + left.join(u' ');
}

void TestKillCampaign::campaign(Victim victim)
{
    if (!QFileInfo(RankProgram).isExecutable()) {
        QSKIP("there is no lockstep-rank");
    }
    m_resumed = 0;
    const int kills = isLong() ? LongKills : 2;
    const int offset = isLong() ? below(static_cast<int>(Kinds.size())) : 0;
    for (int i = 0; i < kills; ++i) {
        const Kind& kind = Kinds[static_cast<std::size_t>(offset + i) % Kinds.size()];
        const auto moment = static_cast<Moment>((i + i / static_cast<int>(Kinds.size())) % 4);
        const bool allDie = victim == Victim::OneRank && i % 5 == 4;
        const QString problem = trial(kind, allDie ? Victim::AllRanks : victim, moment);
        QVERIFY2(problem.isEmpty(),
            qPrintable(
                u"kill %1 (%2, %3; seed %4): %5"_s.arg(i + 1)
                    .arg(QLatin1StringView(kind.name), QLatin1StringView(MomentNames[static_cast<std::size_t>(moment)]))
                    .arg(m_seed)
                    .arg(problem)));
    }
    qInfo("%d kills, %d resumed (seed %llu)", kills, m_resumed, static_cast<unsigned long long>(m_seed));
}

void TestKillCampaign::verbsAreKilled_data()
{
    QTest::addColumn<QStringList>("words");
    const QString id = u"20261122-191949-et1d"_s;
    QTest::newRow("import") << QStringList{"import", LOCKSTEP_SOURCE_DIR "/tests/data/runs/20261122-191949-pqsp.run"};
    QTest::newRow("export") << QStringList{"export", id, "--format", "csv,svg,tensorboard,json", "--out", "OUT"};
    QTest::newRow("bundle") << QStringList{"bundle", id, "--out", "OUT/runs.lockstep"};
    QTest::newRow("report") << QStringList{"report", id, "--format", "docx,html,tex,md", "--out", "OUT"};
    QTest::newRow("pytorch") << QStringList{"pytorch", "optimizers", "--only", "SGD", "--out", "OUT/script.py"};
}

/// Killed until it is done, it does at last what it does without kills, and leaves nothing else.
void TestKillCampaign::verbsAreKilled()
{
    QFETCH(QStringList, words);
    const Place place(nextMark());
    const QString out = place.path(u"out"_s);
    QDir().mkpath(out);
    QByteArray said;
    QCOMPARE(place.execute(
                 {"import", LOCKSTEP_SOURCE_DIR "/tests/data/runs/20261122-191949-et1d.run", "--store", place.store()},
                 said),
        0);
    words.replaceInStrings(u"OUT"_s, out);
    if (words.front() != u"pytorch") {
        words += {"--store", place.store()};
    }
    const int kills = isLong() ? 60 : 3;
    int killed = 0;
    for (int i = 0; i < kills; ++i) {
        QProcess verb;
        place.start(verb, words);
        if (!verb.waitForFinished(10 + below(40 + 10 * i))) {
            verb.kill();
            QVERIFY(verb.waitForFinished(LimitMs));
            ++killed;
        }
    }
    QDir(out).removeRecursively();
    QDir().mkpath(out);
    const int code = place.execute(words, said);
    QVERIFY2(code == 0 || said.contains("already"), said.constData());
    QVERIFY(store::RunStore::open(place.store()).isOk());
    QStringList left = place.leftOvers();
    left += QDir(out).entryList(
        {u".*"_s, u"*draft*"_s, u"*.part"_s}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    QVERIFY2(left.isEmpty(), qPrintable(left.join(u' ')));
    qInfo("%d of %d were killed before their end", killed, kills);
}

void TestKillCampaign::oneOfTwoWindowsIsKilled()
{
    const int kills = isLong() ? 40 : 1;
    const Place place(nextMark());
    std::array<QProcess, 2> windows;
    place.start(windows[0], {"--store", place.store()});
    for (int i = 0; i < kills; ++i) {
        QProcess& owner = windows[static_cast<std::size_t>(i) % 2];
        QProcess& other = windows[static_cast<std::size_t>(i + 1) % 2];
        QTRY_COMPARE_WITH_TIMEOUT(launch::QueueLock::owner(place.store()), owner.processId(), LimitMs);
        place.start(other, {"--store", place.store()});
        QVERIFY(other.waitForStarted());
        QTest::qWait(below(1500));
        owner.kill();
        QVERIFY(owner.waitForFinished(LimitMs));
        QVERIFY2(other.state() == QProcess::Running, other.readAllStandardError().constData());
    }
    QProcess& last = windows[static_cast<std::size_t>(kills) % 2];
    QTRY_COMPARE_WITH_TIMEOUT(launch::QueueLock::owner(place.store()), last.processId(), LimitMs);
    last.terminate();
    QVERIFY(last.waitForFinished(LimitMs));
    QTRY_VERIFY_WITH_TIMEOUT(markedProcesses(place.mark()).all.empty(), LimitMs);
    const QStringList left = place.leftOvers();
    QVERIFY2(left.isEmpty(), qPrintable(left.join(u' ')));
}

LOCKSTEP_TEST(TestKillCampaign)
#include "test_kill_campaign.moc"
