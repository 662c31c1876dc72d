// A column-parallel linear layer, y = x Wᵀ + b: its output, and the gradients of its input and of its shard.
// Source: M. Shoeybi et al., Megatron-LM, https://arxiv.org/abs/1909.08053, section 3.
#include "base/translate.h"
#include "laboratory/code/columns_case.h"
#include "laboratory/code/columns_mistakes.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace lockstep::laboratory {

namespace {

constexpr int ColumnRanks = 3;
constexpr int MostColumnRanks = 4;

std::vector<ColumnsCase> casesOfColumns(const Json& check)
{
    return columnsCases(check.value("seed", std::uint64_t{1}), check.value("ranks", ColumnRanks));
}

Result<std::vector<TrialTask>> columnsTasks(const Json& check)
{
    TrialTask task;
    task.ranks = check.value("ranks", ColumnRanks);
    if (task.ranks > MostColumnRanks) {
        return refusal("ranks", LS_TR("Messages", "at most %1"), {MostColumnRanks});
    }
    task.limit = std::chrono::seconds(120);
    task.input = {{"names", {"ColumnParallelLinear"}}, {"cases", Json::array()}};
    for (const ColumnsCase& each : casesOfColumns(check)) {
        task.input["cases"].push_back({{"world", each.world}, {"x", each.x.json()}, {"weight", each.weight.json()},
            {"bias", each.bias}, {"scale", each.scale.json()}, {"leading", each.leading},
            {"later", {{"x", LaterInput}, {"scale", LaterScale}}}, {"few", ColumnFewRows}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// What one rank recorded of one case.
class ColumnsRank {
public:
    ColumnsRank(const ColumnsCase& each, const RankMessages& messages, std::size_t rank)
        : m_case(each)
        , m_messages(messages)
        , m_rank(rank)
    { }

    /// Of the parameters as they were made; nothing where none were recorded.
    [[nodiscard]] std::optional<CodeVerdict> madeFault() const
    {
        return m_messages.layer == nullptr ? std::nullopt : shardFault();
    }

    /// Of the first calls; `isLater`: of those after them, with another x.
    [[nodiscard]] std::optional<CodeVerdict> fault(bool isLater) const
    {
        if (m_messages.result == nullptr || m_messages.layer == nullptr) {
            return wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        if (isLater) {
            auto other = otherShapeFault();
            return other ? other : twiceFault();
        }
        for (const auto check : {&ColumnsRank::outputFault, &ColumnsRank::exchangeFault, &ColumnsRank::evaluationFault,
                 &ColumnsRank::gradientFault, &ColumnsRank::inputFault, &ColumnsRank::laterFault}) {
            if (auto verdict = (this->*check)()) {
                return verdict;
            }
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] double world() const { return m_case.world; }

    [[nodiscard]] CodeVerdict differs(
        std::string_view what, const Values& got, const Sums& expected, double factor = 1.0) const
    {
        const Values wanted = mapped(expected.values, [factor](double value) { return factor * value; });
        const auto element = differingElement(got, wanted, expected.magnitude).value_or(0);
        return wrong(during({LS_TR("Messages", "%1 on rank %2 of %3"), {verbatim(what), m_rank, m_case.world}},
            elementFault(got, wanted, element)));
    }

    static Json parametersIn(const Json& record, const char* name = "parameters")
    {
        const Json all = record.value(name, Json());
        return all.is_array() ? all : Json::array();
    }

    [[nodiscard]] bool holds(const Values& values, const char* name = "parameters") const
    {
        const Json all = parametersIn(*m_messages.layer, name);
        return std::ranges::any_of(
            all, [&](const Json& each) { return each.is_object() && numbersIn(each, "values") == values; });
    }

    /// Of the parameter that holds this; empty: it has none.
    static Values gradientOf(const Values& held, const Json& record)
    {
        const Json all = parametersIn(record);
        for (const Json& each : all) {
            if (each.is_object() && numbersIn(each, "values") == held) {
                return numbersIn(each, "gradient");
            }
        }
        return {};
    }

    [[nodiscard]] Values shard(const Values& whole, std::size_t columns) const
    {
        const std::size_t count = m_case.shardRows() * columns;
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(m_rank * count);
        return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }

    /// W split by its columns: the inputs.
    [[nodiscard]] bool isSplitByInputs() const
    {
        const Json all = parametersIn(*m_messages.layer);
        return std::ranges::any_of(all, [&](const Json& each) {
            const Values shape = each.is_object() ? numbersIn(each, "shape") : Values();
            return shape.size() == 2 && shape[0] == static_cast<double>(m_case.outputs())
                && shape[1] < static_cast<double>(ColumnInputs);
        });
    }

    [[nodiscard]] std::optional<CodeVerdict> shardFault() const
    {
        if (holds(m_case.weight.values, "others")) {
            return withKnown(
                wrong(failure(LS_TR("Messages", "rank %1 of %2 keeps the whole weight beside its parameters"),
                    {m_rank, m_case.world})),
                "whole_weight", LS_TR("Messages", "every rank keeps the whole weight: nothing is divided"));
        }
        if (holds(shard(m_case.weight.values, ColumnInputs)) && holds(shard(m_case.bias, 1))) {
            return std::nullopt;
        }
        CodeVerdict verdict = wrong(failure(
            LS_TR("Messages", "rank %1 of %2 has no parameters with rows %3 to %4 of the weight and of the bias"),
            {m_rank, m_case.world, m_rank * m_case.shardRows() + 1, (m_rank + 1) * m_case.shardRows()}));
        if (holds(m_case.weight.values)) {
            return withKnown(std::move(verdict), "whole_weight",
                LS_TR("Messages", "every rank keeps the whole weight: nothing is divided"));
        }
        if (holds(everyNthRow(m_case, m_rank))) {
            return withKnown(std::move(verdict), "every_nth_row",
                LS_TR("Messages", "the rank keeps every n-th row: it needs rows one after another"),
                "weight.chunk(n)[rank]");
        }
        if (isSplitByInputs()) {
            return withKnown(std::move(verdict), "split_by_inputs",
                LS_TR("Messages", "the weight is split by inputs: that is the row-parallel layer"), "dim=1");
        }
        if (holds(shard(m_case.weight.values, ColumnInputs)) && holds(m_case.bias)) {
            return withKnown(std::move(verdict), "whole_bias",
                LS_TR("Messages", "every rank keeps the whole bias: it needs the part of its outputs"));
        }
        if (parametersIn(*m_messages.layer).size() == 1 && holds(shard(m_case.weight.values, ColumnInputs))) {
            return withKnown(std::move(verdict), "bias_no_parameter",
                LS_TR("Messages", "the weight is the only parameter: the bias is none"), "nn.Parameter");
        }
        return verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> shapeFault() const
    {
        Values wanted(m_case.leading.begin(), m_case.leading.end());
        wanted.push_back(static_cast<double>(m_case.outputs()));
        return numbersIn(*m_messages.result, "shape") == wanted
            ? std::nullopt
            : std::optional(withKnown(wrong(failure(LS_TR("Messages", "y on rank %1 of %2 has other dimensions than x"),
                                          {m_rank, m_case.world})),
                "dimensions_lost", LS_TR("Messages", "y keeps all dimensions of x but the last")));
    }

    /// What each place of y would hold: `place(row, rank, column)` of got, for each row, rank and column of the part.
    template <typename Place>
    [[nodiscard]] bool isMoved(const Values& got, const Sums& expected, Place place) const
    {
        const std::size_t columns = m_case.shardRows();
        const auto ranks = static_cast<std::size_t>(m_case.world);
        Sums moved = expected;
        for (std::size_t i = 0; i < expected.values.size(); ++i) {
            const std::size_t to = place(i / (ranks * columns), i / columns % ranks, i % columns);
            moved.values[to] = expected.values[i];
            moved.magnitude[to] = expected.magnitude[i];
        }
        return equals(got, moved);
    }

    /// torch.cat(parts, dimension), for one of the leading dimensions.
    [[nodiscard]] bool isJoinedIn(const Values& got, const Sums& expected, std::size_t dimension) const
    {
        const std::size_t columns = m_case.shardRows();
        const auto ranks = static_cast<std::size_t>(m_case.world);
        std::size_t inner = 1; // rows of one index of the dimensions before, in one part
        for (std::size_t i = dimension; i < m_case.leading.size(); ++i) {
            inner *= m_case.leading[i];
        }
        return isMoved(got, expected, [=](std::size_t row, std::size_t rank, std::size_t column) {
            return ((row / inner * ranks + rank) * inner + row % inner) * columns + column;
        });
    }

    [[nodiscard]] bool hasPartsInOtherOrder(const Values& got, const Sums& expected) const
    {
        const std::size_t columns = m_case.shardRows();
        std::vector<std::size_t> order(static_cast<std::size_t>(m_case.world));
        std::iota(order.begin(), order.end(), std::size_t{0});
        while (std::next_permutation(order.begin(), order.end())) {
            const bool isFound = isMoved(got, expected, [&](std::size_t row, std::size_t rank, std::size_t column) {
                return (row * order.size() + order[rank]) * columns + column;
            });
            if (isFound) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] std::optional<CodeVerdict> outputFault() const
    {
        const Sums expected = outputOf(m_case);
        const Values got = numbersIn(*m_messages.result, "y");
        if (equals(got, expected)) {
            return shapeFault();
        }
        CodeVerdict verdict = differs("y", got, expected);
        if (equals(got, outputOf(m_case, 0.0))) {
            return withKnown(std::move(verdict), "no_bias", LS_TR("Messages", "the bias is not added"), "x Wᵀ");
        }
        if (equals(got, outputOf(m_case, world()))) {
            return withKnown(std::move(verdict), "bias_repeated",
                LS_TR("Messages", "every rank adds the bias: it is in the sum n times"), "x Wᵀ + n b");
        }
        if (got.size() * static_cast<std::size_t>(m_case.world) == expected.values.size()) {
            return withKnown(std::move(verdict), "not_gathered",
                LS_TR("Messages",
                    "y has this rank's columns alone, or a sum of them: gather them along the last dimension"));
        }
        if (isJoinedIn(got, expected, 0) || (m_case.leading.size() > 1 && isJoinedIn(got, expected, 1))) {
            return withKnown(std::move(verdict), "wrong_dimension",
                LS_TR("Messages", "the parts of y are joined in another dimension than the last"),
                "torch.cat(parts, dim=-1)");
        }
        if (hasPartsInOtherOrder(got, expected)) {
            return withKnown(std::move(verdict), "parts_reordered",
                LS_TR("Messages", "the parts of y are not joined in the order of the ranks"), "y = [y₀, y₁, …]");
        }
        Values reordered = got;
        Values wanted = expected.values;
        std::ranges::sort(reordered);
        std::ranges::sort(wanted);
        if (equals(reordered, {wanted, Values(wanted.size(), 10.0)})) {
            return withKnown(std::move(verdict), "wrong_order",
                LS_TR("Messages", "y has the right numbers in the wrong places"), "torch.cat(parts, dim=-1)");
        }
        return verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> exchangeFault() const
    {
        return m_messages.calls.empty() ? std::optional(wrong(
                   failure(LS_TR("Messages", "rank %1 of %2 exchanges nothing with the others: y needs their columns"),
                       {m_rank, m_case.world})))
                                        : std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> gradientFault() const
    {
        const Values weight = gradientOf(shard(m_case.weight.values, ColumnInputs), *m_messages.result);
        const Values bias = gradientOf(shard(m_case.bias, 1), *m_messages.result);
        const Sums ofWeight = weightGradient(m_case, m_rank);
        const Sums ofBias = biasGradient(m_case, m_rank);
        if (equals(weight, ofWeight) && equals(bias, ofBias)) {
            return std::nullopt;
        }
        if (weight.empty()) {
            CodeVerdict verdict = wrong(
                failure(LS_TR("Messages", "the weight on rank %1 of %2 gets no gradient"), {m_rank, m_case.world}));
            return !bias.empty() || !numbersIn(*m_messages.result, "x_gradient").empty()
                ? withKnown(std::move(verdict), "weight_detached",
                    LS_TR("Messages",
                        "the gradient does not reach the weight: it is detached, or a backward returns None for it"))
                : withKnown(std::move(verdict), "no_gradient",
                    LS_TR("Messages", "y is cut off from the graph: all_gather, detach and no_grad pass no gradient"));
        }
        if (bias.empty()) {
            return withKnown(
                wrong(failure(LS_TR("Messages", "the bias on rank %1 of %2 gets no gradient"), {m_rank, m_case.world})),
                "bias_detached",
                LS_TR("Messages",
                    "the gradient does not reach the bias: it is detached, or a backward returns None for it"));
        }
        CodeVerdict verdict
            = equals(weight, ofWeight) ? differs("bias.grad", bias, ofBias) : differs("weight.grad", weight, ofWeight);
        if (equals(weight, ofWeight, LaterInput)) {
            return withKnown(std::move(verdict), "input_kept",
                LS_TR("Messages", "the layer keeps the x of its last call: each call must save its own"),
                "ctx.save_for_backward(x)");
        }
        return equals(weight, ofWeight, world())
            ? withKnown(std::move(verdict), "gradient_repeated",
                LS_TR("Messages", "the backward of the gather sums equal gradients of all ranks: it must take a part"),
                "n ∂L/∂W")
            : verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> inputFault() const
    {
        const Sums expected = inputGradient(m_case, 0, m_case.outputs());
        const Values got = numbersIn(*m_messages.result, "x_gradient");
        if (equals(got, expected)) {
            return std::nullopt;
        }
        if (got.empty()) {
            return withKnown(
                wrong(failure(LS_TR("Messages", "x gets no gradient on rank %1 of %2"), {m_rank, m_case.world})),
                "input_detached",
                LS_TR("Messages", "the gradient does not reach x: it is detached, or a backward returns None for it"));
        }
        CodeVerdict verdict = differs("x.grad", got, expected);
        if (equals(got, expected, world())) {
            return ofRepeatedSum(std::move(verdict));
        }
        if (equals(got, inputGradient(m_case, m_rank * m_case.shardRows(), (m_rank + 1) * m_case.shardRows()))) {
            return withKnown(std::move(verdict), "input_gradient_partial",
                LS_TR("Messages", "x.grad comes from this rank's columns alone: all-reduce it in the backward"),
                "Σ over ranks of ∂L/∂y_r W_r");
        }
        if (equals(got, expected, 1.0 / world())) {
            return withKnown(std::move(verdict), "input_gradient_mean",
                LS_TR("Messages", "x.grad is averaged over the ranks: it must be summed"));
        }
        return verdict;
    }

    /// Of a second call of the layer, and of its backward: gradients add up.
    [[nodiscard]] std::optional<CodeVerdict> laterFault() const
    {
        const Values y = numbersIn(*m_messages.result, "later_y");
        ColumnsCase second = m_case;
        second.x.values = mapped(m_case.x.values, [](double value) { return LaterInput * value; });
        if (!equals(y, outputOf(second))) {
            return wrong(during(LS_TR("Messages", "in a second call"), *differs("y", y, outputOf(second)).fault));
        }
        const Json found = m_messages.result->value("later", Json());
        const Json later = found.is_object() ? found : Json::object();
        const Sums ofX = inputGradient(m_case, 0, m_case.outputs());
        struct Gradient {
            std::string_view name;
            Values got;
            Sums ofFirst;
            double ofSecond; ///< times that of the first
        };
        const double both = LaterInput * LaterScale;
        for (const Gradient& each :
            {Gradient{"weight.grad", gradientOf(shard(m_case.weight.values, ColumnInputs), later),
                 weightGradient(m_case, m_rank), both},
                Gradient{
                    "bias.grad", gradientOf(shard(m_case.bias, 1), later), biasGradient(m_case, m_rank), LaterScale},
                Gradient{"x.grad", numbersIn(later, "x_gradient"), ofX, both}}) {
            if (equals(each.got, each.ofFirst, 1.0 + each.ofSecond)) {
                continue;
            }
            CodeVerdict verdict = wrong(during(LS_TR("Messages", "after a second backward"),
                *differs(each.name, each.got, each.ofFirst, 1.0 + each.ofSecond).fault));
            if (equals(each.got, each.ofFirst, each.ofSecond)) {
                return withKnown(std::move(verdict), "gradient_overwritten",
                    LS_TR("Messages",
                        "backward assigns a grad, so that an earlier one is lost: return gradients, which autograd "
                        "adds"),
                    "return gradient");
            }
            if (equals(each.got, each.ofFirst, 1.0 + world() * each.ofSecond)) {
                return ofRepeatedSum(std::move(verdict));
            }
            return equals(each.got, each.ofFirst) ? withKnown(std::move(verdict), "gradient_not_returned",
                       LS_TR("Messages",
                           "the second call adds no gradient: it is cut off, or backward assigns a grad instead of "
                           "returning it"),
                       "return gradient")
                                                  : verdict;
        }
        return std::nullopt;
    }

    /// Without gradients, before the training.
    [[nodiscard]] std::optional<CodeVerdict> evaluationFault() const
    {
        const Values y = numbersIn(*m_messages.result, "evaluated");
        return equals(y, outputOf(m_case))
            ? std::nullopt
            : std::optional(columnsFaultOf("evaluation", differs("y", y, outputOf(m_case))));
    }

    [[nodiscard]] std::optional<CodeVerdict> otherShapeFault() const
    {
        Sums expected = outputOf(m_case);
        expected.values.resize(ColumnFewRows * m_case.outputs());
        expected.magnitude.resize(expected.values.size());
        const Values y = numbersIn(*m_messages.result, "few_y");
        const Values shape{static_cast<double>(ColumnFewRows), 1.0, static_cast<double>(m_case.outputs())};
        if (equals(y, expected) && numbersIn(*m_messages.result, "few_shape") == shape) {
            return std::nullopt;
        }
        return columnsFaultOf("other_shape",
            equals(y, expected) ? wrong(
                failure(LS_TR("Messages", "y on rank %1 of %2 has other dimensions than x"), {m_rank, m_case.world}))
                                : differs("y", y, expected));
    }

    /// Of two calls with the same x in one loss, each with half of the scale.
    [[nodiscard]] std::optional<CodeVerdict> twiceFault() const
    {
        const Json found = m_messages.result->value("twice", Json());
        const Json twice = found.is_object() ? found : Json::object();
        const Values x = numbersIn(twice, "x_gradient");
        const Values weight = gradientOf(shard(m_case.weight.values, ColumnInputs), twice);
        const double both = 2.0 + LaterInput * LaterScale;
        const Sums ofX = inputGradient(m_case, 0, m_case.outputs());
        if (!equals(x, ofX, both)) {
            return columnsFaultOf("twice", differs("x.grad", x, ofX, both));
        }
        return equals(weight, weightGradient(m_case, m_rank), both)
            ? std::nullopt
            : std::optional(
                columnsFaultOf("twice", differs("weight.grad", weight, weightGradient(m_case, m_rank), both)));
    }

    const ColumnsCase& m_case;
    const RankMessages& m_messages;
    std::size_t m_rank;
};

std::optional<CodeVerdict> caseFault(const ColumnsCase& each, std::span<const RankMessages> ranks, bool isLater)
{
    if (auto fault = faultyMessage(ranks)) {
        return fault;
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (auto fault = ColumnsRank(each, ranks[rank], rank).fault(isLater)) {
            return fault;
        }
    }
    return std::nullopt;
}

CodeVerdict judgeColumns(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const Trial& trial = trials.front();
    const auto cases = casesOfColumns(check);
    std::vector<std::vector<RankMessages>> ranks;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        ranks.push_back(messagesIn(trial, static_cast<int>(i), cases[i].world));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t rank = 0; rank < ranks[i].size(); ++rank) {
            if (auto fault = ColumnsRank(cases[i], ranks[i][rank], rank).madeFault()) {
                return atFunction(*std::move(fault), trial, {"__init__"});
            }
        }
    }
    if (auto broken = brokenCases(trial, ranks)) {
        const std::string stage = stageOf(trial); // the first call of all is the evaluation: nothing is new there
        return stage == "evaluation" ? *std::move(broken) : columnsFaultOf(stage, *std::move(broken));
    }
    for (const bool isLater : {false, true}) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (auto fault = caseFault(cases[i], ranks[i], isLater)) {
                return atFunction(*std::move(fault), trial, {"forward"});
            }
        }
    }
    return {};
}

} // namespace

Exercise columnParallelExercise()
{
    using Kind = FieldForm::Kind;
    return {"column_parallel",
        "A class `ColumnParallelLinear(weight, bias)` of the whole weight and bias: each rank keeps the rows of its "
        "outputs. Every rank gives the same input and gets the whole output; gradients as of one layer.",
        "column_parallel.py",
        {{"ranks", {Kind::Integer, {}, {}, 2.0}, false, "The largest number of ranks, up to 4. Without it: 3."},
            {"seed", {Kind::Integer}, false, "Of weight, bias and input. Without it: 1."}},
        columnsTasks, judgeColumns};
}

} // namespace lockstep::laboratory
