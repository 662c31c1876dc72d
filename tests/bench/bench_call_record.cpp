// bench_call_record: what the record of calls costs a collective. Prints the median over 21 rounds, in ns, of a
// collective's entering and leaving with its record less without; more than 200 fails.
#include "base/clock.h"
#include "engine/comm/link/call_times.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;

namespace {

constexpr int Rounds = 21;
constexpr int CallsInARound = 200'000;
constexpr double LimitNs = 200.0;

/// A call of a group of two, as WatchedCommunicator makes it around the collective itself.
double nsPerCall(CallTimes& times)
{
    std::array<float, 4> numbers{};
    const View view{numbers.data(), 4, DataType::Float32};
    const Operation operation{.what = Collective::AllReduce, .in = view, .out = view};
    const std::int64_t begin = monotonicNs();
    for (int call = 0; call < CallsInARound; ++call) {
        if (!times.entering(operation)) {
            return -1.0;
        }
        times.carriedOut();
        times.leaving({});
    }
    return static_cast<double>(monotonicNs() - begin) / CallsInARound;
}

} // namespace

int main()
{
    constexpr int Ranks = 2;
    const auto table = Arrivals::makeFile(Ranks);
    const auto file = CallRecord::makeFile(Ranks);
    if (!table || !file) {
        std::fprintf(stderr, "bench_call_record: there is no shared memory\n");
        return 3;
    }
    auto arrivals = Arrivals::open(*table, Ranks);
    auto record = CallRecord::open(*file, Ranks);
    if (!arrivals || !record) {
        std::fprintf(stderr, "bench_call_record: the shared memory cannot be opened\n");
        return 3;
    }
    CallTimes without(0, Ranks);
    without.measureWaiting(*arrivals);
    CallTimes with(0, Ranks);
    with.measureWaiting(*arrivals);
    with.record(std::make_shared<RankCalls>(RankCalls{*record, 0, 0, {}}));
    std::vector<double> costs;
    for (int round = 0; round < Rounds; ++round) {
        const double base = nsPerCall(without);
        costs.push_back(nsPerCall(with) - base);
    }
    std::nth_element(costs.begin(), costs.begin() + Rounds / 2, costs.end());
    const double median = costs[Rounds / 2];
    std::printf("the record costs %.0f ns a collective (median of %d rounds, highest %.0f)\n", median, Rounds,
        *std::max_element(costs.begin(), costs.end()));
    return median <= LimitNs ? 0 : 1;
}
