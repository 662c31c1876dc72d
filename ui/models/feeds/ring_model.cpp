#include "ui/models/feeds/ring_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockstep::ui {

bool RingPicture::isReducing() const
{
    for (std::size_t rank = 0; rank < done.size(); ++rank) {
        const auto& own = moves->byRank[rank];
        if (std::any_of(
                own.begin() + done[rank], own.end(), [](const plan::AllReduceMove& move) { return move.adds; })) {
            return true;
        }
    }
    return false;
}

RingStep::RingStep(std::shared_ptr<const plan::AllReduceMoves> moves)
    : m_moves(std::move(moves))
    , m_exchanges(m_moves->byRank.size())
{
    for (const auto& own : m_moves->byRank) {
        m_isThere.emplace_back(own.size());
    }
}

bool RingStep::add(const RingEvent& event)
{
    const bool isOurs = event.rank >= 0 && event.rank < ranks() && event.number >= 0
        && event.number < static_cast<int>(m_isThere[static_cast<std::size_t>(event.rank)].size());
    if (!isOurs || m_isThere[static_cast<std::size_t>(event.rank)][static_cast<std::size_t>(event.number)]) {
        return false;
    }
    m_isThere[static_cast<std::size_t>(event.rank)][static_cast<std::size_t>(event.number)] = true;
    ++m_exchanges[static_cast<std::size_t>(event.rank)];
    m_events.push_back(event);
    return true;
}

const plan::AllReduceMove& RingStep::moveOf(const RingEvent& event) const
{
    return m_moves->byRank[static_cast<std::size_t>(event.rank)][static_cast<std::size_t>(event.number)];
}

int RingStep::messages() const
{
    std::ptrdiff_t messages = 0;
    for (const auto& own : m_moves->byRank) {
        messages += std::ranges::count_if(own, [](const plan::AllReduceMove& move) { return move.to >= 0; });
    }
    return static_cast<int>(messages);
}

/// At one instant the end of a move comes before the beginning of the next one.
void RingStep::order()
{
    std::sort(m_events.begin(), m_events.end(), [](const RingEvent& one, const RingEvent& other) {
        return std::tie(one.endNs, one.number, one.rank) < std::tie(other.endNs, other.number, other.rank);
    });
    m_instants.clear();
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        if (moveOf(m_events[i]).to >= 0) {
            m_instants.push_back({i, false});
        }
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
    for (std::size_t rank = 0; rank < m_exchanges.size(); ++rank) {
        if (m_exchanges[rank] < static_cast<int>(m_isThere[rank].size())) {
            return false;
        }
    }
    return true;
}

/// For a message that has not been sent yet.
bool RingStep::isWaiting(int rank) const
{
    const auto& own = m_moves->byRank[static_cast<std::size_t>(rank)];
    const auto next = static_cast<std::size_t>(m_exchanges[static_cast<std::size_t>(rank)]);
    const int from = own[next].from;
    if (from < 0) {
        return false;
    }
    const auto before = std::count_if(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(next),
        [from](const plan::AllReduceMove& move) { return move.from == from; });
    const auto& theirs = m_moves->byRank[static_cast<std::size_t>(from)];
    const auto sent = std::count_if(theirs.begin(), theirs.begin() + m_exchanges[static_cast<std::size_t>(from)],
        [rank](const plan::AllReduceMove& move) { return move.to == rank; });
    return sent <= before;
}

std::vector<int> RingStep::waitedFor() const
{
    std::vector<int> found;
    for (int rank = 0; rank < ranks(); ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        if (m_exchanges[at] < static_cast<int>(m_isThere[at].size()) && !isWaiting(rank)) {
            found.push_back(rank);
        }
    }
    return found;
}

RingPicture RingStep::pictureAt(double place) const
{
    RingPicture picture;
    picture.moves = m_moves;
    picture.done.assign(m_exchanges.size(), 0);
    picture.contributions.assign(m_exchanges.size() * static_cast<std::size_t>(m_moves->chunks), 1);
    const auto passed = std::min(static_cast<std::size_t>(std::max(0.0, place)), m_instants.size());
    std::vector<std::size_t> beganAt(m_events.size(), m_instants.size());
    std::vector<std::size_t> endsAt(m_events.size(), m_instants.size());
    for (std::size_t i = 0; i < m_instants.size(); ++i) {
        (m_instants[i].isEnd ? endsAt : beganAt)[m_instants[i].event] = i;
    }
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        const RingEvent& event = m_events[i];
        const plan::AllReduceMove& move = moveOf(event);
        if (endsAt[i] < passed) {
            int& done = picture.done[static_cast<std::size_t>(event.rank)];
            done = std::max(done, event.number + 1);
            const auto row = picture.contributions.begin() + event.rank * m_moves->chunks;
            std::fill(row + move.receives.begin, row + move.receives.end, move.contributions);
        } else if (beganAt[i] < passed) {
            const double length = static_cast<double>(endsAt[i] - beganAt[i]);
            const double progress = (place - 1.0 - static_cast<double>(beganAt[i])) / length;
            picture.flights.push_back({event.rank, move.to, move.sends, event.bytes, std::clamp(progress, 0.0, 1.0)});
        }
    }
    return picture;
}

std::string allReduceOf(const experiment::RunSpec& run)
{
    const std::string algorithm(nameOf(run.settings->aggregation.algorithm));
    const auto ranks = experiment::worldSizeOf(run);
    return ranks && plan::allReduceMoves(algorithm, *ranks).ranks() > 1 ? algorithm : std::string();
}

RingModel::RingModel(std::string algorithm, std::size_t maximumSteps)
    : m_algorithm(std::move(algorithm))
    , m_maximum(maximumSteps)
{ }

void RingModel::take(const store::Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        m_ranks = std::max(m_ranks, static_cast<int>(hello.worldSize));
    }
    if (m_moves->ranks() != m_ranks && m_steps.empty()) {
        m_moves = std::make_shared<plan::AllReduceMoves>(plan::allReduceMoves(m_algorithm, m_ranks));
    }
    std::set<std::int64_t> touched;
    for (const auto& [rank, batch] : delta.traffic) {
        m_dropped += batch.dropped;
        if (rank >= 0 && rank < m_moves->ranks()) {
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
    const auto& own = m_moves->byRank[static_cast<std::size_t>(rank)];
    for (const wire::TrafficRow& row : batch.rows) {
        const bool isMove = row.number >= 0 && row.number < static_cast<std::int64_t>(own.size())
            && row.to == own[static_cast<std::size_t>(row.number)].to
            && row.from == own[static_cast<std::size_t>(row.number)].from;
        const bool isTooOld = m_steps.size() >= mostSteps() && row.step < m_steps.begin()->first;
        if (!isMove || isTooOld) {
            continue;
        }
        m_steps.try_emplace(row.step, m_moves)
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
    std::size_t events = 0;
    for (const auto& own : m_moves->byRank) {
        events += own.size();
    }
    return std::clamp<std::size_t>(MaximumEvents / std::max<std::size_t>(1, events), 1, m_maximum);
}

} // namespace lockstep::ui
