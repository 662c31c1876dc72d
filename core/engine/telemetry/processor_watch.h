// Reads how much processor time the threads of this process got and how long they waited for a core (/proc/self/task/
// */schedstat), and how busy the cores that it may use were (/proc/stat). All its threads count, the recorder's too.
// Used by one thread.
#pragma once

#include "base/allowed_cores.h"
#include "base/proc_files.h"
#include "base/processor_times.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::engine {

class ProcessorWatch {
public:
    /// `procFolder` is another one in tests. The default cores are the process's own while no thread of it is bound.
    explicit ProcessorWatch(std::string procFolder = "/proc", std::vector<int> cores = coresOfThisThread());

    /// What the process does: no step has ended yet; steps run; the run is held while another has its turn.
    enum class Steps : std::uint8_t { None, Run, Held };
    /// Call several times a second. Counts while steps run, and reads where that begins or ends and twice a second:
    /// a reading takes some tenths of a millisecond. What was before the first hold is forgotten once there are steps
    /// after it: the other runs of the comparison were loading. True where a hold begins after steps.
    bool follow(Steps steps);
    /// Counts up to now, if steps run.
    void finish();
    /// What a thread did between the last reading that saw it and its end is lost. All 0 where the kernel keeps no
    /// statistics.
    [[nodiscard]] ProcessorTimes counted() const;

private:
    struct Reading {
        std::int64_t timeNs = 0;
        std::map<std::string, ThreadTimes> threads; ///< by id
        std::optional<std::int64_t> busyTicks;
    };

    /// nullopt: the threads could not be read.
    [[nodiscard]] std::optional<Reading> readNow() const;
    void count();
    void add(const Reading& last, const Reading& now);

    std::string m_proc;
    std::vector<int> m_cores;
    std::optional<Reading> m_last; ///< nullopt: none since the steps began to run
    ProcessorTimes m_counted;
    bool m_isBusyKnown = true;
    Steps m_steps = Steps::None;
    bool m_hasHeld = false;
    bool m_isPreparation = false; ///< what has counted was before the first hold
};

} // namespace lockstep::engine
