#include "ui/charts/data_table.h"

#include <QAbstractTableModel>
#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// Two columns a series. Nothing is copied cell by cell: a million points open at once.
class PointsModel : public QAbstractTableModel {
public:
    PointsModel(ChartSpec chart, QObject* parent)
        : QAbstractTableModel(parent)
        , m_chart(std::move(chart))
    {
        for (const SeriesSpec& series : m_chart.series) {
            m_rows = std::max(m_rows, static_cast<int>(series.x.size()));
        }
    }

    int rowCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : m_rows; }
    int columnCount(const QModelIndex& parent) const override
    {
        return parent.isValid() ? 0 : 2 * static_cast<int>(m_chart.series.size());
    }

    QVariant data(const QModelIndex& index, int role) const override
    {
        const SeriesSpec& series = m_chart.series[static_cast<std::size_t>(index.column() / 2)];
        const auto row = static_cast<std::size_t>(index.row());
        if (row >= series.x.size()) {
            return {};
        }
        if (role == Qt::TextAlignmentRole) {
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        }
        if (role != Qt::DisplayRole) {
            return {};
        }
        if (index.column() % 2 == 0 && row < m_chart.x.categories.size()) {
            return m_chart.x.categories[row];
        }
        return QString::number(index.column() % 2 == 0 ? series.x[row] : series.y[row], 'g', 7);
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (role != Qt::DisplayRole) {
            return {};
        }
        if (orientation == Qt::Vertical) {
            return section + 1;
        }
        const SeriesSpec& series = m_chart.series[static_cast<std::size_t>(section / 2)];
        const AxisSpec& value = m_chart.cells.label.isEmpty() ? m_chart.y : m_chart.cells;
        return nameOf(series) + u'\n' + (section % 2 == 0 ? m_chart.x.label : value.label);
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
            : QCoreApplication::translate("DataTable", "%1, not smoothed").arg(ofSameRun->name);
    }

    ChartSpec m_chart;
    int m_rows = 0;
};

} // namespace

QWidget* showDataTable(const ChartSpec& chart, QWidget* parent)
{
    auto* window = new QDialog(parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(QCoreApplication::translate("DataTable", "Data: %1").arg(chart.title));
    auto* view = new QTableView(window);
    view->setAccessibleName(window->windowTitle());
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
