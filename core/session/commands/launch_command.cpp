// `lockstep launch`.
#include "base/text.h"
#include "base/translate.h"
#include "experiment/command_of.h"
#include "session/commands/arguments.h"
#include "session/commands/host_file.h"
#include "session/commands/read_runs.h"
#include "session/commands/verbs.h"
#include "session/language.h"
#include "session/launch/jobs/job.h"
#include "session/launch/rank_environment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array LaunchOptions{
    Option{"--as", "LAUNCHER", LS_TR("CommandLine", "sbatch, mpirun, torchrun, compose or kubernetes")},
    Option{"--out", "DIR", LS_TR("CommandLine", "the folder to write the files to; it must be empty or not exist yet")},
    Option{"--hosts", "FILE",
        LS_TR("CommandLine", "the hosts, one per line: NAME slots=N; by default the launcher chooses")},
    Option{"--only", "NAME[,NAME]", LS_TR("CommandLine", "only these variants")},
    Option{"--set", "KEY=VALUE", LS_TR("CommandLine", "sets a parameter; may be repeated")},
    Option{"--trust", "", LS_TR("CommandLine", "uses the folders that a spec file names; needed only once for each")},
    Option{"--help", "", LS_TR("CommandLine", "this text")},
};

/// Lower-case letters, digits and dashes: what Kubernetes takes as a name.
[[nodiscard]] std::string plainName(const std::string& text)
{
    std::string name;
    for (const char c : text) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const bool isUpper = c >= 'A' && c <= 'Z';
        name += isPlain ? c : isUpper ? static_cast<char>(c - 'A' + 'a') : '-';
    }
    constexpr std::size_t Longest = 40;
    const auto begin = std::min(name.find_first_not_of('-'), name.size());
    name = name.substr(begin, Longest);
    name.resize(name.find_last_not_of('-') + 1);
    return name.empty() ? "run" : name;
}

[[nodiscard]] Result<JobRun> jobRun(const experiment::RunSpec& run, std::size_t number)
{
    if (const std::string& program = run.text("rank.program"); !program.empty()) {
        return Error{fmt::format("rank.program: lockstep launch starts lockstep-rank only, not `{}`", program)};
    }
    LOCKSTEP_TRY_ASSIGN(const std::int32_t ranks, experiment::worldSizeOf(run));
    const std::string name = fmt::format(
        "{:02}-{}{}", number, plainName(run.name), run.repeat > 0 ? fmt::format("-{}", run.repeat + 1) : std::string());
    return JobRun{.file = "runs/" + name + ".json",
        .record = "records/" + name,
        .ranks = ranks,
        .threads = static_cast<std::int32_t>(std::max<std::int64_t>(1, run.integer("rank.threads"))),
        .spec = experiment::toJson(run) + "\n"};
}

[[nodiscard]] Result<Job> jobOf(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
    Job job{.name = plainName(runs.front().experiment), .runs = {}, .hosts = {}, .secret = wire::toHex(makeSecret())};
    for (const experiment::RunSpec& run : runs) {
        LOCKSTEP_TRY_ASSIGN(JobRun made, jobRun(run, job.runs.size() + 1));
        job.runs.push_back(std::move(made));
    }
    if (const QString file = arguments.value(u"--hosts"_s); !file.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(job.hosts, readHosts(file));
    }
    return job;
}

[[nodiscard]] Result<void> write(const QString& folder, const JobFile& file)
{
    const QString path = QDir(folder).filePath(QString::fromStdString(file.path));
    QFile out(path);
    const auto mode = file.kind == JobFile::Kind::Secret
        ? QFile::ReadOwner | QFile::WriteOwner
        : QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther
            | (file.kind == JobFile::Kind::Program ? QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther
                                                   : QFile::Permissions());
    // The mode is the file's from its beginning: a secret is never readable by others.
    const bool isWritten = QDir().mkpath(QFileInfo(path).path())
        && out.open(QIODevice::WriteOnly | QIODevice::NewOnly, mode) && out.setPermissions(mode)
        && out.write(QByteArray::fromStdString(file.text)) >= 0 && out.flush();
    return isWritten ? Result<void>()
                     : Error{path.toStdString() + ": cannot be written: " + out.errorString().toStdString()};
}

[[nodiscard]] Result<void> writeAll(const QString& folder, const std::vector<JobFile>& files)
{
    const QDir directory(folder);
    if (directory.exists() && !directory.isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
        return refusal("--out", LS_TR("Refusals", "%1 is not empty: name another folder"), {folder.toStdString()});
    }
    for (const JobFile& file : files) {
        LOCKSTEP_TRY(write(folder, file));
    }
    return {};
}

[[nodiscard]] std::string writerNames()
{
    std::vector<std::string_view> names;
    for (const JobWriter& writer : jobWriters()) {
        names.push_back(writer.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// What a hosts' file says and the launcher cannot carry out is refused.
[[nodiscard]] Result<void> checkHosts(const Job& job, const std::string& launcher)
{
    if (!job.hosts.empty() && (launcher == "compose" || launcher == "kubernetes")) {
        return refusal("--hosts", LS_TR("Refusals", "%1 chooses the hosts itself: leave it out"), {launcher});
    }
    for (const rendezvous::Host& host : job.hosts) {
        if (!host.program.empty()) {
            return refusal("--hosts",
                LS_TR("Refusals", "program=%1 of %2 has no effect here: set LOCKSTEP_RANK on that host"),
                {host.program, host.name});
        }
    }
    return {};
}

[[nodiscard]] Result<std::string> writeJob(const Arguments& arguments)
{
    const std::string chosen = arguments.value(u"--as"_s).toStdString();
    const JobWriter* writer = jobWriterOf(chosen);
    if (writer == nullptr) {
        return refusal("--as", LS_TR("Refusals", "\"%1\" is not one of %2"), {chosen, writerNames()});
    }
    const QString folder = arguments.value(u"--out"_s);
    LOCKSTEP_TRY_ASSIGN(const Job job, jobOf(arguments));
    LOCKSTEP_TRY(checkHosts(job, chosen));
    LOCKSTEP_TRY_ASSIGN(const auto files, writer->write(job));
    LOCKSTEP_TRY(writeAll(folder, files));
    const std::string path = experiment::shellQuoted(QFileInfo(folder).absoluteFilePath().toStdString());
    return filled(writer->command, std::array{path}) + "\n";
}

} // namespace

int launchCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, LaunchOptions);
    if (!arguments) {
        return refuse(during("launch", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(told(LS_TR("CommandLine",
                               "lockstep launch PRESET|SPEC.json --as LAUNCHER --out DIR: writes the files by which "
                               "another launcher starts the runs, and prints its command; afterwards, lockstep import "
                               "DIR/records/NAME"))
            + "\n\n" + helpOf(LaunchOptions));
    }
    if (arguments->positional().size() != 1) {
        return refuse({"launch: needs one preset or spec file, for example: lockstep launch aggregation --as sbatch "
                       "--out job"});
    }
    for (const QString& needed : {u"--as"_s, u"--out"_s}) {
        if (arguments->value(needed).isEmpty()) {
            return refuse({"launch: needs " + needed.toStdString() + "; see lockstep launch --help"});
        }
    }
    const auto written = writeJob(*arguments);
    return written ? printOrFail(*written) : refuse(written.error());
}

} // namespace lockstep::session
