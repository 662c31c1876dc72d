// Ranks on other hosts, as far as it needs none: the words for ssh, the file of hosts, clocks, what is refused.
#include "launch/machine/host_file.h"
#include "launch/ssh/host_facts.h"
#include "launch/ssh/remote_command.h"
#include "program/test_class.h"
#include "wire/messages.h"
#include "wire/relay_messages.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::launch;

namespace {

[[nodiscard]] HostFacts ownFacts()
{
    return {.version = LOCKSTEP_VERSION, .protocol = wire::ProtocolVersion, .freeBytes = 2'000'000'000};
}

} // namespace

class TestRemoteHosts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What stands behind the host's name is one line for `$SHELL -c`.
    void aShellReadsTheWordsAsTheyAre()
    {
        const std::vector<std::string> words{"plain", "two words", "", "it's", "$HOME", "`id`", "a;b", "*", "~", "\\",
            "\"quoted\"", "-o", "a&b|c>d", "#no comment", "!x", "中文"};
        std::vector<std::string> command{"printf", "%s\\001"};
        command.insert(command.end(), words.begin(), words.end());
        const auto line = remoteCommand(command);
        QVERIFY(line);
        QProcess shell;
        shell.start("/bin/sh", {"-c", QString::fromStdString(*line)});
        QVERIFY(shell.waitForFinished());
        QList<QByteArray> read = shell.readAllStandardOutput().split('\001');
        QVERIFY(read.takeLast().isEmpty());
        QCOMPARE(read.size(), static_cast<qsizetype>(words.size()));
        for (qsizetype i = 0; i < read.size(); ++i) {
            QCOMPARE(read[i].toStdString(), words[static_cast<std::size_t>(i)]);
        }
        for (const std::string& bad : {std::string("a\nb"), std::string("a\0b", 3), std::string("\x7f")}) {
            QVERIFY(!remoteCommand(std::vector{bad}));
        }
    }

    void noHostIsAnOption()
    {
        const auto words = sshWords({.name = "ada@n1", .program = "/opt/my rank"}, "/usr/bin/lockstep-rank");
        QVERIFY(words);
        const qsizetype end = words->indexOf("--");
        QCOMPARE(words->mid(end), (QStringList{"--", "ada@n1", "'/opt/my rank' --relay"}));
        QVERIFY(words->first(end).contains("BatchMode=yes"));
        QCOMPARE(sshWords({.name = "n1"}, "/usr/bin/lockstep-rank")->last(), QString("/usr/bin/lockstep-rank --relay"));
        const auto step = srunWords({.name = "n1"}, "/opt/my rank"); // without a shell
        QVERIFY(step);
        QVERIFY(step->contains("--nodelist=n1"));
        QCOMPARE(step->mid(step->indexOf("--")), (QStringList{"--", "/opt/my rank", "--relay"}));
        QVERIFY(!srunWords({.name = "-n1"}, "/usr/bin/lockstep-rank"));
        QVERIFY(!sshWords({.name = "-oProxyCommand=id"}, "rank"));
        QVERIFY(!sshWords({.name = ""}, "rank"));
    }

    void hostsInJson_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("refused");
        QTest::addRow("list") << QByteArray(R"([{"name":"n1","slots":4,"program":"/opt/rank","address":"10.0.0.1"},)"
                                            R"({"name":"n2"}])")
                              << QString();
        QTest::addRow("object") << QByteArray(R"({"hosts":[{"name":"n1","slots":4,"program":"/opt/rank",)"
                                              R"("address":"10.0.0.1"},{"name":"n2"}]})")
                                << QString();
        QTest::addRow("none") << QByteArray("[]") << "there is no host in it";
        QTest::addRow("an option") << QByteArray(R"([{"name":"n1"},{"name":"-v"}])")
                                   << "host 2: `-v` cannot be a host name";
        QTest::addRow("unknown") << QByteArray(R"([{"name":"n1","cores":2}])")
                                 << "host 1: cores is not name, slots, program or address";
        QTest::addRow("torn") << QByteArray(R"([{"name":)") << "this cannot be read as a JSON list of hosts";
        QTest::addRow("of a wrong kind")
            << QByteArray(R"([{"name":7}])")
            << "host 1: it is not an object with a name, and slots, program and address where they differ";
    }
    void hostsInJson()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, refused);
        const QTemporaryDir folder;
        const QString path = folder.filePath("hosts");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush());
        const auto hosts = readHosts(path);
        if (refused.isEmpty()) {
            QVERIFY(hosts);
            const std::vector<rendezvous::Host> expected{{"n1", 4, "/opt/rank", "10.0.0.1"}, {"n2", 1, "", ""}};
            QVERIFY(*hosts == expected);
        } else {
            QVERIFY(!hosts);
            QCOMPARE(QString::fromStdString(hosts.error().text()), path + ": " + refused);
        }
    }

    /// Of a clock that is 11 s ahead, and of trips that are longer on one way.
    void theShortestTripTellsTheClocks()
    {
        constexpr std::int64_t Ms = 1'000'000;
        constexpr std::int64_t Ahead = 11'000 * Ms;
        HostClock clock;
        clock.add({.sentNs = 100 * Ms, .backNs = 120 * Ms, .thereNs = Ahead + 118 * Ms, .wallThereNs = 5 * Ms});
        clock.add({.sentNs = 200 * Ms,
            .backNs = 202 * Ms,
            .thereNs = Ahead + 201 * Ms,
            .wallThereNs = 7'201 * Ms,
            .wallOffsetNs = 6'000 * Ms});
        clock.add({.sentNs = 300 * Ms, .backNs = 310 * Ms, .thereNs = Ahead + 301 * Ms, .wallThereNs = 5 * Ms});
        QCOMPARE(clock.shiftNs(), -Ahead);
        QCOMPARE(clock.errorNs(), Ms);
        QCOMPARE(clock.aheadNs(), 1'000 * Ms);
        QCOMPARE(clock.medianTripNs(), 10 * Ms);
        QCOMPARE(clock.count(), std::size_t{3});
    }

    void whatSpeaksAgainstAHost()
    {
        QVERIFY(!whyNotOnHost("n1", ownFacts(), {}, 1'000'000'000));
        HostFacts facts = ownFacts();
        facts.version = "0.1";
        QVERIFY(whyNotOnHost("n1", facts, {}, 0)->english.starts_with("n1: its lockstep-rank is of version 0.1 "));
        facts = ownFacts();
        facts.protocol += 1;
        QVERIFY(whyNotOnHost("n1", facts, {}, 0).has_value());
        QCOMPARE(whyNotOnHost("n1", ownFacts(), {}, 3'000'000'000)->english,
            std::string("n1: its ranks need about 3.0 GB of memory, and 2.0 GB are free"));
        HostClock clock;
        clock.add({.sentNs = 0, .backNs = 0, .thereNs = 0, .wallThereNs = -75'000'000'000});
        QCOMPARE(whyNotOnHost("n1", ownFacts(), clock, 0)->english,
            std::string("n1: its clock differs from this machine's by -75.0 s: set it"));
    }

    void factsAreReadOrRefused()
    {
        QVERIFY(!readHostFacts("{}"));
        QVERIFY(!readHostFacts("\xff"));
        const auto facts = readHostFacts(R"({"version":"1","protocol":2,"libtorch":"1.13.1","host":"n1","cores":2,)"
                                         R"("memory_bytes":8,"free_bytes":4,"gpus":["A"],"address":"","port":4000})");
        QVERIFY(facts);
        QCOMPARE(facts->gpus, std::vector<std::string>{"A"});
        QCOMPARE(facts->port, 4000);
    }

    void framesOfTheRelay()
    {
        std::vector<std::byte> bytes;
        const auto numbers = wire::toRelayBytes(wire::RelayNumbers<2>{-1, std::int64_t{1} << 62});
        wire::appendFrame(bytes, {wire::RelayKind::Beat, -1, numbers});
        wire::appendFrame(bytes, {wire::RelayKind::Closed, 3, {}});
        const auto beat = wire::readRelayFrame(std::span(bytes).subspan(4, 21));
        QVERIFY(beat);
        QCOMPARE(beat->rank, -1);
        QVERIFY((wire::readRelayNumbers<2>(beat->payload) == wire::RelayNumbers<2>{-1, std::int64_t{1} << 62}));
        QVERIFY(!wire::readRelayNumbers<1>(beat->payload));
        const auto closed = wire::readRelayFrame(std::span(bytes).subspan(29));
        QVERIFY(closed && closed->kind == wire::RelayKind::Closed && closed->rank == 3 && closed->payload.empty());
        QVERIFY(!wire::readRelayFrame({}));
        bytes[4] = std::byte{99};
        QVERIFY(!wire::readRelayFrame(std::span(bytes).subspan(4, 21)));
    }
};

LOCKSTEP_TEST(TestRemoteHosts)
#include "test_remote_hosts.moc"
