// Passes the Deltas of a live run from the session thread to its one reader in the GUI thread. At most one Delta waits:
// if the reader is slow, new data is appended to it.
#pragma once

#include "store/account/delta.h"

#include <memory>
#include <mutex>

namespace lockstep::launch {

class LiveFeed {
public:
    /// Session thread. `delta` must have no other owner.
    void publish(std::shared_ptr<store::Delta> delta);
    /// Reader's thread; null when nothing is new.
    [[nodiscard]] store::DeltaPtr take();
    /// True the first time: there is one reader.
    [[nodiscard]] bool claim();
    /// Called at the end of a run: frees unclaimed Deltas, since the store has them. False if there is a reader.
    bool releaseIfUnclaimed();

private:
    std::mutex m_mutex;
    std::shared_ptr<store::Delta> m_pending;
    bool m_claimed = false;
    bool m_released = false;
};

/// The reader's end.
[[nodiscard]] std::unique_ptr<store::DeltaSource> sourceOf(std::shared_ptr<LiveFeed> feed);

} // namespace lockstep::launch
