// The filter of the table of runs: `accuracy > 0.94 and net = cnn`.
//
//   filter     := all { "or" all }
//   all        := one { ["and"] one }
//   one        := "not" one | "(" filter ")" | comparison | text
//   comparison := column ("=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~") value
//   text, value: a word, or anything in quotes
//
// A column is any that table/column.h names, also by its short name. `~` asks whether the column's text contains the
// value. A text alone asks whether id, name, experiment, status, data set, net, optimizer, tags or note contain it.
// Upper and lower case are the same. A share may be written in percent (`94 %`); a date as `2026-11-23`,
// `2026-11-23T14:05`, `today` or `yesterday`, each of which means all of that time. A run without a value in a column
// matches no comparison with it but `= none`.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::analysis {

class Filter {
public:
    /// Matches every run.
    Filter() = default;
    /// Blanks alone match every run. `nowNs`: wall clock, for `today`. Errors are one line that names the word: what
    /// was given, what is allowed.
    [[nodiscard]] static Result<Filter> parse(std::string_view text, std::int64_t nowNs);

    [[nodiscard]] bool matches(const RunRecord& run) const;
    /// `text`: where a text alone is looked for, in lower case; searchText(run) and what else is shown of it.
    [[nodiscard]] bool matches(const RunRecord& run, std::string_view text) const;
    [[nodiscard]] bool isEmpty() const { return m_root == nullptr; }
    /// Whether it looks for a text alone.
    [[nodiscard]] bool looksForText() const;

    struct Node; ///< of the expression; private to the parser

private:
    std::shared_ptr<const Node> m_root;
};

/// Id, name, experiment, status, data set, net, optimizer, tags and note, each in a line, in lower case.
[[nodiscard]] std::string searchText(const RunRecord& run);
/// In lower case, for ASCII; other characters stay.
[[nodiscard]] std::string lowerCase(std::string_view text);

} // namespace lockstep::analysis
