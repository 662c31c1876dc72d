#include "laboratory/code/rank_values.h"

#include "base/translate.h"

#include <QByteArray>

#include <algorithm>
#include <cmath>

namespace lockstep::laboratory {

namespace {

constexpr double SumError = 1e-5;

Text digits(double value, int count)
{
    return verbatim(QByteArray::number(value, 'g', count).toStdString());
}

} // namespace

Values drawnValues(Random& random, std::size_t count)
{
    Values values(count);
    std::ranges::generate(values, [&] { return static_cast<double>(static_cast<float>(random.uniform(-2.0, 2.0))); });
    return values;
}

RankValues drawnRankValues(Random& random, int world, std::size_t count)
{
    RankValues values(static_cast<std::size_t>(world));
    std::ranges::generate(values, [&] { return drawnValues(random, count); });
    return values;
}

Values sumOf(const RankValues& values)
{
    Values sum(values.front().size());
    for (const Values& each : values) {
        std::ranges::transform(sum, each, sum.begin(), std::plus<>());
    }
    return sum;
}

Values magnitudeOf(const RankValues& values)
{
    RankValues sizes;
    for (const Values& each : values) {
        sizes.push_back(mapped(each, [](double value) { return std::abs(value); }));
    }
    return sumOf(sizes);
}

Values mapped(const Values& values, const std::function<double(double)>& edit)
{
    Values edited(values.size());
    std::ranges::transform(values, edited.begin(), edit);
    return edited;
}

RankValues onAll(const Values& values, std::size_t world)
{
    return RankValues(world, values);
}

std::optional<std::size_t> differingElement(const Values& got, const Values& expected, const Values& magnitude)
{
    const std::size_t count = std::min(got.size(), expected.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (!(std::abs(got[i] - expected[i]) <= SumError * magnitude[i])) {
            return i;
        }
    }
    return got.size() == expected.size() ? std::nullopt : std::optional(count);
}

bool isNear(const RankValues& got, const RankValues& expected, const Values& magnitude)
{
    return std::ranges::equal(got, expected,
        [&](const Values& a, const Values& b) { return !differingElement(a, b, magnitude).has_value(); });
}

Error elementFault(const Values& got, const Values& expected, std::size_t element)
{
    if (element >= got.size() || element >= expected.size()) {
        return failure(LS_TR("Messages", "%1 elements instead of %2"), {got.size(), expected.size()});
    }
    // as many digits as tell the two apart
    const bool isClose = std::abs(got[element] - expected[element]) < SumError * std::abs(expected[element]);
    const int count = isClose ? 15 : 6;
    return failure(LS_TR("Messages", "element %1 is %2 instead of %3"),
        {element + 1, digits(got[element], count), digits(expected[element], count)});
}

} // namespace lockstep::laboratory
