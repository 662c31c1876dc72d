#include "launch/queue/queue_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> EntryStateNames{LS_TR("Messages", "waiting"), LS_TR("Messages", "running"),
    LS_TR("Messages", "stopping"), LS_TR("Messages", "interrupted"), LS_TR("Messages", "damaged")};

[[nodiscard]] Result<QueueEntry> entryFromJson(const Json& json)
{
    try {
        QueueEntry entry{.id = json.at("id"), .name = json.at("name")};
        entry.isPaused = json.at("paused");
        entry.problem = unpacked(json.at("problem"), json.value("data", std::string())); // none from an earlier version
        const auto state = entryStateFromName(json.at("state").get<std::string>());
        if (!state) {
            return failure(LS_TR("Messages", "an entry has an unknown state"));
        }
        entry.state = *state;
        LOCKSTEP_TRY_ASSIGN(entry.runs, runsFromJson(json.at("runs")));
        return entry;
    } catch (const Json::exception&) {
        return failure(LS_TR("Messages", "an entry lacks a field, or has one of a wrong type"));
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
        return failure(LS_TR("Messages", "\"runs\" is not a list of runs"));
    }
    std::vector<QueuedRun> runs;
    for (const Json& each : json) {
        if (!each.is_object() || !each.contains("spec") || !each["spec"].is_object()) {
            return failure(LS_TR("Messages", "\"runs\" is not a list of runs"));
        }
        LOCKSTEP_TRY_ASSIGN(auto spec, experiment::parseRunSpec(each["spec"].dump()));
        runs.push_back({std::move(spec)});
        if (each.contains("id")) {
            if (!each["id"].is_string() || !isRunId(each["id"].get<std::string>())) {
                return failure(LS_TR("Messages", "a run's id is invalid"));
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
        entries.push_back(
            {{"id", entry.id}, {"name", entry.name}, {"state", nameOf(entry.state)}, {"paused", entry.isPaused},
                {"problem", entry.problem.english}, {"data", packed(entry.problem)}, {"runs", runsToJson(entry.runs)}});
    }
    return {{"paused", state.isPaused}, {"entries", std::move(entries)}};
}

Result<QueueState> queueStateFromJson(const Json& json)
{
    const bool isState = json.is_object() && json.contains("paused") && json["paused"].is_boolean()
        && json.contains("entries") && json["entries"].is_array();
    if (!isState) {
        return failure(LS_TR("Messages", "the answer is not the state of a queue"));
    }
    QueueState state{.isPaused = json["paused"]};
    for (const Json& each : json["entries"]) {
        LOCKSTEP_TRY_ASSIGN(auto entry, entryFromJson(each));
        state.entries.push_back(std::move(entry));
    }
    return state;
}

} // namespace lockstep::launch
