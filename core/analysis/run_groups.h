// Runs that are repeats of one variant, taken together. Private to core/analysis.
#pragma once

#include "analysis/run_record.h"
#include "analysis/statistics.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// A variant with its repeats.
struct Group {
    std::string name;
    std::vector<const RunRecord*> runs;

    [[nodiscard]] std::vector<RunId> ids() const
    {
        std::vector<RunId> result;
        for (const RunRecord* run : runs) {
            result.push_back(run->id);
        }
        return result;
    }

    template <typename F>
    [[nodiscard]] Interval mean(F figure) const
    {
        std::vector<double> values;
        for (const RunRecord* run : runs) {
            values.push_back(figure(*run));
        }
        return meanWithInterval(values);
    }
};

/// In the order of their first runs. Variants of one name with other settings are named by what sets them apart.
[[nodiscard]] std::vector<Group> groupsOf(std::span<const RunRecord> runs);

/// Whether the variant divides the model between its ranks.
[[nodiscard]] bool isDivided(const Group& group);

/// Whether two runs train the same net on as large batches by the same rule: what they cost differs by how the work is
/// divided.
[[nodiscard]] bool trainSame(const RunRecord& a, const RunRecord& b);

/// `12.3`, or `12.3 ± 0.4` where there are repeats.
[[nodiscard]] std::string withInterval(const Interval& interval, double scale = 1.0);

/// Of percents: `95.2 %`, or `95.2 ± 0.5 %` where there are repeats.
[[nodiscard]] std::string percentWithInterval(const Interval& percent);

} // namespace lockstep::analysis
