// Finished runs that differ in parameters and seeds, for tests of charts against parameters.
#pragma once

#include "core/experiment/overrides.h"
#include "ui/models/sample_runs.h"

namespace lockstep::test {

/// A finished run of a momentum optimizer on the digits with these settings; its summary is made up.
inline std::unique_ptr<ui::RunFeed> finishedFeed(
    const QString& settings, std::int64_t seed, double accuracy, double msPerStep)
{
    const experiment::Spec spec{"own", {}, {{"run", {}}}, 1};
    const auto changed = experiment::customise(spec, withSettings({{"optimizer.name", "momentum"}}, settings), {});
    const auto runs
        = changed ? experiment::expand(*changed) : Result<std::vector<experiment::RunSpec>>(changed.error());
    if (!runs) {
        qFatal("%s", runs.error().message.c_str());
    }
    analysis::RunRecord record;
    record.spec = runs->front();
    record.spec.settings["train.seed"] = seed;
    record.id.text = settings.toStdString() + '#' + std::to_string(seed);
    record.status = analysis::RunStatus::Finished;
    record.createdNs = seed;
    record.summary.testAccuracy = accuracy;
    record.summary.msPerStep = msPerStep;
    auto nothing = std::make_shared<std::deque<store::DeltaPtr>>();
    return std::make_unique<ui::RunFeed>(record, std::make_unique<ScriptedSource>(nothing));
}

using GridFeeds = std::vector<std::unique_ptr<ui::RunFeed>>;

/// Momentum 0, 0.5, 0.9 by batch 16, 32, 64; the last pair did not run.
inline GridFeeds momentumByBatch(int seeds, const QString& more = {})
{
    const char* const momenta[] = {"0", "0.5", "0.9"};
    const char* const batches[] = {"16", "32", "64"};
    GridFeeds feeds;
    for (int m = 0; m < 3; ++m) {
        for (int b = 0; b < 3; ++b) {
            for (int seed = 1; seed <= seeds && (m < 2 || b < 2); ++seed) {
                const QString settings = QStringLiteral("optimizer.momentum=%1 train.batch=%2 %3")
                                             .arg(QLatin1String(momenta[m]), QLatin1String(batches[b]), more);
                feeds.push_back(finishedFeed(
                    settings, seed, 0.86 + 0.03 * m + 0.01 * b + 0.004 * seed, 1.0 + b + 0.05 * m + 0.1 * seed));
            }
        }
    }
    return feeds;
}

inline std::vector<ui::RunFeed*> feedsOf(const GridFeeds& runs)
{
    std::vector<ui::RunFeed*> feeds;
    for (const auto& run : runs) {
        feeds.push_back(run.get());
    }
    return feeds;
}

} // namespace lockstep::test
