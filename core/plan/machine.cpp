#include "plan/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep::plan {

namespace {

constexpr std::string_view OwnKernels = "sm_";
constexpr std::string_view PortableKernels = "compute_";

const Gpu& gpuAt(const Machine& machine, int index)
{
    return machine.gpus.at(static_cast<std::size_t>(index));
}

} // namespace

std::string toText(ComputeCapability capability)
{
    return fmt::format("{}.{}", capability.major, capability.minor);
}

std::vector<Architecture> readArchitectures(std::string_view text)
{
    std::vector<Architecture> read;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool isPortable = word.starts_with(PortableKernels);
        if (!isPortable && !word.starts_with(OwnKernels)) {
            continue;
        }
        word.remove_prefix(isPortable ? PortableKernels.size() : OwnKernels.size());
        int number = 0;
        // The last digit is the minor version; a letter after it (`90a`) names features that only this GPU has.
        const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc{} && number >= 10) {
            read.push_back({{number / 10, number % 10}, isPortable});
        }
    }
    return read;
}

bool runsOn(ComputeCapability gpu, const std::vector<Architecture>& architectures)
{
    return std::any_of(architectures.begin(), architectures.end(), [gpu](const Architecture& each) {
        return each.capability <= gpu && (each.isPortable || each.capability.major == gpu.major);
    });
}

std::string ncclText(int version)
{
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

bool isSameGpu(const Machine& machine, int first, int second)
{
    const std::string& whole = gpuAt(machine, first).sliceOf;
    return first == second || (!whole.empty() && whole == gpuAt(machine, second).sliceOf);
}

bool canOpenMemory(const Machine& machine, int first, int second)
{
    const Gpu& one = gpuAt(machine, first);
    const Gpu& other = gpuAt(machine, second);
    if (!one.hasIpc || !other.hasIpc) {
        return false;
    }
    if (first == second) {
        return true;
    }
    if (!one.sliceOf.empty() || !other.sliceOf.empty()) {
        return false;
    }
    return std::any_of(machine.peers.begin(), machine.peers.end(), [first, second](const auto& pair) {
        return pair == std::pair(first, second) || pair == std::pair(second, first);
    });
}

} // namespace lockstep::plan
