// Answers of all to one question, side by side, and what a marker wrote beside them.
#include "laboratory/grading/answer_pages.h"
#include "analysis/plain_text.h"
#include "analysis/table/text_table.h"
#include "exchange/report/writers.h"
#include "laboratory/grading/comment_bank.h"
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

StepMark* stepOf(WorkMarks& work, const std::string& step)
{
    const auto found = std::ranges::find(work.steps, step, &StepMark::step);
    return found == work.steps.end() ? nullptr : &*found;
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
    if (comment == "-") {
        mark.byHand.comment.clear();
    } else if (!comment.empty() && comment != analysis::cleanLine(mark.byHand.comment)) {
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
    [[nodiscard]] std::string nameOf(const WorkMarks& work) const
    {
        return m_names == Names::Shown ? namesIn(work.students) : codeOf(work, m_grading.marks);
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
                const std::string comment = fullComment(mark->byHand.comment, m_grading.marks.comments);
                table.rows.push_back({nameOf(work), language::worded(mark->note), pointsCell(mark->points()),
                    pointsText(mark->of), comment});
                comments[comment] += comment.empty() ? 0 : 1;
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
        table.caption = say(LS_TR("Messages", "Answers of %1 hand-ins"), {table.rows.size()});
        m_page.blocks.push_back({step.id + ".answers", std::move(table)});
        addCode(step);
        comments.erase(std::string());
        for (const auto& [comment, count] : comments) {
            paragraph(
                step.id + ".comment", say(LS_TR("Messages", "Comment given %1 times: %2"), {count, verbatim(comment)}));
        }
    }
    /// The files that someone has to read.
    void addCode(const Step& step)
    {
        std::map<std::string, std::string> files;
        for (const WorkMarks& work : m_grading.marks.works) {
            const StepMark* mark = work.find(step.id);
            const auto traces = std::ranges::find_if(m_grading.traces,
                [&work](const WorkTraces& each) { return shareStudents(each.students, work.students); });
            if (mark != nullptr && !mark->automatic && traces != m_grading.traces.end()
                && traces->files.contains(step.id)) {
                files[nameOf(work)] = traces->files.at(step.id);
            }
        }
        for (const auto& [name, file] : files) {
            m_page.blocks.push_back({step.id + ".file", report::Heading{2, name}});
            m_page.blocks.push_back({step.id + ".file", report::Listing{analysis::cleanText(file)}});
        }
    }
    void addBank()
    {
        const std::vector<std::string>& bank = m_grading.marks.comments;
        if (bank.empty()) {
            return;
        }
        m_page.blocks.push_back({"comments", report::Heading{1, say(LS_TR("Messages", "Comments to be used again"))}});
        for (std::size_t i = 0; i < bank.size(); ++i) {
            if (!bank[i].empty()) {
                paragraph("comment", "{" + std::to_string(i + 1) + "} " + bank[i]);
            }
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
    std::string code = hash.toHex().left(8).toStdString();
    for (char& each : code) { // letters alone: a spreadsheet would take 00512345 and 12e45678 for numbers
        each = static_cast<char>(each <= '9' ? 'g' + (each - '0') : each);
    }
    return code;
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

Result<std::vector<Text>> takeAnswers(Marks& marks, const QByteArray& csv, const std::string& by)
{
    LOCKSTEP_TRY_ASSIGN(const auto table, csvTable(csv));
    LOCKSTEP_TRY_ASSIGN(const auto places, placesOf(*table, {Columns.begin(), Columns.end()}));
    std::vector<Text> lines;
    for (std::size_t row = 1; row < table->rows(); ++row) {
        const auto cell = [&](Column column) { return table->cell(row, places[column]); };
        const std::string points = cell(PointsColumn);
        const std::string comment = asTyped(cell(CommentColumn));
        if (points.empty() && comment.empty()) {
            continue;
        }
        const std::string code = cell(CodeColumn);
        const auto work
            = std::ranges::find_if(marks.works, [&](const WorkMarks& each) { return codeOf(each, marks) == code; });
        StepMark* mark = work == marks.works.end() ? nullptr : stepOf(*work, cell(StepColumn));
        if (mark == nullptr) {
            lines.emplace_back(LS_TR("Messages", "%1, line %2: no hand-in has the code %3 and the step %4"),
                std::vector<Text>{verbatim(AnswersName), row + 1, verbatim(analysis::shortened(code, 40)),
                    verbatim(analysis::shortened(cell(StepColumn), 40))});
        } else if (const auto taken = takeRow(*mark, points, comment, by); !taken) {
            return during({LS_TR("Messages", "line %1"), {row + 1}}, taken.error());
        }
    }
    return lines;
}

} // namespace lockstep::laboratory::grading
