// Figures of summaries, models and sentences against values computed by hand.
#include "analysis/findings/laboratories.h"
#include "analysis/scaling/comm_cost.h"
#include "analysis/scaling/scaling.h"
#include "analysis/table/finding_table.h"
#include "analysis/timing/rank_summary.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

RunRecord runWith(const char* name, std::vector<experiment::Override> overrides)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    RunRecord run;
    run.spec = experiment::expand(*spec)->front();
    run.spec.name = name;
    run.id.text = name;
    run.status = RunStatus::Finished;
    return run;
}

std::vector<experiment::Override> dataParallel(const char* ranks)
{
    return {{"strategy.name", "data"}, {"world_size", ranks}};
}

std::optional<Finding> foundIn(const std::vector<RunRecord>& runs, std::string_view kind)
{
    const auto all = aggregationFindings(runs);
    const auto found = std::ranges::find(all, kind, &Finding::kind);
    return found == all.end() ? std::nullopt : std::optional(*found);
}

double figureOf(const std::optional<Finding>& finding, std::string_view name)
{
    for (const auto& [each, value] : finding ? finding->figures : decltype(finding->figures){}) {
        if (each == name) {
            return value;
        }
    }
    return std::nan("");
}

} // namespace

class TestAnalysisFormulas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void medianOfAnEvenNumberIsTheMiddle()
    {
        RunningMedian median;
        for (const double value : {10.0, 1.0, 3.0, 2.0}) {
            median.add(value);
        }
        QCOMPARE(median.median(), 2.5);
    }

    void warmUpIsLeftOut()
    {
        RankSummaryBuilder builder;
        for (std::int64_t step = 1; step <= WarmUpSteps + 2; ++step) {
            StepRow row;
            row.step = step;
            row.wallNs = step <= WarmUpSteps ? 100'000'000 : 1'000'000;
            builder.addStep(0, row);
        }
        QCOMPARE(builder.summaries().front().msPerStep, 1.0);
    }

    void ranksThatSynchronizeSeldomCommunicateLess()
    {
        ScalingModel model;
        model.algorithm = "ring";
        model.bytes = 1e6;
        model.links = {{.ranks = 4, .fit = {.link = {1e-5, 1e-9}}}};
        const double each = model.communicateMs(4, ScalingModel::Cores::Enough);
        QVERIFY(std::abs(each - (6 * 1e-5 + 1.5 * 1e6 * 1e-9) * 1e3) < 1e-12);
        model.stepsPerExchange = 4.0;
        QVERIFY(std::abs(model.communicateMs(4, ScalingModel::Cores::Enough) - each / 4.0) < 1e-12);
    }

    void computationIsWhatIsLeft()
    {
        RunRecord single = runWith("single", {{"strategy.name", "single"}});
        single.summary.msPerStep = 10.0;
        RunRecord two = runWith("two", dataParallel("2"));
        two.summary.msPerStep = 6.0;
        two.summary.commMsPerStep = 2.0;
        two.summary.waitMsPerStep = 1.0;
        const ScalingStudy study = scalingStudy(std::vector{single, two});
        QVERIFY(!study.curves.empty());
        QCOMPARE(study.curves.front().points.back().computeMs, 3.0);
    }

    /// A ring sends 2 (p - 1) / p of the array: 1.5 of it with four ranks. 80 Mbit/s are 0.01 GB/s.
    void modelKnowsArrayAndLink()
    {
        auto settings = dataParallel("4");
        settings.push_back({"aggregation.algorithm", "ring"});
        settings.push_back({"link.latency_us", "100"});
        settings.push_back({"link.bandwidth_mbps", "80"});
        RunRecord run = runWith("ring", settings);
        run.summary.bytesPerStep = 1.5e6;
        const auto found = foundIn({run}, "aggregation.model");
        QVERIFY(std::abs(figureOf(found, "bytes") - 1e6) < 1e-3);
        QVERIFY(std::abs(figureOf(found, "beta_gb_per_s") - 0.01) < 1e-9);
        // Algorithms are called as in the form, in the reader's language.
        const auto bracketed = [](std::string_view text) {
            return text.find('%') == text.npos ? "<" + std::string(text) + ">" : std::string(text);
        };
        const std::string text = analysis::sentence(*found, bracketed);
        const analysis::TextTable table = tableOf(*found, bracketed);
        const auto hasRow = [&](const std::string& name) {
            return std::ranges::any_of(table.rows, [&](const auto& row) { return row.front() == name; });
        };
        QVERIFY(hasRow("<Halving-doubling>") && hasRow("<Ring>"));
        QVERIFY2(text.find("predicts <Tree> to be faster than <Ring>") != text.npos, text.c_str());
    }

    void visibleDifferencesOfASumAreSaid()
    {
        const auto said = [](double difference) {
            RunRecord mean = runWith("mean", dataParallel("2"));
            mean.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, 1.0}};
            mean.spec.settings["optimizer.lr"] = 0.5;
            RunRecord sum = mean;
            sum.spec.name = "sum";
            sum.spec.settings["aggregation.rule"] = std::string("sum");
            sum.loss.value = {1.0, 1.0 + difference};
            return foundIn({mean, sum}, "aggregation.sum");
        };
        QVERIFY(!said(0.01));
        QVERIFY(said(0.1));
        QCOMPARE(figureOf(said(0.1), "effective_learning_rate"), 1.0);
        QCOMPARE(std::stod(said(0.1)->arguments[6]), 0.25);
    }
};

LOCKSTEP_TEST(TestAnalysisFormulas)
#include "test_analysis_formulas.moc"
