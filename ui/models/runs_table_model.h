// The table of runs, stored and live: which are drawn (tick), name, status, losses, accuracy, speed, start, n. It
// requests changes by signals and never touches the store. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QAbstractTableModel>
#include <QColor>

#include <map>
#include <vector>

namespace lockstep::ui {

/// In the window's language.
[[nodiscard]] QString statusText(analysis::RunStatus status);
/// The user's label, else the variant's name, with "#2" for the second repeat.
[[nodiscard]] QString runName(const analysis::RunRecord& record);

class RunsTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Status, Loss, BestLoss, Accuracy, MsPerStep, Started, Count, ColumnCount };
    /// Sorts numbers as numbers and dates as dates.
    static constexpr int SortRole = Qt::UserRole + 1;
    static constexpr int StatusRole = Qt::UserRole + 2;

    explicit RunsTableModel(QObject* parent = nullptr);

    /// Replaces the stored runs; ticks and colours stay with their runs.
    void setRecords(std::vector<analysis::RunRecord> records);
    /// One run has changed or is new (new ones come first).
    void upsert(const analysis::RunRecord& record);
    void removeRun(const RunId& id);
    /// Whether runs that were changed by hand count as repeats.
    void setInterfered(analysis::Interfered which);
    void setShown(const RunId& id, const QColor& color);
    void setHidden(const RunId& id);

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
    /// Headers and statuses in the new language.
    void retranslate();

Q_SIGNALS:
    void showRequested(const lockstep::RunId& id);
    void hideRequested(const lockstep::RunId& id);
    void renameRequested(const lockstep::RunId& id, const QString& label);

private:
    [[nodiscard]] QString cellText(const analysis::RunRecord& record, int column) const;
    [[nodiscard]] QVariant sortValue(const analysis::RunRecord& record, int column) const;
    [[nodiscard]] bool isCounted(const analysis::RunRecord& record) const;
    void countRepeats();

    std::vector<analysis::RunRecord> m_records;
    std::map<RunId, QColor> m_shown;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
    std::map<RunId, int> m_counts; ///< seeds of finished runs with the same settings otherwise
};

} // namespace lockstep::ui
