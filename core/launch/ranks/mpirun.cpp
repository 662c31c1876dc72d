#include "launch/ranks/mpirun.h"

#include "base/translate.h"

#include <fmt/format.h>

#include <QRegularExpression>
#include <QStandardPaths>

#include <unistd.h>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

/// mpirun first ends the other ranks and reports the cause when all have ended.
constexpr auto MpirunDeathAfterDisconnect = 2500ms;

/// `signal 9 (Killed)`, as mpirun says it; empty: it does not say which.
Text killed(std::string by)
{
    return by.empty() ? Text(LS_TR("Messages", "was killed"))
                      : Text(LS_TR("Messages", "was killed by %1"), {verbatim(std::move(by))});
}

} // namespace

class Mpirun::Member final : public RankProcess {
public:
    Member(std::int32_t rank, Mpirun& job)
        : RankProcess(rank, &job)
        , m_job(job)
    { }

    [[nodiscard]] bool isAlive() const override { return m_job.m_mpirun.isAlive(); }
    [[nodiscard]] bool endedWell() const override { return m_job.m_mpirun.endedWell(); }
    [[nodiscard]] Text causeOfEnd() const override
    {
        if (!m_job.m_culprit) {
            const Text cause = m_job.m_mpirun.causeOfEnd();
            return m_job.m_mpirun.endedWell() ? cause : Text(LS_TR("Messages", "ended: mpirun %1"), {cause});
        }
        return m_job.m_culprit == rank()
            ? m_job.m_cause
            : Text(LS_TR("Messages", "was ended by mpirun because of rank %1"), {*m_job.m_culprit});
    }
    [[nodiscard]] std::chrono::milliseconds timeToEnd() const override { return MpirunDeathAfterDisconnect; }
    [[nodiscard]] bool endsWithOthers() const override { return true; }
    [[nodiscard]] bool wasEndedForAnother() const override { return m_job.m_culprit && m_job.m_culprit != rank(); }
    void terminate() override { m_job.m_mpirun.terminate(); }
    void kill() override { m_job.m_mpirun.kill(); }

    using RankProcess::logLine;
    using RankProcess::reportEnd;

private:
    Mpirun& m_job;
};

Mpirun::Mpirun(std::int32_t worldSize, QObject* parent)
    : RankLauncher(parent)
    , m_mpirun(0, this)
{
    for (std::int32_t rank = 0; rank < worldSize; ++rank) {
        m_members.push_back(new Member(rank, *this));
    }
    connect(
        &m_mpirun, &RankProcess::lineWritten, this, [this](std::int32_t, const wire::LogLine& line) { onLine(line); });
    connect(&m_mpirun, &RankProcess::ended, this, &Mpirun::onEnded);
}

QString Mpirun::program()
{
    return QStandardPaths::findExecutable(u"mpirun"_s);
}

std::vector<RankProcess*> Mpirun::start(const RankStart& start)
{
    QProcessEnvironment environment = jobEnvironment(start.where, start.spec); // common to all ranks
    if (geteuid() == 0) {
        // Containers run as root, which mpirun accepts only with both variables.
        environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT"_s, u"1"_s);
        environment.insert(u"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"_s, u"1"_s);
    }
    if (!environment.contains(u"PMIX_MCA_psec"_s)) {
        // All ranks are of one user on one machine: without this, mpirun waits 2 s for a munge that does not run.
        environment.insert(u"PMIX_MCA_psec"_s, u"native"_s);
    }
    // In a folder of ours, which this process, or else the next one, removes where mpirun has been killed.
    if (auto folder = DraftFolder::makeTemporary()) {
        m_folder = std::move(*folder);
        const QString name = QString::fromStdString(m_folder->path());
        environment.insert(u"OMPI_MCA_orte_tmpdir_base"_s, name); // Open MPI 4
        environment.insert(u"PRTE_MCA_prte_tmpdir_base"_s, name); // 5
    }
    // The ranks choose their cores themselves (rank.bind); all are local, so the network is not probed. System V memory
    // always vanishes with the last rank; files in /dev/shm remain when mpirun itself is killed.
    m_mpirun.start({.program = program(),
        .arguments = {u"-n"_s, QString::number(m_members.size()), u"--oversubscribe"_s, u"--bind-to"_s, u"none"_s,
            u"--tag-output"_s, u"--mca"_s, u"btl"_s, u"self,vader"_s, u"--mca"_s, u"shmem"_s, u"sysv"_s, start.program},
        .environment = environment,
        .deathSignal = SIGTERM,
        .keepsReaders = true});
    return {m_members.begin(), m_members.end()};
}

/// `[1,2]<stderr>:text` is rank 2's; the rest is mpirun's. Open MPI 5 (prterun) puts a space before the text, breaks
/// the line about a signal in two, and names a process [prterun-HOST-PID@1,2] where Open MPI 4 has [[PID,1],2].
void Mpirun::onLine(const wire::LogLine& line)
{
    static const QRegularExpression ofRank(u"^\\[\\d+,(\\d+)\\]<\\w+>: ?(.*)$"_s);
    static const QRegularExpression signalled(
        u"process rank (\\d+) with PID \\d+ on node \\S+ exited on(?: (signal .*)\\.)?\\s*$"_s);
    static const QRegularExpression signalAlone(u"^(signal \\d+.*)\\.$"_s);
    static const QRegularExpression name(u"Process name: \\[(?:\\[\\d+,|[^\\]]*@)\\d+\\]?,(\\d+)\\]"_s);
    static const QRegularExpression exitCode(u"Exit code:\\s+(\\d+)"_s);
    const QString text = QString::fromStdString(line.text);
    const auto rankIn = [this](const QRegularExpressionMatch& match) -> std::optional<std::int32_t> {
        const int rank = match.captured(1).toInt();
        return match.hasMatch() && rank < static_cast<int>(m_members.size()) ? std::optional(rank) : std::nullopt;
    };
    const auto output = ofRank.match(text);
    if (const auto rank = rankIn(output)) {
        if (!output.captured(2).trimmed().isEmpty()) {
            m_members[static_cast<std::size_t>(*rank)]->logLine(
                wire::LogLine::of(line.timeNs, line.level, verbatim(output.captured(2).toStdString())));
        }
        return;
    }
    if (const auto match = signalled.match(text); match.hasMatch()) {
        m_culprit = rankIn(match);
        m_cause = killed(match.captured(2).toStdString());
    } else if (const auto rest = signalAlone.match(text); rest.hasMatch() && m_cause == killed({})) {
        m_cause = killed(rest.captured(1).toStdString());
    } else if (const auto process = name.match(text); process.hasMatch()) {
        m_culprit = rankIn(process);
        m_cause = LS_TR("Messages", "ended too early");
    } else if (const auto code = exitCode.match(text); code.hasMatch() && m_culprit) {
        m_cause = endedWith(code.captured(1).toInt());
    }
    if (!text.startsWith(u"-----"_s)) {
        m_members.front()->logLine(wire::LogLine::of(line.timeNs, line.level, verbatim("mpirun: " + line.text)));
    }
}

void Mpirun::onEnded()
{
    reportEnds(m_members, m_culprit);
}

} // namespace lockstep::launch
