// In which settings runs differ: from their experiment as it is built in, and from each other. Settings that do not
// apply to a run, and the seed, are left out.
#pragma once

#include "analysis/run_record.h"
#include "experiment/parameter.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// Parameters whose settings are not the same in all runs, also where they do not apply, and `also`: in the table's
/// order, then those of users' own programs.
[[nodiscard]] std::vector<const experiment::Parameter*> differingParameters(
    std::span<const RunRecord* const> runs, std::string_view also = {});

/// A parameter in which some of the runs differ, with each run's value; empty where it does not apply.
struct SettingDifference {
    const experiment::Parameter* parameter = nullptr;
    std::vector<std::string> values;
};
/// The parameters whose values differ from the preset's variant of this name, else from the preset's base, else from
/// the defaults, which is the first value; the run's is the second one. In the table's order, then those of programs of
/// the user's own, whose defaults are unknown.
[[nodiscard]] std::vector<SettingDifference> changedSettings(const RunRecord& run);
/// `optimizer.lr 0.01, train.epochs 20`; empty if nothing is changed.
[[nodiscard]] std::string changedText(const RunRecord& run);
/// In the order of differingParameters(); empty for fewer than two runs.
[[nodiscard]] std::vector<SettingDifference> settingDifferences(std::span<const RunRecord* const> runs);

} // namespace lockstep::analysis
