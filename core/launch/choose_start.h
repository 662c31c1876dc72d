// Which program starts the ranks of a run, on this machine or elsewhere.
#pragma once

#include "launch/ranks/rank_launcher.h"
#include "launch/ranks/rank_program.h"
#include "launch/session.h"

#include <cstdint>
#include <optional>

namespace lockstep::launch {

struct StartChoice {
    RankChoice choice{};
    std::optional<Error> problem{}; ///< the run cannot start
    FailureCause cause = FailureCause::Refused; ///< of that
};

[[nodiscard]] StartChoice chooseStart(
    const SessionOptions& options, const experiment::RunSpec& spec, std::int32_t worldSize);

} // namespace lockstep::launch
