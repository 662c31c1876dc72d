// The line that says how far the clocks of a run's hosts were apart; hidden where all ranks read one. GUI thread only.
#pragma once

#include <QLabel>
#include <QPointer>

namespace lockstep::ui {

class RunFeed;

class ClockNote : public QLabel {
    Q_OBJECT

public:
    explicit ClockNote(QWidget* parent = nullptr);

    void setFeed(RunFeed* feed);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showClocks();

    QPointer<RunFeed> m_feed;
};

} // namespace lockstep::ui
