#include "ui/models/ring_model.h"

#include <algorithm>
#include <tuple>

namespace lockstep::ui {

using plan::RingMove;

RingStep::RingStep(int ranks)
    : m_exchanges(static_cast<std::size_t>(ranks))
    , m_isThere(static_cast<std::size_t>(ranks * plan::ringExchanges(ranks)))
{ }

bool RingStep::add(const RingEvent& event)
{
    const bool isOurs = event.rank >= 0 && event.rank < ranks() && event.number >= 0 && event.number < exchanges();
    const auto place = static_cast<std::size_t>(event.rank * exchanges() + event.number);
    if (!isOurs || m_isThere[place]) {
        return false;
    }
    m_isThere[place] = true;
    ++m_exchanges[static_cast<std::size_t>(event.rank)];
    m_events.push_back(event);
    return true;
}

/// At one instant the end of an exchange comes before the beginning of the next one.
void RingStep::order()
{
    std::sort(m_events.begin(), m_events.end(), [](const RingEvent& one, const RingEvent& other) {
        return std::tie(one.endNs, one.number, one.rank) < std::tie(other.endNs, other.number, other.rank);
    });
    m_instants.clear();
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        m_instants.push_back({i, false});
        m_instants.push_back({i, true});
    }
    const auto key = [this](const RingInstant& each) {
        const RingEvent& event = m_events[each.event];
        return std::tuple(timeOf(each), 2 * event.number + (each.isEnd ? 1 : 0), event.rank);
    };
    std::sort(m_instants.begin(), m_instants.end(),
        [&](const RingInstant& one, const RingInstant& other) { return key(one) < key(other); });
}

std::int64_t RingStep::timeOf(const RingInstant& instant) const
{
    const RingEvent& event = m_events[instant.event];
    return instant.isEnd ? event.endNs : event.startNs;
}

bool RingStep::isComplete() const
{
    return std::all_of(m_exchanges.begin(), m_exchanges.end(), [this](int each) { return each == exchanges(); });
}

std::vector<int> RingStep::waitedFor() const
{
    std::vector<int> found;
    const auto [least, most] = std::minmax_element(m_exchanges.begin(), m_exchanges.end());
    if (least == m_exchanges.end() || *least == *most) {
        return found;
    }
    for (std::size_t rank = 0; rank < m_exchanges.size(); ++rank) {
        const std::size_t previous = (rank + m_exchanges.size() - 1) % m_exchanges.size();
        // A rank whose neighbour is equally far behind is waiting itself.
        if (m_exchanges[rank] == *least && m_exchanges[previous] > *least) {
            found.push_back(static_cast<int>(rank));
        }
    }
    return found;
}

RingPicture RingStep::pictureAt(double place) const
{
    RingPicture picture;
    const int p = ranks();
    picture.done.assign(m_exchanges.size(), 0);
    picture.contributions.assign(m_exchanges.size() * m_exchanges.size(), 1);
    const auto passed = std::min(static_cast<std::size_t>(std::max(0.0, place)), m_instants.size());
    std::vector<std::size_t> beganAt(m_events.size(), m_instants.size());
    std::vector<std::size_t> endsAt(m_events.size(), m_instants.size());
    for (std::size_t i = 0; i < m_instants.size(); ++i) {
        (m_instants[i].isEnd ? endsAt : beganAt)[m_instants[i].event] = i;
    }
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        const RingEvent& event = m_events[i];
        const RingMove move = plan::ringMove(event.rank, p, event.number);
        if (endsAt[i] < passed) {
            int& done = picture.done[static_cast<std::size_t>(event.rank)];
            done = std::max(done, event.number + 1);
            picture.contributions[static_cast<std::size_t>(event.rank * p + move.receives)] = move.contributions;
        } else if (beganAt[i] < passed) {
            const double length = static_cast<double>(endsAt[i] - beganAt[i]);
            const double progress = (place - 1.0 - static_cast<double>(beganAt[i])) / length;
            picture.flights.push_back({event.rank, (event.rank + 1) % p, move.sends, move.phase, event.bytes,
                std::clamp(progress, 0.0, 1.0)});
        }
    }
    return picture;
}

RingModel::RingModel(std::size_t maximumSteps)
    : m_maximum(maximumSteps)
{ }

void RingModel::take(const session::Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        m_ranks = std::max(m_ranks, static_cast<int>(hello.worldSize));
    }
    std::set<std::int64_t> touched;
    for (const auto& [rank, batch] : delta.traffic) {
        m_dropped += batch.dropped;
        if (m_ranks > 1 && rank >= 0 && rank < m_ranks) {
            add(rank, batch, touched);
        }
    }
    for (const std::int64_t step : touched) {
        if (const auto at = m_steps.find(step); at != m_steps.end()) {
            at->second.order();
        }
    }
}

void RingModel::add(std::int32_t rank, const wire::TrafficBatch& batch, std::set<std::int64_t>& touched)
{
    for (const wire::TrafficRow& row : batch.rows) {
        const bool isRing = row.to == (rank + 1) % m_ranks && row.from == (rank + m_ranks - 1) % m_ranks
            && row.number >= 0 && row.number < plan::ringExchanges(m_ranks);
        const bool isTooOld = m_steps.size() >= mostSteps() && row.step < m_steps.begin()->first;
        if (!isRing || isTooOld) {
            continue;
        }
        m_steps.try_emplace(row.step, m_ranks)
            .first->second.add({rank, static_cast<int>(row.number), row.bytes, row.startNs,
                row.startNs + std::max<std::int64_t>(0, row.durationNs)});
        touched.insert(row.step);
        if (m_steps.size() > mostSteps()) {
            m_steps.erase(m_steps.begin());
        }
    }
}

std::size_t RingModel::mostSteps() const
{
    const auto events = static_cast<std::size_t>(m_ranks * plan::ringExchanges(m_ranks));
    return std::clamp<std::size_t>(MaximumEvents / std::max<std::size_t>(1, events), 1, m_maximum);
}

} // namespace lockstep::ui
