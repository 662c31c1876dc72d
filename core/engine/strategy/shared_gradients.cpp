#include "engine/strategy/shared_gradients.h"

#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

Result<void> SharedGradients::share(comm::WatchedCommunicator& ranks, FlatParameters& parameters)
{
    torch::Tensor gradients = parameters.gradients();
    const std::size_t bytes = gradients.nbytes();
    LOCKSTEP_TRY_ASSIGN(m_array, ranks.share(bytes, spaceOf(gradients)));
    if (!m_array) {
        return {};
    }
    parameters.moveGradients(torch::from_blob(
        m_array->own(), {gradients.numel()}, [keep = m_array](void*) {}, gradients.options()));
    if (gradients.is_cpu()) { // the account is of the host's memory
        // Counted only now: before the gradients have moved, no page of that memory is in use, and afterwards none of
        // the array that they were in.
        gradients.reset();
        m_ownMemory = ForeignMemory(MemoryKind::Gradients, static_cast<std::int64_t>(bytes));
        m_resultMemory
            = ForeignMemory(MemoryKind::Other, comm::SharedArray::Results * static_cast<std::int64_t>(bytes));
    }
    return {};
}

Result<torch::Tensor> SharedGradients::sum(comm::WatchedCommunicator& ranks, torch::Tensor& gradients)
{
    const comm::View in = viewOf(gradients);
    LOCKSTEP_TRY(ranks.allReduce(in, {nullptr, in.count, in.type, in.space}, comm::Reduction::Sum));
    return torch::from_blob(m_array->result(), {in.count}, gradients.options());
}

} // namespace lockstep::engine
