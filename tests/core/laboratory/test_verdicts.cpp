// Claims and predictions against runs of which is known what is true.
#include "core/laboratory/laboratory_fixture.h"
#include "core/truth/truth_stores.h"
#include "experiment/spec.h"
#include "laboratory/claim.h"
#include "laboratory/entry_json.h"
#include "laboratory/grading/class_figures.h"
#include "laboratory/grading/mark_work.h"
#include "laboratory/outcome.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;

namespace {

using Runs = std::vector<analysis::RunRecord>;

Runs together(std::initializer_list<Runs> all)
{
    Runs joined;
    for (const Runs& each : all) {
        joined.insert(joined.end(), each.begin(), each.end());
    }
    return joined;
}

/// Repeats about a mean that scatter by this factor: equal for equal seeds of the table.
Runs noisy(const std::string& variant, double mean, double scatter, int repeats)
{
    constexpr double Deviations[] = {-1.1, 0.4, 0.9, -0.3, 1.3, -0.8, 0.2, -0.6, 1.0, -1.0};
    std::vector<double> losses;
    for (int i = 0; i < repeats; ++i) {
        losses.push_back(mean * std::exp(scatter * Deviations[(i + static_cast<int>(variant.size())) % 10]));
    }
    return runsOf(variant, losses);
}

Claim lossClaim(ClaimKind kind, double percent = 0.0)
{
    return {kind, "final_loss", "Adam", "SGD", percent, {}, {}};
}

} // namespace

class TestVerdicts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The stores of tests/core/truth: a claim that is true is never refuted, one that is false never confirmed.
    void madeUpStoresAreJudgedRight()
    {
        int stores = 0;
        int told = 0;
        for (const TruthRow& row : truthTable()) {
            const Truth& truth = row.truth;
            if (truth.figure.empty() || (truth.best.empty() && truth.parameter.empty())) {
                continue;
            }
            const auto made = truthRuns(row);
            QVERIFY(made.isOk());
            const Runs runs = recordsOf(*made);
            ++stores;
            for (const auto& [claim, isTrue] : claimsOf(truth, runs)) {
                const Judgement judgement = verdictOf(claim, runs).judgement;
                told += judgement == Judgement::Holds || judgement == Judgement::DoesNotHold ? 1 : 0;
                const std::string what = std::string(row.name) + ": " + claim.variant + " " + claim.against + " "
                    + std::string(nameOf(claim.kind)) + " " + std::string(nameOf(judgement));
                QVERIFY2(judgement != (isTrue ? Judgement::DoesNotHold : Judgement::Holds), what.c_str());
            }
        }
        qInfo("%d stores, %d claims told", stores, told);
        QVERIFY(stores >= 10);
        QVERIFY(told >= 10); // "cannot be told" is no way out
    }

    /// Thirty more, by the size of the difference, of the scatter and the number of repeats.
    void everyAmountIsJudgedRight()
    {
        int stores = 0;
        int told = 0;
        for (const double ratio : {0.5, 0.8, 0.97, 1.0, 1.3}) {
            for (const double scatter : {0.005, 0.1}) {
                for (const int repeats : {2, 3, 8}) {
                    const Runs runs
                        = together({noisy("Adam", 0.2 * ratio, scatter, repeats), noisy("SGD", 0.2, scatter, repeats)});
                    ++stores;
                    for (const double percent : {0.0, 10.0, 40.0}) {
                        const bool isTrue = percent > 0.0 ? ratio <= 1.0 - percent / 100.0 : ratio < 1.0;
                        check(verdictOf(lossClaim(ClaimKind::Less, percent), runs), isTrue, told);
                        const bool isMore = percent > 0.0 ? ratio >= 1.0 + percent / 100.0 : ratio > 1.0;
                        check(verdictOf(lossClaim(ClaimKind::Greater, percent), runs), isMore, told);
                    }
                    check(verdictOf(lossClaim(ClaimKind::NoDifference), runs), std::abs(ratio - 1.0) < 0.05, told);
                }
            }
        }
        QCOMPARE(stores, 30);
        QVERIFY2(told > 90, qPrintable(QString::number(told)));
    }

    void theSentenceHasTheInterval()
    {
        const Runs clear = together({noisy("Adam", 0.1, 0.01, 3), noisy("SGD", 0.2, 0.01, 3)});
        const Verdict verdict = verdictOf(lossClaim(ClaimKind::Less, 10.0), clear);
        QCOMPARE(verdict.judgement, Judgement::Holds);
        QCOMPARE(verdict.repeats, std::size_t{3});
        const std::string text = language::findingSentence(verdict.sentence);
        QVERIFY2(
            text.starts_with("Last batch loss of SGD is 1.997 [") && text.ends_with("] times that of Adam (n = 3)."),
            text.c_str());
        QCOMPARE(verdict.sentence.runs.size(), std::size_t{6});

        const Runs unclear = together({noisy("Adam", 0.15, 0.2, 3), noisy("SGD", 0.2, 0.2, 3)});
        const Verdict open = verdictOf(lossClaim(ClaimKind::Less), unclear);
        QCOMPARE(open.judgement, Judgement::CannotBeTold);
        QVERIFY(open.moreRepeats > 0);
        const std::string said = language::findingSentence(open.sentence);
        QVERIFY2(said.find("(n = 3). About ") != std::string::npos, said.c_str());
        const Runs single = together({noisy("Adam", 0.1, 0.01, 1), noisy("SGD", 0.2, 0.01, 1)});
        const std::string ofOne = language::findingSentence(verdictOf(lossClaim(ClaimKind::Less), single).sentence);
        QVERIFY2(ofOne.ends_with("times that of Adam (n = 1)."), ofOne.c_str());
        QCOMPARE(verdictOf(lossClaim(ClaimKind::Less), {}).judgement, Judgement::NotMeasured);
    }

    void laterRunsContradict()
    {
        Runs runs = together({noisy("Adam", 0.1, 0.01, 3), noisy("SGD", 0.2, 0.01, 3)});
        QCOMPARE(verdictOf(lossClaim(ClaimKind::Less, 10.0), runs).judgement, Judgement::Holds);
        for (analysis::RunRecord& later : noisy("Adam", 0.3, 0.01, 3)) { // of the same seeds: the newest counts
            later.createdNs += 100;
            later.id = makeRunId(1'800'000'000 + later.createdNs, 7);
            runs.push_back(later);
        }
        QCOMPARE(verdictOf(lossClaim(ClaimKind::Less, 10.0), runs).judgement, Judgement::DoesNotHold);
    }

    /// A claim is about the newest settings and says how many runs do not count; a prediction about the first.
    void settingsAreNotMixed()
    {
        const auto withBatch = [](Runs runs, std::int64_t batch, std::int64_t later) {
            for (analysis::RunRecord& run : runs) {
                run.spec.settings.set(&experiment::TrainSettings::batch, batch);
                run.createdNs += later;
                run.id = makeRunId(1'800'000'000 + run.createdNs + batch, 7);
            }
            return runs;
        };
        Runs runs
            = together({withBatch(noisy("Adam", 0.1, 0.01, 3), 64, 0), withBatch(noisy("SGD", 0.2, 0.01, 3), 64, 0),
                withBatch(noisy("SGD", 0.2, 0.01, 3), 256, 100), withBatch(noisy("Adam", 0.3, 0.01, 3), 256, 100)});
        const Verdict verdict = verdictOf(lossClaim(ClaimKind::Less), runs);
        QCOMPARE(verdict.judgement, Judgement::DoesNotHold);
        QCOMPARE(verdict.otherRuns, std::size_t{6});
        const std::string tested = language::findingSentence(*testedRuns(verdict));
        QVERIFY2(tested.starts_with("Tested on the 6 newest runs"), tested.c_str());
        const Laboratory lab = sampleLaboratory();
        const Prediction lower{DirectionPrediction{laboratory::Direction::Lower}, {}};
        QCOMPARE(outcomeOf(lower, *lab.find("guess"), runs).judgement, Judgement::Holds);
        // Of the other variant not the newest, but those that are alike.
        for (analysis::RunRecord& run : withBatch(noisy("SGD", 0.9, 0.01, 3), 64, 200)) {
            runs.push_back(run);
        }
        QCOMPARE(verdictOf(lossClaim(ClaimKind::Less), runs).judgement, Judgement::DoesNotHold);
    }

    void theClaimItselfIsSaid()
    {
        const auto spec = experiment::preset("optimizers");
        const auto said = [&spec](const Claim& claim) { return language::findingSentence(statedClaim(claim, *spec)); };
        QCOMPARE(said(lossClaim(ClaimKind::Less, 10.0)),
            std::string("Last batch loss of Adam is less than that of SGD by at least 10 %."));
        QCOMPARE(
            said(lossClaim(ClaimKind::Greater)), std::string("Last batch loss of Adam is greater than that of SGD."));
        Claim claim = lossClaim(ClaimKind::Greater, 2.0);
        claim.figure = "test_accuracy";
        QVERIFY(said(claim).ends_with("by at least 2 points."));
        claim.kind = ClaimKind::Rises;
        claim.parameter = "optimizer.lr";
        QCOMPARE(said(claim), std::string("Test accuracy rises with learning rate."));
    }

    /// By the interval: it may lie across an end of the student's range.
    void aRangeIsJudgedByTheInterval()
    {
        const Laboratory lab = sampleLaboratory();
        const Runs wide = noisy("SGD", 0.2, 0.2, 3);
        const auto outcome = [&](double low, double high) {
            return outcomeOf({NumberPrediction{low, low, high}, {}}, *lab.find("amount"), wide);
        };
        const Outcome untold = outcome(0.19, 0.21);
        QCOMPARE(untold.judgement, Judgement::CannotBeTold);
        const std::string said = language::findingSentence(untold.sentence);
        QVERIFY2(said.find("The interval reaches beyond your 0.210.") != std::string::npos, said.c_str());
        QCOMPARE(outcome(0.001, 9.0).judgement, Judgement::Holds);
        QCOMPARE(outcome(5.0, 9.0).judgement, Judgement::DoesNotHold);
    }

    /// The ends of a trend have the interval that a claim about these two has; what cannot be told is named.
    void aTrendSaysWhichPartCannotBeTold()
    {
        const auto at = [](const char* name, double lr, double mean, double scatter) {
            Runs runs = noisy("SGD", mean, scatter, 3);
            for (analysis::RunRecord& run : runs) {
                run.spec.name = name;
                run.spec.settings["optimizer.lr"] = lr;
                run.id = makeRunId(1'700'000'000 + run.createdNs, static_cast<std::uint32_t>(lr * 1000.0));
            }
            return runs;
        };
        const auto along = [&](double middle, double scatter) {
            return together(
                {at("low", 0.01, 2.0, 0.02), at("middle", 0.1, middle, scatter), at("high", 1.0, 0.5, 0.03)});
        };
        const Claim falls{ClaimKind::Falls, "final_loss", {}, {}, 0.0, "optimizer.lr", {}};
        QCOMPARE(verdictOf(falls, along(1.0, 0.01)).judgement, Judgement::Holds);

        const Verdict open = verdictOf(falls, along(1.0, 0.9));
        QCOMPARE(open.judgement, Judgement::CannotBeTold);
        const std::string said = language::findingSentence(open.sentence);
        QVERIFY2(said.find("From 0.01 to 0.1 this cannot be told: ") != std::string::npos, said.c_str());
        const Claim ends{ClaimKind::Less, "final_loss", "high", "low", 0.0, {}, {}};
        QCOMPARE(open.difference.low, verdictOf(ends, along(1.0, 0.9)).difference.low);

        const Verdict against = verdictOf(falls, along(0.2, 0.01));
        QCOMPARE(against.judgement, Judgement::DoesNotHold);
        const std::string contrary = language::findingSentence(against.sentence);
        QVERIFY2(contrary.find("From 0.1 to 1 it goes the other way: ") != std::string::npos, contrary.c_str());
    }

    /// Each pair by its own interval; those that cannot be told are named with it.
    void anOrderNamesThePairsThatAreNotTold()
    {
        const Laboratory lab = sampleLaboratory();
        const Runs runs
            = together({noisy("GD", 0.9, 0.01, 3), noisy("SGD", 0.2, 0.01, 3), noisy("Adam", 0.19, 0.3, 3)});
        const Outcome order = outcomeOf({OrderPrediction{{"Adam", "SGD", "GD"}}, {}}, *lab.find("order"), runs);
        QCOMPARE(order.judgement, Judgement::CannotBeTold);
        const std::string said = language::findingSentence(order.sentence);
        QVERIFY2(said.find(" tells 2 of 3 pairs apart, 2 of them in your order. Not told, as ratios: SGD / Adam ")
                != std::string::npos,
            said.c_str());
    }

    /// Of all sealed numbers: those that cannot be told count for neither side.
    void rangesAreCounted()
    {
        const Laboratory lab = sampleLaboratory();
        const Runs runs = noisy("SGD", 0.2, 0.01, 3);
        const auto scoreOf = [&](double low, double high, const Runs& of) {
            return rangesSentence(rangesHeld(lab, sealedAmount({NumberPrediction{low, low, high}, {}}, of), of));
        };
        const auto said = [](const std::optional<analysis::Finding>& sentence) {
            return sentence ? language::findingSentence(*sentence) : std::string();
        };
        QCOMPARE(said(scoreOf(0.1, 0.3, {})), std::string());
        QCOMPARE(said(scoreOf(0.1, 0.3, runs)), std::string("Ranges that held the result: 1 of 1."));
        QCOMPARE(said(scoreOf(0.5, 0.9, runs)), std::string("Ranges that held the result: 0 of 1."));
        QCOMPARE(said(scoreOf(0.2, 0.9, runs)),
            std::string("Ranges that held the result: this cannot be told for any of 1."));
    }

    /// Times that other work changed are not judged, whatever their intervals say; what does not depend on time is.
    void aBusyMachineTellsNothingOfTimes()
    {
        const Runs quiet = together({timed("Adam", 4.0, 0.05), timed("SGD", 2.0, 0.05)});
        const Runs busy = together({timed("Adam", 4.0, 0.05), timed("SGD", 2.0, 0.3)});
        Claim claim{ClaimKind::Greater, "ms_per_step_typical", "Adam", "SGD", 10.0, {}, {}};
        QCOMPARE(verdictOf(claim, quiet).judgement, Judgement::Holds);
        const Verdict verdict = verdictOf(claim, busy);
        QCOMPARE(verdict.judgement, Judgement::CannotBeTold);
        QCOMPARE(verdict.moreRepeats, std::size_t{0});
        const std::string BusySentence = "The machine was busy with other work: do not trust time per step of SGD. "
                                         "Measure again on a quiet machine.";
        QCOMPARE(language::findingSentence(verdict.sentence), BusySentence);
        claim.figure = "final_loss";
        QVERIFY(verdictOf(claim, busy).judgement != Judgement::CannotBeTold);
        for (const PredictionValue& value :
            std::initializer_list<PredictionValue>{DirectionPrediction{laboratory::Direction::Higher},
                NumberPrediction{2.0, 1.5, 2.5}, OrderPrediction{{"SGD", "Adam"}}}) {
            const Step step = timeStep(value);
            QCOMPARE(outcomeOf({value, {}}, step, quiet).judgement, Judgement::Holds);
            const Outcome outcome = outcomeOf({value, {}}, step, busy);
            QCOMPARE(outcome.judgement, Judgement::CannotBeTold);
            QCOMPARE(language::findingSentence(outcome.sentence), BusySentence);
            QVERIFY(outcome.order.empty());
        }
    }

    /// The pages of a class have no time that its own hand-in calls doubtful.
    void aClassHasNoDoubtfulTimes()
    {
        const auto figuresOf = [](double byOthers) {
            Laboratory lab = sampleLaboratory();
            const auto amount = std::ranges::find(lab.steps, "amount", &Step::id);
            std::get<PredictionStep>(amount->content).of.figure = "ms_per_step_typical";
            const Runs runs = timed("SGD", 2.0, byOthers);
            WorkState state = sealedAmount({NumberPrediction{2.0, 1.5, 2.5}, {}}, runs);
            grading::ClassFigures figures = grading::emptyFigures(lab);
            grading::addWork(figures, lab, {{}, {}, {lab, state, Journal::fromBytes({}), {}, {}, {}, {}}, runs, {}});
            return figures;
        };
        const auto counts = [](const grading::ClassFigures& figures) {
            std::size_t predicted = 0;
            for (const auto& each : figures.predictions) {
                predicted += each.measuredNumbers.size();
            }
            const auto times
                = std::ranges::find(figures.figures, "ms_per_step_typical", &grading::FinalFigures::figure);
            return std::pair(predicted, times->values.size());
        };
        QVERIFY(counts(figuresOf(0.05)) == std::pair(std::size_t{1}, std::size_t{1}));
        QVERIFY(counts(figuresOf(0.3)) == std::pair(std::size_t{0}, std::size_t{0}));
    }

    /// As without a rank that sleeps: only more ranks can be faster than their cores allow.
    void beingSlowDoesNotMakeTheOtherTooFast()
    {
        Runs slow = timed("Adam", 6.0, 0.0);
        Runs quick = timed("SGD", 1.5, 0.0);
        const experiment::RunSpec spec = slow.front().spec;
        for (Runs* runs : {&slow, &quick}) {
            for (analysis::RunRecord& run : *runs) {
                run.spec = spec;
                run.spec.name = runs == &slow ? "slow" : "quick";
                run.spec.settings.set(&experiment::TrainSettings::seed, run.createdNs + 1);
                run.summary.cores = 2;
                run.summary.commMsPerStepTypical = run.summary.msPerStepTypical / 2.0;
            }
        }
        const Claim claim{ClaimKind::Greater, "ms_per_step_typical", "slow", "quick", 20.0, {}, {}};
        QCOMPARE(verdictOf(claim, together({slow, quick})).judgement, Judgement::Holds);
    }

    void ranksThatShareCoresHaveNoBubble()
    {
        Runs runs = timed("SGD", 2.0, 0.0);
        for (analysis::RunRecord& run : runs) {
            run.summary.bubbleFraction = 0.4;
            run.summary.cores = 1;
            run.spec.settings.set(&experiment::RankSettings::threads, std::int64_t{2});
        }
        Step step = timeStep(NumberPrediction{40.0, 30.0, 50.0});
        auto& of = std::get<PredictionStep>(step.content).of;
        of = {"run", "bubble_fraction", "SGD", {}, {}, {}};
        const Outcome outcome = outcomeOf({NumberPrediction{40.0, 30.0, 50.0}, {}}, step, runs);
        QCOMPARE(outcome.judgement, Judgement::CannotBeTold);
        const std::string said = language::findingSentence(outcome.sentence);
        QVERIFY2(said.starts_with("Pipeline bubble of SGD counts waiting for a core, too: "), said.c_str());
        for (analysis::RunRecord& run : runs) {
            run.summary.cores = 2;
        }
        QCOMPARE(outcomeOf({NumberPrediction{40.0, 30.0, 50.0}, {}}, step, runs).judgement, Judgement::Holds);
    }

    /// No ratio is below 1: what is less is "2.2 times as fast", or the two change places.
    void aRatioIsInWords()
    {
        const Runs runs = together({timed("Adam", 2.0, 0.0), timed("SGD", 4.0, 0.0)});
        const auto said = [&runs](const char* figure, const char* variant, const char* against) {
            return language::findingSentence(
                verdictOf({ClaimKind::Less, figure, variant, against, 0.0, {}, {}}, runs).sentence);
        };
        const std::string fast = said("ms_per_step_typical", "Adam", "SGD");
        QVERIFY2(fast.starts_with("Time per step: Adam is 1.997 [") && fast.ends_with("times as fast as SGD (n = 3)."),
            fast.c_str());
        const std::string slow = said("ms_per_step_typical", "SGD", "Adam");
        QVERIFY2(
            slow.starts_with("Time per step: SGD takes 1.997 [") && slow.ends_with("times as long as Adam (n = 3)."),
            slow.c_str());
        const std::string less = said("final_loss", "Adam", "SGD");
        QVERIFY2(less.starts_with("Last batch loss of SGD is 1.997 [") && less.ends_with("times that of Adam (n = 3)."),
            less.c_str());
    }

    /// Both sides say what sets them apart.
    void namesAreSetApart()
    {
        experiment::Spec spec = *experiment::preset("aggregation");
        spec.variants = {{.name = "all_reduce", .values = {{"aggregation.algorithm", std::string("all_reduce")}}},
            {.name = "all_reduce ranks=1",
                .values = {{"aggregation.algorithm", std::string("all_reduce")},
                    {"straggler.ranks", std::vector<std::int64_t>{1}}, {"straggler.delay_ms", 5.0}}}};
        const Claim claim{ClaimKind::Less, "final_loss", "all_reduce", "all_reduce ranks=1", 0.0, {}, {}};
        QCOMPARE(language::findingSentence(statedClaim(claim, spec)),
            std::string("Last batch loss of All-reduce, no slow rank is less than that of All-reduce, rank 1 +5 ms."));
        Runs runs;
        const auto all = experiment::expand(spec);
        QVERIFY(all.isOk());
        for (const experiment::RunSpec& each : *all) {
            Runs one = noisy("Adam", 0.2, 0.01, 1);
            one.front().spec = each;
            one.front().id = makeRunId(1'800'000'000, static_cast<std::uint32_t>(runs.size()));
            runs.push_back(one.front());
        }
        const std::string said = language::findingSentence(verdictOf(claim, language::named(std::move(runs))).sentence);
        QVERIFY2(said.find("All-reduce, no slow rank") != std::string::npos
                && said.find("All-reduce, rank 1 +5 ms") != std::string::npos,
            said.c_str());
    }

    void runsChangedByHandDoNotCount()
    {
        Runs runs = together({noisy("Adam", 0.1, 0.01, 3), noisy("SGD", 0.2, 0.01, 3)});
        for (analysis::RunRecord& run : runs) {
            run.summary.interference.isSlowed = run.spec.name == "Adam";
        }
        QCOMPARE(verdictOf(lossClaim(ClaimKind::Less), runs).judgement, Judgement::NotMeasured);
    }

    void claimsAreChecked()
    {
        const auto spec = experiment::preset("optimizers");
        QVERIFY(checkClaim(lossClaim(ClaimKind::Less, 10.0), *spec).isOk());
        Claim claim = lossClaim(ClaimKind::Less, 100.0);
        QVERIFY(!checkClaim(claim, *spec).isOk());
        claim = lossClaim(ClaimKind::Less);
        claim.against = "RMSprop";
        QVERIFY(checkClaim(claim, *spec).error().text().find("no variant \"RMSprop\"") != std::string::npos);
        claim = lossClaim(ClaimKind::Rises);
        QVERIFY(!checkClaim(claim, *spec).isOk());
        claim.parameter = "optimizer.lr";
        QVERIFY(checkClaim(claim, *spec).isOk());
        claim.parameter = "optimizer.name";
        QVERIFY(!checkClaim(claim, *spec).isOk());
    }

    void predictionsStandBesideTheirResult()
    {
        const Laboratory lab = sampleLaboratory();
        const Runs runs
            = together({noisy("GD", 0.9, 0.01, 3), noisy("SGD", 0.2, 0.01, 3), noisy("Adam", 0.1, 0.01, 3)});
        const Outcome lower
            = outcomeOf({DirectionPrediction{laboratory::Direction::Lower}, {}}, *lab.find("guess"), runs);
        QCOMPARE(lower.judgement, Judgement::Holds);
        QVERIFY(lower.measured < -45.0 && lower.low < lower.measured && lower.measured < lower.high);
        QCOMPARE(outcomeOf({DirectionPrediction{laboratory::Direction::Same}, {}}, *lab.find("guess"), runs).judgement,
            Judgement::DoesNotHold);

        const Outcome number = outcomeOf({NumberPrediction{0.3, 0.25, 0.4}, {}}, *lab.find("amount"), runs);
        QVERIFY(!number.isInRange);
        QVERIFY(std::abs(number.residual + 0.1) < 0.01);
        const Outcome inside = outcomeOf({NumberPrediction{0.3, 0.1, 0.4}, {}}, *lab.find("amount"), runs);
        QCOMPARE(inside.judgement, Judgement::Holds);

        const Outcome order = outcomeOf({OrderPrediction{{"Adam", "GD", "SGD"}}, {}}, *lab.find("order"), runs);
        QCOMPARE(order.judgement, Judgement::DoesNotHold);
        QCOMPARE(order.pairsTold, std::size_t{3});
        QCOMPARE(order.pairsAgreeing, std::size_t{2});
        const std::string said = language::findingSentence(order.sentence);
        QVERIFY2(said.find("puts 2 of 3 pairs that can be told in your order. Against it, as ratios: SGD / GD 0.2")
                != std::string::npos,
            said.c_str());
        QCOMPARE(order.order, (std::vector<std::string>{"Adam", "SGD", "GD"}));

        // A journal that was changed by hand.
        QCOMPARE(outcomeOf({OrderPrediction{}, {}}, *lab.find("order"), runs).judgement, Judgement::NotMeasured);

        const double level = inside.measured;
        const Outcome curve
            = outcomeOf({CurvePrediction{{{0.0, level + 1.0}, {4.0, level + 1.0}}}, {}}, *lab.find("curve"), runs);
        QVERIFY(std::abs(curve.residual - 1.0) < 0.01);
        QCOMPARE(curve.curve.size(), std::size_t{3});
    }

    /// Both axes are logarithmic: a straight line between two points, and a factor as residual.
    void aCurveOfCollectivesIsOverTheirSizes()
    {
        Step step;
        PredictionStep content;
        content.form = PredictionForm::Curve;
        content.of.variant = "ring";
        content.chart = SweepChart;
        content.x = BytesAxis;
        content.isLogarithmic = true;
        step.content = content;
        analysis::RunRecord run;
        run.status = analysis::RunStatus::Finished;
        run.spec.name = "ring";
        run.spec.settings = experiment::withDefaults({{"strategy.name", std::string("collectives")}}, {});
        for (const double bytes : {100.0, 1000.0, 10'000.0, 100.0}) { // the last again, in another buffer
            analysis::CollectiveMeasurement measured;
            measured.bytes = static_cast<std::int64_t>(bytes);
            measured.p50Us = 10.0 * bytes;
            run.measurements.push_back(measured);
        }
        const Runs runs{run};
        const Outcome right = outcomeOf({CurvePrediction{{{100.0, 1.0}, {10'000.0, 100.0}}}, {}}, step, runs);
        QCOMPARE(right.curve.size(), std::size_t{3});
        QVERIFY(std::abs(right.residual) < 1e-9);
        QCOMPARE(right.judgement, Judgement::Holds);
        const Outcome high = outcomeOf({CurvePrediction{{{100.0, 10.0}, {10'000.0, 1000.0}}}, {}}, step, runs);
        QVERIFY(std::abs(high.residual - 1.0) < 1e-9); // a decade
        QCOMPARE(high.judgement, Judgement::DoesNotHold);
        QCOMPARE(high.sentence.arguments[1], std::string("10.0"));
    }

private:
    /// Of a student who predicted the amount, and then ran these.
    static WorkState sealedAmount(const Prediction& prediction, const Runs& runs)
    {
        WorkState state;
        Entry sealed;
        sealed.kind = EntryKind::Seal;
        sealed.step = "amount";
        sealed.content["prediction"] = toJson(prediction);
        state.take(sealed);
        Entry ran;
        ran.kind = EntryKind::Run;
        ran.step = "run";
        for (const analysis::RunRecord& run : runs) {
            ran.content["runs"].push_back(run.id.text);
        }
        state.take(ran);
        return state;
    }

    /// Three runs of this time per step, on a machine of which other work had this share.
    static Runs timed(const std::string& variant, double ms, double byOthers)
    {
        Runs runs = noisy(variant, ms / 10.0, 0.01, 3);
        for (analysis::RunRecord& run : runs) {
            run.summary.msPerStepTypical = ms * run.summary.finalLoss / (ms / 10.0);
            run.summary.delayByOthers = byOthers;
        }
        return runs;
    }

    /// Of the time per step of Adam, against SGD.
    static Step timeStep(const PredictionValue& value)
    {
        Step step;
        PredictionStep content;
        content.form = static_cast<PredictionForm>(value.index());
        content.of = {"run", "ms_per_step_typical", "Adam", "SGD", {}, {}};
        step.content = content;
        return step;
    }

    static void check(const Verdict& verdict, bool isTrue, int& told)
    {
        QVERIFY(verdict.judgement != Judgement::NotMeasured);
        QVERIFY(verdict.judgement != (isTrue ? Judgement::DoesNotHold : Judgement::Holds));
        told += verdict.judgement == Judgement::CannotBeTold ? 0 : 1;
    }

    /// What is true, and its opposite, of the best variant against each other one, and along the parameter.
    static std::vector<std::pair<Claim, bool>> claimsOf(const Truth& truth, const Runs& runs)
    {
        std::vector<std::pair<Claim, bool>> claims;
        const std::string figure(truth.figure);
        std::vector<std::string> names;
        for (const analysis::RunRecord& run : runs) {
            if (std::ranges::find(names, run.spec.name) == names.end() && run.spec.name != truth.best) {
                names.push_back(run.spec.name);
            }
        }
        for (const std::string& other : truth.best.empty() ? std::vector<std::string>() : names) {
            const std::string best(truth.best);
            claims.push_back({{ClaimKind::Less, figure, best, other, 0.0, {}, {}}, !truth.isHighestBest});
            claims.push_back({{ClaimKind::Greater, figure, best, other, 0.0, {}, {}}, truth.isHighestBest});
        }
        if (!truth.parameter.empty() && truth.direction != tests::Direction::None) {
            const std::string parameter(truth.parameter);
            claims.push_back(
                {{ClaimKind::Rises, figure, {}, {}, 0.0, parameter, {}}, truth.direction == tests::Direction::Rises});
            claims.push_back(
                {{ClaimKind::Falls, figure, {}, {}, 0.0, parameter, {}}, truth.direction == tests::Direction::Falls});
        }
        return claims;
    }
};

LOCKSTEP_TEST(TestVerdicts)
#include "test_verdicts.moc"
