#include "experiment/rank_fault.h"

namespace lockstep::experiment {

RankFault faultOf(const RunSpec& run, std::int64_t rank)
{
    const FaultSettings& fault = run.settings->fault;
    return hasReplicas(run) && fault.rank == rank ? RankFault{fault.gradientScale, fault.batchShare} : RankFault{};
}

bool hasRankFault(const RunSpec& run)
{
    return faultOf(run, run.settings->fault.rank) != RankFault{};
}

} // namespace lockstep::experiment
