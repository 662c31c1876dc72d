// The desktop program: one window over one run store.
#pragma once

namespace lockstep::ui {

/// Runs the window until it is closed; gives the program's exit code. `--store FOLDER` chooses another store.
int runDesktop(int argc, char** argv);

} // namespace lockstep::ui
