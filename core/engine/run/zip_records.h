// The records of a ZIP archive that are not compressed, which is how torch.save writes its own. Private to
// core/engine/run.
#pragma once

#include "base/result.h"

#include <map>
#include <span>
#include <string>

namespace lockstep::engine {

/// By their names below the archive's first folder: torch.save puts data.pkl into archive/data.pkl. Parts of the
/// archive.
using ZipRecords = std::map<std::string, std::span<const char>, std::less<>>;

/// Trusts no number in the archive: every record lies within it. Checksums are not compared. Fails where a record is
/// compressed or encrypted, or two have the same name. Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3 and 4.5.3 (Zip64).
[[nodiscard]] Result<ZipRecords> zipRecords(std::span<const char> archive);

} // namespace lockstep::engine
