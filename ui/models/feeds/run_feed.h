// What the window knows of one run: its account, the cards of its ranks, its timeline and ring. Fed from a DeltaSource,
// live or replayed, on the window's common tick. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/rank_summary.h"
#include "store/account/delta.h"
#include "ui/models/feeds/rank_cards.h"
#include "ui/models/look.h"

#include <QObject>

#include <map>
#include <memory>
#include <vector>

namespace lockstep::ui {

class RingModel;
class TimelineModel;
struct RunState;

using store::Intervention;
using Medians = analysis::RankSummaryBuilder::Medians;

class RunFeed : public QObject {
    Q_OBJECT

public:
    /// `gathering`: what the source gathers in other threads and hands over then; null: it has Deltas alone.
    RunFeed(analysis::RunRecord record, std::unique_ptr<store::DeltaSource> source,
        const std::shared_ptr<RunState>& gathering = nullptr);
    ~RunFeed() override;

    [[nodiscard]] const RunId& id() const;
    /// Status, message and summary are kept up to date while the run is active.
    [[nodiscard]] const analysis::RunRecord& record() const;
    /// The user's label, else the variant's name (with "#2" for repeats), and what was changed by hand: "ring
    /// (paused)".
    [[nodiscard]] QString displayName() const;
    /// Of its variant: one colour, dash and marker.
    [[nodiscard]] const Look& look() const;
    [[nodiscard]] QColor color() const { return look().color; }
    void setLook(const Look& look);
    [[nodiscard]] bool isVisible() const;
    void setVisible(bool visible);
    void setLabel(const QString& label);

    /// One point a step, weighted over ranks.
    [[nodiscard]] const analysis::Curve& loss() const;
    /// Another for each curve, also where one run has another one now, so long as points are not added only.
    [[nodiscard]] int lossNumber() const;
    /// Of a very long stored run: there before the loss is. Null: none.
    [[nodiscard]] const store::StoredLoss* lossOutline() const;
    /// Whether it is a stored run of which more may come: pull() reads on.
    [[nodiscard]] bool isReading() const;
    [[nodiscard]] const analysis::Curve& accuracy() const;
    /// With each rank's means and losses on its own samples, and what a user's own program reports.
    [[nodiscard]] const store::RunAccount& account() const;
    [[nodiscard]] const std::vector<RankCard>& ranks() const;
    [[nodiscard]] const std::vector<Intervention>& interventions() const;
    [[nodiscard]] const TimelineModel& timeline() const;
    [[nodiscard]] const RingModel& ring() const;
    /// All that its Deltas say, also of the machines that the ranks run on.
    [[nodiscard]] const RunState& state() const;
    /// A time of CLOCK_MONOTONIC in seconds since the first step began, including pauses, negative before; since the
    /// first sample of the machine while no step has begun.
    [[nodiscard]] double secondsAt(std::int64_t timeNs) const;
    [[nodiscard]] const wire::Prepared& facts() const; ///< zeros until known
    /// 0 .. 1, and the seconds left at the speed of the last seconds; NotMeasured until known.
    [[nodiscard]] double progress() const;
    [[nodiscard]] double secondsLeft() const;
    /// Mean of each phase over the steps of the summary, ms a step; of all steps while they are the warm-up.
    /// Phase::Wait is NotMeasured where waiting is not separated from communicating.
    [[nodiscard]] std::array<double, PhaseCount> phaseMsPerStep() const;

    /// Takes new data. Called on the common tick (30 Hz); true if there was any.
    bool pull();

Q_SIGNALS:
    /// Once per pull with new data. The log, the charts and the cards listen to it.
    void advanced(const lockstep::store::DeltaPtr& delta);
    /// Status, label, look or visibility.
    void recordChanged();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

/// A run of the store, which other threads read. Of a long one the loss comes first, the rest once it is whole.
[[nodiscard]] std::unique_ptr<RunFeed> storedFeed(analysis::RunRecord record, const QString& storeFolder);

/// The feed's record with curves, ranks, machines and all else that reports and findings rest on.
[[nodiscard]] analysis::RunRecord wholeRecord(const RunFeed& feed);

} // namespace lockstep::ui
