#include "launch/monitor/gpu_architectures.h"

#include <algorithm>
#include <charconv>

namespace lockstep::launch {

namespace {

/// An architecture's number, `90` of `sm_90`, and whether it is of one GPU alone, as `sm_90a` is.
struct Architecture {
    ComputeCapability version;
    bool isIntermediate = false;
    bool isOfOne = false;
};

std::optional<Architecture> architectureOf(std::string_view text)
{
    const bool isIntermediate = text.starts_with("compute_");
    const auto start = text.find('_');
    if (start == std::string_view::npos || (!isIntermediate && !text.starts_with("sm_"))) {
        return std::nullopt;
    }
    const auto number = numberAtFront(text.substr(start + 1));
    const char last = text.back();
    return number
        ? std::optional(Architecture{{*number / 10, *number % 10}, isIntermediate, last == 'a' || last == 'f'})
        : std::nullopt;
}

} // namespace

std::optional<int> numberAtFront(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

bool runsOn(ComputeCapability gpu, const std::vector<std::string>& architectures)
{
    return std::any_of(architectures.begin(), architectures.end(), [gpu](const std::string& each) {
        const auto built = architectureOf(each);
        if (!built) {
            return false;
        }
        if (built->isOfOne) {
            return built->version == gpu;
        }
        return built->version <= gpu && (built->isIntermediate || built->version.major == gpu.major);
    });
}

bool isOlderThanAll(ComputeCapability gpu, const std::vector<std::string>& architectures)
{
    return std::none_of(architectures.begin(), architectures.end(), [gpu](const std::string& each) {
        const auto built = architectureOf(each);
        return built && built->version <= gpu;
    });
}

} // namespace lockstep::launch
