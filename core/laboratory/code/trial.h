// What one trial of a student's code gave: raw records and how each rank ended. Nothing in it is trusted: the student's
// process wrote it.
#pragma once

#include "base/result.h"
#include "laboratory/journal.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// How a rank's process ended.
enum class TrialEnd : std::uint8_t {
    Exited, ///< by itself, with `code`
    Signal, ///< by the signal `code`
    TimeLimit, ///< it was ended at the time limit
    OtherLimit, ///< it was ended at another limit of the sandbox: `why`
    AfterFailure, ///< it was ended because another rank had failed
    Cancelled ///< it was ended because the check was cancelled
};

struct RankEnd {
    TrialEnd how = TrialEnd::Exited;
    int code = 0;
    Text why{};
};

struct RankTrial {
    RankEnd end;
    std::vector<Json> records; ///< objects, each with the text `record`: its kind; in the order written
    bool isCut = false; ///< records were left out: damaged, or more than MostRecordBytes
    std::vector<std::string> output; ///< the last lines of what it wrote, as plain text
};

struct Trial {
    std::vector<RankTrial> ranks;
    std::chrono::milliseconds duration{};
};

inline constexpr std::int64_t MostRecordBytes = std::int64_t{32} << 20; ///< of one rank
inline constexpr int MostOutputLines = 40;

/// Reads JSON lines. Lines that are no object with a text `record` are left out, and `isCut` says so.
void readRecords(std::string_view bytes, RankTrial& into);
/// The last lines of an output, without escapes and control characters.
[[nodiscard]] std::vector<std::string> lastLines(std::string_view output);

/// The records of this kind.
[[nodiscard]] std::vector<const Json*> recordsOf(const RankTrial& rank, std::string_view kind);
/// The member as numbers: of exercise.py's numbers(). `"nan"`, `"inf"` and `"-inf"` are these. Empty: it is no list of
/// numbers.
[[nodiscard]] std::vector<double> numbersIn(const Json& record, std::string_view name);
/// -1 where it is no integer, or out of range.
[[nodiscard]] std::int64_t integerIn(const Json& record, std::string_view name);

} // namespace lockstep::laboratory
