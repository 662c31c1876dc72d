#include "base/checkpoint_names.h"

#include <charconv>

#include <fmt/format.h>

namespace lockstep {

namespace {

constexpr std::string_view StepPrefix = "step-";

} // namespace

std::string checkpointFileName(int rank)
{
    return fmt::format("rank-{}.safetensors", rank);
}

std::string checkpointName(std::int64_t step)
{
    return fmt::format("{}{:08}", StepPrefix, step);
}

std::optional<std::int64_t> checkpointStep(std::string_view name)
{
    std::int64_t step = 0;
    if (!name.starts_with(StepPrefix)) {
        return std::nullopt;
    }
    const char* const end = name.data() + name.size();
    const auto [read, error] = std::from_chars(name.data() + StepPrefix.size(), end, step);
    return error == std::errc() && read == end && checkpointName(step) == name ? std::optional(step) : std::nullopt;
}

bool isOfLostCheckpoint(const Text& line)
{
    return line.pattern == CheckpointNotWritten || line.pattern == CheckpointNotSent
        || line.pattern == CheckpointNotGathered;
}

} // namespace lockstep
