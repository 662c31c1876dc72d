// Every kind of sentence against three made-up stores: one where it is true, one where it is false, and one that does
// not tell. In the last two it is not said, or says that it cannot be told.
#include "core/analysis/made_up_stores.h"
#include "core/analysis/optimizer_runs.h"
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

std::string seedOf(std::size_t i)
{
    return std::to_string(i + 1);
}

Runs joined(std::initializer_list<Runs> parts)
{
    Runs all;
    for (const Runs& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// One run for each value, with seeds 1, 2, ...; `set` writes the value into it.
template <typename Set>
Runs ofSeeds(const std::string& name, const std::vector<double>& values, Set set, const Settings& settings = {})
{
    Runs runs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        Settings all = settings;
        all.emplace_back("train.seed", seedOf(i));
        RunRecord run = replicas(name, all);
        set(run, values[i]);
        runs.push_back(std::move(run));
    }
    return runs;
}

Runs communicating(const char* algorithm, const std::vector<double>& ms)
{
    return ofSeeds(algorithm, ms, [](RunRecord& run, double value) { run.summary.commMsPerStep = value; },
        {{"aggregation.algorithm", algorithm}});
}

/// These times per step, of which 1 ms is communication.
Runs exchanging(const char* algorithm, const std::vector<double>& ms)
{
    return ofSeeds(algorithm, ms,
        [](RunRecord& run, double value) {
            run.summary.msPerStep = value;
            run.summary.commMsPerStep = 1.0;
        },
        {{"aggregation.algorithm", algorithm}});
}

RunRecord ringOf(double bytes)
{
    RunRecord run = replicas("ring", {{"aggregation.algorithm", "ring"}});
    run.summary.bytesPerStep = bytes;
    return run;
}

RunRecord overLink(RunRecord run)
{
    run.spec.settings["link.latency_us"] = 100.0;
    return run;
}

RunRecord trimmed(const char* ranks)
{
    return madeUpRun("trimmed",
        {{"world_size", ranks}, {"strategy.name", "data"}, {"aggregation.algorithm", "all_gather"},
            {"aggregation.rule", "trimmed_mean"}, {"aggregation.trim", "0.25"}});
}

/// The second loss of a mean and of a sum, of these seeds.
Runs meanAndSum(double ofSum, const char* seedOfSum = "1")
{
    RunRecord mean = replicas("mean");
    mean.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, 0.9}};
    RunRecord sum = replicas("sum", {{"aggregation.rule", "sum"}, {"train.seed", seedOfSum}});
    sum.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, ofSum}};
    return {mean, sum};
}

Runs slowed(double slowsWaitMs, const char* delay = "20")
{
    RunRecord run = replicas("slow", {{"straggler.delay_ms", delay}, {"straggler.ranks", "1"}});
    for (const std::int32_t rank : {0, 1}) {
        RankSummary summary;
        summary.rank = rank;
        summary.medianWaitMs = rank == 0 ? 20.0 : slowsWaitMs;
        summary.medianCommunicateMs = 1.0;
        run.ranks.push_back(summary);
    }
    return {run};
}

Runs stale(std::size_t ranks)
{
    RunRecord run = replicas("async", {{"aggregation.algorithm", "parameter_server_async"}});
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        run.staleness.push_back({static_cast<std::int32_t>(rank), 10, 10, 2, {2, 6, 2}});
    }
    run.summary.staleness = 1.0;
    return {run};
}

Runs verified(double difference, std::vector<double> drifts)
{
    RunRecord run = replicas("checked", {{"verify", "true"}});
    run.summary.verifyMaxRelativeDifference = difference;
    run.summary.verifyDrifts = std::move(drifts);
    return {run};
}

Runs withWrong(std::int64_t wrong)
{
    RunRecord run = sweep("ring", {1.0, 2.0});
    run.measurements.front().wrong = wrong;
    return {run};
}

/// `times` as long as others; what chance does to each seed.
Runs sweepsOfSeeds(const char* name, double times, const std::vector<double>& chance)
{
    Runs runs;
    for (std::size_t i = 0; i < chance.size(); ++i) {
        const double factor = times * chance[i];
        runs.push_back(sweep(name, {factor, 3.0 * factor, 5.0 * factor}, {{"train.seed", seedOf(i)}}));
    }
    return runs;
}

/// Momentum by batch size by seed; what each value adds to the accuracy, and what chance does.
Runs grid(const std::vector<double>& ofMomentum, const std::vector<double>& ofBatch, double chance, std::size_t seeds)
{
    Runs runs;
    int number = 0;
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        for (std::size_t m = 0; m < ofMomentum.size(); ++m) {
            for (std::size_t b = 0; b < ofBatch.size(); ++b) {
                runs.push_back(replicas("grid" + std::to_string(m) + std::to_string(b),
                    {{"optimizer.name", "momentum"}, {"optimizer.momentum", m == 0 ? "0.5" : "0.9"},
                        {"train.batch", b == 0 ? "16" : "32"}, {"train.seed", seedOf(seed)}}));
                runs.back().spec.experiment = "aggregation"; // else the answer says it
                runs.back().createdNs = 1;
                runs.back().summary.testAccuracy
                    = 0.7 + ofMomentum[m] + ofBatch[b] + chance * std::sin(12.9 * static_cast<double>(++number));
            }
        }
    }
    return runs;
}

Runs synchronized(const char* name, const std::vector<double>& accuracies, const Settings& settings)
{
    return ofSeeds(
        name, accuracies,
        [](RunRecord& run, double accuracy) {
            run.summary.testAccuracy = accuracy;
            run.summary.bytesPerStep = 1000.0;
            run.summary.msPerStep = 2.0;
            run.summary.steps = 100;
            run.summary.trainSamples = 1000;
        },
        settings);
}
Runs often(const std::vector<double>& accuracies)
{
    return synchronized("data", accuracies, {});
}
Runs seldom(const std::vector<double>& accuracies)
{
    Runs runs = synchronized("local", accuracies, {});
    for (RunRecord& run : runs) {
        const std::string seed = std::to_string(run.spec.settings->train.seed);
        run.spec = madeUpRun(
            "local", {{"world_size", "2"}, {"strategy.name", "local"}, {"local.every", "20"}, {"train.seed", seed}})
                       .spec;
        run.spec.name = "local";
    }
    return runs;
}

/// A run of a deep net whose ranks keep `states` bytes each; 0: it does not tell.
RunRecord keeping(const char* name, const char* strategy, std::int64_t states, const Settings& more = {})
{
    Settings settings{{"strategy.name", strategy}, {"net.name", "deep-mlp"}, {"optimizer.name", "adam"}};
    settings.insert(settings.end(), more.begin(), more.end());
    RunRecord run = madeUpRun(name, settings);
    run.summary.msPerStep = 2.0;
    run.summary.bytesPerStep = 100.0;
    for (std::int32_t rank = 0; states > 0 && rank < ranksOf(run); ++rank) {
        RankMemory memory;
        memory.rank = rank;
        memory.highest = 2 * states;
        of(memory.afterStep, MemoryKind::Parameters) = of(memory.planned, MemoryKind::Parameters) = states;
        of(memory.most, MemoryKind::Activations) = of(memory.planned, MemoryKind::Activations) = states;
        run.summary.memory.push_back(memory);
    }
    return run;
}

/// SGD and Adam with these half-lives of the loss, by seed; `seconds` a step of each.
Runs optimizers(const std::vector<double>& ofSgd, const std::vector<double>& ofAdam, double sgdSeconds = 0.001,
    double adamSeconds = 0.001)
{
    Runs runs;
    for (std::size_t i = 0; i < ofSgd.size(); ++i) {
        runs.push_back(optimizerRun(1, static_cast<int>(i), ofSgd[i], sgdSeconds, 0.9));
    }
    for (std::size_t i = 0; i < ofAdam.size(); ++i) {
        runs.push_back(optimizerRun(2, static_cast<int>(i), ofAdam[i], adamSeconds, 0.9));
    }
    return runs;
}

/// A third variant, by seed.
Runs oneMore(const std::vector<double>& halfLives)
{
    Runs runs = optimizers({}, halfLives);
    for (RunRecord& run : runs) {
        run.spec.name = "AdamW";
        run.id.text += "W";
        run.spec.settings["optimizer.weight_decay"] = 0.01;
    }
    return runs;
}

Runs wholeBatches(const std::vector<double>& gdSeconds, const std::vector<double>& sgdSeconds)
{
    Runs runs;
    for (std::size_t i = 0; i < gdSeconds.size(); ++i) {
        runs.push_back(optimizerRun(0, static_cast<int>(i), 40, gdSeconds[i], 0.9));
        runs.push_back(optimizerRun(1, static_cast<int>(i), 40, sgdSeconds[i], 0.9));
    }
    return runs;
}

/// Runs whose losses say nothing of the net: their ranks train alone on their shares.
Runs trainingAlone()
{
    RunRecord run = replicas("alone");
    run.spec = madeUpRun("alone", {{"world_size", "2"}, {"strategy.name", "local"}, {"local.every", "20"}}).spec;
    run.summary.labelSkew = 0.02;
    run.summary.testAccuracy = 0.9;
    run.loss = {{1, 2}, {0.1, 0.2}, {0.1, 0.2}, {1.0, 0.9}};
    return {run};
}

Runs withLosses(Runs runs, double value)
{
    for (RunRecord& run : runs) {
        std::ranges::fill(run.loss.value, value);
    }
    return runs;
}

/// Losses by turns above and below the trend by this share.
Runs noisy(Runs runs, double share)
{
    for (RunRecord& run : runs) {
        for (std::size_t i = 0; i < run.loss.value.size(); ++i) {
            run.loss.value[i] *= i % 2 == 0 ? 1.0 + share : 1.0 - share;
        }
    }
    return runs;
}

/// Accuracies by seed of two of Dirichlet's alphas.
Runs alphas(const std::vector<double>& ofSmall, const std::vector<double>& ofLarge)
{
    Runs runs;
    for (const bool isLarge : {false, true}) {
        const std::vector<double>& accuracies = isLarge ? ofLarge : ofSmall;
        for (std::size_t i = 0; i < accuracies.size(); ++i) {
            RunRecord run
                = partitioned(isLarge ? "large" : "small", "dirichlet", static_cast<int>(i) + 1, accuracies[i]);
            run.spec.settings["partition.alpha"] = isLarge ? 5.0 : 0.5;
            run.summary.labelSkew = isLarge ? 0.1 : 0.4;
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

Runs shares(std::vector<std::int64_t> samples, std::int64_t redraws = 0)
{
    RunRecord run = partitioned("random", "random", 1, 0.9);
    run.shares.clear();
    for (const std::int64_t each : samples) {
        run.shares.push_back({static_cast<std::int32_t>(run.shares.size()), each, 0, redraws, {each}});
    }
    return {run};
}

Runs besideOneProcess(double accuracy, double samplesPerSecond)
{
    RunRecord single = madeUpRun("single", {{"strategy.name", "single"}});
    single.summary.testAccuracy = accuracy;
    single.summary.samplesPerSecond = samplesPerSecond;
    RunRecord random = partitioned("random", "random", 1, 0.9);
    random.summary.samplesPerSecond = 2000.0;
    return {single, random};
}

Runs pipelined(const std::vector<double>& bubbles)
{
    Runs runs;
    for (std::size_t i = 0; i < bubbles.size(); ++i) {
        runs.push_back(madeUpRun(
            "pipeline", {{"strategy.name", "pipeline"}, {"net.name", "deep-mlp"}, {"train.seed", seedOf(i)}}));
        runs.back().summary.bubbleFraction = bubbles[i];
    }
    return runs;
}

/// A run of the preset for scaling, on a machine with `cores` cores.
RunRecord scaled(const char* variant, double accuracy, int repeat = 0, std::int64_t cores = 64)
{
    const auto runs = experiment::expand(*experiment::preset("scaling"));
    RunRecord made;
    made.spec = *std::ranges::find_if(
        *runs, [&](const experiment::RunSpec& each) { return each.name == variant && each.repeat == repeat; });
    made.id.text = variant + std::to_string(repeat);
    made.status = RunStatus::Finished;
    const int ranks = ranksOf(made);
    Summary& summary = made.summary;
    summary.msPerStep = 40.0 / ranks + 2.0;
    summary.samplesPerSecond = 32.0 / summary.msPerStep * 1e3;
    summary.commMsPerStep = 1.0;
    summary.waitMsPerStep = 0.0;
    summary.steps = 512;
    summary.cores = cores;
    summary.trainSamples = 4096;
    summary.testAccuracy = summary.bestTestAccuracy = accuracy;
    made.accuracy = {{128, 256}, {1.0, 2.0}, {1.0, 2.0}, {0.8 * accuracy, accuracy}};
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RankSummary of;
        of.rank = rank;
        of.phaseMs = {4.0 / ranks, 12.0 / ranks, 24.0 / ranks, 1.0, 0.0, 1.0, 0.0};
        of.msPerStep = summary.msPerStep;
        made.ranks.push_back(of);
    }
    return made;
}

/// The measured link of the preset; `latency`: emulated.
RunRecord measuredLink(const char* latency = "0")
{
    RunRecord made = scaled("link", NaN);
    made.spec.settings["link.latency_us"] = std::stod(latency);
    made.measurements.clear();
    for (const std::int64_t bytes : {4, 4096, 65'536, 1'048'576}) {
        CollectiveMeasurement each{"all_reduce", "", "float32", bytes, true, 100};
        each.p50Us = each.p99Us = each.meanUs = 100.0 + 0.0002 * static_cast<double>(bytes);
        each.shared = true;
        made.measurements.push_back(each);
    }
    return made;
}

/// Its calls take `times` as long.
void slowDown(RunRecord& sweep, double times)
{
    for (CollectiveMeasurement& each : sweep.measurements) {
        each.p50Us = each.p99Us = each.meanUs = times * each.p50Us;
    }
}

Runs scaling()
{
    return {scaled("single", 0.95), scaled("2", 0.95)};
}

/// With a host for each rank.
Runs overHosts(Runs runs)
{
    for (RunRecord& run : runs) {
        run.summary.hosts = ranksOf(run);
    }
    return runs;
}

/// Accuracies by seed of the single process and of the most ranks with a batch each.
Runs largeBatches(const std::vector<double>& single, const std::vector<double>& most)
{
    Runs runs;
    for (std::size_t i = 0; i < single.size(); ++i) {
        runs.push_back(scaled("single", single[i], static_cast<int>(i)));
        runs.push_back(scaled("8-weak", most[i], static_cast<int>(i)));
    }
    return runs;
}

Runs changed(Runs runs, void (*change)(RunRecord&))
{
    std::ranges::for_each(runs, change);
    return runs;
}

Runs timed(const char* name, const std::vector<double>& ms, const char* optimizer)
{
    return ofSeeds(
        name, ms, [](RunRecord& run, double value) { run.summary.msPerStep = value; }, {{"optimizer.name", optimizer}});
}

RunRecord paused(RunRecord run)
{
    run.summary.interference.isPaused = true;
    return run;
}

/// Slowed by hand in its steps 101 to 200.
RunRecord slowedByHand(RunRecord run, bool hasBefore, bool hasAfter)
{
    run.summary.interference.isSlowed = true;
    if (hasBefore) {
        run.stretches.push_back({.firstStep = 1, .lastStep = 100, .msPerStep = 4.0, .othersWaitMs = 0.1});
    }
    run.stretches.push_back(
        {.firstStep = 101, .lastStep = 200, .ranks = {1}, .delayMs = 5.0, .msPerStep = 9.0, .othersWaitMs = 5.1});
    if (hasAfter) {
        run.stretches.push_back({.firstStep = 201, .lastStep = 300, .msPerStep = 4.0, .othersWaitMs = 0.1});
    }
    return run;
}

/// After step 50; `scheduled`: the steps that its schedule was made for there, 0 for as many as here.
RunRecord resumed(RunRecord run, std::int64_t scheduled, double seconds)
{
    run.summary.resumption = {50, scheduled, 200};
    run.summary.trainSeconds = seconds;
    return run;
}

/// Runs whose ranks waited this share of their time for other work.
Runs disturbed(Runs runs, double share)
{
    for (RunRecord& run : runs) {
        run.summary.delayByOthers = share;
    }
    return runs;
}

struct Stores {
    const char* kind;
    Runs where;
    Runs whereNot;
    Runs undecidable;
    const char* thenSaid = ""; ///< what an undecidable store makes it say; empty: nothing
};

const std::vector<Stores>& runStores()
{
    static const std::vector<Stores> All{
        {"run.left_out", {failed(replicas("a"))}, {replicas("a")}, {withStatus(replicas("a"), RunStatus::Running)}},
        {"run.interfered", {paused(replicas("a"))}, {replicas("a")}, {failed(paused(replicas("a")))}},
        {"run.slowed", {slowedByHand(replicas("a"), true, false)}, {replicas("a")},
            {slowedByHand(replicas("a"), false, false)}},
        {"run.slowed_after", {slowedByHand(replicas("a"), true, true)}, {slowedByHand(replicas("a"), true, false)},
            {slowedByHand(replicas("a"), false, true)}},
        {"run.same_seed", {replicas("a"), replicas("a")}, {replicas("a"), replicas("b")},
            {failed(replicas("a")), replicas("a")}},
        {"run.time_unknown", {resumed(replicas("a"), 0, NaN)}, {replicas("a")}, {resumed(replicas("a"), 0, 2.0)}},
        {"optimizers.schedule_changed", {resumed(replicas("a"), 100, 2.0)}, {replicas("a")},
            {resumed(replicas("a"), 0, 2.0)}},
        {"machine.busy", disturbed({replicas("a")}, 0.34), disturbed({replicas("a")}, 0.02), {replicas("a")}},
        {"run.data_sets", {replicas("a"), replicas("b", {{"dataset.train_samples", "500"}})},
            {replicas("a"), replicas("b")}, {replicas("a"), failed(replicas("b", {{"dataset.train_samples", "500"}}))}},
        {"timing.difference", joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {2.0, 2.2, 2.41}, "adam")}),
            joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {1.2, 1.1, 1.0}, "adam")}),
            joined({timed("a", {1.0}, "sgd"), timed("b", {2.0}, "adam")})},
        {"timing.no_difference", joined({timed("a", {1.0, 1.01, 1.02}, "sgd"), timed("b", {1.02, 1.01, 1.0}, "adam")}),
            joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {2.0, 2.2, 2.41}, "adam")}),
            joined({timed("a", {1.0}, "sgd"), timed("b", {1.0}, "adam")})},
        {"timing.doubtful", joined({exchanging("ring", {20.0, 20.1, 20.2}), exchanging("tree", {2.0, 2.03, 2.01})}),
            joined({exchanging("ring", {20.0, 20.1, 20.2}), exchanging("tree", {18.0, 18.1, 18.2})}),
            joined({exchanging("ring", {20.0}), exchanging("tree", {2.0})})},
        {"timing.unknown", joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {1.2, 1.1, 1.0}, "adam")}),
            joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {2.0, 2.2, 2.41}, "adam")}),
            joined({timed("a", {1.0}, "sgd"), timed("b", {1.0}, "adam")})},
        {"parameters.influence", grid({0.0, 0.1}, {0.0, 0.01}, 0.001, 3), grid({0.0, 0.1}, {0.0}, 0.001, 3),
            grid({0.0, 0.05}, {0.0, 0.05}, 0.02, 3)},
        {"parameters.influence_unknown", grid({0.0, 0.05}, {0.0, 0.05}, 0.02, 3),
            grid({0.0, 0.1}, {0.0, 0.01}, 0.001, 3), grid({0.0, 0.1}, {0.0, 0.01}, 0.001, 1),
            "cannot be told from one seed"},
        {"local.synchronizes", joined({often({0.95, 0.951, 0.952}), seldom({0.90, 0.901, 0.902})}),
            seldom({0.90, 0.901, 0.902}), joined({often({0.95, 0.96, 0.97}), seldom({0.965, 0.955, 0.945})}),
            "cannot be told apart"}};
    return All;
}

const std::vector<Stores>& aggregationStores()
{
    static const std::vector<Stores> All{
        {"aggregation.fastest",
            joined({communicating("ring", {1.0, 1.1, 1.2}), communicating("tree", {2.0, 2.1, 2.2})}),
            communicating("ring", {1.0, 1.1, 1.2}),
            joined({communicating("ring", {1.0, 2.0, 3.0}), communicating("tree", {3.1, 2.1, 1.1})}), "cannot be told"},
        {"aggregation.model", {overLink(ringOf(1e6))}, {ringOf(1e6)}, {overLink(ringOf(NaN))}},
        {"aggregation.trims_no_rank", {trimmed("2")}, {trimmed("8")}, {failed(trimmed("2"))}},
        {"aggregation.sum", meanAndSum(0.5), meanAndSum(0.9), meanAndSum(0.5, "2")},
        {"aggregation.overlap",
            ofSeeds("buckets", {0.25}, [](RunRecord& run, double value) { run.summary.overlapFraction = value; }),
            {replicas("buckets")},
            changed(
                ofSeeds("buckets", {0.25}, [](RunRecord& run, double value) { run.summary.overlapFraction = value; }),
                [](RunRecord& run) { run.status = RunStatus::Failed; })},
        {"aggregation.straggler", slowed(0.0), slowed(0.0, "0"), slowed(15.0)},
        {"aggregation.emulated_link", {replicas("far", {{"link.latency_us", "100"}})}, {replicas("near")},
            {failed(replicas("far", {{"link.latency_us", "100"}}))}},
        {"aggregation.staleness", stale(2), {replicas("sync")}, stale(1)},
        {"aggregation.verified", verified(0.0003, {0.0002, 0.0001, 0.0002}), verified(0.01, {0.0002, 0.0001, 0.0002}),
            verified(0.01, {0.02, 0.01, 0.02})},
        {"aggregation.not_verified", verified(0.01, {0.0002, 0.0001, 0.0002}),
            verified(0.0003, {0.0002, 0.0001, 0.0002}), verified(0.01, {0.02, 0.01, 0.02})},
        {"aggregation.not_comparable", verified(0.01, {0.02, 0.01, 0.02}), verified(0.0003, {0.0002, 0.0001, 0.0002}),
            verified(NaN, {})},
        {"collectives.wrong", withWrong(3), withWrong(0), {sweep("ring", {})}},
        {"collectives.fit", {sweep("all_reduce", {20.0, 21.0, 30.0, 200.0})},
            {sweep("broadcast", {20.0, 21.0, 30.0}, {{"collective.name", "broadcast"}})},
            {sweep("all_reduce", {20.0})}},
        {"collectives.theory", {sweep("all_reduce", {20.0, 21.0, 30.0, 200.0})},
            {sweep("broadcast", {20.0, 21.0, 30.0}, {{"collective.name", "broadcast"}})},
            {sweep("all_reduce", {20.0, 21.0})}},
        {"collectives.times", {sweep("ring", {1.0, 2.0, 4.0}), sweep("tree", {2.0, 3.0, 5.0})},
            {sweep("ring", {1.0, 2.0, 4.0})}, {sweep("ring", {}), sweep("tree", {})}},
        {"collectives.one_repeat", {sweep("ring", {1.0, 2.0, 4.0}), sweep("tree", {2.0, 3.0, 5.0})},
            joined({sweepsOfSeeds("ring", 1.0, {1.0, 1.1}), sweepsOfSeeds("tree", 1.0, {1.1, 1.0})}),
            {sweep("ring", {}), sweep("tree", {})}},
        {"collectives.groups", {sweep("ring", {1.0, 2.0}, {{"sweep.groups", "2"}})}, {sweep("ring", {1.0, 2.0})},
            {failed(sweep("ring", {1.0, 2.0}, {{"sweep.groups", "2"}}))}},
        {"collectives.async", {sweep("ring", {1.0, 2.0}, {{"sweep.async", "true"}})}, {sweep("ring", {1.0, 2.0})},
            {failed(sweep("ring", {1.0, 2.0}, {{"sweep.async", "true"}}))}},
        {"collectives.root", {sweep("b", {1.0, 2.0}, {{"collective.name", "broadcast"}, {"sweep.root", "3"}})},
            {sweep("b", {1.0, 2.0}, {{"collective.name", "broadcast"}})},
            {failed(sweep("b", {1.0, 2.0}, {{"collective.name", "broadcast"}, {"sweep.root", "3"}}))}},
        {"collectives.fastest",
            joined({sweepsOfSeeds("ring", 1.0, {1.0, 1.1, 1.05}), sweepsOfSeeds("tree", 2.0, {1.0, 1.1, 1.05})}),
            sweepsOfSeeds("ring", 1.0, {1.0, 1.1}),
            joined({sweepsOfSeeds("ring", 1.0, {1.0, 1.1}), sweepsOfSeeds("tree", 1.0, {1.1, 1.0})})},
        {"collectives.no_difference",
            joined({sweepsOfSeeds("ring", 1.0, {1.0, 1.1}), sweepsOfSeeds("tree", 1.0, {1.1, 1.0})}),
            joined({sweepsOfSeeds("ring", 1.0, {1.0, 1.1, 1.05}), sweepsOfSeeds("tree", 2.0, {1.0, 1.1, 1.05})}),
            joined({sweepsOfSeeds("ring", 1.0, {1.0}), sweepsOfSeeds("tree", 1.0, {1.0})})}};
    return All;
}

const std::vector<Stores>& learningStores()
{
    static const std::vector<Stores> All{{"optimizers.to_loss", optimizers({40.0}, {20.0}), trainingAlone(),
                                             withLosses(optimizers({40.0}, {20.0}), NaN)},
        {"optimizers.fewest_steps", optimizers({40.0, 41.0, 42.0}, {20.0, 21.0, 22.0}), optimizers({40.0}, {40.0}),
            optimizers({30.0, 40.0, 50.0}, {51.0, 41.0, 31.0})},
        {"optimizers.fastest", optimizers({40.0, 41.0, 42.0}, {20.0, 21.0, 22.0}), optimizers({40.0}, {40.0}),
            optimizers({30.0, 40.0, 50.0}, {51.0, 41.0, 31.0})},
        {"optimizers.fewest_steps_tied",
            joined({optimizers({60.0, 61.0, 62.0}, {20.0, 21.0, 22.0}), oneMore({22.0, 21.0, 20.0})}),
            optimizers({40.0, 41.0, 42.0}, {20.0, 21.0, 22.0}), optimizers({40.0}, {40.0})},
        {"optimizers.fastest_tied",
            joined({optimizers({60.0, 61.0, 62.0}, {20.0, 21.0, 22.0}), oneMore({22.0, 21.0, 20.0})}),
            optimizers({40.0, 41.0, 42.0}, {20.0, 21.0, 22.0}), optimizers({40.0}, {40.0})},
        {"optimizers.not_learned", withLosses(optimizers({40.0}, {}), 2.3), optimizers({40.0}, {}),
            withLosses(optimizers({40.0}, {}), NaN)},
        {"optimizers.noise", joined({noisy(optimizers({40.0}, {}), 0.1), noisy(optimizers({}, {20.0}), 0.01)}),
            joined({noisy(optimizers({40.0}, {}), 0.1), noisy(optimizers({}, {20.0}), 0.1)}),
            noisy(optimizers({40.0}, {}), 0.1)},
        {"optimizers.whole_batch_cost", wholeBatches({0.1, 0.11, 0.12}, {0.001, 0.0011, 0.0012}),
            wholeBatches({0.001}, {0.002}), wholeBatches({0.001, 0.002, 0.004}, {0.0019, 0.0029, 0.0012})},
        {"optimizers.one_repeat", optimizers({40.0}, {20.0}), optimizers({40.0, 41.0}, {20.0, 21.0}),
            optimizers({40.0}, {})},
        {"partitioning.accuracy", partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}),
            partitions({0.950, 0.951, 0.952}, {0.951, 0.952, 0.950}),
            partitions({0.90, 0.94, 0.92}, {0.93, 0.88, 0.92})},
        {"partitioning.skew", alphas({0.90, 0.901, 0.902}, {0.95, 0.951, 0.952}),
            partitions({0.950, 0.951, 0.952}, {0.951, 0.952, 0.950}), alphas({0.90, 0.94, 0.92}, {0.93, 0.89, 0.95})},
        {"partitioning.alike", partitions({0.950, 0.951, 0.952}, {0.951, 0.952, 0.950}),
            partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}), partitions({0.95}, {NaN})},
        {"partitioning.undecided", partitions({0.90, 0.94, 0.92}, {0.93, 0.88, 0.92}),
            partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}), partitions({0.95}, {0.90})},
        {"partitioning.chance", partitions({0.95, 0.951}, {0.90}),
            partitions({0.950, 0.951, 0.952}, {0.900, 0.901, 0.902}), partitions({0.95}, {0.90})},
        {"partitioning.alpha", alphas({0.90, 0.901, 0.902}, {0.95, 0.951, 0.952}), alphas({}, {0.95, 0.951}),
            alphas({0.90, 0.94, 0.92}, {0.93, 0.89, 0.95}),
            "Whether the accuracy changes with Dirichlet's alpha cannot be told"},
        {"partitioning.uneven", shares({3000, 1000}), shares({2000, 2000}), shares({3000})},
        {"partitioning.redrawn", shares({2000, 2000}, 4), shares({2000, 2000}), shares({}, 4)},
        {"partitioning.set_epoch", {replicas("random", {{"partition.set_epoch", "false"}})}, {replicas("random")},
            {failed(replicas("random", {{"partition.set_epoch", "false"}}))}},
        {"partitioning.against_single", besideOneProcess(0.96, 1000.0), partitions({0.95}, {0.9}),
            besideOneProcess(NaN, 1000.0)},
        {"partitioning.speed_up", besideOneProcess(0.96, 1000.0), partitions({0.95}, {0.9}),
            besideOneProcess(0.96, NaN)}};
    return All;
}

const std::vector<Stores>& divisionStores()
{
    const RunRecord single = keeping("single", "single", 800'000);
    const RunRecord cut = keeping("cut", "pipeline", 400'000);
    const RunRecord untold = keeping("cut", "pipeline", 0);
    const RunRecord layers = keeping("layers", "single", 200'000, {{"train.recompute", "layer"}});
    const RunRecord layered = keeping("layered", "tensor", 400'000);
    RunRecord silent = layered;
    silent.summary.bytesPerStep = NaN;
    RunRecord untimed = layers;
    untimed.summary.msPerStep = NaN;
    static const std::vector<Stores> All{{"memory.least_states", {single, cut}, {single, single}, {single, untold}},
        {"memory.recompute", {single, layers}, {keeping("other", "single", 800'000, {{"train.batch", "16"}}), layers},
            {single, untimed}},
        {"model_parallel.cost", {single, cut}, {cut}, {single, untold}},
        {"pipeline.bubble", pipelined({0.21}), {keeping("single", "single", 1000)}, pipelined({NaN})},
        {"scaling.speed_up", scaling(), {scaled("2", 0.95)}, {scaled("single", 0.95), failed(scaled("2", 0.95))}},
        {"scaling.time", scaling(), {scaled("2", 0.95)},
            changed(scaling(), [](RunRecord& run) { run.summary.commMsPerStep = NaN; })},
        {"scaling.prediction", joined({scaling(), {measuredLink()}}), scaling(),
            changed(joined({scaling(), {measuredLink()}}), [](RunRecord& run) { run.ranks.clear(); })},
        {"scaling.model_fails",
            joined({scaling(), changed({measuredLink()}, [](RunRecord& run) { slowDown(run, 20.0); })}),
            joined({scaling(), {measuredLink()}}), scaling()},
        {"scaling.link", joined({scaling(), {measuredLink()}}),
            changed(joined({scaling(), {measuredLink()}}),
                [](RunRecord& run) { run.spec.settings["link.latency_us"] = 100.0; }),
            scaling()},
        {"scaling.extrapolation", overHosts(joined({scaling(), {measuredLink()}})),
            joined({scaling(), {measuredLink()}}), overHosts(scaling())},
        {"scaling.unsupported", joined({scaling(), {measuredLink()}}),
            joined({scaling(), changed({measuredLink()}, [](RunRecord& run) { slowDown(run, 1000.0); })}), scaling()},
        {"scaling.time_to_accuracy", scaling(),
            changed(scaling(), [](RunRecord& run) { run.spec.settings["train.target_accuracy"] = 0.99; }),
            {scaled("single", NaN), scaled("2", NaN)}},
        {"scaling.large_batch", largeBatches({0.95, 0.951, 0.952}, {0.90, 0.901, 0.902}),
            largeBatches({0.95, 0.951, 0.952}, {0.951, 0.952, 0.95}),
            largeBatches({0.93, 0.95, 0.97}, {0.96, 0.94, 0.92})}};
    return All;
}

std::vector<const Stores*> allStores()
{
    std::vector<const Stores*> all;
    for (const auto* each : {&runStores(), &aggregationStores(), &learningStores(), &divisionStores()}) {
        std::ranges::transform(*each, std::back_inserter(all), [](const Stores& stores) { return &stores; });
    }
    return all;
}

} // namespace

class TestSentenceStates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyKindHasThreeStores_data()
    {
        QTest::addColumn<int>("number");
        const auto all = allStores();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::addRow("%s", all[i]->kind) << static_cast<int>(i);
        }
    }
    void everyKindHasThreeStores()
    {
        QFETCH(int, number);
        const Stores& stores = *allStores()[static_cast<std::size_t>(number)];
        const QString words = said(stores.where, stores.kind);
        QVERIFY2(!words.isEmpty(), "where it is true");
        QVERIFY2(!words.contains(u"nan") && !words.contains(QStringLiteral("%1")), qPrintable(words));
        const QString wrong = said(stores.whereNot, stores.kind);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const QString untold = said(stores.undecidable, stores.kind);
        const QString expected = QString::fromUtf8(stores.thenSaid);
        QVERIFY2(expected.isEmpty() ? untold.isEmpty() : untold.contains(expected), qPrintable(untold));
    }

    /// The kinds as the code names them.
    void noKindIsLeftOut()
    {
        std::set<std::string_view> known;
        for (const Stores* each : allStores()) {
            known.insert(each->kind);
        }
        const QDir here(QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/analysis/findings"));
        static const QRegularExpression Kind(QStringLiteral("\"([a-z_]+\\.[a-z_]+)\""));
        std::set<std::string> kinds;
        for (const QString& name : here.entryList({QStringLiteral("*finding*.cpp"), QStringLiteral("staleness.cpp")})) {
            QFile file(here.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QRegularExpressionMatch& match : Kind.globalMatch(QString::fromUtf8(file.readAll()))) {
                if (experiment::findParameter(match.captured(1).toStdString()) == nullptr) {
                    kinds.insert(match.captured(1).toStdString());
                }
            }
        }
        std::erase_if(
            kinds, [](const std::string& kind) { return kind.starts_with("answer."); }); // the stores of truths
        for (const std::string& kind : kinds) {
            QVERIFY2(known.contains(kind), kind.c_str());
        }
        QVERIFY2(kinds.size() >= 50, qPrintable(QString::number(kinds.size())));
    }

    /// Sentences of one kind that say which of several cases holds.
    void casesAreTold()
    {
        QVERIFY(said(pipelined({0.21}), "pipeline.bubble").contains(QStringLiteral("as the schedule predicts")));
        QVERIFY(said(pipelined({0.4}), "pipeline.bubble").endsWith(QStringLiteral("and 4 micro-batches.")));
        QVERIFY(said(pipelined({0.1}), "pipeline.bubble").contains(QStringLiteral("less than the schedule predicts")));
        QVERIFY(said(pipelined({0.19, 0.30, 0.35}), "pipeline.bubble")
                    .contains(QStringLiteral("as the schedule predicts: 20.0 %")));
        QVERIFY(said(alphas({0.95, 0.951, 0.952}, {0.90, 0.901, 0.902}), "partitioning.alpha")
                    .startsWith(QStringLiteral("Accuracy does not rise steadily")));
        // Each seed of a sum against the mean of that seed, and one sentence for all.
        Runs runs = joined({meanAndSum(0.5), meanAndSum(0.5, "2")});
        runs[2].spec.settings["train.seed"] = std::int64_t{2};
        runs[2].loss.value = {1.0, 0.5};
        QCOMPARE(said(runs, "aggregation.sum").count(u'\n'), 0);
        runs[0].loss.value = {1.0, 0.5};
        QVERIFY(said(runs, "aggregation.sum").isEmpty());
    }

    /// More than three variants are a table a kind.
    void manyVariantsAreATable()
    {
        Runs runs;
        for (int variant = 0; variant < 8; ++variant) {
            for (RunRecord run : optimizers({20.0 + variant, 21.0 + variant, 22.0 + variant}, {})) {
                run.spec.name = "v" + std::to_string(variant);
                run.id.text += run.spec.name;
                run.spec.settings["net.hidden"] = std::int64_t{64 + variant};
                run.summary.msPerStep = (1.0 + variant) * (1.0 + (0.01 + 0.001 * variant) * run.spec.repeat);
                runs.push_back(std::move(run));
            }
        }
        const auto rowsOf = [&](std::string_view kind) {
            const auto all = findings(runs);
            const auto found = std::ranges::find(all, kind, &Finding::kind);
            return found == all.end() ? std::vector<std::vector<std::string>>() : found->table.rows;
        };
        QVERIFY(said(runs, "optimizers.to_loss").startsWith(QStringLiteral("What each variant needs to reach a ")));
        QCOMPARE(rowsOf("optimizers.to_loss").size(), std::size_t{8});
        QCOMPARE(said(runs, "timing.difference"), QStringLiteral("Time per step, as a multiple of that of v0."));
        const auto times = rowsOf("timing.difference");
        QCOMPARE(times.size(), std::size_t{7});
        QVERIFY(times.front().front() == "v1" && times.front().back().starts_with("2.00"));
        runs.erase(runs.begin() + 12, runs.end());
        QVERIFY(rowsOf("timing.difference").empty());
        QCOMPARE(said(runs, "timing.difference").count(u'\n'), 2);
    }

    /// A busy machine slows numbers of ranks differently: this comes first, the answer has no times then, and each
    /// other sentence about them says it.
    void aBusyMachineIsToldFirstWhereItChangesAnswers()
    {
        const auto across = findings(disturbed(scaling(), 0.34));
        QCOMPARE(across.front().kind, std::string_view("machine.busy"));
        QCOMPARE(QString::fromStdString(sentence(across.front(), {})),
            QStringLiteral(
                "The machine was busy: times of different numbers of ranks cannot be compared. The ranks of "
                "single, 2 waited up to 34.0 % of their time for a core. Measure again on a quiet machine."));
        QVERIFY(std::ranges::none_of(across, [](const Finding& finding) {
            return finding.role == Role::Headline
                && (finding.wasMachineBusy || finding.kind.starts_with("scaling.")
                    || sentence(finding, {}).find("Throughput") != std::string::npos);
        }));
        QVERIFY(std::ranges::any_of(across, [](const Finding& finding) {
            return finding.role == Role::Headline && sentence(finding, {}).starts_with("Test accuracy against single");
        }));
        QVERIFY(said(disturbed(scaling(), 0.34), "scaling.speed_up").endsWith(u" Measured on a busy machine."));
        QVERIFY(said(disturbed(scaling(), 0.34), "scaling.time").endsWith(u" Measured on a busy machine."));
        // One of them is enough.
        Runs one = scaling();
        one[1].summary.delayByOthers = 0.5;
        QVERIFY(said(one, "machine.busy").contains(QStringLiteral("of 2 waited up to 50.0 % of")));
        QVERIFY(said(one, "scaling.speed_up").endsWith(u" Measured on a busy machine."));
        // Quiet, or waiting for each other only: nothing is marked.
        Runs crowded = disturbed(scaling(), 0.02);
        for (RunRecord& run : crowded) {
            run.summary.runDelayShare = 0.7;
        }
        QVERIFY(said(crowded, "machine.busy").isEmpty());
        QVERIFY(!said(crowded, "scaling.speed_up").contains(u"busy machine"));
        // Equal numbers of ranks in turns are slowed alike: the comparison stands, and this is told last.
        const Runs alike
            = disturbed(joined({timed("a", {1.0, 1.1, 1.2}, "sgd"), timed("b", {2.0, 2.3, 2.4}, "adam")}), 0.34);
        QCOMPARE(findings(alike).back().kind, std::string_view("machine.busy"));
        QVERIFY(
            said(alike, "machine.busy").startsWith(QStringLiteral("The machine was busy: the ranks of a, b waited")));
        QVERIFY(std::ranges::none_of(findings(alike), &Finding::wasMachineBusy));
        QCOMPARE(findings(disturbed(partitions({0.95, 0.951, 0.952}, {0.90, 0.901, 0.902}), 0.34)).back().kind,
            std::string_view("machine.busy"));
    }

    void repeatsHaveTheirNumber()
    {
        Runs runs = joined({slowed(0.0), slowed(0.0)});
        runs[1].spec.repeat = 1;
        runs[1].spec.settings["train.seed"] = std::int64_t{2};
        const QStringList sentences = said(runs, "aggregation.straggler").split(u'\n');
        QCOMPARE(sentences.size(), 2);
        QVERIFY(sentences[0].startsWith(QStringLiteral("In slow the other")));
        QVERIFY(sentences[1].startsWith(QStringLiteral("In slow #2 the other")));
    }
};

LOCKSTEP_TEST(TestSentenceStates)
#include "test_sentence_states.moc"
