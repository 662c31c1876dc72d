// The button of a chart over time that opens what is seldom changed: its horizontal axis, raw values, names at the ends
// of curves, annotations, one chart for each value of a parameter. GUI thread only.
#pragma once

#include "ui/models/charts/chart_kind.h"
#include "ui/widgets/translated.h"

#include <QToolButton>

#include <functional>

class QAction;
class QMenu;
class QSettings;

namespace lockstep::ui {

class ChartViewMenu : public Translated<QToolButton> {
    Q_OBJECT

public:
    explicit ChartViewMenu(QWidget* parent = nullptr);

    /// Whether the chart has smoothed values, and so raw ones behind them.
    void offerRaw(bool isOffered);
    /// For charts that have no other view.
    void offerOnlyPanels();
    /// The parameters by which the chart can be divided, asked each time that the menu opens; and the one chosen.
    void offerPanels(std::function<ParameterChoices()> choices);
    /// Emits nothing.
    void setOptions(const ChartOptions& options);
    void readInto(ChartOptions& options) const;
    /// `prefix` is that of the chart's settings.
    static void restore(ChartOptions& options, const QSettings& settings, const QString& prefix);
    static void store(const ChartOptions& options, QSettings& settings, const QString& prefix);

Q_SIGNALS:
    /// By the user.
    void changed(bool isAxis);
    void annotationsRequested();
    void panelsChosen(const QString& parameter);

private:
    void retranslate() final;
    void listPanels();

    QAction* m_logX;
    QAction* m_raw;
    QAction* m_ends;
    QAction* m_annotations;
    QMenu* m_panels;
    std::function<ParameterChoices()> m_choices;
    bool m_hasOnlyPanels = false;
};

} // namespace lockstep::ui
