// The answer to what an experiment asks, before its evidence.
#pragma once

#include "analysis/finding.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// Of an experiment.
inline constexpr std::size_t MostHeadlines = 3;

/// One to three sentences (Role::Headline) about the runs that count, of `all`: which variant is best, by how much and
/// whether that can be told; how a figure moves along a parameter; which parameter matters; what never learned or
/// diverged; how variants differ from a baseline. The experiment decides which figures these are about. Beside them
/// what a figure says that tells less, in another role. None for runs of several data sets.
[[nodiscard]] std::vector<Finding> answers(std::span<const RunRecord> counted, std::span<const RunRecord> all);
/// Whether times of different numbers of ranks say nothing, since the machine was busy: other work slows each number
/// differently. Then the answers are about what does not depend on time.
[[nodiscard]] bool areTimesWithheld(std::span<const RunRecord> counted);
/// Whether the experiment asks for times first.
[[nodiscard]] bool asksForTimes(std::span<const RunRecord> counted);
/// The preset that asks what more ranks gain.
inline constexpr std::string_view ScalingExperiment = "scaling";
/// The kinds of findings that answer what the experiment asks, beside answers(), the first ones first.
[[nodiscard]] const std::vector<std::string_view>& answeringKinds(std::string_view experiment);

} // namespace lockstep::analysis
