#include "rendezvous/interfaces.h"

#include "rendezvous/init_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

namespace lockstep::rendezvous {

namespace {

/// The bytes of a numeric address: 4 or 16; empty if it is none.
std::vector<unsigned char> bytesOf(const std::string& address)
{
    for (const auto& [family, size] : {std::pair(AF_INET, 4u), std::pair(AF_INET6, 16u)}) {
        std::vector<unsigned char> bytes(size);
        if (inet_pton(family, address.c_str(), bytes.data()) == 1) {
            return bytes;
        }
    }
    return {};
}

Error noSuchInterface(
    const std::string& wish, const std::string& from, const std::vector<Interface>& interfaces, const std::string& host)
{
    std::vector<std::string> there;
    for (const Interface& each : interfaces) {
        there.push_back(fmt::format("{} ({})", each.name, each.address));
    }
    return failure(LS_TR("Messages", "%1: %2 has no `%3`; it has %4"),
        {verbatim(from), verbatim(host), verbatim(wish), verbatim(fmt::format("{}", fmt::join(there, ", ")))});
}

/// NCCL's list has prefixes; `=` means a whole name. What it excludes (`^`) names no interface.
bool matches(const std::string& list, const std::string& name, bool isPrefix)
{
    std::string_view left(list);
    while (!left.empty()) {
        std::string_view each = left.substr(0, left.find(','));
        left.remove_prefix(std::min(each.size() + 1, left.size()));
        const bool isWhole = !isPrefix || each.starts_with('=');
        each.remove_prefix(each.starts_with('=') ? 1 : 0);
        if (!each.empty() && (isWhole ? name == each : name.starts_with(each))) {
            return true;
        }
    }
    return false;
}

struct Wish {
    std::string text;
    std::string from;
    bool isPrefix = false;
};

Wish wishOf(const std::string& wish, const Variables& variables)
{
    if (!wish.empty()) {
        return {wish, "comm.interface"};
    }
    for (const char* name : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"}) {
        const std::string value = valueOf(variables, name);
        if (!value.empty() && !value.starts_with('^')) {
            return {value, name, name[0] == 'N'};
        }
    }
    return {};
}

} // namespace

std::vector<Interface> interfacesOfHost()
{
    ifaddrs* first = nullptr;
    if (getifaddrs(&first) != 0) {
        return {};
    }
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(first, freeifaddrs);
    std::vector<Interface> interfaces;
    for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
        const int family = each->ifa_addr == nullptr ? AF_UNSPEC : each->ifa_addr->sa_family;
        if ((each->ifa_flags & IFF_UP) == 0 || (family != AF_INET && family != AF_INET6)) {
            continue;
        }
        std::array<char, NI_MAXHOST> text{};
        const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        const bool isLinkLocal = family == AF_INET6
            && IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(each->ifa_addr)->sin6_addr);
        if (!isLinkLocal
            && getnameinfo(
                   each->ifa_addr, length, text.data(), static_cast<socklen_t>(text.size()), nullptr, 0, NI_NUMERICHOST)
                == 0) {
            interfaces.push_back({each->ifa_name, text.data()});
        }
    }
    return interfaces;
}

Result<bool> isInSubnet(const std::string& address, const std::string& subnet)
{
    const auto slash = subnet.find('/');
    const std::vector<unsigned char> net = bytesOf(subnet.substr(0, slash));
    const std::string digits = slash == std::string::npos ? "" : subnet.substr(slash + 1);
    std::size_t bits = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (net.empty() || error != std::errc{} || rest != digits.data() + digits.size() || bits > net.size() * 8) {
        return refusal(
            "comm.interface", LS_TR("Messages", "`%1` must be a subnet such as 10.1.0.0/16"), {verbatim(subnet)});
    }
    const std::vector<unsigned char> own = bytesOf(address);
    for (std::size_t bit = 0; bit < bits && own.size() == net.size(); ++bit) {
        if (((own[bit / 8] ^ net[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
            return false;
        }
    }
    return own.size() == net.size();
}

Result<std::string> chooseAddress(const std::string& wish, const Variables& variables,
    const std::vector<Interface>& interfaces, const std::string& byRoute, const std::string& host)
{
    const Wish chosen = wishOf(wish, variables);
    std::string address = chosen.text.empty() ? byRoute : "";
    for (const Interface& each : interfaces) {
        bool fits = !chosen.text.empty() && matches(chosen.text, each.name, chosen.isPrefix);
        if (chosen.text.find('/') != std::string::npos) {
            LOCKSTEP_TRY_ASSIGN(fits, isInSubnet(each.address, chosen.text));
        }
        if (fits && address.empty()) {
            address = each.address;
        }
    }
    if (address.empty()) {
        return noSuchInterface(chosen.text, chosen.from, interfaces, host);
    }
    if (isLoopback(address)) {
        return failure(
            LS_TR("Messages", "%1: %2 would use %3, which other hosts cannot reach; name an interface or a subnet"),
            {verbatim(chosen.from.empty() ? "comm.interface" : chosen.from), verbatim(host), verbatim(address)});
    }
    return address;
}

} // namespace lockstep::rendezvous
