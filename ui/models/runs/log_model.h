// The log lines of the runs that are shown: time since the run's first line, run, rank, text. Bounded: the oldest
// lines go first. GUI thread only.
#pragma once

#include "base/ids.h"
#include "base/text.h"
#include "store/account/delta.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace lockstep::ui {

class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Seconds, Run, Rank, Text, ColumnCount };
    static constexpr int RankRole = Qt::UserRole + 1;
    static constexpr int LevelRole = Qt::UserRole + 2; ///< wire::LogLevel as int
    static constexpr std::size_t MaximumLines = 20000;

    explicit LogModel(QObject* parent = nullptr);

    /// How lines that come from now on are shown; one that is shown as another text is of no rank.
    void setShown(std::function<lockstep::Text(const RunId& id, const lockstep::Text& line)> shown)
    {
        m_shown = std::move(shown);
    }
    void append(const RunId& id, const QString& runName, const store::Delta& delta);
    void removeRun(const RunId& id);
    void clear();
    /// Ranks that have said anything so far.
    [[nodiscard]] const std::set<std::int32_t>& ranks() const { return m_ranks; }
    /// Lines that are warnings or errors.
    [[nodiscard]] int warnings() const { return m_warnings; }
    /// The last lines of one rank, oldest first: what a failure shows.
    [[nodiscard]] QStringList lastLines(const RunId& id, std::int32_t rank, int count) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void ranksChanged();
    void warningsChanged();

private:
    static constexpr std::int32_t NoRank = -1;
    struct Line {
        RunId id;
        QString run;
        std::int32_t rank = 0;
        double seconds = 0.0;
        wire::LogLevel level = wire::LogLevel::Info;
        lockstep::Text text; ///< Text alone is the column
    };

    void countWarnings();

    std::function<lockstep::Text(const RunId& id, const lockstep::Text& line)> m_shown;
    std::deque<Line> m_lines;
    std::map<RunId, std::int64_t> m_firstNs;
    std::set<std::int32_t> m_ranks;
    int m_warnings = 0;
};

/// Keeps one rank (or all) and one level and above.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit LogFilter(QObject* parent = nullptr);
    /// -1: all ranks.
    void setRank(std::int32_t rank);
    void setLeastLevel(wire::LogLevel level);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::int32_t m_rank = -1;
    wire::LogLevel m_level = wire::LogLevel::Debug;
};

} // namespace lockstep::ui
