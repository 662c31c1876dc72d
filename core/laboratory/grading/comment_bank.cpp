#include "laboratory/grading/comment_bank.h"

#include "analysis/plain_text.h"
#include "analysis/table/text_table.h"
#include "base/translate.h"
#include "laboratory/grading/roster/cell_table.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<std::string_view, 3> BankColumns{"number", "comment", "used"};
constexpr std::size_t MostComments = 9'999;

/// With what `replace` gives for each number in braces.
std::string withNumbers(const std::string& comment, const std::function<std::string(std::size_t number)>& replace)
{
    static const QRegularExpression Number(u"\\{(\\d{1,4})\\}"_s);
    const QString text = QString::fromStdString(comment);
    QString made;
    qsizetype end = 0;
    for (auto found = Number.globalMatch(text); found.hasNext();) {
        const auto each = found.next();
        made += text.mid(end, each.capturedStart() - end);
        made += QString::fromStdString(replace(each.captured(1).toULongLong()));
        end = each.capturedEnd();
    }
    return (made + text.mid(end)).toStdString();
}

std::string inBraces(std::size_t number)
{
    return "{" + std::to_string(number) + "}";
}

bool hasNumber(const std::vector<std::string>& bank, std::size_t number)
{
    return number >= 1 && number <= bank.size() && !bank[number - 1].empty();
}

/// Calls `use` with each comment that was given by hand, and the work and step that it is of; empty: to the whole.
void eachComment(
    const Marks& marks, const std::function<void(const WorkMarks&, const std::string&, const std::string&)>& use)
{
    for (const WorkMarks& work : marks.works) {
        use(work, {}, work.comment);
        for (const StepMark& step : work.steps) {
            use(work, step.step, step.byHand.comment);
        }
    }
}

} // namespace

std::string fullComment(const std::string& comment, const std::vector<std::string>& bank)
{
    return withNumbers(
        comment, [&bank](std::size_t number) { return hasNumber(bank, number) ? bank[number - 1] : inBraces(number); });
}

std::vector<Text> unknownNumbers(const Marks& marks)
{
    std::vector<Text> lines;
    eachComment(marks, [&](const WorkMarks& work, const std::string& step, const std::string& comment) {
        (void)withNumbers(comment, [&](std::size_t number) {
            if (!hasNumber(marks.comments, number)) {
                lines.emplace_back(LS_TR("Messages", "%1: the comment bank has no %2"),
                    std::vector<Text>{verbatim(namesIn(work.students) + (step.empty() ? "" : ": " + step)),
                        verbatim(inBraces(number))});
            }
            return std::string();
        });
    });
    return lines;
}

void joinBanks(std::vector<std::string>& bank, Marks& theirs)
{
    std::vector<std::size_t> numbers;
    for (const std::string& each : theirs.comments) {
        const auto found = std::ranges::find(bank, each);
        numbers.push_back(static_cast<std::size_t>(found - bank.begin()) + 1);
        if (found == bank.end() && !each.empty()) {
            bank.push_back(each);
        }
    }
    const auto renumber = [&](std::string& comment) {
        comment = withNumbers(comment, [&](std::size_t number) {
            return inBraces(hasNumber(theirs.comments, number) ? numbers[number - 1] : number);
        });
    };
    for (WorkMarks& work : theirs.works) {
        renumber(work.comment);
        for (StepMark& step : work.steps) {
            renumber(step.byHand.comment);
        }
    }
}

std::string commentsTable(const Marks& marks)
{
    std::vector<std::size_t> used(marks.comments.size());
    eachComment(marks, [&](const WorkMarks&, const std::string&, const std::string& comment) {
        (void)withNumbers(comment, [&](std::size_t number) {
            if (hasNumber(marks.comments, number)) {
                ++used[number - 1];
            }
            return std::string();
        });
    });
    analysis::TextTable table;
    for (const std::string_view each : BankColumns) {
        table.headers.push_back({std::string(each), false});
    }
    for (std::size_t i = 0; i < marks.comments.size(); ++i) {
        if (!marks.comments[i].empty()) {
            table.rows.push_back({std::to_string(i + 1), marks.comments[i], std::to_string(used[i])});
        }
    }
    return analysis::toCsv(table);
}

Result<void> takeComments(std::vector<std::string>& bank, const QByteArray& csv)
{
    LOCKSTEP_TRY_ASSIGN(const auto table, csvTable(csv));
    LOCKSTEP_TRY_ASSIGN(const auto places, placesOf(*table, {BankColumns.begin(), BankColumns.begin() + 2}));
    for (std::size_t row = 1; row < table->rows(); ++row) {
        const std::string typed = table->cell(row, places[0]);
        const std::string text = asTyped(table->cell(row, places[1]));
        const std::size_t number = typed.empty() ? bank.size() + 1 : QString::fromStdString(typed).toULongLong();
        if (number < 1 || number > MostComments) {
            return failure(LS_TR("Messages", "line %1: \"%2\" is not a comment's number"),
                {row + 1, verbatim(analysis::shortened(typed, 40))});
        }
        if (text.empty()) {
            continue;
        }
        bank.resize(std::max(bank.size(), number));
        std::string& kept = bank[number - 1];
        if (text == "-") {
            kept.clear();
        } else if (text != analysis::cleanLine(kept)) {
            kept = text;
        }
    }
    return {};
}

} // namespace lockstep::laboratory::grading
