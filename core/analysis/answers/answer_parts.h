// The sentences that an answer is made of. Private to core/analysis.
#pragma once

#include "analysis/answers/standing.h"
#include "analysis/finding.h"
#include "analysis/study/parameter_study.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::analysis {

/// A headline whose first argument is the figure's label.
[[nodiscard]] Finding headlineOf(std::string_view kind, std::string_view pattern, const Figure& figure);
/// `12.3 ms`, `1,230 /s`; shares and bytes have their units already.
[[nodiscard]] std::string withUnit(const Figure& figure, const std::string& text);
/// As estimateText(), with its unit and without an interval.
[[nodiscard]] std::string valueText(const Figure& figure, double value);

/// Which variant is best, by how much, and whether that is sure.
[[nodiscard]] Finding rankingAnswer(const Standing& standing);
/// How the figure moves along the one number in which the variants differ; nothing where that is unknown. `groups`:
/// one for each value.
[[nodiscard]] std::optional<Finding> parameterAnswer(const Standing& standing, const StudyParameter& parameter);
/// Which of several parameters matters most, and which combinations are left out of that; nothing unless at least one
/// seed ran every combination.
[[nodiscard]] std::vector<Finding> influenceAnswers(
    const Figure& figure, const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters);
[[nodiscard]] RunPointers pointersOf(const std::vector<Group>& groups);
/// Takes those that diverged out of `groups`, and names them.
std::vector<Group> takeOutDiverged(std::vector<Group>& groups, std::vector<Finding>& said);
/// Takes those that never learned out of `groups`, and names them.
void takeOutUnlearned(std::vector<Group>& groups, std::vector<Finding>& said);
/// That the learning rate need not fall, where a constant one is best for sure; else which variant is best.
[[nodiscard]] Finding scheduleAnswer(const Standing& standing);
/// What all variants have in common, and what their names do not say of how they differ; nothing of a single variant.
[[nodiscard]] std::optional<Finding> setupAnswer(std::span<const RunRecord> counted);
/// Whether a warm-up lowered the figure, beside the same schedule without it; nothing where no variant has both.
[[nodiscard]] std::optional<Finding> warmUpAnswer(const Figure& figure, const std::vector<Group>& groups);
/// How the variants differ from the baseline: those that do so for sure (each by an interval of 95 %) and by as much as
/// is worth naming, or that none does.
[[nodiscard]] Finding baselineAnswer(const Figure& figure, const Group& baseline, const std::vector<Group>& groups);
/// What part of a step communication and waiting take; nothing where that is not known of two variants.
[[nodiscard]] std::optional<Finding> communicationAnswer(const std::vector<Group>& groups);
/// The same; of many variants what the first one takes, and the range of the others.
[[nodiscard]] std::optional<Finding> averagingAnswer(const std::vector<Group>& groups);
/// That no variant saves time against the baseline, with what each takes; of two variants also whether memory is saved.
/// `pace`: paceFigure().
[[nodiscard]] std::optional<Finding> savesNoTime(
    const Figure& pace, const Group& baseline, const std::vector<Group>& groups);
/// What a variant that does not split the net takes of time and memory, for comparison; nothing where that is unknown.
[[nodiscard]] std::optional<Finding> wholeNetBeside(const Figure& pace, const Group& baseline, const Group& group);
/// Which variants need less memory than the baseline, with steps that are shorter, as long or longer: a sentence each,
/// the best first. Nothing of those without a memory.
[[nodiscard]] std::vector<Finding> tradeAnswers(
    const Figure& pace, const Group& baseline, const std::vector<Group>& groups);
/// Which variant needs least memory, and how long its step takes, against the baseline; nothing where none saves any.
/// `pace`: null where times do not count.
[[nodiscard]] std::optional<Finding> leastMemoryAnswer(
    const Figure* pace, const Group& baseline, const std::vector<Group>& groups);
/// What each net gains and costs against the one with the fewest parameters; none where all have as many.
[[nodiscard]] std::vector<Finding> netSizeAnswers(const std::vector<Group>& groups);
/// Of two parameters: that the best value of one depends on the other; nothing where it does not by an amount worth
/// naming, and without every combination.
[[nodiscard]] std::optional<Finding> interactionAnswer(
    const Figure& figure, const std::vector<Group>& groups, const std::vector<StudyParameter>& parameters);
/// Those without a rank that was slowed down, where there are several: slowRankAnswers() has the others.
[[nodiscard]] std::vector<Group> withoutSlowed(const std::vector<Group>& groups);
/// What a rank that was slowed down costs each variant that ran without it too, and behind an asynchronous server why;
/// else which rank the others wait for, in the variant where that costs the largest part of a step. Nothing where no
/// rank is slow.
[[nodiscard]] std::vector<Finding> slowRankAnswers(const std::vector<Group>& groups);

} // namespace lockstep::analysis
