// Files on their way to the workbench: read in pieces while there is nothing else to send. A file is opened as it
// is queued, so it may be removed meanwhile.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/checkpoint_part.h"

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace lockstep::engine {

class FileQueue {
public:
    /// Training thread.
    [[nodiscard]] Result<void> push(std::int64_t step, std::string name, const std::string& path);
    /// Sending thread. A file that cannot be read any more ends there: the workbench then does not count it as
    /// complete.
    [[nodiscard]] std::optional<wire::CheckpointPart> next();
    [[nodiscard]] bool isEmpty() const;
    /// Of the files that are queued, and the last two of which all files were taken.
    [[nodiscard]] std::set<std::int64_t> steps() const;

private:
    struct File {
        std::int64_t step = 0;
        std::string name;
        Descriptor descriptor;
        std::int64_t offset = 0;
        std::int64_t total = 0;
    };
    void popFront();

    mutable std::mutex m_mutex;
    std::deque<File> m_files;
    std::array<std::int64_t, 2> m_sentSteps{-1, -1}; ///< the newest first; -1: none
};

} // namespace lockstep::engine
