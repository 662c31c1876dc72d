// Groups of the runs that the table shows: a row a group, with n, each figure's mean and 95 % interval, its difference
// to a baseline's group, and what else differs within the group. GUI thread only.
#pragma once

#include "analysis/table/grouping.h"
#include "ui/models/runs/runs_filter.h"

#include <QAbstractTableModel>

#include <vector>

namespace lockstep::ui {

class RunGroupsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int SortRole = RunsTableModel::SortRole;

    /// Both outlive the model.
    RunGroupsModel(RunsTableModel& table, const RunsFilter& filter, QObject* parent = nullptr);

    /// By no column: runs that differ at most in their seeds are a group.
    void setBy(std::vector<const analysis::Column*> by);
    [[nodiscard]] const std::vector<const analysis::Column*>& by() const { return m_by; }
    void setFigures(std::vector<const analysis::Column*> figures);
    [[nodiscard]] const std::vector<const analysis::Column*>& figures() const { return m_figures; }
    /// Forms the groups again, of the runs that the filter leaves now.
    void update();
    /// Before the table's records move: no groups until update().
    void clear();
    [[nodiscard]] const std::vector<analysis::RowGroup>& groups() const { return m_groups; }
    /// That of the table's baseline run; null if there is none.
    [[nodiscard]] const analysis::RowGroup* baselineGroup() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Ticks or unticks all runs of the group that count.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    enum class Part { Key, N, Figure, Difference, Mixed };
    struct Place {
        Part part = Part::Key;
        std::size_t number = 0; ///< of the key's columns, or of the figures
        bool operator==(const Place&) const = default;
    };

    void placeColumns();
    [[nodiscard]] QString cellText(const analysis::RowGroup& group, const Place& place) const;
    [[nodiscard]] QVariant sortValue(const analysis::RowGroup& group, const Place& place) const;
    [[nodiscard]] QVariant checkState(const analysis::RowGroup& group) const;
    [[nodiscard]] QString title(const Place& place) const;
    [[nodiscard]] QString headerHelp(const Place& place) const;

    RunsTableModel& m_table;
    const RunsFilter& m_filter;
    std::vector<const analysis::Column*> m_by;
    std::vector<const analysis::Column*> m_figures;
    std::vector<analysis::RowGroup> m_groups; ///< borrow the table's records: formed again when these change
    std::vector<Place> m_places; ///< by column
};

} // namespace lockstep::ui
