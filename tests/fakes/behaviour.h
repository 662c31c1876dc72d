// What a fake rank does, read from the environment variable LOCKSTEP_FAKE: `key=value` or `key`, separated by commas,
// for example `steps=500,rate=1000,kill=17:11`. See fake_rank.cpp for every key.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::fakes {

/// Something that happens at a step; `number` is the signal or the exit code.
struct At {
    std::int64_t step = 0;
    int number = 0;
};

struct Behaviour {
    std::int64_t steps = 100;
    double rate = 200.0; ///< steps a second; 0: as fast as possible
    std::int64_t batch = 64;
    std::int64_t trainSamples = 8000;
    std::int64_t testSamples = 2000;
    std::int64_t evaluateEvery = 0; ///< steps; the last step is always evaluated
    std::int64_t logEvery = 0; ///< steps; 0: one line at the start and one at the end
    bool sendsSpans = false;

    std::int64_t onlyRank = -1; ///< everything below is done by this rank alone; -1: by all
    std::int64_t delayMs = 0; ///< before connecting
    std::int64_t prepareMs = 0; ///< between the welcome and Prepared
    bool connects = true;
    std::optional<At> kill;
    std::optional<At> exit;
    std::optional<std::int64_t> garbage;
    std::optional<std::int64_t> oversize;
    std::optional<std::int64_t> nan;
    std::optional<std::int64_t> fail;
    std::optional<std::int64_t> hang;
    std::optional<std::int64_t> freeze;
    bool refuses = false;
    bool refusesData = false;
    bool ignoresStop = false;
    bool ignoresTerm = false;
    bool saysGoodbye = true;
    bool lingers = false;
    bool bringsStrangers = false;
    std::string stranger; ///< not a rank at all, see stranger.h
};

/// The error names the key that is not known or has a bad value.
[[nodiscard]] Result<Behaviour> parseBehaviour(std::string_view text, std::int32_t rank);

} // namespace lockstep::fakes
