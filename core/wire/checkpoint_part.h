// A rank's file of a checkpoint on its way to the workbench, in pieces. Ranks send it only where the workbench does not
// see their folder (Welcome::checkpointMark). Fields are described as in messages.h.
#pragma once

#include "base/field.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::wire {

inline constexpr std::size_t MaxFileNameBytes = 64;
inline constexpr std::size_t CheckpointPieceBytes = 1u << 18; ///< of a file in one message, except the last

/// The pieces of a file come in order and without gaps; the file is complete where offset + bytes = total.
struct CheckpointPart {
    std::int64_t step = 0; ///< of the checkpoint
    std::string name; ///< of the file: rank-2.safetensors, manifest.json
    std::int64_t offset = 0; ///< of these bytes in the file
    std::int64_t total = 0; ///< size of the file in bytes
    std::vector<std::byte> bytes;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &CheckpointPart::step);
        visit(Field("name").atMost(MaxFileNameBytes), &CheckpointPart::name);
        visit(Field("offset").notNegative(), &CheckpointPart::offset);
        visit(Field("total").notNegative(), &CheckpointPart::total);
        visit(Field("bytes"), &CheckpointPart::bytes);
    }
    bool operator==(const CheckpointPart&) const = default;
};

} // namespace lockstep::wire
