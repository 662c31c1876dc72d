// A chart as a page: the view with its controls (x axis: step, epoch, seconds; smoothing; log scale), the data as a
// table, and export. Asks its model for a ChartSpec on every tick with new data.
#pragma once

#include "ui/models/palette.h"

#include <QWidget>

#include <memory>

namespace lockstep::ui {

class ChartModel;

class ChartPanel : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the panel.
    explicit ChartPanel(ChartModel& model, QWidget* parent = nullptr);
    ~ChartPanel() override;

    [[nodiscard]] ChartModel& model() const;
    void setTheme(const ChartTheme& theme);

public Q_SLOTS:
    /// Opens the export dialog (preview; mm, pt, dpi; PDF, SVG, PNG, PGFPlots, CSV).
    void exportChart();
    void showAll();

Q_SIGNALS:
    void seriesToggleRequested(const QString& key);
    /// The export dialog has written a file.
    void exported(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
