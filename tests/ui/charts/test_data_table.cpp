// The window with a chart's numbers.
#include "program/window_test.h"
#include "ui/charts/data_table.h"

#include <QTableView>
#include <QTest>

using namespace lockstep;

class TestDataTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyColumnSaysWhoseItIs()
    {
        ui::ChartSpec chart;
        chart.x.label = QStringLiteral("Step");
        chart.y.label = QStringLiteral("Loss");
        for (const auto& [key, name] : {std::pair{"a/loss", ""}, {"a/loss-smoothed", "SGD"}, {"b/loss", "Adam"}}) {
            ui::SeriesSpec series;
            series.key = QString::fromLatin1(key);
            series.name = QString::fromLatin1(name);
            series.x = {1.0};
            series.y = {0.5};
            chart.series.push_back(series);
        }
        QWidget parent;
        ui::showDataTable(chart, &parent);
        const auto* view = parent.findChild<QTableView*>();
        QVERIFY(view != nullptr);
        const auto header = [view](int column) {
            return view->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(header(1), QStringLiteral("SGD, not smoothed\nLoss"));
        QCOMPARE(header(2), QStringLiteral("SGD\nStep"));
        QCOMPARE(header(5), QStringLiteral("Adam\nLoss"));
        QCOMPARE(view->model()->columnCount(), 6);
    }

    /// Means have the ends of their intervals, and of how many repeats they are.
    void intervalsHaveColumns()
    {
        ui::ChartSpec chart;
        ui::SeriesSpec series;
        series.key = QStringLiteral("a/loss-mean");
        series.name = QStringLiteral("SGD");
        series.x = {1.0, 2.0};
        series.y = {0.5, 0.25};
        series.low = {0.4, std::nan("")};
        series.high = {0.6, std::nan("")};
        series.n = {3, 2};
        chart.series.push_back(series);
        QWidget parent;
        ui::showDataTable(chart, &parent);
        const auto* model = parent.findChild<QTableView*>()->model();
        QCOMPARE(model->columnCount(), 5);
        QCOMPARE(model->headerData(2, Qt::Horizontal).toString(), QStringLiteral("SGD\nlower end"));
        QCOMPARE(model->headerData(4, Qt::Horizontal).toString(), QStringLiteral("SGD\nn"));
        const auto rowOf = [model](int row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column) {
                cells << model->index(row, column).data().toString();
            }
            return cells.join(u' ');
        };
        QCOMPARE(rowOf(0), QStringLiteral("1 0.5 0.4 0.6 3"));
        QCOMPARE(rowOf(1), QStringLiteral("2 0.25 – – 2"));
    }
};

LOCKSTEP_WINDOW_TEST(TestDataTable)
#include "test_data_table.moc"
