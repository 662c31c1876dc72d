#include "engine/ranks/tensor_ranks.h"

#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

namespace lockstep::engine {

void TensorRanks::sum(const torch::Tensor& values)
{
    reduce(values, comm::Reduction::Sum);
}

void TensorRanks::maximum(const torch::Tensor& values)
{
    reduce(values, comm::Reduction::Max);
}

void TensorRanks::reduce(const torch::Tensor& values, comm::Reduction reduction)
{
    const StepClock::Within within(m_clock, Phase::Communicate);
    torch::Tensor memory = values;
    const comm::View view = viewOf(memory);
    if (auto done = m_ranks->ranks().allReduce(view, view, reduction); !done) {
        throw Lost(m_ranks->named(done.error()));
    }
}

} // namespace lockstep::engine
