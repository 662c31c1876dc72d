// The table of runs, stored and live: which are drawn (tick), and columns of their names, figures and settings. It
// requests changes by signals and never touches the store. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "analysis/table/column.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/runs/shown_runs.h"

#include <QAbstractTableModel>

#include <map>
#include <vector>

namespace lockstep::ui {

class RunsTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Columns that are always there, though a view may hide them. Further ones follow.
    enum Column {
        Name,
        Status,
        Loss,
        BestLoss,
        Accuracy,
        MsPerStep,
        Started,
        Count,
        Experiment,
        Data,
        Changed,
        Tags,
        Note,
        ColumnCount
    };
    /// Sorts numbers as numbers and dates as dates; invalid where there is no value.
    static constexpr int SortRole = Qt::UserRole + 1;
    static constexpr int StatusRole = Qt::UserRole + 2;

    explicit RunsTableModel(QObject* parent = nullptr);

    /// Makes these the runs, newest first; what stays keeps its row's selection.
    void setRecords(std::vector<analysis::RunRecord> records);
    /// One run has changed or is new (new ones come first).
    void upsert(const analysis::RunRecord& record);
    void removeRun(const RunId& id);
    /// Whether runs that were changed by hand count as repeats.
    void setInterfered(analysis::Interfered which);
    [[nodiscard]] analysis::Interfered interfered() const { return m_interfered; }
    /// Its ticks and colours are these from now on, and none once these are destroyed.
    void follow(const ShownRuns& shown);
    /// What it follows.
    [[nodiscard]] const ShownRuns& shown() const { return *m_shown; }

    /// The column that shows this, added at the end if it is not there.
    int ensureColumn(const analysis::Column& column);
    /// nullptr for Count, which is of the table, not of a run.
    [[nodiscard]] const analysis::Column* columnAt(int column) const;
    /// Figures show their difference to this run's, too; empty: to none.
    void setBaseline(const RunId& id);
    [[nodiscard]] const RunId& baseline() const { return m_baseline; }

    [[nodiscard]] const analysis::RunRecord* record(const RunId& id) const;
    [[nodiscard]] RunId idAt(int row) const;
    [[nodiscard]] int rowOf(const RunId& id) const;
    [[nodiscard]] const std::vector<analysis::RunRecord>& records() const { return m_records; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    /// The user's tags, note and pin of a run, here and by markRequested in the store.
    void setMarks(const RunId& id, const analysis::RunMarks& marks);
    /// Headers and statuses in the new language.
    void retranslate();

Q_SIGNALS:
    /// A run came, went, or has another status or name: what a list of runs shows. Figures change without it.
    void listed();
    void showRequested(const lockstep::RunId& id);
    void hideRequested(const lockstep::RunId& id);
    void renameRequested(const lockstep::RunId& id, const QString& label);
    void markRequested(const lockstep::RunId& id, const lockstep::analysis::RunMarks& marks);

private:
    [[nodiscard]] QString cellText(const analysis::RunRecord& record, int column) const;

    std::vector<analysis::RunRecord> m_records;
    ShownRuns m_none;
    const ShownRuns* m_shown = &m_none;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
    std::map<RunId, int> m_counts; ///< seeds of finished runs with the same settings otherwise
    std::vector<const analysis::Column*> m_columns; ///< by column
    RunId m_baseline;
};

/// Adds `paper, draft` to the tags that the run has.
void addTags(RunsTableModel& table, const RunId& id, const QString& tags);
/// How many runs are shown, of how many variants, and what of them does not count.
[[nodiscard]] QString shownCount(const RunsTableModel& table);
/// Requests to hide all that are shown but these.
void hideAllBut(RunsTableModel& table, const std::vector<RunId>& ids);

} // namespace lockstep::ui
