// An optimizer class on given gradients: each step from the reference's own weights, so that nothing adds up.
#include "analysis/plain_text.h"
#include "base/names.h"
#include "base/random.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/optimizer_rules.h"
#include "laboratory/entry_json.h"

#include <fmt/format.h>

#include <QByteArray>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
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

/// Settings that are no class's defaults: an argument that the class takes and does not use is seen.
constexpr OptimizerSettings UnusualSettings{
    .rate = 0.037, .momentum = 0.7, .beta1 = 0.8, .beta2 = 0.97, .decay = 0.6, .epsilon = 1e-3};

struct SettingRow {
    std::string_view key; ///< as the runner knows it
    double OptimizerSettings::*member;
    std::vector<OptimizerFamily> families; ///< empty: all
};

const std::vector<SettingRow>& settingRows()
{
    using enum OptimizerFamily;
    static const std::vector<SettingRow> Rows{{"lr", &OptimizerSettings::rate, {}},
        {"momentum", &OptimizerSettings::momentum, {Momentum, Nesterov}}, {"beta1", &OptimizerSettings::beta1, {Adam}},
        {"beta2", &OptimizerSettings::beta2, {Adam}}, {"decay", &OptimizerSettings::decay, {RmsProp}},
        {"epsilon", &OptimizerSettings::epsilon, {AdaGrad, RmsProp, Adam}}};
    return Rows;
}

/// What one optimizer of the student's is made for.
struct Case {
    const char* type = "float32";
    const char* params = "list";
    std::vector<std::vector<int>> shapes;
    std::vector<double> scales; ///< of gradients, by parameter: with small ones, ε counts
    OptimizerSettings settings{};
    std::vector<TensorValues> weights{}; ///< before each step
    std::vector<TensorValues> gradients{};

    [[nodiscard]] bool isGenerator() const { return params[0] == 'g'; }
    [[nodiscard]] bool isSingle() const { return type[5] == '3'; }
    [[nodiscard]] double rounded(double value) const
    {
        return isSingle() ? static_cast<double>(static_cast<float>(value)) : value;
    }
    [[nodiscard]] std::size_t sizeOf(std::size_t parameter) const
    {
        const auto& shape = shapes[parameter];
        return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
    }
};

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

std::vector<SettingRow> settingsOf(OptimizerFamily family)
{
    std::vector<SettingRow> rows;
    std::ranges::copy_if(settingRows(), std::back_inserter(rows), [family](const SettingRow& row) {
        return row.families.empty() || std::ranges::find(row.families, family) != row.families.end();
    });
    return rows;
}

Json settingsJson(const OptimizerRow& row, const OptimizerSettings& settings)
{
    Json json = Json::object();
    for (const SettingRow& each : settingsOf(row.family)) {
        json[std::string(each.key)] = settings.*each.member;
    }
    return json;
}

/// Far from 0, with either sign.
double drawnGradient(Random& random, double scale)
{
    const double size = random.uniform(0.2, 1.0) * scale;
    return random.below(2) == 0 ? size : -size;
}

/// Half of the weights are as small as a step, so that a step is seen in all its digits.
double drawnWeight(Random& random, std::size_t element)
{
    return random.uniform(-1.0, 1.0) * (element % 2 == 0 ? 0.01 : 1.0);
}

void fill(Case& each, const OptimizerRow& row, Random& random, int steps)
{
    ReferenceOptimizer reference(row.family, row.forms.front(), RuleEdit::None, each.settings);
    TensorValues weights(each.shapes.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < each.sizeOf(i); ++k) {
            weights[i].push_back(each.rounded(drawnWeight(random, k)));
        }
    }
    for (int step = 0; step < steps; ++step) {
        TensorValues gradients = weights;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            std::ranges::generate(gradients[i], [&] { return each.rounded(drawnGradient(random, each.scales[i])); });
        }
        each.weights.push_back(weights);
        each.gradients.push_back(gradients);
        weights = reference.step(weights, gradients);
        for (auto& values : weights) {
            std::ranges::transform(values, values.begin(), [&](double value) { return each.rounded(value); });
        }
    }
}

std::vector<Case> casesOf(const Json& check, const OptimizerRow& row)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    const int steps = check.value("steps", UsualSteps);
    std::vector<Case> cases{{"float32", "list", {{2, 3}, {2, 3}, {2, 3}}, {1.0, 0.01, 1e-5}},
        {"float64", "generator", {{4}, {}, {3, 2}}, {0.1, 1.0, 1e-4}},
        {"float64", "list", {{3}, {2, 2}, {3}}, {0.1, 1.0, 1e-3}, UnusualSettings}};
    for (Case& each : cases) {
        fill(each, row, random, steps);
    }
    return cases;
}

const OptimizerRow& rowOf(const Json& check)
{
    return *findOptimizer(textIn(check, "name"));
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
    for (const Case& each : casesOf(check, row)) {
        Json steps = Json::array();
        for (std::size_t i = 0; i < each.weights.size(); ++i) {
            steps.push_back({{"weights", each.weights[i]}, {"gradients", each.gradients[i]}});
        }
        task.input["cases"].push_back({{"dtype", each.type}, {"params", each.params}, {"shapes", each.shapes},
            {"steps", steps}, {"settings", settingsJson(row, each.settings)}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// Compares what the student's class gave with rules.
class OptimizerJudge {
public:
    OptimizerJudge(const Json& check, const RankTrial& rank)
        : m_row(rowOf(check))
        , m_form(textIn(check, "form"))
        , m_cases(casesOf(check, m_row))
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
            return named(wrong(faultAt(*place), m_stepLine));
        }
        if (broken) {
            return *broken;
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

    /// `ignored`: an argument that is taken and keeps its usual value.
    struct Guess {
        RuleEdit edit = RuleEdit::None;
        const SettingRow* ignored = nullptr;
        bool isSingle = false; ///< float64 parameters with numbers in float32
    };

    [[nodiscard]] std::optional<Place> differenceFrom(const OptimizerForm& form, const Guess& guess) const
    {
        for (std::size_t c = 0; c < m_complete; ++c) {
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
        const Case& given = m_cases[c];
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
        const Case& given = m_cases[place.ofCase];
        const double got = place.got - place.before;
        const double expected = place.expected - place.before;
        // as many digits as tell the two apart
        const int digits = std::abs(got - expected) < 1e-5 * std::abs(expected) ? 12 : 6;
        const auto number
            = [digits](double value) { return verbatim(QByteArray::number(value, 'g', digits).toStdString()); };
        const Error fault
            = failure(LS_TR("Messages", "step %1: element %2 of parameter %3 changes by %4 instead of %5"),
                {place.step + 1, place.element + 1, place.parameter + 1, number(got), number(expected)});
        if (place.ofCase + 1 < m_cases.size()) {
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
        for (const SettingRow& row : m_taken.back()) {
            if (fits({.ignored = &row})) {
                verdict.mistake = "argument_ignored";
                verdict.mistakeName = {
                    LS_TR("Messages", "the argument %1 is not used: the code has a fixed value"), {verbatim(row.key)}};
                return verdict;
            }
        }
        if (fits({.isSingle = true})) {
            verdict.mistake = "single_precision";
            verdict.mistakeName
                = LS_TR("Messages", "the state is float32 although the parameter is float64: torch.zeros_like(param)");
        }
        return verdict;
    }

    [[nodiscard]] CodeVerdict withMistake(CodeVerdict verdict, RuleEdit edit) const
    {
        const auto found = std::ranges::find(m_row.mistakes, edit, &OptimizerMistake::edit);
        verdict.mistake = found->key;
        verdict.mistakeName = Text(found->name);
        verdict.mistakeFormula = found->formula;
        return verdict;
    }

    const OptimizerRow& m_row;
    std::string m_form;
    std::vector<Case> m_cases;
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
