// A picture on the clipboard: drawing programs take the SVG, text programs the bitmap, spreadsheets the table. GUI
// thread.
#pragma once

#include "ui/export/render.h"

#include <memory>

class QMimeData;

namespace lockstep::ui {

/// In the size and with the settings of the last export.
void copyPicture(const Picture& picture);

/// image/svg+xml, a bitmap, text/csv, and the same table with tabs as plain text.
[[nodiscard]] std::unique_ptr<QMimeData> mimeOf(const Picture& picture, const PaperOptions& options);

} // namespace lockstep::ui
