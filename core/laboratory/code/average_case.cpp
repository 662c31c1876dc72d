#include "laboratory/code/average_case.h"

#include "base/random.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace lockstep::laboratory {

namespace {

/// Another parameter on each rank.
void clearOneEach(RankValues& given)
{
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        const std::size_t parameter = rank % GradientShapes.size();
        std::fill_n(given[rank].begin() + placeOf(parameter), elementsOf(GradientShapes[parameter]), 0.0);
    }
}

} // namespace

std::size_t elementsOf(const std::vector<std::size_t>& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::ptrdiff_t placeOf(std::size_t parameter)
{
    std::size_t place = 0;
    for (std::size_t i = 0; i < parameter; ++i) {
        place += elementsOf(GradientShapes[i]);
    }
    return static_cast<std::ptrdiff_t>(place);
}

std::vector<AverageCase> averageCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::size_t whole = 0;
    for (const auto& shape : GradientShapes) {
        whole += elementsOf(shape);
    }
    std::vector<AverageCase> cases;
    const int ranks = check.value("ranks", AverageRanks);
    for (std::size_t function = 0; function < AverageFunctions.size(); ++function) {
        for (int world = 2; world <= ranks; ++world) {
            cases.push_back({function, world, drawnRankValues(random, world, whole)});
        }
    }
    for (const Gradients kind : {Gradients::Generator, Gradients::Double, Gradients::None, Gradients::Zeros}) {
        const std::size_t size = whole - (kind == Gradients::None ? elementsOf(GradientShapes[ParameterOfNone]) : 0);
        for (std::size_t function = 0; function < AverageFunctions.size(); ++function) {
            RankValues given = drawnRankValues(random, ranks, size);
            for (Values& values : given) {
                const auto ofDouble = [](double value) { return value / 3.0; }; // no float32
                values = kind == Gradients::Double ? mapped(values, ofDouble) : values;
            }
            if (kind == Gradients::Zeros) {
                clearOneEach(given);
            }
            cases.push_back({function, ranks, std::move(given), kind});
        }
    }
    return cases;
}

Json parametersOf(const AverageCase& given)
{
    Json ranks = Json::array();
    for (const Values& values : given.given) {
        Json parameters = Json::array();
        auto next = values.begin();
        for (std::size_t i = 0; i < GradientShapes.size(); ++i) {
            if (given.kind == Gradients::None && i == ParameterOfNone) {
                parameters.push_back(nullptr);
                continue;
            }
            const auto end = next + static_cast<std::ptrdiff_t>(elementsOf(GradientShapes[i]));
            parameters.push_back(Values(next, end));
            next = end;
        }
        ranks.push_back(std::move(parameters));
    }
    return ranks;
}

} // namespace lockstep::laboratory
