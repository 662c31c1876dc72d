// How the ranks of a run that may be on several hosts meet: the store, and what each has said of itself.
#pragma once

#include "rendezvous/interfaces.h"
#include "rendezvous/launcher.h"
#include "rendezvous/store/store_client.h"
#include "rendezvous/store/store_server.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::rendezvous {

struct NetworkOptions {
    Place place{};
    std::string interface { }; ///< comm.interface
    std::string version{};
    std::string what{}; ///< a hash of the run's spec
    std::optional<wire::Secret> secret{}; ///< needed for tcp://; a rendezvous folder gives one
    std::chrono::milliseconds limit{60'000};
    StoreClient::OnWaiting onWaiting{};
    StoreClient::OnPublished onPublished{};
};

/// Destroy it last: the rank that serves the store first waits a little for the others to leave.
struct Network {
    std::unique_ptr<StoreServer> server; ///< of the one rank that serves
    std::unique_ptr<StoreClient> client;
    std::vector<Member> members; ///< by rank
    Member self;

    ~Network();
    /// All ranks can share memory, so the network is not needed.
    [[nodiscard]] bool isOneDomain() const;
    /// Those that can share memory with this one, itself among them, in order.
    [[nodiscard]] std::vector<int> ranksHere() const;
    /// `n1, n2`
    [[nodiscard]] std::string hosts() const;
};

/// Every rank calls it; returns once all have come. With tcp:// a rank on the host of that address serves the store,
/// whichever comes first; with file:// rank 0 does and writes its address and a secret into the folder.
[[nodiscard]] Result<std::unique_ptr<Network>> meetOverNetwork(const NetworkOptions& options);

/// How long the ranks wait for each other: LOCKSTEP_MEET_SECONDS, else `standard`.
[[nodiscard]] Result<std::chrono::milliseconds> timeToMeet(
    const Variables& variables, std::chrono::milliseconds standard);

/// Its first 4096 bytes. Refused if every user can read it; errors name `variable`, which has said the path.
[[nodiscard]] Result<std::string> readSecretFile(std::string_view variable, const std::string& path);
/// Of the file that LOCKSTEP_SECRET_FILE names: 64 hexadecimal digits. Refused if every user can read it.
[[nodiscard]] Result<std::optional<wire::Secret>> secretOfFile(const Variables& variables);

} // namespace lockstep::rendezvous
