#include "analysis/run_record.h"

#include <array>

namespace lockstep::analysis {

namespace {

constexpr std::array<std::string_view, 9> Names{
    "queued", "starting", "running", "paused", "stopping", "finished", "failed", "stopped", "interrupted"};

} // namespace

std::string_view nameOf(RunStatus status)
{
    return Names[static_cast<std::size_t>(status)];
}

std::optional<RunStatus> statusFromName(std::string_view name)
{
    for (std::size_t i = 0; i < Names.size(); ++i) {
        if (Names[i] == name) {
            return static_cast<RunStatus>(i);
        }
    }
    return std::nullopt;
}

bool isFinal(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Stopping:
        return false;
    case RunStatus::Finished:
    case RunStatus::Failed:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        return true;
    }
    return false;
}

} // namespace lockstep::analysis
