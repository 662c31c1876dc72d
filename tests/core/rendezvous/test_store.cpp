// The store of a run over several hosts: keys, members, messages of rank 0, and strangers at its port.
#include "program/test_class.h"
#include "rendezvous/store/key_table.h"
#include "rendezvous/store/store_client.h"
#include "rendezvous/store/store_connection.h"
#include "rendezvous/store/store_server.h"
#include "wire/handshake.h"
#include "wire/messages.h"

#include <QElapsedTimer>
#include <QTest>

#include <array>
#include <cstring>
#include <future>
#include <thread>

#include <poll.h>
#include <sys/socket.h>

using namespace lockstep;
using namespace lockstep::rendezvous;
using namespace std::chrono_literals;

namespace {

constexpr wire::Secret Secret{std::byte{7}};
constexpr wire::Secret OtherSecret{std::byte{8}};

Member member(std::int32_t rank, std::int32_t size)
{
    return {.rank = rank,
        .size = size,
        .version = "lockstep-rank 1",
        .what = "hash",
        .host = "n" + std::to_string(rank),
        .domain = "boot",
        .address = "127.0.0.1",
        .process = 100 + rank};
}

std::unique_ptr<StoreServer> serve(std::int32_t size)
{
    auto listener = listenOn("127.0.0.1", 0);
    auto server = StoreServer::start(*std::move(listener), member(0, size), Secret);
    return *std::move(server);
}

Result<std::unique_ptr<StoreClient>> client(const StoreServer& server, const wire::Secret& secret = Secret)
{
    return StoreClient::connect("127.0.0.1", server.port(), secret, SocketClock::now() + 5s);
}

/// Clients that have all joined, by rank.
struct Group {
    std::unique_ptr<StoreServer> server;
    std::vector<std::unique_ptr<StoreClient>> ranks;
    std::vector<std::vector<std::string>> published;

    explicit Group(std::int32_t size)
        : server(serve(size))
        , published(static_cast<std::size_t>(size))
    {
        for (std::int32_t rank = 0; rank < size; ++rank) {
            ranks.push_back(*client(*server));
        }
        std::vector<std::future<bool>> joins;
        for (std::int32_t rank = 0; rank < size; ++rank) {
            joins.push_back(std::async(std::launch::async, [this, rank, size] {
                auto& kept = published[static_cast<std::size_t>(rank)];
                const auto all = ranks[static_cast<std::size_t>(rank)]->join(
                    member(rank, size), SocketClock::now() + 5s, [](const std::string&) {},
                    [&kept](const std::string& bytes) { kept.push_back(bytes); });
                return all && all->size() == static_cast<std::size_t>(size);
            }));
        }
        for (auto& join : joins) {
            isJoined = isJoined && join.get();
        }
    }
    bool isJoined = true;
};

std::string errorOf(const Result<std::vector<Member>>& joined)
{
    return joined ? "joined" : joined.error().message;
}

Result<std::vector<Member>> join(StoreClient& rank, const Member& self, std::chrono::milliseconds limit = 5s)
{
    return rank.join(
        self, SocketClock::now() + limit, [](const std::string&) {}, [](const std::string&) {});
}

/// A peer that has opened a connection and sent `bytes`; whether the store closes it within `limit`.
bool isCutOff(const StoreServer& server, const std::string& bytes, std::chrono::milliseconds limit)
{
    const auto socket = connectTo("127.0.0.1", server.port(), SocketClock::now() + 1s);
    if (!socket || !sendAll(*socket, std::as_bytes(std::span(bytes)), SocketClock::now() + 1s)) {
        return true;
    }
    const auto deadline = SocketClock::now() + limit;
    std::array<char, 4096> answer{};
    while (waitFor(socket->number(), POLLIN, deadline)) {
        if (recv(socket->number(), answer.data(), answer.size(), MSG_DONTWAIT) <= 0) {
            return true;
        }
    }
    return false;
}

template <typename Array>
std::string textOf(const Array& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysAreThoseOfC10d()
    {
        Group group(2);
        QVERIFY(group.isJoined);
        StoreClient& a = *group.ranks[0];
        StoreClient& b = *group.ranks[1];
        QVERIFY(a.set("k", std::string("v\0w", 3)));
        QCOMPARE(*b.get("k", 5s), std::string("v\0w", 3));
        QCOMPARE(*a.add("n", 2), std::int64_t{2});
        QCOMPARE(*b.add("n", -3), std::int64_t{-1});
        QCOMPARE(*b.get("n", 5s), std::string("-1"));
        QCOMPARE(*a.compareSet("c", "", "1"), std::string("1"));
        QCOMPARE(*a.compareSet("c", "2", "3"), std::string("1"));
        QCOMPARE(*a.compareSet("c", "1", "3"), std::string("3"));
        QCOMPARE(*a.compareSet("none", "x", "3"), std::string("x"));
        QCOMPARE(*a.count(), std::int64_t{3});
        QVERIFY(*a.hasAll({"k", "n"}) && !*a.hasAll({"k", "none"}));
        QVERIFY(*b.erase("k") && !*b.erase("k"));
        auto waits = std::async(std::launch::async, [&b] { return b.wait({"late", "later"}, 5s).isOk(); });
        QVERIFY(a.set("late", "1"));
        QCOMPARE(waits.wait_for(50ms), std::future_status::timeout);
        QVERIFY(a.set("later", "1"));
        QVERIFY(waits.get());
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!b.get("never", 100ms));
        QVERIFY(timer.elapsed() >= 100 && timer.elapsed() < 5000);
    }

    void whatIsPublishedIsEverywhereWhenTheCallReturns()
    {
        Group group(3);
        QVERIFY(group.isJoined);
        for (int i = 0; i < 100; ++i) {
            QVERIFY(group.ranks[0]->publish("message " + std::to_string(i)));
            for (const auto& received : group.published) {
                QCOMPARE(received.size(), static_cast<std::size_t>(i) + 1);
                QCOMPARE(received.back(), "message " + std::to_string(i));
            }
        }
    }

    void ranksThatDoNotBelongTogetherAreRefusedNamingBoth_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("line");
        QTest::newRow("size")
            << "size"
            << "rank 1 (process 101 on n1) joined as one of 3 ranks, but rank 0 (process 100 on n0) as "
               "one of 2: give all ranks of a job the same number of ranks";
        QTest::newRow("version") << "version"
                                 << "rank 1 (process 101 on n1) is lockstep-rank 2, but rank 0 (process 100 on n0) is "
                                    "lockstep-rank 1: use the same lockstep-rank on all hosts";
        QTest::newRow("spec")
            << "spec"
            << "rank 1 (process 101 on n1) was started with a different spec than rank 0 (process 100 on "
               "n0): give all ranks of a job the same file";
        QTest::newRow("twice") << "twice"
                               << "rank 0 (process 101 on n1) joined, but rank 0 (process 100 on n0) has joined "
                                  "already: two jobs use the same address, or two processes have the same rank";
    }
    void ranksThatDoNotBelongTogetherAreRefusedNamingBoth()
    {
        QFETCH(QString, field);
        QFETCH(QString, line);
        const auto server = serve(2);
        const auto first = client(*server);
        const auto second = client(*server);
        QVERIFY(first && second);
        auto waiting = std::async(std::launch::async, [&] { return errorOf(join(**first, member(0, 2))); });
        std::this_thread::sleep_for(100ms); // rank 0 comes first, so that the line names it second
        Member other = member(1, field == "size" ? 3 : 2);
        other.version = field == "version" ? "lockstep-rank 2" : other.version;
        other.what = field == "spec" ? "another" : other.what;
        other.rank = field == "twice" ? 0 : 1;
        QCOMPARE(QString::fromStdString(errorOf(join(**second, other))), line);
        QCOMPARE(QString::fromStdString(waiting.get()), line);
    }

    void whoIsMissingIsNamedAtTheTimeOut()
    {
        const auto server = serve(4);
        const auto first = client(*server);
        QCOMPARE(QString::fromStdString(errorOf(join(**first, member(1, 4), 1s))),
            QString("ranks 0, 2, 3 of 4 have not arrived within 1 s"));
    }

    void whoIsMissingIsToldWhileWaiting()
    {
        const auto server = serve(3);
        const auto first = client(*server);
        std::string told;
        const auto joined = (*first)->join(
            member(0, 3), SocketClock::now() + 6s, [&told](const std::string& text) { told = text; },
            [](const std::string&) {});
        QVERIFY(!joined);
        QCOMPARE(QString::fromStdString(told), QString("waiting for ranks 1, 2 of 3 (5 s)"));
    }

    void aRankThatEndsIsNamed()
    {
        Group group(3);
        QVERIFY(group.isJoined);
        QCOMPARE(group.ranks[0]->deadPeers(-1).english, std::string());
        group.ranks[2].reset();
        QTRY_COMPARE(QString::fromStdString(group.ranks[0]->deadPeers(-1)),
            QString("rank 2 (process 102 on n2) has left the group"));
        QCOMPARE(group.ranks[0]->deadPeers(-1).arguments.at(0), rankName(2)); // its parts have crossed the socket
        // What is published no longer waits for it.
        QVERIFY(group.ranks[0]->publish("x"));
        group.server.reset();
        QTRY_COMPARE(
            QString::fromStdString(group.ranks[1]->deadPeers(-1)), QString("the store on 127.0.0.1 has ended"));
    }

    void membersThatAreSilentOrCutAreLost()
    {
        Membership members(member(0, 3));
        const auto start = SocketClock::now();
        for (const std::int32_t rank : {0, 1, 2}) {
            QVERIFY(members.join(member(rank, 3), start));
        }
        QVERIFY(members.isComplete());
        members.beat(0, 5, start + 3s);
        members.beat(1, 4, start + 1s);
        members.disconnect(2);
        members.check(start + 3s);
        auto gone = members.takeGone();
        QCOMPARE(gone.size(), std::size_t{1});
        QCOMPARE(gone[0].reason.english, std::string("rank 2 (process 102 on n2) has died"));
        members.check(start + 4s + 1ms);
        gone = members.takeGone();
        QCOMPARE(gone.size(), std::size_t{1});
        QCOMPARE(gone[0].reason.english, std::string("rank 1 (process 101 on n1) has not been heard for 3 s"));
        QCOMPARE(members.calls(), (std::vector<std::uint64_t>{5, 4, 0}));
    }

    void heartbeatsTellWhoHasNotEntered()
    {
        Group group(2);
        QVERIFY(group.isJoined);
        group.ranks[0]->beginCall();
        QCOMPARE(group.ranks[0]->whoIsMissing().english, std::string("here: 0; missing: 1"));
        group.ranks[1]->beginCall();
        QTRY_COMPARE(group.ranks[0]->whoIsMissing().english, std::string());
    }

    /// No secret, a wrong one, a recorded exchange, garbage, or nothing at all: cut off, while the group works.
    void strangersAreCutOffAndDisturbNobody()
    {
        Group group(2);
        QVERIFY(group.isJoined);
        const auto wrong = client(*group.server, OtherSecret);
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().message.find("does not have this job's secret") != std::string::npos,
            wrong.error().message.c_str());
        const wire::Nonce nonce = *wire::makeNonce();
        const std::string opening = textOf(wire::toBytes(wire::Opening{wire::ProtocolVersion, nonce}));
        // A proof that was right for another exchange.
        const auto proof = wire::proofOf(wire::Side::Rank, storeSecretOf(Secret), {nonce, nonce});
        QVERIFY(isCutOff(*group.server, opening + textOf(*proof), 2s));
        QVERIFY(isCutOff(*group.server, std::string(4096, 'x'), 2s));
        QVERIFY(isCutOff(*group.server, opening + std::string(100, '\xff'), 2s));
        QVERIFY(isCutOff(*group.server, "", ProofLimit + 2s));
        QVERIFY(group.ranks[0]->publish("still here"));
        QVERIFY(group.ranks[1]->set("k", "v"));
        QCOMPARE(*group.ranks[0]->get("k", 1s), std::string("v"));
        QCOMPARE(group.ranks[0]->deadPeers(-1).english, std::string());
    }

    /// Who has the secret but does not speak as a member: its connection ends, nothing else.
    void aFrameThatIsTooLongEndsItsConnection()
    {
        StoreConnection connection(Secret, SocketClock::now());
        const wire::Nonce nonce{};
        QVERIFY(connection.feed(textOf(wire::toBytes(wire::Opening{wire::ProtocolVersion, nonce}))));
        std::array<std::byte, wire::ChallengeBytes> bytes{};
        QCOMPARE(connection.out().size(), bytes.size());
        std::memcpy(bytes.data(), connection.out().data(), bytes.size());
        const auto proof = wire::proofOf(wire::Side::Rank, Secret, {nonce, wire::readChallenge(bytes)->nonce});
        QVERIFY(connection.feed(textOf(*proof)));
        QVERIFY(connection.isProved());
        std::string frame;
        QVERIFY(connection.feed(storeFrame(StoreKind::Count, 3).frame()));
        QVERIFY(connection.nextFrame(frame));
        QCOMPARE(frame.size(), std::size_t{16});
        QVERIFY(connection.feed(std::string("\xff\xff\xff\xff", 4)));
        QVERIFY(!connection.nextFrame(frame));
        QVERIFY(connection.isBad(SocketClock::now()));
    }

    void packetsCheckEveryLength()
    {
        const std::string frame = PacketWriter().number(5).text("abc").frame();
        std::string buffer = frame.substr(0, frame.size() - 1);
        std::string body;
        bool isTooLong = false;
        QVERIFY(!takeFrame(buffer, body, isTooLong));
        buffer = frame;
        QVERIFY(takeFrame(buffer, body, isTooLong) && buffer.empty());
        for (std::size_t cut = 0; cut < body.size(); ++cut) {
            PacketReader reader(std::string_view(body).substr(0, cut));
            static_cast<void>(reader.number());
            static_cast<void>(reader.text());
            QVERIFY(!reader.isValid());
        }
        PacketReader reader(body);
        QCOMPARE(reader.number(), std::uint64_t{5});
        QCOMPARE(reader.text(), std::string("abc"));
        QVERIFY(reader.isAtEnd());
    }
};

LOCKSTEP_TEST(TestStore)
#include "test_store.moc"
