// Files on their way to the workbench: read piece by piece when nothing else waits to be sent. A file is opened as it
// is queued, so it may be removed meanwhile.
#pragma once

#include "base/result.h"
#include "wire/checkpoint_part.h"

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace lockstep::engine {

class FileQueue {
public:
    FileQueue() = default;
    ~FileQueue();
    FileQueue(const FileQueue&) = delete;
    FileQueue& operator=(const FileQueue&) = delete;

    /// Training thread. Files of earlier steps of which nothing has been sent are dropped: the newer checkpoint counts.
    [[nodiscard]] Result<void> push(std::int64_t step, std::string name, const std::string& path);
    /// Sending thread. A file that cannot be read any more ends there: the workbench then does not count it as
    /// complete.
    [[nodiscard]] std::optional<wire::CheckpointPart> next();
    [[nodiscard]] bool isEmpty() const;
    /// The last two steps whose files have all been taken; -1: none.
    [[nodiscard]] std::array<std::int64_t, 2> sentSteps() const;

private:
    struct File {
        std::int64_t step = 0;
        std::string name;
        int descriptor = -1;
        std::int64_t offset = 0;
        std::int64_t total = 0;
    };
    void popFront();

    mutable std::mutex m_mutex;
    std::deque<File> m_files;
    std::array<std::int64_t, 2> m_sentSteps{-1, -1};
};

} // namespace lockstep::engine
