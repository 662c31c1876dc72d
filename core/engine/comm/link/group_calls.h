// One group's calls as this rank records them (call_record.h): numbered, entered and left. A group's calls are entered
// on one thread, and completed in that order, perhaps on another.
#pragma once

#include "engine/comm/link/call_record.h"
#include "engine/comm/operation_runner.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::comm {

/// A rank's record, which its groups share, and the call that the rank is to stay out of.
struct RankCalls {
    std::shared_ptr<CallRecord> record;
    int rank = 0; ///< in the run
    std::int64_t skipped = 0; ///< its n-th call over all its groups, a send and a receive at once being two; 0: none
    /// Does not return until the other ranks are gone; gives the error that ends this one.
    std::function<Error(const std::string& call)> stayOut{};
    /// It has stayed out. Later calls would be met by what the others sent before they went.
    std::shared_ptr<std::atomic<bool>> isOut = std::make_shared<std::atomic<bool>>(false);
};

class GroupCalls {
public:
    GroupCalls();

    /// From the next call on. `members`: the group's ranks, as numbers in the run; `group`: its number, on which they
    /// agree.
    void begin(std::shared_ptr<RankCalls> calls, const std::vector<int>& members, int group);
    [[nodiscard]] const std::shared_ptr<RankCalls>& calls() const { return m_calls; }

    /// An error if the rank was to stay out of the call.
    [[nodiscard]] Result<void> enter(const Operation& operation, std::int64_t ns);
    /// The operation that was entered last has been started: notes when the rank begins to wait for it.
    [[nodiscard]] std::unique_ptr<Work> watch(std::unique_ptr<Work> work);
    /// The oldest operation that was entered has succeeded.
    void complete();
    /// A collective that is made of other operations, or a message that no operation carries.
    [[nodiscard]] Result<std::int64_t> enterOne(Call call, int peer, std::int64_t bytes, std::int64_t ns);
    void leave(std::int64_t place);

private:
    /// Operations that are started at once, at most.
    static constexpr std::size_t MostOpen = 1024;

    [[nodiscard]] Result<void> stayOutIfAsked(std::int64_t place, const CallRecord::Entry& entry) const;
    [[nodiscard]] CallRecord::Entry entryOf(Call call, int peer, std::int64_t bytes, std::int64_t ns);
    [[nodiscard]] std::atomic<std::int64_t>& openAt(std::int64_t operation);

    std::shared_ptr<RankCalls> m_calls; ///< null: nothing is recorded
    std::vector<int> m_members;
    std::uint64_t m_memberBits = 0;
    int m_group = 0;
    std::int64_t m_collectives = 0;
    std::vector<std::int64_t> m_sends; ///< by place in the group
    std::vector<std::int64_t> m_receives;
    std::int64_t m_entered = 0; ///< operations
    std::int64_t m_completed = 0;
    std::unique_ptr<std::array<std::atomic<std::int64_t>, MostOpen>> m_open; ///< twice the first place, + 1 if two
};

} // namespace lockstep::comm
