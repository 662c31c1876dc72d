#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "base/random.h"
#include "core/analysis/optimizer_runs.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

const Finding* find(const std::vector<Finding>& findings, std::string_view kind)
{
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; });
    return found == findings.end() ? nullptr : &*found;
}

} // namespace

class TestFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void otherSettingsAreNoRepeats()
    {
        RunRecord first = optimizerRun(1, 0, 40, 1e-3, 0.9);
        RunRecord again = optimizerRun(1, 1, 40, 1e-3, 0.9);
        again.spec.settings["train.seed"] = std::int64_t{2};
        RunRecord slower = optimizerRun(1, 2, 80, 1e-3, 0.8);
        slower.spec.settings["optimizer.lr"] = 0.01;
        RunRecord labelled = slower;
        labelled.spec.settings["train.batch"] = std::int64_t{128};
        labelled.label = "mine";
        const std::vector<RunRecord> runs{first, again, slower, labelled};
        const auto all = findings(runs);
        std::string text;
        for (const Finding& finding : all) {
            text += sentence(finding, {}) + "\n";
            for (const auto& row : finding.table.rows) {
                text += row.front() + "\n";
            }
        }
        const auto notes = methodNotes(all, runs);
        QVERIFY(!notes.empty());
        QCOMPARE(sentence(notes.front(), {}),
            std::string(
                "Numbers are means over 1 to 2 repeats with other seeds; 95 % confidence intervals in brackets."));
        QVERIFY2(text.find("SGD, learning rate 0.01") != std::string::npos, text.c_str());
        QVERIFY2(text.find("mine") != std::string::npos, text.c_str());
    }

    /// The loss is 2 at first and 1 from step 11 on, the target 1.1. The average with weight 0.9, debiased as Adam's,
    /// is 1 + (0.9^(n - 10) - 0.9^n) / (1 - 0.9^n): 1.092 at step 29 for the first time, where without smoothing it
    /// would be step 11.
    void theTargetIsReachedByTheSmoothedLoss()
    {
        RunRecord run = optimizerRun(1, 0, 40, 1e-3, 0.9);
        RunRecord other = optimizerRun(2, 0, 40, 1e-3, 0.9);
        for (std::size_t i = 0; i < run.loss.value.size(); ++i) {
            run.loss.value[i] = i < 10 ? 2.0 : 1.0;
            other.loss.value[i] = i < 1 ? 2.0 : 1.05;
        }
        const auto said = findings(std::vector<RunRecord>{run, other});
        const Finding* reached = find(said, "optimizers.to_loss");
        QVERIFY(reached != nullptr);
        QCOMPARE(figure(*reached, "loss"), 1.1);
        QCOMPARE(figure(*reached, "steps_SGD"), 29.0);
    }

    void theOrderDependsOnWhatIsCounted()
    {
        // SGD needs twice the steps of Adam, but a step costs a fifth.
        std::vector<RunRecord> runs{optimizerRun(1, 0, 40, 0.001, 0.95), optimizerRun(2, 0, 20, 0.005, 0.96)};
        const auto once = findings(runs);
        QVERIFY(find(once, "optimizers.fewest_steps") == nullptr && find(once, "optimizers.fastest") == nullptr);
        QVERIFY(find(once, "optimizers.one_repeat") != nullptr);
        runs.push_back(optimizerRun(1, 1, 41, 0.001, 0.95));
        runs.push_back(optimizerRun(2, 1, 20.6, 0.005, 0.96));
        const auto said = findings(runs);
        const Finding* steps = find(said, "optimizers.fewest_steps");
        const Finding* seconds = find(said, "optimizers.fastest");
        QVERIFY(steps != nullptr && seconds != nullptr);
        QCOMPARE(steps->arguments[0], std::string("Adam"));
        QCOMPARE(seconds->arguments[0], std::string("SGD"));
        QVERIFY(figure(*steps, "ratio") > 1.5 && figure(*steps, "ratio") < 2.5);
        QVERIFY(figure(*seconds, "ratio") > 2.0);
        QVERIFY(figure(*seconds, "ratio_low") > 1.0 && figure(*seconds, "ratio_high") > figure(*seconds, "ratio"));
        QVERIFY(find(said, "optimizers.one_repeat") == nullptr);
    }

    /// The first variant runs while the others load: its steps are as long as theirs all the same.
    void secondsAreStepsOfTheMeanTime()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(optimizerRun(1, repeat, 30 + repeat, 0.001, 0.95));
            runs.push_back(optimizerRun(1, repeat, 30 + repeat, 0.001, 0.95));
            runs.back().spec.name = "again";
            runs.back().id.text += "again";
            for (double& seconds : runs.back().loss.seconds) {
                seconds += 4.0; // a late first step
            }
        }
        const auto said = findings(runs);
        QVERIFY(find(said, "optimizers.fastest") == nullptr);
        const Finding* reached = find(said, "optimizers.to_loss");
        QVERIFY(reached != nullptr);
        QCOMPARE(reached->table.rows.size(), std::size_t{2});
        const double seconds = figure(*reached, "seconds_SGD");
        QVERIFY(std::fabs(seconds - figure(*reached, "steps_SGD") * 0.001) < 1e-9);
        QCOMPARE(figure(*reached, "seconds_again"), seconds);
    }

    /// Two that are as good as each other, and one that is not: who is first is left open, not that the third is last.
    void severalMayBeFirst()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(optimizerRun(0, repeat, 20 + 0.1 * repeat, 0.1, 0.9));
            runs.push_back(optimizerRun(1, repeat, 20 + repeat, 0.001, 0.95));
            runs.push_back(optimizerRun(2, repeat, 22 - repeat, 0.001, 0.95));
        }
        const auto said = findings(runs);
        const Finding* seconds = find(said, "optimizers.fastest_tied");
        QVERIFY(seconds != nullptr && find(said, "optimizers.fastest") == nullptr);
        const std::string text = sentence(*seconds, {});
        QVERIFY2(text.starts_with("In seconds to a loss of ")
                && (text.find("the best mean is that of SGD, which cannot be told from Adam. ") != std::string::npos
                    || text.find("the best mean is that of Adam, which cannot be told from SGD. ") != std::string::npos)
                && text.ends_with(" Slower: GD."),
            text.c_str());
        QVERIFY(find(said, "optimizers.fewest_steps") == nullptr);
    }

    /// However wide an interval of few repeats is that holds for all pairs at once.
    void whatIsFarBehindInEveryRunIsNotFirst()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(optimizerRun(0, repeat, 60 + 20 * repeat, 0.001, 0.9));
            runs.push_back(optimizerRun(1, repeat, 20 + 0.1 * repeat, 0.001, 0.95));
            runs.push_back(optimizerRun(2, repeat, 20.4 - 0.3 * repeat, 0.001, 0.95));
        }
        const auto said = findings(runs);
        const Finding* steps = find(said, "optimizers.fewest_steps_tied");
        QVERIFY(steps != nullptr);
        QVERIFY2(sentence(*steps, {}).ends_with(". More: GD."), sentence(*steps, {}).c_str());
    }

    /// 200 stores of six equal variants with three seeds each: chance names a winner in at most 17 of them.
    void chanceSeldomNamesAWinner()
    {
        Random random(Seed{20261129});
        int steps = 0;
        int seconds = 0;
        int communication = 0;
        for (int store = 0; store < 200; ++store) {
            std::vector<RunRecord> runs;
            for (int variant = 0; variant < 6; ++variant) {
                for (int repeat = 0; repeat < 3; ++repeat) {
                    RunRecord run = optimizerRun(1, repeat, 40.0 * std::exp(0.1 * random.normal()),
                        0.001 * std::exp(0.2 * random.normal()), 0.9);
                    run.spec.settings["strategy.name"] = std::string("data");
                    run.spec.settings["world_size"] = std::int64_t{2};
                    run.spec.settings["comm.bucket_kb"] = std::int64_t{100 + variant};
                    run.spec.name = "v" + std::to_string(variant);
                    run.id.text = run.spec.name + std::to_string(repeat);
                    run.summary.commMsPerStep = std::exp(0.2 * random.normal());
                    runs.push_back(std::move(run));
                }
            }
            const auto said = findings(runs);
            steps += find(said, "optimizers.fewest_steps") != nullptr ? 1 : 0;
            seconds += find(said, "optimizers.fastest") != nullptr ? 1 : 0;
            const Finding* least = find(said, "aggregation.fastest");
            QVERIFY(least != nullptr);
            communication += least->pattern.find("spends the least") != std::string_view::npos
                    && least->pattern.find("cannot be told") == std::string_view::npos
                ? 1
                : 0;
        }
        QVERIFY2(steps <= 17 && seconds <= 17 && communication <= 17,
            qPrintable(QStringLiteral("%1, %2 and %3 of 200").arg(steps).arg(seconds).arg(communication)));
    }

    /// The means over all seeds have one order, the pairs of common seeds the other: no winner is named.
    void pairsThatContradictTheMeansNameNoWinner()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 5; ++repeat) {
            runs.push_back(optimizerRun(1, repeat, repeat < 3 ? 40 + repeat : 5, 0.001, 0.9));
        }
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(optimizerRun(2, repeat, 34 + repeat, 0.001, 0.9));
        }
        QVERIFY(find(findings(runs), "optimizers.fewest_steps") == nullptr);
    }

    /// A loss at the level of chance is no target.
    void whatHasNotLearnedIsNamedAndLeftOut()
    {
        std::vector<RunRecord> runs{
            optimizerRun(1, 0, 40, 0.001, 0.95), optimizerRun(2, 0, 20, 0.005, 0.96), optimizerRun(0, 0, 20, 0.1, 0.1)};
        for (double& loss : runs[2].loss.value) {
            loss = 2.3;
        }
        const auto said = findings(runs);
        const Finding* unlearned = find(said, "optimizers.not_learned");
        QVERIFY(unlearned != nullptr);
        QCOMPARE(unlearned->arguments, (std::vector<std::string>{"GD", "2.30"}));
        const Finding* reached = find(said, "optimizers.to_loss");
        QVERIFY(reached != nullptr && figure(*reached, "loss") < 1.0);
        QVERIFY(std::ranges::any_of( // a row, but no steps
            reached->table.rows, [](const auto& row) { return row.front() == "GD" && row[1] == "–"; }));
        QVERIFY(find(findings(std::vector{runs[0], runs[1]}), "optimizers.not_learned") == nullptr);
    }

    void whatIsWithinTheIntervalsIsNotClaimed()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(optimizerRun(1, repeat, 30 + 10 * repeat, 0.001, 0.95));
            runs.push_back(optimizerRun(2, repeat, 51 - 10 * repeat, 0.001, 0.95));
        }
        const auto said = findings(runs);
        QVERIFY(find(said, "optimizers.fewest_steps") == nullptr);
        QVERIFY(find(said, "optimizers.fastest") == nullptr);
        QVERIFY(find(said, "optimizers.one_repeat") == nullptr);
        const Finding* reached = find(said, "optimizers.to_loss");
        QVERIFY(reached != nullptr);
        QCOMPARE(reached->table.rows.front().back(), std::string("95.0 %")); // equal repeats have no interval
    }

    void everyRunReachesTheTarget()
    {
        const std::vector<RunRecord> runs{
            optimizerRun(0, 0, 60, 0.1, 0.9), optimizerRun(1, 0, 40, 0.001, 0.95), optimizerRun(2, 0, 20, 0.005, 0.96)};
        const auto said = findings(runs);
        const Finding* reached = find(said, "optimizers.to_loss");
        QVERIFY(reached != nullptr);
        for (const char* name : {"steps_GD", "steps_SGD", "steps_Adam", "seconds_GD", "seconds_SGD", "seconds_Adam"}) {
            QVERIFY(std::isfinite(figure(*reached, name)));
        }
        QVERIFY(find(said, "optimizers.whole_batch_cost") != nullptr);
        QVERIFY(std::fabs(figure(*find(said, "optimizers.whole_batch_cost"), "ratio") - 100.0) < 1e-9);
    }

    void unfinishedRunsAreNamedAndLeftOut()
    {
        std::vector<RunRecord> runs{optimizerRun(1, 0, 40, 0.001, 0.95), optimizerRun(2, 0, 20, 0.005, 0.96)};
        runs[1].status = RunStatus::Failed;
        runs[1].message = "rank 0: loss became NaN at step 3";
        const auto said = findings(runs);
        const Finding* out = find(said, "run.left_out");
        QVERIFY(out != nullptr);
        QCOMPARE(sentence(*out, {}),
            std::string("Adam did not finish (rank 0: loss became NaN at step 3) and is left out."));
        QVERIFY(find(said, "optimizers.fastest") == nullptr);
        QVERIFY(findings({}).empty());
        // Many in one sentence.
        for (int repeat = 1; repeat < 4; ++repeat) {
            runs.push_back(optimizerRun(2, repeat, 20, 0.005, 0.96));
            runs.back().status = RunStatus::Stopped;
        }
        const auto many = findings(runs);
        QCOMPARE(sentence(*find(many, "run.left_out"), {}),
            std::string("4 runs of Adam did not finish and are left out. The table of runs says why."));
    }

    void theLeastMemoryIsNamedBesideTheFormula()
    {
        const auto ofStrategy = [](const char* name, const char* strategy, std::int64_t each) {
            const std::vector<experiment::Override> overrides{{"strategy.name", strategy}, {"net.name", "deep-mlp"}};
            RunRecord made = optimizerRun(2, 0, 20, 0.005, 0.96);
            made.spec = experiment::expand(
                *experiment::customise(*experiment::preset("optimizers"), overrides, std::vector<std::string>{"Adam"}))
                            ->front();
            made.spec.name = made.id.text = name;
            for (int rank = 0; rank < 2; ++rank) {
                RankMemory memory{.rank = rank};
                memory.afterStep = {each + rank, each, 2 * each, 0, 100, 0};
                memory.planned = {each, each, 2 * each, 0, 100, 0};
                memory.highest = 5 * each;
                memory.highestResident = 200'000'000;
                analysis::addMemory(made.summary.memory, memory);
            }
            return made;
        };
        const RunRecord single = ofStrategy("single", "single", 800'000);
        const RunRecord cut = ofStrategy("cut", "pipeline", 400'000);
        const auto all = findings(std::vector{single, cut});
        const Finding* found = find(all, "memory.least_states");
        QVERIFY(found != nullptr);
        QCOMPARE(figure(*found, "states_bytes"), 1'600'001.0);
        QCOMPARE(figure(*found, "most_states_bytes"), 3'200'001.0);
        const QString text = QString::fromStdString(sentence(*found, {}));
        QCOMPARE(text,
            QStringLiteral("cut needs the least memory per rank for parameters, gradients and optimizer state: 1.60 MB "
                           "(calculated: 1.60 MB). single needs 3.20 MB, 2.00 times as much."));
        QCOMPARE(found->runs, (std::vector<RunId>{cut.id, single.id}));
        QVERIFY(find(findings(std::vector{single, single}), "memory.least_states") == nullptr); // nothing is divided
        QVERIFY(find(findings(std::vector{cut}), "memory.least_states") == nullptr);
    }

    void recomputationIsComparedWithTheRunThatKeepsAll()
    {
        const auto ofKind = [](const char* recompute, double ms, std::int64_t activations) {
            RunRecord made = optimizerRun(2, 0, 20, 0.005, 0.96);
            made.spec = experiment::expand(*experiment::customise(*experiment::preset("optimizers"),
                                               std::vector<experiment::Override>{{"train.recompute", recompute}},
                                               std::vector<std::string>{"Adam"}))
                            ->front();
            made.spec.name = made.id.text = recompute;
            made.summary.msPerStep = ms;
            RankMemory memory;
            of(memory.most, MemoryKind::Activations) = activations;
            of(memory.planned, MemoryKind::Activations) = activations - 100'000;
            analysis::addMemory(made.summary.memory, memory);
            return made;
        };
        const RunRecord kept = ofKind("none", 4.0, 8'000'000);
        const RunRecord recomputed = ofKind("layer", 5.0, 2'000'000);
        const auto all = findings(std::vector{kept, recomputed});
        const Finding* found = find(all, "memory.recompute");
        QVERIFY(found != nullptr);
        QCOMPARE(QString::fromStdString(sentence(*found, {})),
            QStringLiteral(
                "layer recomputes activations: they take at most 2.00 MB on a rank (calculated: 1.90 MB), with "
                "none 8.00 MB. A step takes 1.25 times as long."));
        QCOMPARE(figure(*found, "kept_activation_bytes"), 8e6);
        QCOMPARE(found->runs, (std::vector<RunId>{recomputed.id, kept.id}));
        RunRecord other = kept;
        other.spec.settings["net.hidden"] = std::int64_t{77};
        QVERIFY(find(findings(std::vector{other, recomputed}), "memory.recompute") == nullptr);
    }

    void aLaterSampleOfARankJoinsTheFirst()
    {
        std::vector<RankMemory> memory;
        analysis::addMemory(memory, {1, {1, 1, 1, 1, 1, 1}, {9, 2, 2, 2, 2, 2}, 20, 30, 50, 60, {}, 0});
        analysis::addMemory(memory, {0, {}, {}, 0, 0, 0, 0, {}, 0});
        analysis::addMemory(memory, {1, {3, 3, 3, 3, 3, 3}, {4, 4, 4, 4, 4, 4}, 10, 40, 40, 60, {}, 0});
        QCOMPARE(memory.size(), std::size_t{2});
        QVERIFY((memory[1] == RankMemory{1, {3, 3, 3, 3, 3, 3}, {9, 4, 4, 4, 4, 4}, 20, 40, 40, 60, {}, 0}));
    }

    void sentencesFillTheirPattern()
    {
        Finding finding;
        finding.pattern = "%2 before %1, 50 %";
        finding.arguments = {"a", "b"};
        QCOMPARE(sentence(finding, {}), std::string("b before a, 50 %"));
        QCOMPARE(sentence(finding, [](std::string_view) { return std::string("%1 在 %2 之后"); }),
            std::string("a 在 b 之后"));
    }
};

LOCKSTEP_TEST(TestFindings)
#include "test_findings.moc"
