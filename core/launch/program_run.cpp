#include "launch/program_run.h"

#include "base/translate.h"
#include "launch/own/own_program.h"
#include "launch/own/watched_program.h"
#include "launch/own/watched_text.h"
#include "launch/session.h"

#include <fmt/ranges.h>

#include <csignal>
#include <utility>

namespace lockstep::launch {

namespace {

bool crashed(const RankProcess& process)
{
    const int signal = process.endSignal();
    return signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS;
}

} // namespace

Text causeOfLoss(const RankProcess& process, bool hasSaidGoodbye, const experiment::RunSpec& run, std::int64_t lastStep)
{
    Text text = process.howItEnded();
    if (hasSaidGoodbye && isOwnProgram(run) && lastStep > 0) {
        text = {LS_TR("Messages", "%1 after its last step, %2"), {text, lastStep}};
    } else if (hasSaidGoodbye) {
        text = {LS_TR("Messages", "%1 after its final report"), {text}};
    } else if (lastStep > 0) {
        text = {LS_TR("Messages", "%1 after step %2"), {text, lastStep}};
    } else {
        text = {LS_TR("Messages", "%1 before its first step"), {text}};
    }
    if (!hasSaidGoodbye && process.endedWell()) {
        text = {LS_TR("Messages", "%1 without a final report"), {text}};
    }
    const auto& lines = process.lastLines();
    if (lines.size() == 1) {
        return {LS_TR("Messages", "%1; its last line: %2"), {text, verbatim(lines.front())}};
    }
    return lines.empty() ? text
                         : Text(LS_TR("Messages", "%1; its last lines: %2"),
                             {text, verbatim(fmt::format("{}", fmt::join(lines, " | ")))});
}

ProgramRun::ProgramRun(const experiment::RunSpec& run, const SessionOptions& options)
    : m_run(run)
    , m_isOwn(isOwnProgram(run))
    , m_isOpen(options.ranks == 0 && makesItsRanks(run))
{ }

wire::Message ProgramRun::worded(const wire::Message& message) const
{
    const auto* line = std::get_if<wire::LogLine>(&message);
    const auto seen = m_isOwn && line != nullptr ? watchedText(line->text) : std::nullopt;
    return seen ? wire::LogLine::of(line->timeNs, line->level, *seen) : message;
}

bool ProgramRun::endedAsItWanted(const RankProcess& process, const std::optional<wire::Goodbye>& goodbye) const
{
    const bool hasFinished = goodbye && goodbye->outcome == wire::Outcome::Finished;
    return m_isOwn && (process.endedWell() || (hasFinished && crashed(process)));
}

Text ProgramRun::lastWord(const Text& crash, bool hasSteps) const
{
    if (!m_isOwn || !crash.empty() || hasSteps) {
        return crash;
    }
    const auto why = m_hasJoined ? std::nullopt : whyNotWatched(m_run);
    return {LS_TR("Messages", "nothing was seen of it: %1"),
        {why                  ? *why
                : m_hasJoined ? Text(LS_TR("Messages", "it did no training step"))
                              : Text(LS_TR("Messages", "none of its processes did a training step with PyTorch"))}};
}

} // namespace lockstep::launch
