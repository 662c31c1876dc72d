// The desktop program: one window over one run store.
#pragma once

namespace lockstep::ui {

/// Icons and translations, which the linker leaves out of a static library unless they are named; before any text.
void loadResources();

/// Runs the window until it is closed; gives the program's exit code. `--store FOLDER` chooses another store,
/// `--lang en|zh` the language for this time.
int runDesktop(int argc, char** argv);

} // namespace lockstep::ui
