// A Sampler by its properties: range, cover, overlap, sizes, labels, repeats, epochs. The order itself is free.
#include "base/names.h"
#include "base/random.h"
#include "base/translate.h"
#include "laboratory/code/exercise.h"
#include "laboratory/code/rank_messages.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace lockstep::laboratory {

namespace {

constexpr int SamplerRanks = 4;
constexpr int MostSamplerRanks = 16;
constexpr std::uint64_t LabelCount = 5;
constexpr std::array SamplerEpochs{0, 1, 0, 2};

struct SplitRow {
    std::string_view key;
    std::string_view className;
};
constexpr std::array SplitRows{SplitRow{"random", "RandomPartition"}, SplitRow{"contiguous", "ContiguousPartition"},
    SplitRow{"by_label", "LabelPartition"}, SplitRow{"replacement", "ReplacementSampler"}};

struct SamplerCase {
    int world = 2;
    std::vector<int> labels;
    int seed = 0;

    [[nodiscard]] std::size_t size() const { return labels.size(); }
    [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(world); }
};

/// For each world: a size that is a multiple of the ranks, one that is 1 short of it, and one that is 1 over, which
/// cuts of equal length leave far from equal.
std::vector<SamplerCase> samplerCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<SamplerCase> cases;
    for (int world = 2; world <= check.value("ranks", SamplerRanks); ++world) {
        for (const int size : {6 * world, 9 * world - 1, 4 * world + 1}) {
            std::vector<int> labels(static_cast<std::size_t>(size));
            std::ranges::generate(labels, [&] { return static_cast<int>(random.below(LabelCount)); });
            cases.push_back({world, std::move(labels), static_cast<int>(random.below(1000))});
        }
    }
    return cases;
}

std::string splitOf(const Json& check)
{
    const std::string split = textIn(check, "split");
    return split.empty() ? std::string(SplitRows.front().key) : split;
}

Result<std::vector<TrialTask>> samplerTasks(const Json& check)
{
    if (check.value("ranks", SamplerRanks) > MostSamplerRanks) {
        return refusal("ranks", LS_TR("Messages", "at most %1"), {MostSamplerRanks});
    }
    TrialTask task;
    const auto row = std::ranges::find(SplitRows, splitOf(check), &SplitRow::key);
    task.input = {{"names", {row->className}}, {"cases", Json::array()}};
    for (const SamplerCase& each : samplerCases(check)) {
        task.input["cases"].push_back(
            {{"world", each.world}, {"labels", each.labels}, {"seed", each.seed}, {"epochs", SamplerEpochs}});
    }
    return std::vector<TrialTask>{std::move(task)};
}

/// What one rank's sampler gave in one epoch.
struct Share {
    std::int64_t length = 0;
    std::vector<std::int64_t> indices;

    [[nodiscard]] std::set<std::int64_t> distinct() const { return {indices.begin(), indices.end()}; }
};

using NamedMistake = std::pair<std::string_view, std::string_view>; ///< key, name

/// One case: shares by rank and epoch.
class SamplerJudge {
public:
    SamplerJudge(const SamplerCase& given, std::string split, std::string sizes, std::vector<std::vector<Share>> shares)
        : m_case(given)
        , m_split(std::move(split))
        , m_sizes(std::move(sizes))
        , m_shares(std::move(shares))
    { }

    [[nodiscard]] std::optional<CodeVerdict> fault() const
    {
        for (const auto check : {&SamplerJudge::lengthFault, &SamplerJudge::rangeFault, &SamplerJudge::repeatFault,
                 &SamplerJudge::overlapFault, &SamplerJudge::coverFault, &SamplerJudge::sizeFault,
                 &SamplerJudge::splitFault, &SamplerJudge::epochFault}) {
            if (auto verdict = (this->*check)()) {
                return verdict;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] bool hasRepeats() const
    {
        return std::ranges::any_of(m_shares, [](const std::vector<Share>& epochs) {
            return std::ranges::any_of(
                epochs, [](const Share& share) { return share.distinct().size() < share.indices.size(); });
        });
    }

private:
    [[nodiscard]] CodeVerdict said(
        std::string_view pattern, std::vector<Text> arguments, std::optional<NamedMistake> known = std::nullopt) const
    {
        CodeVerdict verdict = wrong(during({LS_TR("Messages", "%1 samples, %2 ranks"), {m_case.size(), m_case.world}},
            failure(pattern, std::move(arguments))));
        return known ? withKnown(std::move(verdict), known->first, Text(known->second)) : verdict;
    }

    [[nodiscard]] const Share& first(std::size_t rank) const { return m_shares[rank].front(); }
    [[nodiscard]] bool isDrawnAgain() const { return m_split == "replacement"; }

    [[nodiscard]] std::optional<CodeVerdict> lengthFault() const
    {
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            for (const Share& share : m_shares[rank]) {
                const auto count = static_cast<std::int64_t>(share.indices.size());
                if (count > static_cast<std::int64_t>(2 * m_case.size())) {
                    return said(LS_TR("Messages", "__iter__ of rank %1 does not end"), {rank});
                }
                if (share.length != count) {
                    std::optional<NamedMistake> known;
                    if (share.length == static_cast<std::int64_t>(m_case.size())) {
                        known
                            = {"whole_length", LS_TR("Messages", "__len__ is of all samples, not of the rank's share")};
                    }
                    return said(LS_TR("Messages", "__len__ of rank %1 gives %2, but __iter__ gives %3 indices"),
                        {rank, share.length, count}, known);
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> rangeFault() const
    {
        const auto size = static_cast<std::int64_t>(m_case.size());
        bool isFromOne = true;
        std::optional<CodeVerdict> verdict;
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            for (const Share& share : m_shares[rank]) {
                for (const std::int64_t index : share.indices) {
                    isFromOne = isFromOne && index >= 1 && index <= size;
                    if ((index < 0 || index >= size) && !verdict) {
                        verdict = said(
                            LS_TR("Messages", "rank %1 gives index %2: indices are 0 to %3"), {rank, index, size - 1});
                    }
                }
            }
        }
        return verdict && isFromOne
            ? withKnown(*std::move(verdict), "from_one", LS_TR("Messages", "the indices begin with 1"))
            : verdict;
    }

    [[nodiscard]] std::optional<CodeVerdict> repeatFault() const
    {
        if (isDrawnAgain()) {
            return std::nullopt;
        }
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            std::set<std::int64_t> seen;
            for (const std::int64_t index : first(rank).indices) {
                if (!seen.insert(index).second) {
                    return said(LS_TR("Messages", "rank %1 gives index %2 twice in one epoch"), {rank, index},
                        NamedMistake{"repeats", LS_TR("Messages", "indices are drawn with replacement")});
                }
            }
        }
        return std::nullopt;
    }

    /// How often each index is given in one of SamplerEpochs, by all ranks.
    [[nodiscard]] std::vector<int> counts(std::size_t epoch = 0) const
    {
        std::vector<int> counts(m_case.size());
        for (const std::vector<Share>& epochs : m_shares) {
            for (const std::int64_t index : epochs[epoch].indices) {
                ++counts[static_cast<std::size_t>(index)];
            }
        }
        return counts;
    }

    [[nodiscard]] std::size_t given() const
    {
        std::size_t sum = 0;
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            sum += first(rank).indices.size();
        }
        return sum;
    }

    [[nodiscard]] bool isRepeatable() const
    {
        return std::ranges::all_of(
            m_shares, [](const std::vector<Share>& epochs) { return epochs[0].indices == epochs[2].indices; });
    }

    [[nodiscard]] std::optional<CodeVerdict> overlapFault() const
    {
        if (isDrawnAgain()) {
            return std::nullopt;
        }
        const auto counted = counts();
        std::size_t twice = 0;
        for (const int count : counted) {
            twice += count > 1 ? static_cast<std::size_t>(count - 1) : 0;
        }
        const std::size_t filled = (m_case.size() + m_case.ranks() - 1) / m_case.ranks() * m_case.ranks();
        if (twice <= (m_sizes == "pad" ? filled - m_case.size() : 0)) {
            return std::nullopt;
        }
        const auto index = std::ranges::find_if(counted, [](int count) { return count > 1; }) - counted.begin();
        std::vector<std::size_t> owners;
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            if (std::ranges::find(first(rank).indices, index) != first(rank).indices.end()) {
                owners.push_back(rank);
            }
        }
        return said(LS_TR("Messages", "index %1 is given by rank %2 and by rank %3"), {index, owners[0], owners[1]},
            knownOverlap(twice));
    }

    [[nodiscard]] std::optional<NamedMistake> knownOverlap(std::size_t twice) const
    {
        if (given() == m_case.size() * m_case.ranks()) {
            return NamedMistake{"whole_data", LS_TR("Messages", "every rank gives all samples: take a share of them")};
        }
        if (!isRepeatable()) {
            return NamedMistake{"global_generator",
                LS_TR("Messages", "the permutation comes from the global generator, which differs between ranks")};
        }
        if (m_sizes != "pad" && twice == (m_case.ranks() - m_case.size() % m_case.ranks()) % m_case.ranks()) {
            return NamedMistake{"padded", LS_TR("Messages", "samples are repeated until all shares are equal")};
        }
        if (m_split == "random" && twice >= m_case.ranks()) {
            return NamedMistake{"rank_in_seed", LS_TR("Messages", "the seed of the permutation depends on the rank")};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> coverFault() const
    {
        const auto counted = counts();
        const auto missing = static_cast<std::size_t>(std::ranges::count(counted, 0));
        const std::size_t rest = m_case.size() % m_case.ranks();
        if (isDrawnAgain() || missing == 0 || (m_sizes == "drop" && missing == rest)) {
            return std::nullopt;
        }
        std::optional<NamedMistake> known;
        if (missing == rest) {
            known = {"rest_dropped", LS_TR("Messages", "the samples that are left after equal shares are dropped")};
        }
        return said(LS_TR("Messages", "index %1 is given by no rank"),
            {std::ranges::find(counted, 0) - counted.begin()}, known);
    }

    [[nodiscard]] std::optional<CodeVerdict> sizeFault() const
    {
        std::vector<std::size_t> sizes;
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            sizes.push_back(first(rank).indices.size());
        }
        const auto [least, most] = std::ranges::minmax_element(sizes);
        if (*most - *least <= (m_sizes == "pad" || m_sizes == "drop" ? 0U : 1U)) {
            return std::nullopt;
        }
        std::optional<NamedMistake> known;
        if (sizes.back() == m_case.size() / m_case.ranks() + m_case.size() % m_case.ranks()
            && sizes.front() == m_case.size() / m_case.ranks()) {
            known = {"rest_to_last", LS_TR("Messages", "the last rank gets all that is left: give one to each rank")};
        }
        return said(LS_TR("Messages", "rank %1 has %2 samples and rank %3 has %4"),
            {least - sizes.begin(), *least, most - sizes.begin(), *most}, known);
    }

    [[nodiscard]] std::optional<CodeVerdict> splitFault() const
    {
        return m_split == "by_label" ? labelFault() : m_split == "contiguous" ? gapFault() : std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> gapFault() const
    {
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            const auto distinct = first(rank).distinct();
            if (!distinct.empty()
                && *distinct.rbegin() - *distinct.begin() + 1 != static_cast<std::int64_t>(distinct.size())) {
                return said(LS_TR("Messages", "the samples of rank %1 are not one after another"), {rank},
                    isStrided() ? std::optional<NamedMistake>({"strided",
                        LS_TR("Messages", "each rank takes every n-th sample instead of a contiguous part")})
                                : std::nullopt);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] bool isStrided() const
    {
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            for (const std::int64_t index : first(rank).indices) {
                if (static_cast<std::size_t>(index) % m_case.ranks() != rank) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Two ranks share at most one label: the data are sorted by label and cut.
    [[nodiscard]] std::optional<CodeVerdict> labelFault() const
    {
        std::vector<std::set<int>> labels(m_shares.size());
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            for (const std::int64_t index : first(rank).indices) {
                labels[rank].insert(m_case.labels[static_cast<std::size_t>(index)]);
            }
        }
        for (std::size_t a = 0; a < labels.size(); ++a) {
            for (std::size_t b = a + 1; b < labels.size(); ++b) {
                std::vector<int> both;
                std::ranges::set_intersection(labels[a], labels[b], std::back_inserter(both));
                if (both.size() > 1) {
                    return said(LS_TR("Messages", "ranks %1 and %2 both have the labels %3 and %4"),
                        {a, b, both[0], both[1]},
                        NamedMistake{
                            "not_by_label", LS_TR("Messages", "the samples are not sorted by label before the split")});
                }
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<CodeVerdict> epochFault() const
    {
        for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
            const auto& epochs = m_shares[rank];
            if (epochs[0].indices == epochs[1].indices && epochs[0].indices == epochs[3].indices) {
                const bool isSorted = std::ranges::is_sorted(epochs[0].indices);
                return said(LS_TR("Messages", "rank %1 has the same order in every epoch"), {rank},
                    isSorted ? NamedMistake{"not_shuffled", LS_TR("Messages", "the indices are not shuffled")}
                             : NamedMistake{
                                 "epoch_ignored", LS_TR("Messages", "the epoch of set_epoch is not part of the seed")});
            }
            if (epochs[0].indices != epochs[2].indices) {
                return said(LS_TR("Messages", "rank %1 has another order when epoch %2 comes again"),
                    {rank, SamplerEpochs[0]},
                    NamedMistake{"not_repeatable",
                        LS_TR("Messages", "the order depends on a generator's state, not on seed and epoch alone")});
            }
        }
        return laterEpochFault();
    }

    /// Later epochs must be partitions too.
    [[nodiscard]] std::optional<CodeVerdict> laterEpochFault() const
    {
        if (isDrawnAgain()) {
            return std::nullopt;
        }
        const auto counted = counts(1);
        const auto twice = std::ranges::find_if(counted, [](int count) { return count > 1; });
        if (m_sizes != "pad" && twice != counted.end()) {
            return said(
                LS_TR("Messages", "index %1 is given twice in epoch %2"), {twice - counted.begin(), SamplerEpochs[1]});
        }
        const auto missing = static_cast<std::size_t>(std::ranges::count(counted, 0));
        if (missing > (m_sizes == "drop" ? m_case.size() % m_case.ranks() : 0)) {
            return said(LS_TR("Messages", "index %1 is given by no rank in epoch %2"),
                {std::ranges::find(counted, 0) - counted.begin(), SamplerEpochs[1]});
        }
        return std::nullopt;
    }

    const SamplerCase& m_case;
    std::string m_split;
    std::string m_sizes;
    std::vector<std::vector<Share>> m_shares; ///< by rank and epoch, of SamplerEpochs
};

/// Nothing where a record is missing.
std::optional<std::vector<std::vector<Share>>> sharesOf(const RankTrial& rank, std::size_t ofCase, int world)
{
    std::vector<std::vector<Share>> shares(static_cast<std::size_t>(world));
    for (const Json* record : recordsOf(rank, "epoch")) {
        const std::int64_t of = integerIn(*record, "rank");
        if (integerIn(*record, "case") == static_cast<std::int64_t>(ofCase) && of >= 0 && of < world) {
            Share share{integerIn(*record, "length"), {}};
            for (const double index : numbersIn(*record, "indices")) {
                // no cast of what does not fit, such as NaN
                share.indices.push_back(std::abs(index) < 1e15 ? static_cast<std::int64_t>(index) : -1);
            }
            shares[static_cast<std::size_t>(of)].push_back(std::move(share));
        }
    }
    const bool isWhole = std::ranges::all_of(
        shares, [](const std::vector<Share>& epochs) { return epochs.size() == SamplerEpochs.size(); });
    return isWhole ? std::optional(std::move(shares)) : std::nullopt;
}

CodeVerdict judgeSampler(const Json& check, std::span<const TrialTask>, std::span<const Trial> trials)
{
    const Trial& trial = trials.front();
    const auto cases = samplerCases(check);
    const std::string split = splitOf(check);
    bool hasRepeats = split != "replacement";
    for (std::size_t i = 0; i < cases.size(); ++i) {
        auto shares = sharesOf(trial.ranks.front(), i, cases[i].world);
        if (!shares) {
            auto broken = brokenTrial(trial);
            return broken ? *std::move(broken)
                          : wrong(failure(LS_TR("Messages", "the records of the check are damaged or too large")));
        }
        const SamplerJudge judge(cases[i], split, textIn(check, "sizes"), *std::move(shares));
        if (auto fault = judge.fault()) {
            return *fault;
        }
        hasRepeats = hasRepeats || judge.hasRepeats();
    }
    if (!hasRepeats) {
        return withKnown(wrong(failure(LS_TR("Messages", "no index is drawn twice"))), "no_repeats",
            LS_TR("Messages", "indices are drawn without replacement"));
    }
    auto broken = brokenTrial(trial);
    return broken ? *std::move(broken) : CodeVerdict();
}

} // namespace

Exercise samplerExercise()
{
    static const std::vector<std::string_view> Splits = namesOf(SplitRows, &SplitRow::key);
    using Kind = FieldForm::Kind;
    return {"sampler",
        "A Sampler of `data, rank, world_size, seed` with `__iter__`, `__len__` and `set_epoch`: `RandomPartition`, "
        "`ContiguousPartition`, `LabelPartition` or `ReplacementSampler`. Its properties are checked, never its order.",
        "sampler.py",
        {{"split", {Kind::Choice, {}, Splits}, false,
             "`random`: any partition. `contiguous`: each rank has samples one after another. `by_label`: sorted by "
             "label, then cut. `replacement`: drawn with replacement. Without it: `random`."},
            {"sizes", {Kind::Choice, {}, {"nearly_equal", "pad", "drop"}}, false,
                "`nearly_equal`: they differ by 1 at most. `pad`: equal, some samples twice. `drop`: equal, the rest "
                "is "
                "left out. Without it: `nearly_equal`."},
            {"ranks", {Kind::Integer, {}, {}, 2.0}, false, "The largest number of ranks, up to 16. Without it: 4."},
            {"seed", {Kind::Integer}, false, "Of labels and of the sampler's seed. Without it: 1."}},
        samplerTasks, judgeSampler};
}

} // namespace lockstep::laboratory
