#include "laboratory/grading/run_again.h"

#include "analysis/plain_text.h"
#include "analysis/statistics/statistics.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "launch/session.h"
#include "launch/trust.h"
#include "store/run_store.h"

#include <QEventLoop>
#include <QString>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace lockstep::laboratory::grading {

namespace {

constexpr std::size_t FirstSteps = 10;
constexpr double SmallDifference = 1e-4; ///< relative, as between kinds of processors
constexpr int LookForCancelMs = 200;

/// Losses are equal where both are no number.
bool isClose(double one, double other, double relative)
{
    return one == other || (std::isnan(one) && std::isnan(other))
        || std::abs(one - other) <= relative * std::max(std::abs(one), std::abs(other));
}

/// The first place at which they differ; the number of both: none.
std::size_t firstDifference(const std::vector<double>& some, const std::vector<double>& others, double relative)
{
    const auto end = std::min(some.size(), others.size());
    for (std::size_t i = 0; i < end; ++i) {
        if (!isClose(some[i], others[i], relative)) {
            return i;
        }
    }
    return end;
}

/// How many are equal bit for bit. Another processor's losses drift apart and do not meet again.
std::size_t equalLosses(const std::vector<double>& some, const std::vector<double>& others)
{
    std::size_t equal = 0;
    for (std::size_t i = 0; i < std::min(some.size(), others.size()); ++i) {
        equal += isClose(some[i], others[i], 0.0) ? 1 : 0;
    }
    return equal;
}

/// Whether another run of the same settings may end so, by the repeats.
bool isInInterval(double loss, const std::vector<double>& repeats)
{
    const analysis::Interval mean = analysis::meanWithInterval(repeats);
    const auto n = static_cast<double>(mean.n);
    return mean.n >= 2 && std::abs(loss - mean.mean) <= mean.halfWidth * std::sqrt(n + 1.0);
}

Text nameOf(const ChosenRun& chosen)
{
    constexpr std::size_t LongestName = 80;
    return verbatim(namesIn(chosen.students) + ": "
        + analysis::cleanLine(analysis::shortened(analysis::displayName(chosen.run), LongestName)));
}

Text notRun(const ChosenRun& chosen, const Text& why)
{
    return {LS_TR("Messages", "%1: not run again: %2"), {nameOf(chosen), why}};
}

std::vector<RunId> runAll(
    launch::Session& session, const std::vector<experiment::RunSpec>& specs, const GradeProgress& progress)
{
    QEventLoop loop;
    QObject::connect(&session, &launch::Session::allEnded, &loop, &QEventLoop::quit);
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &session, [&] {
        if (!progress.checkCancelled()) {
            session.killAll();
        }
    });
    watch.start(LookForCancelMs);
    const std::vector<RunId> ids = session.start(specs);
    loop.exec();
    return ids;
}

} // namespace

Text comparedRun(const ChosenRun& handedIn, const analysis::RunRecord& again)
{
    const std::vector<double>& theirs = handedIn.run.loss.value;
    const std::vector<double>& ours = again.loss.value;
    if (again.status != analysis::RunStatus::Finished || ours.empty()) {
        return notRun(handedIn, again.why());
    }
    const std::size_t steps = std::min(theirs.size(), ours.size());
    if (theirs.size() == ours.size() && firstDifference(theirs, ours, 0.0) == steps) {
        return {LS_TR("Messages", "%1: run again, %2 losses equal bit for bit"), {nameOf(handedIn), steps}};
    }
    const std::size_t first = firstDifference(theirs, ours, 0.0);
    if (const std::size_t equal = equalLosses(theirs, ours);
        2 * equal >= steps && isClose(theirs.back(), ours.back(), 0.0) && theirs.size() == ours.size()) {
        return {
            LS_TR("Messages",
                "%1: run again, %2 losses differ, the first at step %3 (%4 here, %5 in the hand-in); all others are "
                "equal bit for bit"),
            {nameOf(handedIn), steps - equal, handedIn.run.loss.step[first],
                verbatim(fmt::format("{:.6g}", ours[first])), verbatim(fmt::format("{:.6g}", theirs[first]))}};
    }
    const std::size_t close = firstDifference(theirs, ours, SmallDifference);
    const bool isAlike = close >= std::min(FirstSteps, steps) && theirs.size() == ours.size();
    if (isAlike && isInInterval(again.summary.finalLoss, handedIn.repeats)) {
        return {
            LS_TR("Messages", "%1: run again, the first steps within 1e-4 and the end in the interval of the repeats"),
            {nameOf(handedIn)}};
    }
    if (isAlike && handedIn.repeats.size() < 2) {
        return {
            LS_TR("Messages", "%1: run again, the first steps within 1e-4; one repeat gives no interval for the end"),
            {nameOf(handedIn)}};
    }
    if (close == steps) {
        return {LS_TR("Messages", "%1: run again, it has %2 losses here and %3 in the hand-in"),
            {nameOf(handedIn), ours.size(), theirs.size()}};
    }
    return {LS_TR("Messages", "%1: run again, it differs from step %2 on: %3 here, %4 in the hand-in"),
        {nameOf(handedIn), handedIn.run.loss.step[close], verbatim(fmt::format("{:.6g}", ours[close])),
            verbatim(fmt::format("{:.6g}", theirs[close]))}};
}

Result<std::vector<Text>> runAgain(const std::vector<ChosenRun>& chosen, const GradeProgress& progress)
{
    std::vector<Text> lines(chosen.size());
    std::vector<std::size_t> places;
    std::vector<experiment::RunSpec> specs;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto risks = launch::risksOf(std::span(&chosen[i].run.spec, 1));
        if (risks.empty()) {
            places.push_back(i);
            specs.push_back(chosen[i].run.spec);
        } else {
            lines[i] = notRun(chosen[i], risks.front().text());
        }
    }
    if (specs.empty()) {
        return lines;
    }
    LOCKSTEP_TRY_ASSIGN(const auto folder, DraftFolder::makeTemporary());
    launch::SessionOptions options;
    options.storeFolder = QString::fromStdString(folder.file("store"));
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(options.storeFolder));
    launch::Session session(options);
    const std::vector<RunId> ids = runAll(session, specs, progress);
    LOCKSTEP_TRY(progress.checkCancelled());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto record = store->load(ids[i]);
        lines[places[i]] = comparedRun(chosen[places[i]], record ? *record : session.record(ids[i]));
    }
    return lines;
}

} // namespace lockstep::laboratory::grading
