// The table of runs: filter, columns, groups, differences to a baseline, export, and the strip that offers undo after a
// deletion. Runs are ticked here into the charts. GUI thread only.
#pragma once

#include "base/ids.h"
#include "ui/models/runs/run_groups_model.h"
#include "ui/models/runs/runs_filter.h"
#include "ui/pages/runs/runs_export.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QTimer;
class QToolButton;

namespace lockstep::ui {

class ColumnPicker;
class MessageStrip;
class RunsActions;
class RunsView;

class RunsPage : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the page.
    explicit RunsPage(RunsTableModel& model, QWidget* parent = nullptr);

    void focusFilter();
    void offerUndo(const RunId& id, const QString& name);
    /// Which columns are shown, and how.
    [[nodiscard]] QByteArray headerState() const;
    void restoreHeaderState(const QByteArray& state);

    /// What is asked of the selected runs comes as signals of these.
    [[nodiscard]] RunsActions& actions() const { return *m_actions; }
    [[nodiscard]] RunsFilter& filter() { return m_filter; }
    [[nodiscard]] RunGroupsModel& groups() { return m_groups; }
    /// A row a group instead of a row a run.
    [[nodiscard]] bool isGrouped() const { return m_isGrouped; }
    /// By the columns; by none: runs that differ at most in their seeds.
    void groupBy(const std::vector<const analysis::Column*>& by);
    void ungroup();
    /// What the table shows now; of runs the selected ones if there are several.
    [[nodiscard]] std::string exportedText(RunsFileFormat format) const;

Q_SIGNALS:
    void restoreRequested(const lockstep::RunId& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeHeader();
    void makeTables();
    void connectActions();
    void openGroupMenu();
    void openColumns();
    void toggleColumn(const analysis::Column* column, bool isOn);
    void toggleGroupColumn(const analysis::Column* column, bool isOn);
    void openContextMenu(QTableView& view, const QPoint& at);
    void updateAll();
    void showStatus();
    void retranslate();
    [[nodiscard]] std::vector<RunId> selectedIds() const;
    [[nodiscard]] int selectedRows() const;

    RunsTableModel& m_model;
    RunsFilter m_filter;
    RunGroupsModel m_groups;
    RunsActions* m_actions;
    QSortFilterProxyModel* m_sortedGroups;
    QLabel* m_heading;
    QLineEdit* m_search;
    QToolButton* m_groupButton;
    QToolButton* m_columnsButton;
    QToolButton* m_moreButton;
    QStackedWidget* m_stack;
    RunsView* m_table;
    QTableView* m_groupTable;
    MessageStrip* m_strip;
    QLabel* m_status;
    ColumnPicker* m_columnPicker;
    ColumnPicker* m_groupPicker;
    QTimer* m_update; ///< one update for many changes
    bool m_isGrouped = false;
    std::vector<RunId> m_deleted; ///< what Undo brings back
};

} // namespace lockstep::ui
