#include "engine/run/sweep/collective_bench.h"

#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <utility>

namespace lockstep::engine {

namespace {

using comm::Collective;

/// Time limit per size; slow links would otherwise take hours.
constexpr double SecondsASize = 1.0;
constexpr std::int64_t FewestCalls = 3;
/// Asynchronous calls that are under way at once.
constexpr std::size_t MostUnderWay = 64;

constexpr std::size_t Neighbours = 8;

} // namespace

std::vector<std::int64_t> timesOfQueuedCalls(std::span<const std::int64_t> ends)
{
    const std::size_t calls = ends.empty() ? 0 : ends.size() - 1;
    const std::size_t together = std::min(Neighbours, calls);
    std::vector<std::int64_t> times;
    for (std::size_t call = 0; call < calls; ++call) {
        const std::size_t first = std::min(call - std::min(call, together / 2), calls - together);
        times.push_back(
            std::max<std::int64_t>(0, ends[first + together] - ends[first]) / static_cast<std::int64_t>(together));
    }
    return times;
}

Result<std::unique_ptr<CollectiveBench>> CollectiveBench::make(
    const experiment::RunSpec& run, RankGroup& all, DeviceMarks* marks, Recorder& recorder)
{
    const int groups = sweepOf(run).groups;
    std::unique_ptr<SubGroup> part;
    if (groups > 1) {
        const int size = all.communicator->size() / groups;
        std::vector<int> members(static_cast<std::size_t>(size));
        std::iota(members.begin(), members.end(), all.communicator->rank() / size * size);
        LOCKSTEP_TRY_ASSIGN(part, SubGroup::split(all, std::move(members)));
    }
    std::unique_ptr<CollectiveBench> bench(new CollectiveBench(run, all, std::move(part), marks, recorder));
    if (bench->m_sweep.isAsync && marks != nullptr && all.communicator->rank() == 0) {
        recorder.log(wire::LogLevel::Warning,
            refusal(nameOf(&experiment::SweepSettings::isAsync),
                LS_TR("Messages",
                    "has no effect on a GPU, where every call is only queued and all are waited for at the end")));
    }
    return bench;
}

CollectiveBench::CollectiveBench(const experiment::RunSpec& run, RankGroup& all, std::unique_ptr<SubGroup> part,
    DeviceMarks* marks, Recorder& recorder)
    : m_run(run)
    , m_all(all)
    , m_part(std::move(part))
    , m_marks(marks)
    , m_recorder(recorder)
    , m_sweep(sweepOf(run))
    , m_arrays(m_sweep, ranks(), marks != nullptr ? comm::Space::Device : comm::Space::Host)
    , m_algorithm(comm::algorithm(std::string(nameOf(run.settings->aggregation.algorithm))))
{ }

Text CollectiveBench::how() const
{
    Text how;
    const auto add = [&how](const Text& more) {
        how = how.empty() ? more : Text(LS_TR("Messages", "%1, %2"), {how, more});
    };
    if (m_part) {
        add({LS_TR("Messages", "in %1 groups of %2 ranks"), {m_sweep.groups, m_part->size()}});
    }
    if (startsCalls()) {
        add(LS_TR("Messages", "asynchronous"));
    }
    if (m_sweep.root != 0) {
        add({LS_TR("Messages", "root %1"), {m_sweep.root}});
    }
    return how;
}

void CollectiveBench::applyLinks()
{
    if (m_part) {
        m_part->applyLinks(m_all);
    }
}

bool CollectiveBench::isBackends() const
{
    return m_sweep.what != Collective::AllReduce || m_algorithm->name == "all_reduce";
}

Result<void> CollectiveBench::measure(const SweepPoint& point, std::int64_t step)
{
    const std::int64_t start = monotonicNs();
    LOCKSTEP_TRY(ofPart(m_arrays.prepare(point, isBackends())));
    LOCKSTEP_TRY_ASSIGN(const auto once, ofPart(timeTwice()));
    LOCKSTEP_TRY_ASSIGN(const auto plan, agreeOnCalls(once));
    LOCKSTEP_TRY(ofPart(time(plan.warmUp)));
    // All groups begin together, so that each is measured beside the others.
    LOCKSTEP_TRY(m_all.communicator->barrier());
    LOCKSTEP_TRY_ASSIGN(auto times, ofPart(time(plan.calls)));
    LOCKSTEP_TRY_ASSIGN(const auto wrong, ofPart(m_arrays.countWrong([this] { return call(); })));
    report(std::move(times), wrong);
    const std::int64_t end = monotonicNs();
    m_recorder.step({.step = step, .endNs = end, .wallNs = end - start, .loss = std::nan("")});
    return {};
}

/// One call as a program makes it.
Result<void> CollectiveBench::call()
{
    if (m_sweep.what == Collective::SendReceive) {
        return exchange();
    }
    const comm::Operation& op = m_arrays.operation();
    if (isBackends()) {
        return ranks().run(op);
    }
    // Algorithms work in place; a backend's own operations take both arrays.
    if (!m_arrays.isInPlace()) {
        m_arrays.memory().copy(op.out.data, op.in.data, op.in.byteCount());
    }
    return m_algorithm->run(ranks(), op.out, m_sweep.reduction, m_scratch);
}

Result<void> CollectiveBench::exchange()
{
    if (ranks().size() == 1) {
        return {};
    }
    comm::Operation op = m_arrays.operation();
    if (!m_arrays.isInPlace()) {
        return ranks().run(op);
    }
    // A buffer cannot be sent from while it is received into.
    void* result = std::exchange(op.out.data, m_arrays.landing());
    auto done = ranks().run(op);
    m_arrays.memory().copy(result, m_arrays.landing(), op.out.byteCount());
    return done;
}

/// How long a second call takes: the first may set something up.
Result<std::int64_t> CollectiveBench::timeTwice()
{
    std::int64_t once = 0;
    for (int i = 0; i < 2; ++i) {
        const std::int64_t begin = monotonicNs();
        LOCKSTEP_TRY(call());
        LOCKSTEP_TRY(ranks().finish());
        once = std::max<std::int64_t>(1, monotonicNs() - begin);
    }
    return once;
}

/// Rank 0 decides for all.
Result<CollectiveBench::Plan> CollectiveBench::agreeOnCalls(std::int64_t once)
{
    Plan plan{m_run.settings->sweep.warmup, m_run.settings->sweep.calls};
    const auto most = static_cast<std::int64_t>(SecondsASize * 1e9) / once;
    plan.calls = std::clamp(most, std::min(FewestCalls, plan.calls), plan.calls);
    plan.warmUp = std::clamp<std::int64_t>(most / 4, 0, plan.warmUp);
    LOCKSTEP_TRY(m_all.communicator->broadcast({&plan, 2, comm::DataType::Int64}, 0));
    return plan;
}

Result<CollectiveBench::Times> CollectiveBench::time(std::int64_t calls)
{
    if (m_marks != nullptr) {
        return timeQueuedCalls(calls);
    }
    return startsCalls() ? timeStartedCalls(calls) : timeCalls(calls);
}

Result<CollectiveBench::Times> CollectiveBench::timeCalls(std::int64_t calls)
{
    Times times;
    times.reserve(static_cast<std::size_t>(calls));
    for (std::int64_t i = 0; i < calls; ++i) {
        const std::int64_t begin = monotonicNs();
        LOCKSTEP_TRY(call());
        times.push_back(monotonicNs() - begin);
    }
    LOCKSTEP_TRY(ranks().finish());
    return times;
}

/// The device runs the calls later, and times them itself.
Result<CollectiveBench::Times> CollectiveBench::timeQueuedCalls(std::int64_t calls)
{
    std::vector<DeviceMarks::Mark> marks{m_marks->mark()};
    for (std::int64_t i = 0; i < calls; ++i) {
        LOCKSTEP_TRY(call());
        marks.push_back(m_marks->mark());
    }
    LOCKSTEP_TRY(ranks().finish());
    std::vector<std::int64_t> ends;
    for (const DeviceMarks::Mark mark : marks) {
        ends.push_back(m_marks->timeNs(mark));
    }
    m_marks->release(marks.back());
    return timesOfQueuedCalls(ends);
}

/// A call's time begins when the one before it has ended, or when it is started if that is later: together they last
/// from the first start to the last end.
Result<CollectiveBench::Times> CollectiveBench::timeStartedCalls(std::int64_t calls)
{
    struct Started {
        std::int64_t sinceNs = 0;
        std::unique_ptr<comm::Work> work;
    };
    std::deque<Started> underWay;
    Times times;
    std::int64_t freeSinceNs = 0;
    const auto waitForOldest = [&]() -> Result<void> {
        const Started& oldest = underWay.front();
        LOCKSTEP_TRY(oldest.work->wait());
        const std::int64_t endNs = oldest.work->times().exitNs;
        times.push_back(std::max<std::int64_t>(0, endNs - std::max(freeSinceNs, oldest.sinceNs)));
        freeSinceNs = endNs;
        underWay.pop_front();
        return {};
    };
    for (std::int64_t i = 0; i < calls; ++i) {
        if (underWay.size() == MostUnderWay) {
            LOCKSTEP_TRY(waitForOldest());
        }
        const std::int64_t now = monotonicNs();
        underWay.push_back({now, ranks().start(m_arrays.operation())});
    }
    while (!underWay.empty()) {
        LOCKSTEP_TRY(waitForOldest());
    }
    LOCKSTEP_TRY(ranks().finish());
    return times;
}

void CollectiveBench::report(Times times, std::int64_t wrong)
{
    std::sort(times.begin(), times.end());
    const auto at
        = [&](double share) { return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]; };
    const auto calls = static_cast<std::int64_t>(times.size());
    m_recorder.record(wire::Measurement{.collective = std::string(nameOf(m_sweep.what)),
        .algorithm = m_sweep.what == Collective::AllReduce ? std::string(nameOf(m_run.settings->aggregation.algorithm))
                                                           : std::string(),
        .type = std::string(nameOf(m_sweep.type)),
        .bytes = m_arrays.bytes(),
        .inPlace = m_arrays.isInPlace(),
        .calls = calls,
        .p50Ns = at(0.5),
        .p99Ns = at(0.99),
        .meanNs = std::accumulate(times.begin(), times.end(), std::int64_t{0}) / calls,
        .wrong = wrong,
        .shared = m_arrays.isShared()});
}

} // namespace lockstep::engine
