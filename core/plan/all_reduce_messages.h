// The messages of each all-reduce algorithm between its ranks, as the engine sends them: where an emulated link is set,
// and for ring, tree, halving_doubling and parameter_server always. Cost models follow their critical path.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace lockstep::plan {

/// What a rank does before it does anything else: it sends, it receives, or both at once. -1 where there is none.
struct MessageStep {
    int to = -1;
    double sent = 0.0; ///< share of the array
    int from = -1;
    double received = 0.0; ///< share of the array

    bool operator==(const MessageStep&) const = default;
};

/// By rank, in order.
using MessageSteps = std::vector<std::vector<MessageStep>>;

/// By the value of `aggregation.algorithm`, for `ranks` ranks (at least 1); empty for one that does not consist of
/// messages. Chunks of the array count as equally long.
[[nodiscard]] MessageSteps allReduceMessages(std::string_view algorithm, int ranks);

} // namespace lockstep::plan
