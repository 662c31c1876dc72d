// Reads a stored run into a Recording, in a separate thread, which ends with the object.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "session/replay/recording.h"

#include <QString>

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace lockstep::session {

class RecordingReader {
public:
    RecordingReader(const QString& storeFolder, const RunId& id);
    ~RecordingReader();
    RecordingReader(const RecordingReader&) = delete;
    RecordingReader& operator=(const RecordingReader&) = delete;

    /// Once the whole file is read, or cannot be; empty before. Never blocks.
    [[nodiscard]] std::optional<Result<RecordingPtr>> take();

private:
    [[nodiscard]] Result<RecordingPtr> read(const QString& path) const;

    std::mutex m_mutex;
    std::optional<Result<RecordingPtr>> m_read;
    std::atomic<bool> m_isCancelled{false};
    std::thread m_thread; // last: it uses the members above
};

} // namespace lockstep::session
