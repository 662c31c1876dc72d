// The mean of gradients by collectives, in two ways.
#include "base/translate.h"
#include "laboratory/code/average_case.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace lockstep::laboratory {

namespace {

constexpr int MostAverageRanks = 8;
constexpr double HalfError = 1e3; ///< of float16 and bfloat16 against that of float32

Result<std::vector<TrialTask>> averageTasks(const Json& check)
{
    TrialTask task;
    task.ranks = check.value("ranks", AverageRanks);
    if (task.ranks > MostAverageRanks) {
        return refusal("ranks", LS_TR("Messages", "at most %1"), {MostAverageRanks});
    }
    task.limit = std::chrono::seconds(120);
    task.input = {{"names", AverageFunctions}, {"cases", Json::array()}};
    for (const AverageCase& each : averageCases(check)) {
        task.input["cases"].push_back(
            {{"name", AverageFunctions[each.function]}, {"world", each.world}, {"shapes", GradientShapes},
                {"values", parametersOf(each)}, {"params", each.kind == Gradients::Generator ? "generator" : "list"},
                {"dtype", each.kind == Gradients::Double ? "float64" : "float32"}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

Values meanLike(const Values& sum, const Values& own, double ofSum, double ofOwn)
{
    Values outcome(sum.size());
    std::ranges::transform(
        sum, own, outcome.begin(), [&](double all, double one) { return ofSum * all + ofOwn * one; });
    return outcome;
}

/// a Σ g + b g_r
RankValues combinedGradients(const RankValues& given, double ofSum, double ofOwn)
{
    const Values sum = sumOf(given);
    RankValues outcome;
    for (const Values& own : given) {
        outcome.push_back(meanLike(sum, own, ofSum, ofOwn));
    }
    return outcome;
}

/// The mean of the first parameter alone.
RankValues firstParameterOnly(const RankValues& given)
{
    const RankValues mean = combinedGradients(given, 1.0 / static_cast<double>(given.size()), 0.0);
    RankValues outcome = given;
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        std::copy_n(mean[rank].begin(), elementsOf(GradientShapes.front()), outcome[rank].begin());
    }
    return outcome;
}

/// Of two at a time: (…((g₀ + g₁)/2 + g₂)/2…).
RankValues meansOfTwo(const RankValues& given)
{
    Values mean = given.front();
    for (std::size_t rank = 1; rank < given.size(); ++rank) {
        mean = meanLike(mean, given[rank], 0.5, 0.5);
    }
    return onAll(mean, given.size());
}

struct AverageMistake {
    std::string_view key;
    std::string_view name;
    std::string_view formula;
    RankValues (*outcome)(const RankValues& given, double n);
};

constexpr std::array AverageMistakes{
    AverageMistake{"sum", LS_TR("Messages", "the sum is not divided by the number of ranks"), "Σ g",
        [](const RankValues& given, double) { return combinedGradients(given, 1.0, 0.0); }},
    AverageMistake{"divided_twice", LS_TR("Messages", "the sum is divided by the number of ranks twice"), "1/n² Σ g",
        [](const RankValues& given, double n) { return combinedGradients(given, 1.0 / (n * n), 0.0); }},
    AverageMistake{"unchanged", LS_TR("Messages", "the gradients are not changed: write the mean into param.grad"),
        "g_r", [](const RankValues& given, double) { return given; }},
    AverageMistake{"own_divided", LS_TR("Messages", "each rank divides its own gradient: nothing is summed"), "g_r / n",
        [](const RankValues& given, double n) { return combinedGradients(given, 0.0, 1.0 / n); }},
    AverageMistake{"integer_division", LS_TR("Messages", "// rounds the mean down: divide with /"), "Σ g // n",
        [](const RankValues& given, double n) {
            return onAll(mapped(sumOf(given), [n](double sum) { return std::floor(sum / n); }), given.size());
        }},
    AverageMistake{"one_less", LS_TR("Messages", "the sum is divided by the number of the other ranks"),
        "1/(n − 1) Σ g",
        [](const RankValues& given, double n) { return combinedGradients(given, 1.0 / (n - 1.0), 0.0); }},
    AverageMistake{"by_parameters", LS_TR("Messages", "the sum is divided by the number of parameters"), "",
        [](const RankValues& given, double) {
            return combinedGradients(given, 1.0 / static_cast<double>(GradientShapes.size()), 0.0);
        }},
    AverageMistake{"own_twice", LS_TR("Messages", "the rank's own gradient is counted twice"), "(Σ g + g_r)/n",
        [](const RankValues& given, double n) { return combinedGradients(given, 1.0 / n, 1.0 / n); }},
    AverageMistake{"own_missing", LS_TR("Messages", "the rank's own gradient is missing from the sum"), "(Σ g − g_r)/n",
        [](const RankValues& given, double n) { return combinedGradients(given, 1.0 / n, -1.0 / n); }},
    AverageMistake{"mean_added", LS_TR("Messages", "the mean is added to the rank's own gradient"), "g_r + 1/n Σ g",
        [](const RankValues& given, double n) { return combinedGradients(given, 1.0 / n, 1.0); }},
    AverageMistake{"first_parameter", LS_TR("Messages", "only the first parameter's gradient is averaged"), "",
        [](const RankValues& given, double) { return firstParameterOnly(given); }},
    AverageMistake{"means_of_two",
        LS_TR("Messages", "the mean is taken of two at a time, so that the last rank counts most: divide the sum by n"),
        "(mean + g_r) / 2", [](const RankValues& given, double) { return meansOfTwo(given); }},
    AverageMistake{"first_rank",
        LS_TR("Messages", "every rank has the gradient of rank 0: it is sent, but not averaged"), "g_0",
        [](const RankValues& given, double) { return onAll(given.front(), given.size()); }},
    AverageMistake{"first_rank_divided",
        LS_TR("Messages", "every rank has the gradient of rank 0, divided by the number of ranks"), "g_0 / n",
        [](const RankValues& given, double n) {
            return onAll(mapped(given.front(), [n](double value) { return value / n; }), given.size());
        }},
    AverageMistake{"last_rank",
        LS_TR("Messages", "the list for all_gather has one tensor n times: the last rank's stays"), "[t] * n",
        [](const RankValues& given, double) { return onAll(given.back(), given.size()); }},
};

class AverageJudge {
public:
    AverageJudge(const Json& check, const Trial& trial)
        : m_cases(averageCases(check))
        , m_trial(trial)
    {
        for (std::size_t i = 0; i < m_cases.size(); ++i) {
            m_ranks.push_back(messagesIn(trial, static_cast<int>(i), m_cases[i].world));
        }
    }

    [[nodiscard]] CodeVerdict verdict() const
    {
        for (std::size_t i = 0; i < m_cases.size() && hasResults(i); ++i) {
            if (auto fault = faultyMessage(m_ranks[i])) {
                return m_cases[i].kind == Gradients::Generator ? ofGenerator(*std::move(fault))
                    : m_cases[i].kind == Gradients::Zeros      ? ofZeros(*std::move(fault))
                                                               : *std::move(fault);
            }
            if (auto fault = meanFault(i)) {
                return *fault;
            }
            if (auto fault = wayFault(i)) {
                return *fault;
            }
            if (auto fault = weightsFault(i)) {
                return *fault;
            }
        }
        auto broken = brokenCases(m_trial, m_ranks);
        return broken ? named(*std::move(broken))
            : hasResults(m_cases.size() - 1)
            ? CodeVerdict()
            : wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
    }

private:
    [[nodiscard]] bool hasResults(std::size_t ofCase) const
    {
        return std::ranges::all_of(m_ranks[ofCase], [](const RankMessages& rank) { return rank.result != nullptr; });
    }

    [[nodiscard]] static RankValues gradients(std::span<const RankMessages> ranks)
    {
        RankValues all;
        for (const RankMessages& rank : ranks) {
            Values values;
            const Json parameters = rank.result == nullptr ? Json() : rank.result->value("gradients", Json());
            for (const Json& each : parameters.is_array() ? parameters : Json::array()) {
                const Values part = numbersIn({{"values", each}}, "values");
                values.insert(values.end(), part.begin(), part.end());
            }
            all.push_back(std::move(values));
        }
        return all;
    }

    [[nodiscard]] std::optional<CodeVerdict> meanFault(std::size_t ofCase) const
    {
        const AverageCase& each = m_cases[ofCase];
        const Values mean = each.mean();
        const RankValues got = gradients(m_ranks[ofCase]);
        for (std::size_t rank = 0; rank < got.size(); ++rank) {
            if (const auto element = differingElement(got[rank], mean, each.magnitude())) {
                CodeVerdict verdict = wrong(during({LS_TR("Messages", "%1, rank %2 of %3"),
                                                       {verbatim(AverageFunctions[each.function]), rank, each.world}},
                    elementFault(got[rank], mean, *element)));
                verdict = atFunction(std::move(verdict), m_trial, {AverageFunctions[each.function]});
                return each.kind == Gradients::Usual ? named(std::move(verdict), each.function)
                                                     : namedByKind(std::move(verdict), each, got);
            }
        }
        return std::nullopt;
    }

    /// An exception or a deadlock where only the kind of gradients is new.
    [[nodiscard]] CodeVerdict named(CodeVerdict broken) const
    {
        std::size_t whole = 0;
        while (whole < m_cases.size() && hasResults(whole)) {
            ++whole;
        }
        if (whole < m_cases.size() && m_cases[whole].kind == Gradients::Zeros) {
            return ofZeros(std::move(broken));
        }
        if (!broken.mistake.empty() || whole == m_cases.size()) {
            return broken;
        }
        switch (m_cases[whole].kind) {
        case Gradients::Generator:
            return ofGenerator(std::move(broken));
        case Gradients::Double:
            return ofSingle(std::move(broken));
        case Gradients::None:
            return withKnown(std::move(broken), "grad_is_none",
                LS_TR("Messages", "the grad of a parameter that took no part in the loss is None: skip it"));
        case Gradients::Usual:
        case Gradients::Zeros:
            break;
        }
        return broken;
    }

    /// They are 1 on rank 0, 2 on rank 1 and so on.
    [[nodiscard]] std::optional<CodeVerdict> weightsFault(std::size_t ofCase) const
    {
        const auto& ranks = m_ranks[ofCase];
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const Values weights = numbersIn(*ranks[rank].result, "weights");
            const auto isOther = [rank](double weight) { return weight != static_cast<double>(rank) + 1.0; };
            if (weights.empty() || std::ranges::any_of(weights, isOther)) {
                return withKnown(wrong(failure(LS_TR("Messages", "%1 changes parameters"),
                                     {verbatim(AverageFunctions[m_cases[ofCase].function])})),
                    "parameters_changed",
                    LS_TR("Messages", "param itself is averaged or updated: only param.grad is to change"));
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] static CodeVerdict ofGenerator(CodeVerdict verdict)
    {
        return withKnown(std::move(verdict), "generator_used_up",
            LS_TR("Messages", "parameters is a generator, which is empty after its first loop: keep a list of it"),
            "parameters = list(parameters)");
    }

    /// What is right for a list of float32.
    [[nodiscard]] static CodeVerdict namedByKind(CodeVerdict verdict, const AverageCase& each, const RankValues& got)
    {
        if (each.kind == Gradients::Generator) {
            return ofGenerator(std::move(verdict));
        }
        if (each.kind == Gradients::None) {
            return ofNone(std::move(verdict), each, got);
        }
        if (each.kind == Gradients::Zeros) {
            return ofZeros(std::move(verdict));
        }
        return isNear(got, onAll(each.mean(), got.size()), magnitudeOf(each.given)) ? ofSingle(std::move(verdict))
                                                                                    : verdict;
    }

    [[nodiscard]] static CodeVerdict ofZeros(CodeVerdict verdict)
    {
        return withKnown(std::move(verdict), "zero_skipped",
            LS_TR("Messages",
                "a gradient of 0 is skipped where another rank has none of 0: the collectives must not depend on "
                "values"),
            "if grad is None: continue");
    }

    [[nodiscard]] static CodeVerdict ofSingle(CodeVerdict verdict)
    {
        return withKnown(std::move(verdict), "single_precision",
            LS_TR("Messages", "the mean is computed in float32 although the gradients are float64"),
            "dtype=param.grad.dtype");
    }

    [[nodiscard]] static CodeVerdict ofNone(CodeVerdict verdict, const AverageCase& each, const RankValues& got)
    {
        if (got.front().size() > each.given.front().size()) {
            return withKnown(std::move(verdict), "none_filled",
                LS_TR("Messages", "a parameter without a gradient gets one: its grad must stay None"), "continue");
        }
        const std::size_t after = each.given.front().size() - elementsOf(GradientShapes.back());
        for (std::size_t rank = 0; rank < got.size(); ++rank) {
            const auto& given = each.given[rank];
            if (got[rank].size() != given.size()
                || !std::equal(given.begin() + static_cast<std::ptrdiff_t>(after), given.end(),
                    got[rank].begin() + static_cast<std::ptrdiff_t>(after))) {
                return verdict;
            }
        }
        return withKnown(std::move(verdict), "stops_at_none",
            LS_TR("Messages", "the code ends at the first parameter whose grad is None: go on with the next one"),
            "continue");
    }

    /// In all worlds of the function, with a list of float32.
    [[nodiscard]] bool holds(
        std::size_t function, const std::function<bool(const AverageCase&, const RankValues&)>& test) const
    {
        for (std::size_t i = 0; i < m_cases.size(); ++i) {
            const bool isOfFunction = m_cases[i].function == function && m_cases[i].kind == Gradients::Usual;
            if (isOfFunction && (!hasResults(i) || !test(m_cases[i], gradients(m_ranks[i])))) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] CodeVerdict named(CodeVerdict verdict, std::size_t function) const
    {
        for (const AverageMistake& mistake : AverageMistakes) {
            if (holds(function, [&](const AverageCase& each, const RankValues& got) {
                    return isNear(got, mistake.outcome(each.given, each.world), magnitudeOf(each.given));
                })) {
                return withKnown(std::move(verdict), mistake.key, Text(mistake.name), std::string(mistake.formula));
            }
        }
        if (const auto known = otherRoot(function)) {
            return withKnown(std::move(verdict), known->first, Text(known->second));
        }
        if (holds(function, isPartlyUnchanged)) {
            return withKnown(std::move(verdict), "some_unchanged",
                LS_TR("Messages", "some parameters keep their own gradients: average all whose grad is not None"));
        }
        return namedByDistance(std::move(verdict), function);
    }

    /// Some parameters have the mean on all ranks, the others what was given.
    [[nodiscard]] static bool isPartlyUnchanged(const AverageCase& each, const RankValues& got)
    {
        const RankValues mean = onAll(each.mean(), got.size());
        RankValues expected = each.given;
        for (std::size_t i = 0; i < GradientShapes.size(); ++i) {
            const auto size = static_cast<std::ptrdiff_t>(elementsOf(GradientShapes[i]));
            const auto end = placeOf(i) + size;
            if (static_cast<std::ptrdiff_t>(got.front().size()) < end
                || std::equal(got.front().begin() + placeOf(i), got.front().begin() + end,
                    each.given.front().begin() + placeOf(i))) {
                continue;
            }
            for (std::size_t rank = 0; rank < got.size(); ++rank) {
                std::copy_n(mean[rank].begin() + placeOf(i), size, expected[rank].begin() + placeOf(i));
            }
        }
        return isNear(got, expected, each.magnitude());
    }

    /// Where one rank collects and another one sends.
    [[nodiscard]] std::optional<std::pair<std::string_view, std::string_view>> otherRoot(std::size_t function) const
    {
        const auto ofFunction = std::ranges::find(m_cases, function, &AverageCase::function) - m_cases.begin();
        std::int64_t collects = -1;
        for (const MessageCall& call : m_ranks[static_cast<std::size_t>(ofFunction)].front().calls) {
            if (call.name == "reduce" || call.name == "gather") {
                collects = call.root;
            } else if (collects >= 0 && call.root >= 0 && call.root != collects) {
                return std::pair{std::string_view("other_root"),
                    std::string_view(LS_TR("Messages", "one rank collects the gradients, but another one sends"))};
            }
        }
        return std::nullopt;
    }

    /// By the ranks that have the mean, and by how far all are from it.
    [[nodiscard]] CodeVerdict namedByDistance(CodeVerdict verdict, std::size_t function) const
    {
        const auto onOneRank = [](const AverageCase& each, const RankValues& got) {
            const auto isRight = [&](const Values& values) {
                return !differingElement(values, each.mean(), magnitudeOf(each.given)).has_value();
            };
            return std::ranges::count_if(got, isRight) == 1;
        };
        if (holds(function, onOneRank)) {
            return withKnown(std::move(verdict), "one_rank",
                LS_TR("Messages", "only one rank has the mean: broadcast it to the others"));
        }
        const auto isRounded = [](const AverageCase& each, const RankValues& got) {
            const auto coarse = [](double value) { return HalfError * value; };
            return isNear(got, onAll(each.mean(), got.size()), mapped(magnitudeOf(each.given), coarse));
        };
        return holds(function, isRounded) ? withKnown(std::move(verdict), "low_precision",
                   LS_TR("Messages", "the mean is computed in float16 or bfloat16 although the gradients are float32"),
                   "dtype=param.grad.dtype")
                                          : verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> wayFault(std::size_t ofCase) const
    {
        const auto& ranks = m_ranks[ofCase];
        const Text function = verbatim(AverageFunctions[m_cases[ofCase].function]);
        if (const MessageCall* call = firstMessage(ranks)) {
            return wrong(
                failure(LS_TR("Messages", "%1 uses %2: use collectives alone"), {function, verbatim(call->name)}),
                call->line);
        }
        const bool isFirst = m_cases[ofCase].function == 0;
        for (const RankMessages& rank : ranks) {
            const auto found
                = std::ranges::find_if(rank.calls, [](const MessageCall& call) { return call.name == "all_reduce"; });
            if (isFirst && found == rank.calls.end()) {
                return wrong(failure(LS_TR("Messages", "%1 does not use all_reduce"), {function}));
            }
            if (!isFirst && found != rank.calls.end()) {
                return withKnown(
                    wrong(failure(LS_TR("Messages", "%1 uses all_reduce: another collective is asked"), {function}),
                        found->line),
                    "same_collective", LS_TR("Messages", "both functions use the same collective"));
            }
            if (rank.calls.empty()) {
                return wrong(failure(LS_TR("Messages", "%1 uses no collective"), {function}));
            }
        }
        return std::nullopt;
    }

    std::vector<AverageCase> m_cases;
    const Trial& m_trial;
    std::vector<std::vector<RankMessages>> m_ranks; ///< by case
};

CodeVerdict judgeAverage(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    return AverageJudge(check, trials.front()).verdict();
}

} // namespace

Exercise averageExercise()
{
    using Kind = FieldForm::Kind;
    return {"average",
        "Two functions of a list of parameters that replace the `grad` of each by its mean over the ranks: "
        "`average_by_all_reduce`, and `average_by_other` with other collectives.",
        "average.py",
        {{"ranks", {Kind::Integer, {}, {}, 2.0}, false, "The largest number of ranks, up to 8. Without it: 3."},
            {"seed", {Kind::Integer}, false, "Of the gradients. Without it: 1."}},
        averageTasks, judgeAverage};
}

} // namespace lockstep::laboratory
