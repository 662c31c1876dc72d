#include "ui/models/runs/runs_filter.h"

#include "base/clock.h"
#include "language/catalogue.h"
#include "language/wording.h"

namespace lockstep::ui {

namespace {

/// In the window's language; columns keep the names by which a filter calls them.
QString problemText(const Error& error)
{
    return QString::fromStdString(language::worded(error.what()));
}

} // namespace

RunsFilter::RunsFilter(RunsTableModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model)
{
    // Before the proxy's own connections, which filter again.
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] { m_texts.clear(); });
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { m_texts.clear(); });
    setSourceModel(&model);
    setSortRole(RunsTableModel::SortRole);
    setDynamicSortFilter(true);
}

void RunsFilter::setText(const QString& text)
{
    m_text = text;
    const auto filter = analysis::Filter::parse(text.toStdString(), wallNs(), language::translatedIn);
    const QString problem = filter ? QString() : problemText(filter.error());
    if (filter) {
        m_filter = *filter;
        invalidateRowsFilter();
    }
    if (problem != m_problem) {
        m_problem = problem;
        Q_EMIT problemChanged(problem);
    }
}

RunId RunsFilter::idAt(int row) const
{
    return m_model.idAt(mapToSource(index(row, 0)).row());
}

std::vector<const analysis::RunRecord*> RunsFilter::runs() const
{
    std::vector<const analysis::RunRecord*> runs;
    for (int row = 0; row < rowCount(); ++row) {
        runs.push_back(&m_model.records()[static_cast<std::size_t>(mapToSource(index(row, 0)).row())]);
    }
    return runs;
}

bool RunsFilter::filterAcceptsRow(int sourceRow, const QModelIndex&) const
{
    const analysis::RunRecord& run = m_model.records()[static_cast<std::size_t>(sourceRow)];
    if (!m_filter.looksForText()) {
        return m_filter.matches(run, {});
    }
    const auto [text, isNew] = m_texts.try_emplace(run.id);
    if (isNew) {
        text->second = textOf(sourceRow);
    }
    return m_filter.matches(run, text->second);
}

/// Also what the window calls things, in its language.
std::string RunsFilter::textOf(int sourceRow) const
{
    QString shown;
    for (const int column :
        {RunsTableModel::Name, RunsTableModel::Status, RunsTableModel::Experiment, RunsTableModel::Data}) {
        shown += m_model.index(sourceRow, column).data().toString() + u'\n';
    }
    return analysis::searchText(m_model.records()[static_cast<std::size_t>(sourceRow)])
        + analysis::lowerCase(shown.toStdString());
}

bool RunsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool isAscending = sortOrder() == Qt::AscendingOrder;
    const auto isPinned = [this](const QModelIndex& index) {
        return m_model.records()[static_cast<std::size_t>(index.row())].marks.isPinned;
    };
    if (isPinned(left) != isPinned(right)) {
        return isPinned(left) == isAscending;
    }
    const QVariant a = left.data(RunsTableModel::SortRole);
    const QVariant b = right.data(RunsTableModel::SortRole);
    if (a.isValid() != b.isValid()) {
        return a.isValid() == isAscending;
    }
    return QVariant::compare(a, b) == QPartialOrdering::Less;
}

} // namespace lockstep::ui
