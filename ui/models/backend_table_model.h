// What each backend can do on each device of this machine, as ranks tried it: operations down, backends across.
#pragma once

#include "launch/machine/doctor_report.h"

#include <QAbstractTableModel>

#include <map>
#include <vector>

namespace lockstep::ui {

class BackendTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTried(const std::vector<launch::TriedOperation>& tried);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const launch::TriedOperation* at(int row, int column) const;

    std::vector<std::string> m_operations;
    std::vector<std::pair<std::string, std::string>> m_places; ///< backend and device
    std::map<std::pair<std::size_t, std::size_t>, launch::TriedOperation> m_cells;
};

/// What a backend is for and when to choose it, as a paragraph of HTML for each.
[[nodiscard]] QString backendGuide();

} // namespace lockstep::ui
