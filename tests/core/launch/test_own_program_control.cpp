// Two ranks of a program of one's own under control: pause, resume and stop take effect at one step on both; nothing
// starts that was not confirmed.
#include "core/session_fixture.h"
#include "launch/trust.h"
#include "program/busy_machine.h"
#include "program/test_class.h"
#include "store/account/run_account.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunStatus;

namespace {

experiment::RunSpec ownSpec()
{
    auto run = experiment::parseRunSpec(
        R"({"version":1,"experiment":"own","base":{"rank.program":"python3 ')" LOCKSTEP_SOURCE_DIR
        R"(/tests/end_to_end/scripts/line.py'","world_size":2,"own.steps":100000,"own.pace_ms":2}})");
    return *run;
}

/// The steps at which the ranks applied a command.
std::vector<std::int64_t> stepsOfCommand(const store::Delta& delta, wire::Command command)
{
    std::vector<std::int64_t> steps;
    for (const auto& [rank, applied] : delta.applied) {
        if (applied.command == command) {
            steps.push_back(applied.step);
        }
    }
    return steps;
}

} // namespace

class TestOwnProgramControl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        qputenv("PYTHONDONTWRITEBYTECODE", "1");
    }

    void pauseResumeAndStop()
    {
        SessionFixture fixture(withRanks(2));
        experiment::RunSpec spec = ownSpec();
        launch::confirm({&spec, 1});
        const RunId id = fixture.session().start({spec}).front();
        QVERIFY(fixture.waitForStatus(id, RunStatus::Running));
        QTest::qWait(200);
        fixture.session().send(id, {wire::Command::Pause});
        QVERIFY(fixture.waitForStatus(id, RunStatus::Paused));
        QTest::qWait(300);
        fixture.session().send(id, {wire::Command::Resume});
        QTRY_COMPARE(fixture.record(id).status, RunStatus::Running);
        QTest::qWait(200);
        fixture.session().send(id, {wire::Command::SetLink, -1, 5.0}); // which it cannot carry out
        QTest::qWait(100);
        fixture.session().stop(id);
        QVERIFY(fixture.waitForEnd(id));
        QCOMPARE(analysis::nameOf(fixture.record(id).status), analysis::nameOf(RunStatus::Stopped));
        QCOMPARE(fixture.record(id).message, std::string());

        const store::Delta stored = fixture.stored(id);
        for (const wire::Command command : {wire::Command::Pause, wire::Command::Resume, wire::Command::Stop}) {
            const auto steps = stepsOfCommand(stored, command);
            QCOMPARE(steps.size(), std::size_t{2});
        }
        // These ranks never meet in a collective, so each may apply it at another step.
        QVERIFY(logLines(stored).filter(QStringLiteral("does not carry out this command")).size() == 1);
        // The pause is no part of a step.
        for (const auto& [rank, batch] : stored.steps) {
            for (const StepRow& row : batch.rows) {
                QVERIFY2(row.wallNs < 200'000'000, qPrintable(QString::number(row.wallNs)));
            }
        }
    }

    /// Two programs that are compared: alive together, one block of steps at a time, and no step more than their own.
    void variantsTakeTurns()
    {
        SessionFixture fixture(withRanks(2));
        std::vector<experiment::RunSpec> runs{ownSpec(), ownSpec()};
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].name = "variant " + std::to_string(i);
            runs[i].settings["own.steps"] = std::int64_t{300};
            runs[i].settings["own.pace_ms"] = 1.0 + static_cast<double>(i);
        }
        launch::confirm(runs);
        const auto ids = fixture.session().start(runs);
        std::vector<analysis::MeasuredBlock> all;
        for (const RunId& id : ids) {
            QVERIFY(fixture.waitForEnd(id));
            QVERIFY2(fixture.record(id).status == RunStatus::Finished, fixture.record(id).message.c_str());
            const store::Delta stored = fixture.stored(id);
            for (const int rank : {0, 1}) {
                QCOMPARE(stepsOf(stored, rank).size(), std::size_t{300});
            }
            QVERIFY(stored.applied.empty());
            store::RunAccount account;
            account.add(stored);
            analysis::RunRecord filled;
            account.fillResults(filled);
            const auto& blocks = filled.blocks;
            QVERIFY2(blocks.size() >= 4, qPrintable(QString::number(blocks.size())));
            for (const analysis::MeasuredBlock& block : blocks) {
                QVERIFY2(block.msPerStep > 1.0 && isWithin(block.msPerStep, 20.0),
                    qPrintable(QString::number(block.msPerStep)));
            }
            all.insert(all.end(), blocks.begin(), blocks.end());
        }
        std::ranges::sort(all, {}, &analysis::MeasuredBlock::startNs);
        for (std::size_t i = 1; i < all.size(); ++i) {
            QVERIFY(all[i].startNs >= all[i - 1].endNs);
        }
    }

    void nothingStartsUnconfirmed()
    {
        SessionFixture fixture;
        const RunId id = fixture.session().start({ownSpec()}).front();
        QVERIFY(fixture.waitForEnd(id));
        QVERIFY(fixture.session().isRefused(id));
        const QString said = QString::fromStdString(fixture.record(id).message);
        QVERIFY2(
            said.startsWith(QStringLiteral("rank.program: \"python3 ")) && said.contains("you have not confirmed it"),
            qPrintable(said));
        QVERIFY(fixture.stored(id).hellos.empty());
    }
};

LOCKSTEP_TEST(TestOwnProgramControl)
#include "test_own_program_control.moc"
