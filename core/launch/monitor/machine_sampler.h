// Samples this machine: processors and memory from /proc, GPUs through NVML. Created and used in one thread.
#pragma once

#include "analysis/machine_record.h"
#include "base/proc_files.h"
#include "launch/monitor/nvml.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::launch {

class Sampler {
public:
    /// `nvml` may be null: then there are no GPUs. `procFolder` is another one in tests.
    explicit Sampler(std::unique_ptr<Nvml> nvml, std::string procFolder = "/proc");

    /// What is sampled.
    [[nodiscard]] const analysis::Machine& machine() const { return m_machine; }

    /// A rank of the run under way. An unknown process id gives no values.
    void watch(std::int32_t rank, std::int64_t pid);
    /// Forgets the ranks and restarts: the next sample's means begin at this moment.
    void begin();

    [[nodiscard]] analysis::MachineSample sample();

private:
    struct Watched {
        std::int64_t pid = 0;
        std::optional<ProcessTicks> before;
        std::int64_t beforeNs = 0;
        std::optional<std::int64_t> sharedBytes{}; ///< resident memory, each page divided by the processes that have it
        std::int64_t nextSharedNs = 0;
        bool isGone = false;
    };

    [[nodiscard]] std::string file(const char* name) const;
    [[nodiscard]] std::optional<ProcessTicks> processOf(std::int64_t pid) const;
    /// The rank's memory. Reading how its pages are shared takes the kernel milliseconds, so this is done seldom.
    [[nodiscard]] double memoryOf(Watched& watched, const ProcessTicks& now) const;
    void addRanks(analysis::MachineSample& sample);
    void addGpus(analysis::MachineSample& sample) const;

    std::unique_ptr<Nvml> m_nvml;
    std::string m_proc;
    analysis::Machine m_machine;
    std::map<std::int32_t, Watched> m_ranks;
    std::optional<CpuTicks> m_before;
    struct Workbench {
        std::int64_t cpuNs = 0;
        std::int64_t timeNs = 0;
    };
    std::optional<Workbench> m_workbenchBefore;
};

} // namespace lockstep::launch
