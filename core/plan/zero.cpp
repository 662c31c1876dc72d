#include "plan/zero.h"

#include <algorithm>

namespace lockstep::plan {

ZeroStage zeroStage(const experiment::RunSpec& run)
{
    return is(run, experiment::Strategy::Zero) ? static_cast<ZeroStage>(run.settings->zero.stage) : ZeroStage::None;
}

experiment::Offload offloadOf(const experiment::RunSpec& run)
{
    return is(run, experiment::Strategy::Zero) ? experiment::choice<experiment::Offload>(run)
                                               : experiment::Offload::None;
}

int optimizerNumbers(experiment::OptimizerName optimizer)
{
    using experiment::OptimizerName;
    if (optimizer == OptimizerName::Adam || optimizer == OptimizerName::AdamW) {
        return 2;
    }
    return optimizer == OptimizerName::Momentum || optimizer == OptimizerName::Nesterov ? 1 : 0;
}

MemoryBytes stateBytes(
    std::int64_t parameters, std::int64_t numberBytes, int optimizerNumbers, ZeroStage stage, int ranks)
{
    const std::int64_t whole = parameters * numberBytes;
    const std::int64_t shard = (whole + ranks - 1) / ranks;
    MemoryBytes bytes{};
    of(bytes, MemoryKind::Optimizer) = optimizerNumbers * (stage >= ZeroStage::OptimizerState ? shard : whole);
    of(bytes, MemoryKind::Gradients) = stage >= ZeroStage::Gradients ? shard : whole;
    of(bytes, MemoryKind::Parameters) = stage >= ZeroStage::Parameters ? shard : whole;
    return bytes;
}

std::vector<Slice> piecesOf(std::int64_t total, int ranks, std::int64_t most)
{
    const std::int64_t size = std::max<std::int64_t>(most / ranks, 1) * ranks;
    std::vector<Slice> pieces;
    for (std::int64_t first = 0; first < total; first += size) {
        pieces.push_back({first, std::min(size, total - first)});
    }
    return pieces;
}

} // namespace lockstep::plan
