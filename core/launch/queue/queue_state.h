// The queue of experiments as a value: what the store keeps, what the socket carries and what the window shows.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "experiment/spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::launch {

struct QueuedRun {
    experiment::RunSpec spec; ///< as it was queued, also when the run resumes from a checkpoint
    std::optional<RunId> id{}; ///< of the newest run that was started for it
};

enum class EntryState {
    Waiting,
    Running,
    Stopping, ///< on request; no longer in the store
    Interrupted, ///< its process ended during it; resume() runs what is missing
    Damaged, ///< its row cannot be read
};

/// `waiting`, ... as in JSON and the store.
[[nodiscard]] std::string_view nameOf(EntryState state);
[[nodiscard]] std::optional<EntryState> entryStateFromName(std::string_view name);

/// One experiment: its runs are started, paused, resumed and stopped together.
struct QueueEntry {
    std::int64_t id = 0; ///< from 1, never used twice
    std::string name;
    EntryState state = EntryState::Waiting;
    bool isPaused = false; ///< running: its runs are paused; waiting: it is passed over
    std::vector<QueuedRun> runs{};
    Text problem{}; ///< why it could not start, or what is damaged: one line

    [[nodiscard]] bool isActive() const { return state == EntryState::Running || state == EntryState::Stopping; }
};

struct QueueState {
    bool isPaused = false; ///< no further entry starts by itself
    std::vector<QueueEntry> entries{}; ///< in their order, the active one first

    [[nodiscard]] const QueueEntry* find(std::int64_t id) const;
    [[nodiscard]] const QueueEntry* active() const;
    /// The entry that starts next by itself; null where none does.
    [[nodiscard]] const QueueEntry* next() const;
};

/// `[{"spec":{...},"id":"..."}]`
[[nodiscard]] nlohmann::ordered_json runsToJson(const std::vector<QueuedRun>& runs);
[[nodiscard]] Result<std::vector<QueuedRun>> runsFromJson(const nlohmann::ordered_json& json);

/// `{"paused":false,"entries":[{"id":1,"name":...,"state":...,"paused":...,"problem":...,"data":...,"runs":[...]}]}`
[[nodiscard]] nlohmann::ordered_json toJson(const QueueState& state);
[[nodiscard]] Result<QueueState> queueStateFromJson(const nlohmann::ordered_json& json);

} // namespace lockstep::launch
