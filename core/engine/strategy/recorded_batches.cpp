#include "engine/strategy/recorded_batches.h"

#include <torch/types.h>

namespace lockstep::engine {

namespace {

/// The first steps run without graphs: in them libraries choose kernels and allocate memory.
constexpr std::int64_t StepsBeforeGraph = 3;

} // namespace

RecordedBatches::Way RecordedBatches::next(const Batch& batch)
{
    if (!m_isOn) {
        return Way::Run;
    }
    if (m_isRecorded && batch.size() == m_size && batch.inputs.data_ptr() != m_inputs) {
        m_isRecorded = false; // a larger batch has moved all batches
    }
    if (m_isRecorded) {
        return batch.size() == m_size ? Way::Replay : Way::Run;
    }
    m_steps = batch.size() == m_size ? m_steps + 1 : 0;
    m_size = batch.size();
    if (m_steps <= StepsBeforeGraph) {
        return Way::Run;
    }
    m_isRecorded = true;
    m_inputs = batch.inputs.data_ptr();
    return Way::Record;
}

} // namespace lockstep::engine
