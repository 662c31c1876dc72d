// The critical path of a step: the work that the step's time consists of. It ends with the rank that ends last; where a
// rank waited for another, it continues with the rank that ended the wait. What is not on it could take longer, by the
// waiting beside it, without making the step longer.
#pragma once

#include "base/phase.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lockstep::analysis {

struct PathSpan {
    Phase phase = Phase::Data;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

/// One rank's spans of a step, in time order, none within another.
struct RankPathSpans {
    std::int32_t rank = 0;
    std::vector<PathSpan> spans;
};

struct PathPiece {
    std::int32_t rank = 0;
    Phase phase = Phase::Data; ///< Wait only where no other rank shows who ended it
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;

    bool operator==(const PathPiece&) const = default;
};

/// In time order; empty without spans.
[[nodiscard]] std::vector<PathPiece> criticalPath(std::span<const RankPathSpans> ranks);

/// Critical paths added up.
struct PathSums {
    std::array<double, PhaseCount> phaseNs{};
    std::map<std::int32_t, double> rankNs;
    std::int64_t steps = 0;

    void add(std::span<const PathPiece> path);
    [[nodiscard]] double wholeNs() const;
};

/// The critical paths of a run's steps. Steps of which a rank's spans were dropped are left out, and so is the warm-up
/// where there is more.
class CriticalPathBuilder {
public:
    explicit CriticalPathBuilder(int ranks)
        : m_ranks(ranks)
    { }

    /// Wait and Communicate of one rank come in step order, and so do its other spans; both, and ranks, may interleave.
    /// Evaluations are left out.
    void add(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs);
    /// Of the steps that all ranks have finished.
    [[nodiscard]] const PathSums& sums() const { return m_warm.steps > 0 ? m_warm : m_all; }

private:
    using StepSpans = std::map<std::int32_t, std::vector<PathSpan>>; ///< by rank
    void close(std::int64_t before);

    int m_ranks;
    std::map<std::int64_t, StepSpans> m_open;
    std::map<std::int32_t, std::int64_t> m_lastOwn; ///< by rank, of phases other than Wait and Communicate
    std::map<std::int32_t, std::int64_t> m_lastJoined; ///< by rank, of Wait and Communicate
    PathSums m_all;
    PathSums m_warm;
};

} // namespace lockstep::analysis
