#include "session/collect/step_join.h"

#include <algorithm>
#include <map>

namespace lockstep::session {

namespace {

constexpr auto Wait = static_cast<std::size_t>(Phase::Wait);
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
    void add(std::size_t rank, StepRow row)
    {
        row.arrivalNs = 0; // it has done its work
        m_steps[rank].rows.push_back(row);
    }
    void addSplit(std::size_t rank, StepRow row, std::int64_t lastArrivalNs)
    {
        const std::int64_t end = row.arrivalNs + row.phaseNs[Communicate];
        // A rank may leave before the last one comes where the algorithm lets it (the leaf of a tree that only sends).
        const std::int64_t last = std::min(lastArrivalNs, end);
        row.phaseNs[Wait] += last - row.arrivalNs;
        row.phaseNs[Communicate] = end - last;
        add(rank, row);
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
    std::map<std::size_t, wire::StepBatch> m_steps;
    std::map<std::size_t, wire::SpanBatch> m_spans;
};

StepJoin::StepJoin(std::int32_t worldSize)
    : m_held(static_cast<std::size_t>(std::max(1, worldSize)))
{ }

bool StepJoin::isEmpty() const
{
    return std::all_of(m_held.begin(), m_held.end(), [](const auto& rows) { return rows.empty(); });
}

StepJoin::Joined StepJoin::add(std::int32_t rank, const wire::StepBatch& batch)
{
    std::deque<StepRow>& held = m_held.at(static_cast<std::size_t>(rank));
    held.insert(held.end(), batch.rows.begin(), batch.rows.end());
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

void StepJoin::advance(Output& output)
{
    passUnjoined(output);
    while (std::none_of(m_held.begin(), m_held.end(), [](const auto& rows) { return rows.empty(); })) {
        std::int64_t step = m_held.front().front().step;
        for (const auto& rows : m_held) {
            step = std::min(step, rows.front().step);
        }
        std::int64_t last = 0;
        bool areAllThere = true;
        for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
            areAllThere = areAllThere && m_held[rank].front().step == step;
            last = std::max(last, m_held[rank].front().arrivalNs);
        }
        for (std::size_t rank = 0; rank < m_held.size(); ++rank) {
            if (m_held[rank].front().step != step) {
                continue; // it took no part in this one
            }
            if (areAllThere) {
                output.addSplit(rank, m_held[rank].front(), last);
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

} // namespace lockstep::session
