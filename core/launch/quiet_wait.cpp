#include "launch/quiet_wait.h"

#include "analysis/timing/machine_load.h"
#include "base/clock.h"

#include <algorithm>
#include <ctime>
#include <unistd.h>
#include <utility>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

constexpr auto SampleEvery = 250ms; ///< some tens of the kernel's ticks
constexpr int QuietSamples = 2;
constexpr int MostSeconds = 3600;

/// Of this process: drawing is no other work.
double ownTicks()
{
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC)
        * static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

std::chrono::milliseconds quietTimeoutFromEnvironment()
{
    bool isNumber = false;
    const int seconds = qEnvironmentVariableIntValue("LOCKSTEP_QUIET_S", &isNumber);
    return isNumber ? std::chrono::seconds(std::clamp(seconds, 0, MostSeconds)) : 60s;
}

QuietWait::QuietWait(std::chrono::milliseconds most, QObject* parent, std::string procFolder)
    : QObject(parent)
    , m_proc(std::move(procFolder))
    , m_most(most)
    , m_startNs(monotonicNs())
    , m_last(cpuTicks(readProcFile(m_proc + "/stat")))
    , m_lastOwn(ownTicks())
{
    connect(&m_timer, &QTimer::timeout, this, &QuietWait::sample);
    m_timer.start(SampleEvery);
}

std::chrono::milliseconds QuietWait::elapsed() const
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(monotonicNs() - m_startNs));
}

void QuietWait::sample()
{
    const auto now = cpuTicks(readProcFile(m_proc + "/stat"));
    const bool isKnown = now && m_last;
    const double own = ownTicks();
    const auto busy = isKnown ? static_cast<double>(now->busy - m_last->busy) - (own - m_lastOwn) : 0.0;
    const auto all = isKnown ? static_cast<double>(now->all - m_last->all) : 0.0;
    m_last = now;
    m_lastOwn = own;
    m_quietSamples = busy < analysis::BusyMachine * all || all <= 0.0 ? m_quietSamples + 1 : 0;
    const bool isOver = elapsed() >= m_most;
    if (m_quietSamples == QuietSamples || isOver) {
        m_timer.stop();
        Q_EMIT ended(m_quietSamples == QuietSamples);
    } else if (m_quietSamples == 0 && !std::exchange(m_hasSaid, true)) {
        Q_EMIT waits();
    }
}

} // namespace lockstep::launch
