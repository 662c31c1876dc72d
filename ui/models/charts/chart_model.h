// Makes ChartSpecs out of RunFeeds. One model a tab. GUI thread only.
#pragma once

#include "ui/models/chart_spec.h"
#include "ui/models/charts/machine_charts.h"
#include "ui/models/run_feed.h"

#include <QObject>

#include <array>
#include <memory>
#include <vector>

namespace lockstep::ui {

enum class XAxis { Step, Epoch, Seconds };

/// How a chart is to be looked at; remembered in the settings.
struct ChartOptions {
    XAxis x = XAxis::Step;
    double smoothing = 0.6; ///< 0: none; debiased exponential moving average, as TensorBoard's
    Scale xScale = Scale::Linear;
    Scale yScale = Scale::Linear;
    MachineValue machine = MachineValue::Processors; ///< what the machine's chart shows
};

/// The part of the chart that is on screen: decimation aims at it.
struct ChartWindow {
    double xMinimum = 0.0;
    double xMaximum = 0.0; ///< not above xMinimum: everything
    int pixels = 800;
};

class ChartModel : public QObject {
    Q_OBJECT

public:
    enum class Kind { Loss, Accuracy, Time, Labels, Shares, Skew, Communication, Ranks, Sweep, Bandwidth, SpeedUp,
        Efficiency, Throughput, Split, Target, Memory, Traffic, Machine };
    static constexpr std::array Kinds{Kind::Loss, Kind::Accuracy, Kind::Time, Kind::Labels, Kind::Shares, Kind::Skew,
        Kind::Communication, Kind::Ranks, Kind::Sweep, Kind::Bandwidth, Kind::SpeedUp, Kind::Efficiency,
        Kind::Throughput, Kind::Split, Kind::Target, Kind::Memory, Kind::Traffic, Kind::Machine};
    /// `loss`, `comm`, ...: as in `lockstep export --chart` and in file names.
    [[nodiscard]] static QString nameOf(Kind kind);
    /// Whether its points are curves over steps, epochs or seconds.
    [[nodiscard]] static bool isOverTime(Kind kind) { return kind == Kind::Loss || kind == Kind::Accuracy; }

    explicit ChartModel(Kind kind, QObject* parent = nullptr);
    ~ChartModel() override;

    [[nodiscard]] Kind kind() const;
    /// In drawing order; the feeds outlive their place here (or are QPointer-guarded).
    void setFeeds(std::vector<RunFeed*> feeds);
    void setOptions(const ChartOptions& options);
    [[nodiscard]] const ChartOptions& options() const;

    /// What the machine's chart can show of these runs; one that it cannot is drawn as the first that it can.
    [[nodiscard]] std::vector<MachineValue> machineValues() const;

    /// The chart now. Raw traces thin and faint under smoothed ones; at most a few points a pixel (min and max kept),
    /// and then a note that says so. Cheap when nothing has changed.
    [[nodiscard]] ChartSpec chart(const ChartWindow& window) const;
    /// Every point, nothing decimated, no window: for exports and the data table.
    [[nodiscard]] ChartSpec fullChart() const;

Q_SIGNALS:
    /// Something to draw: arms the tick.
    void changed();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
