#include "rendezvous/host_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace lockstep::rendezvous {

namespace {

constexpr std::int32_t MostSlots = 4096;
constexpr std::size_t MostHosts = 4096;
constexpr std::string_view Blanks = " \t\r";

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    line = line.substr(0, line.find('#'));
    for (auto begin = line.find_first_not_of(Blanks); begin != std::string_view::npos;
         begin = line.find_first_not_of(Blanks)) {
        line.remove_prefix(begin);
        words.push_back(line.substr(0, line.find_first_of(Blanks)));
        line.remove_prefix(words.back().size());
    }
    return words;
}

/// What ssh could take for an option or a shell for a command is no name.
bool isHostName(std::string_view name)
{
    constexpr std::string_view Allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:%";
    return !name.empty() && name.front() != '-' && name.find("@-") == std::string_view::npos
        && name.find_first_not_of(Allowed) == std::string_view::npos;
}

Result<void> readSetting(std::string_view word, Host& host)
{
    constexpr std::string_view Slots = "slots=";
    constexpr std::string_view Program = "program=";
    constexpr std::string_view Address = "address=";
    if (word.starts_with(Slots)) {
        const std::string_view digits = word.substr(Slots.size());
        const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), host.slots);
        const bool isNumber = error == std::errc{} && rest == digits.data() + digits.size();
        return isNumber && host.slots >= 1 && host.slots <= MostSlots
            ? Result<void>()
            : failure(LS_TR("Messages", "`%1` is not slots=N with N from 1 to %2"), {verbatim(word), MostSlots});
    }
    if (word.starts_with(Program) && word.substr(Program.size()).starts_with('/')) {
        host.program = word.substr(Program.size());
        return {};
    }
    if (word.starts_with(Address) && word.size() > Address.size()) {
        host.address = word.substr(Address.size());
        return {};
    }
    return failure(LS_TR("Messages", "`%1` is not slots=N, program=/PATH or address=ADDRESS"), {verbatim(word)});
}

Result<Host> readHost(const std::vector<std::string_view>& words)
{
    Host host{.name = std::string(words.front())};
    for (std::size_t i = 1; i < words.size(); ++i) {
        LOCKSTEP_TRY(readSetting(words[i], host));
    }
    return host;
}

} // namespace

Result<void> addHost(std::vector<Host>& hosts, Host host)
{
    if (!isHostName(host.name)) {
        return failure(LS_TR("Messages", "`%1` cannot be a host name"), {verbatim(host.name)});
    }
    if (!host.address.empty() && !isHostName(host.address)) {
        return failure(LS_TR("Messages", "`%1` cannot be a host name"), {verbatim(host.address)});
    }
    if (host.slots < 1 || host.slots > MostSlots) {
        return failure(LS_TR("Messages", "`%1` is not slots=N with N from 1 to %2"), {host.slots, MostSlots});
    }
    if (!host.program.empty() && host.program.front() != '/') {
        return failure(
            LS_TR("Messages", "`%1` is not slots=N, program=/PATH or address=ADDRESS"), {verbatim(host.program)});
    }
    if (std::ranges::any_of(hosts, [&](const Host& other) { return other.name == host.name; })) {
        return failure(LS_TR("Messages", "%1 is listed twice; use slots=N for several ranks"), {verbatim(host.name)});
    }
    if (hosts.size() == MostHosts) {
        return failure(LS_TR("Messages", "more than %1 hosts"), {MostHosts});
    }
    hosts.push_back(std::move(host));
    return {};
}

Result<std::vector<Host>> parseHosts(std::string_view text)
{
    std::vector<Host> hosts;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto words = wordsOf(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (words.empty()) {
            continue;
        }
        auto host = readHost(words);
        const auto added = host ? addHost(hosts, std::move(*host)) : Result<void>(host.error());
        if (!added) {
            return during({LS_TR("Messages", "line %1"), {number}}, added.error());
        }
    }
    return hosts.empty() ? Result<std::vector<Host>>(failure(LS_TR("Messages", "there is no host in it"))) : hosts;
}

Result<std::vector<std::size_t>> hostsOfRanks(const std::vector<Host>& hosts, std::int32_t ranks)
{
    const std::int64_t slots = std::accumulate(hosts.begin(), hosts.end(), std::int64_t{0},
        [](std::int64_t sum, const Host& host) { return sum + host.slots; });
    if (ranks > slots) {
        return failure(LS_TR("Messages", "the run needs %1 ranks, and the hosts have %2 slots"), {ranks, slots});
    }
    std::vector<std::size_t> placed;
    for (std::size_t host = 0; placed.size() < static_cast<std::size_t>(ranks); ++host) {
        const auto left = static_cast<std::size_t>(ranks) - placed.size();
        placed.insert(placed.end(), std::min(left, static_cast<std::size_t>(hosts[host].slots)), host);
    }
    return placed;
}

} // namespace lockstep::rendezvous
