// Who may come in: while runs of every backend go on, nothing of ours listens beyond loopback. What `ss -ltnp` would
// show is read from /proc, for the processes of this run only.
#include "core/engine/comm/mpirun.h"
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace lockstep::tests;

namespace {

struct Listener {
    QByteArray address; ///< in hexadecimal, as the kernel writes it
    bool isLoopback = false;
};

/// By inode, of all processes.
std::map<QByteArray, Listener> listeners()
{
    constexpr qsizetype Local = 1;
    constexpr qsizetype State = 3;
    constexpr qsizetype Inode = 9;
    std::map<QByteArray, Listener> found;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        for (const QByteArray& line : contentOf(table).split('\n')) {
            const QList<QByteArray> words = line.simplified().split(' ');
            if (words.size() <= Inode || words[State] != "0A") { // TCP_LISTEN
                continue;
            }
            const QByteArray host = words[Local].left(words[Local].indexOf(':'));
            // 127.x.y.z and ::1; words of 32 bits in the machine's order. Of ::ffff:127.x.y.z the last word.
            const bool isLoopback = (host.size() == 8 && host.endsWith("7F"))
                || host == "00000000000000000000000001000000"
                || (host.startsWith("0000000000000000FFFF0000") && host.endsWith("7F"));
            found[words[Inode]] = {words[Local], isLoopback};
        }
    }
    return found;
}

/// Inodes of the sockets that a process has open.
std::set<QByteArray> socketsOf(int process)
{
    std::set<QByteArray> inodes;
    const QString folder = QStringLiteral("/proc/%1/fd").arg(process);
    for (const QString& name : QDir(folder).entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot)) {
        const QByteArray target = QFile::symLinkTarget(folder + u'/' + name).toUtf8();
        if (const qsizetype at = target.indexOf("socket:["); at >= 0) {
            inodes.insert(target.mid(at + 8).chopped(1));
        }
    }
    return inodes;
}

struct Seen {
    std::set<QByteArray> onLoopback; ///< names of programs
    QStringList beyond;
    std::size_t mostRanks = 0;
    int exitCode = -1;
    QByteArray error;
};

void look(const QByteArray& mark, Seen& seen)
{
    const Marked processes = markedProcesses(mark);
    seen.mostRanks = std::max(seen.mostRanks, processes.ranks.size());
    const auto listening = listeners();
    for (const int process : processes.all) {
        const QByteArray name = contentOf(QStringLiteral("/proc/%1/comm").arg(process)).trimmed();
        for (const QByteArray& inode : socketsOf(process)) {
            const auto found = listening.find(inode);
            if (found == listening.end()) {
                continue;
            }
            if (found->second.isLoopback) {
                seen.onLoopback.insert(name);
            } else if (name != "mpirun" && name != "prterun") { // Open MPI's own, of version 4 and 5
                seen.beyond += QString::fromUtf8(name + " listens on " + found->second.address);
            }
        }
    }
}

/// Looks at its processes until it ends.
Seen watched(const QString& program, const QStringList& words, const QProcessEnvironment& more)
{
    static int trials = 0;
    const QByteArray mark = markOf(++trials);
    QProcessEnvironment environment = more;
    environment.remove("LOCKSTEP_RANK");
    environment.insert(QString::fromUtf8(mark.split('=')[0]), QString::fromUtf8(mark.split('=')[1]));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, words);
    Seen seen;
    QElapsedTimer clock;
    clock.start();
    while (!process.waitForFinished(30) && clock.elapsed() < 120'000) {
        look(mark, seen);
    }
    seen.exitCode = process.state() == QProcess::NotRunning ? process.exitCode() : -1;
    process.kill();
    process.waitForFinished();
    seen.error = process.readAllStandardError();
    return seen;
}

QStringList settings(const QStringList& more)
{
    // Long enough to be seen: some steps, each of 10 ms.
    QStringList words;
    for (const QString& each :
        QStringList{"dataset.name=digits", "dataset.train_samples=640", "dataset.test_samples=100", "train.steps=60",
            "straggler.ranks=0", "straggler.delay_ms=10"}
            + more) {
        words += {"--set", each};
    }
    return words;
}

} // namespace

class TestListening : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void onlyOnLoopback_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("ranks");
        const auto add
            = [](const char* name, const QString& preset, const QString& only, const QStringList& more, int ranks) {
                  QTest::addRow("%s", name) << QStringList{"run", preset, "--only", only, "--json"} + more << ranks;
              };
        const auto addTraining = [&](const char* name, const QStringList& more, int ranks) {
            add(name, "aggregation", "all_reduce", settings(more), ranks);
        };
        addTraining("shm", {"comm.backend=shm", "world_size=2"}, 2);
        addTraining("gloo", {"comm.backend=gloo", "world_size=3"}, 3);
        add("gloo-groups", "collectives", "all_reduce",
            {"--set", "comm.backend=gloo", "--set", "world_size=4", "--set", "sweep.groups=2", "--set",
                "sweep.max_bytes=4194304", "--set", "sweep.calls=50"},
            4);
        add("rpc", "model-parallel", "rpc", settings({}), 2);
        add("turns", "aggregation", "all_reduce,ring",
            settings({"comm.backend=gloo", "world_size=2", "measure.limit_s=1"}), 4);
        addTraining("mpi", {"comm.backend=mpi", "world_size=2"}, 2);
    }

    void onlyOnLoopback()
    {
        QFETCH(QStringList, words);
        QFETCH(int, ranks);
        if (QString(QTest::currentDataTag()) == "mpi" && !canRunMpirun()) {
            QSKIP("mpirun starts nothing here");
        }
        if (QString(QTest::currentDataTag()) == "rpc" && !hasRpc()) {
            QSKIP("this LibTorch has no RPC");
        }
        const Seen seen = watched(Lockstep, words + QStringList{"--set", "repeats=1", "--store", m_store.path()},
            QProcessEnvironment::systemEnvironment());
        QVERIFY2(seen.exitCode == 0, seen.error.constData());
        // Else nothing was looked at: the workbench's own socket for the ranks, and the ranks.
        QVERIFY(seen.onLoopback.contains("lockstep"));
        QVERIFY2(seen.mostRanks >= static_cast<std::size_t>(ranks), qPrintable(QString::number(seen.mostRanks)));
        QVERIFY2(seen.beyond.isEmpty(), qPrintable(seen.beyond.join(", ")));
    }

    /// Without a workbench: ranks that one command starts on this machine.
    void localRanks()
    {
        QFile spec(m_store.filePath("spec.json"));
        QVERIFY(spec.open(QIODevice::WriteOnly));
        spec.write(R"({"version":1,"experiment":"aggregation","base":{"strategy.name":"data","comm.backend":"gloo",
            "dataset.name":"digits","dataset.train_samples":640,"dataset.test_samples":100,"train.steps":60,
            "straggler.ranks":[0],"straggler.delay_ms":10}})");
        spec.close();
        const Seen seen = watched(RankProgram, {"--spec", spec.fileName(), "--local", "2"}, mpirunEnvironment());
        QVERIFY2(seen.exitCode == 0, seen.error.constData());
        QVERIFY2(seen.beyond.isEmpty(), qPrintable(seen.beyond.join(", ")));
    }

private:
    [[nodiscard]] static bool hasRpc()
    {
        QProcess process;
        process.start(RankProgram, {"--choices"});
        return process.waitForFinished(60'000) && process.readAllStandardOutput().contains("\"rpc\"");
    }

    QTemporaryDir m_store;
};

LOCKSTEP_TEST(TestListening)
#include "test_listening.moc"
