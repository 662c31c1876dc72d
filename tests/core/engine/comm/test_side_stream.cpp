// Collectives on a stream beside a rank's other work, on a device that does everything late.
#include "core/engine/comm/device_group.h"
#include "core/engine/comm/overlapped_sums.h"
#include "program/test_class.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;
using namespace std::chrono_literals;

namespace {

/// What the ranks say that are not fine.
std::string overlapped(int ranks, Summed which, Forgotten forgotten = Forgotten::Nothing)
{
    IpcOptions options = smallSlots();
    options.reduceWholeBelow = which == Summed::Shared ? 1 : 0; // else such short arrays go through slots
    std::string wrong;
    for (const auto& done : asDeviceRanks(ranks, overIpcWith(options), [&](const DeviceRank& rank) -> Result<void> {
             void* const own = rank.device.stream();
             int other = 0;
             return OverlappedSums(rank.group, rank.group.queueingDevice(), &other,
                 [&](void* to, const void* from, std::size_t bytes) { rank.device.copyOn(own, to, from, bytes); })
                 .run(which, forgotten);
         })) {
        wrong += done ? "" : done.error().message + "; ";
    }
    return wrong;
}

} // namespace

class TestSideStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsAreThoseOfTheirInputs_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("isShared");
        for (const int ranks : {1, 2, 3}) {
            QTest::addRow("%d ranks, shared", ranks) << ranks << true;
            QTest::addRow("%d ranks, slots", ranks) << ranks << false;
        }
    }

    void sumsAreThoseOfTheirInputs()
    {
        QFETCH(int, ranks);
        QFETCH(bool, isShared);
        QCOMPARE(overlapped(ranks, isShared ? Summed::Shared : Summed::Own), std::string());
    }

    void aForgottenWaitIsSeen()
    {
        bool isSeen = false;
        for (int tries = 0; tries < 50 && !isSeen; ++tries) { // what is not ordered may still come in order
            isSeen = overlapped(2, Summed::Shared, Forgotten::Input).find("is wrong") != std::string::npos;
        }
        QVERIFY(isSeen);
    }

    /// Rank 1's input is not there before rank 0 has done what it has queued behind its collective.
    void otherWorkGoesOn()
    {
        const auto isDone = std::make_shared<std::atomic<bool>>(false);
        const auto body = [&](const DeviceRank& rank) -> Result<void> {
            void* const own = rank.device.stream();
            int other = 0;
            LOCKSTEP_TRY_ASSIGN(const auto memory, rank.group.memory(Space::Device)->allocate(sizeof(float)));
            LOCKSTEP_TRY_ASSIGN(DeviceEvent* const behind, rank.device.createEvent(EventScope::ThisProcess));
            LOCKSTEP_TRY_ASSIGN(const auto side, SideStream::open(rank.group.queueingDevice(), &other, 1));
            const View view{memory.get(), 1, DataType::Float32, Space::Device};
            rank.device.zero(memory.get(), sizeof(float));
            LOCKSTEP_TRY(rank.group.allReduce(view, view, Reduction::Sum)); // the slots are there from now on
            side->fork();
            if (rank.group.rank() == 1) {
                rank.device.holdUpOn(own, isDone);
            }
            side->inputIsQueued(0);
            const auto work = rank.group.start(
                {.what = Collective::AllReduce, .in = view, .out = view}, {.before = [&]() -> Result<void> {
                    side->awaitInput(0);
                    return {};
                }});
            LOCKSTEP_TRY(work->wait());
            rank.device.recordOn(own, behind);
            if (rank.group.rank() == 0) {
                const auto end = std::chrono::steady_clock::now() + 60s;
                while (!rank.device.hasHappened(behind) && std::chrono::steady_clock::now() < end) {
                    std::this_thread::sleep_for(1ms);
                }
                const bool wentOn = rank.device.hasHappened(behind);
                *isDone = true;
                if (!wentOn) {
                    return Error{"what is queued behind a collective waits for it"};
                }
            }
            side->join();
            auto done = rank.group.finish();
            rank.device.destroyEvent(behind);
            return done;
        };
        for (const auto& done : asDeviceRanks(2, overIpcWith(smallSlots()), body)) {
            QVERIFY2(done, done ? "" : done.error().message.c_str());
        }
    }

    void anErrorBeforehandKeepsTheOperationFromRunning()
    {
        int runs = 0;
        OperationRunner runner([&](const Operation&, OperationTimes&) -> Result<void> {
            ++runs;
            return {};
        });
        const auto fails = []() -> Result<void> { return Error{"not now"}; };
        const auto before = runner.start({}, {.before = fails})->wait();
        QVERIFY(!before);
        QCOMPARE(before.error().message, std::string("not now"));
        QCOMPARE(runs, 0);
        QVERIFY(!runner.start({}, {.after = fails})->wait());
        QCOMPARE(runs, 1);
        QVERIFY(runner.start({})->wait());
        QCOMPARE(runs, 2);
    }
};

LOCKSTEP_TEST(TestSideStream)
#include "test_side_stream.moc"
