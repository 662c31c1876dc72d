#include "analysis/timing/processor.h"

#include <string_view>

namespace lockstep::analysis {

namespace {

/// Of `cpu`, `cuda`, `cuda:1`; others name none.
Processor processorNamed(std::string_view device)
{
    return device == "cpu" ? Processor::Cpu : device.starts_with("cuda") ? Processor::Gpu : Processor::Unknown;
}

} // namespace

Processor processorOf(const experiment::RunSpec& run)
{
    return processorNamed(run.settings->rank.device);
}

Processor processorOf(const RunRecord& record)
{
    const Processor reported = processorNamed(record.summary.device);
    return reported == Processor::Unknown ? processorOf(record.spec) : reported;
}

} // namespace lockstep::analysis
