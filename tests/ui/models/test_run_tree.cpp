// The runs by experiment, batch and variant.
#include "experiment/spec.h"
#include "language/shown_names.h"
#include "program/test_class.h"
#include "ui/models/form/titles.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/runs/run_tree.h"

#include <QTest>

using namespace lockstep;
using analysis::RunRecord;
using analysis::RunStatus;

namespace {

constexpr std::string_view Known[] = {"optimizers", "aggregation"};

RunRecord run(const char* id, const char* experiment, const char* name, std::int64_t second,
    RunStatus status = RunStatus::Finished)
{
    RunRecord record;
    record.id = RunId{id};
    record.spec.experiment = experiment;
    record.spec.name = name;
    record.createdNs = second * 1'000'000'000;
    record.status = status;
    return record;
}

} // namespace

class TestRunTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Variants of presets are told as words, in lists, legends and sentences; a user's names are left alone.
    void variantsHaveTitles()
    {
        const auto titleOf = [](const char* experiment, const char* name) {
            return ui::variantTitle(run("20261123-120000-aaaa", experiment, name, 0).spec);
        };
        QCOMPARE(titleOf("aggregation", "all_reduce"), QStringLiteral("All-reduce"));
        QCOMPARE(titleOf("aggregation", "trimmed_mean"), QStringLiteral("Trimmed mean"));
        QCOMPARE(titleOf("model-parallel", "p2p"), QStringLiteral("Pipeline (send/receive)"));
        QCOMPARE(titleOf("sharding", "zero-1"), QStringLiteral("ZeRO-1"));
        QCOMPARE(titleOf("scaling", "2-weak"), QStringLiteral("2 ranks, weak"));
        QCOMPARE(titleOf("scaling", "2-weak from 40"), QStringLiteral("2 ranks, weak from 40"));
        QCOMPARE(titleOf("optimizers", "Adam"), QStringLiteral("Adam"));
        QCOMPARE(titleOf("optimizers", "all_reduce"), QStringLiteral("all_reduce"));
        QCOMPARE(titleOf("own", "p2p"), QStringLiteral("p2p"));
        RunRecord ring;
        ring.spec.experiment = "aggregation";
        ring.spec.name = "ring";
        ring.spec.repeat = 1;
        QCOMPARE(ui::runName(ring), QStringLiteral("Ring #2"));
        QCOMPARE(language::named({ring}).front().spec.shown, std::string("Ring"));
        ring.label = "ring";
        QCOMPARE(ui::runName(ring), QStringLiteral("ring"));
        for (const std::string_view name : experiment::presetNames()) { // no two of an experiment are called the same
            QStringList titles;
            const auto spec = experiment::preset(name);
            QVERIFY(spec.isOk());
            for (const experiment::Variant& variant : spec->variants) {
                titles << titleOf(std::string(name).c_str(), variant.name.c_str());
            }
            QCOMPARE(titles.removeDuplicates(), 0);
        }
    }

    void batchesAndRepeats()
    {
        // As the table lists them: the newest first.
        const std::vector<RunRecord> records{run("20261123-120000-aaaa", "aggregation", "tree", 130),
            run("20261123-120000-bbbb", "aggregation", "ring", 120, RunStatus::Failed),
            run("20261123-120000-cccc", "aggregation", "ring", 110),
            run("20261123-110000-dddd", "aggregation", "ring", 50), run("20261123-100000-eeee", "mine", "x", 10)};
        const auto tree = ui::runTree(records, Known);
        QCOMPARE(tree.size(), std::size_t(3));
        QCOMPARE(tree[0].key, std::string("optimizers"));
        QVERIFY(tree[0].batches.empty());
        QCOMPARE(tree[2].key, std::string("mine"));
        const std::vector<ui::RunTreeBatch>& batches = tree[1].batches;
        QCOMPARE(batches.size(), std::size_t(2));
        QCOMPARE(batches[0].startedMs, std::int64_t{110'000});
        QCOMPARE(batches[0].variants.size(), std::size_t(2));
        QCOMPARE(batches[0].variants[0].name, QStringLiteral("Ring"));
        QCOMPARE(batches[0].variants[0].runs.size(), std::size_t(2));
        QCOMPARE(batches[0].variants[0].status, RunStatus::Failed);
        QCOMPARE(batches[0].variants[1].name, QStringLiteral("Tree"));
        QCOMPARE(batches[0].runs().size(), std::size_t(3));
        QCOMPARE(batches[1].runs(), std::vector<RunId>{RunId{"20261123-110000-dddd"}});
    }

    /// An experiment with its own title is not its preset's.
    void runsAreFiledUnderTheirTitle()
    {
        std::vector<RunRecord> records{run("20261123-120000-aaaa", "aggregation", "ring", 20),
            run("20261123-110000-bbbb", "aggregation", "ring", 10)};
        records[0].spec.title = {"Slow links", {}};
        const auto tree = ui::runTree(records, Known);
        QCOMPARE(tree.size(), std::size_t(3));
        QCOMPARE(tree[1].key, std::string("aggregation"));
        QCOMPARE(tree[1].batches.size(), std::size_t(1));
        QCOMPARE(tree[2].title.en, std::string("Slow links"));
        QCOMPARE(ui::newestBatchOf(records, tree[2].key), std::vector<RunId>{RunId{"20261123-120000-aaaa"}});
    }

    /// A run that waits has the time at which it was queued: it must not come before those that were started since.
    void waitingRunsStayInTheirOrder()
    {
        const std::vector<RunRecord> records{run("20261123-120000-cccc", "e", "third", 100, RunStatus::Queued),
            run("20261123-120000-bbbb", "e", "second", 100, RunStatus::Queued),
            run("20261123-120000-aaaa", "e", "first", 101, RunStatus::Running)};
        const auto tree = ui::runTree(records, {});
        QStringList names;
        for (const ui::RunTreeVariant& variant : tree.at(0).batches.at(0).variants) {
            names << variant.name;
        }
        QCOMPARE(names, (QStringList{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third")}));
    }

    /// Those that were stopped while they waited, too.
    void whatNeverStartedStaysInItsOrder()
    {
        std::vector<RunRecord> records{run("20261123-120000-bbbb", "e", "second", 100, RunStatus::Stopped),
            run("20261123-120000-aaaa", "e", "first", 101, RunStatus::Stopped)};
        records[0].message = analysis::StoppedBeforeStart;
        const auto tree = ui::runTree(records, {});
        QCOMPARE(tree.at(0).batches.at(0).variants.at(0).name, QStringLiteral("first"));
    }

    void namesOfRepeatsAndLabels()
    {
        std::vector<RunRecord> records{run("20261123-120000-aaaa", "e", "ring", 1)};
        records[0].label = "kept";
        QCOMPARE(ui::runTree(records, {}).at(0).batches.at(0).variants.at(0).name, QStringLiteral("kept"));
    }

    void whenItWasStarted()
    {
        const QDateTime now(QDate(2026, 11, 23), QTime(12, 0));
        QCOMPARE(ui::startedText(now.addSecs(-3600), now), QStringLiteral("today 11:00"));
        QCOMPARE(ui::startedText(now.addDays(-1), now), QStringLiteral("yesterday 12:00"));
        QCOMPARE(ui::startedText(now.addDays(-2), now), QStringLiteral("2026-11-21 12:00"));
    }
};

LOCKSTEP_TEST(TestRunTree)
#include "test_run_tree.moc"
