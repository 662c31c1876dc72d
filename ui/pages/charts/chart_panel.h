// A chart as a page: the view with its controls (x axis: step, epoch, seconds; smoothing; log scale), the data as a
// table, and export. Asks its model for a ChartSpec on every tick with new data.
#pragma once

#include "ui/models/charts/chart_kind.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace lockstep::ui {

class ChartModel;
struct ChartPart;

class ChartPanel : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the panel.
    explicit ChartPanel(ChartModel& model, QWidget* parent = nullptr);
    ~ChartPanel() override;

    [[nodiscard]] ChartModel& model() const;
    /// As if the user had chosen them; `interfered` stays as it is.
    void setOptions(ChartOptions wanted);
    void setTheme(const ChartTheme& theme);
    /// Every point, its axes as they are on screen if the user has zoomed.
    [[nodiscard]] ChartSpec shownChart() const;
    /// Every point, as the chart is divided on screen; empty: it is not.
    [[nodiscard]] std::vector<ChartPart> shownParts() const;
    /// As ChartView's.
    void showCursor(std::optional<double> x);

public Q_SLOTS:
    /// Requests the export dialog (preview; mm, pt, dpi; PDF, SVG, PNG, PGFPlots, CSV).
    void exportChart();
    /// Puts the chart on the clipboard: as SVG, as a bitmap and as a table.
    void copyChart();
    void showAll();

Q_SIGNALS:
    void seriesToggleRequested(const QString& key);
    /// Export was pressed: who knows the other charts opens the dialog.
    void exportRequested();
    /// As ChartView's.
    void pointedAt(std::optional<double> x);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void connectControls();
    void connectViews();
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
