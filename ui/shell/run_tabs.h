// The tabs about the shown runs: each kind of chart that says something about them, net, timeline, ring, findings,
// report. They update from form and controller. GUI thread only.
#pragma once

#include "ui/models/charts/chart_model.h"

#include <QTabWidget>

#include <memory>
#include <vector>

namespace lockstep::ui {

class ChartPanel;
class FindingsPage;
class FormModel;
class NetPanel;
class ReportPage;
class RingPanel;
class RunController;
class TimelinePanel;

class RunTabs : public QTabWidget {
    Q_OBJECT

public:
    /// Form and controller outlive the tabs.
    RunTabs(FormModel& form, RunController& controller, QWidget* parent);
    ~RunTabs() override;

    [[nodiscard]] NetPanel& net() { return *m_net; }
    [[nodiscard]] TimelinePanel& timeline() { return *m_timeline; }
    [[nodiscard]] RingPanel& ring() { return *m_ring; }
    [[nodiscard]] static int tabOf(const ChartKind& kind);
    [[nodiscard]] QString titleOf(int tab) const;

    /// Shows the tabs that say something about the runs, hides the others.
    void chooseTabs();
    /// Whether runs that were changed by hand while they went on count in charts and findings.
    void setInterfered(Interfered which);
    /// No-op if the tab is hidden.
    void showTab(int tab);
    /// From the form's net, which shows no run, to the first chart.
    void leaveNet();
    /// The visible chart or timeline, else the first chart.
    void exportCurrent();

Q_SIGNALS:
    void tabShown(int tab, bool isShown);
    /// An export dialog has written a file.
    void exported(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showFeeds();
    void showTick();
    void showFindings();
    void showReport();
    void toggleRun(const QString& seriesKey);
    void applyTheme();
    void retranslate();
    [[nodiscard]] std::vector<bool> chartsThatApply() const;

    RunController& m_controller;
    std::vector<std::unique_ptr<ChartModel>> m_models;
    std::vector<ChartPanel*> m_panels;
    NetPanel* m_net;
    TimelinePanel* m_timeline;
    RingPanel* m_ring;
    FindingsPage* m_findings;
    ReportPage* m_report;
    std::vector<bool> m_chosenCharts;
};

} // namespace lockstep::ui
