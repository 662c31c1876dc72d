// The rows of the table of runs that a filter leaves (analysis/table/filter.h), in the order of a column: pinned runs
// first, runs without a value last. GUI thread only.
#pragma once

#include "analysis/table/filter.h"
#include "ui/models/runs/runs_table_model.h"

#include <QSortFilterProxyModel>

#include <map>
#include <string>
#include <vector>

namespace lockstep::ui {

class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    /// The model outlives the filter.
    explicit RunsFilter(RunsTableModel& model, QObject* parent = nullptr);

    /// A text that cannot be read leaves the rows as they are: problem() says why, and problemChanged is emitted.
    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }
    /// One line in the window's language; empty if the text could be read.
    [[nodiscard]] const QString& problem() const { return m_problem; }

    [[nodiscard]] RunId idAt(int row) const;
    /// The runs that are left, in the order shown. Valid until the model changes.
    [[nodiscard]] std::vector<const analysis::RunRecord*> runs() const;

Q_SIGNALS:
    void problemChanged(const QString& problem);

protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    [[nodiscard]] std::string textOf(int sourceRow) const;

    RunsTableModel& m_model;
    analysis::Filter m_filter;
    mutable std::map<RunId, std::string> m_texts; ///< where a text alone is looked for; forgotten when runs change
    QString m_text;
    QString m_problem;
};

} // namespace lockstep::ui
