#include "engine/strategy/model_parallel/tensor/tensor_parallel.h"

#include <utility>

namespace lockstep::engine {

TensorParallel::TensorParallel(std::unique_ptr<SubGroup> ranks, TensorRanks& sums)
    : m_ranks(std::move(ranks))
    , m_sums(sums)
{
    m_sums.connect(*m_ranks);
}

Result<std::unique_ptr<TensorParallel>> TensorParallel::create(
    RankGroup& group, std::vector<int> members, TensorRanks& sums)
{
    LOCKSTEP_TRY_ASSIGN(auto ranks, SubGroup::split(group, std::move(members)));
    return std::unique_ptr<TensorParallel>(new TensorParallel(std::move(ranks), sums));
}

Text TensorParallel::description() const
{
    return {LS_TR("Messages", "each layer shared by %1 ranks"), {m_ranks->size()}};
}

} // namespace lockstep::engine
