#include "engine/comm/operation.h"

#include "engine/comm/failures.h"

#include <optional>
#include <string>

namespace lockstep::comm {

namespace {

Text countOf(const ConstView& view)
{
    return verbatim(std::to_string(view.count) + " " + std::string(nameOf(view.type)));
}

/// Where the array is that `rank` gets, if it gets any.
std::optional<Space> spaceOfOut(const Operation& op, int rank)
{
    switch (op.what) {
    case Collective::AllReduce: // of a shared array the result may stay where it is
        return op.out.data != nullptr ? std::optional(op.out.space) : std::nullopt;
    case Collective::Broadcast:
    case Collective::AllGather:
    case Collective::Scatter:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        return op.out.space;
    case Collective::Reduce:
    case Collective::Gather:
        return rank == op.root ? std::optional(op.out.space) : std::nullopt;
    case Collective::SendReceive:
        return op.from >= 0 ? std::optional(op.out.space) : std::nullopt;
    case Collective::Barrier:
        break;
    }
    return {};
}

/// What `rank` must give and get; none where it may be anything.
struct Counts {
    std::int64_t in;
    std::int64_t out;
};

std::optional<Counts> countsFor(const Operation& op, int rank, int size)
{
    const std::int64_t in = op.in.count;
    const std::int64_t out = op.out.count;
    switch (op.what) {
    case Collective::AllReduce:
        return Counts{in, in};
    case Collective::AllGather:
        return Counts{in, in * size};
    case Collective::ReduceScatter:
        return Counts{out * size, out};
    case Collective::AllToAll:
        return Counts{in / size * size, in / size * size};
    case Collective::Reduce:
        return rank == op.root ? std::optional(Counts{in, in}) : std::nullopt;
    case Collective::Gather:
        return rank == op.root ? std::optional(Counts{in, in * size}) : std::nullopt;
    case Collective::Scatter:
        return rank == op.root ? std::optional(Counts{out * size, out}) : std::nullopt;
    case Collective::Broadcast:
    case Collective::Barrier:
    case Collective::SendReceive:
        break;
    }
    return {};
}

Error refused(const Operation& op, const Text& why)
{
    return failureOf(ofOperation(op.what, why));
}

Error noRank(const Operation& op, const Text& which, int size)
{
    return refused(op, {LS_TR("Messages", "%1 does not exist; the ranks are 0 to %2"), {which, size - 1}});
}

Error countsDiffer(const Operation& op, const Counts& wanted, int size)
{
    return refused(op,
        {LS_TR("Messages", "in has %1, out %2; with %3 ranks they must have %4 and %5 of one type"),
            {countOf(op.in), countOf(op.out), size, wanted.in, wanted.out}});
}

} // namespace

bool givesArray(const Operation& operation, int rank)
{
    switch (operation.what) {
    case Collective::Broadcast:
    case Collective::Scatter:
        return rank == operation.root;
    case Collective::SendReceive:
        return operation.to >= 0;
    case Collective::Barrier:
        return false;
    case Collective::Reduce:
    case Collective::AllReduce:
    case Collective::Gather:
    case Collective::AllGather:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        break;
    }
    return true;
}

Space spaceOf(const Operation& operation, int rank)
{
    return givesArray(operation, rank) ? operation.in.space : spaceOfOut(operation, rank).value_or(Space::Host);
}

std::size_t bytesSentBy(const Operation& op, int rank, int ranks)
{
    const auto p = static_cast<std::size_t>(ranks);
    const std::size_t in = op.in.byteCount();
    const std::size_t out = op.out.byteCount();
    const bool isRoot = rank == op.root;
    switch (op.what) {
    case Collective::AllReduce:
        return 2 * in * (p - 1) / p;
    case Collective::AllGather:
        return in * (p - 1);
    case Collective::ReduceScatter:
        return out * (p - 1);
    case Collective::AllToAll:
        return in * (p - 1) / p;
    case Collective::Broadcast:
        return isRoot && ranks > 1 ? out : 0;
    case Collective::Scatter:
        return isRoot ? out * (p - 1) : 0;
    case Collective::Reduce:
    case Collective::Gather:
        return isRoot ? 0 : in;
    case Collective::SendReceive:
        return op.to >= 0 ? in : 0;
    case Collective::Barrier:
        return 0;
    }
    return 0;
}

Result<void> checkOperation(const Operation& operation, int rank, int size)
{
    const auto& [what, in, out, reduction, root, to, from] = operation;
    const Space space = spaceOf(operation, rank);
    if (spaceOfOut(operation, rank).value_or(space) != space) {
        return refused(operation,
            LS_TR("Messages",
                "one of in and out is in the host's memory, the other in the GPU's; both must be in the same memory"));
    }
    const auto isRank = [size](int number) { return number >= 0 && number < size; };
    if (hasRoot(what) && !isRank(root)) {
        return noRank(operation, verbatim("root " + std::to_string(root)), size);
    }
    if (isReducing(what) && !isDefined(reduction, in.type)) {
        return refused(operation,
            {LS_TR("Messages", "%1 is not defined for %2; use int32, int64 or uint8"),
                {verbatim(nameOf(reduction)), verbatim(nameOf(in.type))}});
    }
    const auto wanted = countsFor(operation, rank, size);
    if (wanted && (in.type != out.type || in.count != wanted->in || out.count != wanted->out)) {
        return countsDiffer(operation, *wanted, size);
    }
    for (const int other : {to, from}) {
        if (what == Collective::SendReceive && other != -1 && (!isRank(other) || other == rank)) {
            return noRank(operation, {LS_TR("Messages", "another %1"), {rankName(other)}}, size);
        }
    }
    return {};
}

} // namespace lockstep::comm
