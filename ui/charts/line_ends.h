// The names of curves beside their ends, none over another: right of the axes, or on the plot where a curve ends before
// the axes do.
// Private to ui/charts.
#pragma once

#include "ui/charts/legend_strip.h"

#include <vector>

namespace lockstep::ui {

class LineEnds : public QCPAbstractItem {
    Q_OBJECT

public:
    /// The plot owns it.
    explicit LineEnds(QCustomPlot& plot);

    /// None where the chart asks for none, has too many curves, or leaves no room.
    void setChart(const ChartSpec& chart, const ChartStyle& style);
    /// What they take of the width.
    [[nodiscard]] int room() const { return m_room; }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }

protected:
    void draw(QCPPainter* painter) override;

private:
    struct End {
        QString name;
        QColor color;
        std::vector<double> x;
        std::vector<double> y;
    };
    struct Label {
        const End* end;
        QPointF place; ///< of the middle of its left edge, in pixels
    };
    struct Labels {
        std::vector<Label> inMargin;
        std::vector<Label> onPlot;
    };

    void addLabel(const End& end, Labels& labels) const;
    void moveApart(std::vector<Label>& labels, double height) const;

    std::vector<End> m_ends;
    ChartStyle m_style;
    int m_room = 0;
};

} // namespace lockstep::ui
