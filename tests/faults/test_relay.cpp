// lockstep-rank --relay over a pipe, with shells and scripts in the place of ranks: what they say arrives, and none is
// left however the line ends.
#include "faults/marked_processes.h"
#include "program/busy_machine.h"
#include "program/programs.h"
#include "program/test_class.h"
#include "wire/frame.h"
#include "wire/relay_messages.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <map>

using namespace lockstep;
using namespace lockstep::tests;
using wire::RelayKind;

namespace {

/// A relay, and what it has said.
class RelayUnderTest {
public:
    explicit RelayUnderTest(int trial)
        : m_mark(markOf(trial))
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(m_mark.mid(m_mark.indexOf('=') + 1)));
        process.setProcessEnvironment(environment);
        process.start(RankProgram, {"--relay"});
    }
    ~RelayUnderTest()
    {
        process.kill();
        process.waitForFinished();
    }
    RelayUnderTest(const RelayUnderTest&) = delete;
    RelayUnderTest& operator=(const RelayUnderTest&) = delete;

    void send(RelayKind kind, std::int32_t rank, const QByteArray& payload)
    {
        std::vector<std::byte> bytes;
        wire::appendFrame(bytes,
            {kind, rank, std::as_bytes(std::span(payload.constData(), static_cast<std::size_t>(payload.size())))});
        process.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    }
    void sendNumber(RelayKind kind, std::int32_t rank, std::int64_t number)
    {
        const auto bytes = wire::toRelayBytes(wire::RelayNumbers<1>{number});
        send(kind, rank, QByteArray(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    /// A program for each rank, with its words.
    void sendJob(const std::vector<QStringList>& commands)
    {
        QJsonArray ranks;
        for (const QStringList& words : commands) {
            ranks.append(QJsonObject{{"rank", ranks.size()}, {"program", words.front()},
                {"arguments", QJsonArray::fromStringList(words.mid(1))},
                {"environment", QJsonObject{{"RANK", QString::number(ranks.size())}, {"SAID", "only over stdin"}}}});
        }
        send(RelayKind::Job, -1, QJsonDocument(QJsonObject{{"ranks", ranks}}).toJson());
        m_sinceBeat.start();
    }
    void read()
    {
        QByteArray bytes = process.readAllStandardOutput();
        if (!hasMark) {
            m_begin += bytes;
            const QByteArray mark(wire::RelayMark.data(), static_cast<qsizetype>(wire::RelayMark.size()));
            if (!m_begin.startsWith(mark)) {
                return;
            }
            hasMark = true;
            bytes = m_begin.mid(mark.size());
        }
        m_decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        for (auto frame = m_decoder.next(); frame && *frame; frame = m_decoder.next()) {
            const auto read = wire::readRelayFrame(**frame);
            QVERIFY(read);
            m_said[{read->kind, read->rank}] += QByteArray(
                reinterpret_cast<const char*>(read->payload.data()), static_cast<qsizetype>(read->payload.size()));
        }
    }
    [[nodiscard]] bool has(RelayKind kind, std::int32_t rank)
    {
        read();
        if (m_sinceBeat.isValid() && m_sinceBeat.elapsed() > 1000) {
            sendNumber(RelayKind::Beat, -1, 0);
            m_sinceBeat.start();
        }
        return m_said.contains({kind, rank});
    }
    [[nodiscard]] QByteArray said(RelayKind kind, std::int32_t rank) { return m_said[{kind, rank}]; }
    [[nodiscard]] std::int64_t number(RelayKind kind, std::int32_t rank)
    {
        const QByteArray bytes = said(kind, rank);
        const auto numbers = wire::readRelayNumbers<1>(
            std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        return numbers ? (*numbers)[0] : -1;
    }
    [[nodiscard]] std::size_t processes() const { return markedProcesses(m_mark).all.size(); }

    QProcess process;
    bool hasMark = false;

private:
    QByteArray m_mark;
    QByteArray m_begin;
    std::map<std::pair<RelayKind, std::int32_t>, QByteArray> m_said;
    QElapsedTimer m_sinceBeat; ///< once there is a job
    wire::FrameDecoder m_decoder;
};

/// Sends back what it gets over its connection, until that is closed.
const QStringList Echo{"/usr/bin/env", "python3", "-c",
    "import os, socket\n"
    "line = socket.socket(fileno=int(os.environ['LOCKSTEP_TELEMETRY'][3:]))\n"
    "line.setblocking(True)\n"
    "while True:\n"
    "    data = line.recv(65536)\n"
    "    if not data: break\n"
    "    line.sendall(data)\n"};

/// Deaf to SIGTERM, and with a child of its own.
const QStringList Stubborn{"/bin/sh", "-c", "trap '' TERM; sleep 1000 & echo up; wait; sleep 1000"};

} // namespace

class TestRelay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
    }

    void itTellsWhatTheHostHasAndAnswersBeats()
    {
        RelayUnderTest relay(1);
        QTRY_VERIFY(relay.has(RelayKind::Facts, -1));
        const QJsonObject facts = QJsonDocument::fromJson(relay.said(RelayKind::Facts, -1)).object();
        QVERIFY(facts["cores"].toInt() > 0);
        QVERIFY(facts["memory_bytes"].toInteger() >= facts["free_bytes"].toInteger());
        QVERIFY(facts["port"].toInt() > 0);
        relay.sendNumber(RelayKind::Beat, -1, 77);
        QTRY_VERIFY(relay.has(RelayKind::Beat, -1));
        QCOMPARE(relay.said(RelayKind::Beat, -1).size(), 24);
        QCOMPARE(relay.said(RelayKind::Beat, -1)[0], char(77));
        relay.process.closeWriteChannel();
        QTRY_COMPARE(relay.process.state(), QProcess::NotRunning);
        QCOMPARE(relay.process.exitCode(), 0);
    }

    void whatRanksSayAndHowTheyEnd()
    {
        RelayUnderTest relay(2);
        relay.sendJob({{"/bin/sh", "-c", "echo \"$RANK $SAID\"; echo bad >&2; exit 7"}, {"/bin/sh", "-c", "kill -9 $$"},
            {"/nowhere/rank"}, Echo});
        const QByteArray much(300'000, 'x');
        for (int i = 0; i < 10; ++i) {
            relay.send(RelayKind::Data, 3, much.first(30'000));
        }
        QTRY_VERIFY(relay.has(RelayKind::Killed, 1) && relay.has(RelayKind::Exited, 0));
        QCOMPARE(relay.said(RelayKind::Output, 0), QByteArray("0 only over stdin\n"));
        QCOMPARE(relay.said(RelayKind::Errors, 0), QByteArray("bad\n"));
        QCOMPARE(relay.number(RelayKind::Exited, 0), 7);
        QCOMPARE(relay.number(RelayKind::Killed, 1), SIGKILL);
        QTRY_VERIFY(relay.has(RelayKind::Exited, 2));
        QCOMPARE(relay.number(RelayKind::Exited, 2), 127);
        QVERIFY(relay.said(RelayKind::Errors, 2).contains("No such file"));
        QTRY_COMPARE(relay.has(RelayKind::Data, 3) ? relay.said(RelayKind::Data, 3).size() : 0, much.size());
        QVERIFY(relay.said(RelayKind::Data, 3) == much);
        relay.send(RelayKind::Closed, 3, {});
        QTRY_VERIFY(relay.has(RelayKind::Exited, 3));
        QTRY_COMPARE(relay.process.state(), QProcess::NotRunning);
        QCOMPARE(relay.process.exitCode(), 0);
        QCOMPARE(relay.processes(), std::size_t{0});
    }

    void noRankIsLeft_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("limitMs");
        QTest::addRow("end of stdin") << "close" << 2'500;
        QTest::addRow("no beats") << "silence" << 7'500;
        QTest::addRow("garbage") << "garbage" << 2'500;
        QTest::addRow("no reader") << "no reader" << 2'500;
    }
    void noRankIsLeft()
    {
        QFETCH(QString, how);
        QFETCH(int, limitMs);
        RelayUnderTest relay(3);
        relay.sendJob({Stubborn, Echo});
        QTRY_VERIFY(relay.has(RelayKind::Output, 0));
        QTRY_VERIFY(relay.processes() >= 4);
        QElapsedTimer clock;
        clock.start();
        if (how == "close") {
            relay.process.closeWriteChannel();
        } else if (how == "garbage") {
            relay.process.write(QByteArray(100, '\xff'));
        } else if (how == "no reader") {
            relay.process.closeReadChannel(QProcess::StandardOutput);
            relay.sendNumber(RelayKind::Beat, -1, 1);
            relay.process.closeWriteChannel();
        }
        QTRY_COMPARE(relay.processes(), std::size_t{0});
        QVERIFY2(isWithin(clock.elapsed(), limitMs), qPrintable(QString::number(clock.elapsed())));
        QTRY_COMPARE(relay.process.state(), QProcess::NotRunning);
        QCOMPARE(relay.process.exitCode(), 3);
        QVERIFY2(how != "silence" || clock.elapsed() > 3'000, "it was not waited for three beats");
    }

    void aKilledRelayTakesItsRanksAlong()
    {
        RelayUnderTest relay(4);
        relay.sendJob({Echo, Echo});
        QTRY_VERIFY(relay.has(RelayKind::Started, 1));
        relay.process.kill();
        QTRY_COMPARE(relay.processes(), std::size_t{0});
    }

    void aSignalReachesTheGroup()
    {
        RelayUnderTest relay(5);
        relay.sendJob({Stubborn});
        QTRY_VERIFY(relay.has(RelayKind::Output, 0));
        relay.sendNumber(RelayKind::Signal, 0, SIGSTOP); // none that a workbench sends
        relay.sendNumber(RelayKind::Signal, 0, SIGKILL);
        QTRY_VERIFY(relay.has(RelayKind::Killed, 0));
        QCOMPARE(relay.number(RelayKind::Killed, 0), SIGKILL);
        QTRY_COMPARE(relay.processes(), std::size_t{0});
    }
};

LOCKSTEP_TEST(TestRelay)
#include "test_relay.moc"
