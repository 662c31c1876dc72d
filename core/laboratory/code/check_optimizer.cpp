// An optimizer class on given gradients: each step from the reference's own weights, so that nothing adds up.
#include "analysis/plain_text.h"
#include "base/names.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/optimizer_rounding.h"
#include "laboratory/code/optimizer_topics.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/entry_json.h"

#include <QByteArray>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lockstep::laboratory {

namespace {

constexpr int UsualSteps = 6;
constexpr int MostSteps = 50;
constexpr std::size_t LongestClassName = 100; ///< of a class, in bytes

/// Where the student's numbers leave a rule.
struct Place {
    std::size_t ofCase = 0;
    std::size_t object = 0;
    std::size_t step = 0;
    std::size_t parameter = 0;
    std::size_t element = 0;
    double before = 0.0;
    double expected = 0.0;
    double got = 0.0;

    [[nodiscard]] auto order() const { return std::array{ofCase, object, step, parameter, element}; }
};

/// What one object of the student's class gave in one step, by parameter.
struct StudentStep {
    TensorValues weights;
    std::vector<bool> hasGradient; ///< zero_grad may have filled in zeros
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

/// Zeros where zero_grad has filled them in.
std::vector<double> gradientOf(const std::vector<double>& given, std::size_t size, bool hasGradient)
{
    return given.empty() && hasGradient ? std::vector<double>(size, 0.0) : given;
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
        for (const Json* record : recordsOf(rank, "kept")) {
            if (const auto which = integerIn(*record, "which"); record->value("cleared", Json()) == true) {
                m_kept.erase(which);
            }
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
            verdict = place->ofCase > 0 ? namedByTopic(std::move(verdict), *place) : named(std::move(verdict));
            return verdict.mistake.empty() && !m_isCleared ? ofLeftGradients() : verdict;
        }
        if (broken) {
            return m_complete > 0 && m_complete < m_cases.size() ? brokenByTopic(*broken, m_cases[m_complete].topic)
                                                                 : *broken;
        }
        if (m_complete < m_cases.size()) {
            return wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        if (!m_isCleared) {
            return ofLeftGradients();
        }
        if (!m_kept.empty()) {
            return ofKept(keptGradients()[static_cast<std::size_t>(*m_kept.begin())]);
        }
        if (!m_isGradientLeft) {
            return withKnown(
                wrong(failure(LS_TR("Messages", "step changes param.grad, which others read after it")), m_stepLine),
                "gradient_changed", LS_TR("Messages", "step must leave param.grad as it is: compute with a copy"),
                "g = param.grad.clone()");
        }
        CodeVerdict right;
        right.remark = agreed->name.empty() ? Text() : Text(agreed->name);
        return right;
    }

private:
    [[nodiscard]] CodeVerdict ofLeftGradients() const
    {
        return withMistake(
            wrong(failure(LS_TR("Messages", "zero_grad leaves gradients behind")), m_zeroLine), RuleEdit::Accumulated);
    }
    /// What a gradient is that zero_grad does not clear.
    [[nodiscard]] CodeVerdict ofKept(const std::vector<double>& values) const
    {
        std::string text;
        for (const double value : values) {
            text += (text.empty() ? "" : ", ") + QByteArray::number(value).toStdString();
        }
        CodeVerdict verdict
            = wrong(failure(LS_TR("Messages", "zero_grad leaves a gradient whose elements are %1"), {verbatim(text)}),
                m_zeroLine);
        return std::isfinite(values.front())
            ? withKnown(std::move(verdict), "gradient_kept",
                LS_TR("Messages", "zero_grad keeps some gradients: clear each, whatever is in it"), "p.grad = None")
            : withKnown(std::move(verdict), "multiplied_by_zero",
                LS_TR("Messages", "0 times inf or nan is nan: fill the gradient with zeros"), "p.grad.zero_()");
    }
    static std::set<std::int64_t> allKept()
    {
        std::set<std::int64_t> all;
        for (std::size_t i = 0; i < keptGradients().size(); ++i) {
            all.insert(static_cast<std::int64_t>(i));
        }
        return all;
    }
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
            for (OptimizerSettings* settings : {&m_cases[c].settings, &m_cases[c].besideSettings}) {
                const OptimizerSettings asked = std::exchange(*settings, {});
                for (const SettingRow& row : m_taken[c]) {
                    settings->*row.member = asked.*row.member;
                }
            }
        }
    }

    /// Whole cases alone; stops at the first that is not.
    void take(const RankTrial& rank)
    {
        std::map<std::array<std::int64_t, 4>, const Json*> records;
        for (const Json* each : recordsOf(rank, "step")) {
            records[{integerIn(*each, "case"), integerIn(*each, "object"), integerIn(*each, "step"),
                integerIn(*each, "parameter")}]
                = each;
        }
        for (std::size_t c = 0; c < m_cases.size(); ++c) {
            std::vector<std::vector<StudentStep>> objects(m_cases[c].objects());
            for (std::size_t object = 0; object < objects.size(); ++object) {
                for (std::size_t step = 0; step < m_cases[c].weights.size(); ++step) {
                    StudentStep taken;
                    for (std::size_t i = 0; i < m_cases[c].shapes.size(); ++i) {
                        const auto found
                            = records.find({static_cast<std::int64_t>(c), static_cast<std::int64_t>(object),
                                static_cast<std::int64_t>(step), static_cast<std::int64_t>(i)});
                        if (found == records.end() || !takeParameter(*found->second, c, step, i, taken)) {
                            return;
                        }
                    }
                    objects[object].push_back(std::move(taken));
                }
            }
            m_values.push_back(std::move(objects));
            m_complete = m_values.size();
        }
    }

    bool takeParameter(const Json& record, std::size_t c, std::size_t step, std::size_t parameter, StudentStep& into)
    {
        const OptimizerCase& given = m_cases[c];
        const bool hasGradient = record.value("given", Json()) == true;
        into.weights.push_back(numbersIn(record, "values"));
        into.hasGradient.push_back(hasGradient);
        m_isCleared = m_isCleared && record.value("cleared", Json()) == true;
        const auto isSame
            = [](double one, double other) { return one == other || (std::isnan(one) && std::isnan(other)); };
        m_isGradientLeft = m_isGradientLeft
            && std::ranges::equal(numbersIn(record, "left"),
                gradientOf(given.gradients[step][parameter], given.sizeOf(parameter), hasGradient), isSame);
        return into.weights.back().size() == given.sizeOf(parameter);
    }

    /// `ignored`: an argument that is taken and keeps its usual value.
    struct Guess {
        RuleEdit edit = RuleEdit::None;
        const SettingRow* ignored = nullptr;
        bool isSingle = false; ///< float64 parameters with numbers in float32
        bool isStopped = false; ///< a parameter without a gradient keeps those after it from being updated
        bool isZeroNone = false; ///< a parameter whose gradients are all 0 is treated as one without
        bool isNoneZero = false; ///< a parameter without a gradient gets one of zeros
    };

    /// What the rule gets in this step.
    [[nodiscard]] TensorValues gradientsOf(
        std::size_t c, std::size_t step, const StudentStep& taken, const Guess& guess) const
    {
        TensorValues gradients = m_cases[c].gradients[step];
        bool isStopped = false;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            gradients[i] = gradientOf(gradients[i], m_cases[c].sizeOf(i), taken.hasGradient[i] || guess.isNoneZero);
            isStopped = isStopped || (guess.isStopped && gradients[i].empty());
            const bool isZero = std::ranges::all_of(gradients[i], [](double value) { return value == 0.0; });
            if (isStopped || (guess.isZeroNone && isZero)) {
                gradients[i].clear();
            }
        }
        return gradients;
    }

    [[nodiscard]] std::optional<Place> differenceFrom(const OptimizerForm& form, const Guess& guess) const
    {
        for (std::size_t c = 0; c < m_complete; ++c) {
            if (guess.edit != RuleEdit::None && !m_cases[c].isOfRules()) {
                continue;
            }
            Guess ofCase = guess;
            if (guess.edit == RuleEdit::UsedUp && !m_cases[c].isGenerator()) {
                ofCase.edit = RuleEdit::None;
            }
            for (std::size_t object = 0; object < m_values[c].size(); ++object) {
                if (auto place = differenceIn(c, object, form, ofCase)) {
                    return place;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Place> differenceIn(
        std::size_t c, std::size_t object, const OptimizerForm& form, const Guess& guess) const
    {
        const OptimizerCase& given = m_cases[c];
        OptimizerSettings settings = given.settingsOf(object);
        if (guess.ignored != nullptr) {
            settings.*guess.ignored->member = OptimizerSettings().*guess.ignored->member;
        }
        const Rounding& rounding = given.isSingle() || guess.isSingle ? Single : Double;
        ReferenceOptimizer reference(m_row.family, form, guess.edit, settings);
        for (std::size_t step = 0; step < m_values[c][object].size(); ++step) {
            const TensorValues& before = given.weightsOf(object)[step];
            const TensorValues& got = m_values[c][object][step].weights;
            const TensorValues after = reference.step(before, gradientsOf(c, step, m_values[c][object][step], guess));
            for (std::size_t i = 0; i < after.size(); ++i) {
                if (const auto k = differingElement(rounding, before[i], after[i], got[i])) {
                    return Place{c, object, step, i, *k, before[i][*k], after[i][*k], got[i][*k]};
                }
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
        return duringTopic(fault, given, place.object, m_taken[place.ofCase]);
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
            if (fits({.edit = mistake.edit})) {
                return withMistake(std::move(verdict), mistake.edit);
            }
        }
        return namedOtherwise(std::move(verdict));
    }

    /// Known mistakes of rules first, where they can show.
    [[nodiscard]] CodeVerdict namedByTopic(CodeVerdict verdict, const Place& place) const
    {
        const OptimizerCase& given = m_cases[place.ofCase];
        if (given.topic == CaseTopic::Objects) { // the second object has unusual settings: they may be what is new
            return place.object == 1 ? named(std::move(verdict)) : ofTopic(std::move(verdict), given.topic);
        }
        const bool isOfZero = given.topic == CaseTopic::ZeroGradients;
        if (isOfZero && (fits({.edit = RuleEdit::ZeroSkipped}) || fits({.isZeroNone = true}))) {
            return withKnown(std::move(verdict), "zero_skipped",
                LS_TR("Messages", "gradients of 0 are skipped: the state must change with them too"),
                "if grad is None: continue");
        }
        const bool isOfRule = given.topic == CaseTopic::Usual || given.topic == CaseTopic::Unusual
            || given.topic == CaseTopic::ZeroGradients;
        const CodeVerdict found = isOfRule ? named(verdict) : given.hasAbsent() ? namedOtherwise(verdict) : verdict;
        const bool isOfTopic = std::isfinite(place.got) || given.topic >= CaseTopic::EqualWeights;
        return found.mistake.empty() && isOfTopic ? ofTopic(std::move(verdict), given.topic) : found;
    }

    [[nodiscard]] bool fits(const Guess& guess) const
    {
        return std::ranges::any_of(
            m_row.forms, [&](const OptimizerForm& form) { return !differenceFrom(form, guess).has_value(); });
    }

    /// Mistakes that every rule can have.
    [[nodiscard]] CodeVerdict namedOtherwise(CodeVerdict verdict) const
    {
        for (const SettingRow& row : m_taken.front()) {
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
        if (fits({.isNoneZero = true})) {
            return withKnown(std::move(verdict), "none_as_zero",
                LS_TR("Messages",
                    "a parameter without a gradient is updated as if its gradient were 0: leave its state and weights "
                    "as they are"),
                "continue");
        }
        return verdict;
    }

    [[nodiscard]] CodeVerdict withMistake(CodeVerdict verdict, RuleEdit edit) const
    {
        const bool hasOtherShapes = m_complete > 0 && m_cases[m_complete - 1].shapes != m_cases.front().shapes;
        if (edit == RuleEdit::SharedState && hasOtherShapes) { // one state for all does not fit other shapes
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
    std::vector<std::vector<std::vector<StudentStep>>> m_values; ///< by case, object and step: whole cases
    std::size_t m_complete = 0;
    std::set<std::int64_t> m_kept = allKept(); ///< of keptGradients(): that zero_grad did not clear
    bool m_isCleared = true;
    bool m_isGradientLeft = true; ///< param.grad is the same after step as before
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
