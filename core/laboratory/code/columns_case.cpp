#include "laboratory/code/columns_case.h"

#include "base/random.h"

#include <utility>

namespace lockstep::laboratory {

namespace {

Matrix drawnMatrix(Random& random, std::size_t rows, std::size_t columns)
{
    return {rows, columns, drawnValues(random, rows * columns)};
}

} // namespace

std::vector<ColumnsCase> columnsCases(std::uint64_t seed, int ranks)
{
    Random random(Seed{seed});
    std::vector<ColumnsCase> cases;
    const auto add = [&](int world, std::vector<std::size_t> leading) {
        const auto outputs = 2 * static_cast<std::size_t>(world);
        Matrix x = drawnMatrix(random, ColumnRows, ColumnInputs);
        Matrix weight = drawnMatrix(random, outputs, ColumnInputs);
        Values bias = drawnValues(random, outputs);
        cases.push_back({world, std::move(x), std::move(weight), std::move(bias),
            drawnMatrix(random, ColumnRows, outputs), std::move(leading)});
    };
    for (int world = 2; world <= ranks; ++world) {
        add(world, {ColumnRows});
    }
    add(ranks, {2, ColumnRows / 2});
    return cases;
}

Sums outputOf(const ColumnsCase& each, double times)
{
    Sums sums;
    for (std::size_t row = 0; row < ColumnRows; ++row) {
        for (std::size_t out = 0; out < each.outputs(); ++out) {
            sums.begin();
            sums.add(times * each.bias[out]);
            for (std::size_t in = 0; in < ColumnInputs; ++in) {
                sums.add(each.x.at(row, in) * each.weight.at(out, in));
            }
        }
    }
    return sums;
}

Sums inputGradient(const ColumnsCase& each, std::size_t begin, std::size_t end)
{
    Sums sums;
    for (std::size_t row = 0; row < ColumnRows; ++row) {
        for (std::size_t in = 0; in < ColumnInputs; ++in) {
            sums.begin();
            for (std::size_t out = begin; out < end; ++out) {
                sums.add(each.scale.at(row, out) * each.weight.at(out, in));
            }
        }
    }
    return sums;
}

Sums weightGradient(const ColumnsCase& each, std::size_t rank)
{
    Sums sums;
    for (std::size_t out = rank * each.shardRows(); out < (rank + 1) * each.shardRows(); ++out) {
        for (std::size_t in = 0; in < ColumnInputs; ++in) {
            sums.begin();
            for (std::size_t row = 0; row < ColumnRows; ++row) {
                sums.add(each.scale.at(row, out) * each.x.at(row, in));
            }
        }
    }
    return sums;
}

Sums biasGradient(const ColumnsCase& each, std::size_t rank)
{
    Sums sums;
    for (std::size_t out = rank * each.shardRows(); out < (rank + 1) * each.shardRows(); ++out) {
        sums.begin();
        for (std::size_t row = 0; row < ColumnRows; ++row) {
            sums.add(each.scale.at(row, out));
        }
    }
    return sums;
}

bool equals(const Values& got, const Sums& expected, double factor)
{
    const auto times = [factor](double value) { return factor * value; };
    const auto size = [factor](double value) { return std::abs(factor) * value; };
    return !differingElement(got, mapped(expected.values, times), mapped(expected.magnitude, size)).has_value();
}

} // namespace lockstep::laboratory
