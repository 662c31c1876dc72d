#include "cli/run/run_progress.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace lockstep::cli {

namespace {

using namespace std::chrono_literals;

[[nodiscard]] std::string lossText(double loss)
{
    return language::told(LS_TR("CommandLine", ", loss %1"), {fmt::format("{:.4f}", loss)});
}

/// Empty if not measured.
[[nodiscard]] std::string accuracyText(double accuracy)
{
    return std::isnan(accuracy)
        ? std::string()
        : language::told(LS_TR("CommandLine", ", accuracy %1"), {fmt::format("{:.4f}", accuracy)});
}

} // namespace

std::string failureLine(const launch::Session& session, const RunId& id)
{
    const analysis::RunRecord record = session.record(id);
    const std::string why = language::worded(record.why());
    if (session.isRefused(id)) {
        return why;
    }
    return language::shownName(record.spec) + " " + language::worded(analysis::nameOf(record.status))
        + (why.empty() ? "" : ": " + why);
}

RunProgress::RunProgress(launch::Session& session, std::vector<RunId> ids, bool showsStart)
    : m_session(session)
    , m_ids(std::move(ids))
    , m_showsStart(showsStart)
    , m_seen(m_ids.size())
    , m_isTerminal(isatty(STDERR_FILENO) == 1)
{
    connect(&m_session, &launch::Session::statusChanged, this, &RunProgress::onStatusChanged);
    connect(&m_session, &launch::Session::noted, this,
        [this](const Text& line) { say("lockstep: " + language::worded(line), false); });
    connect(&m_timer, &QTimer::timeout, this, &RunProgress::tick);
    m_timer.start(m_isTerminal ? 250ms : 2000ms);
}

std::string RunProgress::prefix(std::size_t index) const
{
    const analysis::RunRecord record = m_session.record(m_ids[index]);
    const std::string repeat = record.spec.repeat > 0 ? fmt::format(" #{}", record.spec.repeat + 1) : "";
    return fmt::format("[{}/{}] {}{}: ", index + 1, m_ids.size(), language::shownName(record.spec), repeat);
}

void RunProgress::onStatusChanged(const RunId& id, analysis::RunStatus status, const QString& message)
{
    const auto found = std::find(m_ids.begin(), m_ids.end(), id);
    if (found == m_ids.end() || status == analysis::RunStatus::Queued) {
        return;
    }
    const auto index = static_cast<std::size_t>(found - m_ids.begin());
    Seen& run = m_seen[index];
    if (analysis::isFinal(status) && sayWhatOthersShare(id, status)) {
        run.source.reset();
        return;
    }
    if (!run.source) {
        run.source = m_session.liveSource(id);
    }
    const store::DeltaPtr delta = run.source ? run.source->take() : nullptr;
    sayHowItStarts(index, delta);
    read(run, delta);
    std::string line = prefix(index) + language::worded(analysis::nameOf(status));
    if (analysis::isFinal(status)) {
        line += run.step > 0 ? language::told(LS_TR("CommandLine", ", %1 steps"), {std::to_string(run.step)}) : "";
        line += std::isnan(run.loss) ? "" : lossText(run.loss);
        line += accuracyText(run.accuracy);
        run.source.reset();
    }
    const bool isFailure = status == analysis::RunStatus::Failed;
    line += message.isEmpty() || isFailure ? "" : ": " + language::worded(m_session.record(id).why());
    say(line, false);
    if (isFailure) {
        say("lockstep: " + failureLine(m_session, id), false);
    }
}

bool RunProgress::sayWhatOthersShare(const RunId& id, analysis::RunStatus status)
{
    const launch::FailureReach reach = m_session.reach(id);
    if (status == analysis::RunStatus::Failed && reach == launch::FailureReach::Others) {
        say("lockstep: " + failureLine(m_session, id), false);
        return true;
    }
    return reach == launch::FailureReach::FromAnother
        && (status == analysis::RunStatus::Failed || !analysis::hasStarted(m_session.record(id)));
}

/// Log lines before the first rank is ready: which ranks are awaited.
void RunProgress::sayHowItStarts(std::size_t index, const store::DeltaPtr& delta)
{
    Seen& run = m_seen[index];
    if (!delta || !m_showsStart || run.isPrepared) {
        return;
    }
    for (const auto& [rank, line] : delta->logs) {
        if (line.level == wire::LogLevel::Info) {
            say(prefix(index) + language::worded(line.said()), false);
        }
    }
    run.isPrepared = !delta->prepared.empty();
}

void RunProgress::tick()
{
    for (std::size_t index = 0; index < m_seen.size(); ++index) {
        Seen& run = m_seen[index];
        const store::DeltaPtr delta = run.source ? run.source->take() : nullptr;
        sayHowItStarts(index, delta);
        read(run, delta);
        if (delta && !delta->steps.empty() && run.step > 0) {
            const std::string step = run.totalSteps > 0
                ? language::told(
                    LS_TR("CommandLine", "step %1 of %2"), {std::to_string(run.step), std::to_string(run.totalSteps)})
                : language::told(LS_TR("CommandLine", "step %1"), {std::to_string(run.step)});
            say(prefix(index) + step + lossText(run.loss) + accuracyText(run.accuracy), m_isTerminal);
        }
    }
}

void RunProgress::read(Seen& run, const store::DeltaPtr& delta)
{
    if (!delta) {
        return;
    }
    for (const auto& [rank, facts] : delta->prepared) {
        run.totalSteps = facts.totalSteps;
    }
    for (const auto& [rank, batch] : delta->steps) {
        if (batch.size() == 0 || batch.rows.back().step < run.step) {
            continue;
        }
        const StepRow& last = batch.rows.back();
        if (last.step > run.step) {
            run.lossSum = 0.0;
            run.lossSamples = 0;
        }
        // Over the ranks that have reached this step, weighted by their samples.
        run.step = last.step;
        if (last.batch > 0) {
            run.lossSum += last.loss * static_cast<double>(last.batch);
            run.lossSamples += last.batch;
            run.loss = run.lossSum / static_cast<double>(run.lossSamples);
        }
    }
    for (const auto& [rank, evaluation] : delta->evaluations) {
        run.accuracy = evaluation.accuracy;
    }
}

void RunProgress::say(const std::string& line, bool isPassing)
{
    std::fprintf(
        stderr, "%s%s%s", m_hasPassingLine ? "\r\033[K" : "", analysis::cleanText(line).c_str(), isPassing ? "" : "\n");
    std::fflush(stderr);
    m_hasPassingLine = isPassing;
}

} // namespace lockstep::cli
