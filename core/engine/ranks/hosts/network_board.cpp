#include "engine/ranks/hosts/network_board.h"

#include <bit>

namespace lockstep::engine {

namespace {

enum class BoardMessage : std::uint64_t { Command, Paused, Sampled };

rendezvous::PacketWriter boardMessage(BoardMessage kind)
{
    rendezvous::PacketWriter writer;
    writer.number(static_cast<std::uint64_t>(kind));
    return writer;
}

/// Without the length in front: the store adds one.
std::string bodyOf(const rendezvous::PacketWriter& writer)
{
    return writer.frame().substr(rendezvous::LengthBytes);
}

} // namespace

NetworkBoard::~NetworkBoard()
{
    if (m_network) {
        m_network->client->losses().remove(m_listener);
    }
}

std::function<void(const std::string& bytes)> NetworkBoard::receiver() const
{
    return [state = m_state](const std::string& bytes) { state->receive(bytes); };
}

void NetworkBoard::connect(std::shared_ptr<rendezvous::Network> network)
{
    m_network = std::move(network);
    m_listener = m_network->client->losses().add([state = m_state] { state->ring(); });
}

void NetworkBoard::State::receive(const std::string& bytes)
{
    rendezvous::PacketReader reader(bytes);
    const auto kind = static_cast<BoardMessage>(reader.number());
    if (kind == BoardMessage::Sampled) {
        sampledStep = static_cast<std::int64_t>(reader.number());
    } else if (kind == BoardMessage::Paused) {
        isPaused = reader.number() != 0;
    } else if (kind == BoardMessage::Command) {
        Command command;
        command.control.command = static_cast<wire::Command>(reader.number());
        command.control.rank = static_cast<std::int32_t>(reader.number());
        command.control.value = std::bit_cast<double>(reader.number());
        command.step = static_cast<std::int64_t>(reader.number());
        if (reader.isAtEnd()) {
            const std::lock_guard lock(mutex);
            commands.push_back(command);
        }
        ring();
    }
}

bool NetworkBoard::publish(const wire::Control& control, std::int64_t step)
{
    // Where it fails a rank is lost, and the next collective says which.
    static_cast<void>(m_network->client->publish(bodyOf(boardMessage(BoardMessage::Command)
                                                            .number(static_cast<std::uint64_t>(control.command))
                                                            .number(static_cast<std::uint32_t>(control.rank))
                                                            .number(std::bit_cast<std::uint64_t>(control.value))
                                                            .number(static_cast<std::uint64_t>(step)))));
    return true;
}

std::optional<wire::Control> NetworkBoard::take(std::int64_t step)
{
    const std::lock_guard lock(m_state->mutex);
    if (m_state->commands.empty() || m_state->commands.front().step > step) {
        return std::nullopt;
    }
    const wire::Control control = m_state->commands.front().control;
    m_state->commands.pop_front();
    return control;
}

std::uint32_t NetworkBoard::bell() const
{
    const std::lock_guard lock(m_state->mutex);
    return m_state->bell;
}

void NetworkBoard::sleepUntilRung(std::uint32_t since) const
{
    std::unique_lock lock(m_state->mutex);
    m_state->rung.wait(lock, [&] { return m_state->bell != since; });
}

void NetworkBoard::ring()
{
    m_state->ring();
}

void NetworkBoard::State::ring()
{
    {
        const std::lock_guard lock(mutex);
        ++bell;
    }
    rung.notify_all();
}

void NetworkBoard::setPaused(bool isPaused)
{
    static_cast<void>(m_network->client->publish(bodyOf(boardMessage(BoardMessage::Paused).number(isPaused ? 1 : 0))));
}

void NetworkBoard::sampleTraffic(std::int64_t step)
{
    static_cast<void>(m_network->client->publish(
        bodyOf(boardMessage(BoardMessage::Sampled).number(static_cast<std::uint64_t>(step)))));
}

} // namespace lockstep::engine
