// The comment bank: comments that a marker writes once and uses in many hand-ins. `{3}` in a comment is replaced by the
// third of the bank, so that a change of it reaches all of them. comments.csv shows it and takes changes.
#pragma once

#include "laboratory/grading/marks.h"

#include <QByteArray>

#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

inline const char* const CommentsName = "comments.csv";

/// The comment with texts of the bank in the place of their numbers. Numbers that the bank does not have stay.
[[nodiscard]] std::string fullComment(const std::string& comment, const std::vector<std::string>& bank);
/// A line for each comment with a number that the bank does not have.
[[nodiscard]] std::vector<Text> unknownNumbers(const Marks& marks);

/// Adds what is not there yet; numbers in comments of `theirs` become those of `bank`.
void joinBanks(std::vector<std::string>& bank, Marks& theirs);

/// A line a comment: its number, its text, and how many comments use it.
[[nodiscard]] std::string commentsTable(const Marks& marks);
/// What a marker changed in that table: another text, a new line without a number, `-` to remove one. Other numbers
/// stay. Error: a number that is none.
[[nodiscard]] Result<void> takeComments(std::vector<std::string>& bank, const QByteArray& csv);

} // namespace lockstep::laboratory::grading
