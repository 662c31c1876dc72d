#include "engine/comm/algorithms/composed.h"

#include "engine/comm/algorithms/pieces.h"

namespace lockstep::comm {

namespace {

/// The group whose collective is composed, for its messages.
class Messages final : public Communicator {
public:
    Messages(const Communicator& group, const Exchange& exchange)
        : Communicator(group.rank(), group.size())
        , m_group(group)
        , m_exchange(exchange)
    { }
    ~Messages() override { finishStarted(); }
    [[nodiscard]] std::string_view backend() const override { return m_group.backend(); }
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override { return m_group.memory(space); }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override
    {
        return failure(LS_TR("Messages", "split: not while a collective is under way"));
    }

protected:
    Result<void> execute(const Operation& message, OperationTimes&) override { return m_exchange(message); }

private:
    const Communicator& m_group;
    const Exchange& m_exchange;
};

ConstView constPart(const ConstView& whole, int number, int count)
{
    const auto parts = static_cast<std::size_t>(count);
    const std::size_t bytes = whole.byteCount() / parts * static_cast<std::size_t>(number);
    return {whole.bytes() + bytes, whole.count / count, whole.type, whole.space};
}

/// Room for `times` arrays like `like`, each of which begins at a multiple of 64 bytes.
Result<View> roomFor(Communicator& group, const ConstView& like, std::int64_t times, Scratch& scratch)
{
    const auto line = static_cast<std::int64_t>(64 / sizeOf(like.type));
    return scratch.room(group, {nullptr, (like.count + line - 1) / line * line, like.type, like.space}, times);
}

/// Ranks are numbered from the root here, which is the root of the tree.
Result<void> broadcast(Communicator& group, const Operation& op)
{
    const int p = group.size();
    const int place = (group.rank() - op.root + p) % p;
    const auto rankAt = [&](int number) { return (number + op.root) % p; };
    if (place == 0) {
        copyTo(group, op.out, op.in);
    }
    int distance = 1;
    while (distance < p && (place & distance) == 0) {
        distance *= 2;
    }
    if (place != 0) {
        LOCKSTEP_TRY(group.receive(op.out, rankAt(place - distance)));
    }
    for (distance /= 2; distance >= 1; distance /= 2) {
        if (place + distance < p) {
            LOCKSTEP_TRY(group.send(op.out, rankAt(place + distance)));
        }
    }
    return {};
}

Result<void> reduce(Communicator& group, const Operation& op, Scratch& scratch)
{
    const int p = group.size();
    const int place = (group.rank() - op.root + p) % p;
    const auto rankAt = [&](int number) { return (number + op.root) % p; };
    // Two arrays: what this rank has so far, unless it is the root, and what comes in.
    LOCKSTEP_TRY_ASSIGN(const auto room, roomFor(group, op.in, 2, scratch));
    const View sum = place == 0 ? op.out : part(room, 0, op.in.count);
    const View incoming = part(room, room.count / 2, room.count / 2 + op.in.count);
    copyTo(group, sum, op.in);
    for (int distance = 1; distance < p; distance *= 2) {
        if ((place & distance) != 0) {
            return group.send(sum, rankAt(place - distance));
        }
        if (place + distance < p) {
            LOCKSTEP_TRY(group.receive(incoming, rankAt(place + distance)));
            reduceInto(group, sum, op.reduction, incoming.data);
        }
    }
    return {};
}

Result<void> gather(Communicator& group, const Operation& op)
{
    if (group.rank() != op.root) {
        return group.send(op.in, op.root);
    }
    for (int rank = 0; rank < group.size(); ++rank) {
        const View place = equalPart(op.out, rank, group.size());
        if (rank == op.root) {
            copyTo(group, place, op.in);
        } else if (auto received = group.receive(place, rank); !received) {
            return received;
        }
    }
    return {};
}

Result<void> scatter(Communicator& group, const Operation& op)
{
    if (group.rank() != op.root) {
        return group.receive(op.out, op.root);
    }
    for (int rank = 0; rank < group.size(); ++rank) {
        if (rank != op.root) {
            LOCKSTEP_TRY(group.send(constPart(op.in, rank, group.size()), rank));
        }
    }
    copyTo(group, op.out, constPart(op.in, op.root, group.size()));
    return {};
}

Result<void> allGather(Communicator& group, const Operation& op)
{
    const int p = group.size();
    const auto chunk = [&](int number) { return equalPart(op.out, ((number % p) + p) % p, p); };
    copyTo(group, chunk(group.rank()), op.in);
    for (int step = 0; step < p - 1; ++step) {
        LOCKSTEP_TRY(group.sendReceive(chunk(group.rank() - step), (group.rank() + 1) % p,
            chunk(group.rank() - step - 1), (group.rank() + p - 1) % p));
    }
    return {};
}

Result<void> reduceScatter(Communicator& group, const Operation& op, Scratch& scratch)
{
    const int p = group.size();
    LOCKSTEP_TRY_ASSIGN(const auto room, roomFor(group, op.in, 2, scratch));
    const View work = part(room, 0, op.in.count);
    copyTo(group, work, op.in);
    // One chunk further than in the ring, so that rank r ends with chunk r.
    const auto chunk = [&](int number) { return equalPart(work, ((number % p) + p) % p, p); };
    for (int step = 0; step < p - 1; ++step) {
        const View kept = chunk(group.rank() - step - 2);
        const View incoming = part(room, room.count / 2, room.count / 2 + kept.count);
        LOCKSTEP_TRY(group.sendReceive(
            chunk(group.rank() - step - 1), (group.rank() + 1) % p, incoming, (group.rank() + p - 1) % p));
        reduceInto(group, kept, op.reduction, incoming.data);
    }
    copyTo(group, op.out, chunk(group.rank()));
    return {};
}

Result<void> allToAll(Communicator& group, const Operation& op, Scratch& scratch)
{
    const int p = group.size();
    ConstView in = op.in;
    if (op.in.data == op.out.data) {
        LOCKSTEP_TRY_ASSIGN(const auto copy, scratch.room(group, op.in));
        copyTo(group, copy, op.in);
        in = copy;
    }
    copyTo(group, equalPart(op.out, group.rank(), p), constPart(in, group.rank(), p));
    for (int away = 1; away < p; ++away) {
        const int to = (group.rank() + away) % p;
        const int from = (group.rank() + p - away) % p;
        LOCKSTEP_TRY(group.sendReceive(constPart(in, to, p), to, equalPart(op.out, from, p), from));
    }
    return {};
}

Result<void> barrier(Communicator& group)
{
    const int p = group.size();
    for (int distance = 1; distance < p; distance *= 2) {
        const int to = (group.rank() + distance) % p;
        const int from = (group.rank() + p - distance) % p;
        LOCKSTEP_TRY(group.sendReceive({}, to, {}, from));
    }
    return {};
}

} // namespace

Result<void> composed(const Communicator& owner, const Exchange& exchange, const Operation& op, Scratch& scratch)
{
    Messages group(owner, exchange);
    switch (op.what) {
    case Collective::Broadcast:
        return broadcast(group, op);
    case Collective::Reduce:
        return reduce(group, op, scratch);
    case Collective::AllReduce:
        copyTo(group, op.out, op.in);
        return ringAllReduce(group, op.out, op.reduction, scratch);
    case Collective::Gather:
        return gather(group, op);
    case Collective::AllGather:
        return allGather(group, op);
    case Collective::Scatter:
        return scatter(group, op);
    case Collective::ReduceScatter:
        return reduceScatter(group, op, scratch);
    case Collective::AllToAll:
        return allToAll(group, op, scratch);
    case Collective::Barrier:
        return barrier(group);
    case Collective::SendReceive:
        return group.sendReceive(op.in, op.to, op.out, op.from);
    }
    return {};
}

} // namespace lockstep::comm
