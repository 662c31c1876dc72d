// The row of controls above a chart, as its kind has them: what it shows and against what, smoothing, scales, the view
// menu, a note, and data, copy and export. Knows neither the chart's model nor the settings. GUI thread only.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace lockstep::ui {

class ChartViewMenu;
class ElidedLabel;
class ParameterPicker;

class ChartControls : public QWidget {
    Q_OBJECT

public:
    ChartControls(const ChartKind& kind, QWidget* parent);

    /// Emits nothing.
    void showOptions(const ChartOptions& options);
    void readInto(ChartOptions& options) const;
    /// Lists the values of kinds that have choices; a chosen one that is not among them shows the first.
    void showChoices(const std::vector<ChartChoice>& choices, int chosen);
    /// Of kinds that are drawn against parameters.
    void showParameters(const ParameterChoices& choices);
    /// As ChartViewMenu's.
    void offerPanels(std::function<ParameterChoices()> choices);
    void showNote(const QString& note);

Q_SIGNALS:
    /// By the user. `isAxis`: what was zoomed is another range now.
    void changed(bool isAxis);
    void parametersChosen(const QString& first, const QString& second);
    void panelsChosen(const QString& parameter);
    void annotationsRequested();
    void tableRequested();
    void copyRequested();
    void exportRequested();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void connectControls();
    void setTexts();
    void fit();

    const ChartKind& m_kind;
    QLabel* m_choiceLabel = nullptr; ///< this one and the next only where the kind has choices
    QComboBox* m_choice = nullptr;
    ParameterPicker* m_parameters = nullptr; ///< only for charts against parameters
    QLabel* m_xLabel;
    QComboBox* m_xAxis;
    QLabel* m_smoothingLabel;
    QSlider* m_smoothing;
    QLabel* m_smoothingValue;
    QCheckBox* m_logY;
    QCheckBox* m_seeds;
    ChartViewMenu* m_more; ///< of charts over time
    ElidedLabel* m_note;
    QToolButton* m_table;
    QToolButton* m_copy;
    QToolButton* m_save;
    QHBoxLayout* m_line;
};

} // namespace lockstep::ui
