#include "session/queue/queue_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> EntryStateNames{"waiting", "running", "stopping", "interrupted", "damaged"};

[[nodiscard]] Result<QueueEntry> entryFromJson(const Json& json)
{
    try {
        QueueEntry entry{.id = json.at("id"), .name = json.at("name")};
        entry.isPaused = json.at("paused");
        entry.problem = json.at("problem");
        const auto state = entryStateFromName(json.at("state").get<std::string>());
        if (!state) {
            return Error{"an entry has an unknown state"};
        }
        entry.state = *state;
        LOCKSTEP_TRY_ASSIGN(entry.runs, runsFromJson(json.at("runs")));
        return entry;
    } catch (const Json::exception&) {
        return Error{"an entry lacks a field, or has one of a wrong type"};
    }
}

} // namespace

std::string_view nameOf(EntryState state)
{
    return EntryStateNames.at(static_cast<std::size_t>(state));
}

std::optional<EntryState> entryStateFromName(std::string_view name)
{
    const auto found = std::ranges::find(EntryStateNames, name);
    return found == EntryStateNames.end() ? std::nullopt
                                          : std::optional(static_cast<EntryState>(found - EntryStateNames.begin()));
}

const QueueEntry* QueueState::find(std::int64_t id) const
{
    const auto found = std::ranges::find(entries, id, &QueueEntry::id);
    return found == entries.end() ? nullptr : &*found;
}

const QueueEntry* QueueState::active() const
{
    const auto found = std::ranges::find_if(entries, &QueueEntry::isActive);
    return found == entries.end() ? nullptr : &*found;
}

const QueueEntry* QueueState::next() const
{
    const auto found = std::ranges::find_if(
        entries, [](const QueueEntry& entry) { return entry.state == EntryState::Waiting && !entry.isPaused; });
    return isPaused || active() != nullptr || found == entries.end() ? nullptr : &*found;
}

Json runsToJson(const std::vector<QueuedRun>& runs)
{
    Json json = Json::array();
    for (const QueuedRun& run : runs) {
        json.push_back({{"spec", Json::parse(experiment::toJson(run.spec))}});
        if (run.id) {
            json.back()["id"] = run.id->text;
        }
    }
    return json;
}

Result<std::vector<QueuedRun>> runsFromJson(const Json& json)
{
    if (!json.is_array() || json.empty()) {
        return Error{"\"runs\" is not a list of runs"};
    }
    std::vector<QueuedRun> runs;
    for (const Json& each : json) {
        if (!each.is_object() || !each.contains("spec") || !each["spec"].is_object()) {
            return Error{"\"runs\" is not a list of runs"};
        }
        LOCKSTEP_TRY_ASSIGN(auto spec, experiment::parseRunSpec(each["spec"].dump()));
        runs.push_back({std::move(spec)});
        if (each.contains("id")) {
            if (!each["id"].is_string() || !isRunId(each["id"].get<std::string>())) {
                return Error{"a run's id is invalid"};
            }
            runs.back().id = RunId{each["id"]};
        }
    }
    return runs;
}

Json toJson(const QueueState& state)
{
    Json entries = Json::array();
    for (const QueueEntry& entry : state.entries) {
        entries.push_back({{"id", entry.id}, {"name", entry.name}, {"state", nameOf(entry.state)},
            {"paused", entry.isPaused}, {"problem", entry.problem}, {"runs", runsToJson(entry.runs)}});
    }
    return {{"paused", state.isPaused}, {"entries", std::move(entries)}};
}

Result<QueueState> queueStateFromJson(const Json& json)
{
    const bool isState = json.is_object() && json.contains("paused") && json["paused"].is_boolean()
        && json.contains("entries") && json["entries"].is_array();
    if (!isState) {
        return Error{"the answer is not the state of a queue"};
    }
    QueueState state{.isPaused = json["paused"]};
    for (const Json& each : json["entries"]) {
        LOCKSTEP_TRY_ASSIGN(auto entry, entryFromJson(each));
        state.entries.push_back(std::move(entry));
    }
    return state;
}

} // namespace lockstep::session
