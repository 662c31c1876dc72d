// The ring as a page: which run and step, play and pause, one message at a time, how fast. GUI thread only.
#pragma once

#include "ui/export/render.h"
#include "ui/models/palette.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace lockstep::ui {

class ClockNote;
class RingView;
class RunFeed;
class RunPicker;

class RingPanel : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit RingPanel(QWidget* parent = nullptr);

    /// In drawing order; keeps those that are ring runs. False if there is none.
    bool setFeeds(const std::vector<RunFeed*>& feeds);
    void setTheme(const ChartTheme& theme);
    [[nodiscard]] RingView& view() { return *m_view; }
    /// The ring at the moment that is on screen; nothing where no messages were recorded.
    [[nodiscard]] std::optional<Drawing> drawing() const;

private:
    void layOut();
    void showPlayer();
    void showSpeed();
    void retranslate() final;

    RunPicker* m_picker;
    QLabel* m_stepLabel;
    QComboBox* m_step;
    QToolButton* m_live;
    QLabel* m_note;
    ClockNote* m_clocks;
    RingView* m_view;
    QToolButton* m_play;
    QToolButton* m_one;
    QLabel* m_speedLabel;
    QSlider* m_speed;
    QLabel* m_speedValue;
};

} // namespace lockstep::ui
