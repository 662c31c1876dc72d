// How ranks of one machine meet: each gets the descriptor, and who does not belong is refused with what to do.
#include "engine/comm/shm/share_descriptor.h"
#include "program/busy_machine.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <csignal>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;
using namespace std::chrono_literals;

namespace {

Rendezvous place(int rank, int size, const std::string& what = "run")
{
    return {"test-share-descriptor-" + std::to_string(getpid()), rank, size, 3s, what};
}

Result<Descriptor> share(const Rendezvous& rendezvous)
{
    return shareDescriptor(
        rendezvous, [] { return Result<Descriptor>(Descriptor(memfd_create("test", MFD_CLOEXEC))); });
}

QString messageOf(const Result<Descriptor>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

std::vector<Result<Descriptor>> nothing(std::size_t ranks)
{
    std::vector<Result<Descriptor>> results;
    for (std::size_t i = 0; i < ranks; ++i) {
        results.emplace_back(Descriptor());
    }
    return results;
}

std::vector<Result<Descriptor>> together(const std::vector<Rendezvous>& ranks)
{
    auto results = nothing(ranks.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        threads.emplace_back([&, i] {
            std::this_thread::sleep_for(20ms * i); // in order
            results[i] = share(ranks[i]);
        });
    }
    threads.clear();
    return results;
}

ino_t inodeOf(const Descriptor& file)
{
    struct stat status { };
    return fstat(file.number(), &status) == 0 ? status.st_ino : 0;
}

} // namespace

class TestShareDescriptor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankGetsTheSameFile()
    {
        const auto results = together({place(0, 3), place(2, 3), place(1, 3)});
        for (const auto& result : results) {
            QVERIFY2(result.isOk(), qPrintable(messageOf(result)));
            QCOMPARE(inodeOf(*result), inodeOf(*results[0]));
        }
    }

    /// SIGSTOP and SIGCONT interrupt a call with a time limit; here a handler without SA_RESTART does, again and again.
    void signalsDoNotLoseTheMeeting()
    {
        struct sigaction action { };
        struct sigaction before { };
        action.sa_handler = [](int) {};
        QVERIFY(sigaction(SIGUSR1, &action, &before) == 0);
        auto results = nothing(3);
        std::atomic<int> left = 3;
        std::vector<std::jthread> ranks;
        for (int rank = 2; rank >= 0; --rank) { // rank 0 comes last
            ranks.emplace_back([&, rank] {
                results[static_cast<std::size_t>(rank)] = share(place(rank, 3));
                --left;
                while (left > 0) { // a thread that is interrupted must exist
                    std::this_thread::sleep_for(1ms);
                }
            });
        }
        while (left > 0) {
            for (std::jthread& rank : ranks) {
                pthread_kill(rank.native_handle(), SIGUSR1);
            }
            std::this_thread::sleep_for(200us);
        }
        ranks.clear();
        sigaction(SIGUSR1, &before, nullptr);
        for (const auto& result : results) {
            QVERIFY2(result.isOk(), qPrintable(messageOf(result)));
            QCOMPARE(inodeOf(*result), inodeOf(*results[0]));
        }
    }

    void whoDoesNotBelongIsRefused_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("size");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("message");
        QTest::addRow("another size") << 1 << 4 << "run"
                                      << "rank 1 of 4 joined, but rank 0 expects a different number";
        QTest::addRow("another run") << 1 << 3 << "other"
                                     << "rank 1 was started with a different spec than rank 0";
    }

    /// Both ends say so at once: neither waits for its limit.
    void whoDoesNotBelongIsRefused()
    {
        QFETCH(int, rank);
        QFETCH(int, size);
        QFETCH(QString, what);
        QFETCH(QString, message);
        QElapsedTimer timer;
        timer.start();
        const auto results = together({place(0, 3), place(rank, size, what.toStdString())});
        QVERIFY(isWithin(timer.elapsed(), 2500));
        for (const auto& result : results) {
            QVERIFY2(messageOf(result).startsWith(message), qPrintable(messageOf(result)));
            QVERIFY(messageOf(result).contains("set LOCKSTEP_RUN to a different value for each job"));
        }
    }

    void whoComesTwiceIsRefused()
    {
        const auto results = together({place(0, 3), place(1, 3), place(1, 3)});
        QVERIFY(results[1]);
        QVERIFY2(messageOf(results[2]).startsWith("rank 1 joined twice"), qPrintable(messageOf(results[2])));
        QVERIFY(messageOf(results[0]).startsWith("rank 1 joined twice"));
    }

    void aSecondJobOfTheNameIsRefused()
    {
        const auto results = together({place(0, 2), place(0, 2), place(1, 2)});
        QVERIFY(results[0] && results[2]);
        QVERIFY2(messageOf(results[1]).startsWith("another job of this user is using the name test-share-descriptor-"),
            qPrintable(messageOf(results[1])));
        QVERIFY(messageOf(results[1]).contains("LOCKSTEP_RUN"));
    }

    /// A process that connects and says nothing holds the others up for a second, not for good.
    void whoSaysNothingIsPassedOver()
    {
        auto results = nothing(2);
        std::jthread first([&] { results[0] = share(place(0, 2)); });
        const int stranger = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string name = "lockstep-" + std::to_string(getuid()) + "-" + place(0, 2).name;
        name.copy(address.sun_path + 1, name.size());
        const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        while (::connect(stranger, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
            std::this_thread::sleep_for(1ms);
        }
        std::jthread second([&] { results[1] = share(place(1, 2)); });
        first.join();
        second.join();
        close(stranger);
        QVERIFY2(results[0] && results[1], qPrintable(messageOf(results[0]) + messageOf(results[1])));
    }

    void whoIsAloneIsTold()
    {
        Rendezvous alone = place(0, 2);
        alone.timeout = 1s;
        QCOMPARE(messageOf(share(alone)), QString("shared memory: only 1 of 2 ranks have arrived within 1 s"));
        alone.rank = 1;
        QCOMPARE(messageOf(share(alone)), QString("shared memory: rank 0 has not arrived within 1 s"));
    }
};

LOCKSTEP_TEST(TestShareDescriptor)
#include "test_share_descriptor.moc"
