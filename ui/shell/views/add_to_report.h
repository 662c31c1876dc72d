// The button that puts what is shown into the report. GUI thread only.
#pragma once

#include <QToolButton>

namespace lockstep::ui {

class ReportPage;
class RunController;
class RunTabs;

class AddToReport : public QToolButton {
    Q_OBJECT

public:
    /// All of them outlive the button.
    AddToReport(RunTabs& tabs, RunController& controller, ReportPage& report);

protected:
    void changeEvent(QEvent* event) override;

private:
    void add();
    void showView();

    RunTabs& m_tabs;
    RunController& m_controller;
    ReportPage& m_report;
};

} // namespace lockstep::ui
