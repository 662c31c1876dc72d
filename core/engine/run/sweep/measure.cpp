#include "engine/run/sweep/measure.h"

#include "engine/gpu/device_marks.h"
#include "engine/gpu/device_stream.h"
#include "engine/ranks/devices/cores.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/ranks/rank_group.h"
#include "engine/run/host_clock.h"
#include "engine/run/run_control.h"
#include "engine/run/stuck_rank.h"
#include "engine/run/sweep/collective_bench.h"
#include "engine/strategy/call_report.h"

#include <fmt/format.h>

#include <new>

namespace lockstep::engine {

namespace {

wire::Goodbye measurementFailed(const RankContext& context, std::int64_t done, const Error& error)
{
    return wire::Goodbye::of(wire::Outcome::Failed, done, ofRank(error, context.rank));
}

void announce(const experiment::RunSpec& run, const RankContext& context, const std::string& device,
    const RankGroup& group, const CollectiveBench& bench, Recorder& recorder)
{
    const Sweep& sweep = bench.sweep();
    const bool isAllReduce = sweep.what == comm::Collective::AllReduce;
    Text how(LS_TR("Messages", "%1 over %2"),
        {verbatim(isAllReduce ? nameOf(run.settings->aggregation.algorithm) : nameOf(sweep.what)),
            group.backendReason});
    if (group.communicator->hasLinks()) {
        how = {LS_TR("Messages", "%1, built from messages over an emulated link"), {how}};
    }
    if (const Text more = bench.how(); !more.empty()) {
        how = {LS_TR("Messages", "%1, %2"), {how, more}};
    }
    const auto [communication, communicationData] = asFields(how);
    recorder.prepared({.device = device,
        .totalSteps = static_cast<std::int64_t>(sweep.points.size()),
        .stepsPerEpoch = static_cast<std::int64_t>(sweep.points.size()),
        .communication = communication,
        .cores = coresAtStart(),
        .communicationData = communicationData});
    if (context.rank.number == 0) {
        recorder.log(wire::LogLevel::Info,
            {LS_TR("Messages", "%1, %2 ranks, %3; %4 measurements"),
                {verbatim(nameOf(sweep.what)), context.worldSize, how, sweep.points.size()}});
    }
}

} // namespace

wire::Goodbye measureCollectives(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement, Recorder& recorder)
{
    const auto device = openDevice(placement, context);
    if (!device) {
        return wire::Goodbye::of(wire::Outcome::Refused, 0, device.error());
    }
    const DeviceStream stream(*device);
    const auto group = joinRanks(run, context, placement);
    if (!group) {
        return measurementFailed(context, 0, group.error());
    }
    const auto watch
        = watchPeers(context, placement, recorder, [&ranks = *(*group)->communicator] { return ranks.deadPeer(); });
    const auto clock = measureClock((*group)->network, recorder);
    const auto marks = marksOf(*device);
    const auto made = CollectiveBench::make(run, **group, marks.get(), recorder);
    if (!made) {
        return measurementFailed(context, 0, made.error());
    }
    CollectiveBench& bench = **made;
    announce(run, context, placement.device(context.localRank), **group, bench, recorder);
    RunControl control(
        recorder, *(*group)->board, context.rank.number, [](std::int64_t step) { return step + 1; },
        [&](const wire::Control& change) {
            const bool isKnown = (*group)->stragglers.apply(change);
            (*group)->applyLinks();
            bench.applyLinks();
            return isKnown;
        },
        [] { return wire::Held{}; });
    const auto calls = (*group)->callRecord();
    std::int64_t done = 0;
    for (const SweepPoint& point : bench.sweep().points) {
        const auto verdict = control.beforeStep(done + 1);
        if (verdict != RunControl::Verdict::Go) {
            return {
                wire::Outcome::Stopped, done, verdict == RunControl::Verdict::PeerLost ? "the workbench is gone" : ""};
        }
        try {
            if (calls) {
                calls->setStep(context.rank.number, done + 1);
            }
            if (auto measured = bench.measure(point, done + 1); !measured) {
                if (calls) {
                    reportCalls(*calls, recorder);
                }
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
