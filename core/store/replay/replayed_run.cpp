#include "store/replay/replayed_run.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

namespace lockstep::store {

namespace {

constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::min();

template <typename Row>
concept HasEnd = requires(const Row& row)
{
    row.endNs;
};
template <typename Row>
concept HasDuration = requires(const Row& row)
{
    row.startNs;
    row.durationNs;
};
template <typename Row>
concept HasTime = requires(const Row& row)
{
    row.timeNs;
};
template <typename Row>
concept IsTimed = HasEnd<Row> || HasDuration<Row> || HasTime<Row>;

/// When a rank sent it, at the earliest.
template <IsTimed Row>
std::int64_t timeOf(const Row& row)
{
    if constexpr (HasEnd<Row>) {
        return row.endNs;
    } else if constexpr (HasTime<Row>) {
        return row.timeNs;
    } else {
        return row.startNs + row.durationNs;
    }
}

template <typename Entry>
const Entry& sent(const Entry& entry)
{
    return entry;
}
template <typename What>
const What& sent(const FromRank<What>& entry)
{
    return entry.what;
}

template <typename Entry>
using Sent = std::remove_cvref_t<decltype(sent(std::declval<const Entry&>()))>;

/// Whose rows have times, not the batch as a whole.
template <typename What>
concept IsBatch = requires(const What& what)
{
    what.rows;
}
&&!HasTime<What>;

template <typename What, typename... Others>
constexpr bool isOneOf = (std::is_same_v<What, Others> || ...);

/// What others rest on: known before the rows that were received with it.
template <typename What>
constexpr bool comesFirst = isOneOf<What, wire::Hello, wire::Prepared, wire::Share, analysis::Machine, RunStart>;

template <typename Visit>
void eachTime(const Delta& delta, Visit&& visit)
{
    Delta::parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
        for (const Entry& entry : delta.*part) {
            if constexpr (IsBatch<Sent<Entry>>) {
                for (const auto& row : sent(entry).rows) {
                    visit(timeOf(row));
                }
            } else if constexpr (IsTimed<Sent<Entry>>) {
                visit(timeOf(sent(entry)));
            }
        }
    });
}

/// A batch's rows of that time. Rows that were dropped count with the batch's last row.
template <typename Batch>
void addRows(std::vector<FromRank<Batch>>& to, const FromRank<Batch>& from, const auto& isWanted, bool isEnd)
{
    Batch part = from.what;
    std::erase_if(part.rows, [&](const auto& row) { return !isWanted(timeOf(row)); });
    if constexpr (requires { part.dropped; }) {
        part.dropped = isEnd ? part.dropped : 0;
        if (part.rows.empty() && part.dropped == 0) {
            return;
        }
    } else if (part.rows.empty()) {
        return;
    }
    to.push_back({from.rank, std::move(part)});
}

} // namespace

void ReplayedRun::add(DeltaPtr delta)
{
    Part part;
    part.beforeNs = m_parts.empty() ? Never : m_parts.back().receivedNs;
    part.receivedNs = part.beforeNs;
    part.firstNs = std::numeric_limits<std::int64_t>::max();
    eachTime(*delta, [&](std::int64_t timeNs) {
        part.receivedNs = std::max(part.receivedNs, timeNs);
        part.firstNs = std::min(part.firstNs, timeNs);
    });
    part.firstNs = std::min(part.firstNs, part.beforeNs);
    part.delta = std::move(delta);
    m_parts.push_back(std::move(part));
}

void ReplayedRun::complete()
{
    m_firstFromHereNs.resize(m_parts.size());
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = m_parts.size(); i-- > 0;) {
        first = std::min(first, m_parts[i].firstNs);
        m_firstFromHereNs[i] = first;
    }
    placeSteps();
    m_endNs = m_parts.empty() ? m_beginNs : std::max(m_beginNs, m_parts.back().receivedNs);
}

/// 0 without any.
std::int64_t ReplayedRun::firstTime() const
{
    std::optional<std::int64_t> first;
    for (const Part& part : m_parts) {
        eachTime(*part.delta, [&](std::int64_t timeNs) { first = std::min(first.value_or(timeNs), timeNs); });
    }
    return first.value_or(0);
}

void ReplayedRun::placeSteps()
{
    std::map<std::int64_t, std::int64_t> ends;
    std::int64_t firstStep = std::numeric_limits<std::int64_t>::max();
    for (const Part& part : m_parts) {
        for (const auto& [rank, batch] : part.delta->steps) {
            for (const StepRow& row : batch.rows) {
                std::int64_t& end = ends.try_emplace(row.step, row.endNs).first->second;
                end = std::max(end, row.endNs);
                firstStep = std::min(firstStep, row.endNs - row.wallNs);
            }
        }
        for (const auto& [rank, batch] : part.delta->traffic) {
            std::ranges::transform(
                batch.rows, std::back_inserter(m_messageEndsNs), [](const auto& row) { return timeOf(row); });
        }
    }
    m_beginNs = ends.empty() ? firstTime() : firstStep;
    std::ranges::transform(ends, std::back_inserter(m_stepEndsNs), [](const auto& each) { return each.second; });
    for (std::vector<std::int64_t>* list : {&m_stepEndsNs, &m_messageEndsNs}) {
        std::ranges::sort(*list);
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
}

DeltaPtr ReplayedRun::between(std::int64_t afterNs, std::int64_t toNs) const
{
    // Nothing was received before the first part: what has no time there belongs to the very beginning.
    const auto isWanted = [&](std::int64_t timeNs) {
        const std::int64_t placed = std::max(timeNs, Never + 1);
        return placed > afterNs && placed <= toNs;
    };
    auto found = std::make_shared<Delta>();
    // Parts are received in order: those before this one end before the time.
    auto at = std::ranges::lower_bound(m_parts, std::max(afterNs, Never + 1), {}, &Part::receivedNs);
    at = afterNs == Never ? m_parts.begin() : at;
    for (; at != m_parts.end(); ++at) {
        if (m_firstFromHereNs[static_cast<std::size_t>(at - m_parts.begin())] > toNs) {
            break;
        }
        Delta::parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
            for (const Entry& entry : (*at->delta).*part) {
                if constexpr (IsBatch<Sent<Entry>>) {
                    addRows(found.get()->*part, entry, isWanted, isWanted(at->receivedNs));
                } else {
                    std::int64_t timeNs = comesFirst<Sent<Entry>> ? at->beforeNs : at->receivedNs;
                    if constexpr (IsTimed<Sent<Entry>>) {
                        timeNs = timeOf(sent(entry));
                    }
                    if (isWanted(timeNs)) {
                        (found.get()->*part).push_back(entry);
                    }
                }
            }
        });
    }
    return found->isEmpty() ? nullptr : found;
}

} // namespace lockstep::store
