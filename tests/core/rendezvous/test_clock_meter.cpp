// A host's clock is measured against that of the store, which here is another one.
#include "base/clock.h"
#include "program/test_class.h"
#include "rendezvous/clock_meter.h"
#include "rendezvous/network.h"

#include <QTest>

#include <future>
#include <mutex>
#include <vector>

using namespace lockstep;
using namespace lockstep::rendezvous;
using namespace std::chrono_literals;

namespace {

constexpr wire::Secret ClockSecret{std::byte{7}};
constexpr std::int64_t Ahead = 11'000'300'000;

std::int64_t clockAhead()
{
    return monotonicNs() + Ahead;
}

Member member(std::int32_t rank, const std::string& domain)
{
    return {.rank = rank,
        .size = 2,
        .version = "lockstep-rank 1",
        .what = "hash",
        .host = "n" + std::to_string(rank),
        .domain = domain,
        .address = "127.0.0.1",
        .process = 100 + rank};
}

/// Two ranks that have met; rank 0 serves.
struct Pair {
    std::unique_ptr<StoreServer> server;
    std::vector<std::unique_ptr<StoreClient>> ranks;
    Member other;

    Pair(StoreServer::Clock clock, const std::string& otherDomain)
        : other(member(1, otherDomain))
    {
        const Member first = member(0, "boot net:1 time:2 0");
        server = *StoreServer::start(*listenOn("127.0.0.1", 0), first, ClockSecret, clock);
        for (int rank = 0; rank < 2; ++rank) {
            ranks.push_back(*StoreClient::connect("127.0.0.1", server->port(), ClockSecret, SocketClock::now() + 5s));
        }
        const auto join = [this](int rank, const Member& self) {
            return ranks[static_cast<std::size_t>(rank)]
                ->join(
                    self, SocketClock::now() + 5s, [](const std::string&) {}, [](const std::string&) {})
                .isOk();
        };
        auto joined = std::async(std::launch::async, [&] { return join(0, first); });
        isJoined = join(1, other) && joined.get();
    }

    bool isJoined = false;
};

std::vector<ClockMeter::Measured> measuredDuring(Pair& pair, std::chrono::milliseconds time)
{
    std::mutex mutex;
    std::vector<ClockMeter::Measured> all;
    {
        const ClockMeter meter(*pair.ranks[1], pair.other.clock(), [&](const ClockMeter::Measured& measured) {
            const std::lock_guard lock(mutex);
            all.push_back(measured);
        });
        std::this_thread::sleep_for(time);
    }
    return all;
}

} // namespace

class TestClockMeter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClockIsItsBootAndItsTimeNamespace()
    {
        QCOMPARE(member(0, "boot net:1 pid:4 user:3 time:2 0").clock(), std::string("boot time:2"));
        QCOMPARE(member(0, "boot net:9 pid:5 user:3 time:2 0").clock(), std::string("boot time:2"));
        QVERIFY(member(0, "other net:1 time:2 0").clock() != member(0, "boot net:1 time:2 0").clock());
        QVERIFY(member(0, "boot net:1 time:3 0").clock() != member(0, "boot net:1 time:2 0").clock());
        QCOMPARE(member(0, "boot net:1 0").clock(), std::string("boot")); // a kernel without time namespaces
    }

    void anotherClockIsMeasuredAtTheStartAndAtTheEnd()
    {
        Pair pair(clockAhead, "elsewhere net:1 time:2 0");
        QVERIFY(pair.isJoined);
        const std::int64_t begin = monotonicNs();
        const auto measured = measuredDuring(pair, 300ms);
        const std::int64_t end = monotonicNs();
        QCOMPARE(measured.size(), std::size_t{2});
        for (const auto& each : measured) {
            QVERIFY(each.trips >= 50);
            QVERIFY(each.reading.atNs > begin && each.reading.atNs < end);
            const std::int64_t off = std::abs(each.reading.offsetNs - Ahead);
            QVERIFY2(off <= each.reading.errorNs, qPrintable(QString::number(off)));
            // How short a trip is depends on what else this machine does.
            QVERIFY2(each.reading.errorNs < 5'000'000, qPrintable(QString::number(each.reading.errorNs)));
        }
        QVERIFY(measured[1].reading.atNs - measured[0].reading.atNs > 100'000'000);
    }

    void oneClockIsNotMeasured()
    {
        Pair pair(monotonicNs, "boot net:7 time:2 0"); // another container of the store's host
        const auto measured = measuredDuring(pair, 100ms);
        QCOMPARE(measured.size(), std::size_t{1});
        QCOMPARE(measured.front().trips, 0);
        QCOMPARE(measured.front().reading.offsetNs, 0);
        QCOMPARE(measured.front().reading.errorNs, 0);
    }

    void whereARankIsLostTheEndIsNotMeasured()
    {
        Pair pair(clockAhead, "elsewhere net:1 time:2 0");
        std::vector<ClockMeter::Measured> measured;
        std::promise<void> first;
        {
            const ClockMeter meter(*pair.ranks[1], pair.other.clock(), [&](const ClockMeter::Measured& each) {
                measured.push_back(each);
                first.set_value(); // a second one would throw
            });
            first.get_future().wait();
            pair.server.reset();
            while (!pair.ranks[1]->hasLost()) {
                std::this_thread::sleep_for(5ms);
            }
        }
        QCOMPARE(measured.size(), std::size_t{1});
        QVERIFY(!pair.ranks[1]->readClock().isOk());
    }
};

LOCKSTEP_TEST(TestClockMeter)
#include "test_clock_meter.moc"
