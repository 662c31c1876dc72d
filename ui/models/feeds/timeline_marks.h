// The interventions of a run as marks on its timeline. GUI thread only.
#pragma once

#include "store/account/run_account.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace lockstep::ui {

class RunFeed;

struct TimelineMark {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC
    QString text; ///< "paused", "rank 2: +5 ms per step"
};

[[nodiscard]] std::vector<TimelineMark> timelineMarks(const RunFeed& feed);

/// "rank 1: +20 ms a step", "paused".
[[nodiscard]] QString interventionText(const store::Intervention& intervention);

} // namespace lockstep::ui
