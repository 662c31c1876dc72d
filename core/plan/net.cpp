#include "plan/net.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "plan/attention_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

namespace lockstep::plan {

namespace {

using Shape = std::vector<std::int64_t>;

constexpr std::int64_t LenetSide = 32; ///< LeNet-5's input; smaller images are padded
constexpr std::int64_t Bytes = 256;
constexpr std::int64_t VectorFloats = 16;

std::int64_t elementsOf(const Shape& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Builds a net layer by layer, as the engine's registry does, and counts.
class NetBuilder {
public:
    /// `copiesWindows`: convolutions do, as LibTorch's in float64.
    NetBuilder(Shape sample, bool copiesWindows)
        : m_shape(std::move(sample))
        , m_copiesWindows(copiesWindows)
    { }

    /// A layer with parameters: begins a unit, unless only layers without any came before.
    void begin(std::string name, std::int64_t parameters, std::int64_t flops, Shape output, std::int64_t kept)
    {
        if (m_units.empty() || m_units.back().parameters > 0) {
            m_units.emplace_back();
        }
        NetUnit& unit = m_units.back();
        unit.name = std::move(name);
        unit.parameters = parameters;
        unit.forwardFlops = flops;
        follow(std::move(output), kept);
    }

    /// How the unit that was begun last is shared: columns and rows in turn.
    void shareInTurn(std::int64_t in, std::int64_t out, std::int64_t inputElements, std::int64_t outputElements)
    {
        NetUnit& unit = m_units.back();
        const bool isColumns = m_units.size() % 2 == 1;
        unit.split = isColumns ? UnitSplit::Columns : UnitSplit::Rows;
        unit.pieces = isColumns ? out : in;
        unit.wholeParameters = isColumns ? 0 : out; // the bias
        unit.summedForward = isColumns ? 0 : outputElements;
        unit.summedBackward = isColumns && m_units.size() > 1 ? inputElements : 0;
    }

    void share(UnitSplit split, std::int64_t pieces, std::int64_t whole, std::int64_t forward, std::int64_t backward)
    {
        NetUnit& unit = m_units.back();
        unit.split = split;
        unit.pieces = pieces;
        unit.wholeParameters = whole;
        unit.summedForward = forward;
        unit.summedBackward = backward;
    }

    /// A layer without parameters.
    void follow(Shape output, std::int64_t kept)
    {
        if (m_units.empty()) {
            m_units.emplace_back();
        }
        NetUnit& unit = m_units.back();
        ++unit.layers;
        unit.keptElements += kept;
        if (kept > 0) { // a flatten is a view of its input
            unit.widestElements = std::max(unit.widestElements, elementsOf(output));
            unit.passingElements = std::max(unit.passingElements, 2 * unit.widestElements);
        }
        unit.outputShape = output;
        m_shape = std::move(output);
    }

    /// The last layer makes more than its output.
    void hasInside(std::int64_t widest, std::int64_t passing)
    {
        m_units.back().widestElements = std::max(m_units.back().widestElements, widest);
        m_units.back().passingElements = std::max(m_units.back().passingElements, passing);
    }

    void linear(std::int64_t out)
    {
        const std::int64_t in = elementsOf(m_shape);
        begin(fmt::format("linear {} -> {}", in, out), (in + 1) * out, 2 * in * out, {out}, out);
        shareInTurn(in, out, in, out);
    }

    void convolution(std::int64_t out, std::int64_t size, std::int64_t padding = 0)
    {
        const std::int64_t in = m_shape[0];
        const std::int64_t inputElements = elementsOf(m_shape);
        const std::int64_t rows = m_shape[1] + 2 * padding - size + 1;
        const std::int64_t columns = m_shape[2] + 2 * padding - size + 1;
        const std::int64_t weights = in * size * size * out;
        begin(fmt::format("convolution {} -> {}, {} x {}{}", in, out, size, size,
                  padding > 0 ? fmt::format(", padding {}", padding) : ""),
            weights + out, 2 * weights * rows * columns, {out, rows, columns}, out * rows * columns);
        NetUnit& unit = m_units.back();
        unit.channels = out;
        unit.positions = rows * columns;
        unit.window = m_copiesWindows ? in * size * size : 0;
        hasInside(0, unit.workingElements());
        shareInTurn(in, out, inputElements, out * rows * columns);
    }

    void relu() { follow(m_shape, 0); }

    void maxPool()
    {
        Shape output{m_shape[0], m_shape[1] / 2, m_shape[2] / 2};
        const std::int64_t kept = 2 * elementsOf(output); // the maxima and their positions
        follow(std::move(output), kept);
    }

    void flatten() { follow({elementsOf(m_shape)}, 0); }

    [[nodiscard]] std::vector<NetUnit> take() { return std::move(m_units); }

private:
    Shape m_shape; ///< of the next layer's input
    bool m_copiesWindows;
    std::vector<NetUnit> m_units;
};

std::int64_t classesOf(const experiment::RunSpec& run)
{
    return experiment::dataFactsOf(run).classes;
}

void logistic(NetBuilder& net, const experiment::RunSpec& run)
{
    net.flatten();
    net.linear(classesOf(run));
}

void mlp(NetBuilder& net, const experiment::RunSpec& run)
{
    net.flatten();
    net.linear(run.settings->net.hidden);
    net.relu();
    net.linear(classesOf(run));
}

void cnn(NetBuilder& net, const experiment::RunSpec& run)
{
    net.convolution(32, 3);
    net.relu();
    net.convolution(64, 3);
    net.relu();
    net.maxPool();
    net.flatten();
    net.linear(128);
    net.relu();
    net.linear(classesOf(run));
}

void lenet5(NetBuilder& net, const experiment::RunSpec& run)
{
    net.convolution(6, 5, (LenetSide - sampleShape(run)[1]) / 2);
    net.relu();
    net.maxPool();
    net.convolution(16, 5);
    net.relu();
    net.maxPool();
    net.flatten();
    net.linear(120);
    net.relu();
    net.linear(84);
    net.relu();
    net.linear(classesOf(run));
}

void deepMlp(NetBuilder& net, const experiment::RunSpec& run)
{
    net.flatten();
    for (std::int64_t i = 1; i < run.settings->net.depth; ++i) {
        net.linear(run.settings->net.hidden);
        net.relu();
    }
    net.linear(classesOf(run));
}

/// With T tokens and width w: per token 12 w^2 weights a block, each used once, and per scored pair of tokens w
/// multiply-adds for the scores and w for the sums of the values. The embedding only looks up.
void gpt(NetBuilder& net, const experiment::RunSpec& run)
{
    const std::int64_t tokens = run.settings->net.context;
    const std::int64_t width = run.settings->net.width;
    const std::int64_t heads = run.settings->net.heads;
    const Shape inside{tokens, width};
    const std::int64_t values = tokens * width;
    net.begin("embedding", (Bytes + tokens) * width, 0, inside, values);
    net.share(UnitSplit::Vocabulary, Bytes, tokens * width, values, 0);
    for (std::int64_t number = 1; number <= run.settings->net.blocks; ++number) {
        // Two layer norms with the mean and deviation of each token, queries with keys and values, attention, its sums,
        // the first residual, the four times as wide layer before and after GELU, the block's output.
        const std::int64_t kept = (2 + 3 + 1 + 1 + 4 + 4 + 1) * values + 4 * tokens + heads * keptScores(tokens);
        net.begin(fmt::format("block {}", number), 12 * width * width + 13 * width,
            24 * values * width + 4 * width * scoredPairs(tokens), inside, kept);
        // Whole: two layer norms, and the biases that are added after the sums.
        net.share(UnitSplit::Heads, heads, (4 + 2) * width, 2 * values, 2 * values);
        // Scores and their softmax exist together with the norm's output, queries, keys, values and two sums of these.
        const std::int64_t scores = heads * scoresAtOnce(tokens);
        net.hasInside(std::max(4 * values, scores), std::max(10 * values, 6 * values + 2 * scores));
    }
    const std::int64_t headWeights = run.settings->net.isTied ? 0 : Bytes * width;
    net.begin(
        "head", headWeights + 2 * width, 2 * values * Bytes, {tokens, Bytes}, values + 2 * tokens + tokens * Bytes);
    net.share(UnitSplit::Scores, Bytes, 2 * width, 0, values);
}

struct NetRow {
    std::string_view name;
    void (*describe)(NetBuilder&, const experiment::RunSpec&);
};

constexpr NetRow Nets[]
    = {{"logistic", logistic}, {"mlp", mlp}, {"cnn", cnn}, {"lenet5", lenet5}, {"deep-mlp", deepMlp}, {"gpt", gpt}};

} // namespace

std::int64_t NetUnit::outputElements() const
{
    return elementsOf(outputShape);
}

std::int64_t NetUnit::workingElements() const
{
    const std::int64_t rounded = (channels + VectorFloats - 1) / VectorFloats * VectorFloats;
    return positions * (channels + (window > 0 ? window : rounded));
}

std::vector<NetUnit> netUnits(const experiment::RunSpec& run)
{
    for (const NetRow& row : Nets) {
        if (row.name == nameOf(run.settings->net.name)) {
            NetBuilder net(sampleShape(run), is(run, experiment::WeightType::Float64));
            row.describe(net, run);
            return net.take();
        }
    }
    return {};
}

Slice piecesOf(const NetUnit& unit, int part, int parts)
{
    return sliceOf(unit.pieces, part, parts);
}

std::int64_t parametersOf(const NetUnit& unit, int part, int parts)
{
    return unit.wholeParameters
        + (unit.parameters - unit.wholeParameters) / unit.pieces * piecesOf(unit, part, parts).count;
}

bool isOutputSplit(const NetUnit& unit)
{
    return unit.split == UnitSplit::Columns || unit.split == UnitSplit::Scores;
}

Shape outputShapeOf(const NetUnit& unit, int part, int parts)
{
    Shape shape = unit.outputShape;
    if (isOutputSplit(unit)) {
        // Channels come first and letters last; pooling and ReLU leave the channels as they are.
        (unit.split == UnitSplit::Scores ? shape.back() : shape.front()) = piecesOf(unit, part, parts).count;
    }
    return shape;
}

Result<void> checkSplit(std::span<const NetUnit> units, std::int64_t parts, const std::string& parameter)
{
    for (const NetUnit& unit : units) {
        if (unit.split == UnitSplit::Heads && unit.pieces % parts != 0) {
            return refusal(parameter,
                LS_TR(
                    "Refusals", "%1 ranks cannot share the %2 heads of net.heads equally; their number must divide it"),
                {parts, unit.pieces});
        }
        if (unit.pieces < parts) {
            return refusal(parameter,
                unit.split == UnitSplit::Rows
                    ? LS_TR("Refusals",
                        "%1 ranks are more than the %2 inputs of `%3` that they would share; use at most %2")
                    : LS_TR("Refusals",
                        "%1 ranks are more than the %2 outputs of `%3` that they would share; use at most %2"),
                {parts, unit.pieces, verbatim(unit.name)});
        }
    }
    return {};
}

std::vector<std::int64_t> sampleShape(const experiment::RunSpec& run)
{
    if (is(run, experiment::NetName::Gpt)) {
        return {run.settings->net.context};
    }
    const experiment::DataFacts images = experiment::dataFactsOf(run);
    return {images.channels, images.rows, images.columns};
}

std::int64_t sampleElements(const experiment::RunSpec& run)
{
    return elementsOf(sampleShape(run));
}

std::int64_t scaledElements(const experiment::RunSpec& run)
{
    return is(run, experiment::NetName::Gpt) ? 0 : sampleElements(run);
}

std::int64_t parametersOf(std::span<const NetUnit> units)
{
    return std::accumulate(units.begin(), units.end(), std::int64_t{0},
        [](std::int64_t sum, const NetUnit& unit) { return sum + unit.parameters; });
}

std::int64_t forwardFlopsOf(std::span<const NetUnit> units)
{
    return std::accumulate(units.begin(), units.end(), std::int64_t{0},
        [](std::int64_t sum, const NetUnit& unit) { return sum + unit.forwardFlops; });
}

} // namespace lockstep::plan
