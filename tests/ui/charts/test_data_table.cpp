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
    }
};

LOCKSTEP_WINDOW_TEST(TestDataTable)
#include "test_data_table.moc"
