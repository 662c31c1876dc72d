#include "laboratory/code/columns_mistakes.h"

#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::laboratory {

namespace {

/// A part of a case, as the runner names it, and what is wrong where only this part goes wrong.
struct ColumnsStage {
    std::string_view key;
    std::string_view where;
    std::string_view mistake;
    std::string_view name;
};
constexpr std::array ColumnsStages{
    ColumnsStage{"evaluation", LS_TR("Messages", "after eval() and under torch.no_grad()"), "evaluation",
        LS_TR("Messages", "y must be the same in evaluation, and without gradients")},
    ColumnsStage{"other_shape", LS_TR("Messages", "where x has another shape than before"), "shape_kept",
        LS_TR("Messages", "sizes or buffers of an earlier x are kept: each call may have another shape")},
    ColumnsStage{"twice", LS_TR("Messages", "where the same x is used twice"), "input_used_twice",
        LS_TR("Messages", "two calls with one x disturb each other: keep nothing in the layer or on x")}};

} // namespace

CodeVerdict columnsFaultOf(std::string_view stage, CodeVerdict verdict)
{
    const auto found = std::ranges::find(ColumnsStages, stage, &ColumnsStage::key);
    if (found == ColumnsStages.end()) {
        return verdict;
    }
    verdict.fault = during(found->where, *verdict.fault);
    return withKnown(std::move(verdict), found->mistake, Text(found->name));
}

std::string stageOf(const Trial& trial)
{
    const auto cases = recordsOf(trial.ranks.front(), "case");
    const auto stages = recordsOf(trial.ranks.front(), "stage");
    const bool isOfLast
        = !cases.empty() && !stages.empty() && integerIn(*stages.back(), "case") == integerIn(*cases.back(), "case");
    return isOfLast ? textIn(*stages.back(), "name") : std::string();
}

Values everyNthRow(const ColumnsCase& each, std::size_t rank)
{
    Values rows;
    for (std::size_t row = rank; row < each.outputs(); row += static_cast<std::size_t>(each.world)) {
        const auto begin = each.weight.values.begin() + static_cast<std::ptrdiff_t>(row * ColumnInputs);
        rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(ColumnInputs));
    }
    return rows;
}

CodeVerdict ofRepeatedSum(CodeVerdict verdict)
{
    return withKnown(std::move(verdict), "hook_on_input",
        LS_TR("Messages",
            "x.grad is summed over the ranks more than once, as by a hook on x itself, which later calls add to"),
        "x = x.view_as(x)");
}

} // namespace lockstep::laboratory
