#include "engine/run/sweep.h"

#include <algorithm>
#include <array>
#include <string>

namespace lockstep::engine {

namespace {

using comm::Collective;

constexpr std::array Collectives{Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
    Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll, Collective::Barrier,
    Collective::SendReceive};

/// The value whose name is in the spec; validation has checked that it exists.
template <typename T, typename Range>
T named(const Range& values, const std::string& name)
{
    const auto found
        = std::find_if(std::begin(values), std::end(values), [&](T value) { return comm::nameOf(value) == name; });
    return found == std::end(values) ? *std::begin(values) : *found;
}

template <typename Range>
std::vector<std::string_view> namesOf(const Range& values)
{
    std::vector<std::string_view> names;
    for (const auto value : values) {
        names.push_back(comm::nameOf(value));
    }
    return names;
}

} // namespace

std::vector<std::string_view> collectiveNames()
{
    return namesOf(Collectives);
}

std::vector<std::string_view> dataTypeNames()
{
    return namesOf(comm::DataTypes);
}

std::vector<std::string_view> reductionNames()
{
    return namesOf(comm::Reductions);
}

Sweep sweepOf(const experiment::RunSpec& run)
{
    Sweep sweep;
    sweep.what = named<Collective>(Collectives, std::string(nameOf(run.settings->sweep.collective)));
    sweep.type = named<comm::DataType>(comm::DataTypes, std::string(nameOf(run.settings->sweep.type)));
    sweep.reduction = named<comm::Reduction>(comm::Reductions, std::string(nameOf(run.settings->sweep.reduction)));
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
