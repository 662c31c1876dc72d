#include "session/commands/carry_out.h"

#include "base/translate.h"
#include "session/language.h"
#include "session/messages.h"

#include "analysis/verification.h"
#include "experiment/dataset_folder.h"
#include "rendezvous/allocation.h"
#include "session/commands/host_file.h"
#include "session/commands/interrupts.h"
#include "session/commands/run_progress.h"
#include "session/commands/run_results.h"
#include "session/launch/awaited_ranks.h"
#include "session/launch/rank_program.h"
#include "session/launch/ssh/ssh_launcher.h"
#include "session/session.h"
#include "session/store/run_store.h"

#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QHostAddress>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <cstdio>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using analysis::RunStatus;

/// Runs them all, seed by seed; gives their ids in the order of the list. Ctrl+C stops cleanly, a second one kills.
[[nodiscard]] std::vector<RunId> runAll(
    Session& session, const std::vector<experiment::RunSpec>& runs, bool areRanksElsewhere)
{
    QEventLoop loop;
    QObject::connect(&session, &Session::allEnded, &loop, &QEventLoop::quit);
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &session, [&session](int count) {
        std::fprintf(stderr, "lockstep: %s\n",
            told(count == 1 ? LS_TR("CommandLine", "stopping; interrupt again to kill the ranks")
                            : LS_TR("CommandLine", "killing"))
                .c_str());
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
    const RunProgress progress(session, started, areRanksElsewhere);
    loop.exec();
    std::vector<RunId> ids(runs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        ids[order[i]] = started[i];
    }
    return ids;
}

[[nodiscard]] int exitCodeOf(const Session& session, const std::vector<RunId>& ids)
{
    int code = ExitDone;
    for (const RunId& id : ids) {
        const analysis::RunRecord record = session.record(id);
        if (record.status == RunStatus::Finished) {
            continue;
        }
        const bool isRefused = session.isRefused(id);
        // The line of a refusal begins with the parameter at fault.
        const std::string line = isRefused ? worded(record.message)
                                           : record.spec.name + " " + worded(analysis::nameOf(record.status))
                + (record.message.empty() ? "" : ": " + worded(record.message));
        std::fprintf(stderr, "lockstep: %s\n", line.c_str());
        if (isRefused) {
            code = ExitBadInput;
        } else if (code == ExitDone) {
            code = ExitRunFailed;
        }
    }
    return code;
}

/// A word of a command that a shell reads as it is.
[[nodiscard]] QString quoted(const QString& word)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_=.,:/+-]+$"_s);
    return plain.match(word).hasMatch() ? word : u'\'' + QString(word).replace(u"'"_s, u"'\\''"_s) + u'\'';
}

/// The command that compares with a single process again, in float64.
void offerFloat64(const std::vector<analysis::RunRecord>& records, const Arguments& arguments)
{
    if (std::none_of(records.begin(), records.end(), analysis::isVerifiedInFloat32)) {
        return;
    }
    QStringList words{u"lockstep"_s, u"run"_s, quoted(arguments.positional().front())};
    for (const QString& option : {u"--only"_s, u"--set"_s}) {
        for (const QString& value : arguments.values(option)) {
            words += {option, quoted(value)};
        }
    }
    words += {u"--set"_s, u"train.dtype=float64"_s};
    std::fprintf(stderr, "lockstep: %s\n",
        told(LS_TR("CommandLine", "to tell an error from rounding, compare in float64: %1"),
            {words.join(u' ').toStdString()})
            .c_str());
}

[[nodiscard]] Result<void> makeOutputFolder(const QString& folder)
{
    if (!QDir().mkpath(folder) || !QFileInfo(folder).isWritable()) {
        return refusal("--out", LS_TR("Refusals", "%1 is not a writable folder"), {folder.toStdString()});
    }
    return {};
}

/// Where the ranks of `--launch` are started.
struct Places {
    std::vector<rendezvous::Host> hosts; ///< empty: on this machine, or by others
    std::optional<AwaitOptions> awaits;
};

/// `10.0.0.5`, `10.0.0.5:7000`, `[fd00::5]:7000`
[[nodiscard]] Result<AwaitOptions> awaitIn(const Arguments& arguments)
{
    const QString listen = arguments.value(u"--listen"_s);
    AwaitOptions awaits;
    awaits.file = QFileInfo(arguments.value(u"--workbench-file"_s)).absoluteFilePath();
    if (listen.isEmpty() || !arguments.has(u"--workbench-file"_s)) {
        return refusal("--launch", LS_TR("Refusals", "wait needs --listen ADDRESS[:PORT] and --workbench-file FILE"));
    }
    const QUrl url(u"tcp://"_s + listen, QUrl::StrictMode);
    const QHostAddress address(url.host());
    if (!url.isValid() || address.isNull() || !url.path().isEmpty() || !url.userName().isEmpty()) {
        return refusal("--listen",
            LS_TR("Refusals", "\"%1\" is not an address and a port: 10.0.0.5, 10.0.0.5:7000 or [fd00::5]:7000"),
            {listen.toStdString()});
    }
    if (address.isEqual(QHostAddress(QHostAddress::AnyIPv4), QHostAddress::TolerantConversion)
        || address == QHostAddress(QHostAddress::AnyIPv6)) {
        return refusal("--listen",
            LS_TR("Refusals", "%1 means every address: give the one at which the ranks reach this machine"),
            {listen.toStdString()});
    }
    awaits.address = address.toString();
    awaits.port = static_cast<std::uint16_t>(url.port(0));
    return awaits;
}

/// An option that belongs to another way of launching.
[[nodiscard]] Result<void> checkLaunchOptions(const QString& how, const Arguments& arguments)
{
    if (how != u"ssh"_s && arguments.has(u"--hosts"_s)) {
        return refusal("--hosts", LS_TR("Refusals", "needs --launch ssh"));
    }
    for (const QString& option : {u"--listen"_s, u"--workbench-file"_s}) {
        if (how != u"wait"_s && arguments.has(option)) {
            return refusal(option.toStdString(), LS_TR("Refusals", "needs --launch wait"));
        }
    }
    return {};
}

[[nodiscard]] Result<Places> placesIn(const Arguments& arguments)
{
    const QString how = arguments.has(u"--launch"_s) ? arguments.value(u"--launch"_s) : u"local"_s;
    const QString file = arguments.value(u"--hosts"_s);
    LOCKSTEP_TRY(checkLaunchOptions(how, arguments));
    Places places;
    if (how == u"wait"_s) {
        LOCKSTEP_TRY_ASSIGN(places.awaits, awaitIn(arguments));
    } else if (how == u"slurm"_s) {
        auto hosts = rendezvous::hostsOfAllocation(rendezvous::variablesOfProcess());
        if (!hosts) {
            return during("--launch slurm", hosts.error());
        }
        places.hosts = std::move(*hosts);
    } else if (how == u"ssh"_s && file.isEmpty()) {
        return refusal("--launch", LS_TR("Refusals", "ssh needs --hosts FILE"));
    } else if (how == u"ssh"_s) {
        LOCKSTEP_TRY_ASSIGN(places.hosts, readHosts(file));
    } else if (how != u"local"_s) {
        return refusal("--launch",
            LS_TR("Refusals",
                "\"%1\" is not local, ssh, slurm or wait (lockstep launch writes files for other launchers)"),
            {how.toStdString()});
    }
    return places;
}

/// What a run needs on this machine, or on the hosts as far as it can be told from here.
[[nodiscard]] Result<void> checkPlaces(const std::vector<experiment::RunSpec>& runs, const Places& places)
{
    const std::vector<rendezvous::Host>& hosts = places.hosts;
    if (places.awaits) {
        for (const experiment::RunSpec& run : runs) {
            LOCKSTEP_TRY(checkAwaited(run));
        }
        return {};
    }
    if (hosts.empty()) {
        LOCKSTEP_TRY(checkRankPrograms(runs));
        return experiment::checkDataFiles(runs);
    }
    for (const experiment::RunSpec& run : runs) {
        LOCKSTEP_TRY_ASSIGN(const std::int32_t ranks, experiment::worldSizeOf(run));
        LOCKSTEP_TRY(checkRunOnHosts(hosts, run, ranks));
    }
    return {};
}

} // namespace

int carryOut(const std::vector<experiment::RunSpec>& runs, const Arguments& arguments, const CommandContext& context)
{
    const QString out = arguments.value(u"--out"_s);
    if (arguments.has(u"--out"_s)) {
        if (const auto made = makeOutputFolder(out); !made) {
            return refuse(made.error());
        }
    }
    const auto places = placesIn(arguments);
    if (!places) {
        return refuse(places.error());
    }
    if (const auto possible = checkPlaces(runs, *places); !possible) {
        return refuse(possible.error());
    }
    SessionOptions options;
    options.hosts = places->hosts;
    options.awaits = places->awaits;
    options.storeFolder = storeOf(arguments);
    options.programStartNs = context.programStartNs;
    const auto store = RunStore::open(options.storeFolder);
    if (!store) {
        return refuse(store.error());
    }

    std::vector<analysis::RunRecord> records;
    int code = ExitDone;
    {
        Session session(options);
        const std::vector<RunId> ids = runAll(session, runs, options.awaits || !options.hosts.empty());
        code = exitCodeOf(session, ids);
        for (const RunId& id : ids) {
            auto stored = (*store)->load(id);
            analysis::RunRecord known = session.record(id);
            if (stored) {
                // On a full disk the file may lack its end.
                stored->status = known.status;
                stored->message = known.message;
                stored->summary = known.summary;
                known = std::move(*stored);
            }
            records.push_back(std::move(known));
        }
    }
    const Results results{records, out, options.storeFolder};
    const bool wantsJson = arguments.has(u"--json"_s);
    const int printed = printOrFail(wantsJson ? resultsAsJson(results) : resultsAsTable(results));
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

} // namespace lockstep::session
