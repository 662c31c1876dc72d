// The list of students as an LMS exported it: Moodle's grading worksheet, Canvas's gradebook, or any table with a
// column of numbers and one for marks. It comes back with marks filled in and nothing else changed.
#pragma once

#include "laboratory/grading/roster/cell_table.h"

#include <QDateTime>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory::grading {

/// Names of columns; empty: those of Moodle or Canvas.
struct RosterColumns {
    std::string number;
    std::string points;
};

struct RosterStudent {
    std::size_t row = 0;
    std::vector<std::string> numbers; ///< normalizedNumber() of each id that it has
    std::string name;
    std::string submitted; ///< when, by the LMS, as it wrote it; empty: not known
    std::string status; ///< of the submission, as the LMS wrote it
    double most = 0.0; ///< points that the LMS takes; 0: not known
};

class Roster {
public:
    /// `assignment`: texts by which Canvas's column of the laboratory is found: its id and titles. Refuses a table
    /// without a column of numbers, and without one for marks or with several.
    [[nodiscard]] static Result<Roster> read(
        const QString& path, const RosterColumns& columns, const std::vector<std::string>& assignment);

    [[nodiscard]] const std::vector<RosterStudent>& students() const { return m_students; }
    /// All rows of the student; exact, so that `7` is not `007`.
    [[nodiscard]] std::vector<const RosterStudent*> find(std::string_view number) const;
    /// Of `of` points: in those of the LMS, if it has others.
    void setPoints(const RosterStudent& student, double points, double of);
    [[nodiscard]] Result<QByteArray> bytes() const { return m_table->bytes(); }

private:
    Roster() = default;
    void readStudents(std::size_t header);

    std::unique_ptr<CellTable> m_table;
    std::vector<std::size_t> m_numberColumns;
    std::size_t m_pointsColumn = 0;
    std::optional<std::size_t> m_mostColumn;
    double m_most = 0.0; ///< of all, in Canvas's row
    bool m_hasDecimalComma = false;
    std::vector<RosterStudent> m_students;
};

/// What the LMS says: late by its status, or handed in after `deadline`. Nothing: it does not say, or its time cannot
/// be read (read are ISO 8601 and Moodle's English and Chinese forms).
[[nodiscard]] std::optional<bool> isLate(const RosterStudent& student, const std::optional<QDateTime>& deadline);

} // namespace lockstep::laboratory::grading
