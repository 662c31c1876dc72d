// Draws one ChartSpec on screen: hover read-out, zoom (wheel, with Ctrl vertically; a rectangle drawn with Shift or the
// right button), pan (drag), double click for the whole, clickable legend; arrows, +, - and 0 do the same by keyboard.
// GUI thread. The only public header of ui/charts; hides QCustomPlot.
#pragma once

#include "ui/models/chart_spec.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <utility>

class QMouseEvent;

namespace lockstep::ui {

class ChartView : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    /// Cheap: takes the value and queues one replot. Keeps the user's zoom.
    void setChart(ChartSpec chart);
    [[nodiscard]] const ChartSpec& chart() const;
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] bool isZoomed() const;
    /// The ends of the x axis as they are on screen.
    [[nodiscard]] std::pair<double, double> horizontalRange() const;
    /// Takes the ends of the axes from another view; emits nothing.
    void followView(const ChartView& other);
    /// The chart's axes with their ends as they are on screen, if the user has zoomed: for exports.
    [[nodiscard]] ChartSpec asShown(ChartSpec chart) const;

    /// The read-out at this x, as another chart's mouse points at it; nothing: none.
    void showCursor(std::optional<double> x);

public Q_SLOTS:
    void showAll();

Q_SIGNALS:
    /// The visible x range (data units) or the width in pixels has changed: the model decimates again for it.
    void viewChanged(double xMinimum, double xMaximum, int pixels);
    /// Before each drawing: a chart that is set now is drawn at once.
    void aboutToDraw();
    /// A click on a legend entry.
    void seriesToggleRequested(const QString& key);
    /// The mouse is at this x of the axes; nothing: it has left them.
    void pointedAt(std::optional<double> x);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool mousePressed(const QMouseEvent& event);
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
