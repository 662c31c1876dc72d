// Machines that are not there, for what decides by a machine.
#pragma once

#include "core/engine/run_of.h"
#include "plan/placement.h"

#include <string>
#include <vector>

namespace lockstep::tests {

using plan::Machine;

constexpr std::int64_t GB = 1'000'000'000;

inline plan::Gpu gpu(
    const std::string& name = "H100", std::int64_t memory = 80 * GB, plan::ComputeCapability capability = {9, 0})
{
    static int made = 0;
    return {.name = name,
        .uuid = "GPU-" + std::to_string(made++),
        .memoryBytes = memory,
        .capability = capability,
        .sliceOf = {}};
}

/// A rank program with CUDA and NCCL 2.28.9 (LibTorch 2.11) with this many GPUs, each of which reads all others'
/// memory.
inline Machine machineOf(std::vector<plan::Gpu> gpus)
{
    Machine machine{.gpus = std::move(gpus), .libtorch = "2.11.0", .hasCuda = true, .nccl = 22809};
    for (int i = 0; i < static_cast<int>(machine.gpus.size()); ++i) {
        for (int k = 0; k < i; ++k) {
            machine.peers.emplace_back(k, i);
        }
    }
    return machine;
}

inline Machine machineWith(int gpus)
{
    std::vector<plan::Gpu> list;
    for (int i = 0; i < gpus; ++i) {
        list.push_back(gpu());
    }
    return machineOf(list);
}

inline Machine withSlices(const std::vector<std::string>& wholes)
{
    std::vector<plan::Gpu> list;
    for (const std::string& whole : wholes) {
        list.push_back(gpu("A100 MIG 3g.20gb", 20 * GB, {8, 0}));
        list.back().sliceOf = whole;
    }
    Machine machine = machineOf(list);
    machine.peers.clear();
    return machine;
}

inline Machine cpuBuild()
{
    return {.libtorch = "1.13.1"};
}

inline experiment::RunSpec data(int ranks, std::vector<experiment::Override> more = {})
{
    more.insert(more.begin(), {{"strategy.name", "data"}, {"world_size", std::to_string(ranks)}});
    return runOf(more);
}

} // namespace lockstep::tests
