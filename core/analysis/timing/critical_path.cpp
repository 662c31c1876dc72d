#include "analysis/timing/critical_path.h"

#include "analysis/timing/summary.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace lockstep::analysis {

namespace {

/// Ranks without a common step, as under an asynchronous server, may be this many steps apart.
constexpr std::size_t MostOpenSteps = 64;

/// Waiting and transferring come when the rows of all ranks are there: before a rank's other spans of these steps or
/// after. Where a step has neither, they are not awaited for longer.
constexpr std::int64_t MostApart = 32;

std::int64_t earliest(const std::map<std::int32_t, std::int64_t>& lastOfRanks)
{
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    for (const auto& [rank, last] : lastOfRanks) {
        step = std::min(step, last);
    }
    return step;
}

/// The last span of the rank that begins before `ns`; null: there is none.
const PathSpan* spanBefore(const RankPathSpans& rank, std::int64_t ns)
{
    const auto after = std::lower_bound(rank.spans.begin(), rank.spans.end(), ns,
        [](const PathSpan& span, std::int64_t time) { return span.startNs < time; });
    return after == rank.spans.begin() ? nullptr : &*std::prev(after);
}

/// Who ended a wait at `ns`: of the ranks that did not wait just before, the one of which a span ended closest to then.
const RankPathSpans* whoEndedWait(std::span<const RankPathSpans> ranks, const RankPathSpans& waiting, std::int64_t ns)
{
    const RankPathSpans* closest = nullptr;
    std::int64_t closestNs = std::numeric_limits<std::int64_t>::max();
    for (const RankPathSpans& other : ranks) {
        const PathSpan* span = &other == &waiting ? nullptr : spanBefore(other, ns);
        if (span != nullptr && span->phase != Phase::Wait && std::abs(span->endNs - ns) < closestNs) {
            closest = &other;
            closestNs = std::abs(span->endNs - ns);
        }
    }
    return closest;
}

} // namespace

std::vector<PathPiece> criticalPath(std::span<const RankPathSpans> ranks)
{
    const auto endOf = [](const RankPathSpans& rank) {
        return rank.spans.empty() ? std::numeric_limits<std::int64_t>::min() : rank.spans.back().endNs;
    };
    const auto last = std::max_element(ranks.begin(), ranks.end(),
        [&](const RankPathSpans& a, const RankPathSpans& b) { return endOf(a) < endOf(b); });
    if (last == ranks.end() || last->spans.empty()) {
        return {};
    }
    std::vector<PathPiece> path;
    const RankPathSpans* rank = &*last;
    std::int64_t at = endOf(*rank);
    while (const PathSpan* span = spanBefore(*rank, at)) {
        const std::int64_t end = std::min(span->endNs, at);
        const RankPathSpans* other = span->phase == Phase::Wait ? whoEndedWait(ranks, *rank, end) : nullptr;
        if (other != nullptr) {
            rank = other; // its span before `end` is no wait, so the path moves back in time next
            at = end;
            continue;
        }
        if (end > span->startNs) {
            path.push_back({rank->rank, span->phase, span->startNs, end});
        }
        at = span->startNs;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

void PathSums::add(std::span<const PathPiece> path)
{
    for (const PathPiece& piece : path) {
        const auto ns = static_cast<double>(piece.endNs - piece.startNs);
        phaseNs[static_cast<std::size_t>(piece.phase)] += ns;
        rankNs[piece.rank] += ns;
    }
    ++steps;
}

double PathSums::wholeNs() const
{
    return std::accumulate(phaseNs.begin(), phaseNs.end(), 0.0);
}

void CriticalPathBuilder::add(
    std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs)
{
    if (m_ranks < 2 || phase == Phase::Evaluate) {
        return;
    }
    m_open[step][rank].push_back({phase, startNs, startNs + std::max<std::int64_t>(0, durationNs)});
    if (m_open.size() > MostOpenSteps) {
        m_open.erase(m_open.begin());
    }
    const bool isJoined = phase == Phase::Wait || phase == Phase::Communicate;
    std::int64_t& last = (isJoined ? m_lastJoined : m_lastOwn)[rank];
    if (step > last) {
        last = step;
        const std::int64_t own = earliest(m_lastOwn);
        close(std::max(std::min(own, earliest(m_lastJoined)), own - MostApart));
    }
}

void CriticalPathBuilder::close(std::int64_t before)
{
    if (m_lastOwn.size() < static_cast<std::size_t>(m_ranks)) {
        return;
    }
    while (!m_open.empty() && m_open.begin()->first < before) {
        auto& [number, spansByRank] = *m_open.begin();
        if (spansByRank.size() == static_cast<std::size_t>(m_ranks)) {
            std::vector<RankPathSpans> ranks;
            for (auto& [rank, spans] : spansByRank) {
                std::stable_sort(spans.begin(), spans.end(),
                    [](const PathSpan& a, const PathSpan& b) { return a.startNs < b.startNs; });
                ranks.push_back({rank, std::move(spans)});
            }
            const std::vector<PathPiece> path = criticalPath(ranks);
            m_all.add(path);
            if (number > WarmUpSteps) {
                m_warm.add(path);
            }
        }
        m_open.erase(m_open.begin());
    }
}

} // namespace lockstep::analysis
