#include "cli/run/carry_out.h"

#include "base/checkpoint_names.h"
#include "base/translate.h"
#include "language/language.h"
#include "language/wording.h"

#include "analysis/findings/verification.h"
#include "cli/run/rank_places.h"
#include "cli/run/run_progress.h"
#include "cli/run/run_results.h"
#include "exchange/export/run_json.h"
#include "experiment/command_of.h"
#include "laboratory/hidden_settings.h"
#include "launch/interrupts.h"
#include "launch/quiet_wait.h"
#include "launch/session.h"
#include "store/run_store.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>

#include <algorithm>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using analysis::RunStatus;

/// Runs them all, seed by seed; gives their ids in the order of the list. Ctrl+C stops cleanly, a second one kills.
[[nodiscard]] std::vector<RunId> runAll(launch::Session& session, const std::vector<experiment::RunSpec>& runs,
    bool areRanksElsewhere, const std::function<void(const std::vector<RunId>&)>& tell)
{
    QEventLoop loop;
    QObject::connect(&session, &launch::Session::allEnded, &loop, &QEventLoop::quit);
    launch::Interrupts interrupts;
    QObject::connect(&interrupts, &launch::Interrupts::interrupted, &session, [&session](int count) {
        report(language::told(count == 1 ? LS_TR("CommandLine", "stopping; interrupt again to kill the ranks")
                                         : LS_TR("CommandLine", "killing")));
        if (count == 1) {
            session.stopAll();
        } else {
            session.killAll();
        }
    });
    const std::vector<std::size_t> order = experiment::orderBySeed(runs);
    std::vector<experiment::RunSpec> ordered;
    for (const std::size_t place : order) {
        ordered.push_back(runs[place]);
    }
    const std::vector<RunId> started = session.start(ordered);
    if (tell) {
        tell(started);
    }
    const RunProgress progress(session, started, areRanksElsewhere);
    loop.exec();
    std::vector<RunId> ids(runs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        ids[order[i]] = started[i];
    }
    return ids;
}

[[nodiscard]] int exitCodeOf(const launch::Session& session, const std::vector<RunId>& ids)
{
    int code = ExitDone;
    for (const RunId& id : ids) {
        const analysis::RunRecord record = session.record(id);
        if (record.status == RunStatus::Finished && !isOfLostCheckpoint(record.why())) {
            continue;
        }
        const bool isSaid = record.status == RunStatus::Failed;
        if (!isSaid && session.reach(id) == launch::FailureReach::Itself) {
            report(failureLine(session, id)); // of a failure, also of others, one line has come already
        }
        if (session.isRefused(id)) {
            code = ExitBadInput;
        } else if (code == ExitDone) {
            code = ExitRunFailed;
        }
    }
    return code;
}

bool isOfLaboratory(const Arguments& arguments)
{
    return arguments.has(u"--step"_s);
}

/// As in the window: they would name a fault that is to be found.
bool hidesFindings(const std::vector<experiment::RunSpec>& runs, const Arguments& arguments)
{
    if (!isOfLaboratory(arguments) || arguments.has(u"--preview"_s)) {
        return false;
    }
    const auto hidden = laboratory::HiddenSettings::in(storeOf(arguments));
    return std::ranges::any_of(runs, [&hidden](const experiment::RunSpec& run) { return hidden.hides(run); });
}

/// The command that compares with a single process again, in float64.
void offerFloat64(const std::vector<analysis::RunRecord>& records, const Arguments& arguments)
{
    if (isOfLaboratory(arguments) || std::none_of(records.begin(), records.end(), analysis::isVerifiedInFloat32)) {
        return;
    }
    std::string command = "lockstep run " + experiment::shellQuoted(arguments.positional().front().toStdString());
    for (const QString& option : {u"--only"_s, u"--set"_s}) {
        for (const QString& value : arguments.values(option)) {
            command += " " + option.toStdString() + " " + experiment::shellQuoted(value.toStdString());
        }
    }
    report(language::told(LS_TR("CommandLine", "to distinguish an error from rounding, compare in float64: %1"),
        {command + " --set train.dtype=float64"}));
}

[[nodiscard]] Result<void> makeOutputFolder(const QString& folder)
{
    if (!QDir().mkpath(folder) || !QFileInfo(folder).isWritable()) {
        return refusal("--out", LS_TR("Refusals", "%1 is not a writable folder"), {verbatim(folder.toStdString())});
    }
    return {};
}

} // namespace

Result<int> carryOut(const std::vector<experiment::RunSpec>& runs, const Arguments& arguments,
    const CommandContext& context, const std::function<void(const std::vector<RunId>& ids)>& started)
{
    const QString out = arguments.value(u"--out"_s);
    if (arguments.has(u"--out"_s)) {
        LOCKSTEP_TRY(makeOutputFolder(out));
    }
    LOCKSTEP_TRY_ASSIGN(const auto places, rankPlacesOf(arguments));
    LOCKSTEP_TRY(checkPlaces(runs, places));
    launch::SessionOptions options;
    options.hosts = places.hosts;
    options.awaits = places.awaits;
    options.storeFolder = storeOf(arguments);
    options.programStartNs = context.programStartNs;
    options.quietTimeout = launch::quietTimeoutFromEnvironment();
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(options.storeFolder));
    LOCKSTEP_TRY(store->checkWritable());

    std::vector<analysis::RunRecord> records;
    std::vector<analysis::RunRecord> listed; // without those that another's failure kept from starting
    int code = ExitDone;
    {
        launch::Session session(options);
        const std::vector<RunId> ids = runAll(session, runs, !places.isThisMachine(), started);
        code = exitCodeOf(session, ids);
        for (const RunId& id : ids) {
            auto stored = store->load(id);
            analysis::RunRecord known = session.record(id);
            if (stored) {
                // On a full disk the file may lack its end.
                stored->status = known.status;
                stored->message = known.message;
                stored->summary = known.summary;
                known = std::move(*stored);
            }
            if (session.reach(id) != launch::FailureReach::FromAnother || analysis::hasStarted(known)) {
                listed.push_back(known);
            }
            records.push_back(std::move(known));
        }
    }
    const Results results{records, out, options.storeFolder, false};
    const bool wantsJson = arguments.has(u"--json"_s);
    const int printed
        = printOrFail(wantsJson ? exchange::runsAsJson(results.records)
                                : resultsAsTable({listed, out, options.storeFolder, hidesFindings(runs, arguments)}));
    int saved = ExitDone;
    if (!out.isEmpty()) {
        if (const auto written = writeResults(results, context); !written) {
            saved = refuse(written.error());
        }
    }
    offerFloat64(records, arguments);
    // The runs' status matters more than that of their files.
    return code != ExitDone ? code : printed != ExitDone ? printed : saved;
}

} // namespace lockstep::cli
