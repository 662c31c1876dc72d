// In which settings runs differ: from their experiment as it is built in, and from each other. Settings that do not
// apply to a run, and the seed, are left out.
#pragma once

#include "analysis/run_record.h"
#include "experiment/parameter.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// The parameters whose values differ from the preset's variant of this name, else from the preset's base, else from
/// the defaults; in the table's order.
[[nodiscard]] std::vector<const experiment::Parameter*> changedSettings(const RunRecord& run);
/// `optimizer.lr 0.01, train.epochs 20`; empty if nothing is changed.
[[nodiscard]] std::string changedText(const RunRecord& run);

/// A parameter in which some of the runs differ, with each run's value; empty where it does not apply.
struct SettingDifference {
    const experiment::Parameter* parameter = nullptr;
    std::vector<std::string> values;
};
/// In the table's order; empty for fewer than two runs.
[[nodiscard]] std::vector<SettingDifference> settingDifferences(std::span<const RunRecord* const> runs);

} // namespace lockstep::analysis
