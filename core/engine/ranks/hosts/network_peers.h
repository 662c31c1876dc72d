// Which ranks on other hosts are alive, by their heartbeats to the store.
#pragma once

#include "engine/comm/guard/peer_registry.h"
#include "rendezvous/network.h"

#include <memory>
#include <utility>

namespace lockstep::engine {

class NetworkPeers final : public comm::PeerRegistry {
public:
    explicit NetworkPeers(std::shared_ptr<rendezvous::Network> network)
        : m_network(std::move(network))
    { }

    void beginCall() override { m_network->client->beginCall(); }
    [[nodiscard]] Text deadPeers(int partner) const override { return m_network->client->deadPeers(partner); }
    [[nodiscard]] Text whoHasDied() const override
    {
        return m_network->client->hasLost() ? m_network->client->deadPeers(-1) : Text();
    }
    [[nodiscard]] Text whoIsMissing() const override { return m_network->client->whoIsMissing(); }
    [[nodiscard]] bool hasLeftForMissing() const override { return m_network->client->hasLeftForMissing(); }
    [[nodiscard]] bool mustEndWaits() const override { return m_network->client->hasLost(); }

private:
    std::shared_ptr<rendezvous::Network> m_network;
};

} // namespace lockstep::engine
