// What each experiment asks, and which findings answer it. Private to core/analysis.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep::analysis {

enum class Asks {
    Nothing, ///< the findings of its laboratory answer it
    WhichLearnsBest, ///< by the training figures
    WhatASettingChanges, ///< the same, then the training loss against the baseline
    WhichIsBest, ///< by the training figures, then by the time
    WhatItGains, ///< against the baseline: the throughput
    WhatItCosts, ///< against the baseline: the time, what averaging takes of it, the training figure; and who waits
    WhatPartIsCommunication, ///< of a step; then against the baseline as WhatItCosts
    WhatACutCosts, ///< against the baseline: memory and time together
    WhatItLoses, ///< against the baseline: the training figure alone
    WhatItSaves, ///< the same; first who needs least memory
    WhatTimeItSaves, ///< against the baseline; or that it saves none
    WhetherItSaves, ///< the same, then the loss and the memory
    WhatSizeGains ///< of nets: what the larger ones gain and cost
};

struct Topic {
    std::string_view experiment;
    Asks asks = Asks::WhichIsBest;
    std::vector<std::string_view> kinds{}; ///< further findings that answer it
};

/// Asks::WhichIsBest for an experiment of one's own.
[[nodiscard]] const Topic& topicOf(std::string_view experiment);

} // namespace lockstep::analysis
