#include "rendezvous/clock_meter.h"

#include "base/clock.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace lockstep::rendezvous {

namespace {

using namespace std::chrono_literals;

constexpr auto SecondAfter = 5s;
constexpr auto Every = 60s;
/// Between the trips beyond the least: another moment of the scheduler.
constexpr auto Pause = 1ms;

} // namespace

ClockMeter::ClockMeter(StoreClient& client, std::string ownClock, OnMeasured onMeasured)
    : m_client(client)
    , m_ownClock(std::move(ownClock))
    , m_onMeasured(std::move(onMeasured))
    , m_thread([this](const std::stop_token& stop) { measureUntil(stop); })
{ }

void ClockMeter::measureUntil(const std::stop_token& stop)
{
    const auto begin = SocketClock::now();
    auto next = begin + SecondAfter;
    for (auto minute = begin + Every; measure();) {
        if (isStoppedWithin(stop, next - SocketClock::now())) {
            if (!m_client.hasLost()) {
                static_cast<void>(measure());
            }
            return;
        }
        next = std::exchange(minute, minute + Every);
    }
}

bool ClockMeter::measure()
{
    std::vector<RoundTrip> trips;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    while (trips.size() < LeastTrips || (trips.size() < MostTrips && shortest > ShortTripNs)) {
        const auto read = m_client.readClock();
        if (!read) {
            return false;
        }
        if (read->clock == m_ownClock) {
            m_onMeasured({{read->trip.receivedNs, 0, 0}, 0});
            return false;
        }
        trips.push_back(read->trip);
        shortest = std::min(shortest, read->trip.length());
        if (trips.size() >= LeastTrips) {
            std::this_thread::sleep_for(Pause);
        }
    }
    if (const auto reading = readingOf(trips)) {
        m_onMeasured({*reading, static_cast<std::int64_t>(trips.size())});
    }
    return true;
}

} // namespace lockstep::rendezvous
