// What an experiment asks, and answers that follow from it.
#include "analysis/answers/question.h"
#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "core/analysis/made_up_stores.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
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

/// What is said first of a preset's runs, each with what `measure` gives it.
template <typename F>
QStringList headlinesOf(const char* preset, F measure)
{
    Runs runs = presetRuns(preset);
    std::ranges::for_each(runs, measure);
    QStringList headlines;
    for (const Finding& finding : findings(runs)) {
        if (finding.role == Role::Headline) {
            headlines += QString::fromStdString(sentence(finding, {}));
        }
    }
    return headlines;
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
                return pattern == "%1, %2"                             ? std::string("%1、%2")
                    : pattern == "%1; %2"                              ? std::string("%1；%2")
                    : pattern.find("in all") != std::string_view::npos ? std::string("%1等 %2 项")
                                                                       : std::string(pattern);
            };
            return QString::fromStdString(sentence(finding, isChinese ? Translator(chinese) : Translator()));
        };
        QCOMPARE(written({"a [1, 2]", "b"}, false), QStringLiteral("a [1, 2]; b."));
        QCOMPARE(written({"a [1, 2]", "b"}, true), QStringLiteral("a [1, 2]；b."));
        QCOMPARE(written({"a", "b"}, true), QStringLiteral("a、b."));
        QCOMPARE(written({"a, 4 ranks", "b"}, true), QStringLiteral("a, 4 ranks；b."));
        QCOMPARE(written({"a", "b", "c", "d"}, false), QStringLiteral("a, b, c, … (4 in all)."));
        QCOMPARE(written({"a", "b", "c", "d"}, true), QStringLiteral("a、b、c等 4 项."));
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
            QStringLiteral("^A slow rank makes a step take this many times as long: tree 2\\.49\\d* \\[.*\\]; "
                           "all_reduce 1\\.50\\d* \\[.*\\]\\.$"));
        QVERIFY2(Expected.match(text).hasMatch(), qPrintable(text));
        runs.resize(3);
        QVERIFY(said(runs, "answer.slow_rank_cost").isEmpty());
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
    }

    void whatSavesNothingIsSaid_data()
    {
        QTest::addColumn<double>("times");
        QTest::addColumn<double>("memory");
        QTest::addColumn<QString>("said");
        QTest::addRow("neither") << 2.0 << 1.0 << "bfloat16 saved neither time nor memory here.";
        QTest::addRow("no time") << 1.5 << 0.5 << "bfloat16 saved no time here.";
        QTest::addRow("no memory") << 0.5 << 1.04 << "bfloat16 saved no memory here.";
        QTest::addRow("both") << 0.5 << 0.5 << "";
    }
    void whatSavesNothingIsSaid()
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
        const QStringList saved = all.filter(QStringLiteral("saved n"));
        QCOMPARE(saved.join(u'\n'), said);
        // That no memory is saved is no answer to what is asked first.
        QCOMPARE(saved.isEmpty() || all.front() == said, !said.contains(QStringLiteral("no memory")));
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
            QStringLiteral("^wide against small: training loss 2\\.40\\d* instead of "
                           "2\\.60\\d*\\. A step takes 2\\.00\\d* .*times as long\\.$"));
        QVERIFY2(Wide.match(said[0]).hasMatch(), qPrintable(said[0]));
        QVERIFY2(
            said[1].startsWith(QStringLiteral("deep gains nothing that can be told against small: training loss 2.60")),
            qPrintable(said[1]));
    }

    /// And where it does not, nothing is said.
    void aBestValueThatDependsOnAnotherSettingIsSaid()
    {
        Runs runs;
        for (const auto& [optimizer, rate, accuracy] : {std::tuple("sgd", "0.01", 0.7), std::tuple("sgd", "0.1", 0.9),
                 std::tuple("adam", "0.01", 0.95), std::tuple("adam", "0.1", 0.3)}) {
            runs.push_back(madeUpRun(
                std::string(optimizer) + " " + rate, {{"optimizer.name", optimizer}, {"optimizer.lr", rate}}));
            runs.back().summary.testAccuracy = accuracy;
        }
        QCOMPARE(said(runs, "answer.interaction"),
            QStringLiteral("In these runs the best learning rate depends on optimizer: best are sgd 0.1, adam 0.01."));
        runs.back().summary.testAccuracy = 0.96;
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
};

LOCKSTEP_TEST(TestQuestions)
#include "test_questions.moc"
