// `lockstep run --launch wait`: ranks that others start come over TLS, as the file of the workbench tells them, and
// nobody else does.
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/busy_machine.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"
#include "wire/workbench_file.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/stat.h>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

[[nodiscard]] QStringList settings(int steps)
{
    return {"--only", "all_reduce", "--set", "world_size=2", "--set", QStringLiteral("train.steps=%1").arg(steps),
        "--set", "train.dtype=float64", "--set", "rank.bind=false", "--json"};
}

/// A workbench that waits, and who starts its ranks.
class Awaiting {
public:
    explicit Awaiting(int trial, quint16 port = 0)
        : mark(markOf(trial))
        , m_listen(port == 0 ? QStringLiteral("127.0.0.1") : QStringLiteral("127.0.0.1:%1").arg(port))
        , m_environment(QProcessEnvironment::systemEnvironment())
    {
        m_environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
    }
    ~Awaiting()
    {
        for (const auto& rank : m_ranks) {
            rank->kill();
            rank->waitForFinished();
        }
        workbench.kill();
        workbench.waitForFinished();
    }
    Awaiting(const Awaiting&) = delete;
    Awaiting& operator=(const Awaiting&) = delete;

    /// Until its file is there.
    void start(const QStringList& more)
    {
        workbench.setProcessEnvironment(m_environment);
        workbench.start(Lockstep,
            QStringList{"run", "aggregation", "--store", m_folder.filePath("store"), "--launch", "wait", "--listen",
                m_listen, "--workbench-file", file()}
                + more);
        QVERIFY(QTest::qWaitFor([this] { return QFileInfo::exists(file()); }, 60'000));
    }
    QProcess& startRank(int number, const QString& workbenchFile, int size = 2, const QString& patience = "2")
    {
        QProcessEnvironment environment = m_environment;
        environment.insert("LOCKSTEP_WORKBENCH", workbenchFile);
        environment.insert("RANK", QString::number(number));
        environment.insert("WORLD_SIZE", QString::number(size));
        environment.insert("LOCKSTEP_MEET_SECONDS", patience);
        m_ranks.push_back(std::make_unique<QProcess>());
        m_ranks.back()->setProcessEnvironment(environment);
        m_ranks.back()->start(RankProgram, {});
        return *m_ranks.back();
    }
    void startRanks()
    {
        startRank(0, file());
        startRank(1, file());
    }
    [[nodiscard]] bool hasStep(std::int64_t step) const
    {
        const auto store = store::RunStore::open(m_folder.filePath("store"));
        std::int64_t last = 0;
        if (store && !(*store)->list().empty()) {
            static_cast<void>((*store)->replay((*store)->list().front().id, [&](const store::Delta& delta) {
                for (const auto& [rank, batch] : delta.steps) {
                    last = batch.rows.empty() ? last : batch.rows.back().step;
                }
                return true;
            }));
        }
        return last >= step;
    }
    /// Of all ranks together.
    [[nodiscard]] int storedSteps() const
    {
        const auto store = store::RunStore::open(m_folder.filePath("store"));
        std::size_t steps = 0;
        if (store && !(*store)->list().empty()) {
            static_cast<void>((*store)->replay((*store)->list().front().id, [&steps](const store::Delta& delta) {
                for (const auto& [rank, batch] : delta.steps) {
                    steps += batch.rows.size();
                }
                return true;
            }));
        }
        return static_cast<int>(steps);
    }
    [[nodiscard]] wire::WorkbenchFile told() const
    {
        const auto read = wire::readWorkbenchFile(contentOf(file()).toStdString());
        return read ? *read : wire::WorkbenchFile{};
    }
    [[nodiscard]] quint16 port() const
    {
        const std::string address = told().address.hostAndPort;
        return static_cast<quint16>(std::stoi(address.substr(address.rfind(':') + 1)));
    }
    [[nodiscard]] QString file() const { return m_folder.filePath("workbench"); }
    [[nodiscard]] QString copyOf(const wire::WorkbenchFile& changed) const
    {
        const QString path = m_folder.filePath("changed");
        QFile written(path);
        if (!written.open(QIODevice::WriteOnly) || written.write(QByteArray::fromStdString(wire::toText(changed))) < 0
            || !written.setPermissions(QFile::ReadOwner | QFile::WriteOwner)) {
            qFatal("there is no place for a file");
        }
        return path;
    }
    [[nodiscard]] const std::vector<std::unique_ptr<QProcess>>& ranks() const { return m_ranks; }

    QProcess workbench;
    QByteArray mark;

private:
    QString m_listen;
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    std::vector<std::unique_ptr<QProcess>> m_ranks;
};

} // namespace

class TestAwaitedRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
    }

    void lossesAreThoseOfRanksOfOurOwn()
    {
        QTemporaryDir folder;
        QProcess own;
        own.start(Lockstep, QStringList{"run", "aggregation", "--store", folder.path()} + settings(40));
        QVERIFY(own.waitForFinished(60'000));
        const QJsonArray expected = lossesIn(own.readAllStandardOutput());
        QCOMPARE(expected.size(), 40);

        Awaiting others(1);
        others.start(settings(40));
        QCOMPARE(QFile::permissions(others.file())
                & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
            QFile::Permissions());
        QVERIFY(others.told().address.certificate.has_value());
        others.startRanks();
        QVERIFY(others.workbench.waitForFinished(60'000));
        QVERIFY2(others.workbench.exitCode() == 0, others.workbench.readAllStandardError().constData());
        const QByteArray found = others.workbench.readAllStandardOutput();
        QVERIFY(lossesIn(found) == expected);
        // Others have started the ranks when they liked.
        QVERIFY(QJsonDocument::fromJson(found)["runs"][0]["summary"]["seconds_to_first_loss"].isNull());
        for (const auto& rank : others.ranks()) {
            QVERIFY(rank->state() == QProcess::NotRunning || rank->waitForFinished(60'000));
            QCOMPARE(rank->exitCode(), 0);
        }
        QVERIFY(!QFileInfo::exists(others.file()));
        QTRY_VERIFY(markedProcesses(others.mark).all.empty());
    }

    void theFileOfAnotherWorkbenchIsNotTaken()
    {
        Awaiting others(3);
        others.start(settings(20));
        const std::string before = others.told().run;
        QTemporaryDir folder;
        QProcess second;
        second.start(Lockstep,
            QStringList{"run", "aggregation", "--store", folder.path(), "--launch", "wait", "--listen", "127.0.0.1",
                "--workbench-file", others.file()}
                + settings(20));
        QVERIFY(second.waitForFinished(60'000));
        QCOMPARE(second.exitCode(), 3);
        const QByteArray said = second.readAllStandardError();
        QVERIFY2(said.contains("another workbench waits"), said.constData());
        QCOMPARE(others.told().run, before);
    }

    void aPipeDoesNotBlock()
    {
        QTemporaryDir folder;
        const QString pipe = folder.filePath("pipe");
        QVERIFY(mkfifo(QFile::encodeName(pipe).constData(), 0600) == 0);
        QProcess workbench;
        workbench.start(Lockstep,
            QStringList{"run", "aggregation", "--store", folder.filePath("store"), "--launch", "wait", "--listen",
                "127.0.0.1", "--workbench-file", pipe}
                + settings(20));
        QVERIFY(workbench.waitForFinished(60'000));
        QVERIFY(workbench.exitCode() != 0);
        const QByteArray said = workbench.readAllStandardError();
        QVERIFY2(said.contains("was not written by a workbench"), said.constData());
    }

    void ranksOfTheNextRunMayComeBeforeIt()
    {
        quint16 port = 0;
        {
            QTcpServer free;
            QVERIFY(free.listen(QHostAddress::LocalHost));
            port = free.serverPort();
        }
        Awaiting others(2, port);
        others.start(QStringList{"--only", "all_reduce,ring"} + settings(20).mid(2));
        QCOMPARE(others.port(), port);
        others.startRanks();
        const std::string first = others.told().run;
        QVERIFY(QTest::qWaitFor([&] { return others.told().run != first && !others.told().run.empty(); }, 60'000));
        others.startRanks();
        QVERIFY(others.workbench.waitForFinished(60'000));
        QVERIFY2(others.workbench.exitCode() == 0, others.workbench.readAllStandardError().constData());
    }

    /// A rank that another workbench might have caught; then the right ones finish the run.
    void whoDoesNotFitStaysOut()
    {
        Awaiting others(3);
        others.start(settings(20));
        wire::WorkbenchFile changed = others.told();
        changed.address.certificate->front() ^= std::byte{1};
        QProcess& deceived = others.startRank(0, others.copyOf(changed));
        QVERIFY(deceived.waitForFinished(60'000));
        QCOMPARE(deceived.exitCode(), 3);
        QVERIFY(deceived.readAllStandardError().contains("has a different certificate than this run's workbench"));

        changed = others.told();
        changed.secret.front() ^= std::byte{1};
        QProcess& stranger = others.startRank(0, others.copyOf(changed));
        QVERIFY(stranger.waitForFinished(60'000));
        QCOMPARE(stranger.exitCode(), 3);
        QVERIFY(stranger.readAllStandardError().contains("does not have this run's secret"));

        changed = others.told();
        changed.address.certificate.reset();
        QProcess& unencrypted = others.startRank(0, others.copyOf(changed));
        QVERIFY(unencrypted.waitForFinished(60'000));
        QCOMPARE(unencrypted.exitCode(), 3);
        QVERIFY(unencrypted.readAllStandardError().contains("it lacks LOCKSTEP_CERTIFICATE"));

        QProcess& ofMore = others.startRank(0, others.file(), 3);
        QVERIFY(ofMore.waitForFinished(60'000));
        QCOMPARE(ofMore.exitCode(), 3);

        QTcpSocket silent;
        silent.connectToHost("127.0.0.1", others.port());
        QTcpSocket garbage;
        garbage.connectToHost("127.0.0.1", others.port());
        QVERIFY(garbage.waitForConnected(1000));
        garbage.write(QByteArray(100'000, 'x'));
        QSslSocket encrypted;
        encrypted.setPeerVerifyMode(QSslSocket::VerifyNone);
        encrypted.connectToHostEncrypted("127.0.0.1", others.port());
        QVERIFY(encrypted.waitForEncrypted(2000));
        encrypted.write(QByteArray(100'000, 'x'));
        // As many at once as the server takes, which then go without a word.
        std::vector<std::unique_ptr<QTcpSocket>> many;
        for (int count = 0; count < 140; ++count) {
            many.push_back(std::make_unique<QTcpSocket>());
            many.back()->connectToHost("127.0.0.1", others.port());
        }
        QTest::qWait(300);
        many.clear();
        for (QTcpSocket* each : std::initializer_list<QTcpSocket*>{&silent, &garbage, &encrypted}) {
            QVERIFY(QTest::qWaitFor([&] { return each->state() == QAbstractSocket::UnconnectedState; }, 8000));
        }

        others.startRanks();
        QVERIFY(others.workbench.waitForFinished(60'000));
        QVERIFY2(others.workbench.exitCode() == 0, others.workbench.readAllStandardError().constData());
    }

    void aLostRankIsNamed()
    {
        Awaiting others(4);
        others.start(settings(1'000'000));
        others.startRanks();
        QVERIFY(QTest::qWaitFor([&] { return others.hasStep(20); }, 60'000));
        QElapsedTimer since;
        since.start();
        others.ranks()[1]->kill();
        QVERIFY(others.workbench.waitForFinished(60'000));
        QCOMPARE(others.workbench.exitCode(), 3);
        const QByteArray said = others.workbench.readAllStandardError();
        QVERIFY2(said.contains("rank 1 closed its connection after step "), said.constData());
        QVERIFY(others.ranks()[0]->waitForFinished(60'000));
        QVERIFY(isWithin(since.elapsed(), 8000));
    }

    /// What the ranks send meanwhile waits for it.
    void aWorkbenchThatIsHeldGoesOn()
    {
        Awaiting others(7);
        // At least 12 s of steps: longer than the workbench is stopped.
        const bool isLong = qEnvironmentVariableIsSet("LOCKSTEP_LONG");
        const int steps = isLong ? 30'000 : 3'000;
        others.start(settings(steps)
            + (isLong ? QStringList() : QStringList{"--set", "straggler.ranks=0", "--set", "straggler.delay_ms=4"}));
        others.startRanks();
        QVERIFY(QTest::qWaitFor([&] { return others.hasStep(20); }, 60'000));
        const qint64 process = others.workbench.processId();
        QVERIFY(sendSignal(process, SIGSTOP));
        QTest::qWait(8000);
        for (const auto& rank : others.ranks()) {
            QVERIFY(rank->state() == QProcess::Running);
        }
        QVERIFY(sendSignal(process, SIGCONT));
        QVERIFY(others.workbench.waitForFinished(90'000));
        QVERIFY2(others.workbench.exitCode() == 0, others.workbench.readAllStandardError().constData());
        QCOMPARE(others.storedSteps(), 2 * steps);
    }

    void aFileOfSomethingElseStays()
    {
        QTemporaryDir folder;
        QFile other(folder.filePath("thesis"));
        QVERIFY(other.open(QIODevice::WriteOnly) && other.write("years of work") > 0);
        other.close();
        for (const QString& path : {other.fileName(), folder.filePath("no/such/folder"), folder.path()}) {
            QProcess workbench;
            workbench.start(Lockstep,
                QStringList{"run", "aggregation", "--store", folder.filePath("store"), "--launch", "wait", "--listen",
                    "127.0.0.1", "--workbench-file", path}
                    + settings(20));
            QVERIFY(workbench.waitForFinished(60'000));
            QCOMPARE(workbench.exitStatus(), QProcess::NormalExit);
            QCOMPARE(workbench.exitCode(), 3);
            const QString said = QString::fromUtf8(workbench.readAllStandardError());
            QVERIFY2(said.contains(path + " cannot be written: ") || said.contains("was not written by a workbench"),
                qPrintable(said));
        }
        QCOMPARE(contentOf(other.fileName()), QByteArray("years of work"));
    }

    /// LOCKSTEP_WORKBENCH, left in the environment, is not for the ranks that a workbench starts itself.
    void ranksOfOurOwnDoNotWait()
    {
        QTemporaryDir folder;
        QProcess own;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_WORKBENCH", folder.filePath("nowhere"));
        own.setProcessEnvironment(environment);
        own.start(Lockstep, QStringList{"run", "aggregation", "--store", folder.path()} + settings(20));
        QVERIFY(own.waitForFinished(60'000));
        QCOMPARE(own.exitCode(), 0);
    }

    void ranksEndWithTheirWorkbench()
    {
        Awaiting others(5);
        others.start(settings(1'000'000));
        others.startRanks();
        QVERIFY(QTest::qWaitFor([&] { return others.hasStep(20); }, 60'000));
        others.workbench.kill();
        for (const auto& rank : others.ranks()) {
            QVERIFY(rank->state() == QProcess::NotRunning || rank->waitForFinished(60'000));
        }
    }

    /// One that waits for the other rank, and one that comes once the workbench has died.
    void ranksThatStillWaitEndWithTheirWorkbench()
    {
        Awaiting others(8);
        others.start(settings(20));
        QProcess& early = others.startRank(0, others.file(), 2, "600");
        QByteArray said;
        QVERIFY(QTest::qWaitFor(
            [&] {
                said += others.workbench.readAllStandardError();
                return said.contains("rank 0 of 2 has connected, from ");
            },
            60'000));
        QTest::qWait(1000);
        others.workbench.kill();
        QVERIFY(early.waitForFinished(60'000));
        QCOMPARE(early.exitCode(), 3);
        QVERIFY(QFileInfo::exists(others.file()));
        QProcess& late = others.startRank(1, others.file(), 2, "600");
        QVERIFY(late.waitForFinished(60'000));
        QCOMPARE(late.exitCode(), 3);
        const QByteArray why = late.readAllStandardError();
        QVERIFY2(why.contains("has ended; start it again"), why.constData());
    }

    void interruptedRanksStopInGoodOrder()
    {
        Awaiting others(6);
        others.start(settings(1'000'000));
        others.startRanks();
        QVERIFY(QTest::qWaitFor([&] { return others.hasStep(20); }, 60'000));
        QVERIFY(sendSignal(others.workbench.processId(), SIGINT));
        QVERIFY(others.workbench.waitForFinished(60'000));
        for (const auto& rank : others.ranks()) {
            QVERIFY(rank->state() == QProcess::NotRunning || rank->waitForFinished(60'000));
            QCOMPARE(rank->exitCode(), 0);
        }
    }

    void wordsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("line");
        const QStringList wait{"aggregation", "--launch", "wait"};
        QTest::addRow("nothing") << wait << "--launch: wait needs --listen ADDRESS[:PORT] and --workbench-file FILE";
        QTest::addRow("no address") << wait + QStringList{"--listen", "here", "--workbench-file", "w"}
                                    << "--listen: \"here\" is not an address and a port";
        QTest::addRow("every address") << wait + QStringList{"--listen", "0.0.0.0:7000", "--workbench-file", "w"}
                                       << "--listen: 0.0.0.0:7000 means every address";
        QTest::addRow("another way") << QStringList{"aggregation", "--listen", "127.0.0.1"}
                                     << "--listen: needs --launch wait";
        QTest::addRow("own program") << QStringList{"own", "--launch", "wait", "--listen", "127.0.0.1",
            "--workbench-file", "w", "--trust", "--set", "rank.program=true"}
                                     << "rank.program: --launch wait is for lockstep-rank, not for `true`";
    }
    void wordsThatDoNotFitAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, line);
        QTemporaryDir folder;
        QProcess workbench;
        workbench.start(Lockstep, QStringList{"run"} + words + QStringList{"--store", folder.path()});
        QVERIFY(workbench.waitForFinished(60'000));
        const QString said = QString::fromUtf8(workbench.readAllStandardError());
        QCOMPARE(workbench.exitCode(), 2);
        QVERIFY2(said.contains(line), qPrintable(said));
    }
};

LOCKSTEP_TEST(TestAwaitedRuns)
#include "test_awaited_runs.moc"
