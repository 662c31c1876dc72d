// The icons on buttons, drawn in the current text colour, so that they suit light and dark themes and any scaling.
#pragma once

#include <QIcon>

namespace lockstep::ui {

enum class Glyph {
    Run,
    Pause,
    Stop,
    Search,
    Settings,
    Reset,
    Close,
    Folder,
    Left,
    Right,
    Table,
    Copy,
    Save,
    Enlarge,
    StepBack,
    StepForward,
    Message
};

[[nodiscard]] QIcon glyphIcon(Glyph glyph);
/// The program's own icon, from the resources.
[[nodiscard]] QIcon appIcon();

} // namespace lockstep::ui
