// Elementwise reduction of several arrays into one: the arithmetic of every collective that we implement.
#pragma once

#include "engine/comm/types.h"

#include <span>

namespace lockstep::comm {

/// to[i] = inputs[0][i] op inputs[1][i] op ... in this order, so equal inputs give equal bits on every rank.
/// float16 and bfloat16 are reduced in float32 and rounded once, to nearest even. Integers wrap around.
/// `to` may be one of the inputs. The reduction must be defined for the type.
void reduceArrays(
    Reduction reduction, DataType type, void* to, std::span<const void* const> inputs, std::int64_t count);

} // namespace lockstep::comm
