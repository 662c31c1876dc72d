// Known mistakes in a linear layer that is divided by its outputs. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/code_verdict.h"
#include "laboratory/code/columns_case.h"
#include "laboratory/code/trial.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::laboratory {

/// The part of its last case that rank 0 began last, as the runner names it; empty: none.
[[nodiscard]] std::string stageOf(const Trial& trial);
/// What is wrong where only this part of a case goes wrong.
[[nodiscard]] CodeVerdict columnsFaultOf(std::string_view stage, CodeVerdict verdict);
/// weight[rank::n]
[[nodiscard]] Values everyNthRow(const ColumnsCase& each, std::size_t rank);
[[nodiscard]] CodeVerdict ofRepeatedSum(CodeVerdict verdict);

} // namespace lockstep::laboratory
