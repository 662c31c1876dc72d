// The board of agreed commands for ranks on several hosts. Rank 0's publish() returns once every rank has the message,
// so none is past the step at which it takes effect.
#pragma once

#include "engine/ranks/control_board.h"
#include "rendezvous/network.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace lockstep::engine {

class NetworkBoard final : public ControlBoard {
public:
    ~NetworkBoard() override;
    /// Takes what rank 0 has published, on any thread, also before connect() and after the board's end.
    [[nodiscard]] std::function<void(const std::string& bytes)> receiver() const;
    void connect(std::shared_ptr<rendezvous::Network> network);

    [[nodiscard]] bool publish(const wire::Control& control, std::int64_t step) override;
    [[nodiscard]] std::optional<wire::Control> take(std::int64_t step) override;
    void announce(std::int64_t step) override { m_state->step = step; }
    [[nodiscard]] std::int64_t furthestStep() const override { return m_state->step; }
    [[nodiscard]] std::uint32_t bell() const override;
    void sleepUntilRung(std::uint32_t since) const override;
    void ring() override;
    void setPaused(bool isPaused) override;
    [[nodiscard]] bool isPaused() const override { return m_state->isPaused; }
    [[nodiscard]] bool isRankLost() const override { return m_network->client->hasLost(); }
    void sampleTraffic(std::int64_t step) override;
    [[nodiscard]] bool isTrafficSampled(std::int64_t step) const override { return m_state->sampledStep == step; }

private:
    struct Command {
        wire::Control control;
        std::int64_t step = 0;
    };
    /// What the thread of the store's client fills; without the network, which must not end on that thread.
    struct State {
        void receive(const std::string& bytes);
        void ring();

        mutable std::mutex mutex;
        std::condition_variable rung;
        std::deque<Command> commands;
        std::uint32_t bell = 0;
        std::atomic<std::int64_t> step = 0;
        std::atomic<std::int64_t> sampledStep = 0;
        std::atomic<bool> isPaused = false;
    };

    std::shared_ptr<State> m_state = std::make_shared<State>();
    std::shared_ptr<rendezvous::Network> m_network;
    int m_listener = 0;
};

} // namespace lockstep::engine
