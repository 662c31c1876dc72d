#include "engine/strategy/call_report.h"

#include "base/clock.h"

#include <utility>

namespace lockstep::engine {

void reportCalls(comm::CallRecord& record, Recorder& recorder)
{
    if (!record.claim()) {
        return;
    }
    for (int rank = 0; rank < record.ranks(); ++rank) {
        wire::CallBatch batch{.rows = {}, .rank = rank, .timeNs = monotonicNs()};
        for (const comm::CallRecord::Entry& entry : record.of(rank)) {
            batch.rows.push_back({.call = entry.call,
                .step = entry.step,
                .number = entry.number,
                .group = entry.group,
                .members = static_cast<std::int64_t>(entry.members),
                .peer = entry.peer,
                .bytes = entry.bytes,
                .enteredNs = entry.enteredNs,
                .waitedNs = entry.waitedNs,
                .leftNs = entry.leftNs});
        }
        recorder.record(std::move(batch));
    }
}

} // namespace lockstep::engine
