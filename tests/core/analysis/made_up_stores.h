// Made-up stores for sentences: finished runs with the figures that a test gives them.
#pragma once

#include "analysis/findings/all_findings.h"
#include "analysis/run_record.h"
#include "analysis/statistics/statistics.h"
#include "experiment/spec.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::tests {

using Settings = std::vector<experiment::Override>;
using Runs = std::vector<analysis::RunRecord>;

inline analysis::RunRecord madeUpRun(const std::string& name, const Settings& settings)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, settings, {});
    analysis::RunRecord made;
    made.spec = experiment::expand(*spec)->front();
    made.spec.name = name;
    made.id.text = name + std::to_string(made.spec.settings->train.seed);
    made.status = analysis::RunStatus::Finished;
    return made;
}

/// Two ranks that train the same net.
inline analysis::RunRecord replicas(const std::string& name, Settings settings = {})
{
    settings.insert(settings.end(), {{"world_size", "2"}, {"strategy.name", "data"}});
    return madeUpRun(name, settings);
}

/// Times in µs at 4 B, 64 B, ...
inline analysis::RunRecord sweep(const std::string& name, const std::vector<double>& times, Settings settings = {})
{
    settings.insert(settings.end(), {{"world_size", "4"}, {"strategy.name", "collectives"}});
    analysis::RunRecord made = madeUpRun(name, settings);
    std::int64_t bytes = 4;
    for (const double time : times) {
        analysis::CollectiveMeasurement measurement;
        measurement.collective = "all_reduce";
        measurement.type = "float32";
        measurement.bytes = bytes;
        measurement.calls = 10;
        measurement.p50Us = measurement.meanUs = time;
        made.measurements.push_back(measurement);
        bytes *= 16;
    }
    return made;
}

inline analysis::RunRecord partitioned(const std::string& name, const char* partition, int seed, double accuracy)
{
    analysis::RunRecord made = replicas(name, {{"partition.name", partition}, {"train.seed", std::to_string(seed)}});
    made.summary.testAccuracy = accuracy;
    made.summary.labelSkew = partition == std::string_view("random") ? 0.01 : 0.02;
    made.summary.steps = 10;
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        made.shares.push_back({rank, 2000, 0, 0, {1000, 1000}});
    }
    return made;
}

/// Accuracies by seed of a random and of another partition.
inline Runs partitions(const std::vector<double>& random, const std::vector<double>& strided)
{
    Runs runs;
    for (std::size_t i = 0; i < random.size(); ++i) {
        runs.push_back(partitioned("random", "random", static_cast<int>(i) + 1, random[i]));
    }
    for (std::size_t i = 0; i < strided.size(); ++i) {
        runs.push_back(partitioned("strided", "strided", static_cast<int>(i) + 1, strided[i]));
    }
    return runs;
}

inline analysis::RunRecord withStatus(analysis::RunRecord run, analysis::RunStatus status)
{
    run.status = status;
    return run;
}

inline analysis::RunRecord failed(analysis::RunRecord run)
{
    return withStatus(std::move(run), analysis::RunStatus::Failed);
}

/// The sentences of a kind, one below the other; empty: none was said.
inline QString said(const Runs& runs, std::string_view kind)
{
    QStringList sentences;
    for (const analysis::Finding& finding : analysis::findings(runs)) {
        if (finding.kind == kind) {
            sentences += QString::fromStdString(analysis::sentence(finding, {}));
        }
    }
    return sentences.join(u'\n');
}

} // namespace lockstep::tests
