// The members of a zip archive, stored or deflated (PKWARE's APPNOTE; RFC 1951). numpy writes only these. Private to
// this room.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep::datasets {

struct ZipMember {
    std::string name;
    std::int64_t bytes = 0; ///< uncompressed
    std::int64_t packedBytes = 0;
    std::int64_t headerAt = 0; ///< its local header in the file
    std::uint32_t sum = 0; ///< CRC-32
    bool isDeflated = false;
};

/// From the directory at the file's end, checked against the file's length. Refuses encrypted members, other methods of
/// compression and members of 4 GiB or more.
[[nodiscard]] Result<std::vector<ZipMember>> zipMembers(const std::string& path);

/// Its first `most` bytes. Checks the checksum if these are all of them.
[[nodiscard]] Result<std::vector<std::uint8_t>> readZipMember(
    const std::string& path, const ZipMember& member, std::int64_t most);

} // namespace lockstep::datasets
