// Findings about the cost of dividing a net: times, traffic and memory beside the single process, from the figures
// alone.
#include "analysis/findings/all_findings.h"
#include "analysis/run_record.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <tuple>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

/// A finished run of a variant of the preset, with round figures.
RunRecord runOf(const std::string& variant, double ms, double bytes, std::int64_t states, std::int64_t activations)
{
    const auto spec = experiment::customise(*experiment::preset("model-parallel"),
        std::vector<experiment::Override>{{"repeats", "1"}}, std::vector<std::string>{variant});
    RunRecord run;
    run.spec = experiment::expand(*spec)->front();
    run.id.text = variant;
    run.status = RunStatus::Finished;
    run.summary.msPerStep = ms;
    run.summary.bytesPerStep = bytes;
    for (std::int32_t rank = 0; rank < ranksOf(run); ++rank) {
        RankMemory memory;
        memory.rank = rank;
        of(memory.afterStep, MemoryKind::Parameters) = states - rank; // the first has most
        of(memory.most, MemoryKind::Activations) = activations;
        memory.highest = states + activations;
        run.summary.memory.push_back(memory);
    }
    return run;
}

std::vector<Finding> costs(const std::vector<RunRecord>& runs)
{
    std::vector<Finding> said = findings(runs);
    std::erase_if(said, [](const Finding& finding) { return finding.kind != "model_parallel.cost"; });
    return said;
}

} // namespace

class TestModelParallelFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void eachWayIsHeldAgainstTheSingleProcess()
    {
        RunRecord tensor = runOf("tensor", 3.0, 64'000.0, 500'000, 100'000);
        tensor.summary.bytesByKind = {0.0, 64'000.0, 0.0, 0.0};
        const std::vector<RunRecord> runs{runOf("single", 2.0, 0.0, 1'000'000, 200'000), tensor,
            runOf("p2p", 1.5, 32'000.0, 600'000, 120'000), runOf("data", 1.0, 4e6, 1'000'000, 100'000)};
        const auto said = costs(runs);
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(sentence(said[0], {})),
            QString("What each way costs and saves per rank, beside single."));
        // The base has a row, and memory is the peak that answers name.
        QCOMPARE(said[0].table.rows.size(), std::size_t{4});
        QCOMPARE(said[0].table.rows[0], (std::vector<std::string>{"single", "2.00", "1", "0 B", "1.20 MB", "1"}));
        QCOMPARE(
            said[0].table.rows[1], (std::vector<std::string>{"tensor", "3.00", "1.50", "64.0 kB", "600 kB", "0.500"}));
        QCOMPARE(said[0].table.rows[2][3], std::string("32.0 kB"));
        QCOMPARE(said[0].table.rows[3][3], std::string("4.00 MB"));
        const auto figure = [&](const std::string& name) {
            const auto found = std::find_if(
                said[0].figures.begin(), said[0].figures.end(), [&](const auto& each) { return each.first == name; });
            return found == said[0].figures.end() ? -1.0 : found->second;
        };
        QCOMPARE(figure("times_single_tensor"), 1.5);
        QCOMPARE(figure("peak_times_single_tensor"), 0.5);
        QCOMPARE(figure("layer_sums_bytes_per_step_tensor"), 64'000.0);
        QCOMPARE(said[0].runs.size(), std::size_t{4});
    }

    /// Since its small micro-batches take long to compute.
    void theSmallestBubbleMayTakeLongest()
    {
        std::vector<RunRecord> runs;
        for (const auto& [name, ms, bubble, computing] : {std::tuple("p2p", 5.0, 0.4, 2.5),
                 std::tuple("p2p-1", 6.0, 0.5, 2.0), std::tuple("p2p-8", 10.0, 0.2, 7.0)}) {
            runs.push_back(runOf(name, ms, 1000.0, 500'000, 100'000));
            runs.back().summary.bubbleFraction = bubble;
            for (std::int32_t rank = 0; rank < 2; ++rank) {
                RankSummary of;
                of.rank = rank;
                of.phaseMs[static_cast<std::size_t>(Phase::Backward)] = computing;
                runs.back().ranks.push_back(of);
            }
        }
        const auto saidBy = [&runs] {
            const auto all = findings(runs);
            return std::ranges::any_of(all, [](const Finding& finding) {
                return sentence(finding, {})
                    == "p2p-8 has the smallest bubble and the longest step. Computing its small micro-batches takes a "
                       "rank 7.00 ms, with p2p it takes 2.50 ms.";
            });
        };
        QVERIFY(saidBy());
        for (RankSummary& rank : runs.back().ranks) {
            rank.phaseMs[static_cast<std::size_t>(Phase::Backward)] = 3.0; // then something else does
        }
        QVERIFY(!saidBy());
    }

    void nothingIsSaidWithoutSomethingToCompare()
    {
        const RunRecord single = runOf("single", 2.0, 0.0, 1'000'000, 200'000);
        const RunRecord tensor = runOf("tensor", 3.0, 64'000.0, 500'000, 100'000);
        QVERIFY(costs({tensor}).empty());
        QVERIFY(costs({single, runOf("data", 1.0, 4e6, 1'000'000, 100'000)}).empty());
        RunRecord other = single;
        other.spec.settings["net.hidden"] = std::int64_t{64};
        QVERIFY(costs({other, tensor}).empty()); // another net
        RunRecord untold = tensor;
        untold.summary.memory.clear();
        QVERIFY(costs({single, untold}).empty());
    }
};

LOCKSTEP_TEST(TestModelParallelFindings)
#include "test_model_parallel_findings.moc"
