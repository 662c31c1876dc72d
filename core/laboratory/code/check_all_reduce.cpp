// An all-reduce from sends and receives: the sums, the messages, and the bytes of the ring.
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::laboratory {

namespace {

constexpr int RingRanks = 4;
constexpr int MostRingRanks = 8;
struct AllReduceCase {
    int world = 2;
    std::vector<std::size_t> shape;
    RankValues given;
    bool isDouble = false;

    [[nodiscard]] std::size_t size() const { return given.front().size(); }
    [[nodiscard]] std::int64_t elementBytes() const { return isDouble ? 8 : 4; }
    [[nodiscard]] Values magnitude() const
    {
        const double ofType = isDouble ? DoubleError : 1.0;
        return mapped(magnitudeOf(given), [ofType](double value) { return ofType * value; });
    }
};

/// For each world: a matrix whose size is a multiple of the ranks, and a vector whose size is not; at last a matrix of
/// float64.
std::vector<AllReduceCase> allReduceCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<AllReduceCase> cases;
    for (int world = 2; world <= check.value("ranks", RingRanks); ++world) {
        const auto ranks = static_cast<std::size_t>(world);
        cases.push_back({world, {ranks, 2}, drawnRankValues(random, world, 2 * ranks)});
        cases.push_back({world, {3 * ranks + 1}, drawnRankValues(random, world, 3 * ranks + 1)});
    }
    const AllReduceCase& matrix = cases[cases.size() - 2];
    RankValues given = drawnRankValues(random, matrix.world, matrix.size());
    for (Values& values : given) {
        values = mapped(values, [](double value) { return value / 3.0; }); // no float32
    }
    cases.push_back({matrix.world, std::vector(matrix.shape), std::move(given), true});
    return cases;
}

Result<std::vector<TrialTask>> allReduceTasks(const Json& check)
{
    TrialTask task;
    task.ranks = check.value("ranks", RingRanks);
    if (task.ranks > MostRingRanks) {
        return refusal("ranks", LS_TR("Messages", "at most %1"), {MostRingRanks});
    }
    task.limit = std::chrono::seconds(120);
    task.input = {{"names", {"all_reduce"}}, {"cases", Json::array()}};
    for (const AllReduceCase& each : allReduceCases(check)) {
        task.input["cases"].push_back({{"world", each.world}, {"shape", each.shape}, {"values", each.given},
            {"dtype", each.isDouble ? "float64" : "float32"}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// How a ring is run: reduce-scatter in `first` steps, then all-gather in `second` steps.
/// Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009.
struct RingForm {
    int first = 0; ///< steps fewer than world - 1
    int second = 0;
    bool isAddedFirst = true; ///< what comes is added; else it replaces
    bool isAddedSecond = false;
    int offset = 1; ///< the second circle begins with the piece of this number after the rank's own
    int direction = 1; ///< to the next rank; -1: to the one before
    int order = -1; ///< of the pieces in the second circle: the one that came last is passed on; 1: the other way
};

std::pair<std::size_t, std::size_t> pieceOf(std::size_t size, std::size_t ranks, std::size_t piece)
{
    const std::size_t longer = size % ranks;
    const std::size_t begin = piece * (size / ranks) + std::min(piece, longer);
    return {begin, begin + size / ranks + (piece < longer ? 1 : 0)};
}

void ringStep(RankValues& values, const RingForm& form, int from, bool isAdded)
{
    const int world = static_cast<int>(values.size());
    const auto wrapped = [&](int place) { return static_cast<std::size_t>(((place % world) + world) % world); };
    const RankValues sent = values;
    for (int rank = 0; rank < world; ++rank) {
        const auto [begin, end] = pieceOf(sent.front().size(), values.size(), wrapped(rank + form.direction * from));
        Values& into = values[wrapped(rank + form.direction)];
        for (std::size_t i = begin; i < end; ++i) {
            into[i] = (isAdded ? into[i] : 0.0) + sent[static_cast<std::size_t>(rank)][i];
        }
    }
}

RankValues ringOutcome(RankValues values, const RingForm& form)
{
    const int world = static_cast<int>(values.size());
    for (int step = 0; step < world - 1 - form.first; ++step) {
        ringStep(values, form, -step, form.isAddedFirst);
    }
    for (int step = 0; step < world - 1 - form.second; ++step) {
        ringStep(values, form, form.offset + form.order * step, form.isAddedSecond);
    }
    return values;
}

/// Each passes on its running total instead of what it received.
RankValues totalsPassedOn(RankValues values)
{
    for (std::size_t step = 1; step < values.size(); ++step) {
        const RankValues sent = values;
        for (std::size_t rank = 0; rank < values.size(); ++rank) {
            values[rank] = sumOf({sent[rank], sent[(rank + values.size() - 1) % values.size()]});
        }
    }
    return values;
}

RankValues withNeighbours(const RankValues& given, const std::vector<std::size_t>& distances)
{
    RankValues outcome;
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        RankValues parts{given[rank]};
        for (const std::size_t distance : distances) {
            parts.push_back(given[(rank + distance) % given.size()]);
        }
        outcome.push_back(sumOf(parts));
    }
    return outcome;
}

RankValues combined(const RankValues& given, double ofSum, double ofOwn)
{
    const Values sum = sumOf(given);
    RankValues outcome = given;
    for (Values& own : outcome) {
        std::ranges::transform(
            sum, own, own.begin(), [&](double all, double one) { return ofSum * all + ofOwn * one; });
    }
    return outcome;
}

RankValues withoutTail(const RankValues& given)
{
    RankValues outcome = onAll(sumOf(given), given.size());
    const std::size_t covered = given.front().size() / given.size() * given.size();
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        std::copy(given[rank].begin() + static_cast<std::ptrdiff_t>(covered), given[rank].end(),
            outcome[rank].begin() + static_cast<std::ptrdiff_t>(covered));
    }
    return outcome;
}

struct AllReduceMistake {
    std::string_view key;
    std::string_view name;
    std::string_view formula;
    RankValues (*outcome)(const RankValues& given, int direction);
};

constexpr std::array AllReduceMistakes{
    AllReduceMistake{"mean", LS_TR("Messages", "the sum is divided by the number of ranks: a mean was not asked"),
        "1/n Σ x", [](const RankValues& given, int) { return combined(given, 1.0 / double(given.size()), 0.0); }},
    AllReduceMistake{"unchanged",
        LS_TR("Messages", "the tensor is not changed: write the sum into it, with copy_ or +="), "",
        [](const RankValues& given, int) { return given; }},
    AllReduceMistake{"tail_dropped",
        LS_TR("Messages", "the last elements are left out where the size is no multiple of the number of ranks"),
        "size // n * n", [](const RankValues& given, int) { return withoutTail(given); }},
    AllReduceMistake{"not_added",
        LS_TR("Messages",
            "each piece is one rank's own: it is not added to, or the second circle begins with the rank's own piece"),
        "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, false, false, 1, way});
        }},
    AllReduceMistake{"added_twice", LS_TR("Messages", "the second circle adds to pieces instead of replacing them"), "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, true, true, 1, way});
        }},
    AllReduceMistake{"first_short", LS_TR("Messages", "the first circle has a step too few: it needs n − 1"), "n − 2",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {1, 0, true, false, 1, way});
        }},
    AllReduceMistake{"second_short", LS_TR("Messages", "the second circle has a step too few: it needs n − 1"), "n − 2",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 1, true, false, 1, way});
        }},
    AllReduceMistake{"second_backwards",
        LS_TR("Messages", "the second circle takes the pieces in the wrong order: pass on the one that came last"), "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, true, false, 1, way, 1});
        }},
    AllReduceMistake{"one_circle", LS_TR("Messages", "the second circle is missing: each rank has one complete piece"),
        "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, int(given.size()) - 1, true, false, 1, way});
        }},
    AllReduceMistake{"totals_passed_on",
        LS_TR("Messages", "each rank passes on its running total: values are counted more than once"), "",
        [](const RankValues& given, int) { return totalsPassedOn(given); }},
    AllReduceMistake{"own_missing", LS_TR("Messages", "the rank's own values are missing from the sum"), "Σ x − x_r",
        [](const RankValues& given, int) { return combined(given, 1.0, -1.0); }},
    AllReduceMistake{"own_twice", LS_TR("Messages", "the rank's own values are counted twice"), "Σ x + x_r",
        [](const RankValues& given, int) { return combined(given, 1.0, 1.0); }},
    AllReduceMistake{"neighbour_only", LS_TR("Messages", "only one neighbour's values are added"), "x_r + x_{r±1}",
        [](const RankValues& given, int way) { return withNeighbours(given, {way > 0 ? given.size() - 1 : 1}); }},
};

class AllReduceJudge {
public:
    AllReduceJudge(const Json& check, const Trial& trial)
        : m_isRing(textIn(check, "algorithm") == "ring")
        , m_cases(allReduceCases(check))
        , m_trial(trial)
    { }

    [[nodiscard]] CodeVerdict verdict()
    {
        for (std::size_t i = 0; i < m_cases.size(); ++i) {
            m_ranks.push_back(messagesIn(m_trial, static_cast<int>(i), m_cases[i].world));
        }
        const bool isWhole = hasResults();
        if (auto fault = isWhole ? faultIn(0, ofSingle()) : std::nullopt) {
            return *fault;
        }
        if (auto broken = brokenCases(m_trial, m_ranks)) {
            return isWhole && broken->mistake == "sizes_differ" ? ofType(*std::move(broken)) : *std::move(broken);
        }
        auto fault = faultIn(isWhole ? ofSingle() : 0, m_cases.size());
        return fault ? *std::move(fault) : CodeVerdict();
    }

private:
    /// The cases of float32; the others come after them.
    [[nodiscard]] std::size_t ofSingle() const { return m_cases.size() - 1; }
    [[nodiscard]] bool hasResults() const
    {
        return std::all_of(m_ranks.begin(), std::prev(m_ranks.end()), [](const auto& ranks) {
            return std::ranges::all_of(ranks, [](const RankMessages& rank) { return rank.result != nullptr; });
        });
    }

    [[nodiscard]] static CodeVerdict ofType(CodeVerdict verdict)
    {
        return withKnown(std::move(verdict), "single_precision",
            LS_TR("Messages", "the buffers are float32 although the tensor is float64"), "torch.empty_like(piece)");
    }

    [[nodiscard]] std::optional<CodeVerdict> faultIn(std::size_t begin, std::size_t end) const
    {
        for (std::size_t i = begin; i < end; ++i) {
            if (auto verdict = messageFault(m_ranks[i])) {
                return verdict;
            }
        }
        for (const auto check : {&AllReduceJudge::sumFault, &AllReduceJudge::trafficFault}) {
            for (std::size_t i = begin; i < end; ++i) {
                if (auto verdict = (this->*check)(i)) {
                    return verdict;
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] static std::optional<CodeVerdict> messageFault(std::span<const RankMessages> ranks)
    {
        if (const MessageCall* call = firstCollective(ranks)) {
            return withKnown(
                wrong(failure(LS_TR("Messages", "%1 is a collective: use send, recv, isend and irecv alone"),
                          {verbatim(call->name)}),
                    call->line),
                "collective_used", LS_TR("Messages", "a collective does what the step asks to write"));
        }
        return faultyMessage(ranks);
    }

    [[nodiscard]] RankValues outcome(std::size_t ofCase, const char* field = "values") const
    {
        RankValues values;
        for (const RankMessages& rank : m_ranks[ofCase]) {
            values.push_back(rank.result == nullptr ? Values() : numbersIn(*rank.result, field));
        }
        return values;
    }

    [[nodiscard]] std::optional<CodeVerdict> sumFault(std::size_t ofCase) const
    {
        const AllReduceCase& each = m_cases[ofCase];
        const Values sum = sumOf(each.given);
        const RankValues got = outcome(ofCase);
        for (std::size_t rank = 0; rank < got.size(); ++rank) {
            if (const auto element = differingElement(got[rank], sum, each.magnitude())) {
                CodeVerdict verdict = wrong(during(
                    {LS_TR("Messages", "rank %1 of %2"), {rank, each.world}}, elementFault(got[rank], sum, *element)));
                return each.isDouble && isNear(got, onAll(sum, got.size()), magnitudeOf(each.given))
                    ? ofType(std::move(verdict))
                    : named(std::move(verdict));
            }
        }
        return std::nullopt;
    }

    template <typename Outcome>
    [[nodiscard]] bool isReproduced(Outcome outcomeOf) const
    {
        for (std::size_t i = 0; i < ofSingle(); ++i) {
            if (!isNear(outcome(i), outcomeOf(m_cases[i].given), m_cases[i].magnitude())) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool isReturned() const
    {
        for (std::size_t i = 0; i < ofSingle(); ++i) {
            const AllReduceCase& each = m_cases[i];
            if (!isNear(outcome(i, "returned"), onAll(sumOf(each.given), each.given.size()), each.magnitude())) {
                return false;
            }
        }
        return true;
    }

    /// In every case one rank has the sum, and no other.
    [[nodiscard]] bool hasOneRank() const
    {
        for (std::size_t i = 0; i < ofSingle(); ++i) {
            const Values sum = sumOf(m_cases[i].given);
            const Values magnitude = m_cases[i].magnitude();
            const RankValues got = outcome(i);
            const auto count = std::ranges::count_if(
                got, [&](const Values& each) { return !differingElement(each, sum, magnitude).has_value(); });
            if (count != 1) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] CodeVerdict named(CodeVerdict verdict) const
    {
        if (isReturned()) {
            return withKnown(std::move(verdict), "returned",
                LS_TR("Messages", "the sum is returned, but not written into the tensor"));
        }
        for (const AllReduceMistake& mistake : AllReduceMistakes) {
            for (const int direction : {1, -1}) {
                if (isReproduced([&](const RankValues& given) { return mistake.outcome(given, direction); })) {
                    return withKnown(std::move(verdict), mistake.key, Text(mistake.name), std::string(mistake.formula));
                }
            }
        }
        if (hasOneRank()) {
            return withKnown(std::move(verdict), "one_rank",
                LS_TR("Messages", "only one rank has the sum: the others must receive it"));
        }
        return verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> trafficFault(std::size_t ofCase) const
    {
        const AllReduceCase& each = m_cases[ofCase];
        const auto size = static_cast<std::int64_t>(each.size());
        const std::int64_t whole = size * each.elementBytes();
        for (std::size_t rank = 0; rank < m_ranks[ofCase].size(); ++rank) {
            const RankMessages& messages = m_ranks[ofCase][rank];
            const std::int64_t sent = bytesSent(messages);
            if (const auto least = std::min(sent, bytesReceived(messages)); least < whole) {
                return wrong(failure(LS_TR("Messages",
                                         "rank %1 of %2 sends or receives %3 bytes: no sum of %4 bytes "
                                         "can come from that"),
                    {rank, each.world, least, whole}));
            }
            const std::int64_t most
                = 2 * (each.world - 1) * ((size + each.world - 1) / each.world) * each.elementBytes();
            if (m_isRing && sent > most) {
                return tooMuch(messages, each, sent, most);
            }
        }
        return m_isRing ? otherPeer(m_ranks[ofCase]) : std::nullopt;
    }

    [[nodiscard]] static CodeVerdict tooMuch(
        const RankMessages& rank, const AllReduceCase& each, std::int64_t sent, std::int64_t most)
    {
        CodeVerdict verdict
            = wrong(failure(LS_TR("Messages", "rank %1 of %2 sends %3 bytes; the ring sends at most %4"),
                        {rank.calls.front().rank, each.world, sent, most}),
                rank.calls.front().line);
        std::set<int> peers;
        std::set<std::int64_t> sizes;
        int sends = 0;
        for (const MessageCall& call : rank.calls) {
            if (call.isSend()) {
                peers.insert(call.peer);
                sizes.insert(call.bytes);
                ++sends;
            }
        }
        const std::int64_t whole = static_cast<std::int64_t>(each.size()) * each.elementBytes();
        if (sends == each.world - 1 && peers.size() == 1 && sizes == std::set{whole}) {
            return withKnown(std::move(verdict), "whole_tensor",
                LS_TR("Messages", "the whole tensor goes around: send one piece per step"), "n − 1 > 2 (n − 1)/n");
        }
        if (sends > 2 * (each.world - 1) && *sizes.rbegin() * each.world < whole + each.world * each.elementBytes()) {
            return withKnown(std::move(verdict), "extra_step",
                LS_TR("Messages", "a rank sends more pieces than needed: each circle has n − 1 steps"), "n − 1");
        }
        return verdict;
    }

    [[nodiscard]] static std::optional<CodeVerdict> otherPeer(std::span<const RankMessages> ranks)
    {
        const auto world = static_cast<int>(ranks.size());
        for (const RankMessages& rank : ranks) {
            for (const MessageCall& call : rank.calls) {
                const int distance = (call.peer - call.rank + world) % world;
                if (call.isSend() && distance != 1 && distance != world - 1) {
                    return withKnown(wrong(failure(LS_TR("Messages", "rank %1 sends to rank %2, not to a neighbour"),
                                               {call.rank, call.peer}),
                                         call.line),
                        "no_neighbour", LS_TR("Messages", "in a ring each rank sends to its neighbour alone"));
                }
            }
        }
        return std::nullopt;
    }

    bool m_isRing;
    std::vector<AllReduceCase> m_cases;
    const Trial& m_trial;
    std::vector<std::vector<RankMessages>> m_ranks; ///< by case
};

CodeVerdict judgeAllReduce(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    return AllReduceJudge(check, trials.front()).verdict();
}

} // namespace

Exercise allReduceExercise()
{
    using Kind = FieldForm::Kind;
    return {"all_reduce",
        "A function `all_reduce(tensor)` from `send`, `recv`, `isend` and `irecv`: every rank ends with the sum in its "
        "tensor. Runs on 2 ranks and more, also where the size is no multiple of their number.",
        "all_reduce.py",
        {{"algorithm", {Kind::Choice, {}, {"any", "ring"}}, false,
             "`ring`: a rank sends to its neighbour alone, and at most 2 (n − 1)/n of the tensor. Without it: `any`."},
            {"ranks", {Kind::Integer, {}, {}, 2.0}, false, "The largest number of ranks, up to 8. Without it: 4."},
            {"seed", {Kind::Integer}, false, "Of the values. Without it: 1."}},
        allReduceTasks, judgeAllReduce};
}

} // namespace lockstep::laboratory
