// `lockstep desktop`: the menu entry, icon and file types of this user, by the rules of freedesktop.org (XDG).
#pragma once

#include <QStringList>

namespace lockstep::ui {

/// Arguments after `desktop`: --install or --remove. Needs a QCoreApplication, whose first argument is the command that
/// the menu entry starts. Gives the exit code.
int desktopCommand(const QStringList& arguments);

} // namespace lockstep::ui
