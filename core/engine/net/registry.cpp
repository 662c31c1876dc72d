#include "engine/net/registry.h"

#include "engine/net/layers.h"

#include <functional>

namespace lockstep::engine {

namespace {

/// Makes one layer; a list of them is a net that has not been built yet, so any range of it can be built alone.
using Recipe = std::function<std::unique_ptr<Layer>(const LayerContext&)>;
using Recipes = std::vector<Recipe>;

Recipe linear(std::int64_t in, std::int64_t out)
{
    return [=](const LayerContext& context) { return makeLinear(in, out, context); };
}

Recipe convolution(const ConvolutionShape& shape)
{
    return [=](const LayerContext& context) { return makeConvolution(shape, context); };
}

Recipe relu()
{
    return [](const LayerContext& context) {
        return makeRelu(context.isFirst ? ReluOutput::Fresh : ReluOutput::OverInput);
    };
}

Recipe maxPool()
{
    return [](const LayerContext&) { return makeMaxPool(2); };
}

Recipe flatten()
{
    return [](const LayerContext&) { return makeFlatten(); };
}

Recipes logistic(const experiment::RunSpec&)
{
    return {flatten(), linear(784, 10)};
}

Recipes mlp(const experiment::RunSpec& run)
{
    const std::int64_t hidden = run.integer("net.hidden");
    return {flatten(), linear(784, hidden), relu(), linear(hidden, 10)};
}

Recipes cnn(const experiment::RunSpec&)
{
    return {convolution({.in = 1, .out = 32, .size = 3}), relu(), convolution({.in = 32, .out = 64, .size = 3}), relu(),
        maxPool(), flatten(), linear(9216, 128), relu(), linear(128, 10)};
}

/// LeCun et al. 1998, section II, as it is taught today: ReLU for the scaled tanh, maxima for trained sub-sampling,
/// every map of the first convolution seen by every one of the second, cross entropy for the Gaussian connections.
Recipes lenet5(const experiment::RunSpec&)
{
    return {convolution({.in = 1, .out = 6, .size = 5, .padding = 2}), relu(), maxPool(),
        convolution({.in = 6, .out = 16, .size = 5}), relu(), maxPool(), flatten(), linear(400, 120), relu(),
        linear(120, 84), relu(), linear(84, 10)};
}

Recipes deepMlp(const experiment::RunSpec& run)
{
    const std::int64_t hidden = run.integer("net.hidden");
    Recipes recipes{flatten(), linear(784, hidden), relu()};
    for (std::int64_t i = 2; i < run.integer("net.depth"); ++i) {
        recipes.push_back(linear(hidden, hidden));
        recipes.push_back(relu());
    }
    recipes.push_back(linear(hidden, 10));
    return recipes;
}

Recipes gpt(const experiment::RunSpec& run)
{
    const GptShape shape{.width = run.integer("net.width"),
        .heads = run.integer("net.heads"),
        .blocks = run.integer("net.blocks"),
        .context = run.integer("net.context"),
        .isTied = run.boolean("net.tied")};
    Recipes recipes{[shape](const LayerContext& context) { return makeEmbedding(shape, context); }};
    for (std::int64_t number = 1; number <= shape.blocks; ++number) {
        recipes.push_back([=](const LayerContext& context) { return makeBlock(shape, number, context); });
    }
    recipes.push_back([shape](const LayerContext& context) { return makeHead(shape, context); });
    return recipes;
}

struct Row {
    std::string_view name;
    Recipes (*recipes)(const experiment::RunSpec&);
};

constexpr Row Table[] = {{"logistic", logistic}, {"mlp", mlp}, {"cnn", cnn}, {"lenet5", lenet5},
    {"deep-mlp", deepMlp}, {"gpt", gpt}};

Result<Recipes> recipesOf(const experiment::RunSpec& run)
{
    for (const Row& row : Table) {
        if (row.name == run.text("net.name")) {
            return row.recipes(run);
        }
    }
    return Error{"net.name: " + run.text("net.name") + " is not a net that this lockstep-rank can build"};
}

} // namespace

std::vector<std::string_view> netNames()
{
    std::vector<std::string_view> names;
    for (const Row& row : Table) {
        names.push_back(row.name);
    }
    return names;
}

Result<std::int64_t> layerCount(const experiment::RunSpec& run)
{
    const auto recipes = recipesOf(run);
    return recipes ? Result<std::int64_t>(static_cast<std::int64_t>(recipes->size()))
                   : Result<std::int64_t>(recipes.error());
}

Result<Net> makeNet(const experiment::RunSpec& run, torch::Device device, std::int64_t first, std::int64_t last)
{
    const auto recipes = recipesOf(run);
    if (!recipes) {
        return recipes.error();
    }
    const auto end = last < 0 ? static_cast<std::int64_t>(recipes->size()) : last;
    if (first < 0 || first > end || end > static_cast<std::int64_t>(recipes->size())) {
        return Error{"net.name: layers " + std::to_string(first) + " to " + std::to_string(end) + " of "
            + run.text("net.name") + " are not there; it has " + std::to_string(recipes->size())};
    }
    const Seed seed = seedFor(SeedUse::Weights, static_cast<std::uint64_t>(run.integer("train.seed")));
    const at::ScalarType dtype = run.text("train.dtype") == "float64" ? at::kDouble : at::kFloat;
    std::vector<std::unique_ptr<Layer>> layers;
    for (std::int64_t i = first; i < end; ++i) {
        const LayerContext context{.dtype = dtype,
            .device = device,
            .seed = seed.derive(static_cast<std::uint64_t>(i)),
            .isFirst = i == first,
            .seedOfFirst = seed.derive(0),
            .first = first == 0 && i > 0 ? layers.front().get() : nullptr};
        layers.push_back((*recipes)[static_cast<std::size_t>(i)](context));
    }
    return Net(std::move(layers), static_cast<std::size_t>(first));
}

} // namespace lockstep::engine
