// The second chart beside the one of the current page: it follows the shown runs while it is on. GUI thread only.
#pragma once

#include "ui/models/runs/shown_groups.h"

#include <QObject>

namespace lockstep::ui {

class RunController;
class RunTabs;
class SecondChart;

class TwoCharts : public QObject {
    Q_OBJECT

public:
    /// Tabs and controller outlive this.
    TwoCharts(RunTabs& tabs, RunController& controller, QObject* parent);

    void setOn(bool isOn);
    void setInterfered(Interfered which);
    [[nodiscard]] SecondChart& second() { return *m_second; }

Q_SIGNALS:
    /// By its own button.
    void closeRequested();

private:
    void update();

    RunTabs& m_tabs;
    RunController& m_controller;
    SecondChart* m_second;
    bool m_isOn = false;
};

} // namespace lockstep::ui
