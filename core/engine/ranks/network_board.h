// The board of agreed commands for ranks on several hosts. Rank 0's publish() returns once every rank has the message,
// so none is past the step at which it takes effect.
#pragma once

#include "engine/ranks/control_board.h"
#include "rendezvous/network.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace lockstep::engine {

class NetworkBoard final : public ControlBoard {
public:
    /// Any thread: what rank 0 has published. Messages may come before connect().
    void receive(const std::string& bytes);
    void connect(std::shared_ptr<rendezvous::Network> network) { m_network = std::move(network); }

    [[nodiscard]] bool publish(const wire::Control& control, std::int64_t step) override;
    [[nodiscard]] std::optional<wire::Control> take(std::int64_t step) override;
    void announce(std::int64_t step) override { m_step = step; }
    [[nodiscard]] std::int64_t furthestStep() const override { return m_step; }
    [[nodiscard]] std::uint32_t bell() const override;
    void sleepUntilRung(std::uint32_t since) const override;
    void ring() override;
    void setPaused(bool isPaused) override;
    [[nodiscard]] bool isPaused() const override { return m_isPaused; }
    void sampleTraffic(std::int64_t step) override;
    [[nodiscard]] bool isTrafficSampled(std::int64_t step) const override { return m_sampledStep == step; }

private:
    struct Command {
        wire::Control control;
        std::int64_t step = 0;
    };

    std::shared_ptr<rendezvous::Network> m_network;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_rung;
    std::deque<Command> m_commands;
    std::uint32_t m_bell = 0;
    std::atomic<std::int64_t> m_step = 0;
    std::atomic<std::int64_t> m_sampledStep = 0;
    std::atomic<bool> m_isPaused = false;
};

} // namespace lockstep::engine
