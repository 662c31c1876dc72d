#include "engine/run/log_line.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockstep::engine {

namespace {

constexpr std::array LoggedPhases{
    Phase::Data, Phase::Forward, Phase::Backward, Phase::Communicate, Phase::Wait, Phase::Optimize};

std::string text(const char* format, double value)
{
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

std::string grouped(std::int64_t number)
{
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            text.push_back(',');
        }
        text.push_back(digits[i]);
    }
    return text;
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

std::string LogLineSums::take(const StepRow& last, std::int64_t totalSteps)
{
    const double wall = static_cast<double>(std::max<std::int64_t>(m_wallNs, 1));
    // A rank without samples, such as a pipeline's first stage, has no loss.
    std::string line = "step " + std::to_string(last.step) + " of " + std::to_string(totalSteps) + ": "
        + (last.batch > 0 ? "loss " + text("%.4f", last.loss) + ", " : std::string()) + "learning rate "
        + text("%.4g", last.learningRate);
    for (const Phase phase : LoggedPhases) {
        const auto share = static_cast<double>(m_phaseNs[static_cast<std::size_t>(phase)]) * 100.0 / wall;
        line += ", " + std::string(nameOf(phase)) + text(" %.0f %%", share);
    }
    if (m_samples > 0) {
        line += ", " + grouped(static_cast<std::int64_t>(static_cast<double>(m_samples) * 1e9 / wall)) + " samples/s";
    }
    *this = {};
    return line;
}

} // namespace lockstep::engine
