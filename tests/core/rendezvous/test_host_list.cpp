// The file that names a user's hosts.
#include "program/test_class.h"
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
        add("an option", "n1\n-oProxyCommand=x", "line 2: `-oProxyCommand=x` is no host name");
        add("an option behind a user", "a@-oProxyCommand", "line 1: `a@-oProxyCommand` is no host name");
        add("a command", "n1;reboot", "line 1: `n1;reboot` is no host name");
        add("no slots", "n1 slots=0", "line 1: `slots=0` is not slots=N with N from 1 to 4096");
        add("slots in words", "n1 slots=4x", "line 1: `slots=4x` is not slots=N with N from 1 to 4096");
        add("a relative program", "n1 program=rank",
            "line 1: `program=rank` is not slots=N, program=/PATH or address=ADDRESS");
        add("no address", "n1 address=", "line 1: `address=` is not slots=N, program=/PATH or address=ADDRESS");
        add("an address that is an option", "n1 address=-v", "line 1: `-v` is no host name");
        add("unknown", "n1 cores=4", "line 1: `cores=4` is not slots=N, program=/PATH or address=ADDRESS");
        add("twice", "n1\nn2\nn1\n", "line 3: n1 is there twice; use slots=N for several ranks");
    }
    void whatIsNoHostIsRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, line);
        const auto hosts = parseHosts(text.toStdString());
        QVERIFY(!hosts);
        QCOMPARE(QString::fromStdString(hosts.error().text()), line);
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
