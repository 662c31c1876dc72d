// What the training thread pushed and the sending thread has not taken yet. Pushing costs one uncontended lock and one
// copy of the row; taking swaps buffers, so no thread waits for another's copying, encoding or sending.
#pragma once

#include "engine/telemetry/recorder.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace lockstep::engine {

/// Everything that is neither a row nor a span nor a message between ranks, with its place among the rows.
struct Event {
    std::size_t rowsBefore = 0;
    wire::Message message;
};

struct QueuedBatch {
    std::vector<StepRow> rows;
    std::vector<Event> events;
    std::vector<wire::SpanRow> spans;
    std::vector<wire::TrafficRow> traffic;
    std::int64_t droppedSpans = 0;
    std::int64_t droppedTraffic = 0;

    void clear();
};

enum class Spans : std::uint8_t { Take, Leave };

class Queue {
public:
    explicit Queue(std::size_t maxSpans);

    void push(const StepRow& row);
    void push(const wire::SpanRow& span);
    void push(const wire::TrafficRow& message);
    void push(wire::Message event);

    /// Swaps what is queued with `batch`, which must be empty (its memory is used again).
    void take(QueuedBatch& batch, Spans spans);

    /// The peer has gone: discards everything pushed from now on.
    void close();

private:
    std::size_t m_maxSpans;
    std::mutex m_mutex;
    bool m_isClosed = false;
    QueuedBatch m_batch;
};

/// The batch as frames, rows and events in the order in which they were pushed, spans and traffic last. Encoding cannot
/// fail: rows and texts are cut to what fits into a frame.
[[nodiscard]] std::vector<std::vector<std::byte>> encodeBatch(const QueuedBatch& batch);

} // namespace lockstep::engine
