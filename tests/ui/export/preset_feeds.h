// Made-up runs of presets as the window has them, for reports.
#pragma once

#include "experiment/choices.h"
#include "store/account/run_account.h"
#include "store/run_store.h"
#include "ui/models/palette.h"
#include "ui/models/sample_runs.h"

#include <QStringList>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

/// A run of a preset as its record is before the first step.
inline analysis::RunRecord presetRecord(const char* preset, std::size_t variant, int repeat = 0)
{
    auto spec = experiment::preset(preset);
    spec->repeats = 1;
    analysis::RunRecord record;
    record.spec = experiment::expand(*spec)->at(variant % spec->variants.size());
    record.spec.repeat = repeat;
    record.spec.settings["train.seed"] = std::int64_t{1 + repeat};
    record.id = makeRunId(1'795'000'000 + static_cast<std::int64_t>(variant), static_cast<std::uint32_t>(repeat) + 1);
    return record;
}

/// What a rank of a sweep measures: times that no other variant has.
inline void addMeasurements(store::Delta& delta, std::int32_t rank, std::size_t variant)
{
    for (std::int64_t bytes = 4; bytes <= 65'536; bytes *= 16) {
        const std::int64_t ns = 20'000 + 1'000 * static_cast<std::int64_t>(variant) + bytes;
        for (const bool isInPlace : {false, true}) {
            wire::Measurement each{.collective = "all_reduce", .algorithm = {}, .type = "float32", .bytes = bytes};
            each.inPlace = isInPlace;
            each.calls = 100;
            each.p50Ns = each.meanNs = ns + (isInPlace ? 0 : 500);
            each.p99Ns = 2 * ns;
            delta.measurements.push_back({rank, each});
        }
    }
}

/// What the ranks send: 120 steps, shares, memory and an evaluation; of a sweep its measurements.
inline std::shared_ptr<store::Delta> presetDelta(
    const analysis::RunRecord& record, std::size_t variant, analysis::RunStatus status)
{
    auto delta = std::make_shared<store::Delta>();
    const auto ranks = static_cast<std::int32_t>(analysis::ranksOf(record));
    const bool isSweep = experiment::isSweep(record.spec);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        delta->hellos.push_back({rank,
            {.runId = record.id.text,
                .rank = rank,
                .worldSize = ranks,
                .host = "lab-1",
                .device = "cpu",
                .libtorch = "1.13.1"}});
        if (isSweep) {
            addMeasurements(*delta, rank, variant);
            continue;
        }
        wire::StepBatch batch;
        for (std::int64_t step = 1; step <= 120; ++step) {
            batch.rows.push_back({.step = step,
                .endNs = SampleRun::StartNs + step * 400'000,
                .wallNs = 400'000,
                .samples = step * 64,
                .batch = 64,
                .loss = 0.3 + 2.0 / static_cast<double>(step + static_cast<std::int64_t>(variant)),
                .learningRate = 0.1,
                .phaseNs = {20'000, 120'000, 200'000, 0, 0, 40'000, 0}});
        }
        delta->steps.push_back({rank, batch});
    }
    if (!isSweep) {
        wire::Evaluation evaluation;
        evaluation.step = 120;
        evaluation.samples = 120 * 64;
        evaluation.endNs = SampleRun::StartNs + 120 * 400'000;
        evaluation.accuracy = 0.9 + 0.01 * static_cast<double>(variant % 5);
        evaluation.trainLoss = 0.3 - 0.01 * static_cast<double>(variant % 5);
        delta->evaluations.push_back({0, evaluation});
    }
    delta->statuses.push_back({status, status == analysis::RunStatus::Failed ? "rank 1: killed" : "", 0});
    return delta;
}

/// A record's run, as the window has it.
inline std::unique_ptr<ui::RunFeed> feedOf(
    analysis::RunRecord record, std::size_t variant, analysis::RunStatus status = analysis::RunStatus::Finished)
{
    record.status = status;
    auto queue = std::make_shared<std::deque<store::DeltaPtr>>();
    queue->push_back(presetDelta(record, variant, status));
    auto feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(queue));
    feed->setLook(ui::lookOf(ui::PaletteName::Vibrant, variant));
    feed->pull();
    return feed;
}

/// A run of a preset, finished or not.
inline std::unique_ptr<ui::RunFeed> presetFeed(
    const char* preset, std::size_t variant, int repeat = 0, analysis::RunStatus status = analysis::RunStatus::Finished)
{
    return feedOf(presetRecord(preset, variant, repeat), variant, status);
}

/// The first variants of a preset as runs of a store; gives their ids, empty where one could not be written.
inline QStringList storedPreset(store::RunStore& store, const char* preset, std::size_t variants, int repeat = 0)
{
    QStringList ids;
    for (std::size_t variant = 0; variant < variants; ++variant) {
        analysis::RunRecord record = presetRecord(preset, variant, repeat);
        record.createdNs = static_cast<std::int64_t>(variant) + 1;
        const auto delta = presetDelta(record, variant, analysis::RunStatus::Finished);
        store::RunAccount account;
        account.add(*delta);
        const auto writer = store.create(record);
        if (!writer || !(*writer)->add(*delta)
            || !(*writer)->finish(analysis::RunStatus::Finished, {}, account.summary())) {
            return {};
        }
        ids += QString::fromStdString(record.id.text);
    }
    return ids;
}

/// The feeds as the functions of reports take them.
inline std::vector<ui::RunFeed*> pointersTo(const std::vector<std::unique_ptr<ui::RunFeed>>& feeds)
{
    std::vector<ui::RunFeed*> list;
    for (const auto& feed : feeds) {
        list.push_back(feed.get());
    }
    return list;
}

} // namespace lockstep::test
