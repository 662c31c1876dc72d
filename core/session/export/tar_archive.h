// A tar archive in memory (POSIX ustar): equal files give equal bytes.
#pragma once

#include "session/export/file_set.h"

#include <QByteArray>

#include <vector>

namespace lockstep::session {

inline constexpr qsizetype MaxTarName = 99; ///< bytes

/// Names are ASCII, of at most MaxTarName bytes.
[[nodiscard]] QByteArray tarArchive(const std::vector<NewFile>& files);

} // namespace lockstep::session
