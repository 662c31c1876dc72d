// The last calls of every rank of a run, for the question which rank never came: a table in memory that the ranks of
// one machine share, so that it can be read for a rank that hangs or has died. Each rank writes its own rows.
#pragma once

#include "base/call.h"
#include "base/descriptor.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::comm {

class CallRecord {
public:
    /// Rows kept for each rank: its newest calls.
    static constexpr std::int64_t Kept = 64;

    struct Entry {
        Call call = Call::Barrier;
        std::int64_t step = 0; ///< the rank was in it, 0 before the first
        std::int64_t number = 0; ///< 1, 2, ...: among its group's collectives, or its messages to (from) that peer
        std::int32_t group = 0; ///< 0: all ranks; two groups of the same ranks have different numbers
        std::uint64_t members = 0; ///< of the group: a bit for each rank of the run
        int peer = -1; ///< of a message: the other rank
        std::int64_t bytes = 0;
        std::int64_t enteredNs = 0; ///< CLOCK_MONOTONIC
        std::int64_t waitedNs
            = 0; ///< since when the rank waits for it to return; 0: it was started, and not waited for
        std::int64_t leftNs = 0; ///< 0: has not returned
    };

    /// Of a fresh, empty table.
    [[nodiscard]] static Result<Descriptor> makeFile(int ranks);
    /// Over a file that makeFile() made, here or in another process.
    [[nodiscard]] static Result<std::shared_ptr<CallRecord>> open(const Descriptor& file, int ranks);
    ~CallRecord();
    CallRecord(const CallRecord&) = delete;
    CallRecord& operator=(const CallRecord&) = delete;

    [[nodiscard]] int ranks() const { return m_ranks; }
    /// Reserves rows for `calls` calls of `rank`, any thread: the first of their places.
    [[nodiscard]] std::int64_t reserve(int rank, int calls);
    /// In the rank's current step.
    void enter(int rank, std::int64_t place, const Entry& entry);
    void wait(int rank, std::int64_t place, std::int64_t ns);
    void leave(int rank, std::int64_t place, std::int64_t ns);
    void setStep(int rank, std::int64_t step);

    /// Oldest first; without a row that is being written just now.
    [[nodiscard]] std::vector<Entry> of(int rank) const;
    /// True for the first caller among all ranks: it reports the record.
    [[nodiscard]] bool claim();

private:
    struct Row;
    struct OfRank;
    struct Table;
    CallRecord(Table* table, std::size_t bytes, int ranks);
    [[nodiscard]] static std::size_t bytesFor(int ranks);
    [[nodiscard]] OfRank& rowsOf(int rank) const;

    Table* m_table;
    std::size_t m_bytes;
    int m_ranks;
};

} // namespace lockstep::comm
