// Who may come in: a rank that proves to have the run's secret. Raw sockets stand for ranks and strangers.
#include "launch/collect/rank_server.h"
#include "program/test_class.h"
#include "wire/handshake.h"

#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

constexpr auto Patience = 500ms;
const RunId Run{"20261123-070000-aaaa"};

wire::Secret secretOf(int number)
{
    wire::Secret secret{};
    secret.fill(static_cast<std::byte>(number));
    return secret;
}

const wire::Secret RightSecret = secretOf(17);
const wire::Nonce RankNonce = secretOf(99);

template <typename Bytes>
QByteArray text(const Bytes& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

QByteArray opening()
{
    return text(wire::toBytes(wire::Opening{wire::ProtocolVersion, RankNonce}));
}

QByteArray hello(const RunId& run = Run, std::int32_t rank = 0, std::int32_t worldSize = 1)
{
    wire::Hello message;
    message.runId = run.text;
    message.rank = rank;
    message.worldSize = worldSize;
    return text(*wire::encode(message));
}

QByteArray proof(const wire::Secret& secret, const wire::Challenge& challenge)
{
    return text(*wire::proofOf(wire::Side::Rank, secret, {RankNonce, challenge.nonce}));
}

/// A server of one rank, or of as many as the first says (0), and what it said.
struct Door {
    explicit Door(std::int32_t worldSize = 1)
        : server(Run, worldSize, RightSecret, Patience, nullptr)
    {
        QObject::connect(&server, &launch::RankServer::strangerTurnedAway, &server,
            [this](std::int64_t, const Text& reason) { reasons.append(QString::fromStdString(reason.english)); });
        QObject::connect(&server, &launch::RankServer::rankConnected, &server,
            [this](std::int32_t rank, const wire::Hello&) { ranks.append(rank); });
        if (!server.listen()) {
            qFatal("cannot listen");
        }
    }

    launch::RankServer server;
    QStringList reasons;
    QList<int> ranks;
};

/// Somebody who knocks.
struct Visitor {
    explicit Visitor(const Door& door) { socket.connectToHost(QHostAddress::LocalHost, door.server.port()); }

    /// Says it and gives what comes back: `size` bytes, or fewer if no more come.
    QByteArray say(const QByteArray& bytes, std::size_t size = 0)
    {
        socket.write(bytes);
        static_cast<void>(QTest::qWaitFor(
            [&] { return socket.bytesAvailable() >= static_cast<qint64>(size) && socket.bytesToWrite() == 0; },
            60'000));
        return socket.read(static_cast<qint64>(size));
    }
    wire::Challenge challenge()
    {
        std::array<std::byte, wire::ChallengeBytes> bytes{};
        const QByteArray answer = say(opening(), bytes.size());
        std::ranges::copy(
            std::as_bytes(std::span(answer.data(), static_cast<std::size_t>(answer.size()))), bytes.begin());
        const auto read = wire::readChallenge(bytes);
        return read ? *read : wire::Challenge{};
    }
    bool isShutOut()
    {
        return QTest::qWaitFor([&] { return socket.state() == QAbstractSocket::UnconnectedState; }, 60'000);
    }

    QTcpSocket socket;
};

} // namespace

class TestRankServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothSidesProveThemselves()
    {
        Door door;
        Visitor rank(door);
        const wire::Challenge challenge = rank.challenge();
        QCOMPARE(challenge.protocol, wire::ProtocolVersion);
        QVERIFY(wire::isProofOf(wire::Side::Workbench, challenge.proof, RightSecret, {RankNonce, challenge.nonce}));
        rank.say(proof(RightSecret, challenge) + hello());
        QTRY_COMPARE(door.ranks, QList<int>{0});
        QVERIFY(door.reasons.isEmpty());
    }

    void theFirstHelloSaysHowManyThereAre()
    {
        Door door(0);
        QVERIFY(door.server.connection(0) == nullptr);
        Visitor first(door);
        first.say(proof(RightSecret, first.challenge()) + hello(Run, 1, 3));
        QTRY_COMPARE(door.ranks, QList<int>{1});
        Visitor other(door);
        other.say(proof(RightSecret, other.challenge()) + hello(Run, 0, 2));
        QTRY_COMPARE(door.reasons, QStringList{"says that it is rank 0 of 2; this run has 3 ranks"});
        Visitor third(door);
        third.say(proof(RightSecret, third.challenge()) + hello(Run, 2, 3));
        QTRY_COMPARE(door.ranks, (QList<int>{1, 2}));
        QVERIFY(door.server.connection(2) != nullptr && door.server.connection(0) == nullptr);
    }

    void helloThatDoesNotFitIsTurnedAway_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QString>("reason");
        QTest::addRow("run") << hello(RunId{"20261123-070000-bbbb"}) << "belongs to another run";
        QTest::addRow("size") << hello(Run, 0, 3) << "says that it is rank 0 of 3; this run has 1 ranks";
        QTest::addRow("twice") << hello() << "says that it is rank 0, which has already connected";
    }
    void helloThatDoesNotFitIsTurnedAway()
    {
        QFETCH(QByteArray, words);
        QFETCH(QString, reason);
        Door door;
        Visitor first(door);
        const QByteArray firstProof = proof(RightSecret, first.challenge());
        if (words == hello()) {
            first.say(firstProof + hello());
            QTRY_COMPARE(door.ranks, QList<int>{0});
        }
        Visitor second(door);
        const QByteArray secondProof = proof(RightSecret, second.challenge());
        second.say(secondProof + words);
        QVERIFY(second.isShutOut());
        QVERIFY2(door.reasons.contains(reason), qPrintable(door.reasons.join(u'|')));
    }

    void anySplitIsTheSame()
    {
        Door door;
        Visitor rank(door);
        const QByteArray first = opening();
        for (const char byte : first.first(first.size() - 1)) {
            rank.say(QByteArray(1, byte));
        }
        rank.socket.write(first.last(1));
        QTRY_COMPARE(rank.socket.bytesAvailable(), qint64{wire::ChallengeBytes});
        std::array<std::byte, wire::ChallengeBytes> bytes{};
        rank.socket.read(reinterpret_cast<char*>(bytes.data()), wire::ChallengeBytes);
        for (const char byte : proof(RightSecret, *wire::readChallenge(bytes)) + hello()) {
            rank.say(QByteArray(1, byte));
        }
        QTRY_COMPARE(door.ranks, QList<int>{0});
    }

    void othersAreShutOut_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addRow("another secret") << 0;
        QTest::addRow("the workbench's own proof") << 1;
        QTest::addRow("half a proof") << 2;
        QTest::addRow("no proof, but a hello") << 3;
        QTest::addRow("nothing") << 4;
    }

    void othersAreShutOut()
    {
        QFETCH(int, kind);
        Door door;
        Visitor stranger(door);
        const wire::Challenge challenge = stranger.challenge();
        const std::array<QByteArray, 5> answers{proof(secretOf(18), challenge) + hello(),
            text(challenge.proof) + hello(), proof(RightSecret, challenge).first(16), hello(), QByteArray()};
        stranger.say(answers[static_cast<std::size_t>(kind)]);
        QVERIFY(stranger.isShutOut());
        QCOMPARE(door.reasons, QStringList{"has not proved that it belongs to this run"});
        QVERIFY(door.ranks.isEmpty());
    }

    void recordedExchangeIsNoUse()
    {
        Door door;
        QByteArray recorded;
        {
            Visitor rank(door);
            recorded = proof(RightSecret, rank.challenge());
        }
        Visitor stranger(door);
        const wire::Challenge again = stranger.challenge();
        QVERIFY(recorded != proof(RightSecret, again)); // the workbench's nonce is another
        stranger.say(recorded + hello());
        QVERIFY(stranger.isShutOut());
        QVERIFY(door.ranks.isEmpty());
        QTRY_COMPARE(door.reasons.size(), 2);
    }

    void openingCutShortTimesOut()
    {
        Door door;
        Visitor stranger(door);
        stranger.say(opening().first(40));
        QVERIFY(stranger.isShutOut());
        QCOMPARE(door.reasons.size(), 1);
    }

    void rankOfVersion1IsToldSo()
    {
        Door door;
        Visitor old(door);
        const QByteArray answer = text(*wire::encode(wire::Welcome{wire::ProtocolVersion, {}}));
        // What it waits for is a welcome: it says itself that the workbench's version is another.
        QCOMPARE(old.say("LOCKSTEP" + text(RightSecret) + hello(), static_cast<std::size_t>(answer.size())), answer);
        old.socket.disconnectFromHost();
        QTRY_COMPARE(door.reasons,
            QStringList{"speaks protocol version 1, this program speaks 2: build both from the same sources"});
        QVERIFY(door.ranks.isEmpty());
    }

    void rankOfALaterVersionIsToldSo()
    {
        Door door;
        Visitor later(door);
        const QByteArray head = later.say(text(wire::toBytes(wire::Opening{3, RankNonce})), wire::HeadBytes);
        QCOMPARE(head, opening().first(wire::HeadBytes));
        QVERIFY(later.isShutOut()); // also if it stays
        QCOMPARE(door.reasons,
            QStringList{"speaks protocol version 3, this program speaks 2: build both from the same sources"});
    }
};

LOCKSTEP_TEST(TestRankServer)
#include "test_rank_server.moc"
