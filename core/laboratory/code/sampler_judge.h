// A Sampler's indices against the properties that its step asks for. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/code_verdict.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::laboratory {

/// The calls of set_epoch, in order.
inline constexpr std::array SamplerEpochs{0, 1, 0, 2, 3, 10, 64};

/// What a case has that none before it has: what first goes wrong there comes from it.
enum class SamplerTopic : std::uint8_t {
    Usual,
    Labels, ///< beyond 9
    SeedOfZero
};

struct SamplerCase {
    int world = 2;
    std::vector<int> labels;
    int seed = 0;
    SamplerTopic topic = SamplerTopic::Usual;

    [[nodiscard]] std::size_t size() const { return labels.size(); }
    [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(world); }
};

/// What one rank's sampler gave in one epoch.
struct SamplerShare {
    std::int64_t length = 0;
    std::vector<std::int64_t> indices;
    std::vector<std::int64_t> again; ///< of a second pass, without another call of set_epoch

    bool operator==(const SamplerShare&) const = default;
    [[nodiscard]] std::set<std::int64_t> distinct() const { return {indices.begin(), indices.end()}; }
};

using NamedMistake = std::pair<std::string_view, std::string_view>; ///< key, name

/// One case: shares by rank and epoch.
class SamplerJudge {
public:
    SamplerJudge(
        const SamplerCase& given, std::string split, std::string sizes, std::vector<std::vector<SamplerShare>> shares)
        : m_case(given)
        , m_split(std::move(split))
        , m_sizes(std::move(sizes))
        , m_shares(std::move(shares))
    { }

    [[nodiscard]] std::optional<CodeVerdict> fault() const;
    [[nodiscard]] bool hasRepeats() const;
    /// Whether every rank has the same order in two of SamplerEpochs.
    [[nodiscard]] bool hasSameOrder(std::size_t one, std::size_t other) const;

private:
    [[nodiscard]] CodeVerdict said(
        std::string_view pattern, std::vector<Text> arguments, std::optional<NamedMistake> known = std::nullopt) const;
    [[nodiscard]] const SamplerShare& first(std::size_t rank) const { return m_shares[rank].front(); }
    [[nodiscard]] bool isDrawnAgain() const { return m_split == "replacement"; }

    [[nodiscard]] std::optional<CodeVerdict> lengthFault() const;
    [[nodiscard]] std::optional<CodeVerdict> rangeFault() const;
    [[nodiscard]] std::optional<CodeVerdict> repeatFault() const;
    [[nodiscard]] bool hasLabels() const;

    /// How often each index is given in one of SamplerEpochs, by all ranks.
    [[nodiscard]] std::vector<int> counts(std::size_t epoch = 0) const;
    [[nodiscard]] std::size_t given() const;
    [[nodiscard]] bool isRepeatable() const;
    [[nodiscard]] std::optional<CodeVerdict> overlapFault() const;
    [[nodiscard]] std::optional<NamedMistake> knownOverlap(std::size_t twice) const;
    [[nodiscard]] std::optional<CodeVerdict> coverFault() const;
    [[nodiscard]] std::optional<CodeVerdict> sizeFault() const;
    [[nodiscard]] std::optional<CodeVerdict> splitFault() const;
    [[nodiscard]] std::optional<CodeVerdict> gapFault() const;

    /// Two ranks share at most one label: the data are sorted by label and cut.
    [[nodiscard]] std::optional<CodeVerdict> labelFault() const;
    /// In all epochs.
    [[nodiscard]] bool hasOneOrder(std::size_t rank) const;
    [[nodiscard]] std::optional<CodeVerdict> epochFault() const;
    [[nodiscard]] std::optional<CodeVerdict> passFault() const;

    /// Where the split is not random, a rank keeps its samples.
    [[nodiscard]] std::optional<CodeVerdict> shareFault() const;

    /// Later epochs must be partitions too.
    [[nodiscard]] std::optional<CodeVerdict> laterEpochFault() const;

    const SamplerCase& m_case;
    std::string m_split;
    std::string m_sizes;
    std::vector<std::vector<SamplerShare>> m_shares; ///< by rank and epoch, of SamplerEpochs
};

} // namespace lockstep::laboratory
