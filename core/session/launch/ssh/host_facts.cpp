#include "session/launch/ssh/host_facts.h"

#include "wire/messages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace lockstep::session {

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
        return Error{"its description of itself is unreadable"};
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

std::optional<std::string> whyNotOnHost(
    const std::string& name, const HostFacts& facts, const HostClock& clock, std::int64_t neededBytes)
{
    if (facts.version != LOCKSTEP_VERSION || facts.protocol != wire::ProtocolVersion) {
        return fmt::format("{}: its lockstep-rank is of version {} (protocol {}), this program of {} (protocol {}): "
                           "install the same on both",
            name, facts.version, facts.protocol, LOCKSTEP_VERSION, wire::ProtocolVersion);
    }
    if (neededBytes > facts.freeBytes) {
        return fmt::format("{}: its ranks need about {:.1f} GB of memory, and {:.1f} GB are free", name,
            static_cast<double>(neededBytes) * 1e-9, static_cast<double>(facts.freeBytes) * 1e-9);
    }
    if (std::abs(clock.aheadNs()) > MostAheadNs) {
        return fmt::format("{}: its clock differs from this machine's by {:.1f} s: set it", name,
            static_cast<double>(clock.aheadNs()) * 1e-9);
    }
    return std::nullopt;
}

} // namespace lockstep::session
