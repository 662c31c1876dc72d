// A net in two halves over RPC: where its parameters live, where its layers run, and both halves' updates.
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/entry_json.h"

#include <QByteArray>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t HalvesInputs = 6;
constexpr std::size_t HalvesHidden = 5;
constexpr std::size_t HalvesOutputs = 3;
constexpr std::size_t HalvesRows = 4;
constexpr int HalvesBatches = 2;
constexpr double HalvesRate = 0.5;
constexpr double HalvesError = 1e-4; ///< of the largest value: float32 through three layers and back

struct HalvesBatch {
    Values x; ///< HalvesRows × HalvesInputs
    Values y; ///< HalvesRows × HalvesOutputs
};

std::vector<HalvesBatch> halvesBatches(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<HalvesBatch> batches(HalvesBatches);
    for (HalvesBatch& each : batches) {
        each.x = drawnValues(random, HalvesRows * HalvesInputs);
        each.y = drawnValues(random, HalvesRows * HalvesOutputs);
    }
    return batches;
}

Json batchRows(const Values& values)
{
    Json rows = Json::array();
    const auto columns = static_cast<std::ptrdiff_t>(values.size() / HalvesRows);
    for (auto next = values.begin(); next != values.end(); next += columns) {
        rows.push_back(Values(next, next + columns));
    }
    return rows;
}

Result<std::vector<TrialTask>> halvesTasks(const Json& check)
{
    TrialTask task;
    task.ranks = 2;
    task.limit = std::chrono::seconds(120);
    task.input = {{"names", {"TwoHalves"}}, {"sizes", {HalvesInputs, HalvesHidden, HalvesOutputs}},
        {"rate", HalvesRate}, {"seed", check.value("seed", std::uint64_t{1})}, {"batches", Json::array()}};
    for (const HalvesBatch& each : halvesBatches(check)) {
        task.input["batches"].push_back({{"x", batchRows(each.x)}, {"y", batchRows(each.y)}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// Linear, ReLU (rank 0); Linear, ReLU, Linear (rank 1).
struct HalvesNet {
    static constexpr std::array Widths{HalvesInputs, HalvesHidden, HalvesHidden, HalvesOutputs};
    std::array<Values, 3> weights; ///< outputs × inputs
    std::array<Values, 3> biases;
};

struct HalvesForms {
    bool hasFirstRelu = true;
    bool hasSecondRelu = true;

    [[nodiscard]] bool hasRelu(std::size_t layer) const
    {
        return layer == 0 ? hasFirstRelu : layer == 1 && hasSecondRelu;
    }
};

/// HalvesInputs of the layers, and the output of the last.
std::array<Values, 4> forwardOf(const HalvesNet& net, const Values& x, const HalvesForms& forms = {})
{
    std::array<Values, 4> all{x};
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const std::size_t in = HalvesNet::Widths[layer];
        const std::size_t out = HalvesNet::Widths[layer + 1];
        for (std::size_t row = 0; row < HalvesRows; ++row) {
            for (std::size_t o = 0; o < out; ++o) {
                double sum = net.biases[layer][o];
                for (std::size_t i = 0; i < in; ++i) {
                    sum += all[layer][row * in + i] * net.weights[layer][o * in + i];
                }
                all[layer + 1].push_back(forms.hasRelu(layer) ? std::max(sum, 0.0) : sum);
            }
        }
    }
    return all;
}

/// After one step of gradient descent on the mean of (output − y)².
HalvesNet steppedNet(const HalvesNet& net, const HalvesBatch& batch)
{
    const auto all = forwardOf(net, batch.x);
    HalvesNet stepped = net;
    Values gradient(batch.y.size()); // of the layer's output
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        gradient[i] = 2.0 * (all[3][i] - batch.y[i]) / static_cast<double>(gradient.size());
    }
    for (std::size_t layer = 3; layer-- > 0;) {
        const std::size_t in = HalvesNet::Widths[layer];
        const std::size_t out = HalvesNet::Widths[layer + 1];
        Values below(HalvesRows * in);
        for (std::size_t row = 0; row < HalvesRows; ++row) {
            for (std::size_t o = 0; o < out; ++o) {
                const bool isCut = layer < 2 && all[layer + 1][row * out + o] <= 0.0;
                const double g = isCut ? 0.0 : gradient[row * out + o];
                stepped.biases[layer][o] -= HalvesRate * g;
                for (std::size_t i = 0; i < in; ++i) {
                    stepped.weights[layer][o * in + i] -= HalvesRate * g * all[layer][row * in + i];
                    below[row * in + i] += g * net.weights[layer][o * in + i];
                }
            }
        }
        gradient = std::move(below);
    }
    return stepped;
}

/// The first element that differs by more than the rounding.
std::optional<std::size_t> farElement(const Values& got, const Values& expected)
{
    double largest = 1e-3;
    for (const double value : expected) {
        largest = std::max(largest, std::abs(value));
    }
    return differingElement(got, expected, Values(expected.size(), largest * HalvesError / 1e-5));
}

bool isClose(const Values& got, const Values& expected)
{
    return !farElement(got, expected).has_value();
}

struct HeldTensor {
    std::int64_t owner = -1; ///< the rank that holds it; -1: not recorded
    Values shape;
    Values values;
};

std::vector<HeldTensor> tensorsIn(const RankTrial& rank, std::string_view kind, int step)
{
    std::vector<HeldTensor> tensors;
    for (const Json* record : recordsOf(rank, kind)) {
        const Json list = record->value("tensors", Json());
        if (integerIn(*record, "step") == step && list.is_array()) {
            for (const Json& each : list) {
                if (each.is_object()) {
                    tensors.push_back({integerIn(each, "owner"), numbersIn(each, "shape"), numbersIn(each, "values")});
                }
            }
        }
    }
    return tensors;
}

class HalvesJudge {
public:
    HalvesJudge(const Json& check, const Trial& trial)
        : m_batches(halvesBatches(check))
        , m_trial(trial)
    { }

    [[nodiscard]] CodeVerdict verdict()
    {
        if (auto fault = placeFault()) {
            return *fault;
        }
        if (auto waits = standstill(m_trial)) {
            return *waits;
        }
        if (auto broken = brokenTrial(m_trial)) {
            return *broken;
        }
        for (int step = 0; step < HalvesBatches; ++step) {
            if (auto fault = stepFault(step)) {
                return *fault;
            }
        }
        return {};
    }

private:
    [[nodiscard]] const RankTrial& rank(std::size_t number) const { return m_trial.ranks[number]; }
    /// In the order of the layers where all six are there, in whatever order the list has them; else those of rank 0
    /// first.
    [[nodiscard]] std::vector<HeldTensor> referenced(int step) const
    {
        auto tensors = tensorsIn(rank(0), "parameters", step);
        std::ranges::stable_sort(tensors, std::less<>(), &HeldTensor::owner);
        std::vector<HeldTensor> left = tensors;
        std::vector<HeldTensor> ordered;
        for (std::size_t place = 0; place < 6 && tensors.size() == 6; ++place) {
            const auto found = std::ranges::find(left, shapeOf(place), &HeldTensor::shape);
            if (found == left.end()) {
                return tensors;
            }
            ordered.push_back(std::move(*found));
            left.erase(found);
        }
        return ordered.empty() ? tensors : ordered;
    }

    static CodeVerdict known(Error error, std::string_view key, std::string_view name)
    {
        return withKnown(wrong(std::move(error)), key, Text(name));
    }

    /// The shapes of the parameters in their order: weight and bias of each layer.
    static Values shapeOf(std::size_t place)
    {
        const auto out = static_cast<double>(HalvesNet::Widths[place / 2 + 1]);
        return place % 2 == 0 ? Values{out, static_cast<double>(HalvesNet::Widths[place / 2])} : Values{out};
    }

    /// Before the first step: nothing where nothing was recorded.
    [[nodiscard]] std::optional<CodeVerdict> placeFault() const
    {
        if (m_trial.ranks.size() < 2 || recordsOf(rank(0), "parameters").empty()) {
            return std::nullopt;
        }
        const auto tensors = referenced(0);
        if (auto fault = listFault(tensors)) {
            return fault;
        }
        const auto held = tensorsIn(rank(1), "held", 0);
        for (std::size_t place = 2; place < 6; ++place) {
            const bool isHeld = std::ranges::any_of(
                held, [&](const HeldTensor& each) { return each.values == tensors[place].values; });
            if (tensors[place].owner != 1) {
                return isHeld
                    ? known(failure(LS_TR("Messages", "the RRef of parameter %1 belongs to rank 0"), {place + 1}),
                        "rref_of_a_copy",
                        LS_TR("Messages",
                            "the parameters are copied to rank 0 first: make their RRefs on the rank that has them"))
                    : known(failure(LS_TR("Messages", "parameter %1 is on rank 0: the second half is not on rank 1"),
                                {place + 1}),
                        "second_half_local",
                        LS_TR("Messages", "the second half is made on rank 0: make it with rpc.remote"));
            }
            if (!isHeld) {
                return wrong(
                    failure(LS_TR("Messages", "no module on rank 1 has parameter %1 of the list"), {place + 1}));
            }
        }
        return tensors[0].owner == 0 && tensors[1].owner == 0
            ? std::nullopt
            : std::optional(wrong(failure(LS_TR("Messages", "the first half is not on rank 0"))));
    }

    [[nodiscard]] static std::optional<CodeVerdict> listFault(const std::vector<HeldTensor>& tensors)
    {
        std::vector<Values> shapes;
        std::ranges::transform(tensors, std::back_inserter(shapes), &HeldTensor::shape);
        const std::vector<Values> all = netShapes({0, 1, 2, 3, 4, 5});
        const auto isOf = [shapes = sorted(shapes)](
                              const std::vector<std::size_t>& places) { return shapes == sorted(netShapes(places)); };
        if (isOf({0, 1, 2, 3, 4, 5})) {
            return std::nullopt;
        }
        CodeVerdict verdict = wrong(failure(LS_TR("Messages", "parameter_rrefs gives the shapes %1; the net has %2"),
            {verbatim(shapesText(shapes)), verbatim(shapesText(all))}));
        if (isOf({0, 1})) {
            return withKnown(
                std::move(verdict), "second_not_listed", LS_TR("Messages", "the second half's parameters are missing"));
        }
        if (isOf({2, 3, 4, 5})) {
            return withKnown(
                std::move(verdict), "first_not_listed", LS_TR("Messages", "the first half's parameters are missing"));
        }
        if (isOf({0, 1, 2, 4}) || isOf({0, 2, 3, 4, 5}) || isOf({0, 2, 4})) {
            return withKnown(std::move(verdict), "biases_not_listed",
                LS_TR("Messages", "biases are missing: they are parameters too"));
        }
        if (isOf({0, 1, 4, 5}) || isOf({0, 1, 2, 3})) {
            return withKnown(std::move(verdict), "layer_missing",
                LS_TR("Messages", "a layer of the second half is missing: it has two"), "W₃ ReLU(W₂ h + b₂) + b₃");
        }
        if (std::set(shapes.begin(), shapes.end()) == std::set(all.begin(), all.end()) && shapes.size() > all.size()) {
            return withKnown(
                std::move(verdict), "listed_twice", LS_TR("Messages", "a parameter is in the list more than once"));
        }
        return areLayers(shapes) ? withKnown(std::move(verdict), "sizes_fixed",
                   LS_TR("Messages", "the layers do not have the sizes that are given: inputs, hidden and outputs"))
                                 : verdict;
    }

    static std::vector<Values> netShapes(const std::vector<std::size_t>& places)
    {
        std::vector<Values> shapes;
        std::ranges::transform(places, std::back_inserter(shapes), &HalvesJudge::shapeOf);
        return shapes;
    }

    static std::vector<Values> sorted(std::vector<Values> shapes)
    {
        std::ranges::sort(shapes);
        return shapes;
    }

    /// `(5 × 6), (5)`
    static std::string shapesText(const std::vector<Values>& shapes)
    {
        constexpr std::size_t MostShapes = 12;
        std::string text;
        for (std::size_t i = 0; i < std::min(shapes.size(), MostShapes); ++i) {
            std::string sizes;
            for (const double size : shapes[i]) {
                sizes += (sizes.empty() ? "" : " × ") + QByteArray::number(size, 'g', 9).toStdString();
            }
            text += (text.empty() ? "(" : ", (") + sizes + ')';
        }
        return shapes.size() > MostShapes ? text + ", …" : text.empty() ? "–" : text;
    }

    /// Three weights, each with the bias of its outputs.
    static bool areLayers(const std::vector<Values>& shapes)
    {
        const auto isLinear = [&](std::size_t weight) {
            return shapes[weight].size() == 2 && shapes[weight + 1] == Values{shapes[weight][0]};
        };
        return shapes.size() == 6 && isLinear(0) && isLinear(2) && isLinear(4);
    }

    [[nodiscard]] HalvesNet netAt(int step) const
    {
        const auto tensors = referenced(step);
        HalvesNet net;
        for (std::size_t layer = 0; layer < 3 && tensors.size() == 6; ++layer) {
            net.weights[layer] = tensors[2 * layer].values;
            net.biases[layer] = tensors[2 * layer + 1].values;
        }
        return net;
    }

    [[nodiscard]] static bool isWhole(const HalvesNet& net)
    {
        for (std::size_t layer = 0; layer < 3; ++layer) {
            if (net.weights[layer].size() != HalvesNet::Widths[layer] * HalvesNet::Widths[layer + 1]
                || net.biases[layer].size() != HalvesNet::Widths[layer + 1]) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] std::optional<CodeVerdict> stepFault(int step) const
    {
        const HalvesNet before = netAt(step);
        const HalvesNet after = netAt(step + 1);
        const auto outputs = recordsOf(rank(0), "output");
        if (!isWhole(before) || !isWhole(after) || outputs.size() != HalvesBatches) {
            return wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        if (auto fault = outputFault(before, numbersIn(*outputs[static_cast<std::size_t>(step)], "values"), step)) {
            return fault;
        }
        return updateFault(before, after, step);
    }

    [[nodiscard]] std::optional<CodeVerdict> outputFault(const HalvesNet& net, const Values& got, int step) const
    {
        const HalvesBatch& batch = m_batches[static_cast<std::size_t>(step)];
        const Values expected = forwardOf(net, batch.x)[3];
        if (recordsOf(rank(1), "forward").empty()) {
            return known(failure(LS_TR("Messages", "no layer runs on rank 1")), "module_copied",
                LS_TR("Messages", "the second half is copied to rank 0 and runs there: call it through its RRef"));
        }
        const auto element = farElement(got, expected);
        if (!element) {
            return std::nullopt;
        }
        const CodeVerdict verdict = wrong(
            during({LS_TR("Messages", "output of batch %1"), {step + 1}}, elementFault(got, expected, *element)));
        if (isClose(got, forwardOf(net, batch.x, {false, true})[3])) {
            return withKnown(verdict, "first_relu", LS_TR("Messages", "the ReLU of the first half is missing"));
        }
        if (isClose(got, forwardOf(net, batch.x, {true, false})[3])) {
            return withKnown(verdict, "second_relu", LS_TR("Messages", "the ReLU of the second half is missing"));
        }
        if (tensorsIn(rank(1), "held", step + 1).size() > 4 || tensorsIn(rank(1), "held", 0).size() > 4) {
            return withKnown(verdict, "made_again",
                LS_TR("Messages", "the second half is made anew in a later call: keep one RRef to it"));
        }
        return verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> updateFault(
        const HalvesNet& before, const HalvesNet& after, int step) const
    {
        const HalvesNet expected = steppedNet(before, m_batches[static_cast<std::size_t>(step)]);
        for (std::size_t layer = 0; layer < 3; ++layer) {
            for (const auto part : {&HalvesNet::weights, &HalvesNet::biases}) {
                const Values& got = (after.*part)[layer];
                const auto element = farElement(got, (expected.*part)[layer]);
                if (!element) {
                    continue;
                }
                const std::size_t place = 2 * layer + (part == &HalvesNet::biases ? 1 : 0);
                return named(wrong(during({LS_TR("Messages", "parameter %1 after step %2"), {place + 1, step + 1}},
                                 elementFault(got, (expected.*part)[layer], *element))),
                    before, after);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] static CodeVerdict named(CodeVerdict verdict, const HalvesNet& before, const HalvesNet& after)
    {
        const bool isFirstSame = before.weights[0] == after.weights[0];
        const bool isSecondSame = before.weights[1] == after.weights[1] && before.weights[2] == after.weights[2];
        if (isFirstSame && isSecondSame) {
            return withKnown(std::move(verdict), "no_update",
                LS_TR("Messages", "no parameter changes: the output has no distributed autograd history"));
        }
        if (isFirstSame) {
            return withKnown(std::move(verdict), "first_detached",
                LS_TR("Messages", "the first half gets no gradient: its output is detached before it is sent"));
        }
        if (isSecondSame) {
            return withKnown(std::move(verdict), "second_detached",
                LS_TR("Messages", "the second half gets no gradient: its parameters are not part of the graph"));
        }
        return verdict;
    }

    std::vector<HalvesBatch> m_batches;
    const Trial& m_trial;
};

CodeVerdict judgeHalves(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const CodeVerdict verdict = HalvesJudge(check, trials.front()).verdict();
    const bool isOfList = verdict.mistake.find("listed") != std::string::npos || verdict.mistake == "rref_of_a_copy";
    const bool isOfMaking = verdict.mistake == "second_half_local" || verdict.mistake == "sizes_fixed"
        || verdict.mistake == "layer_missing";
    return atFunction(verdict, trials.front(), {isOfList ? "parameter_rrefs" : isOfMaking ? "__init__" : "forward"});
}

} // namespace

Exercise halvesExercise()
{
    using Kind = FieldForm::Kind;
    return {"halves",
        "A class `TwoHalves(worker, inputs, hidden, outputs)` on rank 0: Linear and ReLU there, then Linear, ReLU and "
        "Linear on rank 1 behind an RRef; `parameter_rrefs` gives all parameters in this order.",
        "halves.py", {{"seed", {Kind::Integer}, false, "Of weights and batches. Without it: 1."}}, halvesTasks,
        judgeHalves};
}

} // namespace lockstep::laboratory
