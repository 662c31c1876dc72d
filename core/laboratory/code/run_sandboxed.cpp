#include "laboratory/code/run_sandboxed.h"

#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "launch/machine/machine_facts.h"
#include "launch/machine/sandbox.h"

#include <utility>

namespace lockstep::laboratory {

namespace {

using namespace Qt::StringLiterals;

constexpr int PrefixLimitMs = 60'000;
constexpr int Port = 29500; ///< of the sandbox's own loopback

/// Starts the ranks of argv[1] and prints how each has ended: `[["exited", 0], ...]`. Some seconds after one has failed
/// it ends the others.
const char* const Starter = R"(
import json, os, subprocess, sys, time
ranks = [subprocess.Popen(r["command"], env={**os.environ, **r["environment"]}, stdin=subprocess.DEVNULL,
         stdout=open(f"rank-{i}.log", "wb"), stderr=subprocess.STDOUT) for i, r in enumerate(json.loads(sys.argv[1]))]
ends, failed = [None] * len(ranks), None
while None in ends:
    for i, rank in enumerate(ranks):
        if ends[i] is None and rank.poll() is not None:
            ends[i] = ["exited", rank.returncode] if rank.returncode >= 0 else ["signal", -rank.returncode]
            failed = failed or (time.monotonic() if rank.returncode else None)
    if failed and time.monotonic() > failed + 3:
        for i, rank in enumerate(ranks):
            if ends[i] is None:
                rank.kill()
                ends[i] = ["after_failure", 0]
    time.sleep(0.02)
print(json.dumps(ends))
)";

bool isIn(const QString& path, const QString& folder)
{
    return path == folder || path.startsWith(folder + u'/');
}

struct Interpreter {
    QString program; ///< itself, where a script such as pyenv's starts it
    QStringList folders; ///< with its packages, beside /usr: its environment and the one that this was made from
};

/// Error: its torch lies elsewhere (`pip install --user`, PYTHONPATH), so that right code would fail.
Result<Interpreter> interpreterOf(const QString& python)
{
    const QString lookup
        = u"import importlib.util, sys; torch = importlib.util.find_spec('torch')\n"
          "print(sys.executable, sys.prefix, sys.base_prefix, *(torch and torch.submodule_search_locations or []), "
          "sep='\\n')"_s;
    const launch::ProgramOutput output = launch::outputOf(python, {u"-c"_s, lookup}, PrefixLimitMs);
    const QStringList lines = QString::fromStdString(output.out).split(u'\n', Qt::SkipEmptyParts);
    if (output.exitCode != 0 || lines.size() < 3) {
        return failure(LS_TR("Messages", "%1 does not start: %2"), {verbatim(python.toStdString()), output.error});
    }
    QStringList folders = lines.mid(1, 2);
    for (const QString& torch : lines.mid(3)) {
        if (!isIn(torch, u"/usr"_s) && !isIn(torch, folders[0]) && !isIn(torch, folders[1])) {
            return failure(
                LS_TR("Messages", "the torch in %1 is not of %2 itself: code that is marked cannot reach it"),
                {verbatim(torch.toStdString()), verbatim(python.toStdString())});
        }
    }
    folders.removeIf([](const QString& folder) { return isIn(folder, u"/usr"_s); });
    folders.removeDuplicates();
    return Interpreter{lines.front(), folders};
}

std::string planOf(const TrialCommands& commands, const QString& python)
{
    Json plan = Json::array();
    for (std::size_t rank = 0; rank < commands.ranks.size(); ++rank) {
        Json command = Json::array({python.toStdString()});
        for (const QString& word : commands.ranks[rank].mid(1)) {
            command.push_back(word.toStdString());
        }
        Json environment = Json::object();
        const QStringList variables = rankVariables(rank, commands.ranks.size(), Port);
        for (const QString& each : variables) {
            environment[each.section(u'=', 0, 0).toStdString()] = each.section(u'=', 1).toStdString();
        }
        plan.push_back({{"command", std::move(command)}, {"environment", std::move(environment)}});
    }
    return plan.dump();
}

/// A rank that the output says nothing of ended by a failure.
RankEnd endIn(const Json& ends, std::size_t rank)
{
    RankEnd end{TrialEnd::Exited, 1};
    if (ends.is_array() && rank < ends.size() && ends[rank].is_array() && ends[rank].size() == 2
        && ends[rank][0].is_string() && ends[rank][1].is_number_integer()) {
        const auto how = ends[rank][0].get<std::string>();
        end.how = how == "signal"    ? TrialEnd::Signal
            : how == "after_failure" ? TrialEnd::AfterFailure
                                     : TrialEnd::Exited;
        end.code = static_cast<int>(ends[rank][1].get<std::int64_t>());
    }
    return end;
}

} // namespace

Result<std::vector<RankEnd>> runRanksInSandbox(const TrialCommands& commands)
{
    const std::size_t count = commands.ranks.size();
    if (count == 0) {
        return std::vector<RankEnd>();
    }
    launch::Box box;
    box.folder = commands.folder;
    box.limits.seconds = commands.limit.count();
    box.cancelled = commands.cancelled;
    LOCKSTEP_TRY_ASSIGN(const auto python, interpreterOf(commands.ranks.front().front()));
    box.readOnly = python.folders;
    const launch::SandboxedEnd end
        = launch::runSandboxed({python.program, u"-I"_s, u"-c"_s, QString::fromLatin1(Starter),
                                   QString::fromStdString(planOf(commands, python.program))},
            box);
    switch (end.cause) {
    case launch::SandboxedCause::Cancelled:
        return std::vector<RankEnd>(count, {TrialEnd::Cancelled});
    case launch::SandboxedCause::Time:
        return std::vector<RankEnd>(count, {TrialEnd::TimeLimit});
    case launch::SandboxedCause::Ended:
        break;
    case launch::SandboxedCause::NotStarted:
        return failureOf(end.why);
    default:
        return std::vector<RankEnd>(count, {TrialEnd::OtherLimit, 0, end.why});
    }
    const Json ends = carefulJson({end.out.constData(), static_cast<std::size_t>(end.out.size())});
    std::vector<RankEnd> all;
    for (std::size_t rank = 0; rank < count; ++rank) {
        all.push_back(endIn(ends, rank));
    }
    return all;
}

} // namespace lockstep::laboratory
