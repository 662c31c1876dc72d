// When each rank of a run entered its latest calls: a table in memory that the ranks of one machine share. Each rank
// writes its own rows and reads those of the others, so that waiting for a rank is separated from moving data,
// whichever backend moves it. All stamps are CLOCK_MONOTONIC.
//
// A group numbers its calls of each kind from 1 on, the same on all its ranks. The last `Kept` of them are there.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep::comm {

class Arrivals {
public:
    enum class Kind { Collective, Send, Receive };
    static constexpr std::size_t Kinds = 3;
    /// Groups of one rank: with itself and each other rank alone, and some of several ranks.
    static constexpr int MostGroups = 96;
    static constexpr std::int64_t Kept = 32;

    /// Of a run's rank: its place in the table.
    struct Place {
        int rank = 0;
        int group = 0;
    };
    /// What entered() gives for a call that has not been entered, and for one that is long past.
    static constexpr std::int64_t NotYet = INT64_MAX;
    static constexpr std::int64_t Forgotten = 0;

    /// Of a fresh, empty table.
    [[nodiscard]] static Result<Descriptor> makeFile(int ranks);
    /// Over a file that makeFile() made, here or in another process.
    [[nodiscard]] static Result<std::shared_ptr<Arrivals>> open(const Descriptor& file, int ranks);
    ~Arrivals();
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    /// `at.rank` enters its call `number` now or entered it at `ns`. One thread at a time for each place.
    void enter(const Place& at, Kind kind, std::int64_t number, std::int64_t ns);
    /// When `at.rank` entered its call `number`; NotYet; or Forgotten.
    [[nodiscard]] std::int64_t entered(const Place& at, Kind kind, std::int64_t number) const;

private:
    struct Row;
    Arrivals(Row* rows, std::size_t bytes);
    [[nodiscard]] Row& row(const Place& at, Kind kind, std::int64_t number) const;

    Row* m_rows;
    std::size_t m_bytes;
};

} // namespace lockstep::comm
