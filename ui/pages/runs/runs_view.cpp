#include "ui/pages/runs/runs_view.h"

#include "ui/models/runs/runs_filter.h"
#include "ui/theme/theme.h"
#include "ui/widgets/apart_delegate.h"

#include <QEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <algorithm>
#include <array>

namespace lockstep::ui {

using namespace Qt::StringLiterals;

namespace {

/// Texts of any length: as wide as they need up to this many digits, the rest is in the tool tip.
constexpr std::array LongColumns{RunsTableModel::Changed, RunsTableModel::Tags, RunsTableModel::Note};
constexpr int LongDigits = 22;
constexpr int ShortestNameDigits = 12;
constexpr int LongestNameDigits = 40;

} // namespace

/// A quiet header. Style sheets keep the colours that they were read with, so a new palette needs a new one.
void styleRunsHeader(QTableView& view)
{
    const QString sheet = u"QHeaderView::section { background: %1; border: none; padding: 3px 6px; }"_s.arg(
        view.palette().color(QPalette::Window).name());
    if (view.horizontalHeader()->styleSheet() != sheet) {
        view.horizontalHeader()->setStyleSheet(sheet);
    }
}

void styleRunsTable(QTableView& view)
{
    view.setSortingEnabled(true);
    view.setFrameShape(QFrame::NoFrame);
    view.setShowGrid(false);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::ExtendedSelection);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setWordWrap(false);
    view.setFont(tabularFont(view.font()));
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + 3);
    QHeaderView& header = *view.horizontalHeader();
    header.setHighlightSections(false);
    header.setStretchLastSection(true);
    header.setMinimumSectionSize(40);
    // Widths follow the rows in view: those of a thousand runs would take longer than showing them.
    header.setResizeContentsPrecision(0);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    styleRunsHeader(view);
}

RunsView::RunsView(RunsTableModel& model, RunsFilter& filter, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_filter(filter)
{
    setModel(&filter);
    styleRunsTable(*this);
    sortByColumn(RunsTableModel::Started, Qt::DescendingOrder);
    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    QHeaderView& header = *horizontalHeader();
    header.setSectionsMovable(true);
    header.setContextMenuPolicy(Qt::CustomContextMenu);
    for (const int column : LongColumns) {
        header.setSectionResizeMode(column, QHeaderView::Interactive);
        header.resizeSection(column, LongDigits * fontMetrics().horizontalAdvance(u'0'));
    }
    header.setSectionResizeMode(RunsTableModel::Name, QHeaderView::Interactive);
    setItemDelegateForColumn(RunsTableModel::Name, new ApartDelegate(this));
    // In the order of what one asks first: which run, how did it end, what did it reach.
    header.moveSection(header.visualIndex(RunsTableModel::Experiment), 1);
    for (const int column : {RunsTableModel::BestLoss, RunsTableModel::Tags, RunsTableModel::Note}) {
        setColumnHidden(column, true);
    }
    sizeColumns();
    connect(&header, &QWidget::customContextMenuRequested, this, &RunsView::openHeaderMenu);
    connect(&filter, &QAbstractItemModel::rowsInserted, this, &RunsView::sizeColumns);
    connect(&filter, &QAbstractItemModel::modelReset, this, &RunsView::sizeColumns);
}

std::vector<RunId> RunsView::selectedIds() const
{
    std::vector<RunId> ids;
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& index : rows) {
        ids.push_back(m_filter.idAt(index.row()));
    }
    return ids;
}

std::vector<int> RunsView::shownColumns() const
{
    std::vector<int> columns;
    for (int place = 0; place < horizontalHeader()->count(); ++place) {
        const int column = horizontalHeader()->logicalIndex(place);
        if (!isColumnHidden(column)) {
            columns.push_back(column);
        }
    }
    return columns;
}

void RunsView::showColumn(int column, bool isShown)
{
    setColumnHidden(column, !isShown && column != RunsTableModel::Name);
    sizeColumns();
}

QString RunsView::nameOf(int column) const
{
    const analysis::Column* of = m_model.columnAt(column);
    return of == nullptr ? u"n"_s : QString::fromStdString(std::string(of->name));
}

QByteArray RunsView::layoutState() const
{
    QJsonArray columns;
    for (int place = 0; place < horizontalHeader()->count(); ++place) {
        const int column = horizontalHeader()->logicalIndex(place);
        // Names follow the spare room, other columns their contents.
        const bool isOwnWidth = column != RunsTableModel::Name
            && horizontalHeader()->sectionResizeMode(column) == QHeaderView::Interactive;
        columns.append(QJsonObject{{u"name"_s, nameOf(column)}, {u"shown"_s, !isColumnHidden(column)},
            {u"width"_s, isOwnWidth ? columnWidth(column) : 0}});
    }
    const QJsonObject state{{u"columns"_s, columns}, {u"sort"_s, nameOf(horizontalHeader()->sortIndicatorSection())},
        {u"descending"_s, horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder}};
    return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

void RunsView::restoreLayout(const QByteArray& state)
{
    const QJsonObject read = QJsonDocument::fromJson(state).object();
    const auto columnNamed = [this](const QString& name) {
        const analysis::Column* column = analysis::findColumn(name.toStdString());
        return name == u"n" ? int(RunsTableModel::Count) : column == nullptr ? -1 : m_model.ensureColumn(*column);
    };
    int place = 0;
    for (const QJsonValue& each : read[u"columns"_s].toArray()) {
        const int column = columnNamed(each[u"name"_s].toString());
        if (column < 0) {
            continue;
        }
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(column), place++);
        setColumnHidden(column, !each[u"shown"_s].toBool() && column != RunsTableModel::Name);
        if (const int width = each[u"width"_s].toInt(); width > 0) {
            setColumnWidth(column, std::clamp(width, 40, 600));
        }
    }
    const int sorted = read[u"sort"_s].isString() ? columnNamed(read[u"sort"_s].toString()) : -1;
    if (sorted >= 0) {
        sortByColumn(sorted, read[u"descending"_s].toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    sizeColumns();
}

/// Spare room goes to the names, as far as they need it.
void RunsView::sizeColumns()
{
    const int digit = fontMetrics().horizontalAdvance(u'0');
    int others = 0;
    for (const int column : shownColumns()) {
        // A long text takes what is left after the names.
        const bool isLong = std::ranges::find(LongColumns, column) != LongColumns.end();
        const int width = isLong ? std::min(columnWidth(column), ShortestNameDigits * digit) : columnWidth(column);
        others += column == RunsTableModel::Name ? 0 : width;
    }
    const int wanted = std::max(sizeHintForColumn(RunsTableModel::Name) + digit, ShortestNameDigits * digit);
    const int spare = std::max(viewport()->width() - others, ShortestNameDigits * digit);
    setColumnWidth(RunsTableModel::Name, std::min({wanted, std::max(spare, 18 * digit), LongestNameDigits * digit}));
}

void RunsView::openHeaderMenu(const QPoint& at)
{
    const int column = horizontalHeader()->logicalIndexAt(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* hide = menu->addAction(tr("Hide this column"), this, [this, column] { showColumn(column, false); });
    hide->setEnabled(column > RunsTableModel::Name);
    const analysis::Column* of = m_model.columnAt(column);
    if (of != nullptr && of->parameter != nullptr) {
        menu->addAction(tr("Group by this column"), this, [this, of] { Q_EMIT groupByRequested(of); });
    }
    if (isColumnHidden(RunsTableModel::Count)) {
        menu->addAction(tr("Show the number of repeats"), this, [this] { showColumn(RunsTableModel::Count, true); });
    }
    menu->addAction(tr("Choose columns…"), this, &RunsView::columnsRequested);
    menu->popup(horizontalHeader()->mapToGlobal(at));
}

void RunsView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    sizeColumns();
}

void RunsView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        styleRunsHeader(*this);
    }
}

} // namespace lockstep::ui
