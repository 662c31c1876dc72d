// How often a window redraws while ranks train beside it: seldom enough that drawing does not slow them down.
#pragma once

namespace lockstep::ui {

class RedrawPace {
public:
    static constexpr int ShortestMs = 33;
    static constexpr int LongestMs = 1000;
    /// Of one core, where the ranks leave none free, and where they do. What else the window does beside drawing takes
    /// as much again: a step of ranks on all cores takes at most 5 % longer (tests/bench/window_ratio.py). Where ranks
    /// share cores, a redraw that holds up one of them holds up all that wait for it: their number divides the share.
    static constexpr double ShareOfBusyCore = 0.025;
    static constexpr double ShareOfFreeCore = 0.25;

    explicit RedrawPace(int cores);

    /// How long to wait for the next redraw. `spentMs`: the processor time of the thread that draws since the last
    /// call; `ranks`: the processes that train now.
    [[nodiscard]] int intervalMs(double spentMs, int ranks);

private:
    int m_cores;
    double m_meanMs = 0.0;
};

} // namespace lockstep::ui
