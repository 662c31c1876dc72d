// Parts of an array, for algorithms that send it in parts.
#pragma once

#include "engine/comm/communicator.h"

#include <array>

namespace lockstep::comm {

/// Elements begin .. end - 1.
inline View part(const View& whole, std::int64_t begin, std::int64_t end)
{
    return {whole.bytes() + static_cast<std::size_t>(begin) * sizeOf(whole.type), end - begin, whole.type, whole.space};
}

/// Part `number` of `count` parts that are as equal as can be.
inline View equalPart(const View& whole, int number, int count)
{
    return part(whole, whole.count * number / count, whole.count * (number + 1) / count);
}

/// to = to op from.
inline void reduceInto(const Communicator& group, const View& to, Reduction reduction, const void* from)
{
    const std::array<const void*, 2> inputs{to.data, from};
    group.memory(to.space)->reduce(reduction, to.type, to.data, inputs, to.count);
}

inline void copyTo(const Communicator& group, const View& to, const ConstView& from)
{
    if (to.data != from.data && from.count > 0) {
        group.memory(to.space)->copy(to.data, from.data, from.byteCount());
    }
}

} // namespace lockstep::comm
