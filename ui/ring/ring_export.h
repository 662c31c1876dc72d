// The ring on paper: the moment that is on screen, and the messages of its step as CSV. Private to ui/ring.
#pragma once

#include "ui/export/render.h"

namespace lockstep::ui {

class RingView;
class RunFeed;

/// The view shows a step of this run.
[[nodiscard]] Drawing ringDrawing(const RunFeed& feed, const RingView& view);

} // namespace lockstep::ui
