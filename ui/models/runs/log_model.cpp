#include "ui/models/runs/log_model.h"

#include "language/wording.h"
#include "ui/models/shown_text.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

/// In the window's language, where the line is one of ours.
QString wordedText(const lockstep::Text& line)
{
    return QString::fromStdString(language::worded(line));
}

} // namespace

LogModel::LogModel(QObject* parent)
    : QAbstractTableModel(parent)
{ }

void LogModel::append(const RunId& id, const QString& runName, const store::Delta& delta)
{
    if (delta.logs.empty()) {
        return;
    }
    const std::int64_t firstNs = m_firstNs.try_emplace(id, delta.logs.front().what.timeNs).first->second;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(delta.logs.size()) - 1);
    bool isNewRank = false;
    for (const auto& [rank, line] : delta.logs) {
        const double seconds = static_cast<double>(line.timeNs - firstNs) * 1e-9;
        const lockstep::Text text = m_shown ? m_shown(id, line.said()) : line.said();
        // Who said a line that is hidden would tell what it said.
        const bool isHidden = text.english != line.said().english;
        m_lines.push_back({id, runName, isHidden ? NoRank : rank, std::max(0.0, seconds), line.level, text});
        isNewRank = (!isHidden && m_ranks.insert(rank).second) || isNewRank;
    }
    endInsertRows();
    if (m_lines.size() > MaximumLines) {
        const auto surplus = m_lines.size() - MaximumLines;
        beginRemoveRows({}, 0, static_cast<int>(surplus) - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(surplus));
        endRemoveRows();
    }
    if (isNewRank) {
        Q_EMIT ranksChanged();
    }
    countWarnings();
}

void LogModel::removeRun(const RunId& id)
{
    beginResetModel();
    std::erase_if(m_lines, [&](const Line& line) { return line.id == id; });
    m_firstNs.erase(id);
    endResetModel();
    countWarnings();
}

void LogModel::countWarnings()
{
    const auto count = std::ranges::count_if(m_lines,
        [](const Line& line) { return line.level == wire::LogLevel::Warning || line.level == wire::LogLevel::Error; });
    if (m_warnings != static_cast<int>(count)) {
        m_warnings = static_cast<int>(count);
        Q_EMIT warningsChanged();
    }
}

void LogModel::clear()
{
    beginResetModel();
    m_lines.clear();
    m_firstNs.clear();
    m_ranks.clear();
    endResetModel();
    Q_EMIT ranksChanged();
    countWarnings();
}

QStringList LogModel::lastLines(const RunId& id, std::int32_t rank, int count) const
{
    QStringList found;
    for (auto line = m_lines.rbegin(); line != m_lines.rend() && found.size() < count; ++line) {
        if (line->id == id && line->rank == rank) {
            found.prepend(wordedText(line->text));
        }
    }
    return found;
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Seconds:
            return QString::number(line.seconds, 'f', 3);
        case Run:
            return shownName(line.run);
        case Rank:
            return line.rank == NoRank ? QStringLiteral("–") : QString::number(line.rank);
        default:
            return wordedText(line.text);
        }
    case Qt::ToolTipRole:
        return tipText(wordedText(line.text));
    case Qt::TextAlignmentRole:
        return QVariant(int(Qt::AlignVCenter)
            | (index.column() == Seconds || index.column() == Rank ? int(Qt::AlignRight) : int(Qt::AlignLeft)));
    case RankRole:
        return line.rank;
    case LevelRole:
        return static_cast<int>(line.level);
    default:
        return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Seconds:
        return tr("s");
    case Run:
        return tr("Run");
    case Rank:
        return tr("Rank");
    default:
        return tr("Message");
    }
}

LogFilter::LogFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{ }

void LogFilter::setRank(std::int32_t rank)
{
    m_rank = rank;
    invalidateFilter();
}

void LogFilter::setLeastLevel(wire::LogLevel level)
{
    m_level = level;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const bool isRank = m_rank < 0 || index.data(LogModel::RankRole).toInt() == m_rank;
    return isRank && index.data(LogModel::LevelRole).toInt() >= static_cast<int>(m_level);
}

} // namespace lockstep::ui
