// An optimizer class on given gradients: each step from the reference's own weights, so that nothing adds up.
#include "analysis/plain_text.h"
#include "base/names.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/optimizer_cases.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/entry_json.h"

#include <fmt/format.h>

#include <QByteArray>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace lockstep::laboratory {

namespace {

constexpr int UsualSteps = 6;
constexpr int MostSteps = 50;
constexpr std::size_t LongestClassName = 100; ///< of a class, in bytes

/// What rounding may change, in any order of operations.
struct Rounding {
    double ofChange = 0.0; ///< of the largest change of a parameter
    double ofWeight = 0.0; ///< of a weight as it is stored
};
constexpr Rounding Single{1e-4, 4.0 * 1.1920929e-7};
constexpr Rounding Double{1e-9, 4.0 * 2.220446e-16};

/// Where the student's numbers leave a rule.
struct Place {
    std::size_t ofCase = 0;
    std::size_t step = 0;
    std::size_t parameter = 0;
    std::size_t element = 0;
    double before = 0.0;
    double expected = 0.0;
    double got = 0.0;

    [[nodiscard]] auto order() const { return std::array{ofCase, step, parameter, element}; }
};

const OptimizerRow& rowOf(const Json& check)
{
    return *findOptimizer(textIn(check, "name"));
}

std::vector<OptimizerCase> casesOf(const Json& check)
{
    return optimizerCases(rowOf(check), check.value("seed", std::uint64_t{1}), check.value("steps", UsualSteps));
}

Result<std::vector<TrialTask>> optimizerTasks(const Json& check)
{
    const OptimizerRow& row = rowOf(check);
    const std::string form = textIn(check, "form");
    if (!form.empty() && std::ranges::find(row.forms, form, &OptimizerForm::key) == row.forms.end()) {
        return refusal("form", LS_TR("Messages", "%1 has only these forms: %2"),
            {verbatim(row.key), verbatim(listed(row.forms, &OptimizerForm::key))});
    }
    if (check.value("steps", UsualSteps) > MostSteps) {
        return refusal("steps", LS_TR("Messages", "at most %1"), {MostSteps});
    }
    TrialTask task;
    task.input = {{"names", row.classes}, {"overwrite", OverwrittenGradient}, {"cases", Json::array()}};
    for (const OptimizerCase& each : casesOf(check)) {
        task.input["cases"].push_back(each.json(row.family));
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// Compares what the student's class gave with rules.
class OptimizerJudge {
public:
    OptimizerJudge(const Json& check, const RankTrial& rank)
        : m_row(rowOf(check))
        , m_form(textIn(check, "form"))
        , m_cases(casesOf(check))
    {
        if (const auto records = recordsOf(rank, "class"); !records.empty()) {
            m_stepLine = lineIn(*records.front(), "step_line");
            m_zeroLine = lineIn(*records.front(), "zero_line");
            m_base = nameIn(*records.front(), "base");
        }
        if (const auto records = recordsOf(rank, "uses"); !records.empty()) {
            m_used = nameIn(*records.front(), "name");
        }
        takeArguments(rank);
        take(rank);
    }

    /// `broken`: what ended the trial before its end.
    [[nodiscard]] CodeVerdict verdict(const std::optional<CodeVerdict>& broken) const
    {
        if (!m_base.empty()) {
            return wrong(
                failure(LS_TR("Messages", "the class inherits %1: write the update yourself"), {verbatim(m_base)}));
        }
        if (!m_used.empty()) {
            return wrong(
                failure(LS_TR("Messages", "the class uses %1: write the update yourself"), {verbatim(m_used)}));
        }
        std::optional<Place> place;
        const OptimizerForm* agreed = nullptr;
        for (const OptimizerForm& form : m_row.forms) {
            if (!isAsked(form)) {
                continue;
            }
            const auto left = differenceFrom(form, {});
            if (!left) {
                agreed = &form;
                break;
            }
            if (!place || place->order() < left->order()) {
                place = left;
            }
        }
        if (agreed == nullptr && m_complete > 0) {
            CodeVerdict verdict = wrong(faultAt(*place), m_stepLine);
            return m_cases[place->ofCase].skipped ? namedOtherwise(std::move(verdict)) : named(std::move(verdict));
        }
        if (broken) {
            return withoutGradient(*broken);
        }
        if (m_complete < m_cases.size()) {
            return wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        if (!m_isCleared) {
            return withMistake(wrong(failure(LS_TR("Messages", "zero_grad leaves gradients behind")), m_zeroLine),
                RuleEdit::Accumulated);
        }
        CodeVerdict right;
        right.remark = agreed->name.empty() ? Text() : Text(agreed->name);
        return right;
    }

private:
    static int lineIn(const Json& record, const char* name)
    {
        return static_cast<int>(std::clamp<std::int64_t>(integerIn(record, name), 0, 1'000'000));
    }
    /// As plain text: anything may stand there.
    static std::string nameIn(const Json& record, const char* name)
    {
        return analysis::shortened(analysis::cleanLine(textIn(record, name)), LongestClassName);
    }
    [[nodiscard]] bool isAsked(const OptimizerForm& form) const { return m_form.empty() || form.key == m_form; }

    /// What the class does not take keeps its usual value.
    void takeArguments(const RankTrial& rank)
    {
        m_taken.resize(m_cases.size());
        for (const Json* record : recordsOf(rank, "arguments")) {
            const std::int64_t number = integerIn(*record, "case");
            if (number < 0 || number >= static_cast<std::int64_t>(m_cases.size())) {
                continue;
            }
            const Json taken = record->value("taken", Json::array());
            auto& rows = m_taken[static_cast<std::size_t>(number)];
            rows.clear();
            std::ranges::copy_if(settingsOf(m_row.family), std::back_inserter(rows), [&](const SettingRow& row) {
                return std::ranges::any_of(taken, [&](const Json& each) { return each == Json(row.key); });
            });
        }
        for (std::size_t c = 0; c < m_cases.size(); ++c) {
            const OptimizerSettings asked = std::exchange(m_cases[c].settings, {});
            for (const SettingRow& row : m_taken[c]) {
                m_cases[c].settings.*row.member = asked.*row.member;
            }
        }
    }

    /// Records in the order in which they must come; stops at the first that does not.
    void take(const RankTrial& rank)
    {
        const auto records = recordsOf(rank, "step");
        std::size_t next = 0;
        for (std::size_t c = 0; c < m_cases.size(); ++c) {
            std::vector<TensorValues> steps(m_cases[c].weights.size());
            for (std::size_t step = 0; step < steps.size(); ++step) {
                for (std::size_t i = 0; i < m_cases[c].shapes.size(); ++i, ++next) {
                    if (next >= records.size()) {
                        return;
                    }
                    steps[step].push_back(numbersIn(*records[next], "values"));
                    if (steps[step].back().size() != m_cases[c].sizeOf(i)) {
                        return;
                    }
                    m_isCleared = m_isCleared && records[next]->value("cleared", Json()) == true;
                }
            }
            m_values.push_back(std::move(steps));
            m_complete = m_values.size();
        }
    }

    /// An exception where the only new thing is a parameter without a gradient.
    [[nodiscard]] CodeVerdict withoutGradient(CodeVerdict broken) const
    {
        const bool isOfNone = broken.fault->text().find("NoneType") != std::string::npos;
        return isOfNone && m_complete < m_cases.size() && m_cases[m_complete].skipped
            ? withKnown(std::move(broken), "grad_is_none",
                LS_TR("Messages", "the grad of a parameter that took no part in the loss is None: skip it"))
            : broken;
    }

    /// `ignored`: an argument that is taken and keeps its usual value.
    struct Guess {
        RuleEdit edit = RuleEdit::None;
        const SettingRow* ignored = nullptr;
        bool isSingle = false; ///< float64 parameters with numbers in float32
        bool isStopped = false; ///< a parameter without a gradient keeps those after it from being updated
    };

    [[nodiscard]] std::optional<Place> differenceFrom(const OptimizerForm& form, const Guess& guess) const
    {
        for (std::size_t c = 0; c < m_complete; ++c) {
            if (m_cases[c].skipped && guess.edit != RuleEdit::None) {
                continue; // what a wrong rule does there, such as counting t, is not known
            }
            Guess ofCase = guess;
            if (guess.edit == RuleEdit::UsedUp && !m_cases[c].isGenerator()) {
                ofCase.edit = RuleEdit::None;
            }
            if (auto place = differenceIn(c, form, ofCase)) {
                return place;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Place> differenceIn(std::size_t c, const OptimizerForm& form, const Guess& guess) const
    {
        const OptimizerCase& given = m_cases[c];
        OptimizerSettings settings = given.settings;
        if (guess.ignored != nullptr) {
            settings.*guess.ignored->member = OptimizerSettings().*guess.ignored->member;
        }
        const Rounding& rounding = given.isSingle() || guess.isSingle ? Single : Double;
        ReferenceOptimizer reference(m_row.family, form, guess.edit, settings);
        for (std::size_t step = 0; step < m_values[c].size(); ++step) {
            const TensorValues& before = given.weights[step];
            const TensorValues after = reference.step(before, given.gradients[step]);
            for (std::size_t i = 0; i < after.size(); ++i) {
                const bool isKept = i == given.skipped || (guess.isStopped && given.skipped && i > *given.skipped);
                if (isKept && !differingElement(rounding, before[i], before[i], m_values[c][step][i])) {
                    continue;
                }
                if (const auto k = differingElement(rounding, before[i], after[i], m_values[c][step][i])) {
                    return Place{c, step, i, *k, before[i][*k], after[i][*k], m_values[c][step][i][*k]};
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] static std::optional<std::size_t> differingElement(const Rounding& rounding,
        const std::vector<double>& before, const std::vector<double>& after, const std::vector<double>& got)
    {
        double scale = 0.0;
        for (std::size_t k = 0; k < after.size(); ++k) {
            const double change = std::abs(after[k] - before[k]);
            scale = std::isfinite(change) ? std::max(scale, change) : scale;
        }
        for (std::size_t k = 0; k < after.size(); ++k) {
            const double allowed
                = rounding.ofChange * scale + rounding.ofWeight * std::max(std::abs(before[k]), std::abs(after[k]));
            const bool isEqual = std::isfinite(after[k]) ? std::abs(got[k] - after[k]) <= allowed
                : std::isnan(after[k])                   ? std::isnan(got[k])
                                                         : got[k] == after[k];
            if (!isEqual) {
                return k;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Error faultAt(const Place& place) const
    {
        const OptimizerCase& given = m_cases[place.ofCase];
        const double got = place.got - place.before;
        const double expected = place.expected - place.before;
        // as many digits as tell the two apart
        const int digits = std::abs(got - expected) < 1e-5 * std::abs(expected) ? 12 : 6;
        const auto number
            = [digits](double value) { return verbatim(QByteArray::number(value, 'g', digits).toStdString()); };
        const Error fault
            = failure(LS_TR("Messages", "step %1: element %2 of parameter %3 changes by %4 instead of %5"),
                {place.step + 1, place.element + 1, place.parameter + 1, number(got), number(expected)});
        if (given.skipped) {
            return during({LS_TR("Messages", "where parameter %1 has no gradient"), {*given.skipped + 1}}, fault);
        }
        if (!given.isUnusual) {
            return fault;
        }
        std::string made;
        for (const SettingRow& row : m_taken[place.ofCase]) {
            made += fmt::format("{}{} = {}", made.empty() ? "" : ", ", row.key, given.settings.*row.member);
        }
        return made.empty() ? fault : during({LS_TR("Messages", "made with %1"), {verbatim(made)}}, fault);
    }

    /// With the known mistake that reproduces all of the numbers.
    [[nodiscard]] CodeVerdict named(CodeVerdict verdict) const
    {
        for (const OptimizerForm& form : m_row.forms) {
            if (!isAsked(form) && !differenceFrom(form, {})) {
                verdict.mistake = "other_form";
                verdict.mistakeName = {LS_TR("Messages", "the step asks for another form; this is %1"), {form.name}};
                return verdict;
            }
        }
        for (const OptimizerMistake& mistake : m_row.mistakes) {
            const bool isFound = std::ranges::any_of(m_row.forms,
                [&](const OptimizerForm& form) { return !differenceFrom(form, {.edit = mistake.edit}).has_value(); });
            if (isFound) {
                return withMistake(std::move(verdict), mistake.edit);
            }
        }
        return namedOtherwise(std::move(verdict));
    }

    /// Mistakes that every rule can have.
    [[nodiscard]] CodeVerdict namedOtherwise(CodeVerdict verdict) const
    {
        const auto fits = [this](const Guess& guess) {
            return std::ranges::any_of(
                m_row.forms, [&](const OptimizerForm& form) { return !differenceFrom(form, guess); });
        };
        const auto unusual = std::ranges::find(m_cases, true, &OptimizerCase::isUnusual) - m_cases.begin();
        for (const SettingRow& row : m_taken[static_cast<std::size_t>(unusual)]) {
            if (fits({.ignored = &row})) {
                verdict.mistake = "argument_ignored";
                verdict.mistakeName = {
                    LS_TR("Messages", "the argument %1 is not used: the code has a fixed value"), {verbatim(row.key)}};
                return verdict;
            }
        }
        if (fits({.isSingle = true})) {
            return withKnown(std::move(verdict), "single_precision",
                LS_TR("Messages", "the state is float32 although the parameter is float64: torch.zeros_like(param)"));
        }
        if (fits({.isStopped = true})) {
            return withKnown(std::move(verdict), "stops_at_none",
                LS_TR("Messages", "step ends at the first parameter without a gradient: go on with the next one"),
                "continue");
        }
        return verdict;
    }

    [[nodiscard]] CodeVerdict withMistake(CodeVerdict verdict, RuleEdit edit) const
    {
        if (edit == RuleEdit::SharedState && m_complete > 1) { // one state for all does not fit other shapes
            return withKnown(std::move(verdict), "shared_by_shape",
                LS_TR("Messages", "two parameters of the same shape share one state: each needs its own"),
                "self.state[i]");
        }
        const auto found = std::ranges::find(m_row.mistakes, edit, &OptimizerMistake::edit);
        verdict.mistake = found->key;
        verdict.mistakeName = Text(found->name);
        verdict.mistakeFormula = found->formula;
        return verdict;
    }

    const OptimizerRow& m_row;
    std::string m_form;
    std::vector<OptimizerCase> m_cases;
    std::vector<std::vector<SettingRow>> m_taken; ///< by case: the arguments that the class takes
    std::vector<std::vector<TensorValues>> m_values; ///< of the student's, by case and step: whole cases
    std::size_t m_complete = 0;
    bool m_isCleared = true;
    int m_stepLine = 0;
    int m_zeroLine = 0;
    std::string m_base; ///< the optimizer of PyTorch's that it inherits
    std::string m_used; ///< the one that it keeps
};

CodeVerdict judgeOptimizer(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const Trial& trial = trials.front();
    return OptimizerJudge(check, trial.ranks.front()).verdict(brokenTrial(trial));
}

} // namespace

Exercise optimizerExercise()
{
    static const std::vector<std::string_view> Names = namesOf(optimizerRows(), &OptimizerRow::key);
    using Kind = FieldForm::Kind;
    return {"optimizer",
        "A class with `zero_grad` and `step`, made with the parameters and the learning rate. It gets given gradients; "
        "each step is compared with the formula.",
        "optimizer.py",
        {{"name", {Kind::Choice, {}, Names}, true, "Which update rule."},
            {"form", {Kind::Choice, {}, {"paper", "guide", "outside", "none", "inside"}}, false,
                "Of `adam`: `paper` (Kingma and Ba) or `guide` (no bias correction). Of `adagrad` and `rmsprop`: where "
                "ε stands. Without it: any of these."},
            {"seed", {Kind::Integer}, false, "Of weights and gradients. Without it: 1."},
            {"steps", {Kind::Integer, {}, {}, 1.0}, false, "Without it: 6."}},
        optimizerTasks, judgeOptimizer};
}

} // namespace lockstep::laboratory
