// The desktop program: one window over one run store.
#pragma once

#include <string_view>

namespace lockstep::ui {

/// Icons and translations, which the linker leaves out of a static library unless they are named; before any text.
void loadResources();

/// Whether the word names a file that the window opens, by its ending: an experiment, a bundle, a run, a recording.
[[nodiscard]] bool isDocumentName(std::string_view word);

/// Runs the window until it is closed; gives the program's exit code. `--store FOLDER` chooses another store,
/// `--lang en|zh` the language for this time; files are opened.
int runDesktop(int argc, char** argv);

} // namespace lockstep::ui
