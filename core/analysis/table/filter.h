// The filter of the table of runs: `accuracy > 0.94 and net = cnn`.
//
//   filter     := all { "or" all }
//   all        := one { ["and"] one }
//   one        := "not" one | "(" filter ")" | comparison | text
//   comparison := column ("=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~") value
//   text, value: a word, or anything in quotes
//
// A column is any that table/column.h names, also by its short name, or by the label that the table shows, in English
// or in the reader's language. Choices, states and units may be written as shown, too: `net = 卷积网络`,
// `time per step > 3 ms`. Full-width signs and digits count as the ASCII ones (base/typed.h). `~` asks whether the
// column's text contains the value. A text alone asks whether id, name, experiment, status, data set, net, optimizer,
// tags or note contain it. Upper and lower case are the same. A share may be written in percent (`94 %`); a date as
// `2026-11-23`, `2026-11-23T14:05`, `today` or `yesterday`, each of which means all of that time. A run without a value
// in a column matches no comparison with it but `= none`.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::analysis {

/// A text of this context in the reader's language.
using ShownAs = std::function<std::string(std::string_view context, std::string_view text)>;

class Filter {
public:
    /// Matches every run.
    Filter() = default;
    /// Blanks alone match every run. `nowNs`: wall clock, for `today`. `shown`: what the table calls columns, choices
    /// and units; without it they have their English names. Errors are one line that names the word: what was given,
    /// what is allowed.
    [[nodiscard]] static Result<Filter> parse(std::string_view text, std::int64_t nowNs, const ShownAs& shown = {});

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
