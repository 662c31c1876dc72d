#include "engine/strategy/model_parallel/pipeline/message_transport.h"

#include <torch/types.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace lockstep::engine {

MessageTransport::MessageTransport(SubGroup& stages, const PipelineEnds& ends)
    : m_stages(stages)
    , m_shape(ends.shape)
    , m_stage(stages.place())
    , m_options(ends.options)
{ }

Result<std::unique_ptr<MessageTransport>> MessageTransport::create(SubGroup& stages, const PipelineEnds& ends)
{
    std::unique_ptr<MessageTransport> transport(new MessageTransport(stages, ends));
    LOCKSTEP_TRY(transport->connect());
    LOCKSTEP_TRY(transport->shareMemory(ends));
    return transport;
}

/// A channel each way between neighbours; between the last and the first only where chunks make a ring of them.
Result<void> MessageTransport::connect()
{
    const int stages = m_shape.stages;
    const auto rankOf = [this](int stage) { return m_stages.members()[static_cast<std::size_t>(stage)]; };
    const int links = m_shape.chunks > 1 ? stages : stages - 1;
    for (int from = 0; from < links; ++from) {
        const int to = (from + 1) % stages;
        const bool isIn = m_stage == from || m_stage == to;
        for (Neighbours* direction : {&m_activations, &m_gradients}) {
            LOCKSTEP_TRY_ASSIGN(auto pair, m_stages.ranks().split(isIn ? 0 : -1, m_stage));
            if (isIn) {
                auto& place = m_stage == from ? direction->toAfter : direction->fromBefore;
                place = std::make_unique<PipelineChannel>(
                    std::move(pair), rankOf(m_stage), rankOf(m_stage == from ? to : from));
            }
        }
    }
    return {};
}

std::vector<PipelineChannel*> MessageTransport::channels() const
{
    std::vector<PipelineChannel*> all;
    for (const Neighbours* direction : {&m_activations, &m_gradients}) {
        for (PipelineChannel* channel : {direction->fromBefore.get(), direction->toAfter.get()}) {
            if (channel != nullptr) {
                all.push_back(channel);
            }
        }
    }
    return all;
}

/// Room for all tensors of a step on each channel. Both ends of a channel compute the same numbers.
Result<void> MessageTransport::shareMemory(const PipelineEnds& ends)
{
    struct Room {
        std::int64_t tensors = 0;
        std::size_t bytes = 0;
    };
    Room before;
    Room after;
    const auto add = [&](Room& room, const std::vector<std::int64_t>& sizes) {
        if (sizes.empty()) {
            return;
        }
        const std::int64_t elements
            = std::accumulate(sizes.begin(), sizes.end(), ends.samplesOfMicroBatch, std::multiplies<>());
        room.tensors += m_shape.microBatches;
        room.bytes = std::max(room.bytes, static_cast<std::size_t>(elements) * m_options.dtype().itemsize());
    };
    for (const PartEnds& part : ends.parts) {
        add(before, part.input);
        add(after, part.output);
    }
    const auto shareWith = [&](bool isAfter) -> Result<void> {
        const Room& room = isAfter ? after : before;
        for (Neighbours* direction : {&m_activations, &m_gradients}) {
            PipelineChannel* channel = isAfter ? direction->toAfter.get() : direction->fromBefore.get();
            // The processor does not write to device memory: there every tensor is a message.
            const bool sharesMemory = channel != nullptr && m_options.device().is_cpu();
            LOCKSTEP_TRY(sharesMemory ? channel->share(room.tensors, room.bytes) : Result<void>());
        }
        return {};
    };
    // In a ring every rank would wait for the previous one: the first stage begins with the next rank.
    const bool startsAfter = m_stage == 0;
    auto first = shareWith(startsAfter);
    return first ? shareWith(!startsAfter) : first;
}

void MessageTransport::begin(Mode mode)
{
    for (PipelineChannel* channel : channels()) {
        channel->begin(mode);
    }
}

void MessageTransport::expectActivation(const Pass&, const std::vector<std::int64_t>& sizes)
{
    m_activations.fromBefore->expect(sizes, m_options);
}

void MessageTransport::expectGradient(const Pass&, const std::vector<std::int64_t>& sizes)
{
    m_gradients.toAfter->expect(sizes, m_options);
}

Result<void> MessageTransport::sendActivation(const Pass&, const torch::Tensor& output)
{
    return m_activations.toAfter->send(output);
}

Result<torch::Tensor> MessageTransport::receiveActivation(const Pass&)
{
    return m_activations.fromBefore->receive();
}

Result<void> MessageTransport::sendGradient(const Pass&, const torch::Tensor& gradient)
{
    return m_gradients.fromBefore->send(gradient);
}

Result<torch::Tensor> MessageTransport::receiveGradient(const Pass&)
{
    return m_gradients.toAfter->receive();
}

Result<void> MessageTransport::flush()
{
    Result<void> done;
    for (PipelineChannel* channel : {m_activations.toAfter.get(), m_gradients.fromBefore.get()}) {
        if (auto one = channel != nullptr ? channel->flush() : Result<void>(); !one && done) {
            done = one;
        }
    }
    return done;
}

void MessageTransport::setTimer(const comm::WatchedCommunicator::Timer& timer)
{
    for (PipelineChannel* channel : channels()) {
        channel->setTimer(timer);
    }
}

void MessageTransport::applyLinks()
{
    const std::vector<int>& members = m_stages.members();
    for (PipelineChannel* channel : channels()) {
        const auto other = std::find(members.begin(), members.end(), channel->other()) - members.begin();
        channel->setLinks(m_stages.ranks().link(m_stage), m_stages.ranks().link(static_cast<int>(other)));
    }
}

std::size_t MessageTransport::takeBytesSent()
{
    std::size_t bytes = 0;
    for (PipelineChannel* channel : {m_activations.toAfter.get(), m_gradients.fromBefore.get()}) {
        bytes += channel != nullptr ? channel->takeBytesSent() : 0;
    }
    return bytes;
}

} // namespace lockstep::engine
