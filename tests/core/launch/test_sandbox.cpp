// Canaries in the sandbox for marking: what hostile code may not read, reach, fill or leave behind. Where the tests run
// as root, they run again as a user.
#include "launch/machine/sandbox.h"
#include "program/test_class.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <optional>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::launch;
using namespace Qt::StringLiterals;

namespace {

const QByteArray KeptSecret = "canary-7f3a";

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// Processes whose command line has this word.
int processesWith(const QByteArray& word)
{
    int count = 0;
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString& entry : entries) {
        QFile line(u"/proc/%1/cmdline"_s.arg(entry));
        count += line.open(QIODevice::ReadOnly) && line.readAll().contains(word) ? 1 : 0;
    }
    return count;
}

} // namespace

class TestSandbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        const QString name = QString::fromLatin1(QTest::currentTestFunction());
        if (!name.startsWith(u"refused"_s) && trySandbox().kind != SandboxKind::Works) {
            QSKIP(("the sandbox: " + trySandbox().message.english).c_str());
        }
        m_folder.emplace();
        QVERIFY(QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7755)));
        m_box = {};
        m_box.folder = m_folder->filePath(u"hand-in-1"_s);
        m_box.limits.seconds = 20;
        QVERIFY(QDir().mkpath(m_box.folder));
    }

    void nothingOutsideIsRead_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addRow("the key beside") << u"cat ../course.key"_s;
        QTest::addRow("a neighbour's hand-in") << u"cat ../*/answer.py"_s;
        QTest::addRow("the home folder") << u"cat $REAL_HOME/.ssh/id_ed25519 ~/.ssh/id_ed25519"_s;
        QTest::addRow("a link out of the folder") << u"cat link"_s;
        QTest::addRow("the environment") << u"env; cat /proc/*/environ"_s;
        QTest::addRow("the files of other processes") << u"cat /proc/*/root$REAL_HOME/.ssh/id_ed25519"_s;
        QTest::addRow("any file") << u"grep -rhs %1 $REAL_HOME/.. /etc /home /root /var /tmp /work /dev/shm"_s.arg(
            QString::fromLatin1(KeptSecret));
    }
    /// Each command prints the secret outside the sandbox and does not inside.
    void nothingOutsideIsRead()
    {
        QFETCH(const QString, command);
        const QString home = m_folder->filePath(u"home"_s);
        QVERIFY(QDir().mkpath(home + u"/.ssh"_s) && QDir().mkpath(m_folder->filePath(u"hand-in-2"_s)));
        write(home + u"/.ssh/id_ed25519"_s, KeptSecret);
        write(m_folder->filePath(u"course.key"_s), KeptSecret);
        write(m_folder->filePath(u"hand-in-2/answer.py"_s), KeptSecret);
        QVERIFY(QFile::link(m_folder->filePath(u"course.key"_s), m_box.folder + u"/link"_s));
        qputenv("LOCKSTEP_CANARY", KeptSecret);
        m_box.environment[u"REAL_HOME"_s] = home;

        QProcess outside;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"REAL_HOME"_s, home);
        outside.setProcessEnvironment(environment);
        outside.setWorkingDirectory(m_box.folder);
        // Only where the secret lies: a search of the whole disk takes minutes.
        outside.start(
            u"/bin/sh"_s, {u"-c"_s, QString(command).remove(u" /etc /home /root /var /tmp /work /dev/shm"_s)});
        QVERIFY(outside.waitForFinished());
        QVERIFY2(outside.readAllStandardOutput().contains(KeptSecret), "the command finds it outside the sandbox");

        const SandboxedEnd end = runSandboxed({u"/bin/sh"_s, u"-c"_s, command + u"; echo end"_s}, m_box);
        qunsetenv("LOCKSTEP_CANARY");
        QCOMPARE(end.cause, SandboxedCause::Ended);
        QVERIFY2(!(end.out + end.error).contains(KeptSecret), end.out.constData());
        QVERIFY2(end.out.endsWith("end\n"), end.error.constData());
    }

    void nothingOutsideIsWritten()
    {
        write(m_folder->filePath(u"course.key"_s), "as it was");
        const SandboxedEnd end = runSandboxed(
            {u"/bin/sh"_s, u"-c"_s,
                u"echo changed >../course.key; for f in /usr/x /etc/x /x /dev/x /proc/sys/kernel/core_pattern; do "
                "(echo changed >$f) 2>/dev/null && echo wrote $f; done; "
                "chmod 0 /dev/null 2>/dev/null && echo chmod; "
                "unshare -U true 2>/dev/null && echo namespace; echo mine >mine"_s},
            m_box);
        QCOMPARE(end.out, QByteArray());
        QFile key(m_folder->filePath(u"course.key"_s));
        QVERIFY(key.open(QIODevice::ReadOnly));
        QCOMPARE(key.readAll(), QByteArray("as it was"));
        QVERIFY(QFile::exists(m_box.folder + u"/mine"_s));
    }

    /// Who reads the folder afterwards would follow a link, and wait at a pipe.
    void noLinkOrPipeIsLeft()
    {
        write(m_folder->filePath(u"course.key"_s), KeptSecret);
        const SandboxedEnd end = runSandboxed({u"/bin/sh"_s, u"-c"_s,
                                                  u"mkdir d; ln -s ../../course.key d/rank-0.log; "
                                                  "ln -s ../course.key link; mkfifo pipe; echo kept >kept; "
                                                  "chmod 0 d ."_s},
            m_box);
        QCOMPARE(end.exitCode, 0);
        QCOMPARE(QDir(m_box.folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot),
            QStringList({u"d"_s, u"kept"_s}));
        QVERIFY(QDir(m_box.folder + u"/d"_s).isEmpty(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot));
    }

    void noNetwork()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        write(m_box.folder + u"/connect.py"_s,
            "import socket, sys\n"
            "try:\n"
            "    socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)\n"
            "    print('connected')\n"
            "except OSError:\n"
            "    print('refused')\n"
            "own = socket.create_server(('localhost', 0))\n"
            "socket.create_connection(own.getsockname(), 5)\n"
            "print('loopback', socket.if_nameindex())\n");
        const QString port = QString::number(server.serverPort());
        const SandboxedEnd end = runSandboxed({u"python3"_s, u"connect.py"_s, port}, m_box);
        QCOMPARE(end.out, QByteArray("refused\nloopback [(1, 'lo')]\n"));
        QVERIFY(!server.waitForNewConnection(0));
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, server.serverPort());
        QVERIFY2(socket.waitForConnected(), "outside the sandbox it answers");
    }

    void isEndedAtItsLimits_data()
    {
        using Causes = QList<int>;
        const auto causes = [](std::initializer_list<SandboxedCause> list) {
            Causes numbers;
            for (const SandboxedCause cause : list) {
                numbers << static_cast<int>(cause);
            }
            return numbers;
        };
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<Causes>("expected");
        QTest::addRow("an endless loop") << QByteArray("while True: pass\n") << causes({SandboxedCause::Time});
        QTest::addRow("a fork bomb") << QByteArray(
            "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n")
                                     << causes({SandboxedCause::Processes});
        // 100 processes that share 100 MB use little more than one
        QTest::addRow("a fork bomb of a large process") << QByteArray(
            "import os\nx = b'x' * (100 << 20)\nwhile True:\n    try: os.fork()\n    except OSError: pass\n")
                                                        << causes({SandboxedCause::Processes});
        QTest::addRow("memory in many processes")
            << QByteArray("import os, time\nfor i in range(6): os.fork()\nx = b'x' * (100 << 20)\ntime.sleep(600)\n")
            << causes({SandboxedCause::Memory});
        QTest::addRow("output without end")
            << QByteArray("while True: print('x' * 1000)\n") << causes({SandboxedCause::Output});
        QTest::addRow("a full disk") << QByteArray(
            "i = 0\nwhile True:\n    i += 1\n    open(f'f{i}', 'wb').write(b'x' * 1000000)\n")
                                     << causes({SandboxedCause::Folder});
        QTest::addRow("files without end")
            << QByteArray("i = 0\nwhile True:\n    i += 1\n    open(f'f{i}', 'wb').close()\n")
            << causes({SandboxedCause::Folder});
        QTest::addRow("signals ignored") << QByteArray(
            "import signal, time\nfor s in range(1, 64):\n    try: signal.signal(s, signal.SIG_IGN)\n"
            "    except (OSError, ValueError): pass\ntime.sleep(600)\n")
                                         << causes({SandboxedCause::Time});
    }
    /// Soon, with one line, and no process of it is left.
    void isEndedAtItsLimits()
    {
        QFETCH(const QByteArray, code);
        QFETCH(const QList<int>, expected);
        m_box.limits.seconds = 8;
        m_box.limits.processes = 100;
        m_box.limits.memoryBytes = std::int64_t{1} << 30;
        m_box.limits.folderBytes = std::int64_t{32} << 20;
        const QByteArray mark = "mark-" + QByteArray::number(getpid());
        write(m_box.folder + u"/hostile.py"_s, code);
        const SandboxedEnd end = runSandboxed({u"python3"_s, u"hostile.py"_s, QString::fromLatin1(mark)}, m_box);
        QVERIFY2(expected.contains(static_cast<int>(end.cause)), end.why.english.c_str());
        QVERIFY(!end.why.empty() && end.why.english.find('\n') == std::string::npos);
        QTRY_COMPARE(processesWith(mark), 0);
    }

    void aFullTmpfsIsAnErrorInside()
    {
        m_box.limits.temporaryBytes = std::int64_t{8} << 20;
        write(m_box.folder + u"/fill.py"_s,
            "import os\n"
            "for folder in ('/tmp', '/dev/shm'):\n"
            "    written = 0\n"
            "    try:\n"
            "        with open(folder + '/f', 'wb', 0) as f:\n"
            "            while written < 1 << 30: written += f.write(b'x' * 65536)\n"
            "    except OSError as e: print(e.errno, written <= 8 << 20)\n");
        const SandboxedEnd end = runSandboxed({u"python3"_s, u"fill.py"_s}, m_box);
        QCOMPARE(end.out, QByteArray("28 True\n28 True\n")); // ENOSPC
    }

    /// A daemon has ended once the program that left it is reported: it could still leave a pipe.
    void noChildOutlives()
    {
        const QByteArray mark = "mark-" + QByteArray::number(getpid());
        write(m_box.folder + u"/daemon.py"_s,
            "import os, time\n"
            "if os.fork() == 0:\n"
            "    os.setsid()\n"
            "    if os.fork() == 0:\n"
            "        open('alive', 'w').close()\n"
            "        for f in (0, 1, 2): os.close(f)\n"
            "        time.sleep(600)\n"
            "    os._exit(0)\n"
            "while not os.path.exists('alive'): time.sleep(0.01)\n");
        const SandboxedEnd end = runSandboxed({u"python3"_s, u"daemon.py"_s, QString::fromLatin1(mark)}, m_box);
        QCOMPARE(end.cause, SandboxedCause::Ended);
        QCOMPARE(end.exitCode, 0);
        QCOMPARE(processesWith(mark), 0);
    }

    /// Several ranks in one sandbox: Gloo and RPC over its own loopback.
    void ranksMeetInside()
    {
        QProcess torch;
        torch.start(u"/usr/bin/python3"_s, {u"-c"_s, u"import torch.distributed.rpc"_s});
        if (!torch.waitForFinished(120000) || torch.exitCode() != 0) {
            QSKIP("/usr/bin/python3 has no torch");
        }
        m_box.limits.seconds = 300;
        write(m_box.folder + u"/ranks.py"_s,
            "import os, sys, torch, torch.distributed as dist, torch.distributed.rpc as rpc\n"
            "rank = int(sys.argv[1])\n"
            "os.environ.update(MASTER_ADDR='localhost', MASTER_PORT='29500')\n"
            "dist.init_process_group('gloo', rank=rank, world_size=2)\n"
            "t = torch.ones(2) * (rank + 1)\n"
            "dist.all_reduce(t)\n"
            "dist.destroy_process_group()\n"
            "os.environ['MASTER_PORT'] = '29501'\n"
            "rpc.init_rpc(f'rank{rank}', rank=rank, world_size=2)\n"
            "if rank == 0: print(t.tolist(), rpc.rpc_sync('rank1', torch.add, args=(t, 1)).tolist(), flush=True)\n"
            "rpc.shutdown()\n");
        const SandboxedEnd end = runSandboxed({u"/bin/sh"_s, u"-c"_s,
                                                  u"/usr/bin/python3 ranks.py 0 & /usr/bin/python3 ranks.py 1; "
                                                  "one=$?; wait $!; echo $one $?"_s},
            m_box);
        QVERIFY2(end.out == "[3.0, 3.0] [4.0, 4.0]\n0 0\n", (end.out + end.error).constData());
    }

    void pathsThatShowTooMuchAreRefused()
    {
        m_box.readOnly = {QDir::homePath()};
        const Result<SandboxedCommand> home = sandboxed({u"true"_s}, m_box);
        QVERIFY(!home);
        QCOMPARE(home.error().message,
            QDir::homePath().toStdString() + " contains the home folder, which code that is marked may not read");
        m_box.readOnly = {u"/"_s};
        QVERIFY(!sandboxed({u"true"_s}, m_box));
        m_box.readOnly = {m_folder->filePath(u"absent"_s)};
        QVERIFY(!sandboxed({u"true"_s}, m_box));
    }

    void refusedNamespacesAreSeen_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QString>("expected");
        QTest::addRow("refused") << QByteArray("echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
                                 << u"namespaces are refused (bwrap: No permissions to create new namespace): code is "
                                    "not run while marking"_s;
        QTest::addRow("does nothing") << QByteArray("exit 0")
                                      << u"namespaces are refused (): code is not run while marking"_s;
        QTest::addRow("runs it without a sandbox")
            << QByteArray("while [ \"$1\" != sh ] && [ \"$1\" != /bin/sh ]; do shift; done; exec \"$@\"")
            << u"namespaces are refused (): code is not run while marking"_s;
    }
    void refusedNamespacesAreSeen()
    {
        QFETCH(const QByteArray, program);
        QFETCH(const QString, expected);
        const QString path = m_folder->filePath(u"bwrap"_s);
        write(path, "#!/bin/sh\n" + program + "\n");
        QVERIFY(QFile::setPermissions(path, QFile::Permissions(0x7755)));
        const SandboxState state = trialOf(path);
        QCOMPARE(state.kind, SandboxKind::Refused);
        QCOMPARE(QString::fromStdString(state.message.english), expected);
        QCOMPARE(trialOf({}).kind, SandboxKind::NotInstalled);
    }

    /// By the kernel: bubblewrap within a sandbox that allows no further namespaces.
    void theKernelRefusesNamespaces()
    {
        const QString path = m_folder->filePath(u"bwrap"_s);
        write(path,
            "#!/bin/sh\nexec " + QFile::encodeName(trySandbox().program)
                + " --dev-bind / / --unshare-user --disable-userns -- " + QFile::encodeName(trySandbox().program)
                + " \"$@\"\n");
        QVERIFY(QFile::setPermissions(path, QFile::Permissions(0x7755)));
        const SandboxState state = trialOf(path);
        QCOMPARE(state.kind, SandboxKind::Refused);
        QVERIFY2(state.message.english.find("namespace") != std::string::npos, state.message.english.c_str());
        QVERIFY2(state.message.english.find("()") == std::string::npos, "the reason is said");
    }

    void aUserIsAsSafe()
    {
        if (geteuid() != 0) {
            QSKIP("is a user already");
        }
        for (const char* const function : {"nothingOutsideIsRead", "nothingOutsideIsWritten", "noNetwork",
                 "noLinkOrPipeIsLeft", "isEndedAtItsLimits", "noChildOutlives", "theKernelRefusesNamespaces"}) {
            QProcess test;
            test.setProcessChannelMode(QProcess::MergedChannels);
            test.start(u"setpriv"_s,
                {u"--reuid=64321"_s, u"--regid=64321"_s, u"--clear-groups"_s, u"--inh-caps=-all"_s,
                    QCoreApplication::applicationFilePath(), u"test_sandbox"_s, QString::fromLatin1(function)});
            QVERIFY(test.waitForFinished(120000));
            const QByteArray said = test.readAll();
            QVERIFY2(test.exitCode() == 0 && !said.contains("SKIP"), said.constData());
        }
    }

private:
    std::optional<QTemporaryDir> m_folder;
    Box m_box;
};

LOCKSTEP_TEST(TestSandbox)

#include "test_sandbox.moc"
