#include "ui/models/backend_table_model.h"

#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockstep::ui {

namespace {

using Outcome = launch::TriedOperation::Outcome;

class GuideTexts {
    Q_DECLARE_TR_FUNCTIONS(BackendGuide)
};

template <typename Value>
std::size_t placeOf(std::vector<Value>& list, const Value& value)
{
    const auto found = std::find(list.begin(), list.end(), value);
    if (found != list.end()) {
        return static_cast<std::size_t>(found - list.begin());
    }
    list.push_back(value);
    return list.size() - 1;
}

} // namespace

void BackendTableModel::setTried(const std::vector<launch::TriedOperation>& tried)
{
    beginResetModel();
    m_operations.clear();
    m_places.clear();
    m_cells.clear();
    for (const launch::TriedOperation& each : tried) {
        const std::size_t row = placeOf(m_operations, each.operation);
        const std::size_t column = placeOf(m_places, std::pair(each.backend, each.device));
        // Both rank programs try the CPU: a failure of either is shown.
        const auto [cell, isNew] = m_cells.try_emplace({row, column}, each);
        if (!isNew && each.outcome == Outcome::Fails) {
            cell->second = each;
        }
    }
    endResetModel();
}

int BackendTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_operations.size());
}

int BackendTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

const launch::TriedOperation* BackendTableModel::at(int row, int column) const
{
    const auto found = m_cells.find({static_cast<std::size_t>(row), static_cast<std::size_t>(column)});
    return found == m_cells.end() ? nullptr : &found->second;
}

QVariant BackendTableModel::data(const QModelIndex& index, int role) const
{
    const launch::TriedOperation* cell = index.isValid() ? at(index.row(), index.column()) : nullptr;
    if (role == Qt::TextAlignmentRole) {
        return int(Qt::AlignCenter);
    }
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) {
        return cell == nullptr                            ? tr("not tried")
            : cell->outcome == Outcome::Works             ? tr("works")
            : cell->outcome == Outcome::BuiltFromMessages ? tr("from messages")
                                                          : tr("fails");
    }
    if (role == Qt::ToolTipRole && cell != nullptr) {
        return cell->outcome == Outcome::Fails ? tipText(QString::fromStdString(cell->error))
            : cell->outcome == Outcome::BuiltFromMessages
            ? tr("The backend lacks this operation; it is built from point-to-point messages.")
            : tr("Tried just now: the result was right.");
    }
    return {};
}

QVariant BackendTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole) {
        return {};
    }
    if (orientation == Qt::Vertical) {
        return QString::fromStdString(m_operations.at(static_cast<std::size_t>(section)));
    }
    const auto& [backend, device] = m_places.at(static_cast<std::size_t>(section));
    return tr("%1 on %2").arg(QString::fromStdString(backend), QString::fromStdString(device));
}

QString backendGuide()
{
    const std::pair<QString, QString> rows[]{
        {QStringLiteral("shm"),
            GuideTexts::tr("All ranks on one machine. Fastest on the CPU, and with several ranks on one GPU, where it "
                           "uses CUDA IPC. It cannot reach another machine.")},
        {QStringLiteral("gloo"),
            GuideTexts::tr("Ranks on several machines without MPI, or to compare with PyTorch on the CPU. Goes over "
                           "TCP, so it is slower on one machine; arrays of a GPU are staged through host memory.")},
        {QStringLiteral("nccl"),
            GuideTexts::tr("One NVIDIA GPU per rank, on one machine or several: the fastest between GPUs. It supports "
                           "neither several ranks on one GPU nor the CPU.")},
        {QStringLiteral("mpi"),
            GuideTexts::tr("A cluster whose network Open MPI is set up for, or to compare with it. mpirun starts the "
                           "ranks.")},
        {QStringLiteral("hierarchical"),
            GuideTexts::tr("Ranks on several hosts on the CPU: each host reduces in its shared memory, and one rank of "
                           "each goes over Gloo, so the network carries less. On one host it is shm.")},
        {QStringLiteral("auto"),
            GuideTexts::tr("Everything else: takes the fastest of these that works for the run, and says in the log "
                           "which one and why.")}};
    QString html;
    for (const auto& [name, text] : rows) {
        html += QStringLiteral("<p><b>%1</b> · %2</p>").arg(name, text.toHtmlEscaped());
    }
    return html;
}

} // namespace lockstep::ui
