// A session: runs a list of RunSpecs, each as world-size rank processes, collects what they send, stores it and
// publishes it. Runs that are compared take turns (measure.interleave); others follow each other. The desktop and
// `lockstep run` both drive this class and nothing below it.
#pragma once

#include "analysis/run_record.h"
#include "experiment/spec.h"
#include "rendezvous/host_list.h"
#include "store/account/delta.h"

#include <QObject>
#include <QString>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::launch {

/// Where a workbench waits for ranks that others start.
struct AwaitOptions {
    QString address; ///< of this machine, by which the ranks reach it
    std::uint16_t port = 0; ///< 0: any
    QString file; ///< that contains them (wire/workbench_file.h)
};

struct SessionOptions {
    QString storeFolder;
    QString rankProgram; ///< for every run; empty: the flavour that a run needs (launch/rank_program.h)
    std::int64_t programStartNs = 0; ///< CLOCK_MONOTONIC when `lockstep` started: for seconds_to_first_loss; a desktop
                                     ///< session uses the moment of Run instead
    std::vector<rendezvous::Host> hosts{}; ///< ssh or srun starts the ranks there; empty: they are on this machine
    /// Asked at each start(), in place of `hosts`, for a window whose user may choose others meanwhile.
    std::function<std::vector<rendezvous::Host>()> chosenHosts{};
    std::optional<AwaitOptions> awaits{}; ///< others start the ranks
    std::int32_t ranks = 0; ///< processes a run; 0: what its strategy needs
    std::chrono::milliseconds handshakeTimeout{2000}; ///< for a connection's handshake, and again for its hello
    std::chrono::milliseconds startTimeout{60000}; ///< silence of any rank that has not reported its data and net yet
    std::chrono::milliseconds sampleEvery{500}; ///< how often the machine is sampled during a run; 0: never
    bool staysReady = false; ///< keeps a process that ranks are forked from, from the start on: for a window
    std::int64_t freeMemoryBytes = -1; ///< for runs that are alive together; below 0: what /proc/meminfo says
    /// Before runs with different numbers of ranks take turns: the longest time to wait for other work on this machine
    /// to end (quiet_wait.h); 0: never.
    std::chrono::milliseconds quietTimeout{0};
    std::chrono::milliseconds stopTimeout{2000}; ///< from asking a rank to stop to SIGTERM; SIGKILL 500 ms later
};

/// Which runs a run's failure concerns.
enum class FailureReach {
    Itself,
    Others, ///< those in line would have failed of the same and were not started: the run's message counts them
    FromAnother, ///< the message of another run says why this one was not started, or failed too
};

/// A lockstep-rank for runs without a GPU (launch/rank_program.h says where it is found); empty if there is none.
[[nodiscard]] QString findRankProgram();

/// The spec as a session starts and stores it: the rank's working directory is not the user's, so paths go out
/// absolute.
[[nodiscard]] experiment::RunSpec withAbsolutePaths(experiment::RunSpec spec);

/// Lives in the thread that created it (GUI or main); its processes, sockets and files live in the session thread.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(SessionOptions options, QObject* parent = nullptr);
    /// Ends all runs (asks, SIGTERM, SIGKILL) and waits for them, at most 3 s.
    ~Session() override;

    /// Queues runs; the first starts at once if nothing runs. Gives their ids in order. The ids' live sources exist
    /// from now on. Repeats run seed by seed, and the variants of one seed take turns where `measure.interleave` says
    /// so. `ids`: one for each run, as makeRunId() gives them; empty: fresh ones.
    std::vector<RunId> start(const std::vector<experiment::RunSpec>& runs, const std::vector<RunId>& ids = {});

    /// The live source of a run started here: one reader; null for any other id.
    /// If the run has ended without a reader, the source replays it from the store.
    [[nodiscard]] std::unique_ptr<store::DeltaSource> liveSource(const RunId& id);

    /// The record as known now (curves empty until the end); for a run of this session.
    [[nodiscard]] analysis::RunRecord record(const RunId& id) const;

    /// The run failed because a rank refused its input (the command line's exit code 2).
    [[nodiscard]] bool isRefused(const RunId& id) const;

    /// Of a run of this session that failed or was not started.
    [[nodiscard]] FailureReach reach(const RunId& id) const;

    /// Lets go of those of these runs that have ended: the store has them, and this session knows them no more.
    void forget(const std::vector<RunId>& ids);

    /// True while any run is queued or alive.
    [[nodiscard]] bool isBusy() const;

public Q_SLOTS:
    /// Pauses, resumes or slows a running run, or has it write a checkpoint. All ranks apply it at one agreed step,
    /// which comes back as an intervention. No-op if the run is not active.
    void send(const lockstep::RunId& id, const lockstep::wire::Control& control);
    /// Asks, then ends the ranks; drops a run that is queued.
    void stop(const lockstep::RunId& id);
    /// Stops the current run and drops the queued ones.
    void stopAll();
    /// The same without asking: SIGKILL now.
    void killAll();

Q_SIGNALS:
    /// Every change of status, in order; `message` says why for failed and stopped.
    void statusChanged(const lockstep::RunId& id, lockstep::analysis::RunStatus status, const QString& message);
    /// The run has reached a final status and its file is closed; record(id) has its summary.
    void runEnded(const lockstep::RunId& id);
    /// One line about how the runs are carried out.
    void noted(const lockstep::Text& line);
    /// No run is queued or alive any more.
    void allEnded();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::launch
