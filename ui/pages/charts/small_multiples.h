// A chart as several of equal size beside each other, one for each value of a parameter, over axes of one range. The
// cursor of one is that of all. GUI thread only.
#pragma once

#include "ui/models/charts/chart_model.h"
#include "ui/models/palette.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;

namespace lockstep::ui {

class ChartView;

class SmallMultiples : public QWidget {
    Q_OBJECT

public:
    explicit SmallMultiples(QWidget* parent = nullptr);

    void setParts(std::vector<ChartPart> parts);
    void setTheme(const ChartTheme& theme);
    void showAll();
    void showCursor(std::optional<double> x);
    /// As ChartView's, of the first; all have the same.
    [[nodiscard]] std::pair<double, double> horizontalRange() const;

Q_SIGNALS:
    void seriesToggleRequested(const QString& key);
    /// As ChartView's, of the one that the user has moved.
    void viewChanged(double xMinimum, double xMaximum, int pixels);
    /// As ChartView's.
    void pointedAt(std::optional<double> x);

private:
    struct Part {
        QLabel* title;
        ChartView* view;
    };
    void add();

    QGridLayout* m_grid;
    std::vector<Part> m_parts;
    ChartTheme m_theme;
};

} // namespace lockstep::ui
