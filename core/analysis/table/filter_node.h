// The expression of a filter. Private to core/analysis/table.
#pragma once

#include "analysis/table/column.h"
#include "analysis/table/filter.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::analysis {

enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, Contains, ContainsNot };

/// `>=`; nothing for what is no operator.
[[nodiscard]] std::optional<Compare> compareFrom(std::string_view text);

struct Filter::Node {
    enum class Kind { And, Or, Not, Comparison, Text };

    Kind kind = Kind::Text;
    std::vector<Node> parts{}; ///< of And, Or, Not
    const Column* column = nullptr; ///< of a Comparison
    Compare compare = Compare::Equal;
    double number = NotMeasured;
    std::string text{}; ///< in lower case
    bool isNone = false; ///< compared with no value
};

/// `column compare value`, checked against what the column holds.
[[nodiscard]] Result<Filter::Node> comparisonOf(
    std::string_view column, std::string_view compare, std::string_view value, std::int64_t nowNs);

} // namespace lockstep::analysis
