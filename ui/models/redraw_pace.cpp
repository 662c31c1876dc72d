#include "ui/models/redraw_pace.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double WeightOfLast = 0.3; ///< a single long redraw does not stop the next one

} // namespace

RedrawPace::RedrawPace(int cores)
    : m_cores(cores)
{ }

int RedrawPace::intervalMs(double spentMs, int ranks)
{
    m_meanMs += WeightOfLast * (std::max(0.0, spentMs) - m_meanMs);
    const double ranksACore = static_cast<double>(ranks) / m_cores;
    const double share = ranks < m_cores ? ShareOfFreeCore : ShareOfBusyCore / ranksACore;
    return static_cast<int>(std::clamp<double>(std::ceil(m_meanMs / share), ShortestMs, LongestMs));
}

} // namespace lockstep::ui
