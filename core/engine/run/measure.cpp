#include "engine/run/measure.h"

#include "base/clock.h"
#include "engine/comm/expected_result.h"
#include "engine/gpu/device_marks.h"
#include "engine/gpu/device_stream.h"
#include "engine/ranks/cores.h"
#include "engine/ranks/device.h"
#include "engine/ranks/rank_group.h"
#include "engine/run/run_control.h"
#include "engine/run/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

using comm::Collective;

/// Time limit per size; slow links would otherwise take hours.
constexpr double SecondsASize = 1.0;
constexpr std::int64_t FewestCalls = 3;

class Bench {
public:
    /// `marks`: of the device whose memory is exchanged; null for the host's.
    Bench(const experiment::RunSpec& run, RankGroup& group, DeviceMarks* marks, Recorder& recorder)
        : m_run(run)
        , m_group(group)
        , m_recorder(recorder)
        , m_sweep(sweepOf(run))
        , m_answer(m_sweep.type, m_sweep.reduction, group.communicator->size())
        , m_algorithm(comm::algorithm(run.text("aggregation.algorithm")))
        , m_marks(marks)
        , m_space(marks != nullptr ? comm::Space::Device : comm::Space::Host)
        , m_memory(*group.communicator->memory(m_space))
    { }

    [[nodiscard]] const Sweep& sweep() const { return m_sweep; }

    Result<void> measure(const SweepPoint& point, std::int64_t step)
    {
        const std::int64_t start = monotonicNs();
        LOCKSTEP_TRY(prepareBuffers(point));
        LOCKSTEP_TRY_ASSIGN(const auto plan, agreeOnCalls());
        for (std::int64_t i = 0; i < plan.warmUp; ++i) {
            LOCKSTEP_TRY(call());
        }
        std::vector<std::int64_t> times;
        LOCKSTEP_TRY(timeCalls(plan.calls, times));
        LOCKSTEP_TRY_ASSIGN(const auto wrong, check());
        report(point, times, wrong);
        const std::int64_t end = monotonicNs();
        m_recorder.step({.step = step, .endNs = end, .wallNs = end - start, .loss = std::nan("")});
        return {};
    }

private:
    struct Plan {
        std::int64_t warmUp = 0;
        std::int64_t calls = 0;
    };

    [[nodiscard]] int rank() const { return m_group.communicator->rank(); }
    [[nodiscard]] int ranks() const { return m_group.communicator->size(); }

    /// Memory that only grows, where the sweep's arrays are.
    struct Buffer {
        std::shared_ptr<std::byte> memory;
        std::size_t bytes = 0;

        [[nodiscard]] std::byte* data() const { return memory.get(); }
    };

    Result<void> reserve(Buffer& buffer, std::size_t bytes, bool isLanding = false)
    {
        if (buffer.bytes >= bytes) {
            return {};
        }
        buffer.memory.reset();
        LOCKSTEP_TRY_ASSIGN(auto memory, isLanding ? m_memory.allocateLanding(bytes) : m_memory.allocate(bytes));
        buffer = {std::move(memory), bytes};
        return {};
    }

    Result<void> prepareBuffers(const SweepPoint& point)
    {
        m_counts = countsOf(m_sweep.what, point.bytes, m_sweep.type, ranks());
        const std::size_t size = comm::sizeOf(m_sweep.type);
        const auto bytesOf = [size](std::int64_t count) { return static_cast<std::size_t>(count) * size; };
        const std::size_t larger = std::max<std::size_t>(1, bytesOf(std::max(m_counts.in, m_counts.out)));
        const bool receivesApart = m_sweep.what == Collective::SendReceive && point.inPlace;
        for (auto [buffer, bytes, isLanding] :
            {std::tuple(&m_first, larger, false), std::tuple(&m_second, point.inPlace ? 0 : larger, false),
                std::tuple(&m_landing, receivesApart ? larger : 0, false),
                std::tuple(&m_onHost, m_marks != nullptr ? 2 * larger : 0, true)}) {
            LOCKSTEP_TRY(reserve(*buffer, bytes, isLanding));
        }
        m_op = {.what = m_sweep.what, .reduction = m_sweep.reduction};
        std::byte* out = point.inPlace ? m_first.data() : m_second.data();
        m_op.in = {m_first.data(), m_counts.in, m_sweep.type, m_space};
        m_op.out = {out, m_counts.out, m_sweep.type, m_space};
        // In place by nccl-tests' convention: a smaller buffer is this rank's part of the larger one.
        const auto offset = [&](std::int64_t part) { return bytesOf(part) * static_cast<std::size_t>(rank()); };
        if (point.inPlace && m_counts.in < m_counts.out) {
            m_op.in.data = m_first.data() + offset(m_counts.in);
        } else if (point.inPlace && m_counts.out < m_counts.in) {
            m_op.out.data = m_first.data() + offset(m_counts.out);
        }
        if (m_sweep.what == Collective::SendReceive) {
            m_op.to = (rank() + 1) % ranks();
            m_op.from = (rank() + ranks() - 1) % ranks();
        }
        m_isInPlace = point.inPlace;
        return {};
    }

    /// One call as a program makes it.
    Result<void> call()
    {
        if (m_sweep.what == Collective::SendReceive) {
            return exchange();
        }
        if (m_sweep.what != Collective::AllReduce || m_algorithm->name == "all_reduce") {
            return m_group.communicator->run(m_op);
        }
        // Algorithms work in place; a backend's own operations take both arrays.
        if (!m_isInPlace) {
            m_memory.copy(m_op.out.data, m_op.in.data, m_op.in.byteCount());
        }
        return m_algorithm->run(*m_group.communicator, m_op.out, m_sweep.reduction, m_scratch);
    }

    Result<void> exchange()
    {
        if (ranks() == 1) {
            return {};
        }
        if (!m_isInPlace) {
            return m_group.communicator->run(m_op);
        }
        // A buffer cannot be sent from while it is received into.
        comm::Operation op = m_op;
        op.out.data = m_landing.data();
        auto done = m_group.communicator->run(op);
        m_memory.copy(m_op.out.data, m_landing.data(), op.out.byteCount());
        return done;
    }

    /// Rank 0 decides for all, after two calls, of which the second is timed.
    Result<Plan> agreeOnCalls()
    {
        Plan plan{m_run.integer("sweep.warmup"), m_run.integer("sweep.calls")};
        std::int64_t once = 0;
        for (int i = 0; i < 2; ++i) {
            const std::int64_t begin = monotonicNs();
            auto done = call();
            done = done ? m_group.communicator->finish() : done;
            if (!done) {
                return done.error();
            }
            once = std::max<std::int64_t>(1, monotonicNs() - begin);
        }
        const auto most = static_cast<std::int64_t>(SecondsASize * 1e9) / once;
        plan.calls = std::clamp(most, std::min(FewestCalls, plan.calls), plan.calls);
        plan.warmUp = std::clamp<std::int64_t>(most / 4, 0, plan.warmUp);
        LOCKSTEP_TRY(m_group.communicator->broadcast({&plan, 2, comm::DataType::Int64}, 0));
        return plan;
    }

    Result<void> timeCalls(std::int64_t calls, std::vector<std::int64_t>& times)
    {
        LOCKSTEP_TRY(m_group.communicator->barrier());
        // A device runs the calls later, and times each itself.
        const auto now = [this] { return m_marks != nullptr ? m_marks->mark() : monotonicNs(); };
        std::vector<std::pair<std::int64_t, std::int64_t>> spans;
        spans.reserve(static_cast<std::size_t>(calls));
        for (std::int64_t i = 0; i < calls; ++i) {
            const std::int64_t begin = now();
            LOCKSTEP_TRY(call());
            spans.emplace_back(begin, now());
        }
        LOCKSTEP_TRY(m_group.communicator->finish());
        for (const auto& [begin, end] : spans) {
            times.push_back(m_marks != nullptr ? timeBetween(begin, end) : end - begin);
        }
        if (m_marks != nullptr) {
            m_marks->letGo(spans.back().second);
        }
        std::sort(times.begin(), times.end());
        return {};
    }

    [[nodiscard]] std::int64_t timeBetween(DeviceMarks::Mark begin, DeviceMarks::Mark end)
    {
        const std::int64_t beginNs = m_marks->timeNs(begin);
        return std::max<std::int64_t>(0, m_marks->timeNs(end) - beginNs);
    }

    /// A call with known inputs; gives how many elements of the result are wrong.
    Result<std::int64_t> check()
    {
        const std::byte garbage{0xa5};
        const std::size_t half = m_onHost.bytes / 2;
        // For a device it is filled and checked on the host.
        std::byte* inputs
            = m_marks != nullptr ? m_onHost.data() : static_cast<std::byte*>(const_cast<void*>(m_op.in.data));
        std::byte* results = m_marks != nullptr ? m_onHost.data() + half : m_op.out.bytes();
        if (!m_isInPlace) {
            std::fill_n(results, m_op.out.byteCount(), garbage);
            m_memory.copy(m_op.out.data, results, m_op.out.byteCount());
        }
        const bool isTold = m_sweep.what == Collective::Broadcast && rank() != m_op.root;
        if (!isTold) {
            m_answer.fill({inputs, m_op.in.count, m_op.in.type}, rank());
            m_memory.copy(const_cast<void*>(m_op.in.data), inputs, m_op.in.byteCount());
        }
        LOCKSTEP_TRY(call());
        if (ranks() == 1 && m_sweep.what == Collective::SendReceive) {
            return 0;
        }
        m_memory.copy(results, m_op.out.data, m_op.out.byteCount());
        LOCKSTEP_TRY(m_group.communicator->finish());
        comm::Operation told = m_op;
        told.in = {inputs, m_op.in.count, m_op.in.type};
        told.out = {results, m_op.out.count, m_op.out.type};
        return m_answer.countWrong(told, rank());
    }

    void report(const SweepPoint& point, const std::vector<std::int64_t>& times, std::int64_t wrong)
    {
        std::int64_t sum = 0;
        for (const std::int64_t time : times) {
            sum += time;
        }
        const auto at = [&](double share) {
            return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
        };
        const auto calls = static_cast<std::int64_t>(times.size());
        m_recorder.measurement({.collective = std::string(nameOf(m_sweep.what)),
            .algorithm = m_sweep.what == Collective::AllReduce ? m_run.text("aggregation.algorithm") : std::string(),
            .type = std::string(nameOf(m_sweep.type)),
            .bytes = m_counts.larger * static_cast<std::int64_t>(comm::sizeOf(m_sweep.type)),
            .inPlace = point.inPlace,
            .calls = calls,
            .p50Ns = at(0.5),
            .p99Ns = at(0.99),
            .meanNs = sum / calls,
            .wrong = wrong});
    }

    const experiment::RunSpec& m_run;
    RankGroup& m_group;
    Recorder& m_recorder;
    Sweep m_sweep;
    comm::ExpectedResult m_answer;
    const comm::Algorithm* m_algorithm;
    comm::Scratch m_scratch;
    comm::Operation m_op;
    Counts m_counts;
    bool m_isInPlace = false;
    DeviceMarks* m_marks;
    comm::Space m_space;
    comm::Memory& m_memory;
    Buffer m_first;
    Buffer m_second;
    Buffer m_landing;
    Buffer m_onHost; ///< of a device's arrays: inputs and results
};

wire::Goodbye measurementFailed(const RankContext& context, std::int64_t done, const Error& error)
{
    return {wire::Outcome::Failed, done, ofRank(error, context.rank).text()};
}

void announce(const experiment::RunSpec& run, const RankContext& context, const torch::Device& device,
    const RankGroup& group, const Sweep& sweep, Recorder& recorder)
{
    const bool isAllReduce = sweep.what == Collective::AllReduce;
    std::string how = (isAllReduce ? run.text("aggregation.algorithm") : std::string(nameOf(sweep.what))) + " over "
        + group.backendReason;
    if (group.communicator->hasLinks()) {
        how += ", built from messages over an emulated link";
    }
    recorder.prepared({.device = device.str(),
        .totalSteps = static_cast<std::int64_t>(sweep.points.size()),
        .stepsPerEpoch = static_cast<std::int64_t>(sweep.points.size()),
        .communication = how,
        .cores = coresAtStart()});
    if (context.rank.number == 0) {
        recorder.log(wire::LogLevel::Info,
            fmt::format(
                "{}, {} ranks, {}; {} measurements", nameOf(sweep.what), context.worldSize, how, sweep.points.size()));
    }
}

} // namespace

wire::Goodbye measureCollectives(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement, Recorder& recorder)
{
    const auto device = openDevice(placement, context);
    if (!device) {
        return {wire::Outcome::Refused, 0, device.error().message};
    }
    const DeviceStream stream(*device);
    const auto group = joinRanks(run, context, placement);
    if (!group) {
        return measurementFailed(context, 0, group.error());
    }
    const auto marks = marksOf(*device);
    Bench bench(run, **group, marks.get(), recorder);
    announce(run, context, *device, **group, bench.sweep(), recorder);
    RunControl control(
        recorder, *(*group)->board, context.rank.number, [](std::int64_t step) { return step + 1; },
        [&](const wire::Control& change) {
            const bool isKnown = (*group)->bottleneck.apply(change);
            (*group)->applyLinks();
            return isKnown;
        },
        [] { return wire::Held{}; });
    std::int64_t done = 0;
    for (const SweepPoint& point : bench.sweep().points) {
        const auto verdict = control.beforeStep(done + 1);
        if (verdict != RunControl::Verdict::Go) {
            return {
                wire::Outcome::Stopped, done, verdict == RunControl::Verdict::PeerLost ? "the workbench is gone" : ""};
        }
        try {
            if (auto measured = bench.measure(point, done + 1); !measured) {
                return measurementFailed(context, done, measured.error());
            }
        } catch (const std::bad_alloc&) {
            return measurementFailed(context, done,
                {fmt::format("there is not enough memory for arrays of {} bytes (sweep.max_bytes)", point.bytes)});
        }
        ++done;
    }
    return {wire::Outcome::Finished, done, ""};
}

} // namespace lockstep::engine
