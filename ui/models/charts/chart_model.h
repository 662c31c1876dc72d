// Makes ChartSpecs out of RunFeeds. One model a tab. GUI thread only.
#pragma once

#include "ui/models/charts/chart_kind.h"
#include "ui/models/feeds/run_feed.h"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace lockstep::ui {

/// One of several charts, for the runs that have one value of a parameter.
struct ChartPart {
    QString title; ///< `Learning rate: 0.1`
    ChartSpec chart;
};

class ChartModel : public QObject {
    Q_OBJECT

public:
    explicit ChartModel(const ChartKind& kind, QObject* parent = nullptr);
    ~ChartModel() override;

    [[nodiscard]] const ChartKind& kind() const;
    /// In drawing order; the feeds outlive their place here (or are QPointer-guarded).
    void setFeeds(std::vector<RunFeed*> feeds);
    void setOptions(const ChartOptions& options);
    [[nodiscard]] const ChartOptions& options() const;

    /// What a chart of this kind can show of these runs; draws an impossible choice as the first possible one.
    [[nodiscard]] std::vector<ChartChoice> choices() const;

    /// The parameters that a chart of this kind can be drawn against, and those that it is; none for most kinds.
    [[nodiscard]] ParameterChoices parameters() const;

    /// What panels can be made by: the parameters in which the runs differ, and the ranks of a run alone.
    [[nodiscard]] ParameterChoices varied() const;
    /// Of the newest run that is drawn; empty: none is.
    [[nodiscard]] std::string experiment() const;

    /// The chart now, decimated for the window. Cheap when nothing has changed.
    [[nodiscard]] ChartSpec chart(const ChartWindow& window) const;
    /// Whether the last chart with a window lacked something that would have taken too long: the next one has more.
    [[nodiscard]] bool isBehind() const;
    /// As the options' `panelsBy` divides the runs, over axes of one range. Empty: it does not divide them. Without a
    /// window every point.
    [[nodiscard]] std::vector<ChartPart> parts(const ChartWindow* window) const;
    /// Every point, nothing decimated, no window: for exports and the data table.
    [[nodiscard]] ChartSpec fullChart() const;

Q_SIGNALS:
    /// New data to draw: starts the tick.
    void changed();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
