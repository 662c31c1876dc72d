// The ranks of one run: starts their processes, welcomes each connection, notices which are silent, leave or end, and
// ends them. RunJob decides what that means for the run. Session thread only.
#pragma once

#include "experiment/spec.h"
#include "launch/collect/gathered_checkpoints.h"
#include "launch/collect/rank_server.h"
#include "launch/mps/mps_share.h"
#include "launch/rank_limits.h"
#include "launch/ranks/rank_launcher.h"
#include "launch/ranks/rank_process.h"
#include "launch/session.h"
#include "wire/messages.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

class RankPeers : public QObject {
    Q_OBJECT

public:
    /// All must outlive it. `worldSize` 0: the script makes its ranks, and rank 0 is the script until a rank joins.
    RankPeers(const RunId& run, const experiment::RunSpec& spec, const SessionOptions& options, std::int32_t worldSize);

    /// Where this machine does not allow the ranks of this run and of those that are alive with it, none is started.
    [[nodiscard]] Result<void> listen(const Crowd& crowd);
    /// After listen(). `program` is on this machine; the arguments of a user's own program are in the spec. `ready`
    /// forks the ranks of this machine; it may be null, and must outlive them.
    void start(const QString& program, ReadyProcess* ready = nullptr, const MpsUse& mps = {});

    /// Whether no rank was started.
    [[nodiscard]] bool isEmpty() const { return m_peers.empty(); }
    [[nodiscard]] const std::optional<wire::Goodbye>& goodbye(std::int32_t rank) const { return peer(rank).goodbye; }
    [[nodiscard]] bool isConnected(std::int32_t rank) const { return m_server.connection(rank) != nullptr; }
    [[nodiscard]] bool haveAllEnded() const;
    /// Whether its goodbye says how it ended, and its process ended as the goodbye says.
    [[nodiscard]] bool isExplained(std::int32_t rank) const;
    [[nodiscard]] const RankProcess& process(std::int32_t rank) const { return *peer(rank).process; }
    /// To rank 0, if it is connected.
    void send(const wire::Control& control);
    /// Ends every rank that has not said goodbye.
    void terminate();
    void kill();

Q_SIGNALS:
    void connected(std::int32_t rank, const lockstep::wire::Hello& hello);
    void messageReceived(std::int32_t rank, const lockstep::wire::Message& message);
    void lineWritten(std::int32_t rank, const lockstep::wire::LogLine& line);
    /// The last rank has loaded its data; of a user's own program, the first has begun.
    void allPrepared();
    /// A rank is refused, silent, or sent what a rank does not send; or none can be started.
    void failed(const lockstep::Error& reason, lockstep::launch::FailureCause cause = FailureCause::Run);
    void warned(const lockstep::Text& text);
    /// It lives, but closed its connection without a goodbye.
    void leftEarly(std::int32_t rank);
    /// Its process has ended, and everything it sent has been read.
    void ended(std::int32_t rank);

private:
    struct Peer {
        RankProcess* process = nullptr;
        std::int64_t pid = 0; ///< on this machine, once it is connected
        std::optional<wire::Goodbye> goodbye{};
        bool isPrepared = false;
        std::chrono::steady_clock::time_point lastHeard = std::chrono::steady_clock::now();
        bool isOverdue = false; ///< had to be ended after its goodbye
        bool hasEnded = false; ///< process gone and everything it sent read
    };

    void supervise(const std::vector<RankProcess*>& processes);
    void onConnected(std::int32_t rank, const wire::Hello& hello);
    void onMessage(std::int32_t rank, const wire::Message& message);
    void onGoodbye(std::int32_t rank);
    void onDisconnected(std::int32_t rank);
    void onProcessEnded(std::int32_t rank);
    void lookForSilence();
    void markEnded(std::int32_t rank);
    [[nodiscard]] Peer& peer(std::int32_t rank) { return m_peers.at(static_cast<std::size_t>(rank)); }
    [[nodiscard]] const Peer& peer(std::int32_t rank) const { return m_peers.at(static_cast<std::size_t>(rank)); }

    const RunId& m_run;
    const experiment::RunSpec& m_spec;
    const SessionOptions& m_options;
    std::int32_t m_worldSize;
    bool m_isOpen; ///< the script makes its ranks
    bool m_hasJoined = false; ///< the first of those
    RankLauncher* m_launcher = nullptr;
    MpsUse m_mps;
    wire::Secret m_secret;
    RankServer m_server;
    std::vector<Peer> m_peers;
    GatheredCheckpoints m_checkpoints;
    std::string m_checkpointMark; ///< wire::Welcome::checkpointMark
    QTimer m_silenceTimer; ///< runs until all ranks are prepared
};

} // namespace lockstep::launch
