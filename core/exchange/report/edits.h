// What a person changes in a report: which blocks, in which order, with which words. Kept apart from what the template
// and the runs give, so that it is there again when the report is made of other runs.
#pragma once

#include "base/result.h"
#include "exchange/report/report.h"
#include "exchange/report/template.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

struct Edits {
    std::vector<std::string> order; ///< keys; blocks that are not named follow the one that they follow in the report
    std::set<std::string> leftOut; ///< keys
    std::map<std::string, std::string> texts; ///< by key, in place of textOf()
    std::vector<std::string> added; ///< sections of the user's own, each as toJson(Section) has it
    std::string author; ///< of the title page; empty: a line to write on
    std::string number;

    bool operator==(const Edits&) const = default;
};

/// The words of a block that a person may change: a heading, a text, a caption, an answer, sentences (a line each).
[[nodiscard]] std::string textOf(const Block& block);

/// The blocks in the edits' order with the edits' words, those that are left out included.
[[nodiscard]] std::vector<Block> arranged(const Report& report, const Edits& edits);
/// The report as it is to be written.
[[nodiscard]] Report edited(const Report& report, const Edits& edits);

/// How many questions of the report have no answer.
[[nodiscard]] int unansweredIn(const Report& report);
/// Without these questions, and without headings that nothing follows.
void dropUnanswered(Report& report);
/// Drops headings that another heading of their level or a higher one follows, or nothing.
void dropEmptySections(Report& report);
/// The template with the added sections: before the first section that asks something, else at the end. Those that
/// cannot be read are left out.
[[nodiscard]] Template withAdded(Template which, const std::vector<std::string>& added);

/// As kept in a file. parseEdits: what is not understood is an error.
[[nodiscard]] std::string toJson(const Edits& edits);
[[nodiscard]] Result<Edits> parseEdits(std::string_view json);

} // namespace lockstep::report
