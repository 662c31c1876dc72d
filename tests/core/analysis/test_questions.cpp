// What an experiment asks, and answers that follow from it.
#include "analysis/answers/question.h"
#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "core/analysis/made_up_stores.h"
#include "core/analysis/optimizer_runs.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

QString asked(const Runs& runs)
{
    const auto question = analysis::questionOf(runs);
    return question ? QString::fromStdString(textOf(*question, false, {})) : QString();
}

/// The preset's runs, finished.
Runs presetRuns(const char* preset)
{
    Runs runs;
    const auto specs = experiment::expand(*experiment::preset(preset));
    for (const experiment::RunSpec& spec : *specs) {
        RunRecord run;
        run.spec = spec;
        run.id.text = spec.name + std::to_string(spec.repeat);
        run.status = RunStatus::Finished;
        runs.push_back(std::move(run));
    }
    return runs;
}

QStringList headlinesOf(const Runs& runs)
{
    QStringList headlines;
    for (const Finding& finding : findings(runs)) {
        if (finding.role == Role::Headline) {
            headlines += QString::fromStdString(sentence(finding, {}));
        }
    }
    return headlines;
}

/// What is said first of a preset's runs, each with what `measure` gives it.
template <typename F>
QStringList headlinesOf(const char* preset, F measure)
{
    Runs runs = presetRuns(preset);
    std::ranges::for_each(runs, measure);
    return headlinesOf(runs);
}

/// Three seeds of each optimizer with each learning rate, by their accuracies; at most 0.4 have not learned.
Runs combinations(const std::vector<std::tuple<const char*, const char*, double>>& of)
{
    Runs runs;
    for (const int seed : {1, 2, 3}) {
        for (const auto& [optimizer, rate, accuracy] : of) {
            const bool isLearned = accuracy > 0.4;
            RunRecord run = optimizerRun(1, seed - 1, isLearned ? 40 : 1e9, 0.001,
                accuracy + 1e-5 * static_cast<double>((runs.size() * 7 + 3) % 5)); // not alike in each
            const RunRecord made = madeUpRun(std::string(optimizer) + " " + rate,
                {{"optimizer.name", optimizer}, {"optimizer.lr", rate}, {"train.seed", std::to_string(seed)}});
            run.spec = made.spec;
            run.id = made.id;
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

/// Three seeds of a step of `ms`, with noise of their own; `settings` of all.
Runs timedRuns(const std::string& name, double ms, const Settings& settings)
{
    Runs runs;
    for (int seed = 1; seed <= 3; ++seed) {
        Settings all = settings;
        all.push_back({"train.seed", std::to_string(seed)});
        RunRecord run = replicas(name, all);
        run.spec.experiment = "aggregation";
        run.summary.msPerStep
            = ms * (1.0 + 0.001 * static_cast<double>(static_cast<std::size_t>(seed) * name.size() % 5));
        runs.push_back(std::move(run));
    }
    return runs;
}

} // namespace

class TestQuestions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theQuestionFollowsFromWhatVaries()
    {
        const RunRecord first = replicas("a");
        QCOMPARE(asked({first, replicas("b", {{"optimizer.lr", "0.02"}})}),
            QStringLiteral("Which value of learning rate is best?"));
        const QString ofTwo = asked({first, replicas("b", {{"optimizer.lr", "0.02"}, {"train.batch", "16"}})});
        QVERIFY2(ofTwo.startsWith(QStringLiteral("Which combination of "))
                && ofTwo.contains(QStringLiteral("batch size")) && ofTwo.contains(QStringLiteral("learning rate")),
            qPrintable(ofTwo));
        QCOMPARE(asked({first, madeUpRun("b", {{"world_size", "4"}, {"strategy.name", "data"}})}),
            QStringLiteral("What do more ranks gain?"));
        // All that use Dirichlet's alpha have one value of it: it comes with the partition.
        QCOMPARE(asked({first, replicas("b", {{"partition.name", "dirichlet"}, {"partition.alpha", "0.1"}})}),
            QStringLiteral("Which choice of data split is best?"));
        QCOMPARE(asked({first}), QString());
        QCOMPARE(asked({}), QString());
    }

    /// The ends of the line say nothing of which did best.
    void ofSingleRunsTheBestIsNamed()
    {
        Runs runs;
        for (const auto& [rate, accuracy] : {std::pair("0.001", 0.45), std::pair("0.3", 0.97), std::pair("1", 0.78)}) {
            runs.push_back(madeUpRun(rate, {{"optimizer.lr", rate}}));
            runs.back().summary.testAccuracy = accuracy;
            runs.back().summary.steps = 100;
        }
        const QString first = QString::fromStdString(sentence(findings(runs).front(), {}));
        QCOMPARE(first,
            QStringLiteral(
                "Test accuracy: best is 0.3 (97.0 %), then 1 (78.0 %), each in one run: that may be chance."));
        for (RunRecord& run : runs) {
            run.summary.testAccuracy = 0.95 + run.spec.settings->optimizer.lr / 1000.0;
        }
        QVERIFY(
            QString::fromStdString(sentence(findings(runs).front(), {})).contains(QStringLiteral("cannot be told")));
    }

    void listsAreThoseOfTheLanguage()
    {
        const auto written = [](const std::vector<std::string>& names, bool isChinese) {
            const Finding finding{.pattern = "%1.", .arguments = {fewOf(names)}};
            const auto chinese = [](std::string_view pattern) {
                return pattern == "%1, %2"        ? std::string("%1、%2")
                    : pattern == "%1; %2"         ? std::string("%1；%2")
                    : pattern == "%1 and %2 more" ? std::string("%1，另有 %2 项")
                                                  : std::string(pattern);
            };
            return QString::fromStdString(sentence(finding, isChinese ? Translator(chinese) : Translator()));
        };
        QCOMPARE(written({"a [1, 2]", "b"}, false), QStringLiteral("a [1, 2]; b."));
        QCOMPARE(written({"a [1, 2]", "b"}, true), QStringLiteral("a [1, 2]；b."));
        QCOMPARE(written({"a", "b"}, true), QStringLiteral("a、b."));
        QCOMPARE(written({"a, 4 ranks", "b"}, true), QStringLiteral("a, 4 ranks；b."));
        QCOMPARE(written({"a", "b", "c", "d"}, false), QStringLiteral("a, b, c, d."));
        QCOMPARE(written({"a", "b", "c", "d", "e"}, false), QStringLiteral("a, b, c and 2 more."));
        QCOMPARE(written({"a", "b", "c", "d", "e"}, true), QStringLiteral("a、b、c，另有 2 项."));
        // Of many with values both ends.
        std::vector<ValueAndText> named{{2.0, "b 2"}, {9.0, "e, 4 ranks 9"}, {1.0, "a 1"}, {3.0, "c 3"}};
        const auto ends = [&named] { return sentence({.pattern = "%1.", .arguments = {endsOf(named)}}, {}); };
        QCOMPARE(ends(), std::string("b 2; e, 4 ranks 9; a 1; c 3."));
        named.emplace_back(4.0, "d 4");
        QCOMPARE(ends(), std::string("from a 1 to e, 4 ranks 9."));
    }

    void presetsAskTheirOwn()
    {
        QCOMPARE(asked(presetRuns("optimizers")),
            QStringLiteral("Which optimizer lowers the loss fastest, in steps and in seconds?"));
        QCOMPARE(asked(presetRuns("gpt")), QString::fromStdString(experiment::preset("gpt")->about.question.en));
        // A parameter varied on one of its variants asks something else.
        Runs varied = presetRuns("optimizers");
        varied.erase(varied.begin() + 1, varied.end());
        varied.push_back(varied.front());
        varied.back().spec.name = "GD lr=0.01";
        varied.back().spec.settings["optimizer.lr"] = 0.01;
        QCOMPARE(asked(varied), QStringLiteral("Which value of learning rate is best?"));
    }

    void everyPresetHasAQuestionInBothLanguages()
    {
        for (const std::string_view name : experiment::presetNames()) {
            if (name == experiment::OwnExperiment) {
                continue;
            }
            const auto question = analysis::questionOf(presetRuns(std::string(name).c_str()));
            QVERIFY2(question.has_value(), std::string(name).c_str());
            QVERIFY(question->derived || (!question->given.en.empty() && !question->given.zh.empty()));
        }
    }

    /// Against the same variant without it.
    void whatASlowRankCostsIsSaid()
    {
        const Settings slow{{"straggler.delay_ms", "5"}, {"straggler.ranks", "1"}};
        Settings slowTree = slow;
        slowTree.push_back({"aggregation.algorithm", "tree"});
        Runs runs;
        for (const Runs& part : {timedRuns("all_reduce", 2.0, {}), timedRuns("all_reduce, slow", 3.0, slow),
                 timedRuns("tree", 2.0, {{"aggregation.algorithm", "tree"}}), timedRuns("tree, slow", 5.0, slowTree)}) {
            runs.insert(runs.end(), part.begin(), part.end());
        }
        const QString text = said(runs, "answer.slow_rank_cost");
        static const QRegularExpression Expected(
            QStringLiteral("^A rank delayed by 5 ms adds to the time of a step: [23]\\.\\d+ \\[.*\\] ms \\(tree\\); "
                           "[01]\\.\\d+ \\[.*\\] ms \\(all_reduce\\)\\.$"));
        QVERIFY2(Expected.match(text).hasMatch(), qPrintable(text));
        runs.resize(3);
        QVERIFY(said(runs, "answer.slow_rank_cost").isEmpty());
    }

    /// Ranks that share cores wait for those without one: that names no slow rank.
    void ranksWithoutACoreAreNotSlow()
    {
        RunRecord run = timedRuns("all_reduce", 2.0, {}).front();
        run.spec.experiment = "aggregation";
        for (const std::int32_t rank : {0, 1}) {
            RankSummary of;
            of.rank = rank;
            of.msPerStep = 2.0;
            of.medianWaitMs = rank == 0 ? 0.0 : 1.0;
            run.ranks.push_back(of);
        }
        const Runs runs{run, timedRuns("tree", 2.0, {{"aggregation.algorithm", "tree"}}).front()};
        QVERIFY(said(runs, "answer.slow_rank").startsWith(QStringLiteral("Rank 0 is slow: in all_reduce")));
        Runs crowded = runs;
        crowded.front().summary.cores = 1;
        QVERIFY(said(crowded, "answer.slow_rank").isEmpty());
        Runs others = runs; // then the cores explain the comparison, and no rank does
        others.back().summary.cores = 1;
        QVERIFY(said(others, "answer.slow_rank").isEmpty());
    }

    /// The share is the quotient of the columns beside it.
    void backendsAreToldWhatPartOfAStepIsCommunication()
    {
        const QStringList said = headlinesOf("backends", [](RunRecord& run) {
            run.summary.msPerStep = 10.0;
            run.summary.commMsPerStep = run.spec.name == "gloo" ? 6.0 : 4.0;
            run.summary.waitMsPerStep = 1.0;
        });
        QVERIFY(!said.isEmpty());
        QCOMPARE(said.front(),
            QStringLiteral("Communication and waiting take this share of a step: shm 50.0 %, gloo 70.0 %; whether it "
                           "differs cannot be told."));
        Runs runs = presetRuns("backends");
        for (RunRecord& run : runs) {
            // A mean of the quotients would be another share.
            run.summary.msPerStep = 10.0 * (1.0 + run.spec.repeat) * (1.0 + run.spec.repeat);
            run.summary.commMsPerStep = std::array{3.0, 7.0, 62.0}.at(static_cast<std::size_t>(run.spec.repeat));
            run.summary.waitMsPerStep = 1.0;
        }
        const auto all = findings(runs);
        const auto table = std::ranges::find(all, std::string_view("aggregation.fastest"), &Finding::kind);
        QVERIFY(table != all.end());
        const double shown = QString::fromStdString(table->table.rows.front()[3]).section(u' ', 0, 0).toDouble();
        const double step = std::cbrt(10.0 * 40.0 * 90.0);
        QVERIFY(std::abs(table->figures.front().second / step - shown / 100.0) < 0.001);
    }

    void whatGainsNothingIsSaid_data()
    {
        QTest::addColumn<double>("times");
        QTest::addColumn<double>("memory");
        QTest::addColumn<QString>("said");
        QTest::addRow("slower")
            << 2.0 << 1.0
            << "^bfloat16 gained nothing here: a step takes 2\\.00.* times as long as with float32\\. "
               "Peak memory is 1\\.00 MB instead of 1\\.00 MB\\.$";
        QTest::addRow("as fast") << 1.0 << 1.04
                                 << "^bfloat16 gained nothing here: no difference worth naming from float32 in time "
                                    "per step\\. Peak memory is 1\\.04 MB instead of 1\\.00 MB\\.$";
        QTest::addRow("no time") << 1.5 << 0.5
                                 << "^bfloat16 gained no time here: a step takes 1\\.50.* times as long as with "
                                    "float32\\.$";
        QTest::addRow("time") << 0.5 << 1.0 << "^Time per step against float32: bfloat16 ";
    }
    void whatGainsNothingIsSaid()
    {
        QFETCH(double, times);
        QFETCH(double, memory);
        QFETCH(QString, said);
        const QStringList all = headlinesOf("mixed-precision", [&](RunRecord& run) {
            const bool isHalf = run.spec.name == "bfloat16";
            run.summary.msPerStep
                = (isHalf ? times * (1.0 + 0.001 * run.spec.repeat) : 1.0) * (1.0 + 0.1 * run.spec.repeat);
            RankMemory kept;
            kept.highest = static_cast<std::int64_t>(1e6 * (isHalf ? memory : 1.0));
            run.summary.memory.push_back(kept);
        });
        QVERIFY(!all.isEmpty());
        QVERIFY2(QRegularExpression(said).match(all.front()).hasMatch(), qPrintable(all.join(u'\n')));
        // The ratio is said once.
        QCOMPARE(all.filter(QStringLiteral("Time per step against")).size(), times < 1.0 ? 1 : 0);
    }

    /// An interval that excludes 1 and crosses the bound of what is worth naming is a difference, wherever it is told.
    void costAndMemoryAreOneSentence()
    {
        Runs runs = presetRuns("offload");
        constexpr std::array Times{1.08, 1.10, 1.12};
        for (RunRecord& run : runs) {
            const bool isOnDisk = run.spec.name == "disk";
            const auto repeat = static_cast<std::size_t>(run.spec.repeat);
            run.summary.msPerStep = 10.0 * (1.0 + 0.1 * static_cast<double>(repeat)) * (isOnDisk ? Times[repeat] : 1.0);
            RankMemory kept;
            kept.highest = isOnDisk ? 660'000 : 1'000'000;
            run.summary.memory.push_back(kept);
        }
        const auto all = findings(runs);
        static const QRegularExpression Expected(QStringLiteral(
            "^Least peak memory per rank: 660 kB with disk, instead of 1.00 MB with none; a step takes 1\\.10\\d* "
            "\\[1\\.05\\d*, 1\\.1[45]\\d*\\] times as long\\.$"));
        const QString first = QString::fromStdString(sentence(all.front(), {}));
        QVERIFY2(Expected.match(first).hasMatch(), qPrintable(first));
        for (const Finding& finding : all) {
            const std::string text = sentence(finding, {});
            QVERIFY2(text.find("cannot be told") == std::string::npos, text.c_str());
            QVERIFY2(!finding.kind.starts_with("timing."), text.c_str()); // said once
        }
        for (RunRecord& run : runs) {
            run.summary.memory.clear();
        }
        QVERIFY2(headlinesOf(runs).front().startsWith(QStringLiteral("Time per step against none: disk × 1.100 [")),
            qPrintable(headlinesOf(runs).join(u'\n')));
    }

    /// However wide its interval is, what is worse in every run is none of the best.
    void theBestAreThoseThatRunsCannotTell()
    {
        Runs runs;
        const auto add = [&runs](const char* optimizer, const std::vector<double>& accuracies) {
            for (std::size_t i = 0; i < accuracies.size(); ++i) {
                runs.push_back(
                    madeUpRun(optimizer, {{"optimizer.name", optimizer}, {"train.seed", std::to_string(i + 1)}}));
                runs.back().summary.testAccuracy = accuracies[i];
            }
        };
        add("sgd", {0.884, 0.890, 0.880});
        add("adam", {0.885, 0.880, 0.887});
        add("momentum", {0.500, 0.501, 0.502});
        add("nesterov", {0.20, 0.37, 0.55});
        QCOMPARE(headlinesOf(runs).front(),
            QStringLiteral("Test accuracy: the best mean is that of sgd (88.5 %), which cannot be told from adam (88.4 "
                           "%) by these runs. Worse: momentum, nesterov."));
        std::erase_if(runs, [](const RunRecord& run) { return run.spec.name == "adam"; });
        QCOMPARE(headlinesOf(runs).front(),
            QStringLiteral("Test accuracy: best in every run is sgd (88.5 %), but these runs cannot tell that for "
                           "sure."));
    }

    /// Its loss fell, and it still guesses.
    void whatGuessesHasHardlyLearned()
    {
        Runs runs;
        for (const int repeat : {0, 1, 2}) {
            runs.push_back(optimizerRun(1, repeat, 40, 0.001, 0.11));
            runs.push_back(optimizerRun(2, repeat, 40 + repeat, 0.001, 0.90 + 0.001 * repeat));
        }
        QVERIFY2(headlinesOf(runs).contains(QStringLiteral(
                     "Hardly learned: SGD. The training loss or the test accuracy stayed near that of guessing.")),
            qPrintable(headlinesOf(runs).join(u'\n')));
    }

    /// And a warm-up is compared with the same schedule without it.
    void aConstantRateThatIsBestIsSaidInWords()
    {
        const QStringList said = headlinesOf("schedules", [](RunRecord& run) {
            const std::size_t own = static_cast<std::size_t>(run.spec.repeat) * run.spec.name.size();
            const double noise = 1.0 + 1e-3 * static_cast<double>(own % 5);
            const double loss = run.spec.name == "constant" ? 0.01 : run.spec.name == "step" ? 0.03 : 0.033;
            run.summary.trainLoss = loss * noise;
            run.summary.testAccuracy = 0.97 + 0.001 * run.spec.repeat;
        });
        QCOMPARE(said.size(), 3);
        QVERIFY2(said[0].startsWith(QStringLiteral("The learning rate need not fall here: training loss is lowest with "
                                                   "constant, 0.0100"))
                && said[0].contains(QStringLiteral(". The others have 3.00 to 3.3"))
                && said[1].startsWith(QStringLiteral("warm-up did not help: training loss is 0.033"))
                && said[1].contains(QStringLiteral("With cosine, the same schedule without it, it is 0.033"))
                && said[2].startsWith(QStringLiteral("Test accuracy: ")),
            qPrintable(said.join(u'\n')));
    }

    /// Without its name: there is no other.
    void whereNoneLearnedNoneIsNamed()
    {
        Runs runs;
        for (const char* rate : {"0.001", "0.002", "0.003", "0.004"}) {
            runs.push_back(optimizerRun(1, 0, 1e9, 0.001, 0.1));
            runs.back().spec.name = rate;
            runs.back().id.text = rate;
            runs.back().spec.settings["optimizer.lr"] = QString::fromLatin1(rate).toDouble();
        }
        QVERIFY2(!headlinesOf(runs).filter(QStringLiteral("None of the 4 variants learned")).isEmpty(),
            qPrintable(headlinesOf(runs).join(u'\n')));
    }

    /// A single combination that never learned makes no average.
    void whatHardlyLearnedCarriesNoInfluence()
    {
        const Runs runs = combinations({{"sgd", "0.01", 0.7}, {"sgd", "0.1", 0.9}, {"momentum", "0.01", 0.8},
            {"momentum", "0.1", 0.9}, {"adam", "0.01", 0.8}, {"adam", "0.1", 0.1}});
        const QString influence = headlinesOf(runs).front();
        QVERIFY2(influence.startsWith(QStringLiteral("Test accuracy depends most on learning rate: it rises from 75.0"))
                && influence.contains(QStringLiteral("Optimizer changes it by up to 5.0 points")),
            qPrintable(influence));
        QCOMPARE(said(runs, "answer.influence_without"),
            QStringLiteral("What each setting changes is compared without optimizer Adam, where adam 0.1 hardly "
                           "learned."));
        const auto all = findings(runs);
        const auto table = std::ranges::find(all, std::string_view("optimizers.to_loss"), &Finding::kind);
        QVERIFY(table != all.end());
        QCOMPARE(table->table.rows.size(), std::size_t{6});
        QCOMPARE(table->table.rows.back().front(), std::string("adam 0.1"));
        QCOMPARE(table->table.rows.back()[1], std::string("–"));
    }

    /// Each number follows from the table by the rule of the page, of one set of combinations; where the sets disagree
    /// nothing is ranked.
    void whatIsLeftOutMayDecideWhatMatters()
    {
        const Runs runs = combinations({{"sgd", "0.001", 0.48}, {"sgd", "0.01", 0.79}, {"sgd", "0.1", 0.95},
            {"momentum", "0.001", 0.786}, {"momentum", "0.01", 0.948}, {"momentum", "0.1", 0.95},
            {"adam", "0.001", 0.95}, {"adam", "0.01", 0.94}, {"adam", "0.1", 0.1}});
        const QStringList headlines = headlinesOf(runs);
        QCOMPARE(headlines.size(), 3);
        QVERIFY2(headlines[0].startsWith(QStringLiteral("Test accuracy: the best mean is that of ")),
            qPrintable(headlines[0])); // the best first
        QCOMPARE(headlines[2],
            QStringLiteral(
                "Which setting changes test accuracy more cannot be told, since adam 0.1 hardly learned. Without "
                "optimizer Adam it is learning rate, without learning rate 0.1 it is optimizer."));
        QCOMPARE(said(runs, "answer.influence_without"),
            QStringLiteral("With optimizer Adam left out, learning rate changes test accuracy by up to 31.7 points, "
                           "optimizer by up to 15.5.\nWith learning rate 0.1 left out, optimizer changes test accuracy "
                           "by up to 31.0 points, learning rate by up to 15.4."));
    }

    /// Neither the longest nor the shortest is cut off.
    void whatIsSlowerAndWhatIsFasterAreNamed()
    {
        const auto timesOf = [](const std::string& name) {
            return name == "single" ? 2.0 : name == "tensor" ? 1.0 : name == "grid" ? 6.0 : 4.0;
        };
        const QStringList said = headlinesOf("model-parallel", [&](RunRecord& run) {
            const bool isSingle = run.spec.name == "single";
            run.summary.msPerStep
                = timesOf(run.spec.name) * (isSingle ? 1.0 : 1.0 + 0.001 * run.spec.repeat * run.spec.repeat);
        });
        QVERIFY(!said.isEmpty());
        static const QRegularExpression Expected(QStringLiteral(
            "^Time per step against single is higher in some \\(from .* × 2\\.00.* to grid × 3\\.00.*\\), "
            "lower in others \\(tensor × 0\\.500.*\\)\\. Of the 7 others 7 differ by an amount worth "
            "naming\\.$"));
        QVERIFY2(Expected.match(said[0]).hasMatch(), qPrintable(said[0]));
    }

    /// Of few variants what each takes, of many what the first one takes and the range of the others.
    void whatAveragingTakesIsSaid()
    {
        const QStringList said = headlinesOf("aggregation", [](RunRecord& run) {
            run.summary.msPerStep = run.spec.name == "ring" ? 20.0 : 10.0;
            run.summary.commMsPerStep = run.spec.name == "ring" ? 12.0 : run.spec.name == "tree" ? 5.0 : 4.0;
            run.summary.waitMsPerStep = 1.0;
        });
        QVERIFY2(said.contains(QStringLiteral("With all_reduce, weighted_mean, sum, communicating and waiting take "
                                              "50.0 % of a step, or 5.00 of 10.0 ms. With the others they take from "
                                              "50.0 % (reduce_broadcast) to 65.0 % (ring).")),
            qPrintable(said.join(u'\n')));
    }

    /// That the data-parallel variants do not split the net.
    void cutsAnswerBeforeWholeNets()
    {
        const QStringList said = headlinesOf("model-parallel", [](RunRecord& run) {
            const bool isData = run.spec.name == "data";
            const bool isSingle = run.spec.name == "single";
            run.summary.msPerStep = (isData            ? 1.0
                                            : isSingle ? 2.0
                                                       : 4.0)
                * (isSingle ? 1.0 : 1.0 + 0.001 * run.spec.repeat * run.spec.repeat);
            RankMemory kept;
            kept.highest = isData ? 2'000'000 : isSingle ? 1'500'000 : 1'000'000;
            run.summary.memory.push_back(kept);
        });
        QCOMPARE(said.size(), 1);
        QVERIFY2(
            said[0].startsWith(QStringLiteral("With rpc, p2p, tensor and 4 more, memory is saved but time is lost. "
                                              "Peak memory is 0.667 times that of single, the time per step 2.00")),
            qPrintable(said[0]));
    }

    /// Both ends agree, the size between them does not.
    void theoryIsJudgedAtEverySize()
    {
        const Runs runs{sweep("ring", {20.0, 20.1, 21.0, 220.0, 282.0, 4214.0}, {{"aggregation.algorithm", "ring"}}),
            sweep("tree", {40.0, 40.1, 42.0, 72.0, 564.0, 8428.0}, {{"aggregation.algorithm", "tree"}})};
        const QString text = said(runs, "collectives.theory");
        QVERIFY2(text.startsWith(
                     QStringLiteral("In theory, time = messages × time per message + bytes ÷ bandwidth, both fitted to "
                                    "these measurements. It agrees with 11 of 12 of them to within a factor "
                                    "of 1.5. It is furthest off with ring at 16.4 kB: ")),
            qPrintable(text));
        QCOMPARE(said(runs, "collectives.times"),
            QStringLiteral("Depending on the algorithm, a call takes 20.0 µs – 40.0 µs at 4 B, and 4.21 ms – 8.43 ms "
                           "at 4.19 MB. Behind each "
                           "time the prediction stands in brackets."));
        // The rows also give what theory predicts.
        const auto all = findings(runs);
        const auto times = std::ranges::find(all, std::string_view("collectives.times"), &Finding::kind);
        QCOMPARE(times->table.header, (std::vector<std::string>{"Size", "ring", "tree"}));
        QVERIFY2(times->table.rows.front()[2].ends_with(" µs)"), times->table.rows.front()[2].c_str());
    }

    /// Width pays, depth does not.
    void largerNetsAreToldWhatTheyGainAndCost()
    {
        const QStringList said = headlinesOf("gpt", [](RunRecord& run) {
            // Not alike in each, so that their differences have intervals.
            const double noise = run.spec.name == "small" ? 1.0 : 1.0 + 1e-4 * run.spec.repeat * run.spec.repeat;
            run.summary.trainLoss = (run.spec.name == "wide" ? 2.4 : 2.6) * noise;
            run.summary.msPerStep = (run.spec.name == "small" ? 50.0 : 100.0) * noise;
        });
        QVERIFY(said.size() >= 2);
        static const QRegularExpression Wide(
            QStringLiteral("^wide against small: training loss 2\\.40.* instead of "
                           "2\\.60\\d*\\. A step takes 2\\.00\\d* .*times as long\\.$"));
        QVERIFY2(Wide.match(said[0]).hasMatch(), qPrintable(said[0]));
        QVERIFY2(said[1].startsWith(QStringLiteral("deep gains nothing against small: training loss 2.60")),
            qPrintable(said[1]));
    }

    /// And where it does not, nothing is said.
    void aBestValueThatDependsOnAnotherSettingIsSaid()
    {
        Runs runs;
        for (const auto& [optimizer, rate, accuracy] : {std::tuple("sgd", "0.01", 0.7), std::tuple("sgd", "0.1", 0.9),
                 std::tuple("adam", "0.01", 0.95), std::tuple("adam", "0.1", 0.3)}) {
            for (int repeat = 0; repeat < 3; ++repeat) {
                runs.push_back(madeUpRun(std::string(optimizer) + " " + rate,
                    {{"optimizer.name", optimizer}, {"optimizer.lr", rate},
                        {"train.seed", std::to_string(1 + repeat)}}));
                runs.back().spec.repeat = repeat;
                runs.back().summary.testAccuracy = accuracy + 0.0001 * repeat * static_cast<double>(runs.size());
            }
        }
        const Runs once{runs[0], runs[3], runs[6], runs[9]}; // what one run shows may be chance
        QVERIFY(said(once, "answer.interaction").isEmpty());
        QCOMPARE(said(runs, "answer.interaction"),
            QStringLiteral(
                "The best learning rate depends on optimizer. The best means are those of sgd 0.1, adam 0.01."));
        for (std::size_t i = 9; i < runs.size(); ++i) {
            runs[i].summary.testAccuracy += 0.66;
        }
        QVERIFY(said(runs, "answer.interaction").isEmpty());
    }

    /// Repeats are named in the note, and there once.
    void repeatsAreANote()
    {
        const Runs runs = timedRuns("all_reduce", 2.0, {});
        const auto all = findings(runs);
        const auto notes = methodNotes(all, runs);
        QCOMPARE(std::ranges::count(notes, std::string_view("method.repeats"), &Finding::kind), all.empty() ? 0 : 1);
        QVERIFY(methodNotes({}, runs).empty());
    }

    /// What differences are judged by, and how many ranks there are.
    void judgementsAndRanksAreNotes()
    {
        Runs runs = timedRuns("all_reduce", 2.0, {});
        const Runs tree = timedRuns("tree", 2.0, {{"aggregation.algorithm", "tree"}});
        runs.insert(runs.end(), tree.begin(), tree.end());
        const auto noted = [&runs](const char* kind) {
            const auto notes = methodNotes(findings(runs), runs);
            const auto found = std::ranges::find(notes, std::string_view(kind), &Finding::kind);
            return found == notes.end() ? std::string() : sentence(*found, {});
        };
        QVERIFY(noted("method.worth_naming").starts_with("A difference is worth naming from one point of an accuracy"));
        QVERIFY(noted("method.pairs").starts_with("Ratios and differences are those of runs with the same seed, "));
    }

    /// What was trained stands below the answer: what all have, and who has other ranks.
    void whatWasTrainedIsSaid()
    {
        Runs runs = timedRuns("all_reduce", 2.0, {});
        const Runs tree = timedRuns("tree", 2.0, {{"aggregation.algorithm", "tree"}});
        runs.insert(runs.end(), tree.begin(), tree.end());
        for (RunRecord& run : runs) {
            run.summary.trainSamples = 8000;
            run.summary.cores = 2;
        }
        QVERIFY2(
            said(runs, "answer.setup")
                .endsWith(QStringLiteral(", batch 64 shared by the ranks, SGD at learning rate 0.1, 5 epochs, strategy "
                                         "data parallel, 2 ranks, 3 repeats, 2 cores.")),
            qPrintable(said(runs, "answer.setup")));
        const auto all = findings(runs);
        const auto setup = std::ranges::find(all, std::string_view("answer.setup"), &Finding::kind);
        QVERIFY(setup != all.begin() && std::prev(setup)->role == Role::Headline && setup->role == Role::Evidence);
        for (const char* seed : {"1", "2", "3"}) {
            runs.push_back(madeUpRun("single", {{"optimizer.lr", "0.2"}, {"train.seed", seed}}));
            runs.back().spec.experiment = "aggregation";
            runs.back().summary.trainSamples = 8000;
            runs.back().summary.msPerStep = 4.0 + 0.1 * static_cast<double>(runs.size());
        }
        const QString text = said(runs, "answer.setup");
        QVERIFY2(text.contains(QStringLiteral(", 2 ranks (single: 1), 3 repeats")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("SGD at learning rate 0.1, SGD at learning rate 0.2, "))
                && !text.contains(u"cores"),
            qPrintable(text)); // those are not the same in all
    }

    /// Sizes of buckets stand in no name.
    void whatNamesDoNotSayIsATable()
    {
        Runs runs;
        for (const auto& [name, form, size] : {std::tuple("flat", "flat", "1000"),
                 std::tuple("buckets", "buckets", "1000"), std::tuple("small", "buckets", "100")}) {
            const Runs some = timedRuns(name, 2.0, {{"comm.form", form}, {"comm.bucket_kb", size}});
            runs.insert(runs.end(), some.begin(), some.end());
        }
        const auto all = findings(runs);
        const auto setup = std::ranges::find(all, std::string_view("answer.setup"), &Finding::kind);
        QVERIFY(setup != all.end());
        QCOMPARE(setup->table.header, (std::vector<std::string>{"Variant", "Bucket size"}));
        QCOMPARE(setup->table.rows,
            (std::vector<std::vector<std::string>>{{"flat", "–"}, {"buckets", "1000 kB"}, {"small", "100 kB"}}));
    }
};

LOCKSTEP_TEST(TestQuestions)
#include "test_questions.moc"
