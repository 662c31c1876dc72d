// Reads a stored run for a replay, in a separate thread, which ends with the object.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "store/replay/replayed_run.h"

#include <QString>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace lockstep::store {

class ReplayedRunReader {
public:
    ReplayedRunReader(const QString& storeFolder, const RunId& id);
    ~ReplayedRunReader();
    ReplayedRunReader(const ReplayedRunReader&) = delete;
    ReplayedRunReader& operator=(const ReplayedRunReader&) = delete;

    /// Once the whole file is read, or cannot be; empty before. Never blocks.
    [[nodiscard]] std::optional<Result<ReplayedRunPtr>> take();

private:
    [[nodiscard]] Result<ReplayedRunPtr> read(const QString& path) const;

    std::mutex m_mutex;
    std::optional<Result<ReplayedRunPtr>> m_read;
    std::atomic<bool> m_isCancelled{false};
    std::thread m_thread; // last: it uses the members above
};

} // namespace lockstep::store
