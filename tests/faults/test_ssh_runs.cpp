// `lockstep run --launch ssh` with a program in the place of ssh that does what sshd would: what stands behind the
// host's name is one line for a shell. All hosts are this machine.
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/busy_machine.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkInterface>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

/// The relay is in a session of its own, as below sshd: a signal to ssh does not reach it.
constexpr auto FakeSsh = R"(#!/bin/sh
echo "$*" >>"$LOCKSTEP_FAKE_SSH_LOG"
while [ "$1" != "--" ]; do shift; done
shift
host=$1
shift
case $host in
    denied) echo "$host: Permission denied (publickey)." >&2; exit 255 ;;
    changed)
        echo "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@" >&2
        echo "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @" >&2
        echo "Offending ED25519 key in /root/.ssh/known_hosts:1" >&2
        echo "Host key verification failed." >&2
        exit 255 ;;
    noisy*) echo "Welcome to $host" ;;
    clean) exec env -i PATH="$PATH" LOCKSTEP_FAULT_MARK="$LOCKSTEP_FAULT_MARK" sh -c "$*" ;;
    silent) exec sleep 1000 ;;
esac
setsid sh -c "$*"
)";

/// An address of this machine that is no loopback; empty if there is none.
[[nodiscard]] QString ownAddress()
{
    for (const QHostAddress& each : QNetworkInterface::allAddresses()) {
        if (!each.isLoopback() && !each.isLinkLocal() && each.protocol() == QAbstractSocket::IPv4Protocol) {
            return each.toString();
        }
    }
    return {};
}

[[nodiscard]] QStringList settings(int ranks, int steps)
{
    return {"--only", "all_reduce", "--set", QStringLiteral("world_size=%1").arg(ranks), "--set",
        QStringLiteral("train.steps=%1").arg(steps), "--set", "train.dtype=float64", "--set", "rank.bind=false"};
}

/// A workbench whose ssh is ours.
class Workbench {
public:
    explicit Workbench(int trial)
        : mark(markOf(trial))
    {
        const QString ssh = m_folder.filePath("ssh");
        QFile file(ssh);
        if (!file.open(QIODevice::WriteOnly) || file.write(FakeSsh) < 0) {
            qFatal("there is no place for ssh");
        }
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", m_folder.path() + ":" + environment.value("PATH"));
        environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
        environment.insert("LOCKSTEP_FAKE_SSH_LOG", m_folder.filePath("log"));
        process.setProcessEnvironment(environment);
    }
    void start(const QStringList& words) { process.start(Lockstep, words); }
    void startRun(const QStringList& more)
    {
        start(QStringList{"run", "aggregation", "--store", store(), "--json"} + more);
    }
    [[nodiscard]] QStringList onHosts(const QString& lines)
    {
        const QString path = m_folder.filePath("hosts");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(lines.toUtf8()) < 0) {
            qFatal("there is no place for the hosts");
        }
        return {"--launch", "ssh", "--hosts", path};
    }
    [[nodiscard]] bool end(int limitMs = 60'000) { return process.waitForFinished(limitMs); }
    [[nodiscard]] QString store() const { return m_folder.filePath("store"); }
    [[nodiscard]] QByteArray sshWords() const { return contentOf(m_folder.filePath("log")); }
    [[nodiscard]] QByteArray said() { return m_said += process.readAllStandardError(); }

    QProcess process;
    QByteArray mark;

private:
    QTemporaryDir m_folder;
    QByteArray m_said;
};

[[nodiscard]] double largestDifference(const QJsonArray& given, const QJsonArray& expected)
{
    double largest = given.size() == expected.size() ? 0.0 : 1.0;
    for (qsizetype i = 0; i < std::min(given.size(), expected.size()); ++i) {
        largest = std::max(largest, std::abs(given[i].toDouble() / expected[i].toDouble() - 1.0));
    }
    return largest;
}

/// What is stored of the only run.
struct Kept {
    RunStatus status = RunStatus::Queued;
    QString message;
    std::int64_t lastStep = 0; ///< of rank 0
    bool isGapless = true;
};

[[nodiscard]] Kept readStore(const QString& folder)
{
    Kept kept;
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.empty()) {
        return kept;
    }
    kept.status = runs.front().status;
    kept.message = QString::fromStdString(runs.front().message);
    const auto replayed = (*store)->replay(runs.front().id, [&](const store::Delta& delta) {
        for (const auto& [rank, batch] : delta.steps) {
            for (const StepRow& row : batch.rows) {
                kept.isGapless = kept.isGapless && (rank != 0 || row.step == ++kept.lastStep);
            }
        }
        return true;
    });
    kept.isGapless = kept.isGapless && replayed.isOk();
    return kept;
}

/// Living processes of the trial whose command line has the word.
[[nodiscard]] std::vector<int> withWord(const QByteArray& mark, const QByteArray& word)
{
    std::vector<int> found;
    for (const int each : markedProcesses(mark).all) {
        if (contentOf(QStringLiteral("/proc/%1/cmdline").arg(each)).split('\0').contains(word)) {
            found.push_back(each);
        }
    }
    return found;
}

} // namespace

class TestSshRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
        m_address = ownAddress();
    }
    void lossesAreThoseOfThisMachine_data();
    void lossesAreThoseOfThisMachine();
    void whatCannotBeStartedIsNamed_data();
    void whatCannotBeStartedIsNamed();
    void aLossIsNamedAndNothingIsLeft_data();
    void aLossIsNamedAndNothingIsLeft();
    void aQueueIsCarriedOutOnHosts();
    void hostsAreListedAndChecked();
    void wordsThatDoNotFitAreRefused();

private:
    QString m_address;
};

void TestSshRuns::lossesAreThoseOfThisMachine_data()
{
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<int>("ranks");
    QTest::addRow("one host") << "n1 slots=2\n" << 2;
    QTest::addRow("two hosts, one rank each") << "n1 address=%1\nn2\n" << 2;
    QTest::addRow("two hosts, two ranks and one") << "noisy1 slots=2 address=%1\nn2 slots=2\n" << 3;
    QTest::addRow("a host without our environment") << "clean slots=2\n" << 2;
}

void TestSshRuns::lossesAreThoseOfThisMachine()
{
    QFETCH(QString, hosts);
    QFETCH(int, ranks);
    if (hosts.contains("%1") && m_address.isEmpty()) {
        QSKIP("this machine has loopback only");
    }
    Workbench here(1);
    here.startRun(settings(ranks, 40));
    QVERIFY(here.end());
    const QJsonArray expected = lossesIn(here.process.readAllStandardOutput());
    QCOMPARE(expected.size(), 40);

    Workbench there(2);
    there.startRun(settings(ranks, 40) + there.onHosts(hosts.contains("%1") ? hosts.arg(m_address) : hosts));
    QVERIFY(there.end());
    QVERIFY2(there.process.exitCode() == 0, there.said().constData());
    const QJsonArray losses = lossesIn(there.process.readAllStandardOutput());
    // The ranks share memory here as there: the sums have the same order. But OpenBLAS may be told its kernels by our
    // environment.
    QVERIFY(hosts.startsWith("clean") ? largestDifference(losses, expected) <= 1e-12 : losses == expected);
    QTRY_VERIFY(markedProcesses(there.mark).all.empty());
    const QString words = QString::fromUtf8(there.sshWords());
    QVERIFY(words.contains("BatchMode=yes"));
    QVERIFY2(!words.contains(QRegularExpression("[0-9a-f]{64}")), "a secret is in argv");
}

void TestSshRuns::whatCannotBeStartedIsNamed_data()
{
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("line");
    QTest::addRow("denied") << "n1 address=10.0.0.1\ndenied\n"
                            << 3
                            << "rank 1 cannot be started on denied: ssh ended with exit code 255: denied: Permission "
                               "denied \\(publickey\\)\\.";
    QTest::addRow("changed")
        << "changed slots=2\n"
        << 3
        << "rank 0 cannot be started on changed: ssh ended with exit code 255: WARNING: REMOTE HOST "
           "IDENTIFICATION HAS CHANGED! \\| Host key verification failed\\.";
    QTest::addRow("no program") << "n1 slots=2 program=/nowhere/lockstep-rank\n"
                                << 3 << "rank 0 cannot be started on n1: its relay ended with exit code 127: .*";
    QTest::addRow("another program") << "n1 slots=2 program=/bin/echo\n"
                                     << 3 << "rank 0 cannot be started on n1: its relay ended with exit code 0.*";
    QTest::addRow("no address") << "n1 address=127.0.0.1\nn2\n"
                                << 2 << "n1: the other hosts cannot reach it at 127\\.0\\.0\\.1: add address=.*";
    QTest::addRow("too few slots") << "n1\n" << 2 << "--hosts: the run needs 2 ranks, and the hosts have 1 slots";
    QTest::addRow("an option") << "-oProxyCommand=touch\n"
                               << 2 << ".*line 1: `-oProxyCommand=touch` cannot be a host name";
}

void TestSshRuns::whatCannotBeStartedIsNamed()
{
    QFETCH(QString, hosts);
    QFETCH(int, exitCode);
    QFETCH(QString, line);
    Workbench there(3);
    there.startRun(settings(2, 40) + there.onHosts(hosts));
    QVERIFY(there.end(30'000));
    const QByteArray said = there.said();
    QVERIFY2(there.process.exitCode() == exitCode, said.constData());
    const QRegularExpression expected(
        "^lockstep: (All-reduce failed: )?" + line + "$", QRegularExpression::MultilineOption);
    QVERIFY2(QString::fromUtf8(said).contains(expected), said.constData());
    QTRY_VERIFY(markedProcesses(there.mark).all.empty());
}

void TestSshRuns::aLossIsNamedAndNothingIsLeft_data()
{
    QTest::addColumn<QString>("what");
    QTest::addRow("a rank") << "rank";
    QTest::addRow("ssh") << "ssh";
    QTest::addRow("a relay") << "relay";
    QTest::addRow("a relay that hangs") << "hanging relay";
    QTest::addRow("the workbench") << "workbench";
}

void TestSshRuns::aLossIsNamedAndNothingIsLeft()
{
    QFETCH(QString, what);
    if (m_address.isEmpty()) {
        QSKIP("this machine has loopback only");
    }
    Workbench there(4);
    there.startRun(settings(2, 1'000'000) + there.onHosts("n1 address=" + m_address + "\nn2\n"));
    const QRegularExpression hundreds("step \\d{3,} of");
    QTRY_VERIFY(QString::fromUtf8(there.said()).contains(hundreds));
    std::vector<int> ranks(2, 0);
    for (const int each : markedProcesses(there.mark).ranks) {
        ranks.at(static_cast<std::size_t>(rankOf(each))) = each;
    }
    QVERIFY(ranks[1] > 0);
    const auto parentOf = [](int process) {
        const QByteArray text = contentOf(QStringLiteral("/proc/%1/stat").arg(process));
        return text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toInt();
    };
    const int relay = parentOf(ranks[1]);
    const auto ssh = withWord(there.mark, "n2");
    QVERIFY(relay > 1 && ssh.size() == 1);
    QElapsedTimer clock;
    clock.start();
    if (what == "workbench") {
        there.process.kill();
    } else {
        const int victim = what == "rank" ? ranks[1] : what == "ssh" ? ssh.front() : relay;
        QVERIFY(sendSignal(victim, what == "hanging relay" ? SIGSTOP : SIGKILL));
    }
    QTRY_VERIFY(there.process.state() == QProcess::NotRunning);
    const qint64 namedMs = clock.elapsed();
    if (what == "hanging relay") {
        sendSignal(relay, SIGCONT); // it finds that its workbench is gone
    }
    QTRY_VERIFY(markedProcesses(there.mark).all.empty());
    const Kept kept = readStore(there.store());
    QVERIFY(kept.isGapless);
    QVERIFY2(kept.lastStep >= 100, qPrintable(QString::number(kept.lastStep)));
    if (what == "workbench") {
        QCOMPARE(kept.status, RunStatus::Interrupted);
        return;
    }
    QVERIFY2(isWithin(namedMs, what == "hanging relay" ? 7'000 : 5'000), qPrintable(QString::number(namedMs)));
    QCOMPARE(there.process.exitCode(), 3);
    QCOMPARE(kept.status, RunStatus::Failed);
    const QString expected = what == "rank" ? "^rank 1 was killed by signal 9 \\(Killed\\) after step \\d+"
        : what == "ssh"                     ? "^rank 1 was lost with its host n2 \\(ssh was killed by signal 9"
        : what == "relay"                   ? "^rank 1 was lost with its host n2 \\("
                          : "^rank 1 was lost with its host n2 \\(it has not been heard from for 4 s\\)";
    QVERIFY2(kept.message.contains(QRegularExpression(expected)), qPrintable(kept.message));
}

/// The queue stores no hosts: `queue run` uses its own, and `queue add --launch` only checks the experiment for the
/// hosts that it is given.
void TestSshRuns::aQueueIsCarriedOutOnHosts()
{
    Workbench there(7);
    const auto exitCodeOf = [&there](const QStringList& words) {
        there.start(QStringList{"queue"} + words + QStringList{"--store", there.store()});
        return there.end() ? there.process.exitCode() : -1;
    };
    const QStringList hosts = there.onHosts("n1 slots=2\n");
    const QStringList add = QStringList{"add", "aggregation"} + settings(2, 40);
    QCOMPARE(exitCodeOf(add), 0);
    const QStringList dataOfHosts{"--set", "dataset.name=mnist", "--set", "dataset.path=/on/the/hosts/only"};
    QCOMPARE(exitCodeOf(add + dataOfHosts), 2);
    QVERIFY(there.said().contains("/on/the/hosts/only"));
    QCOMPARE(exitCodeOf(add + dataOfHosts + hosts), 0);
    QCOMPARE(exitCodeOf(QStringList{"add", "aggregation"} + settings(3, 40) + hosts), 2);
    QVERIFY(there.said().contains("the run needs 3 ranks, and the hosts have 2 slots"));
    QCOMPARE(exitCodeOf(add + hosts.mid(2)), 2);
    QVERIFY(there.said().contains("--hosts: needs --launch ssh"));
    QVERIFY(there.sshWords().isEmpty());

    const QStringList tooFew = there.onHosts("n1\n");
    QCOMPARE(exitCodeOf(QStringList{"run"} + tooFew), 3); // and keeps both
    QVERIFY(there.said().contains("the run needs 2 ranks, and the hosts have 1 slots"));
    QVERIFY(there.sshWords().isEmpty());

    // The second entry finds no data on its host.
    QCOMPARE(exitCodeOf({"resume", "1"}), 0);
    QCOMPARE(exitCodeOf({"resume", "2"}), 0);
    QCOMPARE(exitCodeOf(QStringList{"run"} + there.onHosts("n1 slots=2\n")), 3);
    QVERIFY(there.sshWords().contains("-- n1 "));
    const auto store = store::RunStore::open(there.store());
    QVERIFY(store.isOk());
    const auto runs = (*store)->list();
    QCOMPARE(runs.size(), std::size_t{2});
    const auto withStatus = [&runs](RunStatus status) {
        return std::count_if(runs.begin(), runs.end(), [status](const auto& run) { return run.status == status; });
    };
    QCOMPARE(withStatus(RunStatus::Finished), 1);
    QCOMPARE(withStatus(RunStatus::Failed), 1);
    QVERIFY(std::ranges::any_of(
        runs, [](const auto& run) { return run.message.find("/on/the/hosts/only") != std::string::npos; }));
    QTRY_VERIFY(markedProcesses(there.mark).all.empty());
}

void TestSshRuns::hostsAreListedAndChecked()
{
    Workbench there(5);
    const QStringList hosts = there.onHosts("n1 slots=2\nnoisy2\n").mid(2);
    there.start(QStringList{"hosts", "--check", "--json"} + hosts);
    QVERIFY(there.end());
    QVERIFY2(there.process.exitCode() == 0, there.said().constData());
    const QJsonArray list = QJsonDocument::fromJson(there.process.readAllStandardOutput())["hosts"].toArray();
    QCOMPARE(list.size(), 2);
    for (const QJsonValue& host : list) {
        QVERIFY(host["ok"].toBool());
        QVERIFY(host["cores"].toInt() > 0 && host["free_bytes"].toInteger() > 0);
        // The clocks are the same: what is found is within the error that is told.
        QVERIFY(qAbs(host["clock_ahead_ms"].toDouble()) <= host["clock_error_ms"].toDouble());
        QVERIFY(host["clock_error_ms"].toDouble() <= host["round_trip_ms"].toDouble());
    }
    there.start(QStringList{"hosts", "--check", "--measure"} + there.onHosts("n1 slots=2\n").mid(2));
    QVERIFY(there.end());
    QCOMPARE(there.process.exitCode(), 2);
    QVERIFY(there.process.readAllStandardError().contains("hosts: --measure needs at least two hosts"));
    const QStringList bad = there.onHosts("n1\ndenied\n").mid(2);
    there.start(QStringList{"hosts", "--check"} + bad);
    QVERIFY(there.end());
    QCOMPARE(there.process.exitCode(), 3);
    const QByteArray said = there.said();
    QVERIFY2(said.contains("denied: ssh ended with exit code 255: denied: Permission denied (publickey)."),
        said.constData());
    there.start(QStringList{"hosts"} + bad);
    QVERIFY(there.end());
    QCOMPARE(there.process.exitCode(), 0);
    QVERIFY(there.process.readAllStandardOutput().contains("n1 ("));
    QTRY_VERIFY(markedProcesses(there.mark).all.empty());
}

void TestSshRuns::wordsThatDoNotFitAreRefused()
{
    Workbench there(6);
    const QStringList hosts = there.onHosts("n1 slots=2\n");
    for (const auto& [words, line] : std::vector<std::pair<QStringList, QByteArray>>{
             {{"--launch", "ssh"}, "--launch: ssh needs --hosts FILE"}, {hosts.mid(2), "--hosts: needs --launch ssh"},
             {{"--launch", "cloud"}, "--launch: \"cloud\" is not local, ssh, slurm or wait"},
             {{"--launch", "slurm"}, "--launch slurm: there is no Slurm allocation"},
             {{"--launch", "slurm", "--hosts", hosts.last()}, "--hosts: needs --launch ssh"},
             {hosts + QStringList{"--set", "comm.backend=mpi"}, "comm.backend: mpi is started by mpirun"}}) {
        there.startRun(settings(2, 40) + words);
        QVERIFY(there.end());
        QCOMPARE(there.process.exitCode(), 2);
        const QByteArray said = there.process.readAllStandardError();
        QVERIFY2(said.contains(line), said.constData());
    }
}

LOCKSTEP_TEST(TestSshRuns)
#include "test_ssh_runs.moc"
