// Sliders that make a rank or its link slow during the run. They keep their place; without an active run of several
// ranks they are disabled. GUI thread only.
#pragma once

#include "ui/models/feeds/run_feed.h"
#include "ui/widgets/translated.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <array>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;

namespace lockstep::ui {

class StragglerStrip : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit StragglerStrip(QWidget* parent = nullptr);

    /// The active run; null for none. Cheap on every tick.
    void setRun(const RunFeed* feed);
    /// What gets the focus when the slider that has it is switched off.
    void setFocusFallback(QWidget* fallback) { m_focusFallback = fallback; }

Q_SIGNALS:
    /// At most ten times a second while a slider is dragged, and always for its last place.
    void changed(const lockstep::wire::Control& control);

private:
    /// What a slider sets: 0 .. its last step, as a value.
    struct Knob {
        wire::Command command;
        double (*valueAt)(int step);
        int steps;
        QLabel* name = nullptr;
        QSlider* slider = nullptr;
        bool isDue = false;
    };
    using Values = std::array<int, 3>; ///< steps of the three sliders

    void begin(const RunFeed& feed);
    void end();
    void setKnob(std::size_t knob, bool applies);
    void showRank();
    void move(std::size_t knob, int step);
    void tell();
    void retranslate() final;
    [[nodiscard]] QString textOf(std::size_t knob) const;
    [[nodiscard]] std::int32_t rank() const;

    QPointer<const RunFeed> m_feed;
    QWidget* m_focusFallback = nullptr;
    QLabel* m_title;
    QComboBox* m_rank;
    std::array<Knob, 3> m_knobs;
    std::vector<Values> m_values; ///< by rank, as they were set last
    QTimer m_timer;
};

} // namespace lockstep::ui
