// Robust means against their definition, in every order of the ranks, and that a NaN of one rank is a NaN of all.
#include "engine/comm/rules.h"
#include "plan/trimmed_mean.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep::comm;

namespace {

template <typename T>
struct SetsOfNumbers {
    std::vector<std::vector<T>> memory;

    /// One number each.
    explicit SetsOfNumbers(const std::vector<T>& numbers)
    {
        for (const T number : numbers) {
            memory.push_back({number});
        }
    }

    [[nodiscard]] std::vector<const void*> all() const
    {
        std::vector<const void*> pointers;
        for (const auto& each : memory) {
            pointers.push_back(each.data());
        }
        return pointers;
    }
};

template <typename T>
T combined(const std::vector<T>& numbers, int cut)
{
    constexpr DataType Type = sizeof(T) == 4 ? DataType::Float32 : DataType::Float64;
    T result = 0;
    const SetsOfNumbers<T> arrays(numbers);
    if (cut < 0) {
        medianOf({&result, 1, Type}, arrays.all());
    } else {
        trimmedMeanOf({&result, 1, Type}, arrays.all(), cut);
    }
    return result;
}

constexpr int Median = -1;

} // namespace

class TestRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOrderGivesTheSame()
    {
        std::vector<double> numbers{-3.0, 1.0, 2.0, 10.0, 1e6};
        do {
            QCOMPARE(combined(numbers, Median), 2.0);
            QCOMPARE(combined(numbers, 1), 13.0 / 3.0);
            QCOMPARE(combined(numbers, 2), 2.0);
        } while (std::next_permutation(numbers.begin(), numbers.end()));
        std::vector<float> even{1.0F, 2.0F, 4.0F, 8.0F};
        do {
            QCOMPARE(combined(even, Median), 3.0F);
            QCOMPARE(combined(even, 0), 3.75F);
        } while (std::next_permutation(even.begin(), even.end()));
    }

    void aNanStaysOne()
    {
        for (const int ranks : {1, 2, 3, 4, 5}) {
            for (int broken = 0; broken < ranks; ++broken) {
                std::vector<double> numbers;
                std::vector<float> floats;
                for (int rank = 0; rank < ranks; ++rank) {
                    numbers.push_back(rank == broken ? std::nan("") : rank * 1.5);
                    floats.push_back(static_cast<float>(numbers.back()));
                }
                QVERIFY(std::isnan(combined(numbers, Median)));
                QVERIFY(std::isnan(combined(floats, Median)));
                QVERIFY(std::isnan(combined(numbers, (ranks - 1) / 2)));
                QVERIFY(std::isnan(combined(floats, 0)));
            }
        }
    }

    /// An infinite number has a place in the order, and is trimmed as any other outlier.
    void infinityIsAnOutlier()
    {
        constexpr double Infinity = std::numeric_limits<double>::infinity();
        QCOMPARE(combined<double>({1.0, Infinity, 3.0}, Median), 3.0);
        QCOMPARE(combined<double>({1.0, Infinity, 3.0, -Infinity}, 1), 2.0);
    }

    void ranksAreTrimmedByShare()
    {
        QCOMPARE(lockstep::plan::trimmedAtEachEnd(0.25, 4), 1);
        QCOMPARE(lockstep::plan::trimmedAtEachEnd(0.25, 3), 0);
        QCOMPARE(lockstep::plan::trimmedAtEachEnd(0.25, 8), 2);
        QCOMPARE(lockstep::plan::trimmedAtEachEnd(0.5, 4), 1); // one is left at least
        QCOMPARE(lockstep::plan::trimmedAtEachEnd(0.5, 5), 2);
    }
};

LOCKSTEP_TEST(TestRules)
#include "test_rules.moc"
