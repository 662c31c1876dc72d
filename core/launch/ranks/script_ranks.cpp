#include "launch/ranks/script_ranks.h"

#include "base/proc_files.h"
#include "base/translate.h"
#include "launch/own/own_program.h"
#include "store/output_folder.h"

#include <fmt/format.h>

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <csignal>

#include <unistd.h>

namespace lockstep::launch {

namespace {

/// Between the end of a program and the end of its ranks' connections.
constexpr std::chrono::milliseconds TimeToClose{500};

} // namespace

class ScriptRanks::Member final : public RankProcess {
public:
    Member(std::int32_t rank, ScriptRanks& job)
        : RankProcess(rank, &job)
        , m_job(job)
    { }

    [[nodiscard]] bool isAlive() const override { return !hasEnded() && m_job.m_program.isAlive(); }
    [[nodiscard]] bool endedWell() const override { return m_job.m_program.endedWell(); }
    [[nodiscard]] bool wasNotStarted() const override { return m_job.m_program.wasNotStarted(); }
    [[nodiscard]] int endSignal() const override { return m_job.m_program.endSignal(); }
    [[nodiscard]] const std::deque<std::string>& lastLines() const override { return m_job.m_program.lastLines(); }
    [[nodiscard]] bool endsWithOthers() const override { return true; }
    [[nodiscard]] bool mayComeLate() const override { return true; }
    [[nodiscard]] bool wasEndedForAnother() const override
    {
        return m_job.m_lost && m_job.m_lost != rank() && !endedWell();
    }
    [[nodiscard]] bool mayBeCause() const override { return m_job.m_lost == rank(); }
    [[nodiscard]] Text causeOfEnd() const override
    {
        const Text cause = m_job.m_program.causeOfEnd();
        const bool isLost = m_job.m_lost == rank() && m_job.m_members.size() > 1 && !endedWell();
        return isLost ? Text(LS_TR("Messages", "was lost: the program %1"), {cause}) : cause;
    }
    [[nodiscard]] Text howItEnded() const override
    {
        const bool isAnyones = m_job.m_members.size() > 1 && !m_job.m_lost;
        return isAnyones ? Text(LS_TR("Messages", "the program %1"), {causeOfEnd()}) : RankProcess::howItEnded();
    }

    void connectionOpened(const wire::Hello& hello) override { m_pid = hello.pid; }
    void connectionClosed(bool hasSaidGoodbye) override
    {
        m_pid = 0;
        if (!hasSaidGoodbye && !m_job.m_lost) {
            m_job.m_lost = rank();
        }
        m_job.reportEnd();
    }
    void terminate() override
    {
        m_job.signalRanks(SIGTERM);
        m_job.m_program.terminate();
    }
    void kill() override
    {
        m_job.signalRanks(SIGKILL);
        m_job.m_program.kill();
    }
    /// 0: it is not connected.
    [[nodiscard]] std::int64_t pid() const { return m_pid; }
    void forgetConnection() { m_pid = 0; }

    using RankProcess::reportEnd;

private:
    ScriptRanks& m_job;
    std::int64_t m_pid = 0;
};

ScriptRanks::ScriptRanks(QObject* parent)
    : RankLauncher(parent)
    , m_program(0, this)
    , m_members{new Member(0, *this)}
{
    connect(&m_program, &RankProcess::lineWritten, m_members.front(), &RankProcess::lineWritten);
    connect(&m_program, &RankProcess::ended, this, &ScriptRanks::onEnded);
}

std::vector<RankProcess*> ScriptRanks::start(const RankStart& start)
{
    const auto own = ownProgram(start.spec);
    QProcessEnvironment environment = ownEnvironment(start.where, start.spec, 0, pythonFolder(start.storeFolder), -1);
    if (m_memory.descriptor() >= 0) {
        // A path: Python's subprocesses inherit no descriptor.
        environment.insert(QStringLiteral("LOCKSTEP_BOARD"),
            QStringLiteral("/proc/%1/fd/%2").arg(getpid()).arg(m_memory.descriptor()));
    }
    m_mark = "LOCKSTEP_RUN=" + start.where.run.text;
    m_program.keepOutput(store::outputFileOf(start.storeFolder, start.where.run, 0));
    m_program.start(
        {.program = start.program, .arguments = own ? own->arguments : QStringList(), .environment = environment});
    return {m_members.front()};
}

std::vector<RankProcess*> ScriptRanks::join(std::int32_t worldSize)
{
    for (std::int32_t rank = 1; rank < worldSize; ++rank) {
        m_members.push_back(new Member(rank, *this));
    }
    return {m_members.begin() + 1, m_members.end()};
}

void ScriptRanks::signalRanks(int signal)
{
    for (const Member* member : m_members) {
        // A number may have been given to another process meanwhile.
        const bool isOurs = member->pid() > 1
            && readProcFile(fmt::format("/proc/{}/environ", member->pid())).find(m_mark) != std::string::npos;
        if (isOurs) {
            ::kill(static_cast<pid_t>(member->pid()), signal);
        }
    }
}

void ScriptRanks::onEnded()
{
    signalRanks(SIGKILL); // none outlives the program
    // Which rank was lost shows when its connection closes, and that may be read later than the program's end.
    QTimer::singleShot(TimeToClose, this, [this] {
        for (Member* member : m_members) {
            member->forgetConnection();
        }
        reportEnd();
    });
    reportEnd();
}

/// Once the program has ended and all connections are closed.
void ScriptRanks::reportEnd()
{
    const bool isAnyOpen = std::ranges::any_of(m_members, [](const Member* member) { return member->pid() != 0; });
    if (m_program.hasEnded() && !isAnyOpen) {
        reportEnds(m_members, m_lost);
    }
}

} // namespace lockstep::launch
