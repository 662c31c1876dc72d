#include "laboratory/code/sampler_judge.h"

#include "base/translate.h"
#include "laboratory/code/rank_messages.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t SmallShare = 5; ///< three epochs of 5! orders each are equal by chance for some seed

bool isStrided(const SamplerCase& given, std::span<const std::vector<SamplerShare>> shares)
{
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        for (const std::int64_t index : shares[rank].front().indices) {
            if (static_cast<std::size_t>(index) % given.ranks() != rank) {
                return false;
            }
        }
    }
    return true;
}

/// The samples in the order of their labels, one to each rank in turn.
bool isDealt(const SamplerCase& given, std::span<const std::vector<SamplerShare>> shares)
{
    std::vector<int> sorted = given.labels;
    std::ranges::sort(sorted);
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        std::vector<int> dealt;
        for (std::size_t i = rank; i < sorted.size(); i += given.ranks()) {
            dealt.push_back(sorted[i]);
        }
        std::vector<int> labels;
        std::ranges::transform(shares[rank].front().indices, std::back_inserter(labels),
            [&given](std::int64_t index) { return given.labels[static_cast<std::size_t>(index)]; });
        std::ranges::sort(labels);
        if (labels != dealt) {
            return false;
        }
    }
    return true;
}

} // namespace

std::optional<CodeVerdict> SamplerJudge::fault() const
{
    for (const auto check :
        {&SamplerJudge::lengthFault, &SamplerJudge::rangeFault, &SamplerJudge::repeatFault, &SamplerJudge::overlapFault,
            &SamplerJudge::coverFault, &SamplerJudge::sizeFault, &SamplerJudge::splitFault, &SamplerJudge::epochFault,
            &SamplerJudge::passFault, &SamplerJudge::shareFault}) {
        if (auto verdict = (this->*check)()) {
            return verdict;
        }
    }
    return std::nullopt;
}

bool SamplerJudge::hasRepeats() const
{
    return std::ranges::any_of(m_shares, [](const std::vector<SamplerShare>& epochs) {
        return std::ranges::any_of(
            epochs, [](const SamplerShare& share) { return share.distinct().size() < share.indices.size(); });
    });
}

bool SamplerJudge::hasSameOrder(std::size_t one, std::size_t other) const
{
    return std::ranges::all_of(m_shares,
        [=](const std::vector<SamplerShare>& epochs) { return epochs[one].indices == epochs[other].indices; });
}

CodeVerdict SamplerJudge::said(
    std::string_view pattern, std::vector<Text> arguments, std::optional<NamedMistake> known) const
{
    CodeVerdict verdict = wrong(during({LS_TR("Messages", "%1 samples, %2 ranks"), {m_case.size(), m_case.world}},
        failure(pattern, std::move(arguments))));
    return known ? withKnown(std::move(verdict), known->first, Text(known->second)) : verdict;
}

std::optional<CodeVerdict> SamplerJudge::lengthFault() const
{
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        for (const SamplerShare& share : m_shares[rank]) {
            const auto count = static_cast<std::int64_t>(share.indices.size());
            if (count > static_cast<std::int64_t>(2 * m_case.size())) {
                return said(LS_TR("Messages", "__iter__ of rank %1 does not end"), {rank});
            }
            if (share.length != count) {
                std::optional<NamedMistake> known;
                if (share.length == static_cast<std::int64_t>(m_case.size())) {
                    known = {"whole_length", LS_TR("Messages", "__len__ is of all samples, not of the rank's share")};
                }
                return said(LS_TR("Messages", "__len__ of rank %1 gives %2, but __iter__ gives %3 indices"),
                    {rank, share.length, count}, known);
            }
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::rangeFault() const
{
    const auto size = static_cast<std::int64_t>(m_case.size());
    bool isFromOne = true;
    std::optional<CodeVerdict> verdict;
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        for (const SamplerShare& share : m_shares[rank]) {
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

std::optional<CodeVerdict> SamplerJudge::repeatFault() const
{
    if (isDrawnAgain()) {
        return std::nullopt;
    }
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        std::set<std::int64_t> seen;
        for (const std::int64_t index : first(rank).indices) {
            if (!seen.insert(index).second) {
                return said(LS_TR("Messages", "rank %1 gives index %2 twice in one epoch"), {rank, index},
                    hasLabels()
                        ? NamedMistake{"labels_given", LS_TR("Messages", "the labels are given, not the indices")}
                        : NamedMistake{"repeats", LS_TR("Messages", "indices are drawn with replacement")});
            }
        }
    }
    return std::nullopt;
}

bool SamplerJudge::hasLabels() const
{
    std::vector<std::int64_t> all;
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        all.insert(all.end(), first(rank).indices.begin(), first(rank).indices.end());
    }
    std::vector<std::int64_t> labels(m_case.labels.begin(), m_case.labels.end());
    std::ranges::sort(all);
    std::ranges::sort(labels);
    return all == labels;
}

std::vector<int> SamplerJudge::counts(std::size_t epoch) const
{
    std::vector<int> counts(m_case.size());
    for (const std::vector<SamplerShare>& epochs : m_shares) {
        for (const std::int64_t index : epochs[epoch].indices) {
            ++counts[static_cast<std::size_t>(index)];
        }
    }
    return counts;
}

std::size_t SamplerJudge::given() const
{
    std::size_t sum = 0;
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        sum += first(rank).indices.size();
    }
    return sum;
}

bool SamplerJudge::isRepeatable() const
{
    return hasSameOrder(0, 2);
}

std::optional<CodeVerdict> SamplerJudge::overlapFault() const
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

std::optional<NamedMistake> SamplerJudge::knownOverlap(std::size_t twice) const
{
    if (given() == m_case.size() * m_case.ranks()) {
        return NamedMistake{"whole_data", LS_TR("Messages", "every rank gives all samples: take a share of them")};
    }
    if (!isRepeatable()) {
        return NamedMistake{"global_generator",
            LS_TR("Messages",
                "the permutation comes from a generator whose state differs between ranks, such as the global "
                "one")};
    }
    if (m_sizes != "pad" && twice == (m_case.ranks() - m_case.size() % m_case.ranks()) % m_case.ranks()) {
        return NamedMistake{"padded", LS_TR("Messages", "samples are repeated until all shares are equal")};
    }
    if (m_split == "random" && twice >= m_case.ranks() && given() == m_case.size()) {
        return NamedMistake{"rank_in_seed", LS_TR("Messages", "the seed of the permutation depends on the rank")};
    }
    return std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::coverFault() const
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
    return said(
        LS_TR("Messages", "index %1 is given by no rank"), {std::ranges::find(counted, 0) - counted.begin()}, known);
}

std::optional<CodeVerdict> SamplerJudge::sizeFault() const
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
    const std::size_t filled = (m_case.size() + m_case.ranks() - 1) / m_case.ranks();
    const bool isFilled = std::ranges::count(sizes, filled) == std::ssize(sizes) - 1;
    if (isFilled && sizes.back() < filled) {
        known = {"rest_too_small", LS_TR("Messages", "every rank takes ⌈N/n⌉ samples: too few are left for the last")};
    }
    return said(LS_TR("Messages", "rank %1 has %2 samples and rank %3 has %4"),
        {least - sizes.begin(), *least, most - sizes.begin(), *most}, known);
}

std::optional<CodeVerdict> SamplerJudge::splitFault() const
{
    return m_split == "by_label" ? labelFault() : m_split == "contiguous" ? gapFault() : std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::gapFault() const
{
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        const auto distinct = first(rank).distinct();
        if (!distinct.empty()
            && *distinct.rbegin() - *distinct.begin() + 1 != static_cast<std::int64_t>(distinct.size())) {
            return said(LS_TR("Messages", "the samples of rank %1 are not one after another"), {rank},
                isStrided(m_case, m_shares) ? std::optional<NamedMistake>(
                    {"strided", LS_TR("Messages", "each rank takes every n-th sample instead of a contiguous part")})
                                            : std::nullopt);
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::labelFault() const
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
                    isDealt(m_case, m_shares)
                        ? NamedMistake{"dealt_in_turn",
                            LS_TR("Messages", "the sorted samples are dealt in turn: cut the sorted list into parts")}
                        : NamedMistake{
                            "not_by_label", LS_TR("Messages", "the samples are not sorted by label before the split")});
            }
        }
    }
    return std::nullopt;
}

bool SamplerJudge::hasOneOrder(std::size_t rank) const
{
    const auto& epochs = m_shares[rank];
    return epochs[0].indices == epochs[1].indices && epochs[0].indices == epochs[3].indices;
}

std::optional<CodeVerdict> SamplerJudge::epochFault() const
{
    const bool areAllOfOneOrder = hasSameOrder(0, 1) && hasSameOrder(0, 3);
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        const auto& epochs = m_shares[rank];
        const bool isSmall = epochs[0].indices.size() <= SmallShare;
        if (hasOneOrder(rank) && (!isSmall || areAllOfOneOrder)) {
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
                    LS_TR("Messages",
                        "the order depends on earlier calls (a generator's state, a counter), not on seed and "
                        "epoch alone")});
        }
    }
    return laterEpochFault();
}

std::optional<CodeVerdict> SamplerJudge::passFault() const
{
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        for (std::size_t i = 0; i < m_shares[rank].size(); ++i) {
            if (m_shares[rank][i].indices != m_shares[rank][i].again && m_shares[rank][i].again.empty()) {
                return said(LS_TR("Messages", "rank %1 gives nothing in the second pass of epoch %2"),
                    {rank, SamplerEpochs[i]},
                    NamedMistake{"iterator_used_up",
                        LS_TR("Messages", "the indices are in one iterator, which is empty after its first pass")});
            }
            if (m_shares[rank][i].indices != m_shares[rank][i].again) {
                return said(LS_TR("Messages", "rank %1 has another order in the second pass of epoch %2"),
                    {rank, SamplerEpochs[i]},
                    NamedMistake{"pass_counted",
                        LS_TR("Messages", "__iter__ changes what the order depends on: only set_epoch may")});
            }
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::shareFault() const
{
    if (m_split != "by_label" && m_split != "contiguous") {
        return std::nullopt;
    }
    for (std::size_t rank = 0; rank < m_shares.size(); ++rank) {
        for (std::size_t i = 1; i < m_shares[rank].size(); ++i) {
            if (m_shares[rank][i].distinct() != first(rank).distinct()) {
                return said(LS_TR("Messages", "rank %1 has other samples in epoch %2 than in epoch %3"),
                    {rank, SamplerEpochs[i], SamplerEpochs[0]},
                    NamedMistake{"share_shuffled",
                        LS_TR("Messages", "the samples are shuffled before the cut instead of after it")});
            }
        }
    }
    return std::nullopt;
}

std::optional<CodeVerdict> SamplerJudge::laterEpochFault() const
{
    if (isDrawnAgain()) {
        return std::nullopt;
    }
    for (std::size_t epoch = 1; epoch < SamplerEpochs.size(); ++epoch) {
        const auto counted = counts(epoch);
        const auto twice = std::ranges::find_if(counted, [](int count) { return count > 1; });
        if (m_sizes != "pad" && twice != counted.end()) {
            return said(LS_TR("Messages", "index %1 is given twice in epoch %2"),
                {twice - counted.begin(), SamplerEpochs[epoch]});
        }
        const auto missing = static_cast<std::size_t>(std::ranges::count(counted, 0));
        if (missing > (m_sizes == "drop" ? m_case.size() % m_case.ranks() : 0)) {
            return said(LS_TR("Messages", "index %1 is given by no rank in epoch %2"),
                {std::ranges::find(counted, 0) - counted.begin(), SamplerEpochs[epoch]});
        }
    }
    return std::nullopt;
}

} // namespace lockstep::laboratory
