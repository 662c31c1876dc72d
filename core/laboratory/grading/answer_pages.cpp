// Answers of all to one question, side by side, and what a marker wrote beside them.
#include "laboratory/grading/answer_pages.h"
#include "analysis/plain_text.h"
#include "analysis/table/text_table.h"
#include "exchange/report/writers.h"
#include "laboratory/grading/roster/cell_table.h"
#include "laboratory/grading/words.h"
#include "language/shown_names.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>

namespace lockstep::laboratory::grading {

namespace {

constexpr std::array<std::string_view, 8> Columns{
    "code", "names", "step", "answer", "automatic", "of", "points", "comment"};
enum Column : std::size_t {
    CodeColumn,
    NamesColumn,
    StepColumn,
    AnswerColumn,
    AutomaticColumn,
    OfColumn,
    PointsColumn,
    CommentColumn
};

std::string pointsCell(const std::optional<double>& points)
{
    return points ? pointsText(*points) : std::string();
}

/// What toCsv() makes of a comment, without the mark that keeps a spreadsheet from running it.
std::string commentIn(const std::string& cell)
{
    return cell.size() > 1 && cell.front() == '\'' && std::string_view("=+-@\t").find(cell[1]) != std::string_view::npos
        ? cell.substr(1)
        : cell;
}

/// The cells of a row by Columns; nothing: the header has not all of them.
std::optional<std::array<std::size_t, Columns.size()>> placesIn(const CellTable& table)
{
    std::array<std::size_t, Columns.size()> places{};
    for (std::size_t each = 0; each < Columns.size(); ++each) {
        std::size_t column = 0;
        while (table.rows() > 0 && column < table.columns(0) && table.cell(0, column) != Columns[each]) {
            ++column;
        }
        if (table.rows() == 0 || column == table.columns(0)) {
            return std::nullopt;
        }
        places[each] = column;
    }
    return places;
}

Result<void> takeRow(StepMark& mark, const std::string& points, const std::string& comment, const std::string& by)
{
    const ByHand before = mark.byHand;
    if (points == "-") {
        mark.byHand.points.reset();
    } else if (!points.empty() && points != pointsCell(mark.byHand.points)) {
        const auto given = typedNumbers(points, {});
        if (given.size() != 1 || given.front() < 0.0) {
            return failure(LS_TR("Messages", "\"%1\" is not points"), {verbatim(analysis::shortened(points, 40))});
        }
        mark.byHand.points = given.front();
    }
    if (!comment.empty() && comment != analysis::cleanLine(mark.byHand.comment)) {
        mark.byHand.comment = comment;
    }
    if (!(mark.byHand == before)) {
        mark.byHand.by = by;
    }
    return {};
}

/// First the steps that someone has to mark, each with its rubric, the answers of all, and the comments given so far.
class AnswersPage {
public:
    AnswersPage(const Grading& grading, Names names)
        : m_grading(grading)
        , m_names(names)
        , m_page(emptyReport(
              say(LS_TR("Messages", "Answers: %1"), {verbatim(language::inLanguage(grading.laboratory.title))})))
    { }

    Result<std::string> html()
    {
        m_page.titleLines = {{say(LS_TR("Messages", "Hand-ins")), std::to_string(m_grading.marks.works.size())},
            {say(LS_TR("Messages", "To mark")), std::string()}};
        std::vector<const Step*> steps;
        std::ranges::transform(m_grading.laboratory.steps, std::back_inserter(steps), [](const Step& s) { return &s; });
        std::ranges::stable_partition(steps, [this](const Step* step) { return openIn(*step) > 0; });
        for (const Step* step : steps) {
            if (const std::size_t open = openIn(*step); open > 0) {
                m_page.titleLines.back().text += (m_page.titleLines.back().text.empty() ? "" : ", ")
                    + language::inLanguage(step->title) + ": " + std::to_string(open);
            }
            addStep(*step);
        }
        addBank();
        LOCKSTEP_TRY_ASSIGN(const auto files, report::write(m_page, {}, report::TextFormat::Html, "answers"));
        return files.front().bytes;
    }

private:
    [[nodiscard]] std::size_t openIn(const Step& step) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(m_grading.marks.works, [&step](const WorkMarks& work) {
            const StepMark* mark = work.find(step.id);
            return mark != nullptr && !mark->points();
        }));
    }
    void addStep(const Step& step)
    {
        report::Table table;
        table.header = {say(LS_TR("Messages", "Hand-in")), say(LS_TR("Messages", "Answer")),
            say(LS_TR("Messages", "Points")), say(LS_TR("Messages", "Of")), say(LS_TR("Messages", "Comment"))};
        table.isNumber = {false, false, true, true, false};
        std::map<std::string, std::size_t> comments;
        for (const WorkMarks& work : m_grading.marks.works) {
            if (const StepMark* mark = work.find(step.id)) {
                table.rows.push_back({m_names == Names::Shown ? namesIn(work.students) : codeOf(work, m_grading.marks),
                    language::worded(mark->note), pointsCell(mark->points()), pointsText(mark->of),
                    mark->byHand.comment});
                comments[mark->byHand.comment] += mark->byHand.comment.empty() ? 0 : 1;
            }
        }
        if (table.rows.empty()) {
            return;
        }
        std::ranges::sort(table.rows); // by code: not in the order of names
        m_page.blocks.push_back({step.id, report::Heading{1, language::inLanguage(step.title)}});
        if (const auto entry = m_grading.key.steps.find(step.id); entry != m_grading.key.steps.end()) {
            if (const std::string right = shownAnswer(m_grading.laboratory, step, entry->second); !right.empty()) {
                paragraph(step.id + ".key", say(LS_TR("Messages", "Key: %1"), {verbatim(right)}));
            }
            if (const std::string rubric = language::inLanguage(entry->second.rubric); !rubric.empty()) {
                paragraph(step.id + ".rubric", say(LS_TR("Messages", "Rubric: %1"), {verbatim(rubric)}));
            }
        }
        m_page.blocks.push_back({step.id + ".answers", std::move(table)});
        comments.erase(std::string());
        for (const auto& [comment, count] : comments) {
            paragraph(
                step.id + ".comment", say(LS_TR("Messages", "Comment given %1 times: %2"), {count, verbatim(comment)}));
        }
    }
    void addBank()
    {
        if (!m_grading.marks.comments.empty()) {
            m_page.blocks.push_back(
                {"comments", report::Heading{1, say(LS_TR("Messages", "Comments to be used again"))}});
        }
        for (const std::string& comment : m_grading.marks.comments) {
            paragraph("comment", comment);
        }
    }
    void paragraph(const std::string& key, std::string text)
    {
        m_page.blocks.push_back({key, report::Paragraph{std::move(text)}});
    }

    const Grading& m_grading;
    const Names m_names;
    report::Report m_page;
};

} // namespace

std::string codeOf(const WorkMarks& work, const Marks& marks)
{
    const Student first = work.students.empty() ? Student() : work.students.front();
    const std::string number = normalizedNumber(first.number.empty() ? first.name : first.number);
    const QByteArray hash = QCryptographicHash::hash(
        QByteArray::fromStdString(marks.salt + marks.laboratory + "/" + number), QCryptographicHash::Sha256);
    return hash.toHex().left(8).toStdString();
}

std::string answersTable(const Grading& grading, Names names)
{
    analysis::TextTable table;
    for (const std::string_view each : Columns) {
        table.headers.push_back({std::string(each), false});
    }
    for (const Step& step : grading.laboratory.steps) {
        for (const WorkMarks& work : grading.marks.works) {
            if (const StepMark* mark = work.find(step.id)) {
                table.rows.push_back(
                    {codeOf(work, grading.marks), names == Names::Shown ? namesIn(work.students) : std::string(),
                        step.id, language::worded(mark->note), pointsCell(mark->automatic), pointsText(mark->of),
                        pointsCell(mark->byHand.points), mark->byHand.comment});
            }
        }
    }
    std::ranges::stable_sort(table.rows, [&](const auto& some, const auto& others) {
        return some[StepColumn] == others[StepColumn] && some[CodeColumn] < others[CodeColumn];
    });
    return analysis::toCsv(table);
}

Result<std::string> answersPage(const Grading& grading, Names names)
{
    return AnswersPage(grading, names).html();
}

Result<void> takeAnswers(Marks& marks, const QByteArray& csv, const std::string& by)
{
    LOCKSTEP_TRY_ASSIGN(const auto table, csvTable(csv));
    const auto places = placesIn(*table);
    if (!places) {
        return failure(LS_TR("Messages", "its first line does not name the columns %1"), {verbatim(listed(Columns))});
    }
    for (std::size_t row = 1; row < table->rows(); ++row) {
        const auto cell = [&](Column column) { return table->cell(row, (*places)[column]); };
        const std::string code = cell(CodeColumn);
        const auto work
            = std::ranges::find_if(marks.works, [&](const WorkMarks& each) { return codeOf(each, marks) == code; });
        if (work == marks.works.end()) {
            continue; // its hand-in is no longer there
        }
        const auto mark = std::ranges::find(work->steps, cell(StepColumn), &StepMark::step);
        if (mark == work->steps.end()) {
            continue;
        }
        const auto taken = takeRow(*mark, cell(PointsColumn), commentIn(cell(CommentColumn)), by);
        if (!taken) {
            return during({LS_TR("Messages", "line %1"), {row + 1}}, taken.error());
        }
    }
    return {};
}

} // namespace lockstep::laboratory::grading
