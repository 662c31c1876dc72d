#include "ui/charts/data_table.h"

#include "ui/models/shown_text.h"

#include <QAbstractTableModel>
#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

QString tableText(const char* text)
{
    return QCoreApplication::translate("DataTable", text);
}

/// What a column holds of its series.
enum class Part { X, Y, Low, High, Count };

QString textOf(Part part)
{
    return part == Part::Low ? tableText(QT_TRANSLATE_NOOP("DataTable", "lower end"))
        : part == Part::High ? tableText(QT_TRANSLATE_NOOP("DataTable", "upper end"))
                             : QStringLiteral("n");
}

/// Nothing is copied cell by cell: a million points open at once.
class PointsModel : public QAbstractTableModel {
public:
    PointsModel(ChartSpec chart, QObject* parent)
        : QAbstractTableModel(parent)
        , m_chart(std::move(chart))
    {
        for (const SeriesSpec& series : m_chart.series) {
            m_rows = std::max(m_rows, static_cast<int>(series.x.size()));
            for (const Part part : {Part::X, Part::Y, Part::Low, Part::High, Part::Count}) {
                if (part == Part::X || !valuesOf(series, part).empty() || (part == Part::Count && !series.n.empty())) {
                    m_columns.push_back({&series, part});
                }
            }
        }
    }

    int rowCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : m_rows; }
    int columnCount(const QModelIndex& parent) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const auto& [series, part] = m_columns[static_cast<std::size_t>(index.column())];
        const auto row = static_cast<std::size_t>(index.row());
        if (row >= series->x.size()) {
            return {};
        }
        if (role == Qt::TextAlignmentRole) {
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        }
        if (role != Qt::DisplayRole) {
            return {};
        }
        if (part == Part::X && row < m_chart.x.categories.size()) {
            return m_chart.x.categories[row];
        }
        if (part == Part::Count) {
            return row < series->n.size() ? QVariant::fromValue<qulonglong>(series->n[row]) : QVariant();
        }
        const std::vector<double>& values = valuesOf(*series, part);
        const bool isKnown = row < values.size() && std::isfinite(values[row]);
        return isKnown ? QString::number(values[row], 'g', 7) : QStringLiteral("–");
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (role != Qt::DisplayRole) {
            return {};
        }
        if (orientation == Qt::Vertical) {
            return section + 1;
        }
        const auto& [series, part] = m_columns[static_cast<std::size_t>(section)];
        const AxisSpec& value = m_chart.cells.label.isEmpty() ? m_chart.y : m_chart.cells;
        return nameOf(*series) + u'\n'
            + (part == Part::X        ? m_chart.x.label
                    : part == Part::Y ? value.label
                                      : textOf(part));
    }

private:
    /// The raw trace under a smoothed curve is not in the legend, and so has no name: it is its run's.
    [[nodiscard]] QString nameOf(const SeriesSpec& series) const
    {
        if (!series.name.isEmpty()) {
            return series.name;
        }
        const auto ofSameRun = std::ranges::find_if(m_chart.series, [&](const SeriesSpec& each) {
            return !each.name.isEmpty() && each.key.section(u'/', 0, 0) == series.key.section(u'/', 0, 0);
        });
        return ofSameRun == m_chart.series.end()
            ? series.key.section(u'/', -1)
            : tableText(QT_TRANSLATE_NOOP("DataTable", "%1, not smoothed")).arg(ofSameRun->name);
    }

    static const std::vector<double>& valuesOf(const SeriesSpec& series, Part part)
    {
        static const std::vector<double> none;
        return part == Part::X   ? series.x
            : part == Part::Y    ? series.y
            : part == Part::Low  ? series.low
            : part == Part::High ? series.high
                                 : none;
    }

    struct Column {
        const SeriesSpec* series;
        Part part;
    };

    ChartSpec m_chart;
    std::vector<Column> m_columns; ///< of m_chart
    int m_rows = 0;
};

} // namespace

QWidget* showDataTable(const ChartSpec& chart, QWidget* parent)
{
    auto* window = new QDialog(parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(tableText(QT_TRANSLATE_NOOP("DataTable", "Data: %1")).arg(titleText(chart.title)));
    auto* view = new QTableView(window);
    view->setAccessibleName(window->windowTitle());
    view->setAccessibleDescription(
        tableText(QT_TRANSLATE_NOOP("DataTable", "The numbers of the chart, with the curves side by side.")));
    view->setModel(new PointsModel(chart, window));
    view->horizontalHeader()->setDefaultSectionSize(120);
    view->verticalHeader()->setDefaultSectionSize(22);
    auto* layout = new QVBoxLayout(window);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view);
    window->resize(640, 480);
    window->show();
    return window;
}

} // namespace lockstep::ui
