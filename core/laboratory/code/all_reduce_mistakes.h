// All-reduces that are wrong in a known way: what each rank ends with. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/rank_values.h"

#include <span>
#include <string_view>

namespace lockstep::laboratory {

struct AllReduceMistake {
    std::string_view key;
    std::string_view name; ///< LS_TR("Messages", ...)
    std::string_view formula;
    /// `direction`: 1 where a rank sends to the next one, -1 to the one before.
    RankValues (*outcome)(const RankValues& given, int direction);
};
[[nodiscard]] std::span<const AllReduceMistake> allReduceMistakes();

} // namespace lockstep::laboratory
