// The line that says how far the clocks of a run's hosts were apart; hidden where all ranks read one. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QLabel>
#include <QPointer>

namespace lockstep::ui {

class RunFeed;

class ClockNote : public Translated<QLabel> {
    Q_OBJECT

public:
    explicit ClockNote(QWidget* parent = nullptr);

    void setFeed(RunFeed* feed);

private:
    void retranslate() final { showClocks(); }
    void showClocks();

    QPointer<RunFeed> m_feed;
};

} // namespace lockstep::ui
