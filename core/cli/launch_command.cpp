// `lockstep launch`.
#include "base/text.h"
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/run/read_runs.h"
#include "cli/verbs.h"
#include "experiment/command_of.h"
#include "language/language.h"
#include "launch/jobs/job_files.h"
#include "launch/machine/host_file.h"
#include "launch/rank_environment.h"

#include <fmt/format.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::cli {

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
    HelpOption,
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

[[nodiscard]] Result<launch::JobRun> jobRun(const experiment::RunSpec& run, std::size_t number)
{
    if (const std::string& program = run.settings->rank.program; !program.empty()) {
        return refusal(nameOf(&experiment::RankSettings::program),
            LS_TR("Messages", "lockstep launch starts lockstep-rank only, not `%1`"), {verbatim(program)});
    }
    LOCKSTEP_TRY_ASSIGN(const std::int32_t ranks, experiment::worldSizeOf(run));
    const std::string name = fmt::format(
        "{:02}-{}{}", number, plainName(run.name), run.repeat > 0 ? fmt::format("-{}", run.repeat + 1) : std::string());
    return launch::JobRun{.file = "runs/" + name + ".json",
        .record = "records/" + name,
        .ranks = ranks,
        .threads = static_cast<std::int32_t>(std::max<std::int64_t>(1, run.settings->rank.threads)),
        .spec = experiment::toJson(run) + "\n"};
}

[[nodiscard]] Result<launch::Job> jobOf(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
    launch::Job job{.name = plainName(runs.front().experiment),
        .runs = {},
        .hosts = {},
        .secret = wire::toHex(launch::makeSecret())};
    for (const experiment::RunSpec& run : runs) {
        LOCKSTEP_TRY_ASSIGN(launch::JobRun made, jobRun(run, job.runs.size() + 1));
        job.runs.push_back(std::move(made));
    }
    if (const QString file = arguments.value(u"--hosts"_s); !file.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(job.hosts, launch::readHosts(file));
    }
    return job;
}

[[nodiscard]] Result<void> write(const QString& folder, const launch::JobFile& file)
{
    const QString path = QDir(folder).filePath(QString::fromStdString(file.path));
    QFile out(path);
    const auto mode = QFile::ReadOwner | QFile::WriteOwner
        | (file.kind == launch::JobFile::Kind::Program ? QFile::ExeOwner : QFile::Permissions());
    // The mode is the file's from its beginning: a secret is never readable by others.
    const bool isWritten = QDir().mkpath(QFileInfo(path).path())
        && out.open(QIODevice::WriteOnly | QIODevice::NewOnly, mode) && out.setPermissions(mode)
        && out.write(QByteArray::fromStdString(file.text)) >= 0 && out.flush();
    return isWritten ? Result<void>()
                     : failure(LS_TR("Messages", "%1: cannot be written: %2"),
                         {verbatim(path.toStdString()), verbatim(out.errorString().toStdString())});
}

[[nodiscard]] Result<void> writeAll(const QString& folder, const std::vector<launch::JobFile>& files)
{
    const QDir directory(folder);
    if (directory.exists() && !directory.isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
        return refusal(
            "--out", LS_TR("Refusals", "%1 is not empty: name another folder"), {verbatim(folder.toStdString())});
    }
    for (const launch::JobFile& file : files) {
        LOCKSTEP_TRY(write(folder, file));
    }
    return {};
}

/// What a hosts' file says and the launcher cannot carry out is refused.
[[nodiscard]] Result<void> checkHosts(const launch::Job& job, const std::string& launcher)
{
    if (!job.hosts.empty() && (launcher == "compose" || launcher == "kubernetes")) {
        return refusal("--hosts", LS_TR("Refusals", "%1 chooses the hosts itself: leave it out"), {verbatim(launcher)});
    }
    for (const rendezvous::Host& host : job.hosts) {
        if (!host.program.empty()) {
            return refusal("--hosts",
                LS_TR("Refusals", "program=%1 of %2 has no effect here: set LOCKSTEP_RANK on that host"),
                {verbatim(host.program), verbatim(host.name)});
        }
    }
    return {};
}

[[nodiscard]] Result<std::string> writeJob(const Arguments& arguments)
{
    const std::string chosen = arguments.value(u"--as"_s).toStdString();
    const launch::JobWriter* writer = launch::jobWriterOf(chosen);
    if (writer == nullptr) {
        return refusal("--as", LS_TR("Refusals", "\"%1\" is not one of %2"),
            {verbatim(chosen), verbatim(listed(launch::jobWriters(), &launch::JobWriter::name))});
    }
    const QString folder = arguments.value(u"--out"_s);
    LOCKSTEP_TRY_ASSIGN(const launch::Job job, jobOf(arguments));
    LOCKSTEP_TRY(checkHosts(job, chosen));
    LOCKSTEP_TRY_ASSIGN(const auto files, writer->write(job));
    LOCKSTEP_TRY(writeAll(folder, files));
    const std::string path = experiment::shellQuoted(QFileInfo(folder).absoluteFilePath().toStdString());
    return filled(writer->command, std::array{path}) + "\n";
}

} // namespace

int launchCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("launch", words, LaunchOptions,
        LS_TR("CommandLine",
            "lockstep launch PRESET|SPEC.json --as LAUNCHER --out DIR: writes the files by which another launcher "
            "starts the runs, and prints its command; afterwards, lockstep import DIR/records/NAME"),
        [](const Arguments& arguments) -> Result<int> {
            if (arguments.positional().size() != 1) {
                return failure(LS_TR("Messages",
                    "launch: needs one preset or spec file, for example: lockstep launch aggregation --as sbatch --out "
                    "job"));
            }
            for (const QString& needed : {u"--as"_s, u"--out"_s}) {
                if (arguments.value(needed).isEmpty()) {
                    return failure(LS_TR("Messages", "launch: needs %1; see lockstep launch --help"),
                        {verbatim(needed.toStdString())});
                }
            }
            LOCKSTEP_TRY_ASSIGN(const auto written, writeJob(arguments));
            return printOrFail(written);
        });
}

} // namespace lockstep::cli
