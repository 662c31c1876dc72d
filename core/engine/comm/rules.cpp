#include "engine/comm/rules.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace lockstep::comm {

namespace {

/// For a handful of numbers, one a rank, this beats std::sort.
template <typename T>
void sortFew(std::vector<T>& numbers)
{
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const T number = numbers[i];
        std::size_t at = i;
        for (; at > 0 && number < numbers[at - 1]; --at) {
            numbers[at] = numbers[at - 1];
        }
        numbers[at] = number;
    }
}

template <typename T>
void meanOfMiddle(const View& to, std::span<const void* const> arrays, std::size_t cut)
{
    std::vector<T> numbers(arrays.size());
    auto* result = static_cast<T*>(to.data);
    for (std::int64_t i = 0; i < to.count; ++i) {
        for (std::size_t rank = 0; rank < arrays.size(); ++rank) {
            numbers[rank] = static_cast<const T*>(arrays[rank])[i];
        }
        if (std::any_of(numbers.begin(), numbers.end(), [](T number) { return number != number; })) {
            result[i] = std::numeric_limits<T>::quiet_NaN(); // it has no place in the order
            continue;
        }
        sortFew(numbers);
        double sum = 0.0;
        for (std::size_t rank = cut; rank < numbers.size() - cut; ++rank) {
            sum += static_cast<double>(numbers[rank]);
        }
        result[i] = static_cast<T>(sum / static_cast<double>(numbers.size() - 2 * cut));
    }
}

void meanWithout(const View& to, std::span<const void* const> arrays, std::size_t cut)
{
    assert(2 * cut < arrays.size());
    assert(to.type == DataType::Float32 || to.type == DataType::Float64);
    if (to.type == DataType::Float32) {
        meanOfMiddle<float>(to, arrays, cut);
    } else {
        meanOfMiddle<double>(to, arrays, cut);
    }
}

} // namespace

void medianOf(const View& to, std::span<const void* const> arrays)
{
    meanWithout(to, arrays, (arrays.size() - 1) / 2);
}

void trimmedMeanOf(const View& to, std::span<const void* const> arrays, int cut)
{
    meanWithout(to, arrays, static_cast<std::size_t>(cut));
}

} // namespace lockstep::comm
