// The pages about the shown runs: Learning, Time, System, Findings and Report, with each kind of chart that says
// something about the runs, and net, timeline and ring. They update from form and controller. GUI thread only.
#pragma once

#include "ui/export/export_dialog.h"
#include "ui/models/charts/chart_model.h"
#include "ui/shell/views/opening_view.h"
#include "ui/widgets/paged_views.h"

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

class RunTabs : public PagedViews {
    Q_OBJECT

public:
    /// Form and controller outlive the tabs.
    RunTabs(FormModel& form, RunController& controller, QWidget* parent);
    ~RunTabs() override;

    [[nodiscard]] NetPanel& net() { return *m_net; }
    [[nodiscard]] TimelinePanel& timeline() { return *m_timeline; }
    [[nodiscard]] RingPanel& ring() { return *m_ring; }
    [[nodiscard]] static int viewOf(const ChartKind& kind);
    [[nodiscard]] QString titleOf(int view) const;
    [[nodiscard]] static QString titleOf(Page page);
    /// As settings keep it: a chart's id, or net, timeline, ring, findings.
    [[nodiscard]] QString nameOf(int view) const { return widget(view)->objectName(); }

    /// Offers the views that say something about the runs.
    void chooseViews();
    /// Of each kind whether it applies to the runs that are shown.
    [[nodiscard]] std::vector<bool> chartsThatApply() const;
    [[nodiscard]] OpeningView& opening() { return m_opening; }
    void openReport();
    /// Whether runs that were changed by hand while they went on count in charts and findings.
    void setInterfered(Interfered which);
    /// Shows or hides the runs of a chart's series.
    void toggleRun(const QString& seriesKey);
    /// Ends all zooms and pans by hand.
    void showWhole();
    /// Whether Findings and Report are offered: a laboratory hides them until its questions are answered.
    void setFindingsOffered(bool areOffered); // NOLINT: a property, not a mode
    /// Opens the export dialog with what the visible tab shows; false: it shows nothing yet.
    bool exportCurrent();
    /// Puts it on the clipboard.
    bool copyCurrent();

Q_SIGNALS:
    void viewOffered(int view, bool isOffered);
    /// An export dialog has written a file.
    void exported(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showFeeds();
    void showTick();
    void showFindings();
    void showReport();
    void showCaption();
    void applyTheme();
    void retranslate();
    FormModel& m_form;
    RunController& m_controller;
    std::vector<std::unique_ptr<ChartModel>> m_models;
    std::vector<ChartPanel*> m_panels;
    NetPanel* m_net;
    TimelinePanel* m_timeline;
    RingPanel* m_ring;
    FindingsPage* m_findings;
    ReportPage* m_report;
    OpeningView m_opening;
    RunMix m_mix{{}};
    std::vector<bool> m_chosenCharts;
    bool m_areFindingsOffered = true;
    bool m_wasReading = false; ///< some of the runs, when they were shown
};

} // namespace lockstep::ui
