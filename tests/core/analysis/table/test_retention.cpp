// Which runs a rule lets go.
#include "analysis/table/retention.h"
#include "core/analysis/table/table_runs.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::RunRecord;

namespace {

constexpr std::int64_t Day = 24LL * 3600 * 1'000'000'000;
constexpr std::int64_t Today = 1000 * Day;

/// Of one variant, this many days old.
RunRecord aged(int days, const char* name = "SGD")
{
    RunRecord run = tableRun(name, 1, 0.1, 0.9);
    run.id.text = std::string(name) + std::to_string(days);
    run.createdNs = Today - days * Day;
    return run;
}

QStringList going(const std::vector<RunRecord>& runs, const analysis::RetentionRule& rule)
{
    QStringList ids;
    for (const RunId& id : analysis::runsToDelete(runs, rule, Today)) {
        ids += QString::fromStdString(id.text);
    }
    return ids;
}

} // namespace

class TestRetention : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oldRunsBeyondTheNewestGo()
    {
        const std::vector<RunRecord> runs{aged(1), aged(40), aged(50), aged(60), aged(70, "Adam")};
        QCOMPARE(going(runs, {30, 2}), (QStringList{"SGD50", "SGD60"}));
        QCOMPARE(going(runs, {30, 0}), (QStringList{"SGD40", "SGD50", "SGD60", "Adam70"}));
        QCOMPARE(going(runs, {365, 0}), QStringList());
    }

    void marksAndRunsUnderWayStay()
    {
        std::vector<RunRecord> runs{aged(40), aged(50), aged(60)};
        runs[0].marks.isPinned = true;
        runs[1].marks.tags = {"paper"};
        runs[2].status = analysis::RunStatus::Running;
        QCOMPARE(going(runs, {30, 0, true}), QStringList());
    }

    void unfinishedRunsGoIfAsked()
    {
        std::vector<RunRecord> runs{aged(40), aged(50), aged(5)};
        runs[0].status = analysis::RunStatus::Failed;
        runs[2].status = analysis::RunStatus::Stopped;
        QCOMPARE(going(runs, {30, 3, true}), QStringList{"SGD40"});
        QCOMPARE(going(runs, {30, 3, false}), QStringList());
    }
};

LOCKSTEP_TEST(TestRetention)
#include "test_retention.moc"
