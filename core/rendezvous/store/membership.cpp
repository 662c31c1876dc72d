#include "rendezvous/store/membership.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <utility>

namespace lockstep::rendezvous {

Text Member::name() const
{
    return {LS_TR("Messages", "%1 (process %2 on %3)"), {rankName(rank), process, verbatim(host)}};
}

std::string Member::clock() const
{
    std::istringstream words(domain);
    std::string clock;
    words >> clock; // the boot
    for (std::string word; words >> word;) {
        if (word.starts_with("time:")) {
            clock += ' ' + word;
        }
    }
    return clock;
}

Membership::Membership(Member first)
    : m_first(std::move(first))
{ }

Result<void> Membership::join(const Member& member, Time now)
{
    if (member.size != m_first.size || member.rank < 0 || member.rank >= m_first.size) {
        return failure(
            LS_TR("Messages",
                "%1 joined as one of %2 ranks, but %3 as one of %4: give all ranks of a job the same number of ranks"),
            {member.name(), member.size, m_first.name(), m_first.size});
    }
    if (member.version != m_first.version) {
        return failure(LS_TR("Messages", "%1 is %2, but %3 is %4: use the same lockstep-rank on all hosts"),
            {member.name(), verbatim(member.version), m_first.name(), verbatim(m_first.version)});
    }
    if (member.what != m_first.what) {
        return failure(
            LS_TR("Messages", "%1 was started with a different spec than %2: give all ranks of a job the same file"),
            {member.name(), m_first.name()});
    }
    if (const auto other = m_entries.find(member.rank); other != m_entries.end()) {
        return failure(LS_TR("Messages",
                           "%1 joined, but %2 has joined already: two jobs use the same address, or two processes have "
                           "the same rank"),
            {member.name(), other->second.member.name()});
    }
    m_entries.emplace(member.rank, Entry{.member = member, .lastBeat = now});
    return {};
}

void Membership::beat(std::int32_t rank, std::uint64_t calls, Time now)
{
    if (const auto found = m_entries.find(rank); found != m_entries.end()) {
        found->second.calls = calls;
        found->second.lastBeat = now;
    }
}

void Membership::leave(std::int32_t rank)
{
    if (const auto found = m_entries.find(rank); found != m_entries.end()) {
        lose(found->second, LS_TR("Messages", "%1 (process %2 on %3) has left the group"), true);
    }
}

void Membership::disconnect(std::int32_t rank)
{
    if (const auto found = m_entries.find(rank); found != m_entries.end()) {
        lose(found->second, LS_TR("Messages", "%1 (process %2 on %3) has died"), false);
    }
}

void Membership::check(Time now)
{
    for (auto& [rank, entry] : m_entries) {
        if (now - entry.lastBeat > BeatLimit) {
            lose(entry, LS_TR("Messages", "%1 (process %2 on %3) has not been heard for %4 s"), false);
        }
    }
}

void Membership::lose(Entry& entry, std::string_view pattern, bool hasLeft)
{
    if (!entry.isGone) {
        entry.isGone = true;
        std::vector<Text> arguments = entry.member.name().arguments;
        arguments.emplace_back(BeatLimit.count() / 1000);
        m_gone.push_back({entry.member.rank, {pattern, std::move(arguments)}, hasLeft});
    }
}

bool Membership::isComplete() const
{
    return m_entries.size() == static_cast<std::size_t>(m_first.size);
}

std::vector<std::int32_t> Membership::missing() const
{
    std::vector<std::int32_t> ranks;
    for (std::int32_t rank = 0; rank < m_first.size; ++rank) {
        if (!m_entries.contains(rank)) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::vector<Member> Membership::members() const
{
    std::vector<Member> all;
    for (const auto& [rank, entry] : m_entries) {
        all.push_back(entry.member);
    }
    return all;
}

std::vector<std::uint64_t> Membership::calls() const
{
    std::vector<std::uint64_t> all(static_cast<std::size_t>(m_first.size));
    for (const auto& [rank, entry] : m_entries) {
        all[static_cast<std::size_t>(rank)] = entry.calls;
    }
    return all;
}

std::vector<Membership::Gone> Membership::takeGone()
{
    return std::exchange(m_gone, {});
}

std::string missingText(const std::vector<std::int32_t>& missing, std::int32_t size)
{
    return fmt::format("{} of {}", fmt::join(missing, ", "), size);
}

} // namespace lockstep::rendezvous
