#include "engine/parallel/pipeline_channel.h"

#include "engine/comm/renamed.h"
#include "engine/parallel/aggregation.h"

#include <ATen/ATen.h>

#include <utility>

namespace lockstep::engine {

PipelineChannel::PipelineChannel(std::unique_ptr<comm::Communicator> pair, int rank, int other)
    : m_pair(static_cast<comm::WatchedCommunicator*>(pair.release())) // what a watched one splits into
    , m_rank(rank)
    , m_other(other)
{ }

PipelineChannel::~PipelineChannel()
{
    if (!m_expected.empty() || !m_sent.empty()) {
        m_pair->abandon(); // the step has failed: nothing more will come
    }
}

void PipelineChannel::send(torch::Tensor tensor)
{
    Transfer transfer{tensor.contiguous(), nullptr};
    const comm::View view = viewOf(transfer.tensor);
    transfer.work = m_pair->start({.what = comm::Collective::SendReceive, .in = view, .to = 1 - m_pair->rank()});
    m_sent.push_back(std::move(transfer));
    while (m_sent.front().work->isDone() && m_sent.size() > 1) {
        // What went wrong is said by those after it, which find the group broken.
        m_sent.pop_front();
    }
}

Result<void> PipelineChannel::flush()
{
    Result<void> done;
    for (; !m_sent.empty(); m_sent.pop_front()) {
        if (auto one = m_sent.front().work->wait(); !one && done) {
            done = named(one.error());
        }
    }
    return done;
}

void PipelineChannel::expect(std::vector<std::int64_t> sizes, const torch::TensorOptions& options)
{
    m_expected.push_back({torch::empty(sizes, options), nullptr});
    if (m_expected.size() == 1) {
        beginReceiving();
    }
}

void PipelineChannel::beginReceiving()
{
    Transfer& next = m_expected.front();
    const comm::View view = viewOf(next.tensor);
    next.work = m_pair->start({.what = comm::Collective::SendReceive, .out = view, .from = 1 - m_pair->rank()});
}

Result<torch::Tensor> PipelineChannel::receive()
{
    if (auto came = m_expected.front().work->wait(); !came) {
        return named(came.error());
    }
    const torch::Tensor tensor = std::move(m_expected.front().tensor);
    m_expected.pop_front();
    if (!m_expected.empty()) {
        beginReceiving();
    }
    return tensor;
}

void PipelineChannel::setLinks(const comm::Link& mine, const comm::Link& theirs)
{
    m_pair->setLink(m_pair->rank(), mine);
    m_pair->setLink(1 - m_pair->rank(), theirs);
}

Error PipelineChannel::named(const Error& error) const
{
    const std::array ranks{m_pair->rank() == 0 ? m_rank : m_other, m_pair->rank() == 0 ? m_other : m_rank};
    return {comm::renamed(error.message, ranks)};
}

} // namespace lockstep::engine
