// What an experiment asks.
#pragma once

#include "analysis/finding.h"

#include <optional>
#include <span>

namespace lockstep::analysis {

/// A question in both languages, or one that sentence() words.
struct Question {
    experiment::Wording given{}; ///< by the spec or preset; empty: `derived`
    std::optional<Finding> derived{};

    [[nodiscard]] bool isGiven() const { return !given.en.empty() || !given.zh.empty(); }
};

/// The preset's, else what follows from what varies between the runs: the values of one parameter, of two or three, the
/// strategy, the number of ranks. Nothing for runs of several experiments, and for a single variant.
[[nodiscard]] std::optional<Question> questionOf(std::span<const RunRecord> runs);
/// Whether the runs differ in nothing but their number of ranks: then that is asked, whatever their preset asks.
[[nodiscard]] bool varyRanksAlone(std::span<const RunRecord> runs);
/// Its words; `translate` those of a derived one.
[[nodiscard]] std::string textOf(const Question& question, bool isChinese, const Translator& translate);

} // namespace lockstep::analysis
