#include "laboratory/grading/roster/roster.h"

#include "base/translate.h"
#include "laboratory/grading/marks.h"
#include "laboratory/laboratory.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

using Headers = std::vector<std::string_view>;

// Documented columns of Moodle's worksheet and Canvas's gradebook; the last ones of other tables.
const Headers NumberNames{"ID number", "SIS User ID", "SIS Login ID", "Student number", "学号", "Number"};
const Headers PointsNames{"Grade", "Points", "成绩", "分数"};
const Headers StudentNames{"Full name", "Student", "Name", "姓名"};
constexpr std::string_view PointsPossible = "Points Possible";

std::string trimmed(const std::string& text)
{
    return QString::fromStdString(text).trimmed().toStdString();
}

double numberIn(const std::string& text)
{
    return QString::fromStdString(text).trimmed().replace(u',', u'.').toDouble();
}

/// The columns of a header by these names, in their order.
std::vector<std::size_t> columnsNamed(const CellTable& table, const Headers& names)
{
    std::vector<std::size_t> found;
    for (const std::string_view name : names) {
        for (std::size_t column = 0; table.rows() > 0 && column < table.columns(0); ++column) {
            if (trimmed(table.cell(0, column)) == name) {
                found.push_back(column);
            }
        }
    }
    return found;
}

/// Canvas's assignments: what has points in the row of the points possible.
std::vector<std::size_t> assignmentColumns(const CellTable& table, std::size_t possible)
{
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < table.columns(possible); ++column) {
        bool isNumber = false;
        (void)QString::fromStdString(table.cell(possible, column)).trimmed().replace(u',', u'.').toDouble(&isNumber);
        if (isNumber) {
            found.push_back(column);
        }
    }
    return found;
}

/// Canvas has a row `    Points Possible` within its first ones; 0: it is no gradebook.
std::size_t rowOfPossible(const CellTable& table)
{
    constexpr std::size_t FirstRows = 4;
    for (std::size_t row = 1; row < std::min(table.rows(), FirstRows); ++row) {
        if (trimmed(table.cell(row, 0)) == PointsPossible) {
            return row;
        }
    }
    return 0;
}

Result<std::size_t> pointsColumn(
    const CellTable& table, std::size_t possible, const std::string& name, const std::vector<std::string>& assignment)
{
    std::vector<std::size_t> found;
    if (!name.empty()) {
        found = columnsNamed(table, {name});
    } else if (possible > 0) {
        found = assignmentColumns(table, possible);
        if (found.size() > 1) {
            std::erase_if(found, [&](std::size_t column) {
                const QString header = QString::fromStdString(table.cell(0, column));
                return std::ranges::none_of(assignment, [&header](const std::string& each) {
                    return !each.empty() && header.contains(QString::fromStdString(each), Qt::CaseInsensitive);
                });
            });
        }
    } else {
        found = columnsNamed(table, PointsNames);
    }
    if (found.empty()) {
        return failure(LS_TR("Messages", "no column for the marks was found; name it: --points-column NAME"));
    }
    if (found.size() > 1 && (possible > 0 || !name.empty())) {
        return failure(LS_TR("Messages", "several columns may be for the marks: %1; name one: --points-column NAME"),
            {verbatim(listed(found, [&table](std::size_t column) { return table.cell(0, column); }))});
    }
    return found.front();
}

std::optional<QDateTime> timeIn(const std::string& text)
{
    const QString given = QString::fromStdString(text).trimmed();
    if (const auto iso = QDateTime::fromString(given, Qt::ISODate); iso.isValid()) {
        return iso;
    }
    const QLocale english(QLocale::English);
    const QLocale chinese(QLocale::Chinese);
    using Form = std::pair<const QLocale*, QString>;
    for (const auto& [locale, form] :
        std::array{Form(&english, u"dddd, d MMMM yyyy, h:mm AP"_s), Form(&english, u"dddd, d MMMM yyyy, hh:mm"_s),
            Form(&english, u"dddd, MMMM d, yyyy, h:mm AP"_s), Form(&chinese, u"yyyy年M月d日 dddd hh:mm"_s),
            Form(&english, u"yyyy-MM-dd hh:mm"_s), Form(&english, u"yyyy-MM-dd hh:mm:ss"_s)}) {
        if (const auto time = locale->toDateTime(given, form); time.isValid()) {
            return time;
        }
    }
    return std::nullopt;
}

} // namespace

Result<Roster> Roster::read(
    const QString& path, const RosterColumns& columns, const std::vector<std::string>& assignment)
{
    Roster roster;
    LOCKSTEP_TRY_ASSIGN(roster.m_table, CellTable::read(path));
    const CellTable& table = *roster.m_table;
    roster.m_numberColumns = columnsNamed(table, columns.number.empty() ? NumberNames : Headers{columns.number});
    if (roster.m_numberColumns.empty()) {
        return during(verbatim(path.toStdString()),
            failure(LS_TR("Messages", "no column of student numbers was found; name it: --number-column NAME")));
    }
    const std::size_t possible = rowOfPossible(table);
    const auto points = pointsColumn(table, possible, columns.points, assignment);
    if (!points) {
        return during(verbatim(path.toStdString()), points.error());
    }
    roster.m_pointsColumn = *points;
    roster.m_most = possible > 0 ? numberIn(table.cell(possible, *points)) : 0.0;
    if (const auto most = columnsNamed(table, {"Maximum Grade"}); !most.empty()) {
        roster.m_mostColumn = most.front();
    }
    roster.readStudents(possible);
    return roster;
}

void Roster::readStudents(std::size_t header)
{
    const auto textIn = [this](std::size_t row, const Headers& names) {
        const auto columns = columnsNamed(*m_table, names);
        return columns.empty() ? std::string() : m_table->cell(row, columns.front());
    };
    for (std::size_t row = header + 1; row < m_table->rows(); ++row) {
        RosterStudent student{row, {}, textIn(row, StudentNames), textIn(row, {"Last modified (submission)"}),
            textIn(row, {"Status"}), m_most};
        for (const std::size_t column : m_numberColumns) {
            if (std::string number = normalizedNumber(m_table->cell(row, column)); !number.empty()) {
                student.numbers.push_back(std::move(number));
            }
        }
        if (m_mostColumn) {
            const std::string most = m_table->cell(row, *m_mostColumn);
            student.most = numberIn(most);
            m_hasDecimalComma = m_hasDecimalComma || most.find(',') != std::string::npos;
        }
        if (!student.numbers.empty()) {
            m_students.push_back(std::move(student));
        }
    }
}

std::vector<const RosterStudent*> Roster::find(std::string_view number) const
{
    std::vector<const RosterStudent*> found;
    const std::string wanted = normalizedNumber(number);
    for (const RosterStudent& student : m_students) {
        if (!wanted.empty() && std::ranges::find(student.numbers, wanted) != student.numbers.end()) {
            found.push_back(&student);
        }
    }
    return found;
}

void Roster::setPoints(const RosterStudent& student, double points, double of)
{
    const double scale = student.most > 0.0 && of > 0.0 ? student.most / of : 1.0;
    std::string text = pointsText(scale * points);
    if (m_hasDecimalComma) {
        std::ranges::replace(text, '.', ',');
    }
    m_table->setNumber(student.row, m_pointsColumn, text);
}

std::optional<bool> isLate(const RosterStudent& student, const std::optional<QDateTime>& deadline)
{
    static const QRegularExpression Late(
        u"\\b(late|overdue)\\b|逾期|迟交"_s, QRegularExpression::CaseInsensitiveOption);
    if (Late.match(QString::fromStdString(student.status)).hasMatch()) {
        return true;
    }
    const auto time = timeIn(student.submitted);
    return deadline && time ? std::optional(*time > *deadline) : deadline ? std::nullopt : std::optional(false);
}

} // namespace lockstep::laboratory::grading
