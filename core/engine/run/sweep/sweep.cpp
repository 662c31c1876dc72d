#include "engine/run/sweep/sweep.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace lockstep::engine {

namespace {

using comm::Collective;

/// The value whose name is in the spec; validation has checked that it exists.
template <typename T>
T named(std::span<const T> values, std::string_view name)
{
    const auto found = std::ranges::find(values, name, [](T value) { return comm::nameOf(value); });
    return found == values.end() ? values.front() : *found;
}

} // namespace

Sweep sweepOf(const experiment::RunSpec& run)
{
    Sweep sweep;
    sweep.what = named<Collective>(comm::AllCollectives, nameOf(run.settings->sweep.collective));
    sweep.type = named<comm::DataType>(comm::DataTypes, nameOf(run.settings->sweep.type));
    sweep.reduction = named<comm::Reduction>(comm::Reductions, nameOf(run.settings->sweep.reduction));
    sweep.root = static_cast<int>(run.settings->sweep.root);
    sweep.groups = static_cast<int>(run.settings->sweep.groups);
    sweep.isAsync = run.settings->sweep.isAsync;
    if (sweep.what == Collective::Barrier) {
        sweep.points.push_back({0, SweepBuffers::OutOfPlace});
        return sweep;
    }
    using Asked = experiment::SweepBuffers;
    const Asked buffers = run.settings->sweep.buffers;
    const std::int64_t most = run.settings->sweep.maxBytes;
    for (std::int64_t bytes = run.settings->sweep.minBytes; bytes <= most; bytes *= run.settings->sweep.factor) {
        if (buffers == Asked::Training) {
            sweep.points.push_back({bytes, SweepBuffers::Training});
            continue;
        }
        if (buffers != Asked::InPlace) {
            sweep.points.push_back({bytes, SweepBuffers::OutOfPlace});
        }
        if (buffers != Asked::OutOfPlace) {
            sweep.points.push_back({bytes, SweepBuffers::InPlace});
        }
    }
    return sweep;
}

Counts countsOf(Collective what, std::int64_t bytes, comm::DataType type, int ranks)
{
    const auto size = static_cast<std::int64_t>(comm::sizeOf(type));
    const std::int64_t whole = std::max<std::int64_t>(1, bytes / size);
    const std::int64_t part = std::max<std::int64_t>(1, bytes / size / ranks);
    switch (what) {
    case Collective::AllReduce:
    case Collective::Broadcast:
    case Collective::Reduce:
    case Collective::SendReceive:
        return {whole, whole, whole};
    case Collective::Gather:
    case Collective::AllGather:
        return {part, part * ranks, part * ranks};
    case Collective::Scatter:
    case Collective::ReduceScatter:
        return {part * ranks, part, part * ranks};
    case Collective::AllToAll:
        return {part * ranks, part * ranks, part * ranks};
    case Collective::Barrier:
        break;
    }
    return {};
}

} // namespace lockstep::engine
