// Passes that are recorded and replayed instead of run, on a recorder without a GPU: bit by bit the same training, of
// one rank and of pipelines, whatever the schedule.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/model/pass_recorder.h"
#include "engine/strategy/job.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QtTest>

#include <atomic>
#include <map>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

std::atomic<int> replays{0};

/// Runs the work again in the place of a graph, with the tensors that it was recorded with.
class RunAgain final : public PassGraph {
public:
    explicit RunAgain(std::function<void()> work)
        : m_work(std::move(work))
    { }
    void replay() override
    {
        ++replays;
        m_work();
    }

private:
    std::function<void()> m_work;
};

class FakeRecorder final : public PassRecorder {
public:
    /// Cannot record work number `fails`.
    explicit FakeRecorder(int fails)
        : m_fails(fails)
    { }
    Result<std::unique_ptr<PassGraph>> record(const std::function<void()>& work) override
    {
        if (m_number++ == m_fails) {
            return Error{"operation not permitted when stream is capturing"};
        }
        work(); // where outputs lie is known only then; what it computes here is overwritten
        return std::unique_ptr<PassGraph>(std::make_unique<RunAgain>(work));
    }

private:
    int m_number = 0;
    int m_fails;
};

struct Trained {
    std::vector<TrainedRank> ranks;
    std::map<int, std::vector<torch::Tensor>> weights; ///< by rank
    int replays = 0;

    [[nodiscard]] QStringList logged(const QString& part) const
    {
        QStringList lines;
        for (const TrainedRank& rank : ranks) {
            for (const auto& line : rank.kept->all<wire::LogLine>()) {
                const QString text = QString::fromStdString(line.text);
                lines += text.contains(part) ? QStringList{text} : QStringList{};
            }
        }
        return lines;
    }
};

Trained trained(const experiment::RunSpec& run, int ranks, bool isRecorded, int fails = -1)
{
    Trained result;
    Extras extras;
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<torch::Tensor>& weights = result.weights[rank];
        extras.hooks[rank].onEnd = [&weights](const torch::Tensor& at) { weights.push_back(at.clone()); };
        if (isRecorded) {
            extras.hooks[rank].onPrepared = [fails](Job& job) {
                job.passRecorder
                    = [fails]() -> std::unique_ptr<PassRecorder> { return std::make_unique<FakeRecorder>(fails); };
            };
        }
    }
    replays = 0;
    result.ranks = trainedRanks(run, ranks, extras);
    result.replays = replays;
    return result;
}

void compare(const Trained& one, const Trained& other)
{
    QCOMPARE(lossesOf(one.ranks), lossesOf(other.ranks));
    for (std::size_t rank = 0; rank < one.ranks.size(); ++rank) {
        QCOMPARE(one.ranks[rank].goodbye.message, std::string());
        QCOMPARE(other.ranks[rank].goodbye.message, std::string());
        const auto& a = one.weights.at(static_cast<int>(rank));
        const auto& b = other.weights.at(static_cast<int>(rank));
        QCOMPARE(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            QVERIFY(torch::equal(a[i], b[i]));
        }
    }
}

} // namespace

class TestRecordedPasses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void replayedStepsAreThoseThatRun_data();
    void replayedStepsAreThoseThatRun();
    void whatCannotBeRecordedRuns_data();
    void whatCannotBeRecordedRuns();
    void withoutGraphsNothingIsRecorded();
};

void TestRecordedPasses::replayedStepsAreThoseThatRun_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("settings");
    const auto add = [](int ranks, const char* settings) {
        QTest::addRow("%d ranks, %s", ranks, settings) << ranks << QString(settings);
    };
    add(1, "strategy.name=single net.name=mlp");
    add(2, "strategy.name=data net.name=mlp");
    // 600 samples: the last batch of an epoch, of 24, is not recorded.
    for (const char* schedule : {"gpipe", "1f1b"}) {
        add(2,
            qPrintable(QStringLiteral("strategy.name=pipeline net.name=deep-mlp pipeline.microbatches=4 "
                                      "pipeline.schedule=%1")
                           .arg(schedule)));
    }
    add(3, "strategy.name=pipeline net.name=deep-mlp pipeline.microbatches=5 optimizer.name=adam optimizer.lr=0.001");
    add(2,
        "strategy.name=pipeline net.name=deep-mlp pipeline.microbatches=4 "
        "pipeline.schedule=interleaved");
    add(2, "strategy.name=pipeline net.name=cnn train.batch=16 train.steps=8 pipeline.microbatches=4");
    add(4, "strategy.name=grid grid.data=2 grid.pipeline=2 net.name=deep-mlp pipeline.microbatches=2");
}

void TestRecordedPasses::replayedStepsAreThoseThatRun()
{
    QFETCH(int, ranks);
    QFETCH(QString, settings);
    auto overrides = withSettings({{"dataset.train_samples", "600"}, {"dataset.test_samples", "50"},
                                      {"train.batch", "64"}, {"train.steps", "24"}, {"rank.bind", "false"}},
        settings);
    if (settings.contains("pipeline.microbatches") && !settings.contains("grid.")) {
        overrides.push_back({"pipeline.stages", std::to_string(ranks)});
    } else if (!settings.contains("grid.")) {
        overrides.push_back({"world_size", std::to_string(ranks)});
    }
    const auto run = runOf(overrides);
    const Trained replayed = trained(run, ranks, true);
    compare(replayed, trained(run, ranks, false));
    QVERIFY(replayed.replays > ranks * 8);
    QVERIFY(replayed.logged("are recorded as CUDA graphs").size() >= ranks);
}

void TestRecordedPasses::whatCannotBeRecordedRuns_data()
{
    QTest::addColumn<int>("fails");
    QTest::addRow("the first pass") << 0;
    QTest::addRow("a later one") << 5; // when others have been recorded
}

void TestRecordedPasses::whatCannotBeRecordedRuns()
{
    QFETCH(int, fails);
    const auto run = runOf(withSettings({{"dataset.train_samples", "600"}, {"rank.bind", "false"}},
        "strategy.name=pipeline pipeline.stages=2 net.name=deep-mlp pipeline.microbatches=4 train.steps=10 "
        "train.batch=60"));
    const Trained without = trained(run, 2, true, fails);
    compare(without, trained(run, 2, false));
    QCOMPARE(without.replays, 0);
    const QStringList lines = without.logged("cannot be recorded");
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.front(),
        QString("rank 0: forward and backward of batches of 60 cannot be recorded as CUDA graphs, and are launched "
                "kernel by kernel: operation not permitted when stream is capturing"));
}

void TestRecordedPasses::withoutGraphsNothingIsRecorded()
{
    const auto run = runOf(withSettings({{"dataset.train_samples", "600"}, {"rank.bind", "false"}},
        "strategy.name=pipeline pipeline.stages=2 net.name=deep-mlp train.steps=8 train.batch=60 train.graphs=false"));
    const Trained without = trained(run, 2, true);
    QCOMPARE(without.replays, 0);
    QVERIFY(without.logged("CUDA graphs").isEmpty());
}

LOCKSTEP_TEST(TestRecordedPasses)
#include "test_recorded_passes.moc"
