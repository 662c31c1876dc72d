// A rank that meets a workbench, or what pretends to be one: nothing is said to a peer that has not proved itself.
#include "engine/telemetry/recorder.h"
#include "program/test_class.h"
#include "wire/handshake.h"

#include <QTest>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <functional>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::engine;
using namespace std::chrono_literals;

namespace {

using Bytes = std::vector<std::byte>;

wire::Secret secretOf(int number)
{
    wire::Secret secret{};
    secret.fill(static_cast<std::byte>(number));
    return secret;
}

const wire::Secret RightSecret = secretOf(17);
const wire::Nonce WorkbenchNonce = secretOf(99);

/// One connection to a listener that takes the workbench's place.
class Conversation {
public:
    explicit Conversation(int socket)
        : m_socket(socket)
    { }

    /// What arrives: at most `size` bytes, fewer if the rank closes before.
    Bytes receive(std::size_t size)
    {
        Bytes bytes(size);
        std::size_t got = 0;
        while (got < size) {
            const ssize_t n = recv(m_socket, bytes.data() + got, size - got, 0);
            if (n <= 0) {
                break;
            }
            got += static_cast<std::size_t>(n);
        }
        bytes.resize(got);
        m_heard.insert(m_heard.end(), bytes.begin(), bytes.end());
        return bytes;
    }
    void say(std::span<const std::byte> bytes)
    {
        static_cast<void>(send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }
    wire::Nonce nonce()
    {
        const Bytes bytes = receive(wire::OpeningBytes);
        std::array<std::byte, wire::OpeningBytes> opening{};
        std::ranges::copy(bytes, opening.begin());
        const auto read = wire::readOpening(opening);
        return read ? read->nonce : wire::Nonce{};
    }
    [[nodiscard]] const Bytes& heard() const { return m_heard; }

private:
    int m_socket;
    Bytes m_heard;
};

/// Listens for one rank and talks to it as `talk` does; what the rank said is in heard() afterwards.
class Listener {
public:
    explicit Listener(std::function<void(Conversation&)> talk)
        : m_socket(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        auto* plain = reinterpret_cast<sockaddr*>(&address);
        if (bind(m_socket, plain, length) != 0 || listen(m_socket, 1) != 0
            || getsockname(m_socket, plain, &length) != 0) {
            qFatal("cannot listen");
        }
        m_address = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
        m_thread = std::thread([this, talk = std::move(talk)] {
            const int connection = accept(m_socket, nullptr, nullptr);
            Conversation conversation(connection);
            talk(conversation);
            shutdown(connection, SHUT_WR);
            conversation.receive(1 << 16); // until the rank closes
            close(connection);
            m_heard = conversation.heard();
        });
    }
    ~Listener()
    {
        if (m_thread.joinable()) {
            m_thread.join();
        }
        close(m_socket);
    }

    [[nodiscard]] Result<SocketSession> connect(
        const wire::Secret& secret = RightSecret, std::chrono::milliseconds timeout = 10s) const
    {
        wire::Hello hello;
        hello.runId = "20261123-070000-aaaa";
        return connectToWorkbench({m_address}, secret, hello, timeout);
    }
    /// After connect().
    Bytes heard()
    {
        m_thread.join();
        return m_heard;
    }

private:
    int m_socket;
    std::string m_address;
    Bytes m_heard;
    std::thread m_thread;
};

Bytes challengeOf(const wire::Secret& secret, const wire::Nonces& nonces, wire::Side side = wire::Side::Workbench)
{
    const auto proof = wire::proofOf(side, secret, nonces);
    const auto bytes = wire::toBytes(wire::Challenge{wire::ProtocolVersion, WorkbenchNonce, *proof});
    return {bytes.begin(), bytes.end()};
}

Bytes bytesOf(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

bool contains(const Bytes& all, std::span<const std::byte> part)
{
    return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

} // namespace

class TestIntroduction : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workbenchWithTheSecretIsTold()
    {
        bool isProved = false;
        Listener listener([&isProved](Conversation& rank) {
            const wire::Nonces nonces{rank.nonce(), WorkbenchNonce};
            rank.say(challengeOf(RightSecret, nonces));
            wire::Proof proof{};
            std::ranges::copy(rank.receive(proof.size()), proof.begin());
            isProved = wire::isProofOf(wire::Side::Rank, proof, RightSecret, nonces);
            rank.say(*wire::encode(wire::Welcome{wire::ProtocolVersion, "{}"}));
        });
        {
            const auto session = listener.connect();
            QVERIFY2(session.isOk(), session.isOk() ? "" : session.error().message.c_str());
            QCOMPARE(session->welcome.specJson, std::string("{}"));
        }
        const Bytes heard = listener.heard();
        QVERIFY(isProved);
        QVERIFY(contains(heard, bytesOf("20261123-070000-aaaa")));
        QVERIFY(!contains(heard, std::span(RightSecret).first(8)));
    }

    void othersAreToldNothing_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addRow("another secret") << 0;
        QTest::addRow("the rank's own proof") << 1;
        QTest::addRow("the nonces in the other order") << 2;
        QTest::addRow("a recorded challenge") << 3;
    }

    void othersAreToldNothing()
    {
        QFETCH(int, kind);
        Bytes recorded;
        if (kind == 3) {
            Listener earlier([&recorded](Conversation& rank) {
                recorded = challengeOf(RightSecret, {rank.nonce(), WorkbenchNonce});
                rank.say(recorded);
            });
            QVERIFY(!earlier.connect());
            // The recorded exchange was a good one: the rank proved itself.
            QVERIFY(earlier.heard().size() > wire::OpeningBytes + sizeof(wire::Proof));
        }
        Listener listener([&](Conversation& rank) {
            const wire::Nonce nonce = rank.nonce();
            const std::array<Bytes, 4> challenges{challengeOf(secretOf(18), {nonce, WorkbenchNonce}),
                challengeOf(RightSecret, {nonce, WorkbenchNonce}, wire::Side::Rank),
                challengeOf(RightSecret, {WorkbenchNonce, nonce}), recorded};
            rank.say(challenges[static_cast<std::size_t>(kind)]);
        });
        const auto session = listener.connect();
        QVERIFY(!session);
        QVERIFY2(session.error().message.find("does not have this run's secret") != std::string::npos,
            session.error().message.c_str());
        QCOMPARE(listener.heard().size(), wire::OpeningBytes);
    }

    void rankWithAnotherSecretNoticesItself()
    {
        Listener listener([](Conversation& rank) {
            rank.say(challengeOf(RightSecret, {rank.nonce(), WorkbenchNonce}));
        });
        const auto session = listener.connect(secretOf(18));
        QVERIFY(!session);
        QVERIFY(session.error().message.find("LOCKSTEP_SECRET") != std::string::npos);
        QCOMPARE(listener.heard().size(), wire::OpeningBytes);
    }

    void truncatedChallengeIsRefused()
    {
        for (const std::size_t size : {0u, 5u, 11u, 12u, 43u, 44u, 75u}) {
            Listener listener([size](Conversation& rank) {
                Bytes challenge = challengeOf(RightSecret, {rank.nonce(), WorkbenchNonce});
                challenge.resize(size);
                rank.say(challenge);
            });
            const auto session = listener.connect();
            QVERIFY(!session);
            QVERIFY2(session.error().message.find("closed the connection before it proved") != std::string::npos,
                session.error().message.c_str());
            QCOMPARE(listener.heard().size(), wire::OpeningBytes);
        }
    }

    void silenceEndsInTime()
    {
        Listener listener([](Conversation& rank) {
            rank.nonce();
            rank.say(bytesOf("Lockstep"));
            rank.receive(1); // until the rank gives up
        });
        const auto session = listener.connect(RightSecret, 200ms);
        QVERIFY(!session);
        QCOMPARE(session.error().message, std::string("the workbench did not answer in time"));
        QCOMPARE(listener.heard().size(), wire::OpeningBytes);
    }

    void otherVersionIsOneLine_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("line");
        const auto later = wire::toBytes(wire::Opening{wire::ProtocolVersion + 1, {}});
        QTest::addRow("later") << QByteArray(reinterpret_cast<const char*>(later.data()), wire::HeadBytes)
                               << QByteArray("the workbench speaks protocol version 3, this rank 2: build both from "
                                             "the same sources");
        // One of version 1 reads 40 bytes and closes.
        QTest::addRow("earlier") << QByteArray() << QByteArray("or older than this rank (protocol version 2)");
        QTest::addRow("none") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << QByteArray("is not a workbench");
    }

    void otherVersionIsOneLine()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QByteArray, line);
        Listener listener([&answer](Conversation& rank) {
            rank.receive(40);
            rank.say(bytesOf(answer.toStdString()));
        });
        const auto session = listener.connect();
        QVERIFY(!session);
        const QByteArray message = QByteArray::fromStdString(session.error().message);
        QVERIFY2(message.contains(line), message);
        QVERIFY(!message.contains('\n'));
    }
};

LOCKSTEP_TEST(TestIntroduction)
#include "test_introduction.moc"
