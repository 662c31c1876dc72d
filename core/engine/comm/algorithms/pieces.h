// Parts of an array, for algorithms that send it in parts.
#pragma once

#include "engine/comm/reduce.h"
#include "engine/comm/types.h"

#include <array>

namespace lockstep::comm {

/// Elements begin .. end - 1.
inline View part(const View& whole, std::int64_t begin, std::int64_t end)
{
    return {whole.bytes() + static_cast<std::size_t>(begin) * sizeOf(whole.type), end - begin, whole.type};
}

/// Part `number` of `count` parts that are as equal as can be.
inline View equalPart(const View& whole, int number, int count)
{
    return part(whole, whole.count * number / count, whole.count * (number + 1) / count);
}

/// to = to op from.
inline void reduceInto(const View& to, Reduction reduction, const void* from)
{
    const std::array<const void*, 2> inputs{to.data, from};
    reduceArrays(reduction, to.type, to.data, inputs, to.count);
}

} // namespace lockstep::comm
