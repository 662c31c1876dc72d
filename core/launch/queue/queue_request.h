// What is asked of the queue's owner, as one line of JSON each way:
//
//     {"do":"list"}                                           {"do":"watch"}: the same again after every change
//     {"do":"add","name":"optimizers","runs":[{"spec":{...}}],"at_once":false}
//     {"do":"move","id":3,"to":0}   {"do":"remove","id":3}    {"do":"clear"}
//     {"do":"pause"}   {"do":"resume"}   {"do":"stop"}        of one entry with "id", else of all
//
// Answers: {"ok":true,"state":{...}}, for `add` with "id"; or {"ok":false,"error":"one line"}.
#pragma once

#include "launch/queue/queue_state.h"

#include <QByteArray>

#include <nlohmann/json_fwd.hpp>

namespace lockstep::launch {

class ExperimentQueue;

/// A longer line is refused, and its sender cut off.
inline constexpr qint64 LongestRequest = 16 << 20;

/// Carries it out; any bytes are answered.
[[nodiscard]] nlohmann::ordered_json answerRequest(ExperimentQueue& queue, const QByteArray& line);
[[nodiscard]] nlohmann::ordered_json answerOf(const QueueState& state);
[[nodiscard]] nlohmann::ordered_json answerOf(const Error& error);
/// The state of an answer, or its error.
[[nodiscard]] Result<QueueState> stateOf(const QByteArray& answer);
[[nodiscard]] QByteArray lineOf(const nlohmann::ordered_json& json);

[[nodiscard]] nlohmann::ordered_json addRequest(
    const std::string& name, const std::vector<experiment::RunSpec>& runs, bool atOnce);

} // namespace lockstep::launch
