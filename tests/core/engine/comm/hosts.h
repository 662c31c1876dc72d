// Ranks on pretended hosts: threads or processes of the test that share memory only with those of their own host. The
// network between them is pretended, too: it counts its calls and is as slow as the test wants.
#pragma once

#include "core/engine/comm/group.h"
#include "core/engine/comm/processes.h"
#include "engine/comm/hierarchy/hierarchical_communicator.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace lockstep::tests {

struct NetworkOfTest {
    std::chrono::milliseconds delay{}; ///< of each all-reduce
    std::atomic<int> calls = 0; ///< of a rank, over all groups
    std::atomic<std::size_t> reduced = 0; ///< bytes that went into all-reduces
};

/// A group over the network.
class NetworkGroup final : public comm::Communicator {
public:
    NetworkGroup(std::unique_ptr<comm::Communicator> inner, NetworkOfTest& network)
        : Communicator(inner->rank(), inner->size())
        , m_inner(std::move(inner))
        , m_network(network)
    { }
    ~NetworkGroup() override { finishStarted(); }

    [[nodiscard]] std::string_view backend() const override { return "network"; }
    [[nodiscard]] Result<std::unique_ptr<comm::Communicator>> split(int color, int key) override
    {
        auto part = m_inner->split(color, key);
        return part && *part
            ? Result<std::unique_ptr<comm::Communicator>>(std::make_unique<NetworkGroup>(std::move(*part), m_network))
            : std::move(part);
    }
    void abort() override { m_inner->abort(); }

protected:
    Result<void> execute(const comm::Operation& operation, comm::OperationTimes&) override
    {
        ++m_network.calls;
        if (operation.what == comm::Collective::AllReduce) {
            m_network.reduced += operation.in.byteCount();
            std::this_thread::sleep_for(m_network.delay);
        }
        return m_inner->run(operation);
    }

private:
    std::unique_ptr<comm::Communicator> m_inner;
    NetworkOfTest& m_network;
};

/// The rank's group, where rank r is on host `hosts[r]`; every rank calls it with the same name.
inline Result<std::unique_ptr<comm::Communicator>> joinHosts(const std::string& name, const std::vector<int>& hosts,
    int rank, NetworkOfTest& network, std::chrono::milliseconds timeout = std::chrono::seconds(30))
{
    const auto size = static_cast<int>(hosts.size());
    const int host = hosts[static_cast<std::size_t>(rank)];
    const auto before = static_cast<int>(std::count(hosts.begin(), hosts.begin() + rank, host));
    const auto here = static_cast<int>(std::count(hosts.begin(), hosts.end(), host));
    const comm::ShmOptions options{.timeout = timeout};
    LOCKSTEP_TRY_ASSIGN(auto all, comm::joinByName(name, rank, size, options));
    LOCKSTEP_TRY_ASSIGN(auto own, comm::joinByName(name + "-host" + std::to_string(host), before, here, options));
    LOCKSTEP_TRY_ASSIGN(auto registry, comm::PeerRegistry::meet(name + "-registry", rank, size, timeout));
    return comm::joinHierarchy({.all = std::make_unique<NetworkGroup>(std::move(all), network),
        .host = std::move(own),
        .registry = std::move(registry),
        .guard = {.timeout = timeout}});
}

/// Runs `body` as every rank at once, as a thread, and gives what each returned.
inline std::vector<Result<void>> onHosts(const std::vector<int>& hosts,
    const std::function<Result<void>(comm::Communicator&, NetworkOfTest&)>& body, std::chrono::milliseconds delay = {})
{
    std::vector<Result<void>> results(hosts.size());
    std::vector<NetworkOfTest> networks(hosts.size());
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        threads.emplace_back([&, rank, name = "threads"] {
            networks[rank].delay = delay;
            auto joined = joinHosts(name + std::to_string(getpid()), hosts, static_cast<int>(rank), networks[rank]);
            results[rank] = joined ? body(**joined, networks[rank]) : Result<void>(joined.error());
        });
    }
    threads.clear();
    return results;
}

} // namespace lockstep::tests
