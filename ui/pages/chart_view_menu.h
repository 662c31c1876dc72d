// The button of a chart over time that opens what is seldom changed: its horizontal axis, raw values, names at the ends
// of curves. GUI thread only.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QToolButton>

class QAction;
class QSettings;

namespace lockstep::ui {

class ChartViewMenu : public QToolButton {
    Q_OBJECT

public:
    explicit ChartViewMenu(QWidget* parent = nullptr);

    /// Whether the chart has smoothed values, and so raw ones behind them.
    void offerRaw(bool isOffered);
    /// Emits nothing.
    void setOptions(const ChartOptions& options);
    void readInto(ChartOptions& options) const;
    /// `prefix` is that of the chart's settings.
    static void restore(ChartOptions& options, const QSettings& settings, const QString& prefix);
    static void store(const ChartOptions& options, QSettings& settings, const QString& prefix);

Q_SIGNALS:
    /// By the user.
    void changed(bool isAxis);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QAction* m_logX;
    QAction* m_raw;
    QAction* m_ends;
};

} // namespace lockstep::ui
