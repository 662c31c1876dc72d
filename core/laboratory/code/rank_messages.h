// Messages between the ranks of a trial, from the records of messages.py: who sent what to whom, in which line, and
// what was not received. The records `case`, `call`, `wait`, `done`, `result` and `over` of a rank; a case is one call
// of the student's code on all ranks of a new group.
#pragma once

#include "laboratory/code/code_verdict.h"
#include "laboratory/code/trial.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::laboratory {

/// A send, a receive or a collective of one rank.
struct MessageCall {
    std::string name; ///< `send`, `recv`, `all_reduce`, ...
    int rank = 0;
    int peer = -1; ///< of a send or a receive; -1: any rank
    std::int64_t tag = 0;
    std::int64_t bytes = 0;
    int line = 0; ///< in the student's file; 0: not known
    std::pair<std::int64_t, std::int64_t> group; ///< its number, and its members as bits
    std::int64_t root = -1; ///< of a collective, within its group: the rank of src or dst; -1: it has none
    std::int64_t given = 0; ///< CRC-32 of the buffer when the call was made
    std::int64_t before = -1; ///< the same just before what came was written into it; -1: not recorded
    std::int64_t left = 0; ///< the same when the call had ended
    bool isWaiting = false; ///< the rank waits for its end
    bool hasEnded = false;

    [[nodiscard]] bool isSend() const { return name == "send"; }
    [[nodiscard]] bool isReceive() const { return name == "recv"; }
    [[nodiscard]] bool isCollective() const { return !isSend() && !isReceive(); }
};

struct RankMessages {
    std::vector<MessageCall> calls; ///< in order
    bool hasBegun = false;
    bool hasEnded = false; ///< the student's code has returned
    const Json* result = nullptr; ///< of the trial; nullptr: there is none
    const Json* layer = nullptr; ///< the same of the record `layer`, where the runner writes one
};

/// What each rank of the case recorded.
[[nodiscard]] std::vector<RankMessages> messagesIn(const Trial& trial, int ofCase, int world);

/// Ranks that wait for one another at the end of the trial: each with its line and whom it waits for. Nothing where a
/// rank has raised an exception, or none waits.
[[nodiscard]] std::optional<CodeVerdict> deadlockIn(const Trial& trial, std::span<const RankMessages> ranks);

/// Of the first case that has one: a send and its receive of different sizes, collectives that differ between ranks, or
/// deadlockIn(); else brokenTrial().
[[nodiscard]] std::optional<CodeVerdict> brokenCases(
    const Trial& trial, std::span<const std::vector<RankMessages>> cases);

/// The first message whose buffer changes before its end, which no rank receives, of which the receiver saw other
/// bytes than were sent, or that is not waited for; or the first collective that another rank calls otherwise.
[[nodiscard]] std::optional<CodeVerdict> faultyMessage(std::span<const RankMessages> ranks);

/// The first collective; or the first send or receive.
[[nodiscard]] const MessageCall* firstCollective(std::span<const RankMessages> ranks);
[[nodiscard]] const MessageCall* firstMessage(std::span<const RankMessages> ranks);

/// In bytes: of all sends of the rank, or of all its receives.
[[nodiscard]] std::int64_t bytesSent(const RankMessages& rank);
[[nodiscard]] std::int64_t bytesReceived(const RankMessages& rank);

/// `verdict` with this known mistake.
[[nodiscard]] CodeVerdict withKnown(CodeVerdict verdict, std::string_view key, Text name, std::string formula = {});

} // namespace lockstep::laboratory
