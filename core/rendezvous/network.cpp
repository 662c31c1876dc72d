#include "rendezvous/network.h"

#include "base/descriptor.h"
#include "rendezvous/rendezvous_file.h"
#include "wire/handshake.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep::rendezvous {

namespace {

using namespace std::chrono_literals;
using Clock = SocketClock;

constexpr auto RetryEvery = 50ms;
/// A rendezvous file may be of an earlier job, whose host is gone.
constexpr auto OneAttempt = 3s;
constexpr const char* AnyAddress = "0.0.0.0";
/// The others leave at the same time as the rank that serves.
constexpr auto TimeToLeave = 2s;

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

/// Boot, namespaces and user: what must be the same for sharing memory and times, and seeing each other's processes.
std::string domainOfProcess()
{
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string domain;
    std::getline(file, domain);
    for (const char* kind : {"net", "pid", "user", "time"}) {
        struct stat facts { };
        if (stat(fmt::format("/proc/self/ns/{}", kind).c_str(), &facts) == 0) {
            domain += fmt::format(" {}:{}", kind, facts.st_ino);
        }
    }
    return domain + fmt::format(" {}", geteuid());
}

/// Where the store is, and who serves it.
struct Meeting {
    std::string host;
    std::uint16_t port = 0;
    wire::Secret secret{};
    std::unique_ptr<StoreServer> server{};
};

Member memberOf(const NetworkOptions& options)
{
    return {.rank = options.place.rank,
        .size = options.place.worldSize,
        .version = options.version,
        .what = options.what,
        .host = hostName(),
        .domain = domainOfProcess(),
        .process = getpid()};
}

/// The one address that other hosts may reach; empty if there are several or none.
std::string onlyAddress(const std::vector<Interface>& interfaces)
{
    std::vector<std::string> four;
    std::vector<std::string> six;
    for (const Interface& each : interfaces) {
        if (!isLoopback(each.address)) {
            (each.address.find(':') == std::string::npos ? four : six).push_back(each.address);
        }
    }
    return four.size() == 1 ? four.front() : four.empty() && six.size() == 1 ? six.front() : std::string();
}

/// This host's address among those of `host`; empty if it is another's.
std::string ownAddressAmong(const std::string& host, const std::vector<Interface>& interfaces)
{
    for (const std::string& address : addressesOf(host)) {
        // Debian's /etc/hosts gives a host's own name 127.0.1.1, which no interface lists.
        if (isLoopback(address)
            || std::ranges::any_of(interfaces, [&](const Interface& each) { return each.address == address; })) {
            return address;
        }
    }
    return {};
}

/// `own`, or where that is loopback, the address that the user chose, or the only one.
Result<std::string> addressToServe(const NetworkOptions& options, const std::string& own)
{
    if (!isLoopback(own)) {
        return own;
    }
    const std::vector<Interface> interfaces = interfacesOfHost();
    const std::string only = onlyAddress(interfaces);
    LOCKSTEP_TRY_ASSIGN(std::string chosen,
        chooseAddress(
            options.interface, variablesOfProcess(), interfaces, only.empty() ? AnyAddress : only, hostName()));
    if (chosen == AnyAddress) {
        return refusal("comm.interface",
            LS_TR("Messages",
                "%1 has several addresses, and nothing says which one the ranks use; name an interface or a subnet"),
            {verbatim(hostName())});
    }
    return chosen;
}

/// A name may come into DNS only once its host has started.
void awaitName(const NetworkOptions& options, Clock::time_point deadline)
{
    const std::string& host = options.place.meeting.host;
    for (bool isKnown = false; addressesOf(host).empty() && Clock::now() + RetryEvery < deadline; isKnown = true) {
        if (!isKnown && options.onWaiting) {
            options.onWaiting(fmt::format("waiting until {} has an address", host));
        }
        std::this_thread::sleep_for(RetryEvery);
    }
}

Result<Meeting> meetByAddress(const NetworkOptions& options, Clock::time_point deadline)
{
    if (!options.secret) {
        return failure(LS_TR("Messages",
            "ranks on several hosts need a secret in common: write 64 hexadecimal digits into a file that only you can "
            "read (umask 077; openssl rand -hex 32 > FILE) and set LOCKSTEP_SECRET_FILE to its path on every host"));
    }
    const InitMethod& where = options.place.meeting;
    Meeting meeting{where.host, where.port, *options.secret, nullptr};
    awaitName(options, deadline);
    const std::string own = ownAddressAmong(where.host, interfacesOfHost());
    if (own.empty()) {
        return meeting;
    }
    LOCKSTEP_TRY_ASSIGN(meeting.host, addressToServe(options, own));
    // Where another rank of this host was first, it serves.
    if (auto listener = listenOn(meeting.host, where.port)) {
        LOCKSTEP_TRY_ASSIGN(
            meeting.server, StoreServer::start(*std::move(listener), memberOf(options), meeting.secret));
    }
    return meeting;
}

Result<Meeting> serveByFile(const NetworkOptions& options, const std::string& path)
{
    LOCKSTEP_TRY_ASSIGN(const std::string address, addressToServe(options, "127.0.0.1"));
    LOCKSTEP_TRY_ASSIGN(const wire::Secret fresh, wire::makeNonce());
    const wire::Secret secret = options.secret.value_or(fresh);
    LOCKSTEP_TRY_ASSIGN(Socket listener, listenOn(address, 0));
    LOCKSTEP_TRY_ASSIGN(auto server, StoreServer::start(std::move(listener), memberOf(options), secret));
    const std::uint16_t port = server->port();
    LOCKSTEP_TRY(writeRendezvous(path, {address, port, secret}));
    return Meeting{address, port, secret, std::move(server)};
}

/// The store may not be there yet, and a file of an earlier job may still be.
Result<std::unique_ptr<StoreClient>> connectByFile(const std::string& path, Clock::time_point deadline)
{
    while (true) {
        const auto where = readRendezvous(path);
        auto client = where ? StoreClient::connect(
                          where->address, where->port, where->secret, std::min(deadline, Clock::now() + OneAttempt))
                            : Result<std::unique_ptr<StoreClient>>(where.error());
        if (client || Clock::now() + RetryEvery >= deadline) {
            return client;
        }
        std::this_thread::sleep_for(RetryEvery);
    }
}

Result<std::unique_ptr<StoreClient>> connectByAddress(const Meeting& meeting, Clock::time_point deadline)
{
    while (true) {
        auto client = StoreClient::connect(meeting.host, meeting.port, meeting.secret, deadline);
        const bool isAbsent = !client && isUnreachable(client.error());
        if (!isAbsent || Clock::now() + RetryEvery >= deadline) {
            return client;
        }
        std::this_thread::sleep_for(RetryEvery);
    }
}

} // namespace

Network::~Network()
{
    client.reset();
    if (server) {
        server->awaitEnd(TimeToLeave);
    }
}

bool Network::isOneDomain() const
{
    return ranksHere().size() == members.size();
}

std::vector<int> Network::ranksHere() const
{
    std::vector<int> here;
    for (const Member& each : members) {
        if (each.domain == self.domain) {
            here.push_back(each.rank);
        }
    }
    return here;
}

std::string Network::hosts() const
{
    std::vector<std::string> names;
    for (const Member& each : members) {
        if (std::ranges::find(names, each.host) == names.end()) {
            names.push_back(each.host);
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<std::unique_ptr<Network>> meetOverNetwork(const NetworkOptions& options)
{
    const auto deadline = Clock::now() + options.limit;
    // An interface that this host lacks is said at once, whether or not the others come.
    LOCKSTEP_TRY(chooseAddress(options.interface, variablesOfProcess(), interfacesOfHost(), AnyAddress, hostName()));
    const bool isByFile = options.place.meeting.kind == InitMethod::Kind::File;
    const std::string path = rendezvousPath(options.place.meeting.folder, options.place.job, options.place.worldSize);
    Meeting meeting;
    if (!isByFile) {
        LOCKSTEP_TRY_ASSIGN(meeting, meetByAddress(options, deadline));
    } else if (options.place.rank == 0) {
        LOCKSTEP_TRY_ASSIGN(meeting, serveByFile(options, path));
    }
    auto network = std::make_unique<Network>();
    network->server = std::move(meeting.server);
    if (isByFile && options.place.rank != 0) {
        LOCKSTEP_TRY_ASSIGN(network->client, connectByFile(path, deadline));
    } else {
        LOCKSTEP_TRY_ASSIGN(network->client, connectByAddress(meeting, deadline));
    }
    network->self = memberOf(options);
    LOCKSTEP_TRY_ASSIGN(network->self.address,
        chooseAddress(options.interface, variablesOfProcess(), interfacesOfHost(), network->client->address(),
            network->self.host));
    LOCKSTEP_TRY_ASSIGN(
        network->members, network->client->join(network->self, deadline, options.onWaiting, options.onPublished));
    if (isByFile && options.place.rank == 0) {
        unlink(path.c_str());
    }
    return network;
}

Result<std::chrono::milliseconds> timeToMeet(const Variables& variables, std::chrono::milliseconds standard)
{
    const std::string text = valueOf(variables, "LOCKSTEP_MEET_SECONDS");
    if (text.empty()) {
        return standard;
    }
    constexpr int MostSeconds = 7 * 24 * 3600;
    int seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > MostSeconds) {
        return refusal("LOCKSTEP_MEET_SECONDS", LS_TR("Messages", "\"%1\" is not a whole number of 1 to %2"),
            {verbatim(text), MostSeconds});
    }
    return std::chrono::milliseconds(std::chrono::seconds(seconds));
}

Result<std::string> readSecretFile(std::string_view variable, const std::string& path)
{
    const std::string what = fmt::format("{}: {}", variable, path);
    struct stat facts { };
    // Opening a pipe would wait for its other end.
    const Descriptor file(uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }));
    if (!file.isOpen() || fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return failure(LS_TR("Messages", "%1 cannot be read"), {verbatim(what)});
    }
    if ((facts.st_mode & S_IRWXO) != 0) {
        return failure(LS_TR("Messages", "%1 can be read by every user of this host: chmod 600 it"), {verbatim(what)});
    }
    constexpr std::size_t Longest = 4096;
    return readUpTo(file.number(), Longest);
}

Result<std::optional<wire::Secret>> secretOfFile(const Variables& variables)
{
    const std::string variable = "LOCKSTEP_SECRET_FILE";
    const std::string path = valueOf(variables, variable);
    if (path.empty()) {
        return std::optional<wire::Secret>();
    }
    LOCKSTEP_TRY_ASSIGN(const std::string text, readSecretFile(variable, path));
    const auto secret = wire::secretFromHex(std::string_view(text).substr(0, text.find('\n')));
    return secret ? Result<std::optional<wire::Secret>>(std::optional(*secret))
                  : during(verbatim(variable + ": " + path), secret.error());
}

} // namespace lockstep::rendezvous
