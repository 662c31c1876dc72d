// The view of a table of runs or of groups: how it looks, and which columns are shown, in which order and how wide.
// GUI thread only.
#pragma once

#include "analysis/table/column.h"
#include "base/ids.h"

#include <QTableView>

#include <vector>

namespace lockstep::ui {

class RunsFilter;
class RunsTableModel;

/// Quiet and dense, as both tables look.
void styleRunsTable(QTableView& view);
/// Again after the palette has changed.
void styleRunsHeader(QTableView& view);

class RunsView : public QTableView {
    Q_OBJECT

public:
    /// Both outlive the view.
    RunsView(RunsTableModel& model, RunsFilter& filter, QWidget* parent);

    [[nodiscard]] std::vector<RunId> selectedIds() const;
    /// The model's columns as they are seen, from left to right.
    [[nodiscard]] std::vector<int> shownColumns() const;
    void showColumn(int column, bool isShown);
    /// Columns, order, widths and sorting as JSON; by name, so that it fits a later version's columns.
    [[nodiscard]] QByteArray layoutState() const;
    /// What cannot be read leaves the view as it is.
    void restoreLayout(const QByteArray& state);

Q_SIGNALS:
    /// From the header's menu.
    void groupByRequested(const lockstep::analysis::Column* column);
    void columnsRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void sizeColumns();
    void openHeaderMenu(const QPoint& at);
    [[nodiscard]] QString nameOf(int column) const;

    RunsTableModel& m_model;
    RunsFilter& m_filter;
};

} // namespace lockstep::ui
