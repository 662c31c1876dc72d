// The ranks of a run on other hosts: ssh or srun starts a relay on each (host_link.h), and the relay the host's ranks.
// The hosts are filled in their order. Session thread only.
#pragma once

#include "launch/ranks/rank_launcher.h"
#include "launch/ssh/host_link.h"
#include "launch/ssh/remote_rank.h"
#include "rendezvous/host_list.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockstep::launch {

/// Whether these hosts can take the run: it needs slots, and a program and a backend that are started one by one.
[[nodiscard]] Result<void> checkRunOnHosts(
    const std::vector<rendezvous::Host>& hosts, const experiment::RunSpec& spec, std::int32_t worldSize);

class SshLauncher final : public RankLauncher {
    Q_OBJECT

public:
    SshLauncher(std::vector<rendezvous::Host> hosts, QObject* parent);

    /// For a run that checkRunOnHosts() has let pass.
    [[nodiscard]] std::vector<RankProcess*> start(const RankStart& start) override;

private:
    struct Site {
        HostLink* link = nullptr;
        std::vector<RemoteRank*> ranks{};
        bool isReady = false;
    };

    void addSite(const rendezvous::Host& host);
    void onReady(std::size_t place);
    void onFrame(std::size_t place, wire::RelayKind kind, std::int32_t rank, const QByteArray& payload);
    void onLinkEnded(std::size_t place, const Text& why);
    void startRanks();
    [[nodiscard]] QByteArray jobOf(const Site& site, const wire::Secret& storeSecret) const;
    [[nodiscard]] std::int64_t neededBytes(const Site& site) const;
    [[nodiscard]] std::string addressOf(const Site& site) const;

    std::vector<rendezvous::Host> m_hosts;
    std::vector<Site> m_sites;
    const experiment::RunSpec* m_spec = nullptr;
    Rendezvous m_where;
    bool m_hasRefused = false;
};

} // namespace lockstep::launch
