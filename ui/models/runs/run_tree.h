// The stored runs by experiment, by the batch in which they were started, and by variant: what the list at the left of
// the window shows. Plain data; no widgets.
#pragma once

#include "analysis/run_record.h"

#include <QDateTime>
#include <QString>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ui {

/// One variant of a batch, with its repeats.
struct RunTreeVariant {
    QString name;
    std::vector<RunId> runs; ///< its repeats, in the order of their start
    /// Of the repeat that most needs attention: failed and interrupted ones first, then those that have not ended.
    analysis::RunStatus status = analysis::RunStatus::Finished;

    bool operator==(const RunTreeVariant&) const = default;
};

/// Runs that one press of Run has started.
struct RunTreeBatch {
    std::string key; ///< the same for all of its runs, and for no others
    std::int64_t startedMs = 0; ///< of the first, since the epoch
    std::vector<RunTreeVariant> variants; ///< in the order of their start

    bool operator==(const RunTreeBatch&) const = default;
    [[nodiscard]] std::vector<RunId> runs() const;
};

struct RunTreeExperiment {
    std::string key; ///< experiment::experimentKey()
    std::vector<RunTreeBatch> batches; ///< the newest first
    std::string experiment{}; ///< the preset's name, and what its newest run says of it
    experiment::Wording title{};
    experiment::Wording question{};

    bool operator==(const RunTreeExperiment&) const = default;
};

/// `known` experiments, presets, come first, in this order and also without runs; then all others that have runs.
[[nodiscard]] std::vector<RunTreeExperiment> runTree(
    const std::vector<analysis::RunRecord>& records, std::span<const std::string_view> known);

/// The runs of the experiment with this key that were started together last; none if it has none.
[[nodiscard]] std::vector<RunId> newestBatchOf(const std::vector<analysis::RunRecord>& records, const std::string& key);

/// `today 16:05`, `yesterday 16:05`, or the date; in the window's language.
[[nodiscard]] QString startedText(const QDateTime& started, const QDateTime& now);

} // namespace lockstep::ui
