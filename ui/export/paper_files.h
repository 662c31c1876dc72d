// The files of an export on the disk. Private to ui/export and the command line.
#pragma once

#include "ui/export/render.h"

#include <string_view>

namespace lockstep::ui {

/// Before the text of a CSV: says that it is UTF-8.
inline constexpr std::string_view Utf8Mark = "\xEF\xBB\xBF";

/// Writes the first file to `path` and the others beside it, the first last: it never stands without what it reads. On
/// failure those that were not there before are removed. Gives the paths, that of the first file first.
[[nodiscard]] Result<QStringList> writePaperFiles(const QString& path, const std::vector<PaperFile>& files);

} // namespace lockstep::ui
