// The curves' values at the mouse: a line through the plot, the nearest point of each curve, and their numbers in a
// small box. An overlay, so that moving the mouse replots nothing. Private to ui/charts.
#pragma once

#include "ui/charts/legend_strip.h"
#include "ui/models/chart_spec.h"

#include <QWidget>

#include <vector>

namespace lockstep::ui {

struct ReadOutRow {
    QString name;
    QString value;
    QColor color;
    double x = 0.0; ///< the point itself, in data units
    double y = 0.0;
};

struct ReadOut {
    QString head; ///< "Step 1,250"
    std::vector<ReadOutRow> rows; ///< one a visible, named series that has a point there
};

/// The nearest point of each curve at x; of bars, the phases of the bar there.
[[nodiscard]] ReadOut readOut(const ChartSpec& chart, double x);

class ReadOutSheet : public QWidget {
    Q_OBJECT

public:
    explicit ReadOutSheet(QCustomPlot& plot);

    void setTheme(const ChartTheme& theme);
    /// `chart` is only used during the call.
    void showAt(const ChartSpec& chart, const QPoint& place);
    void clear();
    /// What the box lists now, and how many curves it leaves out.
    [[nodiscard]] const ReadOut& shown() const { return m_readOut; }
    [[nodiscard]] std::size_t left() const { return m_left; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Dot {
        QPointF place;
        QColor color;
    };

    void keepWhatFits();
    void paintBox(QPainter& painter) const;

    QCustomPlot& m_plot;
    ChartTheme m_theme;
    ReadOut m_readOut;
    std::size_t m_left = 0; ///< rows that do not fit
    std::vector<Dot> m_dots;
    QPoint m_place;
    bool m_hasLine = false;
};

} // namespace lockstep::ui
