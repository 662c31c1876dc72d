#include "laboratory/grading/grade_files.h"

#include "analysis/figures/figure.h"
#include "analysis/plain_text.h"
#include "analysis/table/text_table.h"
#include "exchange/report/writers.h"
#include "laboratory/grading/answer_pages.h"
#include "laboratory/grading/class_charts.h"
#include "laboratory/grading/comment_bank.h"
#include "laboratory/grading/words.h"
#include "language/shown_names.h"

#include <QString>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace lockstep::laboratory::grading {

namespace {

using Json = nlohmann::ordered_json;

const char* const ByteOrderMark = "\xEF\xBB\xBF"; ///< without it Excel does not take a CSV for UTF-8

std::string remarksIn(const WorkMarks& work)
{
    std::string remarks = listed(
        work.remarks, [](const Text& each) { return language::worded(each); }, "; ");
    for (const StepMark& step : work.steps) {
        for (const Text& each : step.remarks) {
            remarks += (remarks.empty() ? "" : "; ") + step.step + ": " + language::worded(each);
        }
    }
    return remarks;
}

/// A line a student, then one a file that could not be read.
std::string classTable(const Grading& grading)
{
    std::vector<std::string> steps;
    for (const Step& step : grading.laboratory.steps) {
        const auto has = [&step](const WorkMarks& work) { return work.find(step.id) != nullptr; };
        if (std::ranges::any_of(grading.marks.works, has)) {
            steps.push_back(step.id);
        }
    }
    analysis::TextTable table;
    for (const char* name :
        {"number", "name", "points", "of", "to_mark", "late", "handed_in", "file", "earlier", "remarks"}) {
        table.headers.push_back({name, false});
    }
    for (const std::string& step : steps) {
        table.headers.push_back({"step " + step, false});
    }
    for (const WorkMarks& work : grading.marks.works) {
        for (const Student& student : work.students) {
            std::vector<std::string> row{student.number, student.name, pointsText(work.points()), pointsText(work.of()),
                std::to_string(work.open()), work.isLate ? "yes" : "", work.at, work.file,
                listed(work.others, {}, "; "), remarksIn(work)};
            for (const std::string& step : steps) {
                const StepMark* mark = work.find(step);
                const auto points = mark == nullptr ? std::nullopt : mark->points();
                row.push_back(points ? pointsText(*points) : std::string());
            }
            table.rows.push_back(std::move(row));
        }
    }
    for (const Unread& unread : grading.unread) {
        std::vector<std::string> row(table.headers.size());
        row[7] = unread.file;
        row[9] = language::errorLine(unread.why);
        table.rows.push_back(std::move(row));
    }
    return analysis::toCsv(table);
}

std::string copiesTable(const Grading& grading)
{
    analysis::TextTable table;
    for (const char* name : {"students", "file", "other students", "other file", "what"}) {
        table.headers.push_back({name, false});
    }
    for (const Copy& copy : grading.copies) {
        const WorkTraces& first = grading.traces[copy.works.front()];
        const std::vector<std::size_t> others(copy.works.begin() + 1, copy.works.end());
        const auto of = [&](auto name) {
            return listed(
                others, [&](std::size_t work) { return name(grading.traces[work]); }, "; ");
        };
        table.rows.push_back(
            {namesIn(first.students), first.file, of([](const WorkTraces& work) { return namesIn(work.students); }),
                of([](const WorkTraces& work) { return work.file; }),
                listed(
                    copy.what, [](const Text& each) { return language::worded(each); }, "; ")});
    }
    return analysis::toCsv(table);
}

/// The points of all in one step, ascending.
std::vector<double> pointsOf(const Grading& grading, const std::string& step)
{
    std::vector<double> points;
    for (const WorkMarks& work : grading.marks.works) {
        const StepMark* mark = work.find(step);
        if (mark != nullptr && mark->points()) {
            points.push_back(*mark->points());
        }
    }
    std::ranges::sort(points);
    return points;
}

double mostOf(const Grading& grading, const std::string& step)
{
    for (const WorkMarks& work : grading.marks.works) {
        if (const StepMark* mark = work.find(step); mark != nullptr && mark->of > 0.0) {
            return mark->of;
        }
    }
    return 0.0;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Without names.
std::string classJson(const Grading& grading)
{
    Json predictions = Json::array();
    for (const PredictedBesideMeasured& each : grading.figures.predictions) {
        Json entry{{"step", each.step}};
        if (!each.predictedNumbers.empty()) {
            entry.update({{"predicted", each.predictedNumbers}, {"measured", each.measuredNumbers}});
        } else {
            entry.update({{"predicted", each.predicted}, {"measured", each.measured}});
        }
        predictions.push_back(std::move(entry));
    }
    Json figures = Json::array();
    for (const FinalFigures& each : grading.figures.figures) {
        figures.push_back({{"step", each.step}, {"figure", each.figure}, {"values", each.values}});
    }
    Json steps = Json::array();
    for (const Step& step : grading.laboratory.steps) {
        if (const double most = mostOf(grading, step.id); most > 0.0) {
            steps.push_back({{"step", step.id}, {"of", most}, {"points", pointsOf(grading, step.id)}});
        }
    }
    return Json{{"version", 1}, {"laboratory", grading.marks.laboratory}, {"hand_ins", grading.marks.works.size()},
               {"unread", grading.unread.size()}, {"predictions", predictions}, {"figures", figures}, {"steps", steps}}
               .dump(1, ' ', false, Json::error_handler_t::replace)
        + "\n";
}

class ClassPage {
public:
    explicit ClassPage(const Grading& grading)
        : m_grading(grading)
        , m_page(emptyReport(
              say(LS_TR("Messages", "The class: %1"), {verbatim(language::inLanguage(grading.laboratory.title))})))
    { }

    Result<std::string> html()
    {
        m_page.titleLines = {{say(LS_TR("Messages", "Hand-ins")), std::to_string(m_grading.marks.works.size())},
            {say(LS_TR("Messages", "Not read")), std::to_string(m_grading.unread.size())}};
        heading("predictions", say(LS_TR("Messages", "Predictions beside results")));
        for (const PredictedBesideMeasured& each : m_grading.figures.predictions) {
            addPrediction(each);
        }
        heading("figures", say(LS_TR("Messages", "Final figures, one point a hand-in")));
        for (const FinalFigures& each : m_grading.figures.figures) {
            if (!each.values.empty()) {
                const analysis::Figure* figure = analysis::findFigure(each.figure);
                const std::string label
                    = figure == nullptr ? each.figure : language::translated("Figures", figure->label);
                chart(each.step + "." + each.figure, titleOf(each.step) + ": " + label, pointsPicture(each.values));
            }
        }
        heading("points", say(LS_TR("Messages", "Points")));
        addPoints();
        LOCKSTEP_TRY_ASSIGN(const auto files, report::write(m_page, m_pictures, report::TextFormat::Html, "class"));
        return files.front().bytes;
    }

private:
    [[nodiscard]] std::string titleOf(const std::string& step) const
    {
        const Step* found = m_grading.laboratory.find(step);
        return found == nullptr ? step : language::inLanguage(found->title);
    }
    void heading(const char* key, std::string text)
    {
        m_page.blocks.push_back({key, report::Heading{1, std::move(text)}});
    }
    void chart(const std::string& key, const std::string& caption, report::Picture picture)
    {
        report::Chart made;
        made.caption = caption;
        made.description = caption;
        m_page.blocks.push_back({key, std::move(made)});
        m_pictures[key] = std::move(picture);
    }
    /// `Which is faster: time per step (Adam / SGD)`
    [[nodiscard]] std::string captionOf(const std::string& step) const
    {
        const Step* found = m_grading.laboratory.find(step);
        const auto* content = found == nullptr ? nullptr : found->as<PredictionStep>();
        const analysis::Figure* figure = content == nullptr ? nullptr : analysis::findFigure(content->of.figure);
        if (figure == nullptr) {
            return titleOf(step);
        }
        const std::string label = language::translated("Figures", figure->label);
        if (content->form == PredictionForm::Order) {
            return say(
                LS_TR("Messages", "%1: the variant with the least %2"), {verbatim(titleOf(step)), verbatim(label)});
        }
        const char* const sign = statisticOf(content->of) == Statistic::Difference ? " − " : " / ";
        const std::string of
            = content->of.variant + (content->of.against.empty() ? std::string() : sign + content->of.against);
        return titleOf(step) + ": " + label + (of.empty() ? of : " (" + of + ")");
    }
    static std::string labelOf(const std::string& predicted)
    {
        return predicted == nameOf(Direction::Lower) ? language::translated("Report", LS_TR("Report", "lower"))
            : predicted == nameOf(Direction::Higher) ? language::translated("Report", LS_TR("Report", "higher"))
            : predicted == nameOf(Direction::Same)   ? language::translated("Report", LS_TR("Report", "the same"))
                                                     : predicted;
    }
    void addPrediction(const PredictedBesideMeasured& each)
    {
        const std::string predicted = say(LS_TR("Messages", "predicted"));
        const std::string measured = say(LS_TR("Messages", "measured"));
        Bars bars = histogram(predicted, each.predictedNumbers, measured, each.measuredNumbers);
        if (!each.predicted.empty()) {
            std::set<std::string> labels;
            for (const auto* counts : {&each.predicted, &each.measured}) {
                for (const auto& [label, count] : *counts) {
                    labels.insert(label);
                }
            }
            bars.labels.assign(labels.begin(), labels.end());
            for (const auto& [name, counts] :
                {std::pair(&predicted, &each.predicted), std::pair(&measured, &each.measured)}) {
                std::vector<std::size_t> list;
                for (const std::string& label : bars.labels) {
                    const auto found = counts->find(label);
                    list.push_back(found == counts->end() ? 0 : found->second);
                }
                bars.series.emplace_back(*name, std::move(list));
            }
            std::ranges::transform(bars.labels, bars.labels.begin(), labelOf);
        }
        if (!bars.labels.empty()) {
            chart(each.step, captionOf(each.step), barsPicture(bars));
        }
    }
    /// `points`: ascending.
    static std::vector<std::string> pointsRow(const std::string& name, double most, const std::vector<double>& points)
    {
        if (points.empty()) {
            return {name, pointsText(most), "–", "–", "0"};
        }
        const double median = (points[(points.size() - 1) / 2] + points[points.size() / 2]) / 2.0;
        return {name, pointsText(most), pointsText(meanOf(points)), pointsText(median), std::to_string(points.size())};
    }
    void addPoints()
    {
        report::Table table;
        table.caption = say(LS_TR("Messages", "Points of each step, of hand-ins that are marked"));
        table.header = {say(LS_TR("Messages", "Step")), say(LS_TR("Messages", "Of")), say(LS_TR("Messages", "Mean")),
            say(LS_TR("Messages", "Median")), say(LS_TR("Messages", "Marked"))};
        table.isNumber = {false, true, true, true, true};
        for (const Step& step : m_grading.laboratory.steps) {
            if (const double most = mostOf(m_grading, step.id); most > 0.0) {
                table.rows.push_back(pointsRow(language::inLanguage(step.title), most, pointsOf(m_grading, step.id)));
            }
        }
        std::vector<double> totals;
        double most = 0.0;
        for (const WorkMarks& work : m_grading.marks.works) {
            most = std::max(most, work.of());
            if (work.open() == 0) {
                totals.push_back(work.points());
            }
        }
        std::ranges::sort(totals);
        table.rows.push_back(pointsRow(say(LS_TR("Messages", "All steps")), most, totals));
        m_page.blocks.push_back({"points.table", std::move(table)});
    }

    const Grading& m_grading;
    report::Report m_page;
    report::Pictures m_pictures;
};

/// Of a question what the student answered: points alone would not say of what.
std::string whyOf(const StepMark& mark, const Step* step)
{
    const std::string why = analysis::shortened(language::worded(mark.note), 400);
    const auto* question = step == nullptr ? nullptr : step->as<QuestionStep>();
    const bool isAnswer = question != nullptr && mark.note.isVerbatim;
    return isAnswer ? say(LS_TR("Messages", "Your answer: %1"), {verbatim(why)}) : why;
}

report::Report feedbackReport(const Grading& grading, const WorkMarks& work, const Student& student)
{
    report::Report made = emptyReport(language::inLanguage(grading.laboratory.title));
    made.titleLines = {
        {say(LS_TR("Messages", "Points")),
            say(LS_TR("Messages", "%1 of %2"), {verbatim(pointsText(work.points())), verbatim(pointsText(work.of()))})},
        {say(LS_TR("Messages", "Name")), student.name}, {say(LS_TR("Messages", "Student number")), student.number}};
    if (work.open() > 0) {
        made.titleLines.front().text += say(LS_TR("Messages", "; steps not marked yet: %1"), {work.open()});
    }
    if (work.isLate) {
        made.titleLines.push_back({say(LS_TR("Messages", "Late")), say(LS_TR("Messages", "yes"))});
    }
    report::Table table;
    table.header = {say(LS_TR("Messages", "Step")), say(LS_TR("Messages", "Points")), say(LS_TR("Messages", "Of")),
        say(LS_TR("Messages", "Why"))};
    table.isNumber = {false, true, true, false};
    table.caption = say(LS_TR("Messages", "Points of each step"));
    for (const StepMark& mark : work.steps) {
        const Step* step = grading.laboratory.find(mark.step);
        const auto points = mark.points();
        table.rows.push_back({step == nullptr ? mark.step : language::inLanguage(step->title),
            points ? pointsText(*points) : say(LS_TR("Messages", "not marked yet")), pointsText(mark.of),
            whyOf(mark, step)});
    }
    made.blocks.push_back({"points", std::move(table)});
    for (const StepMark& mark : work.steps) {
        std::string comment = fullComment(mark.byHand.comment, grading.marks.comments);
        for (const RubricRow& row : mark.byHand.rubric) {
            comment += (comment.empty() ? "" : "\n") + pointsText(row.points) + ": " + row.text;
        }
        if (!comment.empty()) {
            const Step* step = grading.laboratory.find(mark.step);
            made.blocks.push_back({mark.step + ".title",
                report::Heading{2, step == nullptr ? mark.step : language::inLanguage(step->title)}});
            made.blocks.push_back({mark.step + ".comment", report::Paragraph{std::move(comment)}});
        }
    }
    if (!work.comment.empty()) {
        made.blocks.push_back({"comment", report::Paragraph{fullComment(work.comment, grading.marks.comments)}});
    }
    return made;
}

} // namespace

Result<std::vector<exchange::NewFile>> gradeFiles(const Grading& grading, Names names)
{
    LOCKSTEP_TRY_ASSIGN(const std::string page, ClassPage(grading).html());
    LOCKSTEP_TRY_ASSIGN(const std::string answers, answersPage(grading, names));
    std::vector<exchange::NewFile> files;
    for (const auto& [name, content] :
        {std::pair(MarksName, toJson(grading.marks)), std::pair("class.json", classJson(grading)),
            std::pair("class.html", page), std::pair("answers.html", answers)}) {
        files.push_back({QString::fromLatin1(name), QByteArray::fromStdString(content)});
    }
    for (const auto& [name, content] :
        {std::pair("class.csv", classTable(grading)), std::pair(AnswersName, answersTable(grading, names)),
            std::pair(CommentsName, commentsTable(grading.marks)), std::pair("copies.csv", copiesTable(grading))}) {
        files.push_back({QString::fromLatin1(name), ByteOrderMark + QByteArray::fromStdString(content)});
    }
    return files;
}

std::vector<Feedback> feedbackOf(const Grading& grading)
{
    std::vector<Feedback> all;
    std::set<QString> names; // of 7, Ada-B and of 7-Ada, B it is the same
    for (const WorkMarks& work : grading.marks.works) {
        for (const Student& student : work.students) {
            const std::string name = analysis::fileNameOf(student.number + "-" + student.name);
            std::string free = name;
            for (int i = 2; !names.insert(QString::fromStdString(free).toCaseFolded()).second; ++i) {
                free = name + "-" + std::to_string(i);
            }
            all.push_back({free, feedbackReport(grading, work, student)});
        }
    }
    return all;
}

Result<std::string> feedbackPage(const Feedback& feedback)
{
    LOCKSTEP_TRY_ASSIGN(const auto files, report::write(feedback.report, {}, report::TextFormat::Html, feedback.name));
    return files.front().bytes;
}

} // namespace lockstep::laboratory::grading
