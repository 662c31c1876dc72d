// Made-up runs for reports.
#pragma once

#include "analysis/run_record.h"
#include "exchange/report/compose.h"
#include "experiment/spec.h"

#include <string>
#include <vector>

namespace lockstep::tests {

/// A finished run of a preset's variant; figures that no other run has.
inline analysis::RunRecord presetRun(const char* preset, std::size_t variant, int repeat = 0)
{
    auto spec = experiment::preset(preset);
    spec->repeats = repeat + 1;
    const auto runs = experiment::expand(*spec);
    analysis::RunRecord made;
    made.spec = runs->at(variant * static_cast<std::size_t>(repeat + 1) + static_cast<std::size_t>(repeat));
    made.id.text = "20261123-12000" + std::to_string(repeat) + "-v" + std::to_string(variant);
    made.status = analysis::RunStatus::Finished;
    made.summary.finalLoss = 0.1 + 0.01 * static_cast<double>(variant) + 0.002 * repeat;
    made.summary.testAccuracy = 0.9 + 0.01 * static_cast<double>(variant) + 0.001 * repeat;
    made.summary.msPerStep = 2.0 + static_cast<double>(variant) + 0.1 * repeat;
    made.summary.samplesPerSecond = 1000.0 * static_cast<double>(variant + 1);
    made.summary.trainSeconds = 3.5;
    made.summary.steps = 400;
    return made;
}

inline report::Source sourceOf(std::vector<analysis::RunRecord> runs)
{
    report::Source source;
    source.runs = std::move(runs);
    source.version = "0.1.0";
    return source;
}

/// The first block of this content; null: there is none.
template <typename Content>
const Content* firstOf(const report::Report& report, const std::string& keyPart = {})
{
    for (const report::Block& block : report.blocks) {
        if (block.key.find(keyPart) != std::string::npos) {
            if (const auto* found = std::get_if<Content>(&block.content)) {
                return found;
            }
        }
    }
    return nullptr;
}

} // namespace lockstep::tests
