// Formulas that tests hold plans, and what the engine sends, against.
#pragma once

#include "experiment/choices.h"
#include "plan/net.h"
#include "plan/pipeline/schedule.h"
#include "plan/zero.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::tests {

/// The values of `aggregation.algorithm` that consist of messages: all but the asynchronous server.
inline std::vector<std::string_view> allReduceAlgorithms()
{
    const auto& names = experiment::ChoiceTable<experiment::Algorithm>::Names;
    std::vector<std::string_view> algorithms(names.begin(), names.end());
    std::erase(algorithms, nameOf(experiment::Algorithm::ParameterServerAsync));
    return algorithms;
}

/// Most activations that a rank holds at once: micro-batches of one chunk each before their backward.
inline int mostInFlight(std::span<const plan::PipelineAction> actions)
{
    using Kind = plan::PipelineAction::Kind;
    int held = 0;
    int most = 0;
    for (const plan::PipelineAction& action : actions) {
        held += action.kind == Kind::Forward ? 1 : action.kind == Kind::Backward ? -1 : 0;
        most = std::max(most, held);
    }
    return most;
}

/// Elements per sample that a tensor-parallel group sums (or compares) in forward, backward and the loss of a step.
inline std::int64_t summedNumbers(const experiment::RunSpec& run)
{
    const std::vector<plan::NetUnit> units = plan::netUnits(run);
    // Of each label: the maximum, the sum of the exponentials, and its own score.
    std::int64_t numbers
        = plan::isOutputSplit(units.back()) ? 3 * units.back().outputElements() / units.back().outputShape.back() : 0;
    for (const plan::NetUnit& unit : units) {
        numbers += unit.summedForward + unit.summedBackward;
    }
    return numbers;
}

/// Numbers that a rank sends in a step under ZeRO (plan/zero.h; section 7): the gradients are added up and scattered,
/// the weights gathered, each (N - 1)/N of the net, which is what an all-reduce sends as well. In stage 3 the weights
/// are gathered twice, before forward and before backward: 1.5 times as much, less what is `kept` from one to the
/// other, which is gathered once. In stages 2 and 3 the gradients of every micro-batch are added up, and in stage 3 the
/// weights gathered for it.
inline double numbersSent(
    plan::ZeroStage stage, int ranks, std::int64_t parameters, std::int64_t kept = 0, std::int64_t microBatches = 1)
{
    const auto all = static_cast<double>(parameters);
    const auto times = static_cast<double>(microBatches);
    const double passes = stage == plan::ZeroStage::Parameters ? times * (3.0 * all - static_cast<double>(kept))
        : stage == plan::ZeroStage::Gradients                  ? (times + 1.0) * all
                                                               : 2.0 * all;
    return passes * (ranks - 1) / ranks;
}

} // namespace lockstep::tests
