// Gathers what the ranks of one run send into Deltas and hands each to the run's writer, with the ranks' own times, and
// on rank 0's clock, as far as it is known by then, to the run's account and to the live feed. Session thread only.
#pragma once

#include "base/result.h"
#include "launch/collect/live_feed.h"
#include "store/account/clock_correction.h"
#include "store/account/delta.h"
#include "store/account/run_account.h"
#include "store/account/step_join.h"
#include "store/run_store.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockstep::launch {

class Collector : public QObject {
    Q_OBJECT

public:
    /// `startNs` (CLOCK_MONOTONIC): start of the time to the first loss; 0 if unknown.
    Collector(std::int32_t worldSize, std::int64_t startNs, std::shared_ptr<LiveFeed> feed, QObject* parent);

    /// Before the first step: of ranks that a script makes.
    void setWorldSize(std::int32_t worldSize);
    /// As RunAccount's.
    void setSpec(const experiment::RunSpec& spec) { m_account.setSpec(spec); }
    /// Earlier data is written with the next Delta. The live feed also works without a writer.
    void setWriter(std::unique_ptr<store::RunWriter> writer);

    /// As Delta::add does; rows of steps are joined first.
    void add(std::int32_t rank, const wire::Message& message);
    void add(store::RankChange change) { pending().ranks.push_back(std::move(change)); }
    void add(store::StatusChange change) { pending().statuses.push_back(std::move(change)); }
    void add(analysis::Machine machine) { pending().machines.push_back(std::move(machine)); }
    void add(store::LeftOutRound round) { pending().leftOut.push_back(round); }
    void add(analysis::MachineSample sample) { pending().machineSamples.push_back(std::move(sample)); }

    [[nodiscard]] std::int64_t lastStep(std::int32_t rank) const;
    /// Whether any rank has sent one.
    [[nodiscard]] bool hasSteps() const;
    /// Of the data flushed so far.
    [[nodiscard]] analysis::Summary summary() const { return m_account.summary(); }
    /// The first line about a checkpoint that is lost; empty: none is. It is in the message of the run's end, too: a
    /// user may not look at the log.
    [[nodiscard]] const Text& lostCheckpoint() const { return m_lostCheckpoint; }
    /// store::RunAccount's
    [[nodiscard]] bool areOwnStepsDone() const { return m_account.areOwnStepsDone(); }

    /// Writes and publishes pending data now.
    void flush();
    /// Flushes and closes the file. writeFailed() has reported an error already, or it is returned.
    [[nodiscard]] Result<void> finish(analysis::RunStatus status, const Text& why);

Q_SIGNALS:
    /// The file is full (disk full): emitted once. Committed data stays readable, and the live feed continues.
    void writeFailed(const lockstep::Error& reason);

private:
    store::Delta& pending();
    void addSteps(store::StepJoin::Joined joined);
    void onWriteError(const Error& error);

    std::shared_ptr<LiveFeed> m_feed;
    std::unique_ptr<store::RunWriter> m_writer;
    std::shared_ptr<store::Delta> m_pending;
    std::shared_ptr<store::Delta> m_unwritten; ///< from before there was a writer
    store::RunAccount m_account{store::RunAccount::Curves::Leave};
    store::ClockCorrection m_clocks;
    store::StepJoin m_join;
    std::vector<std::int64_t> m_lastStep; ///< by rank
    std::int64_t m_startNs;
    std::int64_t m_beginNs; ///< of this run, which may have been queued
    std::int64_t m_heldFromNs = 0; ///< before the first step, for the other runs of its comparison; 0: it did not hold
    bool m_hasFirstLoss = false;
    Text m_lostCheckpoint;
    bool m_writeFailed = false;
    QTimer m_flushTimer;
};

} // namespace lockstep::launch
