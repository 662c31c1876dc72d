// What is counted and what follows from a formula, and the link behind several sweeps.
#include "analysis/scaling/link_fit.h"
#include "analysis/timing/traffic_by_kind.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

RunRecord runOf(std::vector<experiment::Override> overrides)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    RunRecord run;
    run.spec = experiment::expand(*spec)->front();
    run.summary.bytesPerStep = 1000.0;
    return run;
}

RunRecord sweepOver(const LinkCost& link)
{
    RunRecord run = runOf({{"strategy.name", "collectives"}, {"world_size", "2"}});
    for (const std::int64_t bytes : {1000, 1'000'000}) {
        const double seconds = *algorithmSeconds(
            std::string(nameOf(run.spec.settings->aggregation.algorithm)), 2, link, static_cast<double>(bytes));
        CollectiveMeasurement& measured = run.measurements.emplace_back();
        measured.collective = "all_reduce";
        measured.bytes = bytes;
        measured.inPlace = true;
        measured.p50Us = seconds * 1e6;
    }
    return run;
}

} // namespace

class TestTraffic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void kindsAreGradientsOrWeights()
    {
        const auto of
            = [](const RunRecord& run, TrafficKind kind) { return bytesByKind(run)[static_cast<std::size_t>(kind)]; };
        const RunRecord data = runOf({{"strategy.name", "data"}, {"world_size", "2"}});
        QCOMPARE(of(data, TrafficKind::Gradients), 1000.0);
        QCOMPARE(of(data, TrafficKind::Weights), 0.0);
        const RunRecord local = runOf({{"strategy.name", "local"}, {"world_size", "2"}});
        QCOMPARE(of(local, TrafficKind::Gradients), 0.0);
        QCOMPARE(of(local, TrafficKind::Weights), 1000.0);
    }

    void onlyABackendsOwnCollectivesAreModelled()
    {
        const auto isModelled
            = [](std::vector<experiment::Override> overrides) { return areBytesModelled(runOf(std::move(overrides))); };
        QVERIFY(!isModelled({{"strategy.name", "single"}})); // it sends nothing
        QVERIFY(isModelled({{"strategy.name", "data"}, {"world_size", "2"}}));
        QVERIFY(!isModelled({{"strategy.name", "data"}, {"world_size", "2"}, {"aggregation.algorithm", "ring"}}));
        QVERIFY(!isModelled({{"strategy.name", "data"}, {"world_size", "2"}, {"link.latency_us", "5"}}));
        QVERIFY(!isModelled({{"strategy.name", "pipeline"}, {"pipeline.stages", "2"}}));
        // The two ends of a pipeline that share a weight sum its gradients.
        QVERIFY(isModelled({{"strategy.name", "pipeline"}, {"pipeline.stages", "2"}, {"dataset.name", "text"},
            {"net.name", "gpt"}, {"net.tied", "true"}}));
    }

    void linkOfRepeatsIsTheirMean()
    {
        const RunRecord first = sweepOver({10e-6, 1e-9});
        const RunRecord second = sweepOver({30e-6, 3e-9});
        const RunRecord* const repeats[] = {&first, &second};
        const auto fit = linkOf(repeats);
        QVERIFY(fit.has_value());
        QVERIFY2(std::abs(fit->link.alpha / 20e-6 - 1.0) < 1e-6, qPrintable(QString::number(fit->link.alpha)));
        QVERIFY2(std::abs(fit->link.beta / 2e-9 - 1.0) < 1e-6, qPrintable(QString::number(fit->link.beta)));
    }

    /// With shared memory on each host one rank of it sends: of eight ranks on two hosts the link is that of two.
    void linkBetweenHostsIsThatOfOneRankEach()
    {
        const LinkCost made{20e-6, 2e-9};
        RunRecord run = sweepOver(made); // the times of two
        run.spec.settings["world_size"] = std::int64_t{8};
        QVERIFY(reachOf(run) != LinkReach::Hosts);
        const auto wrong = linkOf(run);
        QVERIFY(wrong && std::abs(wrong->link.beta / made.beta - 1.0) > 0.3);
        run.summary.hosts = 2;
        const auto fit = linkOf(run);
        QVERIFY(fit && std::abs(fit->link.alpha / made.alpha - 1.0) < 1e-6);
        QVERIFY(std::abs(fit->link.beta / made.beta - 1.0) < 1e-6);
        QVERIFY(reachOf(run) == LinkReach::Hosts && carriesBeyondMachine(reachOf(run)));
        QCOMPARE(nameOf(reachOf(run)), std::string_view("between_hosts"));
        // Flat, or with another algorithm, all ranks send.
        run.spec.settings["comm.backend"] = std::string("gloo");
        QCOMPARE(ranksOfMessages(run), 8);
        run.spec.settings["comm.backend"] = std::string("hierarchical");
        QCOMPARE(ranksOfMessages(run), 2);
        run.spec.settings["aggregation.algorithm"] = std::string("ring");
        QCOMPARE(ranksOfMessages(run), 8);
    }
};

LOCKSTEP_TEST(TestTraffic)
#include "test_traffic.moc"
