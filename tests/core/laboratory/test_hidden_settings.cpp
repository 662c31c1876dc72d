// What a laboratory hides until its questions are sealed, and that nothing else is changed or shown.
#include "core/laboratory/laboratory_fixture.h"
#include "experiment/parameter.h"
#include "laboratory/hidden_settings.h"
#include "laboratory/read_laboratory.h"
#include "laboratory/work.h"
#include "program/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using namespace lockstep::laboratory;

namespace {

/// The sample's experiment with a skipped collective on rank 1 that it hides.
Laboratory laboratoryIn(const QString& folder)
{
    LabJson json = sampleDescription();
    for (LabJson& step : json["steps"]) {
        if (step["id"] == "run") {
            step["hidden"] = {"fault.", "straggler.delay_ms"};
        } else if (step["id"] == "pick") {
            step["about"] = {{"step", "run"}};
        }
    }
    writeFolder(filesWith(json), folder);
    return *readLaboratory(folder);
}

analysis::RunRecord faultyRun(const Laboratory& laboratory)
{
    analysis::RunRecord run = runsOf("SGD", {0.5}).front();
    run.spec.experiment = laboratory.experiment("run")->spec.experiment;
    run.spec.settings.set(&experiment::FaultSettings::rank, 1);
    run.spec.settings.set(&experiment::FaultSettings::skippedCollective, 4711);
    run.spec.settings.set(&experiment::StragglerSettings::delayMs, 7.25);
    run.spec.settings.set(&experiment::StragglerSettings::factor, 3.0);
    run.setWhy(Text(LS_TR("Messages", "did not enter %1, as fault.skip_collective asks"), {verbatim("all_reduce")}));
    return run;
}

} // namespace

class TestHiddenSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingOfThemIsShown()
    {
        const QTemporaryDir folder;
        const Laboratory laboratory = laboratoryIn(folder.path());
        HiddenSettings hidden;
        hidden.add(laboratory, {});
        const analysis::RunRecord run = faultyRun(laboratory);
        QVERIFY(hidden.hides(run.spec));
        const analysis::RunRecord shown = hidden.shown(run);
        for (const experiment::Parameter& row : experiment::parameters()) {
            const std::string name(row.name);
            const bool isHidden = name.starts_with("fault.") || name == "straggler.delay_ms";
            if (run.spec.settings.contains(name)) {
                QVERIFY2(shown.spec.settings.at(name) == (isHidden ? row.standard : run.spec.settings.at(name)),
                    name.c_str());
            }
        }
        QCOMPARE(shown.spec.settings->fault.skippedCollective, std::int64_t(0));
        QCOMPARE(shown.spec.settings->straggler.factor, 3.0); // is not hidden
        QCOMPARE(shown.message, std::string(HiddenByLaboratory));
        QVERIFY(shown.messageData.find("fault") == std::string::npos);
        QCOMPARE(shown.summary.finalLoss, run.summary.finalLoss);
    }

    /// Two revisions in one store.
    void whatAnyWorkHidesIsHidden()
    {
        const QTemporaryDir folder;
        Laboratory laboratory = laboratoryIn(folder.path());
        const analysis::RunRecord run = faultyRun(laboratory);
        const auto one = std::ranges::find(laboratory.steps, "run", &Step::id);
        std::get<ExperimentStep>(one->content).hidden = {"fault."};
        HiddenSettings hidden;
        hidden.add(laboratory, {});
        QCOMPARE(hidden.shown(run).spec.settings->straggler.delayMs, 7.25);
        hidden.add(laboratoryIn(folder.path()), {});
        QVERIFY(hidden.shown(run).spec.settings->straggler.delayMs != 7.25);
    }

    void onlyLinesThatNameThemAreReplaced()
    {
        const QTemporaryDir folder;
        const Laboratory laboratory = laboratoryIn(folder.path());
        HiddenSettings hidden;
        hidden.add(laboratory, {});
        const experiment::RunSpec run = faultyRun(laboratory).spec;
        const Text named(LS_TR("Messages", "did not enter %1, as fault.skip_collective asks"), {verbatim("barrier")});
        QCOMPARE(hidden.shown(run, named), Text(HiddenByLaboratory));
        const Text evidence = verbatim("rank 1 has not entered all_reduce 4711");
        QCOMPARE(hidden.shown(run, evidence), evidence);
        experiment::RunSpec other = run;
        other.experiment = "another";
        QCOMPARE(hidden.shown(other, named), named);
        QVERIFY(!hidden.hides(other));
    }

    /// By the work that a store has; sealing one of two questions shows nothing yet.
    void allSealedAnswersShowThem()
    {
        const QTemporaryDir store;
        const QTemporaryDir folder;
        const Laboratory laboratory = laboratoryIn(folder.path());
        const analysis::RunRecord run = faultyRun(laboratory);
        QVERIFY(!HiddenSettings::in(store.path()).hides(run.spec)); // no work was begun
        {
            const auto work = Work::open(store.path(), laboratory);
            QVERIFY(work.isOk());
            const auto questions = laboratory.questionsAbout("run");
            QVERIFY(questions.size() >= 2);
            for (const Step* question : questions) {
                QVERIFY2(HiddenSettings::in(store.path()).hides(run.spec), question->id.c_str());
                const auto* content = question->as<QuestionStep>();
                Answer answer{"by its log", {}};
                if (content->form == QuestionForm::Choice) {
                    answer.text = content->choices.front().id;
                }
                QVERIFY((*work)->type(question->id, answer));
                QVERIFY((*work)->sealAnswer(question->id).isOk());
            }
        }
        const HiddenSettings now = HiddenSettings::in(store.path());
        QVERIFY(!now.hides(run.spec));
        QVERIFY(now.shown(run).spec.settings == run.spec.settings);
        QVERIFY(now == HiddenSettings());
    }
};

LOCKSTEP_TEST(TestHiddenSettings)
#include "test_hidden_settings.moc"
