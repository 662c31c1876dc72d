// Every collective with every type and reduction, on inputs whose exact result is known, wherever the arrays are.
#pragma once

#include "engine/comm/communicator.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace lockstep::tests {

using Bytes = std::vector<std::byte>;

inline void storeNumber(comm::DataType type, std::byte* at, std::int64_t number)
{
    const auto put = [at](auto value) { std::memcpy(at, &value, sizeof(value)); };
    switch (type) {
    case comm::DataType::Float32:
        return put(static_cast<float>(number));
    case comm::DataType::Float64:
        return put(static_cast<double>(number));
    case comm::DataType::Float16:
        return put(static_cast<_Float16>(number));
    case comm::DataType::BFloat16: // exact up to 256
        return put(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16));
    case comm::DataType::Int32:
        return put(static_cast<std::int32_t>(number));
    case comm::DataType::Int64:
        return put(number);
    case comm::DataType::UInt8:
        return put(static_cast<std::uint8_t>(number));
    }
}

/// Small enough that sums and products over 8 ranks are exact in every type; different for every rank and place.
inline std::int64_t numberAt(int rank, std::int64_t i, comm::Reduction reduction)
{
    const std::int64_t mixed = rank * 37 + i * 11 + i / 97;
    return reduction == comm::Reduction::Product ? 1 + mixed % 2
        : reduction >= comm::Reduction::BitAnd   ? mixed % 128
                                                 : mixed % 16;
}

inline std::int64_t combined(comm::Reduction reduction, std::int64_t a, std::int64_t b)
{
    switch (reduction) {
    case comm::Reduction::Sum:
        return a + b;
    case comm::Reduction::Product:
        return a * b;
    case comm::Reduction::Min:
        return std::min(a, b);
    case comm::Reduction::Max:
        return std::max(a, b);
    case comm::Reduction::BitAnd:
        return a & b;
    case comm::Reduction::BitOr:
        return a | b;
    case comm::Reduction::BitXor:
        return a ^ b;
    }
    return 0;
}

inline std::int64_t combinedOverRanks(int ranks, std::int64_t i, comm::Reduction reduction)
{
    std::int64_t result = numberAt(0, i, reduction);
    for (int rank = 1; rank < ranks; ++rank) {
        result = combined(reduction, result, numberAt(rank, i, reduction));
    }
    return result;
}

template <typename Number>
Bytes filled(comm::DataType type, std::int64_t count, const Number& number)
{
    const std::size_t size = comm::sizeOf(type);
    Bytes bytes(static_cast<std::size_t>(count) * size);
    for (std::int64_t i = 0; i < count; ++i) {
        storeNumber(type, bytes.data() + static_cast<std::size_t>(i) * size, number(i));
    }
    return bytes;
}

struct Case {
    comm::Collective what;
    comm::DataType type;
    comm::Reduction reduction;
    std::int64_t count; ///< of a rank's own part
    int root;
    bool inPlace;
};

inline std::string describe(const Case& c)
{
    return std::string(comm::nameOf(c.what)) + " " + std::string(comm::nameOf(c.type)) + " "
        + std::string(comm::nameOf(c.reduction)) + " " + std::to_string(c.count) + " root " + std::to_string(c.root)
        + (c.inPlace ? " in place" : "");
}

struct Arrays {
    Bytes in;
    Bytes expected; ///< empty: this rank gets nothing
};

/// What rank `rank` gives and must get.
inline Arrays arraysOf(const Case& c, int rank, int ranks)
{
    const auto own = [&](std::int64_t i) { return numberAt(rank, i, c.reduction); };
    const auto all = [&](std::int64_t i) { return combinedOverRanks(ranks, i, c.reduction); };
    const auto gathered
        = [&](std::int64_t i) { return numberAt(static_cast<int>(i / c.count), i % c.count, c.reduction); };
    const std::int64_t whole = c.count * ranks;
    const bool isRoot = rank == c.root;
    switch (c.what) {
    case comm::Collective::Broadcast:
        return {filled(c.type, c.count, own),
            filled(c.type, c.count, [&](std::int64_t i) { return numberAt(c.root, i, c.reduction); })};
    case comm::Collective::Reduce:
        return {filled(c.type, c.count, own), isRoot ? filled(c.type, c.count, all) : Bytes{}};
    case comm::Collective::AllReduce:
        return {filled(c.type, c.count, own), filled(c.type, c.count, all)};
    case comm::Collective::Gather:
        return {filled(c.type, c.count, own), isRoot ? filled(c.type, whole, gathered) : Bytes{}};
    case comm::Collective::AllGather:
        return {filled(c.type, c.count, own), filled(c.type, whole, gathered)};
    case comm::Collective::Scatter:
        return {isRoot ? filled(c.type, whole, own) : Bytes{},
            filled(c.type, c.count, [&](std::int64_t i) { return numberAt(c.root, rank * c.count + i, c.reduction); })};
    case comm::Collective::ReduceScatter:
        return {filled(c.type, whole, own),
            filled(c.type, c.count, [&](std::int64_t i) { return all(rank * c.count + i); })};
    case comm::Collective::AllToAll:
        return {filled(c.type, whole, own), filled(c.type, whole, [&](std::int64_t i) {
                    return numberAt(static_cast<int>(i / c.count), rank * c.count + i % c.count, c.reduction);
                })};
    case comm::Collective::Barrier:
    case comm::Collective::SendReceive:
        break;
    }
    return {};
}

inline std::int64_t countOf(const Bytes& bytes, comm::DataType type)
{
    return static_cast<std::int64_t>(bytes.size() / comm::sizeOf(type));
}

/// Where the arrays of a test are, and how to get at them.
class Place {
public:
    virtual ~Place() = default;
    [[nodiscard]] virtual comm::Space space() const = 0;
    /// Room for an array, with these bytes in it; stays as long as the place.
    [[nodiscard]] virtual Result<std::byte*> hold(Bytes bytes) = 0;
    /// Whether the result is as expected, once all of the group's operations are done.
    [[nodiscard]] virtual Result<bool> isThere(comm::Communicator& group, const std::byte* at, const Bytes& expected)
        = 0;
    /// Lets go of all arrays.
    virtual void clear() = 0;
};

class HostPlace final : public Place {
public:
    [[nodiscard]] comm::Space space() const override { return comm::Space::Host; }
    [[nodiscard]] Result<std::byte*> hold(Bytes bytes) override
    {
        m_arrays.push_back(std::move(bytes));
        return m_arrays.back().data();
    }
    [[nodiscard]] Result<bool> isThere(comm::Communicator&, const std::byte* at, const Bytes& expected) override
    {
        return expected.empty() || std::memcmp(at, expected.data(), expected.size()) == 0;
    }
    void clear() override { m_arrays.clear(); }

private:
    std::deque<Bytes> m_arrays;
};

/// In place where the sizes allow: the result uses the input's memory, or the input is in the result's.
inline Result<void> tryCase(comm::Communicator& group, const Case& c, bool isAsync, Place& place)
{
    Arrays arrays = arraysOf(c, group.rank(), group.size());
    const std::int64_t inCount = countOf(arrays.in, c.type);
    const bool isGathering = c.what == comm::Collective::AllGather || c.what == comm::Collective::Gather;
    const bool takesInput
        = c.what == comm::Collective::Broadcast || (c.inPlace && arrays.in.size() == arrays.expected.size());
    Bytes before(takesInput ? 0 : arrays.expected.size(), std::byte{0xa5});
    const std::size_t ownAt = static_cast<std::size_t>(group.rank()) * arrays.in.size();
    const bool standsInOutput = !takesInput && c.inPlace && isGathering && !before.empty();
    if (standsInOutput) {
        std::copy(arrays.in.begin(), arrays.in.end(), before.begin() + static_cast<std::ptrdiff_t>(ownAt));
    }
    const auto input = place.hold(std::move(arrays.in));
    const auto output = place.hold(std::move(before));
    if (!input || !output) {
        return input ? output.error() : input.error();
    }
    std::byte* out = takesInput ? *input : *output;
    const std::byte* in = standsInOutput ? *output + ownAt : *input;
    const comm::Operation operation{.what = c.what,
        .in = {in, inCount, c.type, place.space()},
        .out = {out, countOf(arrays.expected, c.type), c.type, place.space()},
        .reduction = c.reduction,
        .root = c.root};
    auto done = isAsync ? group.start(operation)->wait() : group.run(operation);
    if (!done) {
        return Error{describe(c) + ": " + done.error().message};
    }
    const auto isRight = place.isThere(group, out, arrays.expected);
    if (!isRight) {
        return Error{describe(c) + ": " + isRight.error().message};
    }
    place.clear();
    return *isRight ? Result<void>() : Error{describe(c) + ": wrong on rank " + std::to_string(group.rank())};
}

inline std::vector<Case> casesOf(comm::Collective what, int ranks, std::int64_t largest)
{
    std::vector<Case> cases;
    for (const comm::DataType type : comm::DataTypes) {
        for (const comm::Reduction reduction : comm::Reductions) {
            if (!comm::isDefined(reduction, type) || (!comm::isReducing(what) && reduction != comm::Reduction::Sum)) {
                continue;
            }
            for (const std::int64_t count :
                {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{1000}, largest}) {
                const int root = static_cast<int>(count) % ranks;
                cases.push_back({what, type, reduction, count, root, false});
                cases.push_back({what, type, reduction, count, root, true});
            }
        }
    }
    return cases;
}

} // namespace lockstep::tests
