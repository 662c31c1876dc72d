// What runs would cost, estimated from finished ones, in words. No widgets.
#pragma once

#include "analysis/run_record.h"
#include "experiment/spec.h"

#include <QString>

#include <span>

namespace lockstep::ui {

struct RunCost {
    QString text; ///< "27 runs · ≈ 12 s · 102 k parameters · 1,875 steps"; empty without runs
    bool isMeasured = false; ///< from runs measured on this machine alone
};

/// `history`: stored runs; those that have not finished are left out.
[[nodiscard]] RunCost costOf(std::span<const experiment::RunSpec> runs, std::span<const analysis::RunRecord> history);

} // namespace lockstep::ui
