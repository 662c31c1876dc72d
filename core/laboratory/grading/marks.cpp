#include "laboratory/grading/marks.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "laboratory/grading/comment_bank.h"
#include "laboratory/laboratory.h"

#include <QRandomGenerator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lockstep::laboratory::grading {

namespace {

Text pointsOrNone(const std::optional<double>& points)
{
    return points ? verbatim(pointsText(*points)) : Text(LS_TR("Messages", "none"));
}

/// `007 Ada: why`
Text placeOf(const WorkMarks& work, const std::string& step)
{
    return verbatim(namesIn(work.students) + ": " + step);
}

Text automaticNow(const WorkMarks& work, const std::string& step, const std::optional<double>& now,
    const std::optional<double>& before)
{
    return {LS_TR("Messages", "%1: automatic points %2, before %3"),
        {placeOf(work, step), pointsOrNone(now), pointsOrNone(before)}};
}

void keepStep(StepMark& step, const StepMark& before, const WorkMarks& work, std::vector<Text>& differences)
{
    step.byHand = before.byHand;
    if (step.automatic != before.automatic) {
        differences.push_back(automaticNow(work, step.step, step.automatic, before.automatic));
    } else if (step.of != before.of) {
        differences.emplace_back(LS_TR("Messages", "%1: at most %2 points, before %3"),
            std::vector<Text>{
                placeOf(work, step.step), verbatim(pointsText(step.of)), verbatim(pointsText(before.of))});
    }
}

void keepWork(WorkMarks& work, const WorkMarks& before, std::vector<Text>& differences)
{
    work.comment = before.comment;
    if (work.file != before.file || work.at != before.at) {
        differences.emplace_back(LS_TR("Messages", "%1: the hand-in is now %2, before %3"),
            std::vector<Text>{verbatim(namesIn(work.students)), verbatim(work.file), verbatim(before.file)});
    }
    for (const StepMark& step : before.steps) {
        const auto now = std::ranges::find(work.steps, step.step, &StepMark::step);
        if (now != work.steps.end()) {
            keepStep(*now, step, work, differences);
        } else if (step.byHand.empty()) {
            differences.push_back(automaticNow(work, step.step, {}, step.automatic));
        } else { // a step that the key no longer has: the marker's work is not lost
            work.steps.push_back(step);
            work.steps.back().of = 0.0;
            work.steps.back().automatic.reset();
            differences.emplace_back(LS_TR("Messages", "%1: the key has no points for it any more"),
                std::vector<Text>{placeOf(work, step.step)});
        }
    }
    for (const StepMark& step : work.steps) {
        if (before.find(step.step) == nullptr) {
            differences.push_back(automaticNow(work, step.step, step.automatic, {}));
        }
    }
}

void mergeStep(StepMark& mine, const StepMark& other, const WorkMarks& work, std::vector<Text>& conflicts)
{
    if (other.byHand.empty() || mine.byHand == other.byHand) {
        return;
    }
    const bool isEqual = mine.points() == other.points() && mine.byHand.comment == other.byHand.comment;
    if (mine.byHand.empty()) {
        mine.byHand = other.byHand;
    } else if (!isEqual) {
        conflicts.emplace_back(LS_TR("Messages", "%1: %2 points by %3, %4 by %5; the first is kept"),
            std::vector<Text>{placeOf(work, mine.step), pointsOrNone(mine.points()), verbatim(mine.byHand.by),
                pointsOrNone(other.points()), verbatim(other.byHand.by)});
    }
}

} // namespace

std::optional<double> StepMark::points() const
{
    if (byHand.points) {
        return byHand.points;
    }
    if (!byHand.rubric.empty()) {
        return std::accumulate(byHand.rubric.begin(), byHand.rubric.end(), 0.0,
            [](double sum, const RubricRow& row) { return sum + row.points; });
    }
    return automatic;
}

double WorkMarks::points() const
{
    return std::accumulate(steps.begin(), steps.end(), 0.0,
        [](double sum, const StepMark& step) { return sum + step.points().value_or(0.0); });
}

double WorkMarks::of() const
{
    return std::accumulate(
        steps.begin(), steps.end(), 0.0, [](double sum, const StepMark& step) { return sum + step.of; });
}

std::size_t WorkMarks::open() const
{
    return static_cast<std::size_t>(std::ranges::count_if(steps, [](const StepMark& step) { return !step.points(); }));
}

const StepMark* WorkMarks::find(std::string_view step) const
{
    const auto found = std::ranges::find(steps, step, &StepMark::step);
    return found == steps.end() ? nullptr : &*found;
}

const WorkMarks* Marks::find(const std::vector<Student>& students) const
{
    const auto found = std::ranges::find_if(
        works, [&students](const WorkMarks& work) { return shareStudents(work.students, students); });
    return found == works.end() ? nullptr : &*found;
}

bool shareStudents(const std::vector<Student>& some, const std::vector<Student>& others)
{
    const auto identity = [](const Student& student) {
        const std::string number = normalizedNumber(student.number);
        return number.empty() ? "name " + normalizedNumber(student.name) : number;
    };
    return std::ranges::any_of(some, [&](const Student& one) {
        return std::ranges::any_of(others, [&](const Student& other) { return identity(one) == identity(other); });
    });
}

std::string namesIn(const std::vector<Student>& students)
{
    constexpr std::size_t Longest = 200;
    const std::string names
        = listed(students, [](const Student& each) { return (each.number + " ").append(each.name); });
    return analysis::cleanLine(analysis::shortened(names, Longest));
}

std::string pointsText(double points)
{
    std::string text = fmt::format("{:.2f}", points);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) {
        text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

std::string newSalt()
{
    std::array<quint32, 4> bits{};
    QRandomGenerator::system()->fillRange(bits.data(), qsizetype(bits.size()));
    return fmt::format("{:08x}", fmt::join(bits, ""));
}

std::vector<Text> keepByHand(Marks& marks, const Marks& before)
{
    std::vector<Text> differences;
    for (WorkMarks& work : marks.works) {
        if (const WorkMarks* earlier = before.find(work.students)) {
            keepWork(work, *earlier, differences);
        }
    }
    for (const WorkMarks& work : before.works) {
        if (marks.find(work.students) == nullptr) {
            marks.works.push_back(work);
            differences.emplace_back(LS_TR("Messages", "%1: no hand-in now; the earlier marks are kept"),
                std::vector<Text>{verbatim(namesIn(work.students))});
        }
    }
    marks.comments = before.comments;
    return differences;
}

std::vector<Text> merge(Marks& marks, Marks other)
{
    std::vector<Text> conflicts;
    joinBanks(marks.comments, other);
    for (WorkMarks& work : marks.works) {
        const WorkMarks* theirs = other.find(work.students);
        if (theirs == nullptr) {
            continue;
        }
        for (StepMark& step : work.steps) {
            if (const StepMark* mark = theirs->find(step.step)) {
                mergeStep(step, *mark, work, conflicts);
            }
        }
        if (work.comment.empty()) {
            work.comment = theirs->comment;
        } else if (!theirs->comment.empty() && theirs->comment != work.comment) {
            conflicts.emplace_back(LS_TR("Messages", "%1: two comments; the first is kept"),
                std::vector<Text>{verbatim(namesIn(work.students))});
        }
    }
    for (const WorkMarks& work : other.works) {
        if (marks.find(work.students) == nullptr) {
            marks.works.push_back(work);
        }
    }
    return conflicts;
}

} // namespace lockstep::laboratory::grading
