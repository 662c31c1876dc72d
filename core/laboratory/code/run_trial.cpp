#include "laboratory/code/run_trial.h"

#include "base/process_limits.h"
#include "base/translate.h"
#include "laboratory/careful_json.h"
#include "laboratory/step_kinds.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QMutex>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTemporaryDir>

#include <csignal>
#include <memory>
#include <optional>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace lockstep::laboratory {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 MostOutputBytes = 64 << 10; ///< of the end of a rank's output
constexpr rlim_t LargestFile = rlim_t{256} << 20; ///< that a rank may write
constexpr int StartLimitMs = 60'000;
constexpr std::chrono::seconds LookupLimit{60};
constexpr int PauseMs = 20;
constexpr qint64 GraceMs = 3'000; ///< for the other ranks, once one has failed
constexpr const char* CodeFolder = "code"; ///< not on the path of Python: a student's json.py hides nothing

Error cannotWrite(const QString& path)
{
    return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path.toStdString()), systemError()});
}

Result<void> writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush() ? Result<void>()
                                                                                                : cannotWrite(path);
}

/// All that is in the folder before the ranks start; the student's file is `code/NAME`.
Result<void> fillFolder(const QString& folder, const TrialTask& task, const QByteArray& code, const QString& name)
{
    const QDir runners(u":/exercises"_s);
    for (const QString& file : runners.entryList(QDir::Files)) {
        QFile runner(runners.filePath(file));
        if (!runner.open(QIODevice::ReadOnly)) {
            return failure(LS_TR("Messages", "%1 cannot be read: %2"),
                {verbatim(file.toStdString()), verbatim(runner.errorString().toStdString())});
        }
        LOCKSTEP_TRY(writeFile(folder + u'/' + file, runner.readAll()));
    }
    if (!QDir(folder).mkdir(QLatin1StringView(CodeFolder))) {
        return cannotWrite(folder);
    }
    LOCKSTEP_TRY(writeFile(folder + u"/input.json"_s, QByteArray::fromStdString(task.input.dump())));
    return writeFile(folder + u'/' + QLatin1StringView(CodeFolder) + u'/' + name, code);
}

RankTrial rankTrial(const QString& folder, std::size_t rank, const RankEnd& end)
{
    RankTrial trial{end, {}, false, {}};
    const QString name = folder + u"/rank-%1"_s.arg(rank);
    if (QFile records(name + u".jsonl"_s); records.open(QIODevice::ReadOnly)) {
        const QByteArray bytes = records.read(MostRecordBytes);
        trial.isCut = !records.atEnd();
        readRecords({bytes.constData(), static_cast<std::size_t>(bytes.size())}, trial);
    }
    if (QFile output(name + u".log"_s); output.open(QIODevice::ReadOnly)) {
        output.seek(std::max<qint64>(0, output.size() - MostOutputBytes));
        trial.output = lastLines(output.read(MostOutputBytes).toStdString());
    }
    return trial;
}

int freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : 0;
}

/// One rank on this machine. Its process group ends with it.
class LocalRank {
public:
    LocalRank(const QStringList& command, const QString& folder, const QStringList& variables, const QString& log)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString& each : variables) {
            environment.insert(each.section(u'=', 0, 0), each.section(u'=', 1));
        }
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(folder);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.setStandardInputFile(QProcess::nullDevice());
        m_process.setStandardOutputFile(log);
        m_process.setChildProcessModifier([] {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            const rlimit limit{LargestFile, LargestFile};
            setrlimit(RLIMIT_FSIZE, &limit);
            restoreOpenFileLimit();
        });
        m_process.start(command.front(), command.mid(1));
    }
    ~LocalRank() { stop(TrialEnd::Cancelled); }
    LocalRank(const LocalRank&) = delete;
    LocalRank& operator=(const LocalRank&) = delete;

    [[nodiscard]] Result<void> waitForStarted()
    {
        if (!m_process.waitForStarted(StartLimitMs)) {
            return failureOf(verbatim(m_process.errorString().toStdString()));
        }
        m_group = static_cast<pid_t>(m_process.processId());
        return {};
    }
    /// Waits a moment for its end.
    void wait()
    {
        if (!m_end && (m_process.state() == QProcess::NotRunning || m_process.waitForFinished(PauseMs))) {
            const bool isSignal = m_process.exitStatus() == QProcess::CrashExit;
            end(isSignal ? TrialEnd::Signal : TrialEnd::Exited);
        }
    }
    void stop(TrialEnd how)
    {
        if (!m_end && m_group > 0) {
            ::kill(-m_group, SIGKILL);
            m_process.waitForFinished(-1);
            end(how);
        }
    }
    [[nodiscard]] bool hasEnded() const { return m_end.has_value(); }
    [[nodiscard]] bool hasFailed() const { return m_end && (m_end->how == TrialEnd::Signal || m_end->code != 0); }
    [[nodiscard]] RankEnd theEnd() const { return m_end.value_or(RankEnd()); }

private:
    void end(TrialEnd how)
    {
        ::kill(-m_group, SIGKILL); // what it has started and left behind
        m_end = RankEnd{how, m_process.exitCode()};
    }

    QProcess m_process;
    pid_t m_group = 0;
    std::optional<RankEnd> m_end;
};

void waitForAll(std::vector<std::unique_ptr<LocalRank>>& ranks, const TrialCommands& commands)
{
    QElapsedTimer clock;
    clock.start();
    std::optional<qint64> failedAt;
    const auto isRunning = [](const auto& rank) { return !rank->hasEnded(); };
    while (std::ranges::any_of(ranks, isRunning)) {
        for (const auto& rank : ranks) {
            rank->wait();
            if (rank->hasFailed() && !failedAt) {
                failedAt = clock.elapsed();
            }
        }
        const bool isCancelled = commands.cancelled != nullptr && commands.cancelled->load();
        const bool isLate = clock.elapsed() > std::chrono::milliseconds(commands.limit).count();
        const bool isPointless = failedAt && clock.elapsed() > *failedAt + GraceMs;
        if (isCancelled || isLate || isPointless) {
            for (const auto& rank : ranks) {
                rank->stop(isCancelled ? TrialEnd::Cancelled : isLate ? TrialEnd::TimeLimit : TrialEnd::AfterFailure);
            }
        }
    }
}

Error wasCancelled()
{
    return failure(LS_TR("Messages", "the check was cancelled"));
}

Result<QString> findPythonWithTorch(const std::atomic_bool* cancelled)
{
    const QString lookup = u"import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"_s;
    const TrialCommands limits{{}, {}, LookupLimit, cancelled};
    for (const QString& name : {u"python3"_s, u"/usr/bin/python3"_s}) {
        const QString path = QStandardPaths::findExecutable(name);
        if (path.isEmpty()) {
            continue;
        }
        std::vector<std::unique_ptr<LocalRank>> lookups;
        lookups.push_back(std::make_unique<LocalRank>(
            QStringList{path, u"-c"_s, lookup}, QDir::tempPath(), QStringList(), QProcess::nullDevice()));
        if (lookups.front()->waitForStarted()) {
            waitForAll(lookups, limits);
        }
        const RankEnd end = lookups.front()->theEnd();
        if (end.how == TrialEnd::Cancelled) {
            return wasCancelled();
        }
        if (end.how == TrialEnd::Exited && end.code == 0 && lookups.front()->hasEnded()) {
            return path;
        }
    }
    return failure(LS_TR("Messages", "no Python here has torch; install it: %1"),
        {verbatim("python3 -m pip install torch --index-url https://download.pytorch.org/whl/cpu")});
}

} // namespace

QStringList rankVariables(std::size_t rank, std::size_t worldSize, int port)
{
    return {u"RANK=%1"_s.arg(rank), u"LOCAL_RANK=%1"_s.arg(rank), u"WORLD_SIZE=%1"_s.arg(worldSize),
        u"MASTER_ADDR=127.0.0.1"_s, u"MASTER_PORT=%1"_s.arg(port), u"GLOO_SOCKET_IFNAME=lo"_s, u"OMP_NUM_THREADS=1"_s,
        u"PYTHONUNBUFFERED=1"_s, u"PYTHONDONTWRITEBYTECODE=1"_s};
}

Result<std::vector<RankEnd>> runRanksHere(const TrialCommands& commands)
{
    const int port = freePort();
    std::vector<std::unique_ptr<LocalRank>> ranks;
    for (std::size_t i = 0; i < commands.ranks.size(); ++i) {
        ranks.push_back(std::make_unique<LocalRank>(commands.ranks[i], commands.folder,
            rankVariables(i, commands.ranks.size(), port), commands.folder + u"/rank-%1.log"_s.arg(i)));
        LOCKSTEP_TRY(ranks.back()->waitForStarted());
    }
    waitForAll(ranks, commands);
    std::vector<RankEnd> ends;
    std::ranges::transform(ranks, std::back_inserter(ends), [](const auto& rank) { return rank->theEnd(); });
    return ends;
}

Result<QString> pythonWithTorch(const std::atomic_bool* cancelled)
{
    static QMutex mutex;
    static std::optional<QString> found;
    const QMutexLocker locker(&mutex);
    if (!found) {
        LOCKSTEP_TRY_ASSIGN(found, findPythonWithTorch(cancelled)); // looked for again once it is installed
    }
    return *found;
}

Result<Trial> runTrial(const Exercise& exercise, const TrialTask& task, const QByteArray& code, const QString& name,
    const TrialOptions& options)
{
    QString python = options.python;
    if (python.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(python, pythonWithTorch(options.cancelled));
    }
    const QTemporaryDir folder;
    if (!folder.isValid()) {
        return failure(LS_TR("Messages", "%1 cannot be written: %2"),
            {verbatim(QDir::tempPath().toStdString()), verbatim(folder.errorString().toStdString())});
    }
    const QString file = QFileInfo(name).fileName();
    LOCKSTEP_TRY(fillFolder(folder.path(), task, code, file));
    TrialCommands commands{folder.path(), {}, task.limit, options.cancelled};
    const QStringList command{python, QString::fromUtf8(exercise.runner.data(), qsizetype(exercise.runner.size())),
        QLatin1StringView(CodeFolder) + u'/' + file};
    commands.ranks.assign(static_cast<std::size_t>(task.ranks), command);
    QElapsedTimer clock;
    clock.start();
    LOCKSTEP_TRY_ASSIGN(const auto ends, options.run(commands));
    Trial trial{{}, std::chrono::milliseconds(clock.elapsed())};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i].how == TrialEnd::Cancelled) {
            return wasCancelled();
        }
        trial.ranks.push_back(rankTrial(folder.path(), i, ends[i]));
    }
    return trial;
}

Result<CodeVerdict> checkCode(
    const Step& step, const QByteArray& code, const QString& name, const TrialOptions& options)
{
    const auto* content = step.as<CodeStep>();
    const Exercise* exercise = content == nullptr ? nullptr : exerciseOf(*content);
    if (exercise == nullptr) {
        return failure(LS_TR("Messages", "the step %1 has no check of code"), {verbatim(step.id)});
    }
    if (code.size() > LargestCode) {
        return failure(LS_TR("Messages", "%1 has more than %2 bytes"), {verbatim(name.toStdString()), LargestCode});
    }
    const Json check = carefulJson(content->check);
    LOCKSTEP_TRY_ASSIGN(const auto tasks, exercise->tasks(check));
    std::vector<Trial> trials;
    CodeVerdict verdict;
    for (const TrialTask& task : tasks) {
        LOCKSTEP_TRY_ASSIGN(auto trial, runTrial(*exercise, task, code, name, options));
        trials.push_back(std::move(trial));
        verdict = exercise->judge(check, tasks, trials);
        if (!verdict.isRight()) {
            break;
        }
    }
    return verdict;
}

} // namespace lockstep::laboratory
