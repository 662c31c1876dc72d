// What can be done with the selected runs of the table, as actions: of the context menu, of the page's menu, by key.
// They do it by requests of the model and by signals. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QAction>
#include <QObject>

#include <vector>

class QMenu;
class QWidget;

namespace lockstep::ui {

class RunsTableModel;

class RunsActions : public QObject {
    Q_OBJECT

public:
    /// The model outlives the actions.
    RunsActions(RunsTableModel& model, QWidget& page);

    /// The runs that actions would change, and how many rows of the table they are: a group's runs are one.
    void setSelection(const std::vector<RunId>& ids, int rows);
    /// Of the selected runs.
    void fillContextMenu(QMenu& menu) const;
    /// Of the table.
    void fillPageMenu(QMenu& menu) const;
    void retranslate();

    QAction* const resume;
    QAction* const rename;
    QAction* const remove;
    QAction* const show; ///< in the charts, beside what they show
    QAction* const showOnly;
    QAction* const replay;
    QAction* const hideAll;
    QAction* const keep; ///< what is shown, beside the runs of the next experiment
    QAction* const unpin;
    QAction* const pin; ///< checkable
    QAction* const tag;
    QAction* const baseline; ///< checkable
    QAction* const differences;
    QAction* const useSettings; ///< of one run
    QAction* const pytorch; ///< of one run
    QAction* const exportCsv;
    QAction* const exportLatex;
    QAction* const bundle;
    QAction* const cleanUp;

Q_SIGNALS:
    /// Whether what is shown stays when a new experiment begins or another one is opened.
    void keepRequested(bool isOn);
    void replayRequested(const std::vector<lockstep::RunId>& ids);
    void resumeRequested(const std::vector<lockstep::RunId>& ids);
    /// As an experiment in the form.
    void settingsRequested(const lockstep::experiment::RunSpec& run);
    void pytorchRequested(const lockstep::RunId& id);
    void deleteRequested(const lockstep::RunId& id);
    void detailsRequested(const lockstep::RunId& id);
    void bundleRequested(const std::vector<lockstep::RunId>& ids);

private:
    void connectCharts();
    void connectMarks();
    void connectRest();
    void askForTag();
    void showDifferencesText();
    void requestDeletion(const std::vector<RunId>& ids);
    [[nodiscard]] std::vector<const analysis::RunRecord*> selected() const;

    RunsTableModel& m_model;
    QWidget& m_page;
    std::vector<RunId> m_selected;
};

} // namespace lockstep::ui
