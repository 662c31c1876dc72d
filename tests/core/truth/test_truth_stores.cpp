// The stores with known truths: what the table states holds in their runs, and they are written and read back whole.
#include "core/truth/headline_check.h"
#include "core/truth/truth_check.h"
#include "exchange/export/run_json.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

QString nameOf(const TruthRow& row)
{
    return QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size()));
}

/// Where they are left for a look at them: lockstep --store FOLDER/NAME.
QString askedFolder()
{
    return qEnvironmentVariable("LOCKSTEP_TRUTH_STORES");
}

} // namespace

class TestTruthStores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyPresetIsThere()
    {
        std::set<std::string_view> names;
        std::set<std::string_view> presets;
        for (const TruthRow& row : truthTable()) {
            names.insert(row.name);
            presets.insert(row.preset);
        }
        QCOMPARE(names.size(), std::size_t{40});
        QCOMPARE(truthTable().size(), names.size());
        for (const std::string_view preset : experiment::presetNames()) {
            QVERIFY2(presets.contains(preset) || preset == experiment::OwnExperiment, std::string(preset).c_str());
        }
    }

    void theTruthHolds_data() { addRows(); }
    void theTruthHolds()
    {
        QFETCH(const TruthRow*, row);
        const auto runs = truthRuns(*row);
        QVERIFY2(runs.isOk(), runs.isOk() ? "" : runs.error().text().c_str());
        for (const std::string& line : untrue(*row, *runs)) {
            QTest::qFail(line.c_str(), __FILE__, __LINE__);
        }
    }

    void storesAreReadBackWhole_data() { addRows(); }
    void storesAreReadBackWhole()
    {
        QFETCH(const TruthRow*, row);
        const auto runs = truthRuns(*row);
        QVERIFY(runs.isOk());
        const QTemporaryDir own;
        const QString folder = (askedFolder().isEmpty() ? own.path() : askedFolder()) + u'/' + nameOf(*row);
        QVERIFY(QDir(folder).removeRecursively());
        const auto written = writeTruth(*runs, folder);
        QVERIFY2(written.isOk(), written.isOk() ? "" : written.error().text().c_str());
        const auto store = store::RunStore::open(folder);
        QVERIFY(store.isOk());
        QCOMPARE((*store)->list().size(), runs->size());
        std::vector<analysis::RunRecord> read;
        for (const TruthRun& run : *runs) {
            const auto record = (*store)->load(run.record.id);
            QVERIFY2(record.isOk(), record.isOk() ? "" : record.error().text().c_str());
            read.push_back(*record);
        }
        QCOMPARE(exchange::runsAsJson(read), exchange::runsAsJson(recordsOf(*runs)));
    }

    void equalRowsGiveEqualRuns()
    {
        const TruthRow& row = truthTable().front();
        QCOMPARE(exchange::runsAsJson(recordsOf(*truthRuns(row))), exchange::runsAsJson(recordsOf(*truthRuns(row))));
    }

    void headlinesAreChecked_data();
    void headlinesAreChecked();

private:
    static void addRows()
    {
        QTest::addColumn<const TruthRow*>("row");
        for (const TruthRow& row : truthTable()) {
            QTest::addRow("%s", qPrintable(nameOf(row))) << &row;
        }
    }
};

void TestTruthStores::headlinesAreChecked_data()
{
    QTest::addColumn<QString>("store");
    QTest::addColumn<bool>("isChinese");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("wrong");
    const auto english = [](const char* store, const char* text, const char* wrong = "") {
        QTest::newRow(text) << QString::fromUtf8(store) << false << QString::fromUtf8(text) << QString::fromUtf8(wrong);
    };
    const auto chinese = [](const char* store, const char* text, const char* wrong = "") {
        QTest::newRow(text) << QString::fromUtf8(store) << true << QString::fromUtf8(text) << QString::fromUtf8(wrong);
    };
    english("rate-best", "SGD lr=0.003 ends with the lowest loss, 0.087.");
    english("rate-best", "SGD lr=0.03 ends with the lowest loss.", "does not name the best");
    english("rate-best", "Whether SGD lr=0.003 is best cannot be told.", "doubts what is told");
    english("rate-two-best", "SGD lr=0.003 and SGD lr=0.01 cannot be told apart.");
    english("rate-two-best", "SGD lr=0.003 ends with the lowest loss.", "names a winner that is not told");
    english("optimizers-once", "Adam ends lowest, but each ran once.");
    english("optimizers-once", "Adam ends lowest.", "names a winner that is not told");
    english("schedules-alike", "No difference between the schedules is seen.");
    english("schedules-alike", "The schedules give these losses.", "does not say that nothing is told");
    english("depth-falls", "Adam depth=6 is best: the loss falls as net.depth grows.");
    english("slow-rank", "Rank 1 is slow.", "does not name the slow rank");
    english("rate-one-never-learns", "SGD lr=0.1 is best. SGD lr=1e-04 did not learn.");
    english("rate-one-never-learns", "SGD lr=0.1 is best.", "does not name SGD lr=1e-04");
    english("scaling-impossible", "2 ranks are 3.8 times as fast.", "believes an impossible speed-up");
    chinese("rate-best", "SGD lr=0.003 的最终损失最低。");
    chinese("rate-two-best", "SGD lr=0.003 与 SGD lr=0.01 无法区分。");
    chinese("rate-two-best", "SGD lr=0.003 的损失最低。", "names a winner that is not told");
    chinese("width-flat", "net.hidden 对损失没有影响。");
    chinese("scaling-busy", "机器繁忙，这些时间无法判断快慢。");
}

void TestTruthStores::headlinesAreChecked()
{
    QFETCH(QString, store);
    QFETCH(bool, isChinese);
    QFETCH(QString, text);
    QFETCH(QString, wrong);
    const auto table = truthTable();
    const auto row = std::ranges::find_if(table, [&](const TruthRow& each) { return nameOf(each) == store; });
    QVERIFY(row != table.end());
    const QStringList found = wrongIn({*row, variantsOf(*truthRuns(*row)),
        isChinese ? language::TextLanguage::Chinese : language::TextLanguage::English, text});
    QVERIFY2(wrong.isEmpty() ? found.isEmpty() : found.join(u'\n').contains(wrong), qPrintable(found.join(u'\n')));
}

LOCKSTEP_TEST(TestTruthStores)
#include "test_truth_stores.moc"
