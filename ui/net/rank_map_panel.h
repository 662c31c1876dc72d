// The ranks of a run over the picture of its net: a map of them, a description of the rank pointed at, and above it the
// number of copies, stages and parts, which can be chosen for a grid. GUI thread only.
#pragma once

#include "ui/models/net/rank_map.h"
#include "ui/models/palette.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <array>
#include <string_view>

class QCheckBox;
class QLabel;
class QToolButton;

namespace lockstep::ui {

class RankMapView;

class RankMapPanel : public Translated<QWidget> {
    Q_OBJECT

public:
    enum class Sizes { ReadOnly, Chosen };

    explicit RankMapPanel(QWidget* parent = nullptr);

    /// Only a grid's sizes can be chosen.
    void setMap(const RankMap& map, Sizes sizes);
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] RankMapView& view() { return *m_view; }

Q_SIGNALS:
    /// The user chose this text for this parameter.
    void settingRequested(const QString& parameter, const QString& text);

private:
    /// "Copies − 2 +".
    struct Stepper {
        experiment::Member parameter;
        int plan::GridShape::*size = nullptr;
        QLabel* name = nullptr;
        QToolButton* fewer = nullptr;
        QLabel* value = nullptr;
        QToolButton* more = nullptr;
    };

    void addStepper(Stepper& stepper, class QHBoxLayout& line);
    void step(const Stepper& stepper, int by);
    void retranslate() final;
    void showValues();
    void showWords(int rank);

    std::array<Stepper, 3> m_steppers;
    QLabel* m_total;
    QCheckBox* m_zero;
    RankMapView* m_view;
    QLabel* m_words;
    Sizes m_sizes = Sizes::ReadOnly;
};

} // namespace lockstep::ui
