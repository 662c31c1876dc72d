#include "store/account/delta.h"

#include <type_traits>

namespace lockstep::store {

namespace {

[[nodiscard]] RankState stateAfter(wire::Outcome outcome)
{
    switch (outcome) {
    case wire::Outcome::Finished:
        return RankState::Finished;
    case wire::Outcome::Stopped:
        return RankState::Stopped;
    case wire::Outcome::Failed:
    case wire::Outcome::Refused:
        return RankState::Failed;
    }
    return RankState::Failed;
}

} // namespace

std::optional<RankChange> stateChange(std::int32_t rank, const wire::Message& message)
{
    if (std::holds_alternative<wire::Prepared>(message)) {
        return RankChange{rank, RankState::Running, {}};
    }
    if (const auto* goodbye = std::get_if<wire::Goodbye>(&message)) {
        return RankChange{rank, stateAfter(goodbye->outcome), goodbye->message, goodbye->data};
    }
    const auto* applied = std::get_if<wire::Applied>(&message);
    if (applied != nullptr && applied->command == wire::Command::Pause) {
        return RankChange{rank, RankState::Paused, {}};
    }
    if (applied != nullptr && applied->command == wire::Command::Resume) {
        return RankChange{rank, RankState::Running, {}};
    }
    return std::nullopt;
}

bool Delta::isEmpty() const
{
    bool isEmpty = true;
    parts([&](const char*, auto part) { isEmpty = isEmpty && (this->*part).empty(); });
    return isEmpty;
}

void Delta::append(const Delta& later)
{
    parts([&](const char*, auto part) {
        (this->*part).insert((this->*part).end(), (later.*part).begin(), (later.*part).end());
    });
}

void Delta::add(std::int32_t rank, const wire::Message& message)
{
    std::visit(
        [&]<typename What>(const What& what) {
            parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
                if constexpr (std::is_same_v<Entry, FromRank<What>>) {
                    (this->*part).push_back({rank, what});
                }
            });
        },
        message);
    if (auto change = stateChange(rank, message)) {
        ranks.push_back(std::move(*change));
    }
}

} // namespace lockstep::store
