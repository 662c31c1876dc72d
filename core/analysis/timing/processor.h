// What the ranks of a run compute on.
#pragma once

#include "analysis/run_record.h"
#include "experiment/spec.h"

namespace lockstep::analysis {

/// What ranks compute on. Times on one do not predict times on the other.
enum class Processor { Unknown, Cpu, Gpu };

/// As the settings say; Unknown where `device` is auto, which depends on the machine.
[[nodiscard]] Processor processorOf(const experiment::RunSpec& run);
/// As the ranks reported; by the settings where they did not.
[[nodiscard]] Processor processorOf(const RunRecord& record);

} // namespace lockstep::analysis
