#include "engine/telemetry/queue.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace lockstep::engine {

namespace {

// Frames stay well below the limit.
constexpr std::size_t RowsPerFrame = 8192;
constexpr std::size_t SpansPerFrame = 32768;
constexpr std::size_t ReservedRows = 1024;

using Frames = std::vector<std::vector<std::byte>>;

void append(Frames& frames, const wire::Message& message)
{
    Result<std::vector<std::byte>> frame = wire::encode(message);
    assert(frame.isOk()); // rows are split and texts are cut before they come here
    if (frame) {
        frames.push_back(std::move(*frame));
    }
}

void appendRows(Frames& frames, std::span<const StepRow> rows)
{
    while (!rows.empty()) {
        const auto some = rows.first(std::min(rows.size(), RowsPerFrame));
        append(frames, wire::StepBatch{{some.begin(), some.end()}});
        rows = rows.subspan(some.size());
    }
}

/// Spans or messages between ranks. The first batch carries the number dropped, even without rows.
template <typename RowBatch, typename Row>
void appendDroppable(Frames& frames, std::span<const Row> rows, std::int64_t dropped, std::size_t rowsPerFrame)
{
    while (!rows.empty() || dropped > 0) {
        const auto some = rows.first(std::min(rows.size(), rowsPerFrame));
        append(frames, RowBatch{{some.begin(), some.end()}, std::exchange(dropped, 0)});
        rows = rows.subspan(some.size());
    }
}

} // namespace

void QueuedBatch::clear()
{
    rows.clear();
    events.clear();
    spans.clear();
    traffic.clear();
    droppedSpans = 0;
    droppedTraffic = 0;
}

Queue::Queue(std::size_t maxSpans)
    : m_maxSpans(maxSpans)
{
    m_batch.rows.reserve(ReservedRows);
}

void Queue::push(const StepRow& row)
{
    const std::lock_guard lock(m_mutex);
    if (!m_isClosed) {
        m_batch.rows.push_back(row);
    }
}

void Queue::push(const wire::SpanRow& span)
{
    const std::lock_guard lock(m_mutex);
    if (m_isClosed) {
        return;
    }
    if (m_batch.spans.size() < m_maxSpans) {
        m_batch.spans.push_back(span);
    } else {
        ++m_batch.droppedSpans;
    }
}

void Queue::push(const wire::TrafficRow& message)
{
    const std::lock_guard lock(m_mutex);
    if (m_isClosed) {
        return;
    }
    if (m_batch.traffic.size() < m_maxSpans) {
        m_batch.traffic.push_back(message);
    } else {
        ++m_batch.droppedTraffic;
    }
}

void Queue::push(wire::Message event)
{
    const std::lock_guard lock(m_mutex);
    if (!m_isClosed) {
        m_batch.events.push_back({m_batch.rows.size(), std::move(event)});
    }
}

void Queue::take(QueuedBatch& batch, Spans spans)
{
    assert(batch.rows.empty() && batch.events.empty() && batch.spans.empty());
    const std::lock_guard lock(m_mutex);
    std::swap(m_batch.rows, batch.rows);
    std::swap(m_batch.events, batch.events);
    if (spans == Spans::Take) {
        std::swap(m_batch.spans, batch.spans);
        batch.droppedSpans = std::exchange(m_batch.droppedSpans, 0);
        std::swap(m_batch.traffic, batch.traffic);
        batch.droppedTraffic = std::exchange(m_batch.droppedTraffic, 0);
    }
}

void Queue::close()
{
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
    m_batch.clear();
}

std::vector<std::vector<std::byte>> encodeBatch(const QueuedBatch& batch)
{
    Frames frames;
    const std::span<const StepRow> rows(batch.rows);
    std::size_t sent = 0;
    for (const Event& event : batch.events) {
        appendRows(frames, rows.subspan(sent, event.rowsBefore - sent));
        sent = event.rowsBefore;
        append(frames, event.message);
    }
    appendRows(frames, rows.subspan(sent));
    appendDroppable<wire::SpanBatch>(frames, std::span(batch.spans), batch.droppedSpans, SpansPerFrame);
    appendDroppable<wire::TrafficBatch>(frames, std::span(batch.traffic), batch.droppedTraffic, SpansPerFrame / 2);
    return frames;
}

} // namespace lockstep::engine
