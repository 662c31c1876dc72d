// Hand-ins with equal parts, which a lecturer may want to look at. Never a verdict: two students may have worked side
// by side. Equal losses of equal settings are no sign, since equal settings give equal losses.
#pragma once

#include "laboratory/grading/mark_work.h"

#include <map>
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
    std::map<std::string, std::string> files{}; ///< code as it was handed in, by step; cut where it is long
};
[[nodiscard]] WorkTraces tracesOf(const Laboratory& laboratory, const ReadWork& work);

struct Copy {
    std::vector<std::size_t> works; ///< places in the list of traces: two, or more that have one thing in common
    std::vector<Text> what;
};
/// Pairs that share no student. Code or text that more than three hand-ins have in common is one entry with all of
/// them: a program of five lines is equal in half of a class.
[[nodiscard]] std::vector<Copy> copiesIn(std::vector<WorkTraces> works);

/// Python without comments, blanks and names: what is left of two programs that differ in these is equal.
[[nodiscard]] std::string normalizedCode(std::string_view code);
/// Letters and digits alone, in lower case (NFKC).
[[nodiscard]] std::string normalizedText(std::string_view text);

} // namespace lockstep::laboratory::grading
