// The kernels of collectives, run on the host thread by thread, against the host's own reduction: the same bits, for
// every kind of number, also where arrays do not begin where vectors do. tests/gpu has the rest.
#include "core/engine/comm/kernels_on_host.h"
#include "engine/comm/reduce.h"
#include "program/test_class.h"

#include <QTest>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

/// A clock that advances with every call.
unsigned long long kernels::nanoseconds()
{
    static unsigned long long now = 0;
    return now += 1000;
}

namespace {

bool isNan(DataType type, const std::byte* at)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, sizeOf(type));
    constexpr std::array<std::uint64_t, 4> Infinity{0x7f800000, 0x7ff0000000000000, 0x7c00, 0x7f80};
    const std::uint64_t sign = std::uint64_t{1} << (8 * sizeOf(type) - 1);
    return !isInteger(type) && (bits & ~sign) > Infinity[static_cast<std::size_t>(type)];
}

} // namespace

class TestCudaKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSameBitsAsOnTheHost_data();
    void theSameBitsAsOnTheHost();
    void oneNanKeepsItsPayload();
    void flags();
};

void TestCudaKernels::theSameBitsAsOnTheHost_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("reduction");
    for (const DataType type : DataTypes) {
        for (const Reduction reduction : Reductions) {
            if (isDefined(reduction, type)) {
                QTest::addRow("%s %s", std::string(nameOf(type)).c_str(), std::string(nameOf(reduction)).c_str())
                    << static_cast<int>(type) << static_cast<int>(reduction);
            }
        }
    }
}

void TestCudaKernels::theSameBitsAsOnTheHost()
{
    QFETCH(int, type);
    QFETCH(int, reduction);
    const auto dataType = static_cast<DataType>(type);
    const std::size_t element = sizeOf(dataType);
    std::mt19937_64 random(static_cast<unsigned>(type * 7 + reduction));
    constexpr std::size_t MostInputs = 8;
    constexpr std::size_t Most = 20'011;
    std::vector<std::vector<std::uint64_t>> arrays(MostInputs, std::vector<std::uint64_t>(Most + 4));
    for (auto& array : arrays) {
        for (std::uint64_t& bits : array) {
            bits = random(); // so that there is every kind of number
        }
    }
    for (const std::size_t inputs : {1, 2, 3, 8}) {
        for (const std::size_t count : {0, 1, 15, 4099, 20'011}) {
            for (const bool isAligned : {true, false}) {
                const std::size_t shift = isAligned ? 0 : element;
                kernels::Inputs from{};
                std::vector<const void*> pointers;
                for (std::size_t i = 0; i < inputs; ++i) {
                    from.at[i] = reinterpret_cast<const std::byte*>(arrays[i].data()) + shift;
                    pointers.push_back(from.at[i]);
                }
                std::vector<std::uint64_t> room(Most + 4, 0xa5a5a5a5a5a5a5a5);
                std::vector<std::uint64_t> also = room;
                auto* result = reinterpret_cast<std::byte*>(room.data()) + shift;
                auto* second = reinterpret_cast<std::byte*>(also.data()) + shift;
                const kernels::Outputs to{{result, second}};
                kernels::asThreads(2, 64, [&] {
                    kernels::Reducing[type][reduction](
                        to, inputs == 2 ? 1 : 2, from, static_cast<int>(inputs), count, isAligned ? 1 : 0);
                });
                std::vector<std::byte> expected(count * element);
                reduceArrays(static_cast<Reduction>(reduction), dataType, expected.data(), pointers,
                    static_cast<std::int64_t>(count));
                for (std::size_t at = 0; at < expected.size(); at += element) {
                    const bool isSame = std::memcmp(expected.data() + at, result + at, element) == 0;
                    // Where several inputs are not numbers, which of them is left is not laid down.
                    QVERIFY2(isSame || (isNan(dataType, expected.data() + at) && isNan(dataType, result + at)),
                        qPrintable(QStringLiteral("%1 inputs, at %2").arg(inputs).arg(at)));
                    if (inputs != 2) {
                        QVERIFY(std::memcmp(result + at, second + at, element) == 0);
                    }
                }
                const std::byte past = result[expected.size()];
                QVERIFY(past == std::byte{0xa5});
            }
        }
    }
}

void TestCudaKernels::oneNanKeepsItsPayload()
{
    // A signalling one with a payload, first and second; and what has no result at all.
    const std::array<std::uint32_t, 4> bits{0x7f812345, 0xff800001, 0x7fc00077, 0xffc0aaaa};
    const float infinity = std::numeric_limits<float>::infinity();
    for (const Reduction reduction : {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max}) {
        std::vector<float> first(8, 2.0F);
        std::vector<float> second(8, -3.0F);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            (i % 2 == 0 ? first : second)[i] = std::bit_cast<float>(bits[i]);
        }
        first[6] = reduction == Reduction::Product ? 0.0F : infinity;
        second[6] = reduction == Reduction::Product ? infinity : -infinity;
        kernels::Inputs from{{first.data(), second.data()}};
        const std::array<const void*, 2> pointers{first.data(), second.data()};
        std::array<std::uint32_t, 8> result{};
        std::array<std::uint32_t, 8> expected{};
        kernels::asThreads(1, 1,
            [&] { kernels::Reducing[0][static_cast<std::size_t>(reduction)]({{result.data()}}, 1, from, 2, 8, 0); });
        reduceArrays(reduction, DataType::Float32, expected.data(), pointers, 8);
        QCOMPARE(result, expected);
    }
}

void TestCudaKernels::flags()
{
    std::array<unsigned, 3> words{5, 0xfffffffe, 5};
    kernels::Inputs flags{{&words[0], &words[1], &words[2]}};
    unsigned stop = 0;
    unsigned missing = 0;
    const auto wait = [&](unsigned value) {
        kernels::asThreads(
            1, 3, [&] { kernels::lockstep_wait_for_flags(flags, 3, value, 1'000'000, &stop, &missing); });
    };
    wait(0xfffffffe); // before 5, because the count has wrapped around
    QCOMPARE(missing, 0U);
    wait(5);
    QCOMPARE(missing, 2U);
    missing = 0;
    stop = 1;
    wait(5); // stopped from outside: no rank is to blame
    QCOMPARE(missing, 0U);
    stop = 0;
    kernels::lockstep_set_flag(&words[1], 5);
    wait(5);
    QCOMPARE(missing, 0U);
}

LOCKSTEP_TEST(TestCudaKernels)
#include "test_cuda_kernels.moc"
