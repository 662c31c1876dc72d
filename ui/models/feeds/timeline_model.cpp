#include "ui/models/feeds/timeline_model.h"

#include "analysis/timing/bubble.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

/// How much is dropped at once: an eighth, so that moving the rest is rare.
constexpr std::size_t ForgetShare = 8;

constexpr std::int32_t LastMicroBatch = std::numeric_limits<std::int16_t>::max();

bool startsEarlier(const TimelineSpan& one, const TimelineSpan& other)
{
    return one.startNs < other.startNs;
}

/// The micro-batch with the most time in a column.
struct ColumnPass {
    std::int16_t microBatch = -1;
    float weight = 0.0F;

    void add(std::int16_t number, float more)
    {
        if (number == microBatch) {
            weight += more;
        } else if (more > weight) {
            *this = {number, more};
        }
    }
};

/// The time that each phase has in each column.
class Columns {
public:
    Columns(const TimelineWindow& window, int columns, TimelineColours colours)
        : m_from(window.fromNs)
        , m_perNs(static_cast<double>(columns) / static_cast<double>(window.length()))
        , m_weights(static_cast<std::size_t>(columns))
        , m_passes(colours == TimelineColours::MicroBatch ? m_weights.size() : 0)
    { }

    void add(const TimelineSpan& span)
    {
        const auto count = static_cast<double>(m_weights.size());
        const double left = std::clamp(static_cast<double>(span.startNs - m_from) * m_perNs, 0.0, count);
        const double right = std::clamp(static_cast<double>(span.endNs() - m_from) * m_perNs, 0.0, count);
        if (right <= left) {
            return;
        }
        const auto first = static_cast<std::size_t>(left);
        const std::size_t last = std::min(static_cast<std::size_t>(right), m_weights.size() - 1);
        if (first == last) {
            addTo(first, span, static_cast<float>(right - left));
            return;
        }
        addTo(first, span, static_cast<float>(static_cast<double>(first + 1) - left));
        for (std::size_t i = first + 1; i < last; ++i) {
            addTo(i, span, 1.0F);
        }
        addTo(last, span, static_cast<float>(right - static_cast<double>(last)));
    }

    [[nodiscard]] std::vector<TimelineSlice> slices() const
    {
        std::vector<TimelineSlice> found;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            const auto& weights = m_weights[i];
            const auto most = std::max_element(weights.begin(), weights.end());
            if (*most <= 0.0F) {
                continue;
            }
            float sum = 0.0F;
            for (const float each : weights) {
                sum += each;
            }
            const int column = static_cast<int>(i);
            const auto phase = static_cast<Phase>(most - weights.begin());
            const TimelineSlice slice{column, column + 1, phase, sum < 0.5F, microBatchOf(i, phase)};
            if (!found.empty() && found.back().to == column && found.back().phase == slice.phase
                && found.back().isSparse == slice.isSparse && found.back().microBatch == slice.microBatch) {
                found.back().to = column + 1;
            } else {
                found.push_back(slice);
            }
        }
        return found;
    }

private:
    void addTo(std::size_t column, const TimelineSpan& span, float weight)
    {
        m_weights[column][static_cast<std::size_t>(span.phase)] += weight;
        if (span.microBatch >= 0 && !m_passes.empty()) {
            m_passes[column][static_cast<std::size_t>(span.phase)].add(span.microBatch, weight);
        }
    }

    /// A column shared by several micro-batches belongs to none of them.
    [[nodiscard]] std::int16_t microBatchOf(std::size_t column, Phase phase) const
    {
        if (m_passes.empty()) {
            return -1;
        }
        const ColumnPass& pass = m_passes[column][static_cast<std::size_t>(phase)];
        const float whole = m_weights[column][static_cast<std::size_t>(phase)];
        return 2.0F * pass.weight > whole ? pass.microBatch : std::int16_t{-1};
    }

    std::int64_t m_from;
    double m_perNs;
    std::vector<std::array<float, PhaseCount>> m_weights;
    std::vector<std::array<ColumnPass, PhaseCount>> m_passes; ///< empty: not asked for
};

} // namespace

TimelineModel::TimelineModel(std::size_t maximumSpans)
    : m_maximum(maximumSpans)
{ }

void TimelineModel::take(const store::Delta& delta)
{
    for (const auto& [rank, batch] : delta.spans) {
        m_dropped += batch.dropped;
        merge(rank, batch);
        if (m_size > m_maximum) {
            forgetOldest();
        }
    }
}

TimelineModel::Lane& TimelineModel::laneOf(std::int32_t rank)
{
    const auto at = std::lower_bound(m_ranks.begin(), m_ranks.end(), rank);
    const auto place = at - m_ranks.begin();
    if (at == m_ranks.end() || *at != rank) {
        m_ranks.insert(at, rank);
        m_lanes.insert(m_lanes.begin() + place, Lane());
    }
    return m_lanes[static_cast<std::size_t>(place)];
}

void TimelineModel::merge(std::int32_t rank, const wire::SpanBatch& batch)
{
    if (batch.size() == 0) {
        return;
    }
    Lane& lane = laneOf(rank);
    const auto before = static_cast<std::ptrdiff_t>(lane.spans.size());
    for (const wire::SpanRow& row : batch.rows) {
        const auto phase = static_cast<std::size_t>(row.phase);
        if (phase >= PhaseCount) {
            continue;
        }
        const bool isPass = analysis::StepPasses::isPass(row.phase, row.microBatch) && row.microBatch <= LastMicroBatch;
        const TimelineSpan span{row.startNs, std::max<std::int64_t>(0, row.durationNs),
            static_cast<std::int32_t>(row.step), row.phase,
            isPass ? static_cast<std::int16_t>(row.microBatch) : std::int16_t{-1}};
        m_microBatches = std::max(m_microBatches, span.microBatch + 1);
        m_originNs = m_originNs == 0 ? span.startNs : std::min(m_originNs, span.startNs);
        m_endNs = std::max(m_endNs, span.endNs());
        lane.longestNs = std::max(lane.longestNs, span.durationNs);
        lane.spans.push_back(span);
        m_hasPhase[phase] = true;
    }
    const auto middle = lane.spans.begin() + before;
    m_size += static_cast<std::size_t>(lane.spans.end() - middle);
    if (!std::is_sorted(middle, lane.spans.end(), startsEarlier)) {
        std::stable_sort(middle, lane.spans.end(), startsEarlier);
    }
    if (middle != lane.spans.end()) {
        const auto first = std::upper_bound(lane.spans.begin(), middle, *middle, startsEarlier);
        std::inplace_merge(first, middle, lane.spans.end(), startsEarlier);
    }
}

/// Cuts all lanes at the same time, which drops that share from the fullest one.
void TimelineModel::forgetOldest()
{
    while (m_size > m_maximum) {
        const auto fullest = std::max_element(m_lanes.begin(), m_lanes.end(),
            [](const Lane& one, const Lane& other) { return one.spans.size() < other.spans.size(); });
        const std::int64_t cut = fullest->spans[fullest->spans.size() / ForgetShare].startNs;
        std::size_t gone = 0;
        for (Lane& lane : m_lanes) {
            auto end = std::lower_bound(lane.spans.begin(), lane.spans.end(), TimelineSpan{cut}, startsEarlier);
            gone += static_cast<std::size_t>(end - lane.spans.begin());
            lane.spans.erase(lane.spans.begin(), end);
        }
        if (gone == 0) { // that many begin at one instant: their order means nothing
            gone = fullest->spans.size() / ForgetShare + 1;
            fullest->spans.erase(fullest->spans.begin(), fullest->spans.begin() + static_cast<std::ptrdiff_t>(gone));
        }
        m_size -= gone;
        m_forgotten += static_cast<std::int64_t>(gone);
    }
}

TimelineWindow TimelineModel::whole() const
{
    std::int64_t from = m_endNs;
    for (const Lane& lane : m_lanes) {
        from = lane.spans.empty() ? from : std::min(from, lane.spans.front().startNs);
    }
    return {from, std::max(m_endNs, from + 1)};
}

const TimelineModel::Lane* TimelineModel::fullest() const
{
    const auto most = std::ranges::max_element(m_lanes, {}, [](const Lane& lane) { return lane.spans.size(); });
    return most == m_lanes.end() || most->spans.empty() ? nullptr : &*most;
}

TimelineWindow TimelineModel::newest(int steps) const
{
    TimelineWindow window = whole();
    const Lane* const lane = fullest();
    if (lane == nullptr) {
        return window;
    }
    const std::int32_t oldest = lane->spans.back().step - steps + 1;
    for (auto span = lane->spans.rbegin(); span != lane->spans.rend() && span->step >= oldest; ++span) {
        window.fromNs = span->startNs;
    }
    // After the last step an evaluation may take longer than all of these steps: then only its beginning is shown.
    const TimelineSpan& last = lane->spans.back();
    const std::int64_t stepsNs = last.startNs - window.fromNs;
    if (last.phase == Phase::Evaluate && stepsNs > 0 && last.durationNs > stepsNs) {
        window.toNs = last.startNs + stepsNs / 8;
    }
    return window;
}

namespace {

/// A step of one lane, evaluations left out.
struct StepStretch {
    std::int32_t step = 0;
    TimelineWindow window;
    bool hasEvaluation = false;
};

std::vector<StepStretch> stretchesOf(std::span<const TimelineSpan> spans)
{
    std::vector<StepStretch> stretches;
    for (const TimelineSpan& span : spans) {
        if (stretches.empty() || span.step > stretches.back().step) {
            stretches.push_back({span.step, {span.startNs, span.endNs()}, false});
        }
        if (span.step == stretches.back().step) {
            stretches.back().hasEvaluation = stretches.back().hasEvaluation || span.phase == Phase::Evaluate;
            stretches.back().window.toNs = std::max(stretches.back().window.toNs, span.endNs());
        }
    }
    return stretches;
}

} // namespace

TimelineWindow TimelineModel::typical() const
{
    const Lane* const lane = fullest();
    std::vector<StepStretch> steps = lane == nullptr ? std::vector<StepStretch>() : stretchesOf(lane->spans);
    if (steps.size() > 2) { // of the first, spans may be forgotten; the last may not be whole yet
        steps.erase(steps.begin());
        steps.pop_back();
    }
    std::erase_if(steps, &StepStretch::hasEvaluation);
    if (steps.empty()) {
        return newest(1);
    }
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle, {}, [](const StepStretch& each) { return each.window.length(); });
    const TimelineWindow own = middle->window;
    TimelineWindow all = own;
    for (const Lane& other : m_lanes) {
        for (const TimelineSpan& span : other.spans) {
            if (span.step == middle->step && span.phase != Phase::Evaluate) {
                all = {std::min(all.fromNs, span.startNs), std::max(all.toNs, span.endNs())};
            }
        }
    }
    // Ranks that do not go in step, as beside an asynchronous server, have their steps of one number far apart.
    return all.length() > 2 * own.length() ? own : all;
}

std::span<const TimelineSpan> TimelineModel::candidates(const Lane& lane, const TimelineWindow& window)
{
    const auto first = std::lower_bound(
        lane.spans.begin(), lane.spans.end(), TimelineSpan{window.fromNs - lane.longestNs}, startsEarlier);
    const auto last = std::lower_bound(first, lane.spans.end(), TimelineSpan{window.toNs}, startsEarlier);
    return {first, last};
}

std::vector<TimelineSlice> TimelineModel::slices(
    std::size_t lane, const TimelineWindow& window, int columns, TimelineColours colours) const
{
    if (columns <= 0 || window.length() <= 0) {
        return {};
    }
    Columns sums(window, columns, colours);
    for (const TimelineSpan& span : candidates(m_lanes.at(lane), window)) {
        sums.add(span);
    }
    return sums.slices();
}

std::vector<TimelineSpan> TimelineModel::passesIn(
    std::size_t lane, const TimelineWindow& window, std::int64_t leastNs) const
{
    std::vector<TimelineSpan> passes;
    for (const TimelineSpan& span : candidates(m_lanes.at(lane), window)) {
        if (span.microBatch >= 0 && span.phase != Phase::Communicate && span.durationNs >= leastNs
            && span.endNs() > window.fromNs) {
            passes.push_back(span);
        }
    }
    return passes;
}

std::optional<TimelineSpan> TimelineModel::longestIn(std::size_t lane, const TimelineWindow& window) const
{
    std::optional<TimelineSpan> longest;
    for (const TimelineSpan& span : candidates(m_lanes.at(lane), window)) {
        if (span.endNs() > window.fromNs && (!longest || span.durationNs > longest->durationNs)) {
            longest = span;
        }
    }
    return longest;
}

namespace {

/// Between two spans of one lane that belong to different steps.
std::vector<TimelineWindow> holesOf(std::span<const TimelineSpan> spans, const TimelineWindow& window)
{
    std::vector<TimelineWindow> holes;
    std::int64_t endNs = window.fromNs;
    std::int32_t step = -1;
    for (const TimelineSpan& span : spans) {
        if (span.startNs > endNs && step >= 0 && span.step != step) {
            holes.push_back({endNs, std::min(span.startNs, window.toNs)});
        }
        endNs = std::max(endNs, span.endNs());
        step = std::max(step, span.step);
    }
    return holes;
}

/// What lies in both lists, each in order.
std::vector<TimelineWindow> commonOf(const std::vector<TimelineWindow>& one, const std::vector<TimelineWindow>& other)
{
    std::vector<TimelineWindow> common;
    for (std::size_t a = 0, b = 0; a < one.size() && b < other.size();) {
        const TimelineWindow both{std::max(one[a].fromNs, other[b].fromNs), std::min(one[a].toNs, other[b].toNs)};
        if (both.length() > 0) {
            common.push_back(both);
        }
        ++(one[a].toNs < other[b].toNs ? a : b);
    }
    return common;
}

} // namespace

std::vector<TimelineWindow> TimelineModel::breaksIn(const TimelineWindow& window) const
{
    std::vector<TimelineWindow> breaks;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        std::vector<TimelineWindow> holes = holesOf(candidates(m_lanes[lane], window), window);
        breaks = lane == 0 ? std::move(holes) : commonOf(breaks, holes);
    }
    std::int64_t idleNs = 0;
    for (const TimelineWindow& each : breaks) {
        idleNs += each.length();
    }
    const auto steps = static_cast<std::int64_t>(std::max<std::size_t>(1, stepStarts(window).size()));
    const std::int64_t stepNs = std::max<std::int64_t>(1, (window.length() - idleNs) / steps);
    std::erase_if(breaks, [&](const TimelineWindow& each) { return each.length() <= 2 * stepNs; });
    return breaks;
}

std::size_t TimelineModel::countIn(std::size_t lane, const TimelineWindow& window) const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        candidates(m_lanes.at(lane), window), [&](const TimelineSpan& span) { return span.endNs() > window.fromNs; }));
}

TimelineModel TimelineModel::part(const TimelineWindow& window) const
{
    TimelineModel part(m_maximum);
    part.m_ranks = m_ranks;
    part.m_originNs = m_originNs;
    part.m_endNs = m_endNs;
    part.m_forgotten = m_forgotten;
    part.m_dropped = m_dropped;
    part.m_hasPhase = m_hasPhase;
    part.m_microBatches = m_microBatches;
    for (const Lane& lane : m_lanes) {
        Lane& kept = part.m_lanes.emplace_back();
        kept.longestNs = lane.longestNs;
        std::ranges::copy_if(candidates(lane, window), std::back_inserter(kept.spans),
            [&](const TimelineSpan& span) { return span.endNs() > window.fromNs; });
        part.m_size += kept.spans.size();
    }
    return part;
}

std::vector<StepStart> TimelineModel::stepStarts(const TimelineWindow& window) const
{
    std::vector<StepStart> starts;
    if (m_lanes.empty()) {
        return starts;
    }
    const Lane& lane = m_lanes.front();
    const std::span<const TimelineSpan> range = candidates(lane, window);
    // A step whose first span lies before the window has begun before it.
    std::int32_t last = range.data() > lane.spans.data() ? range.data()[-1].step : -1;
    for (const TimelineSpan& span : range) {
        if (span.step <= last) {
            continue;
        }
        last = span.step;
        if (span.startNs >= window.fromNs) {
            starts.push_back({span.step, span.startNs});
        }
    }
    return starts;
}

} // namespace lockstep::ui
