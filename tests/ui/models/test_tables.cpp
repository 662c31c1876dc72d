// Numbers as text, the table of runs, and the log.
#include "program/test_class.h"
#include "ui/models/number_text.h"
#include "ui/models/runs/log_model.h"
#include "ui/models/runs/runs_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace lockstep;
using ui::LogModel;
using ui::RunsTableModel;

namespace {

analysis::RunRecord makeRecord(const std::string& id, const std::string& name, int repeat = 0)
{
    analysis::RunRecord record;
    record.id = {id};
    record.spec.experiment = "optimizers";
    record.spec.name = name;
    record.spec.repeat = repeat;
    record.spec.settings["train.seed"] = std::int64_t(1 + repeat);
    record.status = analysis::RunStatus::Finished;
    record.createdNs = 1700000000000000000;
    record.summary.finalLoss = 0.09214;
    record.summary.testAccuracy = 0.9512;
    return record;
}

store::Delta makeLog(int lines, std::int32_t rank)
{
    store::Delta delta;
    for (int i = 0; i < lines; ++i) {
        delta.logs.push_back({rank, {1000000000LL * i, i % 2 ? wire::LogLevel::Error : wire::LogLevel::Info, "line"}});
    }
    return delta;
}

} // namespace

class TestTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void numbers_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::addRow("small") << 0.09214 << "0.0921";
        QTest::addRow("keeps its zeros") << 0.092 << "0.0920";
        QTest::addRow("carry") << 9.9996 << "10.0";
        QTest::addRow("large") << 1234.5 << "1,235";
        QTest::addRow("never 0.000") << 0.0000456 << "4.56e-5";
        QTest::addRow("carry in the mantissa") << 0.00099996 << "1.00e-3";
        QTest::addRow("nothing") << 0.0 << "0";
        QTest::addRow("negative") << -0.5 << "-0.500";
        QTest::addRow("not measured") << std::numeric_limits<double>::quiet_NaN() << QStringLiteral("–");
        QTest::addRow("infinite") << std::numeric_limits<double>::infinity() << QStringLiteral("∞");
    }

    void numbers()
    {
        QFETCH(double, value);
        QTEST(ui::numberText(value), "text");
    }

    void otherTexts()
    {
        QCOMPARE(ui::percentText(0.9512), QStringLiteral("95.1"));
        QCOMPARE(ui::siText(101770), QStringLiteral("102 k"));
        QCOMPARE(ui::clockText(13.2), QStringLiteral("0:14"));
        QCOMPARE(ui::clockText(3723), QStringLiteral("1:02:03"));
        QCOMPARE(ui::durationText(12.3), QStringLiteral("12 s"));
        QCOMPARE(ui::bytesText(222298112), QStringLiteral("212 MiB"));
    }

    void runsTableIsAModel()
    {
        RunsTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setRecords({makeRecord("b", "Adam"), makeRecord("a", "SGD")});
        model.upsert(makeRecord("c", "GD"));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.idAt(0).text, std::string("c"));
        model.removeRun({"a"});
        model.setRecords({});
        QCOMPARE(model.rowCount(), 0);
    }

    void cellsAreTheRecordsNumbers()
    {
        RunsTableModel model;
        model.setRecords({makeRecord("b", "Adam", 1)});
        const auto text = [&](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(text(RunsTableModel::Name), QStringLiteral("Adam #2"));
        QCOMPARE(text(RunsTableModel::Loss), QStringLiteral("0.0921"));
        QCOMPARE(text(RunsTableModel::BestLoss), QStringLiteral("–"));
        QCOMPARE(text(RunsTableModel::Accuracy), QStringLiteral("95.1"));
        QCOMPARE(model.index(0, RunsTableModel::Loss).data(RunsTableModel::SortRole).toDouble(), 0.09214);
    }

    void repeatsAreCounted()
    {
        RunsTableModel model;
        auto failed = makeRecord("d", "Adam", 2);
        failed.status = analysis::RunStatus::Failed;
        model.setRecords({makeRecord("b", "Adam"), makeRecord("c", "Adam", 1), failed, makeRecord("a", "SGD")});
        QCOMPARE(model.index(0, RunsTableModel::Count).data().toString(), QStringLiteral("2"));
        QCOMPARE(model.index(2, RunsTableModel::Count).data().toString(), QString());
        QCOMPARE(model.index(3, RunsTableModel::Count).data().toString(), QStringLiteral("1"));
        // A run that ends changes the counts of its repeats, and views are told of these alone.
        QSignalSpy told(&model, &RunsTableModel::dataChanged);
        const auto counts = [&model] {
            QStringList texts;
            for (int row = 0; row < model.rowCount(); ++row) {
                texts << model.index(row, RunsTableModel::Count).data().toString();
            }
            return texts.join(u',');
        };
        failed.status = analysis::RunStatus::Finished;
        model.upsert(failed);
        QCOMPARE(counts(), QStringLiteral("3,3,3,1"));
        QCOMPARE(told.front().at(0).toModelIndex().row(), 0);
        QCOMPARE(told.front().at(1).toModelIndex().row(), 2);
        auto first = makeRecord("b", "Adam");
        first.status = analysis::RunStatus::Failed;
        model.upsert(first);
        QCOMPARE(counts(), QStringLiteral(",2,2,1"));
        model.upsert(makeRecord("e", "SGD", 1));
        QCOMPARE(counts(), QStringLiteral("2,,2,2,2"));
    }

    void ticksAsk()
    {
        RunsTableModel model;
        model.setRecords({makeRecord("b", "Adam")});
        QSignalSpy shown(&model, &RunsTableModel::showRequested);
        QSignalSpy hidden(&model, &RunsTableModel::hideRequested);
        const QModelIndex name = model.index(0, RunsTableModel::Name);
        QVERIFY(model.setData(name, Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(shown.size(), 1);
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
        ui::ShownRuns ticked;
        model.follow(ticked);
        QSignalSpy changed(&model, &RunsTableModel::dataChanged);
        ticked.add({"b"}, {Qt::red}, 0);
        ticked.tell();
        QCOMPARE(changed.size(), 1);
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        const QImage swatch = name.data(Qt::DecorationRole).value<QIcon>().pixmap(14).toImage();
        QCOMPARE(swatch.pixelColor(swatch.rect().center()), QColor(Qt::red));
        QVERIFY(model.setData(name, Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(hidden.size(), 1);
        {
            ui::ShownRuns gone;
            gone.add({"b"}, {Qt::red}, 0);
            model.follow(gone);
            QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        }
        QCOMPARE(name.data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }

    void renamesInPlace()
    {
        RunsTableModel model;
        model.setRecords({makeRecord("b", "Adam")});
        QSignalSpy renamed(&model, &RunsTableModel::renameRequested);
        QVERIFY(model.setData(model.index(0, RunsTableModel::Name), QStringLiteral(" fast "), Qt::EditRole));
        QCOMPARE(renamed.size(), 1);
        QCOMPARE(renamed.first().at(1).toString(), QStringLiteral("fast"));
        QCOMPARE(model.index(0, RunsTableModel::Name).data().toString(), QStringLiteral("fast"));
        QVERIFY(!model.setData(model.index(0, RunsTableModel::Status), QStringLiteral("x"), Qt::EditRole));
    }

    void logIsAModelAndBounded()
    {
        LogModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.append({"a"}, QStringLiteral("Adam"), makeLog(100, 0));
        QCOMPARE(model.rowCount(), 100);
        QCOMPARE(model.index(3, LogModel::Seconds).data().toString(), QStringLiteral("3.000"));
        for (std::size_t i = 0; i < LogModel::MaximumLines; i += 5000) {
            model.append({"a"}, QStringLiteral("Adam"), makeLog(5000, 1));
        }
        QCOMPARE(model.rowCount(), int(LogModel::MaximumLines));
        QCOMPARE(model.ranks().size(), std::size_t(2));
        QCOMPARE(model.lastLines({"a"}, 1, 3).size(), 3);
    }

    /// Whose line is hidden would tell what the line said: which rank has the fault.
    void aHiddenLineIsOfNoRank()
    {
        LogModel model;
        model.setShown([](const RunId& id, const Text& line) { return id.text == "a" ? Text("hidden") : line; });
        model.append({"a"}, QStringLiteral("Adam"), makeLog(3, 1));
        model.append({"b"}, QStringLiteral("SGD"), makeLog(1, 2));
        QCOMPARE(model.index(0, LogModel::Rank).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(3, LogModel::Rank).data().toString(), QStringLiteral("2"));
        QCOMPARE(model.ranks(), std::set<std::int32_t>{2});
        QVERIFY(model.lastLines({"a"}, 1, 3).isEmpty());
        ui::LogFilter filter;
        filter.setSourceModel(&model);
        filter.setRank(1);
        QCOMPARE(filter.rowCount(), 0);
    }

    void logFilters()
    {
        LogModel model;
        model.append({"a"}, QStringLiteral("Adam"), makeLog(4, 0));
        model.append({"a"}, QStringLiteral("Adam"), makeLog(6, 1));
        ui::LogFilter filter;
        filter.setSourceModel(&model);
        QCOMPARE(filter.rowCount(), 10);
        filter.setRank(1);
        QCOMPARE(filter.rowCount(), 6);
        filter.setLeastLevel(wire::LogLevel::Warning);
        QCOMPARE(filter.rowCount(), 3);
    }
};

LOCKSTEP_TEST_WITH(QGuiApplication, TestTables)
#include "test_tables.moc"
