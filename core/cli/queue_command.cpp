// `lockstep queue`.
#include "cli/arguments.h"
#include "cli/pages/verb_usage.h"
#include "cli/run/rank_places.h"
#include "cli/run/read_runs.h"
#include "cli/run/run_progress.h"
#include "cli/verbs.h"

#include "base/checkpoint_names.h"
#include "base/translate.h"
#include "datasets/registry.h"
#include "language/language.h"
#include "language/wording.h"
#include "launch/interrupts.h"
#include "launch/queue/ask_queue.h"
#include "launch/queue/queue_request.h"
#include "launch/queue/queue_server.h"
#include "launch/queue/queue_times.h"
#include "launch/quiet_wait.h"
#include "plan/check.h"
#include "store/run_store.h"

#include <fmt/format.h>

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QThread>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr Option QueueJsonOption{"--json", "", LS_TR("CommandLine", "prints the queue as JSON on stdout")};
constexpr Option QueueStoreOption{
    "--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs and their queue")};
constexpr std::array QueueAddOptions{
    RanksOption,
    SetOption,
    VaryOption,
    OnlyOption,
    TrustOption,
    Option{"--launch", "HOW",
        LS_TR("CommandLine",
            "checks the experiment for ranks that are started this way (local, ssh, slurm or wait); the queue does "
            "not keep it: queue run needs it too")},
    HostsOption,
    QueueJsonOption,
    QueueStoreOption,
    HelpOption,
};
constexpr std::array QueueRunOptions{
    LaunchOption, HostsOption, ListenOption, WorkbenchFileOption, QueueStoreOption, HelpOption};
constexpr std::array QueueOtherOptions{QueueJsonOption, QueueStoreOption, HelpOption};
constexpr int OpenLimitMs = 1000;
constexpr unsigned long OpenRetryMs = 20;

[[nodiscard]] std::string timeText(double seconds)
{
    const auto whole = static_cast<long long>(std::lround(std::max(0.0, seconds)));
    return std::isnan(seconds) ? "-" : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

[[nodiscard]] Json queueAsJson(const launch::QueueState& queue, std::span<const analysis::RunRecord> known)
{
    const launch::QueueTimes seconds = launch::secondsOf(queue, known);
    Json entries = Json::array();
    for (const launch::QueueEntry& entry : queue.entries) {
        Json runs = Json::array();
        for (const launch::QueuedRun& run : entry.runs) {
            runs.push_back(
                {{"name", run.spec.name}, {"repeat", run.spec.repeat}, {"id", run.id ? Json(run.id->text) : Json()}});
        }
        const bool isDamaged = entry.state == launch::EntryState::Damaged;
        entries.push_back({{"id", entry.id}, {"name", entry.name}, {"state", nameOf(entry.state)},
            {"paused", entry.isPaused}, {"problem", entry.problem.english},
            {"seconds", isDamaged ? Json() : Json(seconds.entries[entries.size()])}, {"runs", std::move(runs)}});
    }
    return {{"version", 1}, {"paused", queue.isPaused}, {"seconds", seconds.whole}, {"entries", std::move(entries)}};
}

[[nodiscard]] std::string stateText(const launch::QueueEntry& entry)
{
    return language::worded(entry.isPaused ? LS_TR("Messages", "paused") : nameOf(entry.state));
}

[[nodiscard]] std::string queueAsTable(const launch::QueueState& queue, std::span<const analysis::RunRecord> known)
{
    if (queue.entries.empty()) {
        return language::told(LS_TR("CommandLine", "the queue is empty")) + "\n";
    }
    const launch::QueueTimes seconds = launch::secondsOf(queue, known);
    std::string text;
    for (std::size_t place = 0; place < queue.entries.size(); ++place) {
        const launch::QueueEntry& entry = queue.entries[place];
        const bool isDamaged = entry.state == launch::EntryState::Damaged;
        text += fmt::format("{:>4}  {}{:>4}  {:>6}  {}\n", entry.id,
            language::inColumn(QString::fromStdString(stateText(entry)), -12).toStdString(), entry.runs.size(),
            isDamaged ? "-" : timeText(seconds.entries[place]), entry.name);
        text += entry.problem.empty() ? "" : "      " + language::worded(entry.problem) + "\n";
    }
    text += language::told(LS_TR("CommandLine", "about %1 in all"), {timeText(seconds.whole)});
    return text + (queue.isPaused ? language::told(LS_TR("CommandLine", "; the queue is paused")) : "") + "\n";
}

[[nodiscard]] Result<std::int64_t> numberOf(const QString& word, const char* what)
{
    bool isNumber = false;
    const qlonglong number = word.toLongLong(&isNumber);
    if (!isNumber || number < 1) {
        return failure(LS_TR("Messages", "queue: \"%1\" is not %2; lockstep queue list shows them"),
            {verbatim(word.toStdString()), what});
    }
    return std::int64_t{number};
}

[[nodiscard]] Result<Json> addFrom(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
    LOCKSTEP_TRY_ASSIGN(const auto places, rankPlacesOf(arguments, PlacesFor::Checking));
    // The queue may be carried out by a build that has other rank programs: they are looked for when a run starts.
    if (places.isThisMachine()) {
        LOCKSTEP_TRY_ASSIGN(const auto described, datasets::described(runs));
        LOCKSTEP_TRY(plan::checkAll(described));
    } else {
        LOCKSTEP_TRY(checkPlaces(runs, places));
    }
    return launch::addRequest(runs.front().experiment, runs, false);
}

struct QueueAction {
    std::string_view name;
    qsizetype fewest; ///< words after it
    qsizetype most;
    std::span<const Option> options = QueueOtherOptions;
};
constexpr std::array<QueueAction, 10> QueueActions{
    {{"add", 1, 1, QueueAddOptions}, {"list", 0, 0}, {"move", 2, 2}, {"next", 1, 1}, {"pause", 0, 1}, {"resume", 0, 1},
        {"stop", 0, 1}, {"remove", 1, 1}, {"clear", 0, 0}, {"run", 0, 0, QueueRunOptions}}};

[[nodiscard]] std::string queueUsageText()
{
    return language::told(LS_TR("CommandLine",
        "lockstep queue ACTION [options]\n\nExperiments in line: they run one after the other, each with all its runs. "
        "The queue is kept beside the\nruns. The window or `lockstep queue run` carries it out, whichever started "
        "first; the other actions\nreach that process, or change the stored queue where there is none.\n\n"
        "  add PRESET|SPEC.json   puts an experiment at the end of the line; with --launch, checks it for ranks on\n"
        "                         other hosts instead of this machine\n"
        "  list                   shows the queue, with the estimated time of each experiment and in all\n"
        "  move ID PLACE          to this place among those that wait, from 1\n"
        "  next ID                to the first place\n"
        "  pause [ID]             pauses one experiment; without ID the queue: no further one starts\n"
        "  resume [ID]            the opposite; an interrupted experiment runs what is missing\n"
        "  stop [ID]              ends an experiment that runs and takes it out of the line; without ID the one that\n"
        "                         runs, and pauses the queue\n"
        "  remove ID              takes an experiment out of the line that does not run\n"
        "  clear                  removes all that do not run\n"
        "  run                    carries the queue out until nothing is left to start, on this machine or where\n"
        "                         --launch says; Ctrl+C keeps what is missing\n\n"
        "Exit codes: 0 done, 2 bad input, 3 run: a run failed or an experiment could not start."));
}

[[nodiscard]] std::string queueHelpText()
{
    return queueUsageText() + "\n\n" + language::told(LS_TR("CommandLine", "Options of add:")) + "\n"
        + helpOf(QueueAddOptions) + "\n" + language::told(LS_TR("CommandLine", "Options of run:")) + "\n"
        + helpOf(QueueRunOptions) + "\n" + language::told(LS_TR("CommandLine", "Options of the other actions:")) + "\n"
        + helpOf(QueueOtherOptions);
}

[[nodiscard]] Result<const QueueAction*> queueActionNamed(const QString& word)
{
    const auto* action = std::ranges::find(QueueActions, word.toStdString(), &QueueAction::name);
    if (action != QueueActions.end()) {
        return action;
    }
    return failure(LS_TR("Messages", "queue: \"%1\" is not an action; allowed: %2"),
        {verbatim(word.toStdString()), verbatim(listed(QueueActions, &QueueAction::name))});
}

[[nodiscard]] Result<void> checkCount(const QueueAction& action, qsizetype given)
{
    if (given < action.fewest || given > action.most) {
        const Text name = verbatim(action.name);
        return action.fewest != action.most
            ? failure(LS_TR("Messages", "queue %1: takes at most 1 argument; lockstep queue --help"), {name})
            : action.most == 1
            ? failure(LS_TR("Messages", "queue %1: takes 1 argument; lockstep queue --help"), {name})
            : failure(LS_TR("Messages", "queue %1: takes %2 arguments; lockstep queue --help"), {name, action.most});
    }
    return {};
}

[[nodiscard]] Result<Json> requestOf(const QString& action, const Arguments& arguments)
{
    const QStringList& words = arguments.positional();
    if (action == u"add"_s) {
        return addFrom(arguments);
    }
    Json request{{"do", action.toStdString()}};
    if (!words.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(const auto id, numberOf(words[0], LS_TR("Messages", "the number of an entry")));
        request["id"] = id;
    }
    if (action == u"next"_s) {
        request["do"] = "move";
        request["to"] = 0;
    } else if (action == u"move"_s) {
        LOCKSTEP_TRY_ASSIGN(const auto place, numberOf(words[1], LS_TR("Messages", "a position in the queue, from 1")));
        request["to"] = place - 1;
    }
    return request;
}

/// Other actions of the command line have the queue for a moment.
[[nodiscard]] Result<std::unique_ptr<launch::ExperimentQueue>> openForRunning(const QString& folder)
{
    const QDeadlineTimer limit(OpenLimitMs);
    do {
        LOCKSTEP_TRY_ASSIGN(auto queue, launch::ExperimentQueue::open(folder));
        if (queue) {
            return queue;
        }
        QThread::msleep(OpenRetryMs);
    } while (!limit.hasExpired());
    return failure(LS_TR("Messages", "queue: process %1 is already running it"), {launch::QueueLock::owner(folder)});
}

/// Carries the queue out in this process until nothing starts by itself any more.
[[nodiscard]] Result<int> runQueue(const QString& folder, const RankPlaces& places)
{
    LOCKSTEP_TRY_ASSIGN(const auto queue, openForRunning(folder));
    launch::QueueServer server(*queue);
    LOCKSTEP_TRY(server.listen(folder));
    launch::SessionOptions options;
    options.storeFolder = folder;
    options.quietTimeout = launch::quietTimeoutFromEnvironment();
    options.hosts = places.hosts;
    options.awaits = places.awaits;
    launch::Session session(options);
    int code = ExitDone;
    std::unique_ptr<RunProgress> progress;
    QEventLoop loop;
    bool isIdle = false;
    QObject::connect(queue.get(), &launch::ExperimentQueue::began, &loop,
        [&] { progress = std::make_unique<RunProgress>(session, queue->activeRuns(), !places.isThisMachine()); });
    QObject::connect(
        &session, &launch::Session::statusChanged, &loop, [&](const RunId& id, analysis::RunStatus status) {
            const bool isLost = analysis::isFinal(status) && isOfLostCheckpoint(session.record(id).why());
            code = status == analysis::RunStatus::Failed || isLost ? ExitRunFailed : code;
        });
    QObject::connect(queue.get(), &launch::ExperimentQueue::idle, &loop, [&] {
        isIdle = true;
        loop.quit();
    });
    launch::Interrupts interrupts;
    QObject::connect(&interrupts, &launch::Interrupts::interrupted, &loop, [&](int count) {
        code = queue->state().active() != nullptr ? ExitRunFailed : code;
        count == 1 ? queue->interrupt() : session.killAll();
    });
    LOCKSTEP_TRY(queue->resume());
    queue->carryOut(
        session, [&places](std::span<const experiment::RunSpec> runs) { return checkPlaces(runs, places); });
    if (!isIdle) {
        loop.exec();
    }
    for (const launch::QueueEntry& entry : queue->state().entries) {
        if (!entry.problem.empty()) {
            report(fmt::format("queue: entry {}: {}", entry.id, language::worded(entry.problem)));
            code = ExitRunFailed;
        }
    }
    return code;
}

[[nodiscard]] Result<int> carryOutAction(const QueueAction& action, const Arguments& arguments)
{
    const QString name = QString::fromUtf8(action.name);
    if (name != u"add"_s || !namesRuns(arguments)) {
        LOCKSTEP_TRY(checkCount(action, arguments.positional().size()));
    }
    const QString folder = storeOf(arguments);
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    if (name == u"run"_s) {
        LOCKSTEP_TRY_ASSIGN(const auto places, rankPlacesOf(arguments));
        return runQueue(folder, places);
    }
    LOCKSTEP_TRY_ASSIGN(const auto request, requestOf(name, arguments));
    LOCKSTEP_TRY_ASSIGN(const auto answer, launch::askQueue(folder, request));
    const std::vector<analysis::RunRecord> known = store->list();
    if (arguments.has(u"--json"_s)) {
        Json json = queueAsJson(answer.state, known);
        if (answer.added != 0) {
            json["added"] = answer.added;
        }
        return printOrFail(json.dump(2) + "\n");
    }
    return printOrFail(queueAsTable(answer.state, known));
}

} // namespace

int queueCommand(const QStringList& words, const CommandContext&)
{
    if (UsageCollector* collector = UsageCollector::active()) {
        collector->add({"queue", {}, queueUsageText(), {}});
        for (const QueueAction& action : QueueActions) {
            static_cast<void>(withArguments("queue " + std::string(action.name), {}, action.options, "",
                [](const Arguments&) { return ExitDone; }));
        }
        return ExitDone;
    }
    if (words.isEmpty() || words.front() == u"--help"_s) {
        return printOrFail(queueHelpText());
    }
    const auto action = queueActionNamed(words.front());
    if (!action) {
        return refuse(action.error());
    }
    return withArguments("queue " + std::string((*action)->name), words.mid(1), (*action)->options, queueHelpText,
        [&](const Arguments& arguments) { return carryOutAction(**action, arguments); });
}

} // namespace lockstep::cli
