#include "launch/ssh/host_facts.h"

#include "wire/messages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace lockstep::launch {

namespace {

constexpr std::size_t MostTrips = 1000;
/// Files of both would be out of order, and logins by ticket fail.
constexpr std::int64_t MostAheadNs = 60'000'000'000;

} // namespace

Result<HostFacts> readHostFacts(const QByteArray& json)
{
    try {
        const nlohmann::json facts = nlohmann::json::parse(json.begin(), json.end());
        return HostFacts{.version = facts.at("version").get<std::string>(),
            .protocol = facts.at("protocol").get<std::int64_t>(),
            .libtorch = facts.at("libtorch").get<std::string>(),
            .host = facts.at("host").get<std::string>(),
            .cores = facts.at("cores").get<std::int64_t>(),
            .memoryBytes = facts.at("memory_bytes").get<std::int64_t>(),
            .freeBytes = facts.at("free_bytes").get<std::int64_t>(),
            .gpus = facts.at("gpus").get<std::vector<std::string>>(),
            .address = facts.at("address").get<std::string>(),
            .port = facts.at("port").get<std::uint16_t>()};
    } catch (const nlohmann::json::exception&) {
        return failure(LS_TR("Messages", "its description of itself is unreadable"));
    }
}

void HostClock::add(const RoundTrip& trip)
{
    const std::int64_t took = trip.backNs - trip.sentNs;
    if (took < 0) {
        return;
    }
    if (m_tripsNs.empty() || took < m_shortestNs) {
        const std::int64_t middle = trip.sentNs + took / 2;
        m_shortestNs = took;
        m_shiftNs = middle - trip.thereNs;
        m_aheadNs = trip.wallThereNs - (middle + trip.wallOffsetNs);
    }
    if (m_tripsNs.size() < MostTrips) {
        m_tripsNs.push_back(took);
    }
}

std::int64_t HostClock::medianTripNs() const
{
    std::vector<std::int64_t> sorted = m_tripsNs;
    std::ranges::sort(sorted);
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

std::optional<Text> whyNotOnHost(
    const std::string& name, const HostFacts& facts, const HostClock& clock, std::int64_t neededBytes)
{
    if (facts.version != LOCKSTEP_VERSION || facts.protocol != wire::ProtocolVersion) {
        return Text(LS_TR("Messages",
                        "%1: its lockstep-rank is of version %2 (protocol %3), this program of %4 (protocol %5): "
                        "install the same on both"),
            {verbatim(name), verbatim(facts.version), facts.protocol, verbatim(LOCKSTEP_VERSION),
                wire::ProtocolVersion});
    }
    if (neededBytes > facts.freeBytes) {
        return Text(LS_TR("Messages", "%1: its ranks need about %2 GB of memory, and %3 GB are free"),
            {verbatim(name), verbatim(fmt::format("{:.1f}", static_cast<double>(neededBytes) * 1e-9)),
                verbatim(fmt::format("{:.1f}", static_cast<double>(facts.freeBytes) * 1e-9))});
    }
    if (std::abs(clock.aheadNs()) > MostAheadNs) {
        return Text(LS_TR("Messages", "%1: its clock differs from this machine's by %2 s: set it"),
            {verbatim(name), verbatim(fmt::format("{:.1f}", static_cast<double>(clock.aheadNs()) * 1e-9))});
    }
    return std::nullopt;
}

} // namespace lockstep::launch
