// What a report says of runs: its tables hold the runs' own numbers, and it counts no run that did not finish.
#include "made_up_runs.h"
#include "program/test_class.h"

#include "analysis/findings/all_findings.h"

#include <QTest>

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

using namespace lockstep;
using namespace lockstep::report;
using tests::firstOf;
using tests::presetRun;
using tests::sourceOf;

namespace {

Report reportOf(const Source& source)
{
    return compose(templateFor(source.runs.front().spec.experiment), source);
}

std::string cellOf(const Table& table, const std::string& row, const std::string& column)
{
    const auto at = std::ranges::find(table.header, column) - table.header.begin();
    for (const auto& cells : table.rows) {
        if (cells.front() == row && at < static_cast<std::ptrdiff_t>(cells.size())) {
            return cells[static_cast<std::size_t>(at)];
        }
    }
    return {};
}

std::vector<analysis::RunRecord> optimizers(int repeats)
{
    std::vector<analysis::RunRecord> runs;
    for (std::size_t variant = 0; variant < 3; ++variant) {
        for (int repeat = 0; repeat < repeats; ++repeat) {
            runs.push_back(presetRun("optimizers", variant, repeat));
        }
    }
    return runs;
}

} // namespace

class TestReportValue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tablesHoldTheRunsNumbers()
    {
        const Report made = reportOf(sourceOf(optimizers(1)));
        const auto* table = firstOf<Table>(made, "table:results");
        QVERIFY(table != nullptr);
        QCOMPARE(cellOf(*table, "SGD", "Last batch loss"), std::string("0.110"));
        QCOMPARE(cellOf(*table, "SGD", "Test accuracy"), std::string("91.0 %"));
        QCOMPARE(cellOf(*table, "SGD", "Time per step (ms)"), std::string("3.00"));
        QCOMPARE(cellOf(*table, "SGD", "Throughput (samples/s)"), std::string("2,000"));
        QCOMPARE(cellOf(*table, "SGD", "n"), std::string("1"));
    }

    /// Where every run has measured its training loss, that is shown; a run without it leaves the last batch's for all.
    void lossesAreOfOneKind()
    {
        std::vector<analysis::RunRecord> runs = optimizers(1);
        for (analysis::RunRecord& run : runs) {
            run.summary.trainLoss = 0.125;
        }
        const auto headersOf = [](const std::vector<analysis::RunRecord>& all) {
            const Report made = reportOf(sourceOf(all));
            return firstOf<Table>(made, "table:results")->header;
        };
        const auto has = [](const std::vector<std::string>& headers, const char* name) {
            return std::ranges::find(headers, name) != headers.end();
        };
        const auto measured = headersOf(runs);
        QVERIFY(has(measured, "Training loss") && !has(measured, "Last batch loss"));
        const Report made = reportOf(sourceOf(runs));
        QCOMPARE(cellOf(*firstOf<Table>(made, "table:results"), "SGD", "Training loss"), std::string("0.125"));
        runs.back().summary.trainLoss = analysis::NotMeasured;
        const auto mixed = headersOf(runs);
        QVERIFY(!has(mixed, "Training loss") && has(mixed, "Last batch loss"));
    }

    /// A variant's line has what it adds, in words of the table; what is not there is not a setting.
    void settingsThatDifferAreInWords()
    {
        std::vector<analysis::RunRecord> runs = optimizers(1);
        for (analysis::RunRecord& run : runs) {
            run.spec.settings.set(&experiment::RankSettings::strategy, experiment::Strategy::Data);
            run.spec.settings.set(&experiment::RankSettings::worldSize, std::int64_t{4});
        }
        runs[1].spec.settings.set(&experiment::StragglerSettings::ranks, std::vector<std::int64_t>{1});
        runs[1].spec.settings.set(&experiment::StragglerSettings::delayMs, 5.0);
        runs[2].spec.settings.set(&experiment::DatasetSettings::testSamples, std::int64_t{512});
        const Report made = reportOf(sourceOf(runs));
        const auto* table = firstOf<Table>(made, "table:differences");
        QVERIFY(table != nullptr);
        const std::string first = table->rows[0][1];
        QVERIFY2(first.find("Test samples: all") != std::string::npos && first.find("Stragglers") == std::string::npos
                && first.find("Extra time") == std::string::npos,
            first.c_str());
        const std::string slow = table->rows[1][1];
        QVERIFY2(slow.find("Stragglers: rank 1") != std::string::npos
                && slow.find("Extra time per step: 5 ms") != std::string::npos,
            slow.c_str());
        QVERIFY(table->rows[2][1].find("Test samples: 512") != std::string::npos);
    }

    /// A table that repeats each variant's name is left out.
    void namesThatAreTheDifferenceStandOnce()
    {
        experiment::Spec spec = *experiment::preset("optimizers");
        spec.experiment = "own";
        spec.variants
            = {{"optimizer.lr=0.1", {{"optimizer.lr", 0.1}}}, {"optimizer.lr=0.01", {{"optimizer.lr", 0.01}}}};
        spec.repeats = 1;
        std::vector<analysis::RunRecord> runs = optimizers(1);
        runs.resize(2);
        const auto expanded = *experiment::expand(spec);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].spec = expanded[i];
            runs[i].spec.shown = i == 0 ? "Learning rate 0.1" : "Learning rate 0.01";
        }
        QVERIFY(firstOf<Table>(reportOf(sourceOf(runs)), "table:differences") == nullptr);
        runs[1].spec.settings.set(&experiment::TrainSettings::batch, std::int64_t{16});
        QVERIFY(firstOf<Table>(reportOf(sourceOf(runs)), "table:differences") != nullptr);
    }

    void repeatsAreMeansWithIntervals()
    {
        const Report made = reportOf(sourceOf(optimizers(3)));
        const auto* table = firstOf<Table>(made, "table:results");
        QVERIFY(table != nullptr);
        QCOMPARE(table->rows.size(), std::size_t{3});
        QCOMPARE(cellOf(*table, "GD", "n"), std::string("3"));
        // 2.0, 2.1, 2.2: geometric mean 2.098, its interval by t(0.975, 2) = 4.303 on the log scale.
        QCOMPARE(cellOf(*table, "GD", "Time per step (ms)"), std::string("2.10 [1.86, 2.36]"));
    }

    void runsThatDidNotFinishAreNamedAndNotCounted()
    {
        auto runs = optimizers(1);
        runs[1].status = analysis::RunStatus::Failed;
        runs[1].message = "rank 2: killed by signal 9";
        runs[2].status = analysis::RunStatus::Running;
        const Report made = reportOf(sourceOf(runs));
        const auto* results = firstOf<Table>(made, "table:results");
        QVERIFY(results != nullptr);
        QCOMPARE(results->rows.size(), std::size_t{1});
        const auto* others = firstOf<Table>(made, "table:left_out");
        QVERIFY(others != nullptr);
        QCOMPARE(others->rows.size(), std::size_t{2});
        QCOMPARE(cellOf(*others, "SGD", "Status"), std::string("failed"));
        QCOMPARE(cellOf(*others, "SGD", "Reason"), std::string("rank 2: killed by signal 9"));
        QCOMPARE(cellOf(*others, "Adam", "Reason"), std::string("had not ended when this report was made"));
        QVERIFY(firstOf<Paragraph>(made, "method:runs")
                    ->text.starts_with(
                        "This report is based on 3 runs of 3 variants, 2 left out (not finished, not ended yet)."));
    }

    void countsHaveTheirForms_data()
    {
        QTest::addColumn<int>("variants");
        QTest::addColumn<int>("repeats");
        QTest::addColumn<int>("failed");
        QTest::addColumn<QString>("begin");
        QTest::addRow("none")
            << 2 << 1 << 2
            << "This report is based on 2 runs of 2 variants, 2 left out (not finished). None of them counts";
        QTest::addRow("one")
            << 2 << 1 << 1 << "This report is based on 2 runs of 2 variants, 1 left out (not finished). Seed: 1. Each";
        QTest::addRow("one variant") << 1 << 3 << 0
                                     << "This report is based on 3 runs of 1 variant. Seeds: 1, 2, 3. Repeats";
        QTest::addRow("several") << 2 << 2 << 0 << "This report is based on 4 runs of 2 variants. Seeds: 1, 2. Repeats";
    }
    void countsHaveTheirForms()
    {
        QFETCH(int, variants);
        QFETCH(int, repeats);
        QFETCH(int, failed);
        QFETCH(QString, begin);
        std::vector<analysis::RunRecord> runs;
        for (int i = 0; i < variants * repeats; ++i) {
            runs.push_back(presetRun("optimizers", static_cast<std::size_t>(i / repeats), i % repeats));
            runs.back().status = i < failed ? analysis::RunStatus::Failed : analysis::RunStatus::Finished;
        }
        const Report made = reportOf(sourceOf(runs));
        const std::string& text = firstOf<Paragraph>(made, "method:runs")->text;
        QVERIFY2(text.starts_with(begin.toStdString()), text.c_str());
    }

    void settingsReadAsText()
    {
        auto runs = optimizers(1);
        for (auto& run : runs) {
            run.spec.settings["train.epochs"] = std::int64_t{1};
        }
        const Report made = reportOf(sourceOf(runs));
        QCOMPARE(cellOf(*firstOf<Table>(made, "table:settings"), "Epochs", "Value"), std::string("1 epoch"));
        // Gradient descent has no batch: it is no setting of all.
        QCOMPARE(cellOf(*firstOf<Table>(made, "table:settings"), "Batch size", "Value"), std::string());
        const Table& differences = *firstOf<Table>(made, "table:differences");
        const std::string ofSgd = cellOf(differences, "SGD", "Settings that differ");
        QVERIFY2(ofSgd.find("Batch size: 64 samples") != std::string::npos, ofSgd.c_str());
        const std::string ofGd = cellOf(differences, "GD", "Settings that differ");
        QVERIFY2(ofGd.find("Batch size") == std::string::npos, ofGd.c_str());
        // A grid has as many ranks as its sides say, although its world_size is 0.
        std::vector<analysis::RunRecord> models;
        for (std::size_t variant = 0; variant < 6; ++variant) {
            models.push_back(presetRun("model-parallel", variant));
        }
        const std::string grid
            = cellOf(*firstOf<Table>(reportOf(sourceOf(models)), "table:differences"), "grid", "Settings that differ");
        QVERIFY2(grid.find("Ranks: 4 ranks") != std::string::npos, grid.c_str());
    }

    void importedRunsAreMarked()
    {
        auto runs = optimizers(1);
        runs[1].importedFrom = "theirs.lockstep";
        const Report made = reportOf(sourceOf(runs));
        QVERIFY(!cellOf(*firstOf<Table>(made, "table:results"), "SGD (imported)", "n").empty());
        QVERIFY(cellOf(*firstOf<Table>(made, "table:results"), "SGD", "n").empty());
        QVERIFY(firstOf<Paragraph>(made, "method:runs")->text.find("SGD (from theirs.lockstep)") != std::string::npos);
        QVERIFY(firstOf<Paragraph>(reportOf(sourceOf(optimizers(1))), "method:runs")->text.find("mported")
            == std::string::npos);
    }

    void theCommandRepeatsTheReport()
    {
        Source source = sourceOf(optimizers(1));
        const auto command = [&] { return firstOf<Listing>(reportOf(source), "commands:listing")->text; };
        QVERIFY(command().find("--lang en --out report") != std::string::npos);
        source.templateName = "my lab.json";
        source.interfered = analysis::Interfered::Include;
        source.language = Language::Chinese;
        QVERIFY(command().find("--lang zh --with-interfered --template 'my lab.json' --out") != std::string::npos);
    }

    void onlyFailedRunsMakeAReport()
    {
        auto runs = optimizers(1);
        for (auto& run : runs) {
            run.status = analysis::RunStatus::Failed;
        }
        const Report made = reportOf(sourceOf(runs));
        QVERIFY(firstOf<Table>(made, "table:results") == nullptr);
        QCOMPARE(firstOf<Table>(made, "table:left_out")->rows.size(), std::size_t{3});
    }

    void runsChangedByHandAreLeftOutUnlessAskedFor()
    {
        auto runs = optimizers(1);
        runs[0].summary.interference.isSlowed = true;
        Source source = sourceOf(runs);
        QCOMPARE(firstOf<Table>(reportOf(source), "table:results")->rows.size(), std::size_t{2});
        source.interfered = analysis::Interfered::Include;
        QCOMPARE(firstOf<Table>(reportOf(source), "table:results")->rows.size(), std::size_t{3});
    }

    void everyFindingIsSomewhereOnce()
    {
        for (const char* preset : {"optimizers", "aggregation", "partitioning", "model-parallel", "sharding"}) {
            std::vector<analysis::RunRecord> runs;
            for (std::size_t variant = 0; variant < 3; ++variant) {
                runs.push_back(presetRun(preset, variant));
            }
            runs.push_back(presetRun(preset, 0, 1));
            runs.back().status = analysis::RunStatus::Failed;
            std::multiset<std::string> expected;
            for (const analysis::Finding& finding : analysis::findings(runs)) {
                expected.insert(analysis::sentence(finding, {}));
            }
            QVERIFY(!expected.empty());
            std::multiset<std::string> said;
            const Report made = reportOf(sourceOf(runs));
            for (const Block& block : made.blocks) {
                if (const auto* sentences = std::get_if<Sentences>(&block.content)) {
                    for (const Sentence& each : sentences->list) {
                        said.insert(each.text);
                    }
                }
                const auto* table = std::get_if<Table>(&block.content);
                if (table != nullptr && block.key.find("/finding:") != std::string::npos
                    && !table->caption.starts_with("The numbers of the answer")) {
                    said.insert(table->caption);
                }
            }
            QVERIFY2(said == expected, preset);
        }
    }

    void keysAreUnique()
    {
        for (const std::string_view name : templateNames()) {
            const Report made = compose(*builtInTemplate(name), sourceOf(optimizers(2)));
            std::set<std::string> keys;
            for (const Block& block : made.blocks) {
                QVERIFY2(keys.insert(block.key).second, block.key.c_str());
            }
        }
    }

    void speedUpIsOverTheSingleProcess()
    {
        // single, random, random-sampling: 1000, 2000, 3000 samples per second; four ranks each.
        std::vector<analysis::RunRecord> runs;
        for (std::size_t variant = 0; variant < 3; ++variant) {
            runs.push_back(presetRun("partitioning", variant));
        }
        const Report made = reportOf(sourceOf(runs));
        const auto* table = firstOf<Table>(made, "speed/table:results");
        QVERIFY(table != nullptr);
        QCOMPARE(cellOf(*table, "random-sampling", "Speed-up"), std::string("3.00"));
        QCOMPARE(cellOf(*table, "random-sampling", "Efficiency (%)"), std::string("75.0"));
        QCOMPARE(cellOf(*table, "single", "Speed-up"), std::string("–"));
    }

    void speedUpNeedsASingleProcessOfTheSameBatch()
    {
        std::vector<analysis::RunRecord> runs{presetRun("partitioning", 0), presetRun("partitioning", 1)};
        runs[0].spec.settings["train.batch"] = runs[0].spec.settings->train.batch * 2;
        const Report made = reportOf(sourceOf(runs));
        QVERIFY(cellOf(*firstOf<Table>(made, "speed/table:results"), "random", "Speed-up").empty());
    }

    void theSpecRepeatsTheRuns()
    {
        for (const char* preset : {"optimizers", "aggregation", "partitioning", "model-parallel", "sharding"}) {
            auto spec = experiment::preset(preset);
            spec->repeats = 2;
            const auto expected = experiment::expand(*spec);
            const auto read = experiment::parseSpec(specOf(*expected));
            QVERIFY2(read.isOk(), read ? "" : read.error().text().c_str());
            const auto again = experiment::expand(*read);
            QVERIFY2(again.isOk(), again ? "" : again.error().text().c_str());
            QCOMPARE(again->size(), expected->size());
            for (std::size_t i = 0; i < expected->size(); ++i) {
                QCOMPARE(again->at(i).name, expected->at(i).name);
                QVERIFY2(again->at(i).settings == expected->at(i).settings, expected->at(i).name.c_str());
            }
        }
    }

    void specsOfSeveralExperimentsAreAList()
    {
        const auto json = nlohmann::json::parse(
            specOf(std::vector{presetRun("optimizers", 0).spec, presetRun("sharding", 1).spec}));
        QVERIFY(json.is_array());
        QCOMPARE(json.size(), std::size_t{2});
    }

    void textsGoThroughTheTranslator()
    {
        Source source = sourceOf(optimizers(1));
        source.language = Language::Chinese;
        std::set<std::string> contexts;
        source.translate = [&](std::string_view context, std::string_view text) {
            contexts.insert(std::string(context));
            return "<" + std::string(text) + ">";
        };
        const Report made = reportOf(source);
        QCOMPARE(made.title, std::string("实验一：优化器"));
        QCOMPARE(made.words.figure, std::string("<Figure>"));
        QCOMPARE(contexts, (std::set<std::string>{"Figures", "Findings", "Parameters", "Report"}));
        for (const Block& block : made.blocks) {
            if (const auto* table = std::get_if<Table>(&block.content)) {
                QVERIFY2(table->caption.starts_with("<") || table->caption.find_first_of("%") == std::string::npos,
                    table->caption.c_str());
                for (const std::string& cell : table->header) {
                    QVERIFY2(cell.starts_with("<"), cell.c_str());
                }
            }
        }
    }
};

LOCKSTEP_TEST(TestReportValue)
#include "test_report_value.moc"
