#include "engine/run/host_clock.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lockstep::engine {

std::unique_ptr<rendezvous::ClockMeter> measureClock(
    const std::shared_ptr<rendezvous::Network>& network, Recorder& recorder)
{
    if (network == nullptr) {
        return nullptr;
    }
    const std::string clock = network->self.clock();
    std::vector<std::int64_t> ranks;
    for (const rendezvous::Member& each : network->members) {
        if (each.clock() == clock) {
            ranks.push_back(each.rank);
        }
    }
    if (ranks.front() != network->self.rank) {
        return nullptr; // another rank measures for all that read this clock
    }
    return std::make_unique<rendezvous::ClockMeter>(*network->client, clock,
        [ranks = std::move(ranks), &recorder](const rendezvous::ClockMeter::Measured& measured) {
            recorder.record(wire::ClockSample{
                ranks, measured.reading.atNs, measured.reading.offsetNs, measured.reading.errorNs, measured.trips});
        });
}

} // namespace lockstep::engine
