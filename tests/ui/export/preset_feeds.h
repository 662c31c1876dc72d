// Made-up runs of presets as the window has them, for reports.
#pragma once

#include "ui/models/palette.h"
#include "ui/models/sample_runs.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::test {

/// A run of a preset, finished or not, with 120 steps and evaluations.
inline std::unique_ptr<ui::RunFeed> presetFeed(
    const char* preset, std::size_t variant, int repeat = 0, analysis::RunStatus status = analysis::RunStatus::Finished)
{
    auto spec = experiment::preset(preset);
    spec->repeats = 1;
    analysis::RunRecord record;
    record.spec = experiment::expand(*spec)->at(variant % spec->variants.size());
    record.spec.repeat = repeat;
    record.spec.settings["train.seed"] = std::int64_t{1 + repeat};
    record.id.text = "20261123-120000-" + std::to_string(variant) + "r" + std::to_string(repeat);
    record.status = status;
    auto delta = std::make_shared<session::Delta>();
    const auto ranks = static_cast<std::int32_t>(analysis::ranksOf(record));
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        delta->hellos.push_back({rank,
            {.runId = record.id.text,
                .rank = rank,
                .worldSize = ranks,
                .host = "lab-1",
                .device = "cpu",
                .libtorch = "1.13.1"}});
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
    wire::Evaluation evaluation;
    evaluation.step = 120;
    evaluation.samples = 120 * 64;
    evaluation.endNs = SampleRun::StartNs + 120 * 400'000;
    evaluation.accuracy = 0.9 + 0.01 * static_cast<double>(variant % 5);
    delta->evaluations.push_back({0, evaluation});
    delta->statuses.push_back({status, status == analysis::RunStatus::Failed ? "rank 1: killed" : "", 0});
    auto queue = std::make_shared<std::deque<session::DeltaPtr>>();
    queue->push_back(std::move(delta));
    auto feed = std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(queue));
    const auto& colors = ui::variantColors(ui::PaletteName::Vibrant);
    feed->setColor(colors[variant % colors.size()]);
    feed->pull();
    return feed;
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
