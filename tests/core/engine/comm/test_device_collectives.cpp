// Collectives on a device's memory, bit by bit, over a fake device whose work comes late: what the ranks share through
// opened memory, and what goes through the host.
#include "core/engine/comm/device_group.h"
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/device/staged_communicator.h"
#include "engine/comm/link/watched_communicator.h"
#include "engine/comm/rules.h"
#include "program/test_class.h"

#include <QTest>

#include <initializer_list>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

OverDevice overHost()
{
    return [](std::unique_ptr<Communicator>& host,
               std::shared_ptr<Device> device) -> Result<std::unique_ptr<Communicator>> {
        return std::unique_ptr<Communicator>(std::make_unique<StagedCommunicator>(
            std::move(host), std::move(device), StagedOptions{.pieceBytes = 4096}));
    };
}

OverDevice overNamed(const QByteArray& name)
{
    if (name == "staged") {
        return overHost();
    }
    IpcOptions options = smallSlots();
    options.spinsOnFlags = name == "flags";
    return overIpcWith(options);
}

/// Those and, with LOCKSTEP_LONG, also `more`.
std::vector<int> rankCountsOf(std::vector<int> counts, std::initializer_list<int> more)
{
    if (qEnvironmentVariableIsSet("LOCKSTEP_LONG")) {
        counts.insert(counts.end(), more);
    }
    return counts;
}

void addRows(std::initializer_list<const char*> names, const std::vector<int>& rankCounts)
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("ranks");
    for (const char* name : names) {
        for (const Collective what :
            {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
                Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
            for (const int ranks : rankCounts) {
                QTest::addRow("%s, %s, %d ranks", name, std::string(nameOf(what)).c_str(), ranks)
                    << QByteArray(name) << static_cast<int>(what) << ranks;
            }
        }
    }
}

} // namespace

class TestDeviceCollectives : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCombinationIsExact_data() { addRows({"events"}, rankCountsOf({1, 2, 3, 8}, {4})); }
    void everyCombinationIsExact();
    void flagsDoTheSame_data() { addRows({"flags"}, {2, 5}); }
    void flagsDoTheSame() { everyCombinationIsExact(); }
    void stagedDoesTheSame_data() { addRows({"staged"}, rankCountsOf({1, 2, 3}, {8})); }
    void stagedDoesTheSame() { everyCombinationIsExact(); }
    void everyAlgorithm_data();
    void everyAlgorithm();
    void messagesGoRound_data();
    void messagesGoRound();
    void messagesOfUnequalLength();
    void subGroups();
    void robustRules();
    void linksAndWatching();
};

void TestDeviceCollectives::everyCombinationIsExact()
{
    QFETCH(QByteArray, how);
    QFETCH(int, what);
    QFETCH(int, ranks);
    std::vector<Case> cases = casesOf(static_cast<Collective>(what), ranks, 30'011);
    std::erase_if(cases, [](const Case& c) { return c.inPlace && c.reduction != Reduction::Sum; });
    const auto results = asDeviceRanks(ranks, overNamed(how), [&](const DeviceRank& rank) -> Result<void> {
        DevicePlace place(rank.device);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (auto right = tryCase(rank.group, cases[i], i % 5 == 4, place); !right) {
                return right;
            }
        }
        return rank.group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceCollectives::everyAlgorithm_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("ranks");
    for (const Algorithm& one : algorithms()) {
        const QByteArray name(one.name.data(), static_cast<qsizetype>(one.name.size()));
        for (const int ranks : rankCountsOf({2, 3, 8}, {4, 7})) {
            QTest::addRow("%s, %d ranks", name.constData(), ranks) << QByteArray("events") << name << ranks;
        }
        QTest::addRow("%s, staged, 4 ranks", name.constData()) << QByteArray("staged") << name << 4;
    }
}

void TestDeviceCollectives::everyAlgorithm()
{
    QFETCH(QByteArray, how);
    QFETCH(QByteArray, name);
    QFETCH(int, ranks);
    const auto results = asDeviceRanks(ranks, overNamed(how), [&](const DeviceRank& rank) -> Result<void> {
        Scratch scratch;
        DevicePlace place(rank.device);
        for (const std::int64_t count : {0, 1, 7, 1000, 20'021}) {
            for (const Reduction reduction : {Reduction::Sum, Reduction::Min, Reduction::BitXor}) {
                const Case c{Collective::AllReduce, DataType::Int64, reduction, count, 0, true};
                const Arrays arrays = arraysOf(c, rank.group.rank(), ranks);
                const auto data = place.hold(arrays.in);
                if (!data) {
                    return data.error();
                }
                if (auto done
                    = algorithm(name.constData())
                          ->run(rank.group, {*data, count, DataType::Int64, Space::Device}, reduction, scratch);
                    !done) {
                    return done;
                }
                const auto found = place.read(rank.group, *data, arrays.expected.size());
                if (!found || *found != arrays.expected) {
                    return found ? Error{describe(c) + ": wrong"} : found.error();
                }
                place.clear();
            }
        }
        return rank.group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceCollectives::messagesGoRound_data()
{
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("count");
    for (const char* how : {"events", "staged"}) {
        for (const int ranks : {2, 3, 8}) {
            for (const int count : {0, 1, 1000, 10'000}) { // the last is ten pieces
                QTest::addRow("%s, %d ranks, %d numbers", how, ranks, count) << QByteArray(how) << ranks << count;
            }
        }
    }
}

void TestDeviceCollectives::messagesGoRound()
{
    QFETCH(QByteArray, how);
    QFETCH(int, ranks);
    QFETCH(int, count);
    const auto results = asDeviceRanks(ranks, overNamed(how), [&](const DeviceRank& rank) -> Result<void> {
        DevicePlace place(rank.device);
        const int next = (rank.group.rank() + 1) % ranks;
        const int previous = (rank.group.rank() + ranks - 1) % ranks;
        const std::vector<std::int32_t> own(static_cast<std::size_t>(count), rank.group.rank());
        auto mine = holdNumbers(place, own);
        auto theirs = holdNumbers(place, std::vector<std::int32_t>(own.size(), -1));
        if (!mine || !theirs) {
            return Error{"no memory"};
        }
        for (int turn = 0; turn < ranks; ++turn) {
            if (auto moved = rank.group.sendReceive({*mine, count, DataType::Int32, Space::Device}, next,
                    {*theirs, count, DataType::Int32, Space::Device}, previous);
                !moved) {
                return moved;
            }
            std::swap(*mine, *theirs);
        }
        const auto back = numbersOf<std::int32_t>(rank, place, *mine, own.size());
        if (!back || *back != own) {
            return back ? Error{"not my own again"} : back.error();
        }
        return {};
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceCollectives::messagesOfUnequalLength()
{
    // Rank 0 gives much and gets little; a slow receiver has to be waited for before a place is filled again.
    const auto results = asDeviceRanks(
        2, overIpcWith(smallSlots()),
        [](const DeviceRank& rank) -> Result<void> {
            constexpr std::int64_t Long = 9'000;
            DevicePlace place(rank.device);
            const bool isFirst = rank.group.rank() == 0;
            for (std::int64_t turn = 0; turn < 5; ++turn) {
                const std::int64_t in = isFirst ? 3 : Long;
                std::vector<std::int64_t> sent(static_cast<std::size_t>(isFirst ? Long : 3));
                for (std::size_t i = 0; i < sent.size(); ++i) {
                    sent[i] = static_cast<std::int64_t>(i) * 3 + turn + (isFirst ? 1000 : 2000);
                }
                const auto out = holdNumbers(place, sent);
                const auto got = holdNumbers(place, std::vector<std::int64_t>(static_cast<std::size_t>(in), -1));
                const int other = 1 - rank.group.rank();
                if (auto moved = rank.group.sendReceive(
                        {*out, static_cast<std::int64_t>(sent.size()), DataType::Int64, Space::Device}, other,
                        {*got, in, DataType::Int64, Space::Device}, other);
                    !moved) {
                    return moved;
                }
                const auto found = numbersOf<std::int64_t>(rank, place, *got, static_cast<std::size_t>(in));
                for (std::size_t i = 0; found && i < found->size(); ++i) {
                    if ((*found)[i] != static_cast<std::int64_t>(i) * 3 + turn + (isFirst ? 2000 : 1000)) {
                        return Error{
                            "number " + std::to_string(i) + " of message " + std::to_string(turn) + " is wrong"};
                    }
                }
            }
            return {};
        },
        [](int rank, FakeDeviceOptions& options) { options.slowness = std::chrono::microseconds(rank * 300); });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceCollectives::subGroups()
{
    const auto results = asDeviceRanks(5, overIpcWith(smallSlots()), [](const DeviceRank& rank) -> Result<void> {
        // Even ranks backwards, odd ones forwards, and rank 4 in none.
        const int number = rank.group.rank();
        const int color = number == 4 ? -1 : number % 2;
        auto part = rank.group.split(color, color == 0 ? -number : number);
        if (!part) {
            return part.error();
        }
        if (*part) {
            DevicePlace place(rank.device);
            const auto data = holdNumbers(place, std::vector<std::int32_t>(5000, number));
            const View view{*data, 5000, DataType::Int32, Space::Device};
            if (auto summed = (*part)->allReduce(view, view, Reduction::Sum); !summed) {
                return summed;
            }
            const auto sums = numbersOf<std::int32_t>({**part, rank.device}, place, *data, 5000);
            if (!sums || *sums != std::vector<std::int32_t>(5000, color == 0 ? 2 : 4)) {
                return sums ? Error{"the sub-group of rank " + std::to_string(number) + " is wrong"} : sums.error();
            }
        } else if (number != 4) {
            return Error{"no group for rank " + std::to_string(number)};
        }
        part->reset();
        return rank.group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

void TestDeviceCollectives::robustRules()
{
    for (const char* name : {"gather_broadcast", "all_gather", "parameter_server"}) {
        const auto results = asDeviceRanks(3, overIpcWith(smallSlots()), [&](const DeviceRank& rank) -> Result<void> {
            Scratch scratch;
            DevicePlace place(rank.device);
            for (int turn = 0; turn < 3; ++turn) {
                const float each = rank.group.rank() == turn ? 1000.0F : static_cast<float>(rank.group.rank());
                const auto data = holdNumbers(place, std::vector<float>(3000, each));
                const auto done = algorithm(name)->combineAll(
                    rank.group, {*data, 3000, DataType::Float32, Space::Device}, medianOf, scratch);
                if (!done) {
                    return done;
                }
                const auto found = numbersOf<float>(rank, place, *data, 3000);
                const float median = turn == 2 ? 1.0F : 2.0F;
                if (!found || *found != std::vector<float>(3000, median)) {
                    return found ? Error{std::string(name) + ": not the median"} : found.error();
                }
            }
            return {};
        });
        QVERIFY2(firstError(results).empty(), firstError(results).c_str());
    }
}

void TestDeviceCollectives::linksAndWatching()
{
    // With a link every collective is composed of messages, on the device as on the host.
    const auto watched = [](std::unique_ptr<Communicator>& host,
                             std::shared_ptr<Device> device) -> Result<std::unique_ptr<Communicator>> {
        auto inner = overIpc(host, std::move(device), smallSlots());
        if (!inner) {
            return inner;
        }
        auto outer = std::make_unique<WatchedCommunicator>(std::move(*inner));
        for (int rank = 0; rank < outer->size(); ++rank) {
            outer->setLink(rank, {0.001, 0.0});
        }
        return std::unique_ptr<Communicator>(std::move(outer));
    };
    const auto results = asDeviceRanks(3, watched, [](const DeviceRank& rank) -> Result<void> {
        DevicePlace place(rank.device);
        for (const Collective what :
            {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
                Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll}) {
            const Case c{what, DataType::Float32, Reduction::Sum, 2001, 1, false};
            if (auto right = tryCase(rank.group, c, false, place); !right) {
                return right;
            }
        }
        return rank.group.barrier();
    });
    QVERIFY2(firstError(results).empty(), firstError(results).c_str());
}

LOCKSTEP_TEST(TestDeviceCollectives)
#include "test_device_collectives.moc"
