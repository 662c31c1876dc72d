// What the account of a rank's memory counts, by kind, and what it refuses.
#include "engine/memory/memory_account.h"
#include "engine/memory/memory_report.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QTest>

#include <memory>
#include <thread>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

DeviceMemoryUse deviceUse;

/// How a report of a rank on a GPU ends whose tensors there take `most` bytes; empty: well.
std::string endingOn(torch::Device device, std::int64_t most, void (*body)(MemoryReport&), std::int64_t workspace = 0)
{
    deviceUse = {.live = most / 2, .most = most, .workspace = workspace};
    Recorder recorder(discard());
    LastingOnDevice lasting{.device = device, .bytes = {}, .foreignBytes = 1'000'000, .limitBytes = 9'000'000};
    of(lasting.bytes, MemoryKind::Parameters) = 3'000'000;
    of(lasting.bytes, MemoryKind::Gradients) = 1'000'000; // those that the ranks share
    MemoryReport report(recorder, {}, lasting, [](torch::Device) { return deviceUse; });
    try {
        body(report);
    } catch (const MemoryLimitReached& refused) {
        return refused.what();
    }
    return {};
}

torch::Tensor kilobytes(std::int64_t count)
{
    return torch::empty({count * 250}, torch::kFloat);
}

} // namespace

class TestMemoryAccount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void bytesAreBookedUnderTheKindOfTheScope()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        torch::Tensor weights;
        torch::Tensor scratch = kilobytes(7);
        {
            const MemoryScope scope(MemoryKind::Parameters);
            weights = kilobytes(3);
            const MemoryScope inner(MemoryKind::Gradients);
            const torch::Tensor gradients = kilobytes(5);
            QCOMPARE(account.live(), (MemoryBytes{3000, 5000, 0, 0, 0, 7000}));
        }
        QCOMPARE(account.live(), (MemoryBytes{3000, 0, 0, 0, 0, 7000}));
        QCOMPARE(MemoryScope::current(), MemoryKind::Other);
        weights.reset();
        scratch.reset();
        QCOMPARE(account.live(), MemoryBytes{});
        QCOMPARE(account.peaks(), (MemoryBytes{3000, 5000, 0, 0, 0, 7000}));
        QCOMPARE(account.peak(), std::int64_t{15000});
    }

    void peaksBeginAnew()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        const torch::Tensor kept = kilobytes(2);
        static_cast<void>(kilobytes(50));
        account.restartPeaks();
        QCOMPARE(account.peak(), std::int64_t{2000});
        static_cast<void>(kilobytes(4));
        QCOMPARE(account.peak(), std::int64_t{6000});
        QCOMPARE(of(account.peaks(), MemoryKind::Other), std::int64_t{6000});
        QCOMPARE(account.highest(), std::int64_t{52000});
    }

    void aStorageThatIsResizedIsBookedAnew()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        torch::Tensor shard;
        {
            const MemoryScope scope(MemoryKind::Parameters);
            shard = kilobytes(8);
        }
        shard.resize_({0});
        shard.storage().unsafeGetStorageImpl()->set_data_ptr({nullptr, torch::kCPU});
        shard.storage().unsafeGetStorageImpl()->set_nbytes(0);
        QCOMPARE(account.live(), MemoryBytes{});
        const MemoryScope scope(MemoryKind::Gradients);
        shard.resize_({3 * 250});
        QCOMPARE(account.live(), (MemoryBytes{0, 3000, 0, 0, 0, 0}));
    }

    void backwardsTemporariesAreBookedByTheThreadThatCallsIt()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        const MemoryScope scope(MemoryKind::Activations);
        const torch::Tensor input = torch::ones({100, 250}, torch::requires_grad());
        const torch::Tensor output = (input * 2.0).exp().sum();
        const std::int64_t held = of(account.live(), MemoryKind::Activations);
        QVERIFY(held >= 200'000); // the input and the exponential
        account.restartPeaks();
        output.backward();
        QVERIFY(of(account.peaks(), MemoryKind::Activations) >= held + 100'000);
        QCOMPARE(of(account.live(), MemoryKind::Other), std::int64_t{0});
    }

    void othersThreadsAndAccountsAreKeptApart()
    {
        MemoryAccount mine;
        MemoryAccount theirs;
        const MemoryAccount::Use use(&mine);
        torch::Tensor made;
        std::thread([&] {
            static_cast<void>(kilobytes(1)); // on no account
            const MemoryAccount::Use other(&theirs);
            made = kilobytes(9);
        }).join();
        QCOMPARE(of(mine.live(), MemoryKind::Other), std::int64_t{0});
        QCOMPARE(of(theirs.live(), MemoryKind::Other), std::int64_t{9000});
        QCOMPARE(theirs.highest(), std::int64_t{9000});
        made.reset(); // freed here, booked there
        QCOMPARE(of(theirs.live(), MemoryKind::Other), std::int64_t{0});
    }

    void aTensorMayOutliveItsAccount()
    {
        torch::Tensor kept;
        {
            MemoryAccount account;
            const MemoryAccount::Use use(&account);
            kept = torch::ones({1000});
        }
        QCOMPARE(kept.sum().item<float>(), 1000.0F);
        kept.reset();
        QCOMPARE(MemoryAccount::current(), nullptr);
    }

    void beyondTheLimitNothingIsAllocated()
    {
        MemoryAccount account(20'000);
        const MemoryAccount::Use use(&account);
        const MemoryScope scope(MemoryKind::Parameters);
        const torch::Tensor weights = kilobytes(15);
        std::string message;
        try {
            static_cast<void>(kilobytes(6));
        } catch (const MemoryLimitReached& refused) {
            message = refused.what();
        }
        QCOMPARE(message,
            std::string("rank.memory_mb: 0.006 MB more do not fit; 0.015 of 0.02 MB are in use (parameters 0.015)"));
        QCOMPARE(account.live(), (MemoryBytes{15000, 0, 0, 0, 0, 0}));
        QCOMPARE(account.highest(), std::int64_t{15000});
        const torch::Tensor fits = kilobytes(5);
        QCOMPARE(account.highest(), std::int64_t{20000});
        QVERIFY_THROWS_EXCEPTION(MemoryLimitReached, ForeignMemory(MemoryKind::Gradients, 1));
    }

    void aGpusMemoryHasTheLimitOfARankThere()
    {
        const torch::Device gpu(torch::kCUDA, 0);
        const auto atNextStep = [](MemoryReport& report) { report.beginStep(); };
        const auto atEnd = [](MemoryReport& report) { report.finish(1); };
        const std::string refused = "rank.memory_mb: the tensors took 9 MB of GPU memory, of 9 MB that are allowed "
                                    "(parameters 3, gradients 1, activations 5)";
        QCOMPARE(endingOn(gpu, 8'000'001, atNextStep), refused);
        QCOMPARE(endingOn(gpu, 8'000'001, atEnd), refused);
        QCOMPARE(endingOn(gpu, 8'000'001, atEnd, 2'000'000),
            "rank.memory_mb: the tensors took 9 MB of GPU memory, of 9 MB that are allowed "
            "(parameters 3, gradients 1, activations 3, workspace 2)");
        QCOMPARE(endingOn(gpu, 8'000'000, atEnd), std::string());
        // There the account of the host's memory refuses what is too much.
        QCOMPARE(endingOn(torch::kCPU, 80'000'000, atNextStep), std::string());
        QCOMPARE(endingOn(torch::kCPU, 80'000'000, atEnd), std::string());
    }

    void foreignMemoryCountsWhileItIsHeld()
    {
        MemoryAccount account;
        const MemoryAccount::Use use(&account);
        ForeignMemory kept;
        {
            ForeignMemory shared(MemoryKind::Gradients, 4096);
            QCOMPARE(account.live(), (MemoryBytes{0, 4096, 0, 0, 0, 0}));
            kept = std::move(shared);
        }
        QCOMPARE(account.live(), (MemoryBytes{0, 4096, 0, 0, 0, 0}));
        kept = ForeignMemory();
        QCOMPARE(account.live(), MemoryBytes{});
        QCOMPARE(account.peaks(), (MemoryBytes{0, 4096, 0, 0, 0, 0}));
    }
};

LOCKSTEP_TEST(TestMemoryAccount)
#include "test_memory_account.moc"
