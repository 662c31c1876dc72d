#include "engine/strategy/model_parallel/pipeline/pipeline_channel.h"

#include "base/clock.h"
#include "engine/comm/failures.h"
#include "engine/ranks/tensor_view.h"

#include <torch/types.h>

#include <cassert>
#include <cstring>
#include <numeric>
#include <utility>

namespace lockstep::engine {

PipelineChannel::PipelineChannel(std::unique_ptr<comm::Communicator> pair, int rank, int other)
    : m_pair(static_cast<comm::WatchedCommunicator*>(pair.release())) // a watched group splits into these
    , m_rank(rank)
    , m_other(other)
{ }

PipelineChannel::~PipelineChannel()
{
    if (!m_expected.empty() || !m_sent.empty()) {
        m_pair->abort(); // the step has failed: nothing more will come
    }
}

Result<void> PipelineChannel::share(std::int64_t tensors, std::size_t bytesEach)
{
    auto memory = m_pair->share(static_cast<std::size_t>(tensors) * bytesEach);
    if (!memory) {
        return named(memory.error());
    }
    m_memory = std::move(*memory);
    m_slots = tensors;
    m_slotBytes = bytesEach;
    return {};
}

void PipelineChannel::begin(Mode mode)
{
    m_mode = mode;
    m_usesMemory = mode == Mode::Step && m_memory && !m_pair->hasLinks();
    m_written = 0;
    m_read = 0;
}

Result<void> PipelineChannel::send(const torch::Tensor& tensor)
{
    if (m_usesMemory) {
        return write(tensor.contiguous());
    }
    Transfer transfer{tensor.contiguous(), nullptr};
    const comm::View view = viewOf(transfer.tensor);
    if (m_mode == Mode::OneByOne) {
        // Without a thread: once a group has started one, every operation goes through it.
        auto sent = m_pair->send(view, 1 - m_pair->rank());
        return sent ? sent : Result<void>(named(sent.error()));
    }
    transfer.work = m_pair->start({.what = comm::Collective::SendReceive, .in = view, .to = 1 - m_pair->rank()});
    m_sent.push_back(std::move(transfer));
    while (m_sent.size() > 1 && m_sent.front().work->isDone()) {
        // Later ones report the error, because they find the group broken.
        m_sent.pop_front();
    }
    return {};
}

Result<void> PipelineChannel::write(const torch::Tensor& tensor)
{
    const std::size_t bytes = tensor.nbytes();
    assert(m_written < m_slots && bytes <= m_slotBytes);
    if (m_writtenMemory.bytes() == 0) {
        m_writtenMemory = ForeignMemory(MemoryKind::Other, m_slots * static_cast<std::int64_t>(m_slotBytes));
    }
    std::memcpy(m_memory->own() + static_cast<std::size_t>(m_written) * m_slotBytes, tensor.data_ptr(), bytes);
    ++m_written;
    m_bytesWritten += bytes;
    m_bytesOfNotes += sizeof(m_written);
    auto told = m_pair->send({&m_written, 1, comm::DataType::Int64}, 1 - m_pair->rank());
    return told ? told : Result<void>(named(told.error()));
}

Result<void> PipelineChannel::flush()
{
    Result<void> done;
    for (; !m_sent.empty(); m_sent.pop_front()) {
        if (auto one = await(*m_sent.front().work); !one && done) {
            done = named(one.error());
        }
    }
    return done;
}

void PipelineChannel::expect(std::vector<std::int64_t> sizes, const torch::TensorOptions& options)
{
    m_expected.push_back({.tensor = {}, .sizes = std::move(sizes), .options = options});
    if (!m_usesMemory && m_expected.size() == 1 && m_mode == Mode::Step) {
        beginReceiving();
    }
}

void PipelineChannel::beginReceiving()
{
    Transfer& next = m_expected.front();
    // Allocated only now: pending tensors take no memory.
    next.tensor = torch::empty(next.sizes, next.options);
    const comm::View view = viewOf(next.tensor);
    next.work = m_pair->start({.what = comm::Collective::SendReceive, .out = view, .from = 1 - m_pair->rank()});
}

torch::Tensor PipelineChannel::readHere(const Transfer& transfer)
{
    const std::byte* place = m_memory->of(1 - m_pair->rank()) + static_cast<std::size_t>(m_read++) * m_slotBytes;
    const auto bytes = static_cast<std::int64_t>(transfer.options.dtype().itemsize())
        * std::accumulate(transfer.sizes.begin(), transfer.sizes.end(), std::int64_t{1}, std::multiplies<>());
    auto booked = std::make_shared<ForeignMemory>(MemoryScope::current(), bytes);
    // Received tensors are read-only; LibTorch cannot express that.
    return torch::from_blob(
        const_cast<std::byte*>(place), transfer.sizes, [booked = std::move(booked)](void*) mutable { booked.reset(); },
        transfer.options);
}

Result<void> PipelineChannel::await(comm::Work& work) const
{
    const std::int64_t from = monotonicNs();
    auto done = work.wait();
    if (m_timer) {
        m_timer({from, work.times().lastArrivalNs, monotonicNs()});
    }
    return done;
}

Result<void> PipelineChannel::waitFor(Transfer& transfer)
{
    if (transfer.work) {
        return await(*transfer.work);
    }
    const std::int64_t from = monotonicNs();
    std::int64_t number = 0; // among those written to memory
    if (!m_usesMemory) {
        transfer.tensor = torch::empty(transfer.sizes, transfer.options);
    }
    auto done = m_pair->receive(
        m_usesMemory ? comm::View{&number, 1, comm::DataType::Int64} : viewOf(transfer.tensor), 1 - m_pair->rank());
    if (m_timer) {
        m_timer({from, m_pair->lastTimes().lastArrivalNs, monotonicNs()});
    }
    return done;
}

Result<torch::Tensor> PipelineChannel::receive()
{
    Transfer& first = m_expected.front();
    if (auto came = waitFor(first); !came) {
        return named(came.error());
    }
    const bool isRead = first.work == nullptr;
    const torch::Tensor tensor = m_usesMemory ? readHere(first) : std::move(first.tensor);
    m_expected.pop_front();
    if (!isRead && !m_expected.empty()) {
        beginReceiving();
    }
    return tensor;
}

std::size_t PipelineChannel::takeBytesSent()
{
    return m_pair->takeBytesSent() - std::exchange(m_bytesOfNotes, 0) + std::exchange(m_bytesWritten, 0);
}

void PipelineChannel::setLinks(const comm::Link& mine, const comm::Link& theirs)
{
    m_pair->setLink(m_pair->rank(), mine);
    m_pair->setLink(1 - m_pair->rank(), theirs);
}

Error PipelineChannel::named(const Error& error) const
{
    const std::array ranks{m_pair->rank() == 0 ? m_rank : m_other, m_pair->rank() == 0 ? m_other : m_rank};
    return failureOf(comm::renamed(error, ranks));
}

} // namespace lockstep::engine
