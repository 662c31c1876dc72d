// The list of runs on the left: by experiment, by the batch in which they were started together, by variant. A click on
// an experiment or a batch opens its runs, a tick adds or removes runs. GUI thread only.
#pragma once

#include "ui/models/look.h"
#include "ui/models/runs/run_tree.h"
#include "ui/widgets/translated.h"

#include <QDate>
#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockstep::ui {

class RunList : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit RunList(QWidget* parent = nullptr);

    /// The experiment in the form (FormContents::key()): its runs are opened.
    void setChosen(const std::string& key);
    /// The stored runs, and the colours of those that are shown. Cheap if nothing has changed.
    void setRuns(const std::vector<analysis::RunRecord>& records, const std::map<RunId, Look>& shown);

Q_SIGNALS:
    /// Of one batch, that of an experiment that is opened its newest; others stay only if they are kept.
    void openRequested(const std::vector<lockstep::RunId>& runs);
    /// From the context menu, which also has the widget's actions: all other runs are to be hidden.
    void onlyRequested(const std::vector<lockstep::RunId>& runs);
    void shownRequested(const std::vector<lockstep::RunId>& runs, bool isShown);
    /// From the context menu.
    void replayRequested(const std::vector<lockstep::RunId>& runs);

private:
    void activate(QTreeWidgetItem* item);
    void tick(QTreeWidgetItem* item);
    void openContextMenu(const QPoint& at);
    /// Leaves the batches alone that are as they were in `former`; null: there was none.
    void fill(QTreeWidgetItem& item, const RunTreeExperiment& experiment, const RunTreeExperiment* former);
    void fillBatch(QTreeWidgetItem& item, const RunTreeBatch& batch);
    void showTicks();
    void showTick(QTreeWidgetItem& item) const;
    void retranslate() final;
    void changeEvent(QEvent* event) final;

    QLabel* m_heading;
    QTreeWidget* m_list;
    std::vector<RunTreeExperiment> m_tree;
    QDate m_filledOn; ///< `today` and `yesterday` are of that day
    std::map<RunId, Look> m_shown;
    std::string m_chosen;
    bool m_hasTicked = false; ///< the click that follows is on a box
};

} // namespace lockstep::ui
