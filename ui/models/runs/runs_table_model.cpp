#include "ui/models/runs/runs_table_model.h"

#include "analysis/table/run_table.h"
#include "language/wording.h"
#include "ui/models/number_text.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::ui {

using analysis::RunRecord;
using analysis::RunStatus;

namespace {

bool isEditable(const analysis::Column* column)
{
    using analysis::Attribute;
    return column != nullptr
        && (column->attribute == Attribute::Name || column->attribute == Attribute::Tags
            || column->attribute == Attribute::Note);
}

std::vector<std::string> tagsIn(QString text)
{
    return analysis::tagsFromText(text.replace(u'，', u',').replace(u'、', u',').toStdString()); // of Chinese keyboards
}

Qt::Alignment alignmentOf(const analysis::Column* column)
{
    if (column == nullptr || column->isNumber()) {
        return Qt::AlignRight | Qt::AlignVCenter;
    }
    // Beside right-aligned numbers; the header's arrow needs its right end.
    const bool isDate = column->kind == analysis::CellKind::Date;
    return (isDate ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter;
}

/// `text`: of the cell.
QString toolTipOf(const RunRecord& run, const analysis::Column* column, const QString& text)
{
    const bool isStatus = column != nullptr && column->attribute == analysis::Attribute::Status;
    if (isStatus && run.message.empty() && run.summary.interference.any()) {
        return RunsTableModel::tr("Changed by hand during the run: excluded from statistics and comparisons unless the "
                                  "settings include such runs.");
    }
    if (isStatus && !run.message.empty()) {
        return QString::fromStdString(language::worded(run.why()));
    }
    // A text may be wider than its column.
    const bool isText = column != nullptr && column->kind == analysis::CellKind::Text
        && column->attribute != analysis::Attribute::Name;
    return isText && !text.isEmpty() ? text : QString::fromStdString(run.id.text);
}

/// `  (+3.2 %)`; nothing for the baseline itself.
QString differenceFrom(const RunRecord* baseline, const RunRecord& run, const analysis::Column& column)
{
    if (baseline == nullptr || baseline == &run) {
        return {};
    }
    const auto difference = analysis::differenceTo(analysis::groupOfOne(*baseline), analysis::groupOfOne(run), column);
    const QString text = differenceShown(difference);
    return text.isEmpty() ? text : QStringLiteral("  (%1)").arg(text);
}

/// Of the finished runs that count: the seeds of their repeats.
std::map<RunId, int> repeatsAmong(const std::vector<const RunRecord*>& all, analysis::Interfered which)
{
    std::map<RunId, int> counts;
    for (const analysis::RowGroup& group : analysis::groupRuns(all, {}, which)) {
        for (const RunRecord* run : group.runs) {
            const bool isLeftOut = which == analysis::Interfered::LeaveOut && run->summary.interference.any();
            if (run->status == RunStatus::Finished && !isLeftOut) {
                counts[run->id] = static_cast<int>(group.counted.size());
            }
        }
    }
    return counts;
}

std::map<RunId, int> repeatsIn(const std::vector<RunRecord>& records, analysis::Interfered which)
{
    std::vector<const RunRecord*> all;
    for (const RunRecord& run : records) {
        all.push_back(&run);
    }
    return repeatsAmong(all, which);
}

/// Rows of the table.
struct Rows {
    int first = 0;
    int last = -1; ///< below the first: none
};

/// A run has ended, or has another end: so have its repeats other counts, and no other runs. From the first to the last
/// of those that have changed.
Rows countAgain(std::map<RunId, int>& counts, const std::vector<RunRecord>& records, const RunRecord& changed,
    analysis::Interfered which)
{
    std::vector<const RunRecord*> repeats;
    for (const RunRecord& run : records) {
        if (run.spec.experiment == changed.spec.experiment && analysis::areRepeats(run, changed)) {
            repeats.push_back(&run);
        }
    }
    const std::map<RunId, int> now = repeatsAmong(repeats, which);
    Rows rows{static_cast<int>(records.size()), -1};
    for (const RunRecord* run : repeats) {
        const auto countIn = [run](const std::map<RunId, int>& all) {
            const auto found = all.find(run->id);
            return found == all.end() ? 0 : found->second;
        };
        const int count = countIn(now);
        if (count == countIn(counts)) {
            continue;
        }
        counts.erase(run->id);
        if (count > 0) {
            counts[run->id] = count;
        }
        const int row = static_cast<int>(run - records.data());
        rows = {std::min(rows.first, row), std::max(rows.last, row)};
    }
    return rows;
}

/// Says that these columns have changed.
void tellColumns(RunsTableModel& model, int first, int last)
{
    if (model.rowCount() > 0) {
        Q_EMIT model.dataChanged(model.index(0, first), model.index(model.rowCount() - 1, last));
    }
}

} // namespace

RunsTableModel::RunsTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    // By Column; empty: of the table.
    const std::array<std::string_view, ColumnCount> fixed{"name", "status", "loss", "best_loss", "accuracy",
        "ms_per_step_typical", "started", "", "experiment", nameOf(&experiment::DatasetSettings::name), "changed",
        "tags", "note"};
    for (const std::string_view name : fixed) {
        m_columns.push_back(name.empty() ? nullptr : analysis::findColumn(name));
    }
}

void RunsTableModel::setRecords(std::vector<RunRecord> records)
{
    std::set<RunId> kept;
    for (const RunRecord& record : records) {
        kept.insert(record.id);
    }
    if (m_records.empty() || records.empty()) {
        beginResetModel();
        m_records = std::move(records);
        m_counts = repeatsIn(m_records, m_interfered);
        endResetModel();
        Q_EMIT listed();
        return;
    }
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (!kept.contains(idAt(row))) {
            beginRemoveRows({}, row, row);
            m_records.erase(m_records.begin() + row);
            endRemoveRows();
        }
    }
    std::map<RunId, std::size_t> places;
    for (std::size_t row = 0; row < m_records.size(); ++row) {
        places[m_records[row].id] = row;
    }
    std::vector<RunRecord> fresh;
    for (RunRecord& record : records) {
        if (const auto place = places.find(record.id); place != places.end()) {
            m_records[place->second] = std::move(record);
        } else {
            fresh.push_back(std::move(record));
        }
    }
    if (!fresh.empty()) {
        beginInsertRows({}, 0, static_cast<int>(fresh.size()) - 1);
        m_records.insert(
            m_records.begin(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
        endInsertRows();
    }
    m_counts = repeatsIn(m_records, m_interfered);
    tellColumns(*this, 0, columnCount() - 1);
    Q_EMIT listed();
}

void RunsTableModel::upsert(const RunRecord& changed)
{
    const int row = rowOf(changed.id);
    RunRecord light = withoutCurves(changed);
    if (row < 0) {
        beginInsertRows({}, 0, 0);
        m_records.insert(m_records.begin(), std::move(light));
        if (analysis::isFinal(changed.status)) {
            m_counts = repeatsIn(m_records, m_interfered);
        }
        endInsertRows();
        Q_EMIT listed();
        return;
    }
    RunRecord& known = m_records[static_cast<std::size_t>(row)];
    const bool isOther = known.status != light.status;
    // A session does not know what was named and marked in the table.
    if (light.label.empty()) {
        light.label = known.label;
    }
    light.marks = known.marks;
    known = std::move(light);
    if (isOther && analysis::isFinal(known.status)) {
        const Rows rows = countAgain(m_counts, m_records, known, m_interfered);
        if (rows.first <= rows.last) { // together: each time the views measure their columns
            Q_EMIT dataChanged(index(rows.first, Count), index(rows.last, Count));
        }
    }
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    if (isOther) {
        Q_EMIT listed();
    }
}

void RunsTableModel::removeRun(const RunId& id)
{
    const int row = rowOf(id);
    if (row < 0) {
        return;
    }
    beginRemoveRows({}, row, row);
    m_records.erase(m_records.begin() + row);
    m_counts = repeatsIn(m_records, m_interfered);
    endRemoveRows();
    Q_EMIT listed();
    if (id == m_baseline) {
        setBaseline({});
    }
}

void RunsTableModel::follow(const ShownRuns& shown)
{
    m_shown = &shown;
    connect(
        &shown, &QObject::destroyed, this, [this, gone = &shown] { m_shown = m_shown == gone ? &m_none : m_shown; });
    connect(&shown, &ShownRuns::changed, this, [this] {
        if (rowCount() > 0) {
            Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), {Qt::CheckStateRole, Qt::DecorationRole});
        }
    });
}

int RunsTableModel::ensureColumn(const analysis::Column& column)
{
    if (const auto known = std::ranges::find(m_columns, &column); known != m_columns.end()) {
        return static_cast<int>(known - m_columns.begin());
    }
    beginInsertColumns({}, columnCount(), columnCount());
    m_columns.push_back(&column);
    endInsertColumns();
    return columnCount() - 1;
}

const analysis::Column* RunsTableModel::columnAt(int column) const
{
    return column < 0 || column >= columnCount() ? nullptr : m_columns[static_cast<std::size_t>(column)];
}

void RunsTableModel::setBaseline(const RunId& id)
{
    m_baseline = id;
    tellColumns(*this, 0, columnCount() - 1);
}

const RunRecord* RunsTableModel::record(const RunId& id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_records[static_cast<std::size_t>(row)];
}

RunId RunsTableModel::idAt(int row) const
{
    return row < 0 || row >= rowCount() ? RunId{} : m_records[static_cast<std::size_t>(row)].id;
}

int RunsTableModel::rowOf(const RunId& id) const
{
    const auto found = std::find_if(m_records.begin(), m_records.end(), [&](const RunRecord& r) { return r.id == id; });
    return found == m_records.end() ? -1 : static_cast<int>(found - m_records.begin());
}

int RunsTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_records.size());
}

int RunsTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant RunsTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const RunRecord& run = m_records[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Name && run.marks.isPinned ? QStringLiteral("★ ") + cellText(run, Name)
                                                            : cellText(run, index.column());
    case Qt::EditRole:
        return cellText(run, index.column());
    case Qt::CheckStateRole:
        return index.column() == Name ? QVariant(m_shown->contains(run.id) ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole: {
        const auto look = index.column() == Name ? m_shown->lookOf(run.id) : std::nullopt;
        return look ? QVariant(swatchIcon(*look)) : QVariant();
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(alignmentOf(columnAt(index.column())));
    case Qt::ToolTipRole:
        return tipText(toolTipOf(run, columnAt(index.column()), cellText(run, index.column())));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(
            headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cellText(run, index.column()));
    case SortRole: {
        const analysis::Column* column = columnAt(index.column());
        return column == nullptr ? cellText(run, Count).toInt() : columnSortValue(*column, run);
    }
    case StatusRole:
        return static_cast<int>(run.status);
    default:
        return {};
    }
}

QString RunsTableModel::cellText(const RunRecord& run, int column) const
{
    const analysis::Column* of = columnAt(column);
    if (of == nullptr) {
        const auto count = m_counts.find(run.id);
        return count == m_counts.end() ? QString() : QString::number(count->second);
    }
    const QString text = columnText(*of, run);
    return m_baseline.isEmpty() || !of->isFigure() ? text : text + differenceFrom(record(m_baseline), run, *of);
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    const analysis::Column* column = columnAt(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(alignmentOf(column));
    }
    if (role == Qt::ToolTipRole && section == Name) {
        return tr("Tick a run to draw it in the charts. Double-click its name to change it.");
    }
    if (role == Qt::ToolTipRole) {
        return tipText(column == nullptr
                ? tr("Number of finished runs with these settings and distinct seeds, not counting "
                     "runs changed by hand.")
                : columnHelp(*column));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return column == nullptr ? QStringLiteral("n") : columnTitle(*column);
}

Qt::ItemFlags RunsTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name) {
        flags |= Qt::ItemIsUserCheckable;
    }
    return index.isValid() && isEditable(columnAt(index.column())) ? flags | Qt::ItemIsEditable : flags;
}

bool RunsTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || !isEditable(columnAt(index.column()))) {
        return false;
    }
    const RunId id = idAt(index.row());
    if (role == Qt::CheckStateRole && index.column() == Name) {
        if (value.toInt() == Qt::Checked) {
            Q_EMIT showRequested(id);
        } else {
            Q_EMIT hideRequested(id);
        }
        return true;
    }
    if (role != Qt::EditRole) {
        return false;
    }
    const QString text = value.toString().simplified();
    RunRecord& run = m_records[static_cast<std::size_t>(index.row())];
    analysis::RunMarks marks = run.marks;
    switch (columnAt(index.column())->attribute) {
    case analysis::Attribute::Tags:
        marks.tags = tagsIn(text);
        break;
    case analysis::Attribute::Note:
        marks.note = text.toStdString();
        break;
    default:
        if (text == runName(run)) {
            return false;
        }
        run.label = text.toStdString();
        Q_EMIT dataChanged(index, index);
        Q_EMIT listed();
        Q_EMIT renameRequested(run.id, text);
        return true;
    }
    setMarks(run.id, marks);
    return true;
}

void RunsTableModel::setMarks(const RunId& id, const analysis::RunMarks& marks)
{
    const int row = rowOf(id);
    if (row < 0 || m_records[static_cast<std::size_t>(row)].marks == marks) {
        return;
    }
    m_records[static_cast<std::size_t>(row)].marks = marks;
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    Q_EMIT markRequested(id, marks);
}

void RunsTableModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    tellColumns(*this, 0, columnCount() - 1);
}

void RunsTableModel::setInterfered(analysis::Interfered which)
{
    if (m_interfered != which) {
        m_interfered = which;
        m_counts = repeatsIn(m_records, m_interfered);
        tellColumns(*this, Count, Count);
    }
}

void addTags(RunsTableModel& table, const RunId& id, const QString& tags)
{
    const RunRecord* run = table.record(id);
    if (run == nullptr) {
        return;
    }
    analysis::RunMarks marks = run->marks;
    for (const std::string& tag : tagsIn(tags)) {
        if (std::ranges::find(marks.tags, tag) == marks.tags.end()) {
            marks.tags.push_back(tag);
        }
    }
    table.setMarks(id, marks);
}

QString shownCount(const RunsTableModel& table)
{
    const std::map<RunId, Look> shown = table.shown().looks();
    std::vector<const RunRecord*> runs;
    for (const RunRecord& run : table.records()) {
        if (shown.contains(run.id)) {
            runs.push_back(&run);
        }
    }
    return QString::fromStdString(language::runCount(runs, table.interfered()));
}

void hideAllBut(RunsTableModel& table, const std::vector<RunId>& ids)
{
    for (const RunId& id : table.shown().ids()) {
        if (std::ranges::find(ids, id) == ids.end()) {
            Q_EMIT table.hideRequested(id);
        }
    }
}

} // namespace lockstep::ui
