// Pairs of hand-ins that a lecturer may want to look at. Never a verdict: two students may have worked side by side.
// Equal losses of equal settings are no sign, since equal settings give equal losses.
#pragma once

#include "laboratory/grading/mark_work.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

/// What of a hand-in is compared.
struct WorkTraces {
    std::vector<Student> students;
    std::string file;
    std::map<std::string, std::int64_t> runs; ///< start times by run id
    std::map<std::string, std::string> code; ///< normalized, by step
    std::map<std::string, std::string> texts; ///< normalized, by step
};
[[nodiscard]] WorkTraces tracesOf(const Laboratory& laboratory, const ReadWork& work);

struct Copy {
    std::size_t first = 0; ///< places in the list of traces
    std::size_t second = 0;
    std::vector<Text> what;
};
/// Not of hand-ins that share a student.
[[nodiscard]] std::vector<Copy> copiesIn(std::span<const WorkTraces> works);

/// Python without comments, blanks and names: what is left of two programs that differ in these is equal.
[[nodiscard]] std::string normalizedCode(std::string_view code);
/// Letters and digits alone, in lower case (NFKC).
[[nodiscard]] std::string normalizedText(std::string_view text);

} // namespace lockstep::laboratory::grading
