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

/// The label, unit, choice or state in lower case, as the table shows it and in English.
class ShownWords {
public:
    explicit ShownWords(const ShownAs& shown)
        : m_shown(shown)
    { }

    /// Whether `text`, in lower case, is how this entry is shown.
    [[nodiscard]] bool isShownAs(std::string_view text, std::string_view context, std::string_view entry) const;
    /// Whether the number may have this word behind it.
    [[nodiscard]] bool isUnitOf(const Column& column, std::string_view text) const;
    /// The column that has this label; null if none has.
    [[nodiscard]] const Column* columnLabelled(std::string_view label) const;

private:
    const ShownAs& m_shown;
};

/// What a filter compares with: its words, and the wall clock for `today`.
struct FilterReading {
    const ShownWords& words;
    std::int64_t nowNs = 0;
};

/// By name, short name or label.
[[nodiscard]] Result<const Column*> filterColumn(const std::string& name, const ShownWords& words);
/// `column compare value`, checked against what the column holds.
[[nodiscard]] Result<Filter::Node> comparisonOf(
    const Column& column, std::string_view compare, std::string_view value, const FilterReading& reading);

} // namespace lockstep::analysis
