#include "ui/models/runs/run_groups_model.h"

#include "ui/models/form/form_model.h"
#include "ui/models/form/titles.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using analysis::RowGroup;
using analysis::RunRecord;

RunGroupsModel::RunGroupsModel(RunsTableModel& table, const RunsFilter& filter, QObject* parent)
    : QAbstractTableModel(parent)
    , m_table(table)
    , m_filter(filter)
{
    for (const char* name : {"loss", "accuracy", "ms_per_step_typical"}) {
        m_figures.push_back(analysis::findColumn(name));
    }
    placeColumns();
}

void RunGroupsModel::setBy(std::vector<const analysis::Column*> by)
{
    m_by = std::move(by);
    update();
}

void RunGroupsModel::setFigures(std::vector<const analysis::Column*> figures)
{
    m_figures = std::move(figures);
    update();
}

void RunGroupsModel::update()
{
    std::vector<RowGroup> groups = analysis::groupRuns(m_filter.runs(), m_by, m_table.interfered());
    const bool areSameRows = !groups.empty()
        && std::ranges::equal(
            groups, m_groups, [](const RowGroup& a, const RowGroup& b) { return a.key == b.key && a.name == b.name; });
    const std::vector<Place> before = m_places;
    if (areSameRows) {
        m_groups = std::move(groups);
        placeColumns();
        if (m_places == before) { // selection and scroll position stay
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
    } else {
        beginResetModel();
        m_groups = std::move(groups);
        placeColumns();
    }
    endResetModel();
}

void RunGroupsModel::clear()
{
    if (!m_groups.empty()) {
        beginResetModel();
        m_groups.clear();
        placeColumns();
        endResetModel();
    }
}

void RunGroupsModel::placeColumns()
{
    m_places.clear();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, m_by.size()); ++i) {
        m_places.push_back({Part::Key, i});
    }
    m_places.push_back({Part::N, 0});
    const bool hasBaseline = baselineGroup() != nullptr;
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        m_places.push_back({Part::Figure, i});
        if (hasBaseline) {
            m_places.push_back({Part::Difference, i});
        }
    }
    m_places.push_back({Part::Mixed, 0});
}

const RowGroup* RunGroupsModel::baselineGroup() const
{
    const RunId& id = m_table.baseline();
    const auto found = std::ranges::find_if(m_groups, [&id](const RowGroup& group) {
        return std::ranges::any_of(group.runs, [&id](const RunRecord* run) { return run->id == id; });
    });
    return found == m_groups.end() ? nullptr : &*found;
}

int RunGroupsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int RunGroupsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

QVariant RunGroupsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const RowGroup& group = m_groups[static_cast<std::size_t>(index.row())];
    const Place& place = m_places[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(group, place);
    case Qt::CheckStateRole:
        return index.column() == 0 ? checkState(group) : QVariant();
    case Qt::DecorationRole: {
        const bool isFirst = index.column() == 0 && !group.counted.empty();
        const auto look = isFirst ? m_table.shown().lookOf(group.counted.front()->id) : std::nullopt;
        return look ? QVariant(swatchIcon(*look)) : QVariant();
    }
    case Qt::TextAlignmentRole: {
        const bool isText = place.part == Part::Key || place.part == Part::Mixed;
        return QVariant::fromValue(Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case Qt::ToolTipRole:
        return tipText(place.part == Part::N
                ? tr("%1 of %n runs count: finished ones, each seed once, none changed by hand.", nullptr,
                    static_cast<int>(group.runs.size()))
                      .arg(group.counted.size())
                : place.part == Part::Mixed && !group.mixed.empty()
                ? tr("These settings differ within the group, so its intervals reflect more than chance: %1")
                      .arg(cellText(group, place))
                : cellText(group, place));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(title(place), cellText(group, place));
    case SortRole:
        return sortValue(group, place);
    default:
        return {};
    }
}

QString RunGroupsModel::cellText(const RowGroup& group, const Place& place) const
{
    switch (place.part) {
    case Part::Key:
        return m_by.empty() ? variantTitle(*group.runs.front())
                            : columnText(*m_by[place.number], group.key[place.number]);
    case Part::N:
        return QString::number(group.counted.size());
    case Part::Figure:
        return groupedText(*m_figures[place.number], estimateOf(group, *m_figures[place.number]));
    case Part::Difference: {
        const RowGroup* baseline = baselineGroup();
        return baseline == nullptr || baseline == &group
            ? QString()
            : differenceShown(differenceTo(*baseline, group, *m_figures[place.number]));
    }
    case Part::Mixed: {
        QStringList labels;
        for (const experiment::Parameter* parameter : group.mixed) {
            labels += translatedLabel(*parameter);
        }
        return labels.join(QStringLiteral(", "));
    }
    }
    return {};
}

QVariant RunGroupsModel::sortValue(const RowGroup& group, const Place& place) const
{
    double number = analysis::NotMeasured;
    switch (place.part) {
    case Part::Key:
        if (!m_by.empty() && m_by[place.number]->isNumber()) {
            number = analysis::numberOf(group.key[place.number]);
            break;
        }
        return cellText(group, place).toLower();
    case Part::N:
        number = static_cast<double>(group.counted.size());
        break;
    case Part::Figure:
        number = estimateOf(group, *m_figures[place.number]).mean;
        break;
    case Part::Difference:
        if (const RowGroup* baseline = baselineGroup(); baseline != nullptr) {
            number = differenceTo(*baseline, group, *m_figures[place.number]).difference;
        }
        break;
    case Part::Mixed:
        return cellText(group, place);
    }
    return std::isnan(number) ? QVariant() : QVariant(number);
}

QVariant RunGroupsModel::checkState(const RowGroup& group) const
{
    const auto isShown = [this](const RunRecord* run) { return m_table.shown().contains(run->id); };
    const bool isAny = std::ranges::any_of(group.runs, isShown);
    const bool isAll = !group.counted.empty() && std::ranges::all_of(group.counted, isShown);
    return isAll ? Qt::Checked : isAny ? Qt::PartiallyChecked : Qt::Unchecked;
}

QString RunGroupsModel::title(const Place& place) const
{
    switch (place.part) {
    case Part::Key:
        return m_by.empty() ? columnTitle(*analysis::findColumn("variant")) : columnTitle(*m_by[place.number]);
    case Part::N:
        return QStringLiteral("n");
    case Part::Figure:
        return columnTitle(*m_figures[place.number]);
    case Part::Difference:
        return QStringLiteral("Δ ") + columnLabel(*m_figures[place.number]);
    case Part::Mixed:
        return tr("Also differs");
    }
    return {};
}

QString RunGroupsModel::headerHelp(const Place& place) const
{
    switch (place.part) {
    case Part::Key:
        return m_by.empty() ? tr("Runs that differ at most in their seeds.") : columnHelp(*m_by[place.number]);
    case Part::N:
        return tr("Number of runs that the figures are based on.");
    case Part::Figure:
        return tr("Mean with its 95 % confidence interval. %1").arg(columnHelp(*m_figures[place.number]));
    case Part::Difference:
        return tr("Difference from the baseline with its 95 % confidence interval; paired by seed where the runs "
                  "have the same seeds.");
    case Part::Mixed:
        return tr("Settings that differ between the runs of a group.");
    }
    return {};
}

QVariant RunGroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const Place& place = m_places[static_cast<std::size_t>(section)];
    const bool isText = place.part == Part::Key || place.part == Part::Mixed;
    switch (role) {
    case Qt::DisplayRole:
        return title(place);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tipText(headerHelp(place));
    default:
        return {};
    }
}

Qt::ItemFlags RunGroupsModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == 0 ? flags | Qt::ItemIsUserCheckable : flags;
}

bool RunGroupsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != 0 || role != Qt::CheckStateRole) {
        return false;
    }
    const RowGroup& group = m_groups[static_cast<std::size_t>(index.row())];
    const bool isWanted = value.toInt() == Qt::Checked;
    // Ids first: what the table does with them may form the groups again.
    std::vector<RunId> ids;
    for (const RunRecord* run : isWanted ? group.counted : group.runs) {
        ids.push_back(run->id);
    }
    for (const RunId& id : ids) {
        if (isWanted != m_table.shown().contains(id)) {
            isWanted ? Q_EMIT m_table.showRequested(id) : Q_EMIT m_table.hideRequested(id);
        }
    }
    return true;
}

} // namespace lockstep::ui
