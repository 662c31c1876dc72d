// Stored runs of many steps, for what is drawn beside others.
#pragma once

#include "experiment/spec.h"
#include "store/run_store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

namespace lockstep::bench {

/// Noisy losses that fall, each run with another pair of learning rate and batch size. Ends the program where they
/// cannot be written.
inline void storeLongRun(store::RunStore& store, experiment::RunSpec spec, int number, std::int64_t steps)
{
    constexpr std::int64_t BatchRows = 500;
    analysis::RunRecord run;
    run.id = makeRunId(1'795'000'000 + number, static_cast<std::uint32_t>(number));
    spec.name = "lr " + std::to_string(number);
    spec.settings["optimizer.lr"] = 0.001 * (1 + number % 10);
    spec.settings["train.batch"] = 16 * (1 + number / 10);
    run.spec = std::move(spec);
    run.createdNs = (1'795'000'000LL + number) * 1'000'000'000;
    run.summary.steps = steps;
    auto writer = store.create(run);
    store::Delta start;
    wire::Hello hello;
    hello.worldSize = 1;
    start.hellos.push_back({0, hello});
    wire::Prepared facts;
    facts.trainSamples = 60'000;
    facts.stepsPerEpoch = 1000;
    facts.totalSteps = steps;
    start.prepared.push_back({0, facts});
    bool isStored = writer.isOk() && (*writer)->add(start).isOk();
    std::mt19937 random(static_cast<unsigned>(number));
    std::normal_distribution<double> noise(0.0, 0.1);
    for (std::int64_t first = 1; first <= steps; first += BatchRows) {
        store::Delta delta;
        wire::StepBatch& batch = delta.steps.emplace_back().what;
        for (std::int64_t step = first; step < std::min(first + BatchRows, steps + 1); ++step) {
            StepRow row{
                .step = step, .endNs = step * 1'000'000, .wallNs = 1'000'000, .samples = step * 60, .batch = 60};
            row.loss = (1.0 + 0.01 * number) / std::sqrt(1.0 + 0.001 * double(step)) * std::exp(noise(random));
            row.phaseNs.fill(100'000);
            batch.rows.push_back(row);
        }
        isStored = isStored && (*writer)->add(delta).isOk();
    }
    if (!isStored || !(*writer)->finish(analysis::RunStatus::Finished, "", run.summary)) {
        std::fprintf(stderr, "the store cannot be written\n");
        std::exit(2);
    }
}

/// Runs of one variant; those that are there already stay.
inline void storeLongRuns(const QString& folder, int runs, std::int64_t steps)
{
    const auto store = store::RunStore::open(folder);
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().message.c_str());
        std::exit(2);
    }
    auto spec = experiment::preset("optimizers");
    spec->repeats = 1;
    for (int i = (*store)->list().empty() ? 0 : runs; i < runs; ++i) {
        storeLongRun(**store, experiment::expand(*spec)->at(1), i, steps);
    }
}

} // namespace lockstep::bench
