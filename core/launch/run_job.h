// One run from its start to its final status: stores what its ranks send, passes control on, decides what a rank's end
// means for the others and the run, and closes the file. Session thread only.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/diagnosis.h"
#include "launch/collect/collector.h"
#include "launch/failure_reach.h"
#include "launch/program_run.h"
#include "launch/rank_limits.h"
#include "launch/ranks/rank_peers.h"
#include "launch/ranks/rank_program.h"
#include "launch/ranks/ready_process.h"
#include "launch/run_monitor.h"
#include "launch/run_mps.h"
#include "launch/session.h"
#include "store/run_store.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

class RunJob : public QObject {
    Q_OBJECT

public:
    struct Setup {
        analysis::RunRecord record;
        SessionOptions options;
        std::shared_ptr<LiveFeed> feed;
        std::int64_t startNs = 0; ///< start of the time to the first loss
        MachineMonitor* monitor = nullptr; ///< outlives the run; null: the machine is not monitored
        int comparison = 0; ///< the runs of one number take turns; 0: the run follows the one before
        std::int32_t place = 0; ///< among the runs that are alive together
        Crowd crowd{0, 0}; ///< the runs that will be alive with it, and are not yet
        std::optional<wire::Control> firstCommand{}; ///< to rank 0 as soon as it is connected
        Text remark{}; ///< a line for the log
        ReadyProcess* ready = nullptr; ///< outlives the run; null: none
        MpsShare* mps = nullptr; ///< likewise
    };
    /// Drops the runs in line that concerns() and gives their number. Called at most once, before the failed status.
    using KeepBack = std::function<std::size_t(const RunJob&)>;
    /// Opens the store on first use; called after the ranks have been started, so that they need not wait for it.
    using StoreOpener = std::function<Result<store::RunStore*>()>;

    RunJob(Setup setup, QObject* parent);

    void begin(const StoreOpener& openStore, KeepBack keepBack);
    /// To rank 0, which publishes it with the step at which all ranks apply it.
    void send(const wire::Control& control);
    /// Rounds of its comparison that do not count; before the run ends.
    void leaveOut(const std::vector<std::int64_t>& rounds);
    /// Asks, SIGTERM after `patience`, SIGKILL 500 ms later.
    void stop(std::chrono::milliseconds patience);
    void kill();

    [[nodiscard]] const RunId& id() const { return m_record.id; }
    [[nodiscard]] const analysis::RunRecord& record() const { return m_record; }
    [[nodiscard]] bool isRefused() const { return m_cause == FailureCause::Refused; }
    /// reaches()
    [[nodiscard]] bool concerns(const experiment::RunSpec& other) const
    {
        return m_failure && reaches(m_cause, *m_failure, *m_record.spec.settings, *other.settings);
    }
    [[nodiscard]] std::int32_t worldSize() const { return m_worldSize; }

Q_SIGNALS:
    /// The script makes as many ranks.
    void worldKnown(std::int32_t ranks);
    void statusChanged(lockstep::analysis::RunStatus status, const QString& message);
    /// No rank is alive any more; the file is still open, for leaveOut().
    void closing();
    /// Of a rank, after the run has taken it.
    void messageReceived(std::int32_t rank, const lockstep::wire::Message& message);
    /// The final status is set and the file is closed. Never emitted from within begin().
    void ended();

private:
    using Cause = FailureCause;
    /// What happens to the other ranks at a failure: they are ended, or first get time to report what they saw.
    enum class Others { End, Hear };

    void startRanks();
    /// The ready process that forks the ranks; null where each is started.
    [[nodiscard]] ReadyProcess* readyProcess(const RankChoice& choice);
    void setStatus(analysis::RunStatus status, const Text& why = {});
    void note(wire::LogLevel level, const Text& text);

    void onConnected(std::int32_t rank, const wire::Hello& hello);
    void onMessage(std::int32_t rank, const wire::Message& message);
    void onGoodbye(const wire::Goodbye& goodbye);
    void onLeftEarly(std::int32_t rank);
    void onEnded(std::int32_t rank);

    /// If ranks timed out waiting for a rank that never came, as their calls show, that rank is the cause.
    void diagnose();
    /// Keeps the first cause; ends every rank that has not said goodbye.
    void fail(const Error& error, Cause cause = Cause::Run, Others others = Others::End);
    void finishIfAllEnded();

    analysis::RunRecord m_record;
    SessionOptions m_options;
    std::shared_ptr<LiveFeed> m_feed;
    ProgramRun m_program;
    std::int32_t m_worldSize;
    Collector m_collector;
    RunMonitor m_monitor;
    std::optional<wire::Control> m_firstCommand;
    Text m_remark;
    Crowd m_crowd; ///< with this run
    QPointer<ReadyProcess> m_ready;
    RunMps m_mps;
    RankPeers m_ranks;
    QTimer m_stopTimer;
    QTimer m_hearTimer; ///< runs while the others are heard after a failure
    KeepBack m_keepBack;
    std::optional<Text> m_failure;
    Cause m_cause = Cause::Run; ///< of the failure
    bool m_isFailureReported = false; ///< by a live rank, which may have seen only the consequence
    std::vector<analysis::RankCallHistory> m_calls; ///< the ranks' last ones
    Text m_stopNote;
    Text m_crash; ///< of a rank after its last step
    bool m_stopRequested = false;
    bool m_wantsPause = false;
    bool m_finished = false;
};

} // namespace lockstep::launch
