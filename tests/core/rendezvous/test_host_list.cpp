// The hosts that a user may use: a file that names them, or an allocation of Slurm.
#include "program/test_class.h"
#include "rendezvous/allocation.h"
#include "rendezvous/host_list.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::rendezvous;

class TestHostList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesBecomeHosts()
    {
        const auto hosts
            = parseHosts("# mine\nn1 slots=4  program=/opt/rank # the big one\r\n\n  user@10.0.0.2 address=fd00::2\n");
        QVERIFY(hosts);
        const std::vector<Host> expected{{"n1", 4, "/opt/rank", ""}, {"user@10.0.0.2", 1, "", "fd00::2"}};
        QVERIFY(*hosts == expected);
    }

    void whatIsNoHostIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line");
        const auto add = [](const char* name, const char* text, const char* line) {
            QTest::newRow(name) << QString(text) << QString(line);
        };
        add("empty", "# nothing\n", "there is no host in it");
        add("an option", "n1\n-oProxyCommand=x", "line 2: `-oProxyCommand=x` cannot be a host name");
        add("an option behind a user", "a@-oProxyCommand", "line 1: `a@-oProxyCommand` cannot be a host name");
        add("a command", "n1;reboot", "line 1: `n1;reboot` cannot be a host name");
        add("no slots", "n1 slots=0", "line 1: `slots=0` is not slots=N with N from 1 to 4096");
        add("slots in words", "n1 slots=4x", "line 1: `slots=4x` is not slots=N with N from 1 to 4096");
        add("a relative program", "n1 program=rank",
            "line 1: `program=rank` is not slots=N, program=/PATH or address=ADDRESS");
        add("no address", "n1 address=", "line 1: `address=` is not slots=N, program=/PATH or address=ADDRESS");
        add("an address that is an option", "n1 address=-v", "line 1: `-v` cannot be a host name");
        add("unknown", "n1 cores=4", "line 1: `cores=4` is not slots=N, program=/PATH or address=ADDRESS");
        add("twice", "n1\nn2\nn1\n", "line 3: n1 is listed twice; use slots=N for several ranks");
    }
    void whatIsNoHostIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, line);
        const auto hosts = parseHosts(text.toStdString());
        QVERIFY(!hosts);
        QCOMPARE(QString::fromStdString(hosts.error().text()), line);
    }

    void anAllocationHasHosts_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("tasks");
        QTest::addColumn<QString>("expected"); ///< hosts with their slots, or the error
        const auto add = [](const char* name, const char* nodes, const char* tasks, const char* expected) {
            QTest::newRow(name) << QString(nodes) << QString(tasks) << QString(expected);
        };
        const QString wrong = "SLURM_TASKS_PER_NODE: `%1` is not the tasks of 2 nodes, as in 2(x3),1";
        add("one node", "login", "4", "login 4 ");
        add("equal nodes", "n[1-3]", "2(x3)", "n1 2 n2 2 n3 2 ");
        add("nodes that differ", "n[08-10],m1", "2(x2),1,16", "n08 2 n09 2 n10 1 m1 16 ");
        add("no allocation", "", "2",
            "there is no Slurm allocation: start with salloc, as in salloc --nodes=2 "
            "--ntasks=4 lockstep run ...");
        add("no node", "n[1-", "2", "`n[1-` is not a list of nodes such as n[1-3,7],login");
        for (const char* tasks : {"", "2", "2,1,1", "2(x3)", "2(x1)", "2(x", "2(x2", "2(2)", "0(x2)", "-1,2",
                 "2(x0),2,2", "2;2", "2,2,", "99999999999,1", "2(x99999999999)"}) {
            QTest::newRow(tasks) << QString("n[1-2]") << QString(tasks) << wrong.arg(tasks);
        }
    }
    void anAllocationHasHosts()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, tasks);
        QFETCH(QString, expected);
        const auto hosts = hostsOfAllocation({{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NODELIST", nodes.toStdString()},
            {"SLURM_TASKS_PER_NODE", tasks.toStdString()}});
        QString found;
        if (hosts) {
            for (const Host& host : *hosts) {
                QVERIFY(host.starter == Starter::Srun);
                found += QString("%1 %2 ").arg(QString::fromStdString(host.name)).arg(host.slots);
            }
        } else {
            found = QString::fromStdString(hosts.error().text());
        }
        QCOMPARE(found, expected);
    }

    void ranksFillOneHostAfterTheOther()
    {
        const std::vector<Host> hosts{{"n1", 2, "", ""}, {"n2", 3, "", ""}};
        const auto placed = hostsOfRanks(hosts, 4);
        QVERIFY(placed);
        QCOMPARE(*placed, (std::vector<std::size_t>{0, 0, 1, 1}));
        QCOMPARE(QString::fromStdString(hostsOfRanks(hosts, 6).error().text()),
            QString("the run needs 6 ranks, and the hosts have 5 slots"));
    }
};

LOCKSTEP_TEST(TestHostList)
#include "test_host_list.moc"
