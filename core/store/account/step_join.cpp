#include "store/account/step_join.h"

#include <algorithm>
#include <limits>
#include <map>

namespace lockstep::store {

namespace {

constexpr auto Wait = static_cast<std::size_t>(Phase::Wait);
/// So long other ranks' rows wait for the first one of a rank.
constexpr std::int64_t LongestBeforeFirstNs = 10'000'000'000;
constexpr auto Communicate = static_cast<std::size_t>(Phase::Communicate);

void appendSpan(wire::SpanBatch& batch, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t endNs)
{
    if (endNs > startNs) {
        batch.rows.push_back({step, phase, startNs, endNs - startNs, -1});
    }
}

} // namespace

class StepJoin::Output {
public:
    /// Not split: its rank has not sent a span of communicating either.
    void add(std::size_t rank, const StepRow& row)
    {
        if (row.arrivalNs != 0) {
            appendSpan(
                m_spans[rank], row.step, Phase::Communicate, row.arrivalNs, row.arrivalNs + row.phaseNs[Communicate]);
        }
        addRow(rank, row);
    }
    void addSplit(std::size_t rank, StepRow row, std::int64_t lastArrivalNs)
    {
        const std::int64_t end = row.arrivalNs + row.phaseNs[Communicate];
        // A rank may leave before the last one comes where the algorithm lets it (the leaf of a tree that only sends).
        const std::int64_t last = std::min(lastArrivalNs, end);
        row.phaseNs[Wait] += last - row.arrivalNs;
        row.phaseNs[Communicate] = end - last;
        row.betweenHostsNs = std::min(row.betweenHostsNs, end - last);
        row.unattributedNs = 0;
        addRow(rank, row);
        appendSpan(m_spans[rank], row.step, Phase::Wait, row.arrivalNs, last);
        appendSpan(m_spans[rank], row.step, Phase::Communicate, last, end);
    }
    [[nodiscard]] Joined take()
    {
        Joined joined;
        for (auto& [rank, batch] : m_steps) {
            joined.steps.push_back({static_cast<std::int32_t>(rank), std::move(batch)});
        }
        for (auto& [rank, batch] : m_spans) {
            if (batch.size() > 0) {
                joined.spans.push_back({static_cast<std::int32_t>(rank), std::move(batch)});
            }
        }
        return joined;
    }

private:
    void addRow(std::size_t rank, StepRow row)
    {
        row.arrivalNs = 0; // it has done its work
        m_steps[rank].rows.push_back(row);
    }

    std::map<std::size_t, wire::StepBatch> m_steps;
    std::map<std::size_t, wire::SpanBatch> m_spans;
};

StepJoin::StepJoin(std::int32_t worldSize, const analysis::RankClocks* clocks)
    : m_clocks(clocks)
    , m_hosts(static_cast<std::size_t>(std::max(1, worldSize)))
    , m_hasRows(static_cast<std::size_t>(std::max(1, worldSize)))
    , m_held(static_cast<std::size_t>(std::max(1, worldSize)))
{ }

bool StepJoin::isEmpty() const
{
    return std::all_of(m_held.begin(), m_held.end(), [](const auto& rows) { return rows.empty(); });
}

StepJoin::Joined StepJoin::add(std::int32_t rank, const wire::StepBatch& batch)
{
    std::deque<StepRow>& held = m_held.at(static_cast<std::size_t>(rank));
    held.insert(held.end(), batch.rows.begin(), batch.rows.end());
    m_hasRows[static_cast<std::size_t>(rank)] = true;
    m_goesOnWithout
        = m_goesOnWithout || (!held.empty() && held.back().endNs - held.front().endNs > LongestBeforeFirstNs);
    Output output;
    advance(output);
    return output.take();
}

void StepJoin::passUnjoined(Output& output)
{
    for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
        while (!m_held[rank].empty() && m_held[rank].front().arrivalNs == 0) {
            output.add(rank, m_held[rank].front());
            m_held[rank].pop_front();
        }
    }
}

bool StepJoin::shareClock(std::size_t one, std::size_t other) const
{
    const auto first = static_cast<std::int32_t>(one);
    const auto second = static_cast<std::int32_t>(other);
    const bool areMeasured = m_clocks != nullptr && m_clocks->at(first, 0) && m_clocks->at(second, 0);
    return areMeasured ? m_clocks->shareClock(first, second) : m_hosts[one] == m_hosts[other];
}

StepJoin::LastArrival StepJoin::lastArrivalFor(std::size_t rank) const
{
    const std::int64_t own = m_held[rank].front().arrivalNs;
    std::int64_t last = own;
    // Between these the last of the others came.
    std::int64_t earliest = 0;
    std::int64_t latest = 0;
    const auto offsetAt = [this](std::size_t each, std::int64_t ns) {
        return m_clocks == nullptr ? std::nullopt : m_clocks->at(static_cast<std::int32_t>(each), ns);
    };
    for (std::size_t other = 0; other < m_held.size(); ++other) {
        if (m_held[other].empty()) {
            continue; // it takes no part
        }
        std::int64_t arrival = m_held[other].front().arrivalNs;
        std::int64_t error = 0;
        if (!shareClock(rank, other)) {
            const auto of = offsetAt(rank, own);
            const auto from = offsetAt(other, arrival);
            if (!of || !from) {
                return {own, false};
            }
            arrival += from->offsetNs - of->offsetNs;
            error = from->errorNs + of->errorNs;
        }
        if (other != rank) {
            last = std::max(last, arrival);
            earliest = std::max(earliest, arrival - error);
            latest = std::max(latest, arrival + error);
        }
    }
    return {last, earliest >= own || latest <= own};
}

bool StepJoin::isStepThere() const
{
    for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
        if (m_held[rank].empty() && (m_hasRows[rank] || !m_goesOnWithout)) {
            return false;
        }
    }
    return !isEmpty();
}

void StepJoin::advance(Output& output)
{
    passUnjoined(output);
    while (isStepThere()) {
        auto step = std::numeric_limits<std::int64_t>::max();
        for (const auto& rows : m_held) {
            step = rows.empty() ? step : std::min(step, rows.front().step);
        }
        bool areAllThere = true;
        for (const auto& rows : m_held) {
            areAllThere = areAllThere && (rows.empty() || rows.front().step == step);
        }
        std::vector<LastArrival> last(m_held.size(), LastArrival{0, false});
        for (std::size_t rank = 0; areAllThere && rank < m_held.size(); ++rank) {
            last[rank] = m_held[rank].empty() ? last[rank] : lastArrivalFor(rank);
        }
        for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
            if (m_held[rank].empty() || m_held[rank].front().step != step) {
                continue; // it took no part in this one
            }
            if (last[rank].isKnown) {
                output.addSplit(rank, m_held[rank].front(), last[rank].ns);
            } else {
                output.add(rank, m_held[rank].front());
            }
            m_held[rank].pop_front();
        }
        passUnjoined(output);
    }
}

StepJoin::Joined StepJoin::takeRest()
{
    Output output;
    for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
        for (const StepRow& row : m_held[rank]) {
            output.add(rank, row);
        }
        m_held[rank].clear();
    }
    return output.take();
}

} // namespace lockstep::store
