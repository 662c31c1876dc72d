// Tensor parallelism: ranks share each layer and sum its outputs and gradients within the passes (Shoeybi et al.,
// "Megatron-LM", 2019). model/ has the layers' parts, ranks/tensor_ranks.h the sums.
#pragma once

#include "engine/ranks/sub_group.h"
#include "engine/ranks/tensor_ranks.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::engine {

class TensorParallel {
public:
    /// Every rank of `group` calls it; `members` share their layers with this rank. `sums` must outlive this.
    [[nodiscard]] static Result<std::unique_ptr<TensorParallel>> create(
        RankGroup& group, std::vector<int> members, TensorRanks& sums);

    [[nodiscard]] SubGroup& ranks() { return *m_ranks; }
    /// From now on counts sums as communication, within the open phase; null: stops.
    void setClock(StepClock* clock) { m_sums.setClock(clock); }
    [[nodiscard]] Text description() const;

private:
    TensorParallel(std::unique_ptr<SubGroup> ranks, TensorRanks& sums);

    std::unique_ptr<SubGroup> m_ranks;
    TensorRanks& m_sums;
};

/// Runs passes over layers that ranks may share, whose sums throw.
template <typename F>
[[nodiscard]] auto withSums(const F& passes) -> decltype(passes())
{
    try {
        return passes();
    } catch (const TensorRanks::Lost& lost) {
        return lost.error;
    }
}

} // namespace lockstep::engine
