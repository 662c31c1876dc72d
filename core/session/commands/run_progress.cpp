#include "session/commands/run_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace lockstep::session {

namespace {

using namespace std::chrono_literals;

[[nodiscard]] std::string lossText(double loss)
{
    return fmt::format(", loss {:.4f}", loss);
}

/// Empty if not measured.
[[nodiscard]] std::string accuracyText(double accuracy)
{
    return std::isnan(accuracy) ? std::string() : fmt::format(", accuracy {:.4f}", accuracy);
}

} // namespace

RunProgress::RunProgress(Session& session, std::vector<RunId> ids, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_ids(std::move(ids))
    , m_isTerminal(isatty(STDERR_FILENO) == 1)
{
    connect(&m_session, &Session::statusChanged, this, &RunProgress::onStatusChanged);
    connect(&m_timer, &QTimer::timeout, this, &RunProgress::tick);
    m_timer.start(m_isTerminal ? 250ms : 2000ms);
}

std::string RunProgress::prefix() const
{
    const analysis::RunRecord record = m_session.record(m_ids[m_index]);
    const std::string repeat = record.spec.repeat > 0 ? fmt::format(" #{}", record.spec.repeat + 1) : "";
    return fmt::format("[{}/{}] {}{}: ", m_index + 1, m_ids.size(), record.spec.name, repeat);
}

void RunProgress::onStatusChanged(const RunId& id, analysis::RunStatus status, const QString& message)
{
    const auto found = std::find(m_ids.begin(), m_ids.end(), id);
    if (found == m_ids.end() || status == analysis::RunStatus::Queued) {
        return;
    }
    const auto index = static_cast<std::size_t>(found - m_ids.begin());
    if (index != m_index || !m_source) {
        m_index = index;
        m_source = m_session.liveSource(id);
        m_step = 0;
        m_totalSteps = 0;
        m_lossSum = 0.0;
        m_lossSamples = 0;
        m_loss = m_accuracy = analysis::NotMeasured;
    }
    read(m_source ? m_source->take() : nullptr);
    std::string line = prefix() + std::string(analysis::nameOf(status));
    if (analysis::isFinal(status)) {
        line += m_step > 0 ? fmt::format(", {} steps", m_step) : "";
        line += std::isnan(m_loss) ? "" : lossText(m_loss);
        line += accuracyText(m_accuracy);
        m_source.reset();
    }
    line += message.isEmpty() ? "" : ": " + message.toStdString();
    say(line, false);
}

void RunProgress::tick()
{
    const DeltaPtr delta = m_source ? m_source->take() : nullptr;
    read(delta);
    if (delta && m_step > 0) {
        say(fmt::format(
                "{}step {} of {}{}{}", prefix(), m_step, m_totalSteps, lossText(m_loss), accuracyText(m_accuracy)),
            m_isTerminal);
    }
}

void RunProgress::read(const DeltaPtr& delta)
{
    if (!delta) {
        return;
    }
    for (const auto& [rank, facts] : delta->prepared) {
        m_totalSteps = facts.totalSteps;
    }
    for (const auto& [rank, batch] : delta->steps) {
        if (batch.size() == 0 || batch.rows.back().step < m_step) {
            continue;
        }
        const StepRow& last = batch.rows.back();
        if (last.step > m_step) {
            m_lossSum = 0.0;
            m_lossSamples = 0;
        }
        // Over the ranks that have reached this step, weighted by their samples.
        m_step = last.step;
        m_lossSum += last.loss * static_cast<double>(last.batch);
        m_lossSamples += last.batch;
        m_loss = m_lossSum / static_cast<double>(m_lossSamples);
    }
    for (const auto& [rank, evaluation] : delta->evaluations) {
        m_accuracy = evaluation.accuracy;
    }
}

void RunProgress::say(const std::string& line, bool isPassing)
{
    std::fprintf(stderr, "%s%s%s", m_hasPassingLine ? "\r\033[K" : "", line.c_str(), isPassing ? "" : "\n");
    std::fflush(stderr);
    m_hasPassingLine = isPassing;
}

} // namespace lockstep::session
