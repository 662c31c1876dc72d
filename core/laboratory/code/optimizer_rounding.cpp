#include "laboratory/code/optimizer_rounding.h"

#include <algorithm>
#include <cmath>

namespace lockstep::laboratory {

std::optional<std::size_t> differingElement(const Rounding& rounding, const std::vector<double>& before,
    const std::vector<double>& after, const std::vector<double>& got)
{
    double scale = 0.0;
    for (std::size_t k = 0; k < after.size(); ++k) {
        const double change = std::abs(after[k] - before[k]);
        scale = std::isfinite(change) ? std::max(scale, change) : scale;
    }
    for (std::size_t k = 0; k < after.size(); ++k) {
        const double allowed
            = rounding.ofChange * scale + rounding.ofWeight * std::max(std::abs(before[k]), std::abs(after[k]));
        const bool isEqual = std::isfinite(after[k]) ? std::abs(got[k] - after[k]) <= allowed
            : std::isnan(after[k])                   ? std::isnan(got[k])
                                                     : got[k] == after[k];
        if (!isEqual) {
            return k;
        }
    }
    return std::nullopt;
}

} // namespace lockstep::laboratory
