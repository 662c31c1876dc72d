// The ranks of a trial within one sandbox: they meet, how each ends, that one ends the others; marking by it.
#include "laboratory/code/run_sandboxed.h"
#include "laboratory/grading/mark_code.h"
#include "laboratory/read_laboratory.h"
#include "launch/machine/sandbox.h"
#include "program/test_class.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <optional>

using namespace lockstep;
using namespace lockstep::laboratory;
using namespace Qt::StringLiterals;

class TestSandboxedTrial : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        const launch::SandboxState& state = launch::trySandbox();
        if (state.kind != launch::SandboxKind::Works) {
            QSKIP(("the sandbox: " + state.message.english).c_str());
        }
        m_folder.emplace();
    }

    void ranksMeetAndWriteTheirRecords()
    {
        const auto ends = run("import os, socket\n"
                              "rank = int(os.environ['RANK'])\n"
                              "address = (os.environ['MASTER_ADDR'], int(os.environ['MASTER_PORT']))\n"
                              "if rank == 0:\n"
                              "    server = socket.create_server(address)\n"
                              "    open('listens', 'w').close()\n"
                              "    message = server.accept()[0].recv(9)\n"
                              "else:\n"
                              "    while not os.path.exists('listens'): pass\n"
                              "    message = b'sent'\n"
                              "    socket.create_connection(address).sendall(message)\n"
                              "print('out of', rank)\n"
                              "open(f'rank-{rank}.jsonl', 'wb').write(message)\n");
        QVERIFY2(ends.isOk(), ends ? "" : ends.error().message.c_str());
        QCOMPARE(ends->size(), std::size_t(2));
        for (const RankEnd& end : *ends) {
            QCOMPARE(end.how, TrialEnd::Exited);
            QCOMPARE(end.code, 0);
        }
        QCOMPARE(content("rank-0.jsonl"), QByteArray("sent"));
        QCOMPARE(content("rank-1.log"), QByteArray("out of 1\n"));
    }

    void aFailedRankEndsTheOther()
    {
        const auto ends = run("import os, signal, time\n"
                              "if os.environ['RANK'] == '1': os.kill(os.getpid(), signal.SIGSEGV)\n"
                              "time.sleep(600)\n");
        QVERIFY2(ends.isOk(), ends ? "" : ends.error().message.c_str());
        QCOMPARE((*ends)[1].how, TrialEnd::Signal);
        QCOMPARE((*ends)[1].code, 11);
        QCOMPARE((*ends)[0].how, TrialEnd::AfterFailure);
    }

    void theLimitEndsBoth()
    {
        m_limit = std::chrono::seconds(3);
        const auto ends = run("while True: pass\n");
        QVERIFY(ends.isOk());
        QCOMPARE((*ends)[0].how, TrialEnd::TimeLimit);
        QCOMPARE((*ends)[1].how, TrialEnd::TimeLimit);
    }

    /// Also where its processes share much memory, as those that have loaded torch do.
    void aForkBombIsNamed()
    {
        const auto ends = run("import os\nx = b'x' * (200 << 20)\nwhile True:\n    try: os.fork()\n"
                              "    except OSError: pass\n");
        QVERIFY(ends.isOk());
        QCOMPARE((*ends)[0].how, TrialEnd::OtherLimit);
        QVERIFY2((*ends)[0].why.english.find("processes") != std::string::npos, (*ends)[0].why.english.c_str());
    }

    void anotherLimitSaysWhich()
    {
        const auto ends = run("for name in 'abc': open(name, 'w').truncate(200 << 20)\n");
        QVERIFY(ends.isOk());
        QCOMPARE((*ends)[0].how, TrialEnd::OtherLimit);
        QVERIFY2(
            (*ends)[1].why.english.find("it wrote more than") != std::string::npos, (*ends)[1].why.english.c_str());
    }

    /// Its feedback would have what the link leads to.
    void aLinkInThePlaceOfALogIsNotRead()
    {
        const auto ends = run(
            "import os\nname = f\"rank-{os.environ['RANK']}.log\"\nos.remove(name)\nos.symlink('/etc/shadow', name)\n");
        QVERIFY(ends.isOk());
        QVERIFY(!QFile::exists(m_folder->filePath(u"rank-0.log"_s)));
        QVERIFY(!QFileInfo(m_folder->filePath(u"rank-0.log"_s)).isSymLink());
    }

    /// What the sandbox says of ends is the code's own word: nonsense is a failure.
    void nonsenseIsAFailure()
    {
        const auto ends = run("import os\nos.kill(os.getppid(), 9)\n");
        QVERIFY(ends.isOk());
        QCOMPARE((*ends)[0].how, TrialEnd::Exited);
        QVERIFY((*ends)[0].code != 0);
    }

    /// Right code earns the points, wrong code none, and its note says why; what is missing is said.
    void codeIsMarkedByRunningIt()
    {
        if (const auto python = pythonWithTorch(); !python) {
            QSKIP(python.error().text().c_str());
        }
        const auto shipped = shippedLaboratories();
        auto lab = readLaboratory(std::ranges::find(shipped, "aggregation", &ShippedLaboratory::id)->path);
        QVERIFY2(lab, lab ? "" : lab.error().text().c_str());
        const Step& ring = *lab->find("ring");
        grading::ReadWork work{"x.handin", {}, {*lab, {}, Journal::fromBytes({}), {}, {}, {}, {}}, {}, {}};
        const grading::CheckCode check = grading::sandboxedCheck();
        QCOMPARE(check(*lab, ring, work).share, std::optional(0.0));
        work.handIn.code["ring"] = ringWith("isend");
        const grading::CodeMark right = check(*lab, ring, work);
        QVERIFY2(right.share == 1.0, right.note.english.c_str());
        work.handIn.code["ring"] = ringWith("send");
        const grading::CodeMark wrong = check(*lab, ring, work);
        QVERIFY2(wrong.share == 0.0, wrong.note.english.c_str());
        QVERIFY2(wrong.note.english.starts_with("deadlock: rank 0"), wrong.note.english.c_str());
        QVERIFY(!check(*lab, *lab->find("who-waits"), work).share.has_value()); // no code step
    }

private:
    /// A ring all-reduce, whose ranks send by this function; `send` waits for the receiver.
    static QByteArray ringWith(const char* send)
    {
        return QByteArray("import torch\nimport torch.distributed as dist\n\n\n"
                          "def all_reduce(tensor):\n"
                          "    rank, world = dist.get_rank(), dist.get_world_size()\n"
                          "    parts = list(tensor.view(-1).tensor_split(world))\n"
                          "    for step in range(2 * (world - 1)):\n"
                          "        adds = step < world - 1\n"
                          "        out = (rank - step) % world\n"
                          "        into = (out - 1) % world\n"
                          "        got = torch.empty_like(parts[into])\n"
                          "        sent = dist.SEND(parts[out].clone(), (rank + 1) % world)\n"
                          "        dist.recv(got, (rank - 1) % world)\n"
                          "        if sent is not None:\n"
                          "            sent.wait()\n"
                          "        parts[into].copy_(parts[into] + got if adds else got)\n")
            .replace("SEND", send);
    }
    Result<std::vector<RankEnd>> run(const QByteArray& code)
    {
        QFile file(m_folder->filePath(u"answer.py"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(code) != code.size() || !file.flush()) {
            return failureOf(Text("the file cannot be written"));
        }
        const QStringList command{u"/usr/bin/python3"_s, u"answer.py"_s};
        return runRanksInSandbox({m_folder->path(), {command, command}, m_limit, nullptr});
    }
    QByteArray content(const char* name) const
    {
        QFile file(m_folder->filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::optional<QTemporaryDir> m_folder;
    std::chrono::seconds m_limit{60};
};

LOCKSTEP_TEST(TestSandboxedTrial)
#include "test_sandboxed_trial.moc"
