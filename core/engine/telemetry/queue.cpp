#include "engine/telemetry/queue.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace lockstep::engine {

namespace {

// 120 and 25 bytes a row: frames stay under 1 MiB, a quarter of what a frame may have.
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

wire::StepBatch columnsOf(std::span<const StepRow> rows)
{
    wire::StepBatch columns;
    const auto fill = [rows](auto& column, auto StepRow::*field) {
        column.reserve(rows.size());
        for (const StepRow& row : rows) {
            column.push_back(row.*field);
        }
    };
    fill(columns.step, &StepRow::step);
    fill(columns.endNs, &StepRow::endNs);
    fill(columns.wallNs, &StepRow::wallNs);
    fill(columns.samples, &StepRow::samples);
    fill(columns.batch, &StepRow::batch);
    fill(columns.loss, &StepRow::loss);
    fill(columns.learningRate, &StepRow::learningRate);
    fill(columns.bytesSent, &StepRow::bytesSent);
    fill(columns.arrivalNs, &StepRow::arrivalNs);
    fill(columns.hiddenNs, &StepRow::hiddenNs);
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        columns.phaseNs[phase].reserve(rows.size());
        for (const StepRow& row : rows) {
            columns.phaseNs[phase].push_back(row.phaseNs[phase]);
        }
    }
    for (std::size_t kind = 0; kind < TrafficKindCount && !rows.empty() && rows.front().bytesByKind; ++kind) {
        for (const StepRow& row : rows) {
            columns.bytesByKind[kind].push_back(row.bytesByKind ? (*row.bytesByKind)[kind] : 0);
        }
    }
    return columns;
}

void appendRows(Frames& frames, std::span<const StepRow> rows)
{
    while (!rows.empty()) {
        const std::size_t count = std::min(rows.size(), RowsPerFrame);
        append(frames, columnsOf(rows.first(count)));
        rows = rows.subspan(count);
    }
}

void appendSpans(Frames& frames, std::span<const SpanRow> spans, std::int64_t dropped)
{
    // The first batch carries the number dropped, also when there is no span to go with it.
    while (!spans.empty() || dropped > 0) {
        const std::size_t count = std::min(spans.size(), SpansPerFrame);
        wire::SpanBatch columns;
        columns.dropped = std::exchange(dropped, 0);
        for (const SpanRow& span : spans.first(count)) {
            columns.microBatch.push_back(span.microBatch);
            columns.step.push_back(span.step);
            columns.phase.push_back(static_cast<std::uint8_t>(span.phase));
            columns.startNs.push_back(span.startNs);
            columns.durationNs.push_back(span.durationNs);
        }
        append(frames, columns);
        spans = spans.subspan(count);
    }
}

void appendTraffic(Frames& frames, std::span<const TrafficRow> messages, std::int64_t dropped)
{
    while (!messages.empty() || dropped > 0) {
        const std::size_t count = std::min(messages.size(), SpansPerFrame / 2);
        wire::TrafficBatch columns;
        columns.dropped = std::exchange(dropped, 0);
        for (const TrafficRow& message : messages.first(count)) {
            columns.step.push_back(message.step);
            columns.number.push_back(message.number);
            columns.to.push_back(message.to);
            columns.from.push_back(message.from);
            columns.bytes.push_back(message.bytes);
            columns.startNs.push_back(message.startNs);
            columns.durationNs.push_back(message.durationNs);
        }
        append(frames, columns);
        messages = messages.subspan(count);
    }
}

} // namespace

void Batch::clear()
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

void Queue::push(const SpanRow& span)
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

void Queue::push(const TrafficRow& message)
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

void Queue::take(Batch& batch, Spans spans)
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

std::vector<std::vector<std::byte>> encodeBatch(const Batch& batch)
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
    appendSpans(frames, batch.spans, batch.droppedSpans);
    appendTraffic(frames, batch.traffic, batch.droppedTraffic);
    return frames;
}

} // namespace lockstep::engine
