// Charts of the class's page as SVG, in pixels. All text is escaped.
#pragma once

#include "exchange/report/writers.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::laboratory::grading {

/// Counts side by side: a group of bars a label, one bar a series.
struct Bars {
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> series; ///< with a count a label
};
[[nodiscard]] report::Picture barsPicture(const Bars& bars);
/// One point a value on the horizontal axis, one line a group.
[[nodiscard]] report::Picture pointsPicture(const std::map<std::string, std::vector<double>>& groups);

/// Both in equal bins from the least to the greatest value of either.
[[nodiscard]] Bars histogram(const std::string& firstName, const std::vector<double>& first,
    const std::string& secondName, const std::vector<double>& second);

} // namespace lockstep::laboratory::grading
