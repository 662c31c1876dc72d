// What ranks that share a device keep there: arrays that they share, slots that grow and are reused while a slow rank
// still reads them, sub-groups' part of it; and what happens where a device cannot be shared.
#include "core/engine/comm/device_group.h"
#include "engine/comm/failures.h"
#include "engine/comm/group_family.h"
#include "engine/comm/reduce.h"
#include "program/test_class.h"

#include <QTest>

#include <array>
#include <random>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

class TestDeviceGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedArrays_data();
    void sharedArrays();
    void partsOfSharedArraysInPlace_data();
    void partsOfSharedArraysInPlace();
    void unequalPartsAreAnErrorEverywhere();
    void othersAreReadAfterABarrier_data();
    void othersAreReadAfterABarrier();
    void aSlowRankIsNotOverwritten_data();
    void aSlowRankIsNotOverwritten();
    void theHostStaysClose();
    void floatsAreThoseOfTheHost_data();
    void floatsAreThoseOfTheHost();
    void slotsGrowAndStaySmall();
    void slotsGrowWhileASlowRankReads();
    void subGroupsTakeTheirPart();
    void hostArraysGoTheirOwnWay();
    void placesMustFit();
    void whereNothingCanBeShared();
    void ranksOfAPartInTheNumbersOfTheWhole();
};

void TestDeviceGroups::sharedArrays_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("inShares");
    for (const int ranks : {1, 2, 3, 8}) {
        for (const int count : {1, 7, 3'001, 50'003}) {
            // Up to 3,001 numbers fit into a slot.
            QTest::addRow("%d ranks, %d numbers", ranks, count) << ranks << count << false;
            QTest::addRow("%d ranks, %d numbers, in shares", ranks, count) << ranks << count << true;
        }
    }
}

void TestDeviceGroups::sharedArrays()
{
    QFETCH(int, ranks);
    QFETCH(int, count);
    QFETCH(bool, inShares);
    const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
    IpcOptions slots = smallSlots();
    slots.reduceWholeBelow = inShares ? 1 : 0;
    const auto results = asDeviceRanks(
        ranks, overIpcWith(slots),
        [&](const DeviceRank& rank) -> Result<void> {
            auto array = rank.group.share(bytes, Space::Device);
            if (!array || !*array) {
                return array ? Error{"no array"} : array.error();
            }
            std::deque<std::vector<float>> given;
            std::deque<std::vector<float>> got;
            const std::byte* previous = nullptr;
            // Steps follow each other with no look at the device between them, as in training.
            for (int step = 0; step < 12; ++step) {
                given.emplace_back(static_cast<std::size_t>(count), static_cast<float>(step * 10 + rank.group.rank()));
                rank.device.copy((*array)->own(), given.back().data(), bytes);
                const View in{(*array)->own(), count, DataType::Float32, Space::Device};
                if (auto done = rank.group.allReduce(in, {nullptr, count, DataType::Float32}, Reduction::Sum); !done) {
                    return done;
                }
                if ((*array)->result() == previous) {
                    return Error{"results do not take turns"};
                }
                previous = (*array)->result();
                got.emplace_back(static_cast<std::size_t>(count));
                rank.device.copy(got.back().data(), (*array)->result(), bytes);
            }
            if (auto done = rank.group.finish(); !done) {
                return done;
            }
            for (int step = 0; step < 12; ++step) {
                const int sum = ranks * step * 10 + ranks * (ranks - 1) / 2;
                const std::vector<float> expected(static_cast<std::size_t>(count), static_cast<float>(sum));
                if (got[static_cast<std::size_t>(step)] != expected) {
                    return Error{"step " + std::to_string(step) + " is wrong"};
                }
            }
            return {};
        },
        [](int rank, FakeDeviceOptions& options) {
            options.slowness = std::chrono::microseconds(rank == 1 ? 500 : 0);
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::partsOfSharedArraysInPlace_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("type");
    for (const int ranks : {1, 2, 4, 8}) {
        for (const DataType type : DataTypes) {
            QTest::addRow("%d ranks, %s", ranks, std::string(nameOf(type)).c_str()) << ranks << static_cast<int>(type);
        }
    }
}

/// As buckets of gradients: part after part, every reduction, sizes around the lines at which shares begin. What lies
/// beside a part stays as it was.
void TestDeviceGroups::partsOfSharedArraysInPlace()
{
    QFETCH(int, ranks);
    QFETCH(int, type);
    const auto dataType = static_cast<DataType>(type);
    constexpr std::size_t Elements = 6'000;
    const std::size_t bytes = Elements * sizeOf(dataType);
    IpcOptions slots = smallSlots();
    slots.reduceWholeBelow = 1;
    const auto results = asDeviceRanks(
        ranks, overIpcWith(slots),
        [&](const DeviceRank& rank) -> Result<void> {
            auto array = rank.group.share(bytes, Space::Device);
            if (!array) {
                return array.error();
            }
            DevicePlace place(rank.device);
            const std::byte beside{static_cast<unsigned char>(0xa0 + rank.group.rank())};
            for (const Reduction reduction : Reductions) {
                std::size_t at = 3;
                for (const std::int64_t count : {2, 63, 64, 65, 1000, 4096}) {
                    if (!isDefined(reduction, dataType)) {
                        continue;
                    }
                    const Case c{Collective::AllReduce, dataType, reduction, count, 0, true};
                    const Arrays numbers = arraysOf(c, rank.group.rank(), ranks);
                    Bytes all(bytes, beside);
                    const std::size_t first = at * sizeOf(dataType);
                    std::copy(numbers.in.begin(), numbers.in.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
                    const auto given = place.hold(all);
                    rank.device.copy((*array)->own(), *given, bytes);
                    const View part{(*array)->own() + first, count, dataType, Space::Device};
                    if (auto done = rank.group.allReduce(part, part, reduction); !done) {
                        return done;
                    }
                    const auto expected = all.begin() + static_cast<std::ptrdiff_t>(first);
                    std::copy(numbers.expected.begin(), numbers.expected.end(), expected);
                    const auto isRight = place.isThere(rank.group, (*array)->own(), all);
                    if (!isRight || !*isRight) {
                        return isRight ? Error{describe(c) + " at " + std::to_string(at) + ": wrong"} : isRight.error();
                    }
                    at = at * 2 % 800;
                }
            }
            // Straight from array to array: neither slots nor results were needed.
            const std::size_t most = bytes + 8192;
            if (rank.device.mostShared() > most) {
                return Error{std::to_string(rank.device.mostShared()) + " bytes were shared"};
            }
            const View nothing{(*array)->own(), 0, dataType, Space::Device};
            return rank.group.allReduce(nothing, nothing, Reduction::Sum);
        },
        [](int rank, FakeDeviceOptions& options) {
            options.slowness = std::chrono::microseconds(rank == 1 ? 100 : 0);
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::unequalPartsAreAnErrorEverywhere()
{
    IpcOptions slots = smallSlots();
    slots.reduceWholeBelow = 1;
    const auto results = asDeviceRanks(2, overIpcWith(slots), [](const DeviceRank& rank) -> Result<void> {
        auto array = rank.group.share(4096, Space::Device);
        if (!array) {
            return array.error();
        }
        const View part{(*array)->own() + 64 * rank.group.rank(), 100, DataType::Float32, Space::Device};
        auto done = rank.group.allReduce(part, part, Reduction::Sum);
        return done ? Error{"not found"} : done;
    });
    for (const auto& each : results) {
        QCOMPARE(each.error().message,
            std::string("the ranks call different operations: rank 0 calls all_reduce of 100 float32 in "
                        "the GPU's memory from byte 0 of shared array 0 (sum), rank 1 calls all_reduce of 100 float32 "
                        "in the GPU's memory from byte 64 of shared array 0 (sum)"));
    }
}

void TestDeviceGroups::othersAreReadAfterABarrier_data()
{
    QTest::addColumn<int>("slow");
    for (const int slow : {0, 1, 2, 3}) {
        QTest::addRow("rank %d is slow", slow) << slow;
    }
}

/// As ZeRO-3 does: after one barrier all copies, then a reduction, after which a rank changes its array.
void TestDeviceGroups::othersAreReadAfterABarrier()
{
    QFETCH(int, slow);
    constexpr int Ranks = 4;
    constexpr int Steps = 10;
    constexpr std::int64_t Count = 500;
    constexpr std::size_t Bytes = Count * sizeof(std::int32_t);
    const auto results = asDeviceRanks(
        Ranks, overIpcWith(smallSlots()),
        [](const DeviceRank& rank) -> Result<void> {
            auto array = rank.group.share(Bytes, Space::Device);
            if (!array) {
                return array.error();
            }
            DevicePlace place(rank.device);
            const auto small = holdNumbers(place, std::vector<std::int32_t>(10, 1));
            const View one{*small, 10, DataType::Int32, Space::Device};
            std::vector<std::byte*> copies;
            for (int step = 0; step < Steps; ++step) {
                const auto mine = holdNumbers(place, std::vector<std::int32_t>(Count, step * 10 + rank.group.rank()));
                rank.device.copy((*array)->own(), *mine, Bytes);
                if (auto met = rank.group.barrier(); !met) {
                    return met;
                }
                for (int other = 0; other < Ranks; ++other) {
                    copies.push_back(*holdNumbers(place, std::vector<std::int32_t>(Count, -1)));
                    rank.device.copy(copies.back(), (*array)->of(other), Bytes);
                }
                if (auto met = rank.group.allReduce(one, one, Reduction::Max); !met) {
                    return met;
                }
            }
            for (int i = 0; i < Steps * Ranks; ++i) {
                const auto found = numbersOf<std::int32_t>(rank, place, copies[static_cast<std::size_t>(i)], Count);
                const std::int32_t expected = i / Ranks * 10 + i % Ranks;
                if (!found || *found != std::vector<std::int32_t>(Count, expected)) {
                    return found ? Error{"copy " + std::to_string(i) + " is wrong"} : found.error();
                }
            }
            return {};
        },
        [&](int rank, FakeDeviceOptions& options) {
            options.slowness = std::chrono::microseconds(rank == slow ? 300 : 0);
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::aSlowRankIsNotOverwritten_data()
{
    QTest::addColumn<int>("slow");
    QTest::addColumn<int>("count");
    for (const int slow : {0, 1, 2}) {
        for (const int count : {100, 40'000}) { // one round, and many in an operation
            QTest::addRow("rank %d, %d numbers", slow, count) << slow << count;
        }
    }
}

void TestDeviceGroups::aSlowRankIsNotOverwritten()
{
    QFETCH(int, slow);
    QFETCH(int, count);
    const auto results = asDeviceRanks(
        3, overIpcWith(smallSlots()),
        [&](const DeviceRank& rank) -> Result<void> {
            // Many operations queued ahead of a device that does them slowly.
            DevicePlace place(rank.device);
            std::vector<std::byte*> sums;
            const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::int32_t);
            for (int step = 0; step < 20; ++step) {
                const int number = step * 100 + rank.group.rank();
                const auto data
                    = holdNumbers(place, std::vector<std::int32_t>(static_cast<std::size_t>(count), number));
                const View view{*data, count, DataType::Int32, Space::Device};
                if (auto summed = rank.group.allReduce(view, view, Reduction::Sum); !summed) {
                    return summed;
                }
                sums.push_back(*data);
            }
            for (int step = 0; step < 20; ++step) {
                const auto found = place.read(rank.group, sums[static_cast<std::size_t>(step)], bytes);
                const std::int32_t expected = 300 * step + 3;
                for (std::size_t i = 0; found && i < bytes; i += sizeof(expected)) {
                    if (std::memcmp(found->data() + i, &expected, sizeof(expected)) != 0) {
                        return Error{"operation " + std::to_string(step) + " is wrong"};
                    }
                }
            }
            return {};
        },
        [&](int rank, FakeDeviceOptions& options) {
            options.slowness = std::chrono::microseconds(rank == slow ? 400 : 0);
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::theHostStaysClose()
{
    // A device's queue is finite, and to queue into a full one behind a dead peer would never return.
    std::array<std::size_t, 2> most{};
    const auto results = asDeviceRanks(
        2, overIpcWith(smallSlots()),
        [&](const DeviceRank& rank) -> Result<void> {
            DevicePlace place(rank.device);
            const auto data = holdNumbers(place, std::vector<std::int32_t>(100, 0));
            const View view{*data, 100, DataType::Int32, Space::Device};
            for (int step = 0; step < 400; ++step) {
                if (auto summed = rank.group.allReduce(view, view, Reduction::Sum); !summed) {
                    return summed;
                }
            }
            most[static_cast<std::size_t>(rank.group.rank())] = rank.device.mostQueued();
            return rank.group.finish();
        },
        [](int, FakeDeviceOptions& options) { options.slowness = std::chrono::microseconds(200); });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (const std::size_t each : most) { // three laps of 8 rounds, of a copy, a record, a wait and a reduction
        QVERIFY2(each > 10 && each <= 3 * 8 * 4 + 16, qPrintable(QString::number(each)));
    }
}

void TestDeviceGroups::floatsAreThoseOfTheHost_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("count");
    for (const DataType type : {DataType::Float32, DataType::Float16, DataType::BFloat16}) {
        for (const int count : {1000, 60'000}) { // reduced by everyone, and by shares
            QTest::addRow("%s, %d", std::string(nameOf(type)).c_str(), count) << static_cast<int>(type) << count;
        }
    }
}

void TestDeviceGroups::floatsAreThoseOfTheHost()
{
    QFETCH(int, type);
    QFETCH(int, count);
    constexpr int Ranks = 3;
    const auto dataType = static_cast<DataType>(type);
    std::vector<Bytes> given(Ranks, Bytes(static_cast<std::size_t>(count) * sizeOf(dataType)));
    std::array<const void*, Ranks> pointers{};
    std::minstd_rand random(1);
    for (std::size_t rank = 0; rank < Ranks; ++rank) {
        for (std::size_t at = 0; at < given[rank].size(); ++at) {
            // No infinities and NaNs: the top byte of a number stays below theirs.
            given[rank][at] = static_cast<std::byte>(
                at % sizeOf(dataType) == sizeOf(dataType) - 1 ? random() % 0x40 : random() % 256);
        }
        pointers[rank] = given[rank].data();
    }
    Bytes expected(given[0].size());
    reduceArrays(Reduction::Sum, dataType, expected.data(), pointers, count);
    const auto results = asDeviceRanks(Ranks, overIpcWith(smallSlots()), [&](const DeviceRank& rank) -> Result<void> {
        DevicePlace place(rank.device);
        const auto data = place.hold(given[static_cast<std::size_t>(rank.group.rank())]);
        const View view{*data, count, dataType, Space::Device};
        if (auto summed = rank.group.allReduce(view, view, Reduction::Sum); !summed) {
            return summed;
        }
        const auto isRight = place.isThere(rank.group, *data, expected);
        return isRight && !*isRight ? Error{"other bits than the host's"}
                                    : (isRight ? Result<void>() : isRight.error());
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::slotsGrowAndStaySmall()
{
    constexpr std::size_t Budget = std::size_t{8} << 20;
    std::array<std::size_t, 2> most{};
    std::array<std::size_t, 2> atFirst{};
    const auto results = asDeviceRanks(
        2, overIpcWith({.slotsOfAllRanks = Budget, .messageBytes = 4096}), [&](const DeviceRank& rank) -> Result<void> {
            const auto own = static_cast<std::size_t>(rank.group.rank());
            atFirst[own] = rank.device.mostShared();
            DevicePlace place(rank.device);
            for (const std::int64_t count : {std::int64_t{10}, std::int64_t{3'000'001}, std::int64_t{10}}) {
                const Case c{Collective::AllReduce, DataType::Int32, Reduction::Sum, count, 0, true};
                if (auto right = tryCase(rank.group, c, false, place); !right) {
                    return right;
                }
            }
            most[own] = rank.device.mostShared();
            return {};
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (std::size_t rank = 0; rank < 2; ++rank) {
        QVERIFY2(atFirst[rank] <= 8192, qPrintable(QString::number(atFirst[rank])));
        QVERIFY2(most[rank] > (std::size_t{3} << 20) && most[rank] <= Budget / 2 + 32'768,
            qPrintable(QString::number(most[rank])));
    }
}

void TestDeviceGroups::slotsGrowWhileASlowRankReads()
{
    const auto results = asDeviceRanks(
        3, overIpcWith({.slotsOfAllRanks = std::size_t{64} << 20, .messageBytes = 4096}),
        [](const DeviceRank& rank) -> Result<void> {
            DevicePlace place(rank.device);
            std::vector<std::byte*> sums;
            constexpr std::array<std::int64_t, 4> Counts{200'000, 400'000, 900'000, 1'800'000};
            for (const std::int64_t count : Counts) { // each time more than there is room for
                const auto data = holdNumbers(
                    place, std::vector<std::int32_t>(static_cast<std::size_t>(count), rank.group.rank() + 1));
                const View view{*data, count, DataType::Int32, Space::Device};
                if (auto summed = rank.group.allReduce(view, view, Reduction::Sum); !summed) {
                    return summed;
                }
                sums.push_back(*data);
            }
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const auto count = static_cast<std::size_t>(Counts[i]);
                const auto found = numbersOf<std::int32_t>(rank, place, sums[i], count);
                if (!found || *found != std::vector<std::int32_t>(count, 6)) {
                    return found ? Error{"sum " + std::to_string(i) + " is wrong"} : found.error();
                }
            }
            return {};
        },
        [](int rank, FakeDeviceOptions& options) {
            options.slowness = std::chrono::microseconds(rank == 1 ? 20'000 : 0);
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::subGroupsTakeTheirPart()
{
    constexpr std::size_t Budget = std::size_t{8} << 20;
    std::array<std::size_t, 4> most{};
    const auto results = asDeviceRanks(
        4, overIpcWith({.slotsOfAllRanks = Budget, .messageBytes = 4096}), [&](const DeviceRank& rank) -> Result<void> {
            auto half = rank.group.split(rank.group.rank() % 2, 0);
            if (!half) {
                return half.error();
            }
            DevicePlace place(rank.device);
            const Case c{Collective::AllReduce, DataType::Int32, Reduction::Sum, 3'000'001, 0, true};
            auto right = tryCase(**half, c, false, place);
            most[static_cast<std::size_t>(rank.group.rank())] = rank.device.mostShared();
            half->reset();
            return right;
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    for (const std::size_t each : most) { // half of the ranks, half of the memory: as much a rank
        QVERIFY2(each > (std::size_t{1} << 20) && each <= Budget / 4 + 32'768, qPrintable(QString::number(each)));
    }
}

void TestDeviceGroups::hostArraysGoTheirOwnWay()
{
    const auto results = asDeviceRanks(3, overIpcWith(smallSlots()), [](const DeviceRank& rank) -> Result<void> {
        HostPlace onHost;
        DevicePlace onDevice(rank.device);
        for (int turn = 0; turn < 10; ++turn) {
            const Case c{Collective::AllReduce, DataType::Float64, Reduction::Sum, 100 + turn, 0, false};
            auto right = tryCase(rank.group, c, turn % 3 == 0, turn % 2 == 0 ? static_cast<Place&>(onHost) : onDevice);
            if (!right) {
                return right;
            }
        }
        return rank.group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::placesMustFit()
{
    const auto results = asDeviceRanks(2, overIpcWith(smallSlots()), [](const DeviceRank& rank) -> Result<void> {
        DevicePlace place(rank.device);
        const auto data = holdNumbers(place, std::vector<float>(4));
        std::array<float, 4> numbers{};
        const auto mixed = rank.group.allReduce(
            {*data, 4, DataType::Float32, Space::Device}, {numbers.data(), 4, DataType::Float32}, Reduction::Sum);
        if (mixed || !mixed.error().message.starts_with("all_reduce: one of in and out is in the host's memory")) {
            return Error{"in on the device and out on the host was not refused"};
        }
        return rank.group.barrier(); // nothing was sent
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    const auto hosts = asRanks(2, [](Communicator& group) -> Result<void> {
        float number = 0;
        const View view{&number, 1, DataType::Float32, Space::Device};
        return group.allReduce(view, view, Reduction::Sum);
    });
    QCOMPARE(firstError(hosts),
        std::string(
            "all_reduce: the array is in a GPU's memory, which this group of ranks over shm does not move; pass it "
            "in the host's memory, or use comm.backend=auto"));
}

void TestDeviceGroups::whereNothingCanBeShared()
{
    // One rank cannot open the others' memory: all get the error, and their host communicator still works.
    const auto orHost = [](std::unique_ptr<Communicator>& host,
                            std::shared_ptr<Device> device) -> Result<std::unique_ptr<Communicator>> {
        auto shared = overIpc(host, std::move(device), smallSlots());
        if (shared || shared.error().message != "rank 1: peer access is not supported") {
            return Error{shared ? "it was shared" : shared.error().message};
        }
        return std::move(host);
    };
    const auto results = asDeviceRanks(
        3, orHost,
        [](const DeviceRank& rank) -> Result<void> {
            std::int64_t sum = rank.group.rank();
            const View view{&sum, 1, DataType::Int64};
            auto summed = rank.group.allReduce(view, view, Reduction::Sum);
            return summed && sum != 3 ? Error{"wrong"} : summed;
        },
        [](int rank, FakeDeviceOptions& options) {
            options.brokenBecause = rank == 1 ? "peer access is not supported" : "";
        });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceGroups::ranksOfAPartInTheNumbersOfTheWhole()
{
    const std::vector<int> ranks{2, 5};
    const Text told = ofOperation(Collective::SendReceive,
        {"%1 has waited %2 s for %3; %4 has not", {rankName(0), 30, rankName(1), rankName(7)}});
    QCOMPARE(renamed(told, ranks).english, std::string("send_recv: rank 2 has waited 30 s for rank 5; rank 7 has not"));
    const Text global = renamedGlobally(told, ranks);
    QCOMPARE(global.english, std::string("send_recv: global rank 2 has waited 30 s for global rank 5; rank 7 has not"));
    QCOMPARE(renamed(global, ranks).english,
        std::string("send_recv: global rank 2 has waited 30 s for global rank 5; rank 7 has not")); // once is enough
    QCOMPARE(renamed("rank 0 is a text of others", ranks).english, std::string("rank 0 is a text of others"));
    QCOMPARE(withoutOperation(told, Collective::AllReduce), told);
    QCOMPARE(withoutOperation(told), withoutOperation(told, Collective::SendReceive));
    QCOMPARE(withoutOperation(told).english, std::string("rank 0 has waited 30 s for rank 1; rank 7 has not"));

    /// A group that knows what has happened in it.
    class Told final : public Communicator {
    public:
        explicit Told(Text what)
            : Communicator(0, 2)
            , m_what(std::move(what))
        { }
        [[nodiscard]] std::string_view backend() const override { return "told"; }
        [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override { return Error{"it cannot"}; }
        [[nodiscard]] Result<void> checkPeers() override { return m_what.empty() ? Result<void>() : failureOf(m_what); }

    protected:
        [[nodiscard]] Result<void> execute(const Operation&, OperationTimes&) override { return {}; }

    private:
        Text m_what;
    };
    Told own(ofOperation(Collective::AllReduce, {"%1 (process %2) has died", {rankName(1), 4711}}));
    Told fine("");
    Told other(ofOperation(Collective::SendReceive, {"%1 has waited %2 s for %3", {rankName(0), 30, rankName(1)}}));
    GroupFamily family;
    family.add(own, {0, 1});
    family.add(fine, {0, 2});
    QCOMPARE(family.deadPeers(own).english, std::string()); // it already knows this itself
    QCOMPARE(family.deadPeers(fine).english, std::string("global rank 1 (process 4711) has died"));
    family.remove(own);
    family.add(other, {2, 5});
    QCOMPARE(family.deadPeers(fine).english, std::string("global rank 2 has waited 30 s for global rank 5"));
}

LOCKSTEP_TEST(TestDeviceGroups)
#include "test_device_groups.moc"
