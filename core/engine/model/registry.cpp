#include "engine/model/registry.h"

#include "base/names.h"
#include "datasets/registry.h"
#include "engine/memory/memory_account.h"
#include "engine/model/layers.h"
#include "experiment/choices.h"
#include "plan/evaluation_size.h"
#include "plan/net.h"

#include <fmt/format.h>

#include <functional>

namespace lockstep::engine {

namespace {

/// Makes one layer; a list of them is a net that has not been built yet, so any range of it can be built alone.
using Recipe = std::function<std::unique_ptr<Layer>(const LayerContext&)>;
using Recipes = std::vector<Recipe>;

/// `share`: where a tensor-parallel group shares it, outputs and inputs in turn, as plan/net.h has it.
Recipe linear(std::int64_t in, std::int64_t out, Share share)
{
    return [=](const LayerContext& context) { return makeLinear(in, out, share, context); };
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

/// Square images.
struct ImageShape {
    std::int64_t channels = 1;
    std::int64_t side = 28;
};

ImageShape imageShape(const experiment::RunSpec& run)
{
    const std::vector<std::int64_t> shape = plan::sampleShape(run);
    return {shape[0], shape[1]};
}

std::int64_t classesOf(const experiment::RunSpec& run)
{
    return experiment::dataFactsOf(run).classes;
}

Recipes logistic(const experiment::RunSpec& run)
{
    return {flatten(), linear(plan::sampleElements(run), classesOf(run), Share::Outputs)};
}

Recipes mlp(const experiment::RunSpec& run)
{
    const std::int64_t hidden = run.settings->net.hidden;
    return {flatten(), linear(plan::sampleElements(run), hidden, Share::Outputs), relu(),
        linear(hidden, classesOf(run), Share::Inputs)};
}

Recipes cnn(const experiment::RunSpec& run)
{
    const ImageShape image = imageShape(run);
    const std::int64_t pooled = (image.side - 2 - 2) / 2; // each convolution takes off 2
    return {convolution({.in = image.channels, .out = 32, .size = 3}), relu(),
        convolution({.in = 32, .out = 64, .size = 3, .share = Share::Inputs}), relu(), maxPool(), flatten(),
        linear(64 * pooled * pooled, 128, Share::Outputs), relu(), linear(128, classesOf(run), Share::Inputs)};
}

/// LeCun et al. 1998, section II, as it is taught today: ReLU instead of the scaled tanh, max pooling instead of
/// trained sub-sampling, full connections between the convolutions, cross entropy instead of the Gaussian connections.
/// It takes 32 x 32: smaller images are padded.
Recipes lenet5(const experiment::RunSpec& run)
{
    const ImageShape image = imageShape(run);
    const std::int64_t padding = (32 - image.side) / 2;
    return {convolution({.in = image.channels, .out = 6, .size = 5, .padding = padding}), relu(), maxPool(),
        convolution({.in = 6, .out = 16, .size = 5, .share = Share::Inputs}), relu(), maxPool(), flatten(),
        linear(400, 120, Share::Outputs), relu(), linear(120, 84, Share::Inputs), relu(),
        linear(84, classesOf(run), Share::Outputs)};
}

Recipes deepMlp(const experiment::RunSpec& run)
{
    const std::int64_t hidden = run.settings->net.hidden;
    const std::int64_t depth = run.settings->net.depth;
    const auto shareOf = [](std::int64_t number) { return number % 2 == 1 ? Share::Outputs : Share::Inputs; };
    Recipes recipes{flatten(), linear(plan::sampleElements(run), hidden, shareOf(1)), relu()};
    for (std::int64_t number = 2; number < depth; ++number) {
        recipes.push_back(linear(hidden, hidden, shareOf(number)));
        recipes.push_back(relu());
    }
    recipes.push_back(linear(hidden, 10, shareOf(depth)));
    return recipes;
}

Recipes gpt(const experiment::RunSpec& run)
{
    const GptShape shape{.width = run.settings->net.width,
        .heads = run.settings->net.heads,
        .blocks = run.settings->net.blocks,
        .context = run.settings->net.context,
        .isTied = run.settings->net.isTied};
    Recipes recipes{[shape](const LayerContext& context) { return makeEmbedding(shape, context); }};
    for (std::int64_t number = 1; number <= shape.blocks; ++number) {
        recipes.push_back([=](const LayerContext& context) { return makeBlock(shape, number, context); });
    }
    recipes.push_back([shape](const LayerContext& context) { return makeHead(shape, context); });
    return recipes;
}

struct NetRow {
    std::string_view name;
    Recipes (*recipes)(const experiment::RunSpec&);
};

constexpr NetRow Nets[]
    = {{"logistic", logistic}, {"mlp", mlp}, {"cnn", cnn}, {"lenet5", lenet5}, {"deep-mlp", deepMlp}, {"gpt", gpt}};

Result<Recipes> recipesOf(const experiment::RunSpec& run)
{
    for (const NetRow& row : Nets) {
        if (row.name == std::string(nameOf(run.settings->net.name))) {
            return row.recipes(run);
        }
    }
    return refusal(nameOf(&experiment::NetSettings::name),
        LS_TR("Messages", "%1 is not a net that this lockstep-rank can build"),
        {verbatim(nameOf(run.settings->net.name))});
}

} // namespace

std::vector<std::string_view> netNames()
{
    return namesOf(Nets, &NetRow::name);
}

Result<std::int64_t> layerCount(const experiment::RunSpec& run)
{
    const auto recipes = recipesOf(run);
    return recipes ? Result<std::int64_t>(static_cast<std::int64_t>(recipes->size()))
                   : Result<std::int64_t>(recipes.error());
}

namespace {

/// `begin`: layer 0 of the net, if the range does not hold it but shares a weight with it.
Result<Net> makeRange(const experiment::RunSpec& run, torch::Device device, std::int64_t first, std::int64_t last,
    TensorGroup* group, const Layer* begin)
{
    LOCKSTEP_TRY_ASSIGN(const auto recipes, recipesOf(run));
    const MemoryScope scope(MemoryKind::Parameters);
    const auto end = last < 0 ? static_cast<std::int64_t>(recipes.size()) : last;
    if (first < 0 || first > end || end > static_cast<std::int64_t>(recipes.size())) {
        return refusal(nameOf(&experiment::NetSettings::name),
            LS_TR("Messages", "layers %1 to %2 of %3 do not exist; it has %4"),
            {first, end, verbatim(nameOf(run.settings->net.name)), recipes.size()});
    }
    const Seed seed = seedFor(SeedUse::Weights, static_cast<std::uint64_t>(run.settings->train.seed));
    const at::ScalarType dtype = is(run, experiment::WeightType::Float64) ? at::kDouble : at::kFloat;
    std::vector<std::unique_ptr<Layer>> layers;
    for (std::int64_t i = first; i < end; ++i) {
        const LayerContext context{.dtype = dtype,
            .device = device,
            .seed = seed.derive(static_cast<std::uint64_t>(i)),
            .isFirst = i == first,
            .seedOfFirst = seed.derive(0),
            .first = first == 0 && i > 0 ? layers.front().get() : begin,
            .group = group != nullptr && group->parts() > 1 ? group : nullptr};
        layers.push_back(recipes[static_cast<std::size_t>(i)](context));
    }
    Net net(std::move(layers), static_cast<std::size_t>(first));
    net.setEvaluatedAtOnce(plan::mostEvaluatedAtOnce(run));
    net.setArithmetic({autocastOf(run), run.settings->train.isChannelsLast});
    if (first == 0) {
        const MemoryScope ofData(MemoryKind::Data);
        net.setScale(InputScale(datasets::dataSetOf(run).scale, dtype, device));
    }
    return net;
}

} // namespace

std::optional<at::ScalarType> autocastOf(const experiment::RunSpec& run)
{
    const auto precision = experiment::choice<experiment::Precision>(run);
    return precision == experiment::Precision::Bfloat16 ? std::optional(at::kBFloat16)
        : precision == experiment::Precision::Float16   ? std::optional(at::kHalf)
                                                        : std::nullopt;
}

Result<Net> makeNet(
    const experiment::RunSpec& run, torch::Device device, std::int64_t first, std::int64_t last, TensorGroup* group)
{
    return makeRange(run, device, first, last, group, nullptr);
}

Result<Net> makeNetAfter(
    const Layer& begin, const experiment::RunSpec& run, torch::Device device, std::int64_t first, std::int64_t last)
{
    return makeRange(run, device, first, last, nullptr, &begin);
}

} // namespace lockstep::engine
