// Which ranks of a run have come, are alive, and why one is not: the store's book about its members. Pure; times come
// from the caller.
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {

/// What a rank says of itself when it joins.
struct Member {
    std::int32_t rank = 0;
    std::int32_t size = 1;
    std::string version{}; ///< of lockstep-rank
    std::string what{}; ///< a hash of the run's spec
    std::string host{};
    /// Ranks with the same one can share memory and times, and see each other's processes: boot, namespaces, user.
    std::string domain{};
    std::string address{}; ///< of the interface over which other hosts reach it
    std::int64_t process = 0;

    /// `rank 2 (process 4711 on n2)`
    [[nodiscard]] Text name() const;
    /// Ranks with the same one read one CLOCK_MONOTONIC: boot and time namespace, from the domain.
    [[nodiscard]] std::string clock() const;
    bool operator==(const Member&) const = default;
};

/// Heartbeats come each second; after this long without one a member is lost.
inline constexpr std::chrono::milliseconds BeatInterval{1'000};
inline constexpr std::chrono::milliseconds BeatLimit{3 * BeatInterval};

class Membership {
public:
    using Time = std::chrono::steady_clock::time_point;
    struct Gone {
        std::int32_t rank = 0;
        Text reason{}; ///< `rank 2 (process 4711 on n2) has died`
        bool hasLeft = false; ///< in order: it said so
    };

    explicit Membership(Member first);

    /// Refused, naming both: another size, another spec, another version, a rank that came already.
    [[nodiscard]] Result<void> join(const Member& member, Time now);
    void beat(std::int32_t rank, std::uint64_t calls, Time now);
    void leave(std::int32_t rank);
    /// The connection ended although the member did not leave.
    void disconnect(std::int32_t rank);
    /// Notices members whose heartbeats do not come.
    void check(Time now);

    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] std::vector<std::int32_t> missing() const;
    /// Those that have come, by rank.
    [[nodiscard]] std::vector<Member> members() const;
    /// How many calls each rank has begun.
    [[nodiscard]] std::vector<std::uint64_t> calls() const;
    /// Each is given once.
    [[nodiscard]] std::vector<Gone> takeGone();

private:
    struct Entry {
        Member member{};
        std::uint64_t calls = 0;
        Time lastBeat{};
        bool isGone = false;
    };

    /// `pattern`: of the member's name, as name() has it, and the seconds of BeatLimit.
    void lose(Entry& entry, std::string_view pattern, bool hasLeft);

    Member m_first;
    std::map<std::int32_t, Entry> m_entries;
    std::vector<Gone> m_gone;
};

/// `2, 3 of 4`
[[nodiscard]] std::string missingText(const std::vector<std::int32_t>& missing, std::int32_t size);

} // namespace lockstep::rendezvous
