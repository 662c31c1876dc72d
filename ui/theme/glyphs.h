// The few signs on buttons, drawn in the text colour of the moment, so that they are right in light and dark and at
// any scaling.
#pragma once

#include <QIcon>

namespace lockstep::ui {

enum class Glyph { Run, Pause, Stop, Search, Settings, Reset, Close, Folder, Left, Right };

[[nodiscard]] QIcon glyphIcon(Glyph glyph);
/// The program's own icon, from the resources.
[[nodiscard]] QIcon appIcon();

} // namespace lockstep::ui
