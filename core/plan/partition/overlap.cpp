#include "plan/partition/partition.h"

#include <algorithm>
#include <cmath>

namespace lockstep::plan {

void addOverlap(Partition& partition, double fraction, std::int64_t samples, Seed seed)
{
    if (fraction <= 0.0 || partition.isDrawnAnew) {
        return;
    }
    for (std::size_t rank = 0; rank < partition.shares.size(); ++rank) {
        std::vector<std::int64_t>& share = partition.shares[rank];
        std::vector<bool> isOwn(static_cast<std::size_t>(samples), false);
        for (const std::int64_t sample : share) {
            isOwn[static_cast<std::size_t>(sample)] = true;
        }
        std::vector<std::int64_t> others;
        for (std::int64_t sample = 0; sample < samples; ++sample) {
            if (!isOwn[static_cast<std::size_t>(sample)]) {
                others.push_back(sample);
            }
        }
        Random(seed.derive(rank)).shuffle(std::span(others));
        const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(share.size())));
        others.resize(std::min(wanted, others.size()));
        share.insert(share.end(), others.begin(), others.end());
    }
}

} // namespace lockstep::plan
