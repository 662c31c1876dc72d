// A run as a trace for Perfetto (ui.perfetto.dev): a zip archive of a manifest and a trace in Chrome's JSON format.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/rank_clocks.h"
#include "store/account/delta.h"

#include <QByteArray>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockstep::exchange {

/// A process per rank: its phases, communication, messages (linked from send to receive), loss, bytes and memory as
/// counters, and what was changed by hand. Times are relative to the first event; otherData has the CLOCK_MONOTONIC
/// time of that event on rank 0's host. Events of one track nest; one that overlaps another in part is on a further
/// track.
class PerfettoTrace {
public:
    /// Keeps the steps from `firstStep` on.
    explicit PerfettoTrace(const analysis::RunRecord& record, std::int64_t firstStep = 0);

    void add(const store::Delta& delta);

    /// Error: no spans, or ranks on several hosts of which one's clock was not measured.
    [[nodiscard]] Result<QByteArray> archive() const;

private:
    struct Counter {
        std::int64_t timeNs = 0;
        const char* name = nullptr;
        double value = 0.0;
    };
    struct Mark {
        std::int64_t timeNs = 0;
        std::string name;
    };
    struct Rank {
        std::vector<wire::SpanRow> spans;
        std::vector<wire::TrafficRow> messages;
        std::vector<Counter> counters;
        std::vector<Mark> marks;
    };
    class Writer;

    [[nodiscard]] bool areOnOneClock() const;
    void addSteps(std::int32_t rank, const wire::StepBatch& batch);
    [[nodiscard]] std::int64_t firstNs() const;

    std::string m_run; ///< its id
    std::string m_name;
    std::int64_t m_firstStep = 0;
    std::map<std::int32_t, Rank> m_ranks;
    std::set<std::string> m_hosts;
    std::set<std::int32_t> m_greeted; ///< ranks
    analysis::RankClocks m_clocks;
};

} // namespace lockstep::exchange
