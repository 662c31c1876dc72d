#include "engine/strategy/model_parallel/pipeline/call_transport.h"

#include "base/clock.h"
#include "engine/memory/memory_account.h"

#include <torch/types.h>

#include <memory>
#include <sstream>
#include <utility>

namespace lockstep::engine {

namespace {

using std::chrono::milliseconds;

std::string textOf(c10::IntArrayRef sizes, at::ScalarType type)
{
    std::ostringstream text;
    text << sizes << " " << type;
    return text.str();
}

} // namespace

CallTransport::CallTransport(SubGroup& stages, const PipelineEnds& ends, std::unique_ptr<StageCalls> calls)
    : m_stages(stages)
    , m_calls(std::move(calls))
    , m_options(ends.options)
{ }

Result<std::unique_ptr<CallTransport>> CallTransport::create(
    SubGroup& stages, const PipelineEnds& ends, milliseconds timeout)
{
    auto calls = StageCalls::join(stages.ranks(), timeout);
    if (!calls) {
        return stages.named(calls.error());
    }
    return std::unique_ptr<CallTransport>(new CallTransport(stages, ends, std::move(*calls)));
}

StageCall CallTransport::called(const Pass& pass) const
{
    const auto kind = m_mode == Mode::Step ? StageCall::Kind::Train : StageCall::Kind::Evaluate;
    return {kind, pass.part, pass.number};
}

void CallTransport::begin(Mode mode)
{
    m_mode = mode;
}

void CallTransport::expectActivation(const Pass& pass, const std::vector<std::int64_t>& sizes)
{
    m_activations.insert_or_assign(pass, sizes);
}

void CallTransport::expectGradient(const Pass& pass, const std::vector<std::int64_t>& sizes)
{
    m_gradients.insert_or_assign(pass, sizes);
}

Result<void> CallTransport::sendActivation(const Pass& pass, const torch::Tensor& output)
{
    const int part = pass.part + 1;
    LOCKSTEP_TRY(awaitPiece(part));
    const StageCall call = called({part, pass.number});
    LOCKSTEP_TRY(recordSend(stageOf(part), output));
    m_calls->start(stageOf(part), call, output.to(torch::kCPU)); // the agent needs host memory
    m_bytesSent += output.nbytes();
    if (m_mode == Mode::OneByOne) {
        m_pieces[part] = call;
    }
    return {};
}

/// Sends a piece of the test set only after the previous one was taken: they would pile up at a straggler.
Result<void> CallTransport::awaitPiece(int part)
{
    const auto under = m_pieces.extract(part);
    if (under.empty()) {
        return {};
    }
    const auto taken = m_calls->answer(stageOf(part), under.mapped());
    return taken ? Result<void>() : Result<void>(m_stages.named(taken.error()));
}

comm::GroupCalls& CallTransport::recorded() const
{
    return m_stages.ranks().recorded();
}

/// The agent sends it later: the call returns at once.
Result<void> CallTransport::recordSend(int to, const torch::Tensor& tensor) const
{
    LOCKSTEP_TRY_ASSIGN(const std::int64_t place,
        recorded().enterOne(Call::Send, to, static_cast<std::int64_t>(tensor.nbytes()), monotonicNs()));
    recorded().leave(place);
    return {};
}

void CallTransport::report(std::int64_t from) const
{
    if (m_timer) {
        m_timer({.enterNs = from, .exitNs = monotonicNs()}); // the agents' threads do not report when they sent
    }
}

Result<torch::Tensor> CallTransport::receiveActivation(const Pass& pass)
{
    const std::int64_t from = monotonicNs();
    LOCKSTEP_TRY_ASSIGN(const std::int64_t place, recorded().enterOne(Call::Receive, stageOf(pass.part - 1), 0, from));
    auto taken = ofExpectedSizes(m_activations, pass, m_calls->take(stageOf(pass.part - 1), called(pass)));
    report(from);
    if (taken) {
        recorded().leave(place);
    }
    if (taken && m_mode == Mode::OneByOne) {
        // There is no gradient: the answer only confirms.
        m_calls->reply(called(pass), torch::empty({0}, m_options.device(torch::kCPU)));
    }
    return taken;
}

Result<void> CallTransport::sendGradient(const Pass& pass, const torch::Tensor& gradient)
{
    LOCKSTEP_TRY(recordSend(stageOf(pass.part - 1), gradient));
    m_calls->reply(called(pass), gradient.to(torch::kCPU));
    m_bytesSent += gradient.nbytes();
    return {};
}

Result<torch::Tensor> CallTransport::receiveGradient(const Pass& pass)
{
    const std::int64_t from = monotonicNs();
    LOCKSTEP_TRY_ASSIGN(const std::int64_t place, recorded().enterOne(Call::Receive, stageOf(pass.part + 1), 0, from));
    auto received = ofExpectedSizes(
        m_gradients, pass, m_calls->answer(stageOf(pass.part + 1), called({pass.part + 1, pass.number})));
    report(from);
    if (received) {
        recorded().leave(place);
    }
    return received;
}

Result<torch::Tensor> CallTransport::ofExpectedSizes(
    std::map<Pass, std::vector<std::int64_t>>& expected, const Pass& pass, const Result<torch::Tensor>& received) const
{
    const std::vector<std::int64_t> sizes = std::move(expected.extract(pass).mapped());
    const auto type = c10::typeMetaToScalarType(m_options.dtype());
    if (!received) {
        return m_stages.named(received.error());
    }
    if (received->sizes() != c10::IntArrayRef(sizes) || received->scalar_type() != type) {
        return failure(LS_TR("Messages", "stage call: part %1 of the net was given %2, it expected %3"),
            {pass.part, verbatim(textOf(received->sizes(), received->scalar_type())), verbatim(textOf(sizes, type))});
    }
    if (!m_options.device().is_cpu()) {
        return received->to(m_options.device());
    }
    // The agent's threads allocated the memory; books it on this rank while the tensor lives.
    auto booked
        = std::make_shared<ForeignMemory>(MemoryKind::Activations, static_cast<std::int64_t>(received->nbytes()));
    return torch::from_blob(
        received->data_ptr(), sizes, [keep = *received, booked = std::move(booked)](void*) {}, received->options());
}

Result<void> CallTransport::flush()
{
    while (!m_pieces.empty()) {
        LOCKSTEP_TRY(awaitPiece(m_pieces.begin()->first));
    }
    return {};
}

/// Answers that are still unsent are lost when their rank ends: no rank ends before all have arrived.
Result<void> CallTransport::finish()
{
    auto met = m_stages.ranks().barrier();
    return met ? met : Result<void>(m_stages.named(met.error()));
}

std::size_t CallTransport::takeBytesSent()
{
    return std::exchange(m_bytesSent, 0);
}

Text CallTransport::description() const
{
    return LS_TR("Messages", "by RPC (TensorPipe)");
}

} // namespace lockstep::engine
