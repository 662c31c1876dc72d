// What the window knows of one run: its record, its curves as compact columns, the state of its ranks. Fed from a
// DeltaSource, live or replayed, on the window's common tick. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "session/delta.h"

#include <QColor>
#include <QObject>

#include <memory>
#include <vector>

namespace lockstep::ui {

class RingModel;
class TimelineModel;

/// Loss points of one run: weighted over ranks, one a step; 32 bytes a point.
struct LossColumns {
    std::vector<std::int64_t> step;
    std::vector<double> epoch;
    std::vector<double> seconds; ///< since the first step began
    std::vector<double> loss;

    [[nodiscard]] std::size_t size() const { return step.size(); }
};

struct RankCard {
    std::int32_t rank = 0;
    session::RankState state = session::RankState::Starting;
    std::int64_t step = 0;
    double loss = analysis::NotMeasured;
    double msPerStep = analysis::NotMeasured; ///< mean over the last second
    std::int64_t residentBytes = 0;
    std::int64_t deviceBytes = 0;
    std::string message;
    std::array<double, PhaseCount> phaseShare{}; ///< of the last second, sums to at most 1
    std::int64_t heardNs = 0; ///< when it last told of its memory, which it does whatever else it waits for
};

struct Intervention {
    std::int64_t step = 0;
    double seconds = 0.0;
    wire::Command command = wire::Command::Pause;
    std::int32_t rank = -1;
    double value = 0.0;
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC, as spans have it
};

class RunFeed : public QObject {
    Q_OBJECT

public:
    RunFeed(analysis::RunRecord record, std::unique_ptr<session::DeltaSource> source, QObject* parent = nullptr);
    ~RunFeed() override;

    [[nodiscard]] const RunId& id() const;
    /// Status, message and summary are kept up to date while the run goes on.
    [[nodiscard]] const analysis::RunRecord& record() const;
    /// The user's label, else the variant's name (with "#2" for repeats).
    [[nodiscard]] QString displayName() const;
    [[nodiscard]] QColor color() const;
    void setColor(const QColor& color);
    [[nodiscard]] bool isVisible() const;
    void setVisible(bool visible);

    [[nodiscard]] const LossColumns& loss() const;
    [[nodiscard]] const analysis::Curve& accuracy() const;
    [[nodiscard]] const std::vector<RankCard>& ranks() const;
    [[nodiscard]] const std::vector<Intervention>& interventions() const;
    /// Of each rank so far; without and with medians, which take a while.
    [[nodiscard]] std::vector<analysis::RankSummary> rankMeans() const;
    [[nodiscard]] std::vector<analysis::RankSummary> rankSummaries() const;
    [[nodiscard]] const TimelineModel& timeline() const;
    [[nodiscard]] const RingModel& ring() const;
    /// The machines that the ranks run on, and every look at them so far.
    [[nodiscard]] const std::vector<analysis::Machine>& machines() const;
    [[nodiscard]] const std::vector<analysis::MachineSample>& machineSamples() const;
    /// A time of CLOCK_MONOTONIC in seconds since the first step began, pauses and all, less than 0 before; since the
    /// first look at the machine as long as no step has begun.
    [[nodiscard]] double secondsAt(std::int64_t timeNs) const;
    [[nodiscard]] const wire::Prepared& facts() const; ///< zeros until known
    /// 0 .. 1, and the seconds left as the last seconds' speed has it; NotMeasured until known.
    [[nodiscard]] double progress() const;
    [[nodiscard]] double secondsLeft() const;
    /// Mean share of each phase over the whole run so far, ms a step.
    [[nodiscard]] std::array<double, PhaseCount> phaseMsPerStep() const;

    /// Takes what is new. Called on the common tick (30 Hz); true if anything was.
    bool pull();

Q_SIGNALS:
    /// Once per pull that brought something. The log, the charts and the cards listen to it.
    void advanced(const lockstep::session::DeltaPtr& delta);
    /// Status, label, colour or visibility.
    void recordChanged();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
