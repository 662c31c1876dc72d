// Measures how far a host's clock is from that of the store, from when it is made until it is destroyed: at the start,
// a little later so that the clock's rate is known, each minute, and at the end. On its own thread.
#pragma once

#include "base/clock_offset.h"
#include "rendezvous/store/store_client.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace lockstep::rendezvous {

class ClockMeter {
public:
    struct Measured {
        ClockReading reading{}; ///< the store's clock less this one
        std::int64_t trips = 0; ///< 0: this host reads the store's own clock
    };
    /// On the meter's thread.
    using OnMeasured = std::function<void(const Measured&)>;

    /// `ownClock`: Member::clock() of this rank. `client` has joined, and outlives it.
    ClockMeter(StoreClient& client, std::string ownClock, OnMeasured onMeasured);
    ClockMeter(const ClockMeter&) = delete; ///< its thread holds it
    ClockMeter& operator=(const ClockMeter&) = delete;

    /// Round trips of one measurement, and how many more where the shortest of them took long: others may compute.
    static constexpr std::size_t LeastTrips = 50;
    static constexpr std::size_t MostTrips = 400;
    static constexpr std::int64_t ShortTripNs = 60'000;

private:
    void measureUntil(const std::stop_token& stop);
    /// False if there is nothing more to measure: one clock, or the store is gone.
    [[nodiscard]] bool measure();

    StoreClient& m_client;
    std::string m_ownClock;
    OnMeasured m_onMeasured;
    std::jthread m_thread; ///< its end measures once more, unless a rank is lost
};

} // namespace lockstep::rendezvous
