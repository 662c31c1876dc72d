// Writes zip archives, by libzip: equal members give equal bytes. Members are in their order, dated 1980.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace lockstep::archive {

/// Of a member's bytes to those in the archive. A reader takes more for an attack, so such a member is not compressed.
inline constexpr std::uint64_t MaxRatio = 200;

struct ZipInput {
    std::string name; ///< UTF-8
    std::string content; ///< where there is no file
    std::string file{}; ///< its content is the member's
};

[[nodiscard]] Result<std::string> zipped(std::span<const ZipInput> members);

/// Replaces `path` when the archive is whole.
[[nodiscard]] Result<void> writeZip(const std::string& path, std::span<const ZipInput> members);

} // namespace lockstep::archive
