// Threads for what reads files or computes for long. Qt paints with those of its global pool, and waits for them: a
// long task there would stop the window. GUI thread only.
#pragma once

class QThreadPool;

namespace lockstep::ui {

/// The application's; it waits at its end for what still runs.
[[nodiscard]] QThreadPool& backgroundPool();

} // namespace lockstep::ui
