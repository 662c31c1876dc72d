// `lockstep queue`.
#include "session/commands/arguments.h"
#include "session/commands/interrupts.h"
#include "session/commands/rank_places.h"
#include "session/commands/read_runs.h"
#include "session/commands/run_progress.h"
#include "session/commands/verbs.h"

#include "base/translate.h"
#include "experiment/dataset_folder.h"
#include "session/language.h"
#include "session/messages.h"
#include "session/queue/ask_queue.h"
#include "session/queue/queue_request.h"
#include "session/queue/queue_server.h"
#include "session/queue/queue_times.h"
#include "session/store/run_store.h"

#include <fmt/format.h>

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QThread>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr Option QueueJsonOption{"--json", "", LS_TR("CommandLine", "prints the queue as JSON on stdout")};
constexpr Option QueueStoreOption{
    "--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs and their queue")};
constexpr Option QueueHelpOption{"--help", "", LS_TR("CommandLine", "this text")};
constexpr std::array QueueAddOptions{
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
    QueueHelpOption,
};
constexpr std::array QueueRunOptions{
    LaunchOption, HostsOption, ListenOption, WorkbenchFileOption, QueueStoreOption, QueueHelpOption};
constexpr std::array QueueOtherOptions{QueueJsonOption, QueueStoreOption, QueueHelpOption};
constexpr int OpenLimitMs = 1000;
constexpr unsigned long OpenRetryMs = 20;

[[nodiscard]] std::string timeText(double seconds)
{
    const auto whole = static_cast<long long>(std::lround(std::max(0.0, seconds)));
    return std::isnan(seconds) ? "-" : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

[[nodiscard]] Json jsonSeconds(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

[[nodiscard]] Json queueAsJson(const QueueState& queue, std::span<const analysis::RunRecord> known)
{
    const QueueTimes seconds = secondsOf(queue, known);
    Json entries = Json::array();
    for (const QueueEntry& entry : queue.entries) {
        Json runs = Json::array();
        for (const QueuedRun& run : entry.runs) {
            runs.push_back(
                {{"name", run.spec.name}, {"repeat", run.spec.repeat}, {"id", run.id ? Json(run.id->text) : Json()}});
        }
        const bool isDamaged = entry.state == EntryState::Damaged;
        entries.push_back({{"id", entry.id}, {"name", entry.name}, {"state", nameOf(entry.state)},
            {"paused", entry.isPaused}, {"problem", entry.problem},
            {"seconds", isDamaged ? Json() : jsonSeconds(seconds.entries[entries.size()])}, {"runs", std::move(runs)}});
    }
    return {{"version", 1}, {"paused", queue.isPaused}, {"seconds", jsonSeconds(seconds.whole)},
        {"entries", std::move(entries)}};
}

[[nodiscard]] std::string stateText(const QueueEntry& entry)
{
    return worded(entry.isPaused ? std::string_view("paused") : nameOf(entry.state));
}

[[nodiscard]] std::string queueAsTable(const QueueState& queue, std::span<const analysis::RunRecord> known)
{
    if (queue.entries.empty()) {
        return told(LS_TR("CommandLine", "the queue is empty")) + "\n";
    }
    const QueueTimes seconds = secondsOf(queue, known);
    std::string text;
    for (std::size_t place = 0; place < queue.entries.size(); ++place) {
        const QueueEntry& entry = queue.entries[place];
        const bool isDamaged = entry.state == EntryState::Damaged;
        text += fmt::format("{:>4}  {}{:>4}  {:>6}  {}\n", entry.id,
            inColumn(QString::fromStdString(stateText(entry)), -12).toStdString(), entry.runs.size(),
            isDamaged ? "-" : timeText(seconds.entries[place]), entry.name);
        text += entry.problem.empty() ? "" : "      " + worded(entry.problem) + "\n";
    }
    text += told(LS_TR("CommandLine", "about %1 in all"), {timeText(seconds.whole)});
    return text + (queue.isPaused ? told(LS_TR("CommandLine", "; the queue is paused")) : "") + "\n";
}

[[nodiscard]] Result<std::int64_t> numberOf(const QString& word, const char* what)
{
    bool isNumber = false;
    const qlonglong number = word.toLongLong(&isNumber);
    if (!isNumber || number < 1) {
        return Error{fmt::format("queue: \"{}\" is not {}; lockstep queue list shows them", word.toStdString(), what)};
    }
    return std::int64_t{number};
}

[[nodiscard]] Result<Json> addFrom(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
    LOCKSTEP_TRY_ASSIGN(const auto places, rankPlacesOf(arguments, PlacesFor::Checking));
    // The queue may be carried out by a build that has other rank programs: they are looked for when a run starts.
    LOCKSTEP_TRY(places.isThisMachine() ? experiment::checkDataFiles(runs) : checkPlaces(runs, places));
    return addRequest(runs.front().experiment, runs, false);
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

[[nodiscard]] std::string queueHelpText()
{
    const std::string usage = told(LS_TR("CommandLine",
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
    return usage + "\n\n" + told(LS_TR("CommandLine", "Options of add:")) + "\n" + helpOf(QueueAddOptions) + "\n"
        + told(LS_TR("CommandLine", "Options of run:")) + "\n" + helpOf(QueueRunOptions) + "\n"
        + told(LS_TR("CommandLine", "Options of the other actions:")) + "\n" + helpOf(QueueOtherOptions);
}

[[nodiscard]] Result<const QueueAction*> queueActionNamed(const QString& word)
{
    std::string known;
    for (const QueueAction& action : QueueActions) {
        if (word.toStdString() == action.name) {
            return &action;
        }
        known += (known.empty() ? "" : ", ") + std::string(action.name);
    }
    return Error{"queue: \"" + word.toStdString() + "\" is not an action; allowed: " + known};
}

[[nodiscard]] Result<Arguments> queueArgumentsOf(const QueueAction& action, const QStringList& words)
{
    const auto arguments = Arguments::parse(words, action.options);
    if (!arguments) {
        return during("queue " + std::string(action.name), arguments.error());
    }
    const qsizetype given = arguments->positional().size();
    if (!arguments->has(u"--help"_s) && (given < action.fewest || given > action.most)) {
        return Error{fmt::format("queue {}: takes {} argument{}; lockstep queue --help", action.name,
            action.fewest == action.most ? std::to_string(action.most) : "at most 1", action.most == 1 ? "" : "s")};
    }
    return *arguments;
}

[[nodiscard]] Result<Json> requestOf(const QString& action, const Arguments& arguments)
{
    const QStringList& words = arguments.positional();
    if (action == u"add"_s) {
        return addFrom(arguments);
    }
    Json request{{"do", action.toStdString()}};
    if (!words.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(const auto id, numberOf(words[0], "the number of an entry"));
        request["id"] = id;
    }
    if (action == u"next"_s) {
        request["do"] = "move";
        request["to"] = 0;
    } else if (action == u"move"_s) {
        LOCKSTEP_TRY_ASSIGN(const auto place, numberOf(words[1], "a position in the queue, from 1"));
        request["to"] = place - 1;
    }
    return request;
}

/// Other actions of the command line have the queue for a moment.
[[nodiscard]] Result<std::unique_ptr<ExperimentQueue>> openForRunning(const QString& folder)
{
    const QDeadlineTimer limit(OpenLimitMs);
    do {
        LOCKSTEP_TRY_ASSIGN(auto queue, ExperimentQueue::open(folder));
        if (queue) {
            return queue;
        }
        QThread::msleep(OpenRetryMs);
    } while (!limit.hasExpired());
    return Error{fmt::format("queue: process {} is already running it", QueueLock::owner(folder))};
}

/// Carries the queue out in this process until nothing starts by itself any more.
[[nodiscard]] Result<int> runQueue(const QString& folder, const RankPlaces& places)
{
    LOCKSTEP_TRY_ASSIGN(const auto queue, openForRunning(folder));
    QueueServer server(*queue);
    LOCKSTEP_TRY(server.listen(folder));
    SessionOptions options;
    options.storeFolder = folder;
    options.hosts = places.hosts;
    options.awaits = places.awaits;
    Session session(options);
    int code = ExitDone;
    std::unique_ptr<RunProgress> progress;
    QEventLoop loop;
    bool isIdle = false;
    QObject::connect(queue.get(), &ExperimentQueue::began, &loop,
        [&] { progress = std::make_unique<RunProgress>(session, queue->activeRuns(), !places.isThisMachine()); });
    QObject::connect(&session, &Session::statusChanged, &loop, [&](const RunId&, analysis::RunStatus status) {
        code = status == analysis::RunStatus::Failed ? ExitRunFailed : code;
    });
    QObject::connect(queue.get(), &ExperimentQueue::idle, &loop, [&] {
        isIdle = true;
        loop.quit();
    });
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &loop, [&](int count) {
        code = queue->state().active() != nullptr ? ExitRunFailed : code;
        count == 1 ? queue->interrupt() : session.killAll();
    });
    LOCKSTEP_TRY(queue->resume());
    queue->carryOut(
        session, [&places](std::span<const experiment::RunSpec> runs) { return checkPlaces(runs, places); });
    if (!isIdle) {
        loop.exec();
    }
    for (const QueueEntry& entry : queue->state().entries) {
        if (!entry.problem.empty()) {
            std::fprintf(stderr, "lockstep: queue: entry %lld: %s\n", static_cast<long long>(entry.id),
                worded(entry.problem).c_str());
            code = ExitRunFailed;
        }
    }
    return code;
}

} // namespace

int queueCommand(const QStringList& words, const CommandContext&)
{
    if (words.isEmpty() || words.front() == u"--help"_s) {
        return printOrFail(queueHelpText());
    }
    const auto action = queueActionNamed(words.front());
    if (!action) {
        return refuse(action.error());
    }
    const auto arguments = queueArgumentsOf(**action, words.mid(1));
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(queueHelpText());
    }
    const QString folder = storeOf(*arguments);
    const auto store = RunStore::open(folder);
    if (!store) {
        return refuse(store.error());
    }
    if (words.front() == u"run"_s) {
        const auto places = rankPlacesOf(*arguments);
        const auto code = places ? runQueue(folder, *places) : places.error();
        return code ? *code : refuse(code.error());
    }
    const auto request = requestOf(words.front(), *arguments);
    if (!request) {
        return refuse(request.error());
    }
    const auto answer = askQueue(folder, *request);
    if (!answer) {
        return refuse({worded(answer.error().text())});
    }
    const std::vector<analysis::RunRecord> known = (*store)->list();
    if (arguments->has(u"--json"_s)) {
        Json json = queueAsJson(answer->state, known);
        if (answer->added != 0) {
            json["added"] = answer->added;
        }
        return printOrFail(json.dump(2) + "\n");
    }
    return printOrFail(queueAsTable(answer->state, known));
}

} // namespace lockstep::session
