#include "ui/models/runs_table_model.h"

#include "ui/models/interference_text.h"
#include "ui/models/numbers.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

namespace lockstep::ui {

using analysis::RunRecord;
using analysis::RunStatus;

QString statusText(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
        return RunsTableModel::tr("queued");
    case RunStatus::Starting:
        return RunsTableModel::tr("starting");
    case RunStatus::Running:
        return RunsTableModel::tr("running");
    case RunStatus::Paused:
        return RunsTableModel::tr("paused");
    case RunStatus::Stopping:
        return RunsTableModel::tr("stopping");
    case RunStatus::Finished:
        return RunsTableModel::tr("finished");
    case RunStatus::Failed:
        return RunsTableModel::tr("failed");
    case RunStatus::Stopped:
        return RunsTableModel::tr("stopped");
    case RunStatus::Interrupted:
        return RunsTableModel::tr("interrupted");
    }
    return {};
}

QString runName(const RunRecord& record)
{
    if (!record.label.empty()) {
        return QString::fromStdString(record.label);
    }
    const QString name = QString::fromStdString(record.spec.name);
    return record.spec.repeat == 0 ? name : QStringLiteral("%1 #%2").arg(name).arg(record.spec.repeat + 1);
}

namespace {

/// Equal for runs that repeat each other: everything but the seed.
std::string repeatKey(const RunRecord& record)
{
    std::string key = record.spec.experiment + '\n' + record.spec.name;
    for (const auto& [name, value] : record.spec.settings) {
        if (name != "train.seed") {
            key += '\n' + name + '=' + experiment::toText(value);
        }
    }
    return key;
}

std::int64_t seedOf(const RunRecord& record)
{
    const auto seed = record.spec.settings.find("train.seed");
    return seed == record.spec.settings.end() ? 0 : std::get<std::int64_t>(seed->second);
}

int alignmentOf(int column)
{
    switch (column) {
    case RunsTableModel::Loss:
    case RunsTableModel::BestLoss:
    case RunsTableModel::Accuracy:
    case RunsTableModel::MsPerStep:
    case RunsTableModel::Count:
        return Qt::AlignRight | Qt::AlignVCenter;
    case RunsTableModel::Started: // beside right-aligned numbers; the header's arrow needs its right end
        return Qt::AlignHCenter | Qt::AlignVCenter;
    default:
        return Qt::AlignLeft | Qt::AlignVCenter;
    }
}

} // namespace

RunsTableModel::RunsTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{ }

void RunsTableModel::setRecords(std::vector<RunRecord> records)
{
    beginResetModel();
    m_records = std::move(records);
    std::erase_if(m_shown, [this](const auto& shown) { return record(shown.first) == nullptr; });
    countRepeats();
    endResetModel();
}

void RunsTableModel::upsert(const RunRecord& changed)
{
    const int row = rowOf(changed.id);
    RunRecord light = changed;
    light.loss = {};
    light.accuracy = {};
    if (row < 0) {
        beginInsertRows({}, 0, 0);
        m_records.insert(m_records.begin(), std::move(light));
        countRepeats();
        endInsertRows();
        return;
    }
    RunRecord& known = m_records[static_cast<std::size_t>(row)];
    const bool hasEnded = known.status != light.status;
    if (light.label.empty()) {
        light.label = known.label; // a session does not know names given in the table
    }
    known = std::move(light);
    if (hasEnded) {
        countRepeats();
        Q_EMIT dataChanged(index(0, Count), index(rowCount() - 1, Count));
    }
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void RunsTableModel::removeRun(const RunId& id)
{
    const int row = rowOf(id);
    if (row < 0) {
        return;
    }
    beginRemoveRows({}, row, row);
    m_records.erase(m_records.begin() + row);
    m_shown.erase(id);
    countRepeats();
    endRemoveRows();
}

void RunsTableModel::setShown(const RunId& id, const QColor& color)
{
    m_shown[id] = color;
    const int row = rowOf(id);
    if (row >= 0) {
        Q_EMIT dataChanged(index(row, Name), index(row, Name), {Qt::CheckStateRole, Qt::DecorationRole});
    }
}

void RunsTableModel::setHidden(const RunId& id)
{
    const int row = rowOf(id);
    if (m_shown.erase(id) > 0 && row >= 0) {
        Q_EMIT dataChanged(index(row, Name), index(row, Name), {Qt::CheckStateRole, Qt::DecorationRole});
    }
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
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const RunRecord& run = m_records[static_cast<std::size_t>(index.row())];
    const auto shown = m_shown.find(run.id);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return cellText(run, index.column());
    case Qt::CheckStateRole:
        return index.column() == Name ? QVariant(shown != m_shown.end() ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::DecorationRole:
        return index.column() == Name && shown != m_shown.end() ? QVariant(shown->second) : QVariant();
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case Qt::ToolTipRole:
        if (index.column() == Status && run.message.empty() && run.summary.interference.any()) {
            return tr("Changed by hand while it went on: it is left out of statistics and comparisons, unless the "
                      "settings include such runs.");
        }
        return index.column() == Status && !run.message.empty() ? QVariant(QString::fromStdString(run.message))
                                                                : QVariant(QString::fromStdString(run.id.text));
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(
            headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cellText(run, index.column()));
    case SortRole:
        return sortValue(run, index.column());
    case StatusRole:
        return static_cast<int>(run.status);
    default:
        return {};
    }
}

QString RunsTableModel::cellText(const RunRecord& run, int column) const
{
    switch (column) {
    case Name:
        return runName(run);
    case Status:
        return markedName(statusText(run.status), run.summary.interference);
    case Loss:
        return numberText(run.summary.finalLoss);
    case BestLoss:
        return numberText(run.summary.bestLoss);
    case Accuracy:
        return percentText(run.summary.testAccuracy);
    case MsPerStep:
        return numberText(run.summary.msPerStep);
    case Started: {
        if (run.status == RunStatus::Queued) {
            return QStringLiteral("–");
        }
        const auto when = QDateTime::fromMSecsSinceEpoch(run.createdNs / 1000000);
        const bool isToday = when.date() == QDate::currentDate();
        return QLocale().toString(when, isToday ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
    }
    case Count: {
        const auto count = m_counts.find(run.id);
        return count == m_counts.end() ? QString() : QString::number(count->second);
    }
    default:
        return {};
    }
}

QVariant RunsTableModel::sortValue(const RunRecord& run, int column) const
{
    // Values that were not measured sort last.
    const auto number = [](double value) { return std::isnan(value) ? QVariant(1e300) : QVariant(value); };
    switch (column) {
    case Loss:
        return number(run.summary.finalLoss);
    case BestLoss:
        return number(run.summary.bestLoss);
    case Accuracy:
        return std::isnan(run.summary.testAccuracy) ? QVariant(-1.0) : QVariant(run.summary.testAccuracy);
    case MsPerStep:
        return number(run.summary.msPerStep);
    case Started:
        return QVariant::fromValue<qlonglong>(run.createdNs);
    case Count:
        return cellText(run, Count).toInt();
    default:
        return cellText(run, column);
    }
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignmentOf(section);
    }
    const bool isHelp = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isHelp) {
        return {};
    }
    switch (section) {
    case Name:
        return isHelp ? tr("Tick a run to draw it in the charts. Double-click its name to change it.") : tr("Run");
    case Status:
        return isHelp ? tr("How the run ended, or its current state.") : tr("Status");
    case Loss:
        return isHelp ? tr("Training loss of the last step.") : tr("Last loss");
    case BestLoss:
        return isHelp ? tr("The lowest training loss of any step.") : tr("Best loss");
    case Accuracy:
        return isHelp ? tr("Share of the test set that the last evaluation classified correctly.") : tr("Accuracy (%)");
    case MsPerStep:
        return isHelp ? tr("Mean time per step after 10 warm-up steps, without evaluation and pauses.") : tr("ms/step");
    case Started:
        return isHelp ? tr("When the run was started.") : tr("Started");
    case Count:
        return isHelp ? tr("Number of finished runs with these settings, each with its own seed, without those that "
                           "were changed by hand.")
                      : tr("n");
    default:
        return {};
    }
}

Qt::ItemFlags RunsTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name) {
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    }
    return flags;
}

bool RunsTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Name) {
        return false;
    }
    const RunId id = idAt(index.row());
    if (role == Qt::CheckStateRole) {
        if (value.toInt() == Qt::Checked) {
            Q_EMIT showRequested(id);
        } else {
            Q_EMIT hideRequested(id);
        }
        return true;
    }
    const QString label = value.toString().trimmed();
    if (role != Qt::EditRole || label == runName(m_records[static_cast<std::size_t>(index.row())])) {
        return false;
    }
    m_records[static_cast<std::size_t>(index.row())].label = label.toStdString();
    Q_EMIT dataChanged(index, index);
    Q_EMIT renameRequested(id, label);
    return true;
}

void RunsTableModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

void RunsTableModel::setInterfered(analysis::Interfered which)
{
    if (m_interfered != which) {
        m_interfered = which;
        countRepeats();
        if (rowCount() > 0) {
            Q_EMIT dataChanged(index(0, Count), index(rowCount() - 1, Count));
        }
    }
}

bool RunsTableModel::isCounted(const RunRecord& run) const
{
    return run.status == RunStatus::Finished
        && (m_interfered == analysis::Interfered::Include || !run.summary.interference.any());
}

/// The same seed twice is one repeat.
void RunsTableModel::countRepeats()
{
    std::map<std::string, std::set<std::int64_t>> seeds;
    for (const RunRecord& run : m_records) {
        if (isCounted(run)) {
            seeds[repeatKey(run)].insert(seedOf(run));
        }
    }
    m_counts.clear();
    for (const RunRecord& run : m_records) {
        if (isCounted(run)) {
            m_counts[run.id] = static_cast<int>(seeds[repeatKey(run)].size());
        }
    }
}

} // namespace lockstep::ui
