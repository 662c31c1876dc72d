// The machines under a run: their properties, their load every half second, and the figures kept of it.
#pragma once

#include "analysis/not_measured.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

struct MachineGpu {
    std::int32_t number = 0;
    std::string name;
    std::string uuid;
    std::int64_t memoryBytes = 0;

    bool operator==(const MachineGpu&) const = default;
};

/// The machine's properties; reported once per run.
struct Machine {
    std::string host;
    std::int32_t cores = 0; ///< that are switched on
    std::int64_t memoryBytes = 0;
    std::vector<MachineGpu> gpus;
    /// Of MPS, which runs kernels of several ranks on one GPU at once: `own` that this program started, `other` that
    /// ran already; empty: the ranks used none.
    std::string mps{};

    bool operator==(const Machine&) const = default;
};

/// Reasons for a GPU's current clocks: bits, as the driver numbers them. Several may be set.
enum class ClockReason : std::uint64_t {
    Idle = 0x1,
    ChosenClocks = 0x2, ///< set by the user
    PowerLimit = 0x4,
    HardwareSlowdown = 0x8,
    Synchronised = 0x10, ///< with another GPU
    Heat = 0x20,
    HardwareHeat = 0x40,
    HardwarePower = 0x80,
    Display = 0x100
};

/// Reasons that limit the clocks.
enum class HeldBy : std::uint8_t { Power, Heat, Hardware };
inline constexpr std::size_t HeldByCount = 3;
inline constexpr std::array<std::string_view, HeldByCount> HeldByNames{"power", "heat", "hardware"};

[[nodiscard]] bool isHeldBy(std::uint64_t clockReasons, HeldBy what);

/// One process of the run; NotMeasured where nothing was reported.
struct RankUse {
    std::int32_t rank = 0;
    double cores = NotMeasured; ///< how many it kept busy, all its threads together
    double residentBytes = NotMeasured; ///< a page that several ranks share counts in equal parts
};

/// One GPU now.
struct GpuUse {
    std::int32_t number = 0;
    double usePercent = NotMeasured; ///< of the time a kernel ran
    double memoryUsePercent = NotMeasured; ///< of the time its memory was read or written
    double memoryBytes = NotMeasured; ///< taken, by whomever
    double powerW = NotMeasured;
    double powerLimitW = NotMeasured;
    double temperatureC = NotMeasured;
    double smMhz = NotMeasured;
    double memoryMhz = NotMeasured;
    std::uint64_t clockReasons = 0; ///< bits of ClockReason
};

/// One process's memory on a GPU.
struct GpuShare {
    std::int32_t gpu = 0;
    std::int32_t rank = -1; ///< -1: no rank of this run
    double bytes = NotMeasured;
};

/// One sample of a machine: means since the previous one, and current values.
struct MachineSample {
    std::string host;
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC
    double busyCores = NotMeasured; ///< of the whole machine, by whomever
    double freeMemoryBytes = NotMeasured;
    double samplingMs = NotMeasured; ///< processor time of the sampling itself
    double workbenchCores = NotMeasured; ///< how many cores the workbench, which samples, kept busy
    std::vector<RankUse> ranks;
    std::vector<GpuUse> gpus;
    std::vector<GpuShare> shares;
};

struct GpuFigures {
    std::int32_t number = 0;
    std::string name;
    double meanUsePercent = NotMeasured;
    double highestUsePercent = NotMeasured;
    double highestMemoryBytes = NotMeasured;
    double meanPowerW = NotMeasured;
    double energyJ = NotMeasured;
    double highestTemperatureC = NotMeasured;
    double meanSmMhz = NotMeasured;
    std::array<double, HeldByCount> heldShare{NotMeasured, NotMeasured, NotMeasured}; ///< of the samples, by HeldBy
};

struct RankFigures {
    std::int32_t rank = 0;
    double meanCores = NotMeasured;
    double highestResidentBytes = NotMeasured;
    double highestGpuBytes = NotMeasured;
};

/// Summary of one machine's samples.
struct MachineFigures {
    std::string host;
    std::int32_t cores = 0;
    std::int64_t samples = 0;
    double meanBusyCores = NotMeasured;
    double lowestFreeMemoryBytes = NotMeasured;
    double samplingCores = NotMeasured; ///< cost of sampling: processor time over time
    double workbenchCores = NotMeasured; ///< mean: receiving, storing and drawing the run, all threads together
    std::vector<GpuFigures> gpus;
    std::vector<RankFigures> ranks;
    std::string mps{}; ///< Machine::mps
};

/// Adds up samples, even of a host whose Machine has not arrived.
class MachineFiguresBuilder {
public:
    void add(const Machine& machine);
    void add(const MachineSample& sample);
    [[nodiscard]] bool isEmpty() const { return m_hosts.empty(); }
    /// By host.
    [[nodiscard]] std::vector<MachineFigures> figures() const;

private:
    /// Of the reported samples; no samples, no mean.
    struct Mean {
        double sum = 0.0;
        double highest = NotMeasured;
        std::int64_t count = 0;

        void add(double value);
        [[nodiscard]] double mean() const { return count > 0 ? sum / static_cast<double>(count) : NotMeasured; }
    };
    struct Gpu {
        std::string name;
        Mean use, memory, power, temperature, clock;
        double energyJ = 0.0;
        std::int64_t samples = 0;
        std::array<std::int64_t, HeldByCount> held{};
    };
    struct Rank {
        Mean cores, resident, gpu;
    };
    struct Host {
        std::int32_t cores = 0;
        std::int64_t samples = 0;
        std::int64_t firstNs = 0;
        std::int64_t lastNs = 0;
        double lowestFree = NotMeasured;
        double samplingMs = 0.0;
        Mean busy;
        Mean workbench;
        std::map<std::int32_t, Gpu> gpus;
        std::map<std::int32_t, Rank> ranks;
        std::string mps;
    };
    std::map<std::string, Host> m_hosts;
};

} // namespace lockstep::analysis
