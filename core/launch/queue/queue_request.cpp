#include "launch/queue/queue_request.h"

#include "launch/queue/experiment_queue.h"
#include "plan/check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

namespace {

using Json = nlohmann::ordered_json;

struct Request {
    std::optional<std::int64_t> id{};
    Json json{};
    std::optional<std::int64_t> added{};
};

Result<std::int64_t> needed(const Request& request)
{
    return request.id ? Result<std::int64_t>(*request.id)
                      : failure(LS_TR("Messages", "queue: the request lacks an \"id\""));
}

Result<void> add(ExperimentQueue& queue, Request& request)
{
    const Json& json = request.json;
    if (!json.contains("runs") || !json.contains("name") || !json["name"].is_string()) {
        return failure(LS_TR("Messages", "queue: add needs a \"name\" and \"runs\""));
    }
    const auto queued = runsFromJson(json["runs"]);
    if (!queued) {
        return during(verbatim("queue: add"), queued.error());
    }
    std::vector<experiment::RunSpec> runs;
    for (const QueuedRun& run : *queued) {
        runs.push_back(run.spec);
    }
    LOCKSTEP_TRY(plan::checkAll(runs));
    const bool atOnce = json.value("at_once", Json(false)) == Json(true);
    LOCKSTEP_TRY_ASSIGN(request.added,
        queue.add(json["name"], runs, atOnce ? ExperimentQueue::Begin::AtOnce : ExperimentQueue::Begin::InLine));
    return {};
}

Result<void> move(ExperimentQueue& queue, Request& request)
{
    LOCKSTEP_TRY_ASSIGN(const auto id, needed(request));
    if (!request.json.contains("to") || !request.json["to"].is_number_integer()) {
        return failure(LS_TR("Messages", "queue: move needs a position, \"to\""));
    }
    return queue.move(id, request.json["to"]);
}

Result<void> remove(ExperimentQueue& queue, Request& request)
{
    LOCKSTEP_TRY_ASSIGN(const auto id, needed(request));
    return queue.remove(id);
}

using Action = Result<void> (*)(ExperimentQueue&, Request&);
struct Named {
    std::string_view name;
    Action action;
};

const std::array<Named, 9> Actions{{
    {"list", [](ExperimentQueue&, Request&) { return Result<void>(); }},
    {"watch", [](ExperimentQueue&, Request&) { return Result<void>(); }},
    {"add", &add},
    {"move", &move},
    {"remove", &remove},
    {"clear", [](ExperimentQueue& queue, Request&) { return queue.clear(); }},
    {"pause", [](ExperimentQueue& queue, Request& request) { return queue.pause(request.id); }},
    {"resume", [](ExperimentQueue& queue, Request& request) { return queue.resume(request.id); }},
    {"stop", [](ExperimentQueue& queue, Request& request) { return queue.stop(request.id); }},
}};

Result<void> carryOut(ExperimentQueue& queue, Request& request)
{
    const Json& json = request.json;
    if (!json.is_object() || !json.contains("do") || !json["do"].is_string()) {
        return failure(LS_TR("Messages", "queue: the request is not a line of JSON with \"do\""));
    }
    if (json.contains("id")) {
        if (!json["id"].is_number_integer()) {
            return failure(LS_TR("Messages", "queue: \"id\" is not the number of an entry"));
        }
        request.id = json["id"].get<std::int64_t>();
    }
    const std::string word = json["do"];
    if (const auto* found = std::ranges::find(Actions, word, &Named::name); found != Actions.end()) {
        return found->action(queue, request);
    }
    return failure(LS_TR("Messages", "queue: \"%1\" is not a request; allowed: %2"),
        {verbatim(word.substr(0, 40)), verbatim(listed(Actions, &Named::name))});
}

} // namespace

Json answerOf(const QueueState& state)
{
    return {{"ok", true}, {"state", toJson(state)}};
}

Json answerOf(const Error& error)
{
    return {{"ok", false}, {"error", error.text()}, {"data", packed(error)}};
}

Json answerRequest(ExperimentQueue& queue, const QByteArray& line)
{
    Request request{.json = Json::parse(line.constData(), line.constData() + line.size(), nullptr, false)};
    if (const auto done = carryOut(queue, request); !done) {
        return answerOf(done.error());
    }
    Json answer = answerOf(queue.state());
    if (request.added) {
        answer["id"] = *request.added;
    }
    return answer;
}

Result<QueueState> stateOf(const QByteArray& answer)
{
    const Json json = Json::parse(answer.constData(), answer.constData() + answer.size(), nullptr, false);
    if (json.is_object() && json.contains("error") && json["error"].is_string()) {
        const bool hasData = json.contains("data") && json["data"].is_string(); // an owner of an earlier version: none
        return failureOf(unpacked(json["error"], hasData ? json["data"].get<std::string>() : std::string()));
    }
    if (!json.is_object() || !json.contains("state")) {
        return failure(LS_TR("Messages", "queue: the answer of its owner is invalid"));
    }
    const auto state = queueStateFromJson(json["state"]);
    return state ? state : Result<QueueState>(during(verbatim("queue"), state.error()));
}

QByteArray lineOf(const Json& json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + '\n';
}

Json addRequest(const std::string& name, const std::vector<experiment::RunSpec>& runs, bool atOnce)
{
    std::vector<QueuedRun> queued;
    for (const experiment::RunSpec& run : runs) {
        queued.push_back({withAbsolutePaths(run)});
    }
    return {{"do", "add"}, {"name", name}, {"runs", runsToJson(queued)}, {"at_once", atOnce}};
}

} // namespace lockstep::launch
