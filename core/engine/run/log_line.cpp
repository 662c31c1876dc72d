#include "engine/run/log_line.h"

#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace lockstep::engine {

namespace {

struct LoggedPhase {
    Phase phase;
    std::string_view pattern;
};
constexpr std::array LoggedPhases{LoggedPhase{Phase::Data, LS_TR("Messages", "data %1 %")},
    LoggedPhase{Phase::Forward, LS_TR("Messages", "forward %1 %")},
    LoggedPhase{Phase::Backward, LS_TR("Messages", "backward %1 %")},
    LoggedPhase{Phase::Communicate, LS_TR("Messages", "communicate %1 %")},
    LoggedPhase{Phase::Wait, LS_TR("Messages", "wait %1 %")},
    LoggedPhase{Phase::Optimize, LS_TR("Messages", "optimize %1 %")}};

Text number(const char* format, double value)
{
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return verbatim(buffer.data());
}

Text joined(const Text& list, const Text& more)
{
    return {LS_TR("Messages", "%1, %2"), {list, more}};
}

} // namespace

void LogLineSums::add(const StepRow& row)
{
    m_wallNs += row.wallNs;
    m_samples += row.batch;
    for (std::size_t i = 0; i < PhaseCount; ++i) {
        m_phaseNs[i] += row.phaseNs[i];
    }
}

Text LogLineSums::take(const StepRow& last, std::int64_t totalSteps)
{
    const double wall = static_cast<double>(std::max<std::int64_t>(m_wallNs, 1));
    Text facts(LS_TR("Messages", "learning rate %1"), {number("%.4g", last.learningRate)});
    if (last.batch > 0) { // a rank without samples, such as a pipeline's first stage, has no loss
        facts = joined(Text(LS_TR("Messages", "loss %1"), {number("%.4f", last.loss)}), facts);
    }
    for (const LoggedPhase& each : LoggedPhases) {
        const auto share = static_cast<double>(m_phaseNs[static_cast<std::size_t>(each.phase)]) * 100.0 / wall;
        facts = joined(facts, Text(each.pattern, {number("%.0f", share)}));
    }
    if (m_samples > 0) {
        const auto perSecond = static_cast<std::int64_t>(static_cast<double>(m_samples) * 1e9 / wall);
        facts = joined(facts, Text(LS_TR("Messages", "%1 samples/s"), {verbatim(groupedDigits(perSecond))}));
    }
    *this = {};
    return {LS_TR("Messages", "step %1 of %2: %3"), {last.step, totalSteps, facts}};
}

} // namespace lockstep::engine
