// A net in two halves over RPC: where its parameters live, where its layers run, and both halves' updates.
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/halves_case.h"
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

constexpr double HalvesError = 1e-4; ///< of the largest value: float32 through three layers and back

Json batchRows(const Values& values, std::size_t rows)
{
    Json all = Json::array();
    const auto columns = static_cast<std::ptrdiff_t>(values.size() / rows);
    for (auto next = values.begin(); next != values.end(); next += columns) {
        all.push_back(Values(next, next + columns));
    }
    return all;
}

Result<std::vector<TrialTask>> halvesTasks(const Json& check)
{
    TrialTask task;
    task.ranks = 2;
    task.limit = std::chrono::seconds(120);
    task.input = {{"names", {"TwoHalves"}}, {"rate", HalvesRate}, {"seed", check.value("seed", std::uint64_t{1})},
        {"nets", Json::array()}};
    for (const HalvesCase& each : halvesCases(check)) {
        Json batches = Json::array();
        for (std::size_t i = 0; i < each.batches.size(); ++i) {
            batches.push_back(
                {{"x", batchRows(each.batches[i].x, each.rows[i])}, {"y", batchRows(each.batches[i].y, each.rows[i])}});
        }
        task.input["nets"].push_back(
            {{"sizes", {each.widths[0], each.widths[1], each.widths[3]}}, {"batches", std::move(batches)}});
    }
    return std::vector<TrialTask>{std::move(task)};
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

/// The records of a net, of each step or batch.
std::vector<const Json*> recordsOfNet(const RankTrial& rank, std::string_view kind, std::size_t net)
{
    std::vector<const Json*> found = recordsOf(rank, kind);
    std::erase_if(found, [net](const Json* each) { return integerIn(*each, "net") != static_cast<std::int64_t>(net); });
    return found;
}

std::vector<HeldTensor> tensorsIn(const RankTrial& rank, std::string_view kind, std::size_t net, std::size_t step)
{
    std::vector<HeldTensor> tensors;
    for (const Json* record : recordsOfNet(rank, kind, net)) {
        const Json list = record->value("tensors", Json());
        if (integerIn(*record, "step") == static_cast<std::int64_t>(step) && list.is_array()) {
            for (const Json& each : list) {
                if (each.is_object()) {
                    tensors.push_back({integerIn(each, "owner"), numbersIn(each, "shape"), numbersIn(each, "values")});
                }
            }
        }
    }
    return tensors;
}

/// One of the nets.
class HalvesJudge {
public:
    HalvesJudge(const HalvesCase& each, const Trial& trial, std::size_t number)
        : m_case(each)
        , m_trial(trial)
        , m_number(number)
    { }

    /// Of what was recorded: the parameters as they were made, then each step.
    [[nodiscard]] std::optional<CodeVerdict> fault() const
    {
        if (auto fault = placeFault()) {
            return fault;
        }
        const std::size_t outputs = m_trial.ranks.empty() ? 0 : recordsOfNet(rank(0), "output", m_number).size();
        for (std::size_t step = 0; step < std::min(outputs, m_case.batches.size()); ++step) {
            if (auto fault = shapeFault(step)) {
                return fault;
            }
        }
        for (std::size_t step = 0; isWhole() && step < m_case.batches.size(); ++step) {
            if (auto fault = stepFault(step)) {
                return fault;
            }
        }
        return std::nullopt;
    }

    /// Whether all steps were recorded.
    [[nodiscard]] bool isWhole() const
    {
        return m_trial.ranks.size() > 1 && recordsOfNet(rank(0), "output", m_number).size() == m_case.batches.size()
            && recordsOfNet(rank(0), "parameters", m_number).size() == m_case.batches.size() + 1;
    }

private:
    [[nodiscard]] const RankTrial& rank(std::size_t number) const { return m_trial.ranks[number]; }
    /// In the order of the layers where all six are there, in whatever order the list has them; else those of rank 0
    /// first.
    [[nodiscard]] std::vector<HeldTensor> referenced(std::size_t step) const
    {
        auto tensors = tensorsIn(rank(0), "parameters", m_number, step);
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
    [[nodiscard]] Values shapeOf(std::size_t place) const
    {
        const auto out = static_cast<double>(m_case.widths[place / 2 + 1]);
        return place % 2 == 0 ? Values{out, static_cast<double>(m_case.widths[place / 2])} : Values{out};
    }

    /// Before the first step: nothing where nothing was recorded.
    [[nodiscard]] std::optional<CodeVerdict> placeFault() const
    {
        if (m_trial.ranks.size() < 2 || recordsOfNet(rank(0), "parameters", m_number).empty()) {
            return std::nullopt;
        }
        if (auto fault = sharedFault()) {
            return fault;
        }
        const auto tensors = referenced(0);
        if (auto fault = listFault(tensors)) {
            return fault;
        }
        const auto held = tensorsIn(rank(1), "held", m_number, 0);
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

    /// A parameter that is one of an earlier net, as that was left.
    [[nodiscard]] std::optional<CodeVerdict> sharedFault() const
    {
        const auto tensors = tensorsIn(rank(0), "parameters", m_number, 0);
        for (std::size_t earlier = 0; earlier < m_number; ++earlier) {
            const std::size_t steps = recordsOfNet(rank(0), "output", earlier).size();
            for (const HeldTensor& other : tensorsIn(rank(0), "parameters", earlier, steps)) {
                const auto isSame = [&](const HeldTensor& each) {
                    return other.values.size() > 1 && each.values == other.values && each.owner == other.owner;
                };
                if (std::ranges::any_of(tensors, isSame)) {
                    return known(failure(LS_TR("Messages", "net %1 has parameters of net %2 on rank %3"),
                                     {m_number + 1, earlier + 1, other.owner}),
                        "net_shared",
                        LS_TR("Messages",
                            "a second net in the same processes gets a half of the first one, as from a global or the "
                            "class: each TwoHalves makes its own"));
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> listFault(const std::vector<HeldTensor>& tensors) const
    {
        std::vector<Values> shapes;
        std::ranges::transform(tensors, std::back_inserter(shapes), &HeldTensor::shape);
        const std::vector<Values> all = netShapes({0, 1, 2, 3, 4, 5});
        const auto isOf = [this, shapes = sorted(shapes)](
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

    [[nodiscard]] std::vector<Values> netShapes(const std::vector<std::size_t>& places) const
    {
        std::vector<Values> shapes;
        std::ranges::transform(
            places, std::back_inserter(shapes), [this](std::size_t place) { return shapeOf(place); });
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

    [[nodiscard]] HalvesNet netAt(std::size_t step) const
    {
        const auto tensors = referenced(step);
        HalvesNet net{m_case.widths, {}, {}};
        for (std::size_t layer = 0; layer < 3 && tensors.size() == 6; ++layer) {
            net.weights[layer] = tensors[2 * layer].values;
            net.biases[layer] = tensors[2 * layer + 1].values;
        }
        return net;
    }

    [[nodiscard]] static bool hasAllValues(const HalvesNet& net)
    {
        for (std::size_t layer = 0; layer < 3; ++layer) {
            if (net.weights[layer].size() != net.widths[layer] * net.widths[layer + 1]
                || net.biases[layer].size() != net.widths[layer + 1]) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] std::optional<CodeVerdict> stepFault(std::size_t step) const
    {
        const HalvesNet before = netAt(step);
        const HalvesNet after = netAt(step + 1);
        if (!hasAllValues(before) || !hasAllValues(after)) {
            return wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        if (auto fault = outputFault(before, step)) {
            return fault;
        }
        return updateFault(before, after, step);
    }

    [[nodiscard]] std::optional<CodeVerdict> shapeFault(std::size_t step) const
    {
        const Json& output = *recordsOfNet(rank(0), "output", m_number)[step];
        const Values shape{static_cast<double>(m_case.rows[step]), static_cast<double>(m_case.widths.back())};
        if (const Values given = numbersIn(output, "shape"); given != shape) {
            return known(failure(LS_TR("Messages", "the output has the shape %1 instead of %2"),
                             {verbatim(shapesText({given})), verbatim(shapesText({shape}))}),
                "output_shape",
                LS_TR("Messages",
                    "the output has a row for each row of x and a column for each output, also where that is one"));
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> outputFault(const HalvesNet& net, std::size_t step) const
    {
        const Json& output = *recordsOfNet(rank(0), "output", m_number)[step];
        const HalvesBatch& batch = m_case.batches[step];
        const Values got = numbersIn(output, "values");
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
        const std::size_t usual = 4 * (m_number + 1);
        if (tensorsIn(rank(1), "held", m_number, step + 1).size() > usual
            || tensorsIn(rank(1), "held", m_number, 0).size() > usual) {
            return withKnown(verdict, "made_again",
                LS_TR("Messages", "the second half is made anew in a later call: keep one RRef to it"));
        }
        return verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> updateFault(
        const HalvesNet& before, const HalvesNet& after, std::size_t step) const
    {
        const HalvesNet expected = steppedNet(before, m_case.batches[step]);
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

    const HalvesCase& m_case;
    const Trial& m_trial;
    std::size_t m_number;
};

/// What no earlier net shows comes from them.
CodeVerdict ofNet(CodeVerdict verdict, std::size_t number)
{
    if (number == 0) {
        return verdict;
    }
    verdict.fault = during({LS_TR("Messages", "net %1 in the same processes"), {number + 1}}, *verdict.fault);
    return verdict;
}

CodeVerdict halvesVerdict(const Json& check, const Trial& trial)
{
    const auto cases = halvesCases(check);
    for (std::size_t number = 0; number < cases.size(); ++number) {
        const HalvesJudge judge(cases[number], trial, number);
        if (auto fault = judge.fault()) {
            return ofNet(*std::move(fault), number);
        }
        if (judge.isWhole()) {
            continue;
        }
        if (auto waits = standstill(trial)) {
            return ofNet(*std::move(waits), number);
        }
        auto broken = brokenTrial(trial);
        return broken ? ofNet(*std::move(broken), number)
                      : wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
    }
    if (auto waits = standstill(trial)) {
        return *waits;
    }
    auto broken = brokenTrial(trial);
    return broken ? *std::move(broken) : CodeVerdict();
}

CodeVerdict judgeHalves(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const CodeVerdict verdict = halvesVerdict(check, trials.front());
    const bool isOfList = verdict.mistake.find("listed") != std::string::npos || verdict.mistake == "rref_of_a_copy";
    const bool isOfMaking = verdict.mistake == "second_half_local" || verdict.mistake == "sizes_fixed"
        || verdict.mistake == "net_shared" || verdict.mistake == "layer_missing";
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
