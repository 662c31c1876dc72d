// The two lists of a chart against parameters: which is on the horizontal axis, which makes its lines or rows.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace lockstep::ui {

class ParameterPicker : public QWidget {
    Q_OBJECT

public:
    /// `secondLabel` is a text of the context ChartModel.
    explicit ParameterPicker(const char* secondLabel, QWidget* parent = nullptr);

    /// Lists what the runs differ in and shows what is drawn.
    void showChoices(const ParameterChoices& choices);
    void setTexts();
    [[nodiscard]] const ParameterChoices& choices() const { return m_choices; }

Q_SIGNALS:
    /// The user chose; names of parameters, never twice the same.
    void chosen(const QString& first, const QString& second);

private:
    void choose(bool isFirst);

    const char* m_secondText;
    QLabel* m_firstLabel;
    QComboBox* m_first;
    QLabel* m_secondLabel;
    QComboBox* m_second;
    ParameterChoices m_choices;
};

} // namespace lockstep::ui
