// An all-reduce from sends and receives: the sums, the messages, and the bytes of the ring.
#include "base/translate.h"
#include "laboratory/code/all_reduce_mistakes.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/code/rank_values.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <set>

namespace lockstep::laboratory {

namespace {

constexpr int RingRanks = 4;
constexpr int MostRingRanks = 8;

/// What a tensor has that none before it has: what first goes wrong there comes from it.
enum class TensorTopic : std::uint8_t { Usual, OneMore, OneRow, Few, NoDimension, Double };

struct AllReduceCase {
    int world = 2;
    std::vector<std::size_t> shape;
    RankValues given;
    TensorTopic topic = TensorTopic::Usual;

    [[nodiscard]] std::size_t size() const { return given.front().size(); }
    [[nodiscard]] bool isDouble() const { return topic == TensorTopic::Double; }
    [[nodiscard]] std::int64_t elementBytes() const { return isDouble() ? 8 : 4; }
    [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(size()) * elementBytes(); }
    [[nodiscard]] std::int64_t largestPiece() const
    {
        const auto ranks = static_cast<std::size_t>(world);
        return static_cast<std::int64_t>((size() + ranks - 1) / ranks) * elementBytes();
    }
    /// That a rank of the ring may send. A tensor of fewer elements than ranks may also go around whole.
    [[nodiscard]] std::int64_t mostSent() const
    {
        const std::int64_t pieces = 2 * (world - 1) * largestPiece();
        return size() < static_cast<std::size_t>(world) ? std::max(pieces, (world - 1) * bytes()) : pieces;
    }
    [[nodiscard]] Values magnitude() const
    {
        const double ofType = isDouble() ? DoubleError : 1.0;
        return mapped(magnitudeOf(given), [ofType](double value) { return ofType * value; });
    }
};

/// For each world: a matrix whose size is a multiple of the ranks, and a vector whose size is not. Then, on the most
/// ranks, a vector with one element more than ranks, of which torch.chunk makes too few pieces, a matrix of one row, a
/// vector with fewer elements than ranks, one number, and a matrix of float64.
std::vector<AllReduceCase> allReduceCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<AllReduceCase> cases;
    for (int world = 2; world <= check.value("ranks", RingRanks); ++world) {
        const auto ranks = static_cast<std::size_t>(world);
        cases.push_back({world, {ranks, 2}, drawnRankValues(random, world, 2 * ranks)});
        cases.push_back({world, {3 * ranks + 1}, drawnRankValues(random, world, 3 * ranks + 1)});
    }
    const int world = cases.back().world;
    const auto ranks = static_cast<std::size_t>(world);
    const auto add = [&](TensorTopic topic, std::vector<std::size_t> shape, std::size_t size) {
        cases.push_back({world, std::move(shape), drawnRankValues(random, world, size), topic});
    };
    add(TensorTopic::OneMore, {ranks + 1}, ranks + 1);
    add(TensorTopic::OneRow, {1, 2 * ranks}, 2 * ranks);
    add(TensorTopic::Few, {ranks - 1}, ranks - 1);
    add(TensorTopic::NoDimension, {}, 1);
    add(TensorTopic::Double, {ranks, 2}, 2 * ranks);
    for (Values& values : cases.back().given) {
        values = mapped(values, [](double value) { return value / 3.0; }); // no float32
    }
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
            {"dtype", each.isDouble() ? "float64" : "float32"}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

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
        const std::size_t whole = wholeCases();
        if (auto fault = whole >= usual() ? faultIn(0, usual()) : std::nullopt) {
            return *fault;
        }
        for (std::size_t i = usual(); i < whole; ++i) {
            if (auto fault = faultIn(i, i + 1)) {
                return ofTopic(*std::move(fault), i);
            }
        }
        if (auto broken = brokenCases(m_trial, m_ranks)) {
            return whole < m_cases.size() ? ofTopic(*std::move(broken), whole) : *std::move(broken);
        }
        return whole == m_cases.size()
            ? CodeVerdict()
            : wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
    }

private:
    /// How many usual cases there are; the others come after them.
    [[nodiscard]] std::size_t usual() const
    {
        return static_cast<std::size_t>(std::ranges::count(m_cases, TensorTopic::Usual, &AllReduceCase::topic));
    }
    /// That have the results of all ranks, before the first that has not.
    [[nodiscard]] std::size_t wholeCases() const
    {
        const auto isWhole = [](const std::vector<RankMessages>& ranks) {
            return std::ranges::all_of(ranks, [](const RankMessages& rank) { return rank.result != nullptr; });
        };
        return static_cast<std::size_t>(std::ranges::find_if_not(m_ranks, isWhole) - m_ranks.begin());
    }

    /// With what is wrong where only this is new.
    [[nodiscard]] CodeVerdict ofTopic(CodeVerdict verdict, std::size_t ofCase) const
    {
        const bool isNamed = !verdict.mistake.empty();
        switch (m_cases[ofCase].topic) {
        case TensorTopic::Double:
            return verdict.mistake == "sizes_differ" ? ofType(std::move(verdict)) : verdict;
        case TensorTopic::OneMore:
            return isNamed ? verdict
                           : withKnown(std::move(verdict), "too_few_pieces",
                               LS_TR("Messages",
                                   "the tensor is cut into fewer than n pieces, as chunk(n) may do: tensor_split(n) "
                                   "gives n"),
                               "tensor.view(-1).tensor_split(n)");
        case TensorTopic::OneRow:
            return isNamed ? verdict
                           : withKnown(std::move(verdict), "cut_by_rows",
                               LS_TR("Messages", "the tensor is cut along a dimension: cut all its elements in a row"),
                               "tensor.view(-1)");
        case TensorTopic::Few:
            return isNamed ? verdict
                           : withKnown(std::move(verdict), "few_elements",
                               LS_TR("Messages", "a tensor of fewer elements than ranks has pieces without elements"));
        case TensorTopic::NoDimension:
            return isNamed
                ? verdict
                : withKnown(std::move(verdict), "no_dimension",
                    LS_TR("Messages", "a tensor of 0 dimensions is one number, which cannot be cut as it is"),
                    "tensor.view(-1)");
        case TensorTopic::Usual:
            break;
        }
        return verdict;
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
                return each.isDouble() && isNear(got, onAll(sum, got.size()), magnitudeOf(each.given))
                    ? ofType(std::move(verdict))
                    : each.topic == TensorTopic::Usual ? named(std::move(verdict))
                                                       : verdict;
            }
        }
        return std::nullopt;
    }

    template <typename Outcome>
    [[nodiscard]] bool isReproduced(Outcome outcomeOf) const
    {
        for (std::size_t i = 0; i < usual(); ++i) {
            if (!isNear(outcome(i), outcomeOf(m_cases[i].given), m_cases[i].magnitude())) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool isReturned() const
    {
        for (std::size_t i = 0; i < usual(); ++i) {
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
        for (std::size_t i = 0; i < usual(); ++i) {
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
        for (const AllReduceMistake& mistake : allReduceMistakes()) {
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
        const std::int64_t whole = each.bytes();
        for (std::size_t rank = 0; rank < m_ranks[ofCase].size(); ++rank) {
            const RankMessages& messages = m_ranks[ofCase][rank];
            const std::int64_t sent = bytesSent(messages);
            if (const auto least = std::min(sent, bytesReceived(messages)); least < whole) {
                return wrong(failure(LS_TR("Messages",
                                         "rank %1 of %2 sends or receives %3 bytes: no sum of %4 bytes "
                                         "can come from that"),
                    {rank, each.world, least, whole}));
            }
            if (m_isRing && sent > each.mostSent()) {
                return tooMuch(messages, each, sent);
            }
        }
        return m_isRing ? otherPeer(m_ranks[ofCase]) : std::nullopt;
    }

    [[nodiscard]] static CodeVerdict tooMuch(const RankMessages& rank, const AllReduceCase& each, std::int64_t sent)
    {
        CodeVerdict verdict
            = wrong(failure(LS_TR("Messages", "rank %1 of %2 sends %3 bytes; the ring sends at most %4"),
                        {rank.calls.front().rank, each.world, sent, each.mostSent()}),
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
        if (sends == each.world - 1 && peers.size() == 1 && sizes == std::set{each.bytes()}) {
            return withKnown(std::move(verdict), "whole_tensor",
                LS_TR("Messages", "the whole tensor goes around: send one piece per step"), "n − 1 > 2 (n − 1)/n");
        }
        if (*sizes.rbegin() > each.largestPiece() && sizes != std::set{each.bytes()}) {
            return withKnown(std::move(verdict), "uneven_pieces",
                LS_TR("Messages", "a piece is larger than ⌈N/n⌉ elements: cut all N elements in a row into n pieces"),
                "tensor.view(-1).tensor_split(n)");
        }
        if (sends > 2 * (each.world - 1)) {
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
    return atFunction(
        AllReduceJudge(check, trials.front()).verdict(), trials.front(), {"all_reduce", "__call__", "__init__"});
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
