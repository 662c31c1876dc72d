#include "engine/comm/reduce.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;

namespace {

template <typename T>
std::vector<T> reduced(Reduction reduction, DataType type, const std::vector<std::vector<T>>& inputs)
{
    std::vector<const void*> pointers;
    for (const auto& input : inputs) {
        pointers.push_back(input.data());
    }
    std::vector<T> result(inputs.front().size());
    reduceArrays(reduction, type, result.data(), pointers, static_cast<std::int64_t>(result.size()));
    return result;
}

std::uint16_t brain(float value)
{
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

} // namespace

class TestReduce : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void floats()
    {
        const std::vector<std::vector<float>> inputs{{1, -2, 3}, {4, 5, -6}, {0.5, 2, 1}};
        QCOMPARE(reduced(Reduction::Sum, DataType::Float32, inputs), (std::vector<float>{5.5F, 5, -2}));
        QCOMPARE(reduced(Reduction::Product, DataType::Float32, inputs), (std::vector<float>{2, -20, -18}));
        QCOMPARE(reduced(Reduction::Min, DataType::Float32, inputs), (std::vector<float>{0.5F, -2, -6}));
        QCOMPARE(reduced(Reduction::Max, DataType::Float32, inputs), (std::vector<float>{4, 5, 3}));
    }

    void sumsGoByRank()
    {
        // In another order this would be 1, because 1e8 swallows it.
        const std::vector<std::vector<float>> inputs{{1e8F}, {1}, {-1e8F}};
        QCOMPARE(reduced(Reduction::Sum, DataType::Float32, inputs), std::vector<float>{0});
    }

    void integersWrapAround()
    {
        constexpr std::int32_t Largest = std::numeric_limits<std::int32_t>::max();
        QCOMPARE(reduced<std::int32_t>(Reduction::Sum, DataType::Int32, {{Largest}, {1}}),
            std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min()});
        QCOMPARE(
            reduced<std::uint8_t>(Reduction::Product, DataType::UInt8, {{16}, {17}}), std::vector<std::uint8_t>{16});
        QCOMPARE(reduced<std::uint8_t>(Reduction::BitXor, DataType::UInt8, {{0b1100}, {0b1010}}),
            std::vector<std::uint8_t>{0b0110});
        QCOMPARE(reduced<std::int64_t>(Reduction::BitAnd, DataType::Int64, {{-1}, {6}}), std::vector<std::int64_t>{6});
        QCOMPARE(reduced<std::int64_t>(Reduction::BitOr, DataType::Int64, {{8}, {6}}), std::vector<std::int64_t>{14});
    }

    void halvesAreSummedInSingle()
    {
        // 1 + 2^-8 + 2^-8 = 1 + 2^-7, which bfloat16 has; rounded after each addition it would stay 1.
        const float small = std::ldexp(1.0F, -8);
        QCOMPARE(
            reduced<std::uint16_t>(Reduction::Sum, DataType::BFloat16, {{brain(1)}, {brain(small)}, {brain(small)}}),
            std::vector<std::uint16_t>{brain(1 + 2 * small)});
        constexpr std::uint16_t One = 0x3c00;
        constexpr std::uint16_t Three = 0x4200;
        constexpr std::uint16_t Four = 0x4400;
        QCOMPARE(reduced<std::uint16_t>(Reduction::Sum, DataType::Float16, {{One}, {Three}}),
            std::vector<std::uint16_t>{Four});
    }

    void bfloat16RoundsToEven()
    {
        // 1 + 2^-8 lies between 1 and 1 + 2^-7: to the even one, 1. 1 + 3 * 2^-8 goes up to 1 + 2^-6.
        const auto halfStep = brain(std::ldexp(1.0F, -8));
        const auto step = brain(std::ldexp(1.0F, -7));
        QCOMPARE(reduced<std::uint16_t>(Reduction::Sum, DataType::BFloat16, {{brain(1)}, {halfStep}}),
            std::vector<std::uint16_t>{brain(1)});
        QCOMPARE(reduced<std::uint16_t>(Reduction::Sum, DataType::BFloat16, {{brain(1)}, {halfStep}, {step}}),
            std::vector<std::uint16_t>{brain(1 + std::ldexp(1.0F, -6))});
        const std::uint16_t nan = 0x7f81;
        const auto sum = reduced<std::uint16_t>(Reduction::Sum, DataType::BFloat16, {{nan}, {brain(1)}}).front();
        QVERIFY((sum & 0x7f80) == 0x7f80 && (sum & 0x7f) != 0);
    }

    void notANumberIsNotHidden()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const Reduction reduction : {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max}) {
            QVERIFY(std::isnan(reduced<float>(reduction, DataType::Float32, {{nan}, {1}}).front()));
            QVERIFY(std::isnan(reduced<float>(reduction, DataType::Float32, {{1}, {nan}, {2}}).front()));
        }
    }

    void resultMayBeAnInput()
    {
        std::vector<double> a(5000, 1.5);
        const std::vector<double> b(5000, 2.0);
        const std::array<const void*, 2> inputs{b.data(), a.data()};
        reduceArrays(Reduction::Sum, DataType::Float64, a.data(), inputs, 5000);
        QCOMPARE(a, std::vector<double>(5000, 3.5));
    }
};

LOCKSTEP_TEST(TestReduce)
#include "test_reduce.moc"
