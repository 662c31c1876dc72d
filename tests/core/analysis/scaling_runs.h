// Runs on a made-up machine that obeys the scaling model to the last digit.
#pragma once

#include "analysis/finding.h"
#include "analysis/scaling/scaling.h"
#include "analysis/timing/summary.h"
#include "experiment/spec.h"

#include <QString>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tests::scaling {

using namespace analysis;
using Cores = ScalingModel::Cores;

inline constexpr double ParallelMs = 40.0;
inline constexpr double SerialMs = 2.0;
inline constexpr double Alpha = 50e-6;
inline constexpr double Beta = 1e-9;
inline constexpr double CnnBytes = 4.0 * (320 + 18496 + 1179776 + 1290);

inline double ringMs(int p)
{
    return p < 2 ? 0.0 : 1e3 * (2.0 * (p - 1) * Alpha + 2.0 * (p - 1) / p * CnnBytes * Beta);
}

inline double stepMs(int p, bool isWeak)
{
    return (isWeak ? ParallelMs : ParallelMs / p) + SerialMs + ringMs(p);
}

inline RunRecord run(const std::string& variant, int repeat)
{
    const auto spec = experiment::preset("scaling");
    const auto runs = experiment::expand(*spec);
    const auto found = std::find_if(runs->begin(), runs->end(),
        [&](const experiment::RunSpec& each) { return each.name == variant && each.repeat == repeat; });
    RunRecord made;
    made.spec = *found;
    made.id.text = variant + "#" + std::to_string(repeat);
    made.status = RunStatus::Finished;
    made.summary.hosts = 1;
    return made;
}

/// A training run on that machine, `factor` times as slow.
inline RunRecord trained(const std::string& variant, int repeat = 0, double factor = 1.0)
{
    RunRecord made = run(variant, repeat);
    const int ranks = ranksOf(made);
    const bool isWeak = made.spec.settings->train.batchOf == experiment::BatchOf::Rank && ranks > 1;
    Summary& summary = made.summary;
    summary.msPerStep = factor * stepMs(ranks, isWeak);
    summary.samplesPerSecond = 32.0 * (isWeak ? ranks : 1) / summary.msPerStep * 1e3;
    summary.commMsPerStep = factor * ringMs(ranks);
    summary.waitMsPerStep = 0.0;
    summary.steps = isWeak ? 512 / ranks : 512;
    summary.cores = 64;
    summary.testAccuracy = summary.bestTestAccuracy = 0.95;
    summary.trainSamples = 4096;
    made.accuracy = {{128, 256}, {1.0, 2.0}, {summary.msPerStep, 2.0 * summary.msPerStep}, {0.8, 0.95}};
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RankSummary of;
        of.rank = rank;
        const double parallel = factor * (isWeak ? ParallelMs : ParallelMs / ranks);
        of.phaseMs = {0.1 * parallel, 0.3 * parallel, 0.6 * parallel, summary.commMsPerStep, 0.0, factor * 1.5, 0.0};
        of.msPerStep = summary.msPerStep;
        made.ranks.push_back(of);
    }
    return made;
}

/// A ring of two, `factor` times as slow.
inline RunRecord link(const char* variant = "link", double factor = 1.0, bool isShared = true)
{
    RunRecord made = run(variant, 0);
    const int p = ranksOf(made);
    for (const std::int64_t bytes : {4, 4096, 65'536, 1'048'576, 16'777'216}) {
        CollectiveMeasurement each{"all_reduce", "", "float32", bytes, true, 100};
        each.p50Us = each.p99Us = each.meanUs
            = factor * 1e6 * (2.0 * (p - 1) * Alpha + 2.0 * (p - 1) / p * static_cast<double>(bytes) * Beta);
        each.shared = isShared;
        made.measurements.push_back(each);
    }
    return made;
}

inline std::vector<RunRecord> everything()
{
    std::vector<RunRecord> runs;
    for (const char* variant : {"single", "2", "4", "8", "2-weak", "4-weak", "8-weak"}) {
        runs.push_back(trained(variant));
    }
    runs.push_back(link());
    return runs;
}

inline QString textOf(const std::vector<Finding>& findings, std::string_view kind, std::size_t number = 0)
{
    for (const Finding& finding : findings) {
        if (finding.kind == kind && number-- == 0) {
            return QString::fromStdString(sentence(finding, {}));
        }
    }
    return {};
}

} // namespace lockstep::tests::scaling
