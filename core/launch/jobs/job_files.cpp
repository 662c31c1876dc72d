#include "launch/jobs/job_files.h"

#include "experiment/command_of.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace lockstep::launch {

namespace {

constexpr std::array Writers{
    JobWriter{"sbatch", "cd %1 && sbatch job.sbatch", &writeSbatch},
    JobWriter{"mpirun", "%1/job.sh", &writeMpirun},
    JobWriter{"torchrun", "%1/job.sh", &writeTorchrun},
    JobWriter{"compose", "docker compose --file %1/compose.yaml up", &writeCompose},
    JobWriter{"kubernetes", "kubectl apply --filename %1/secret.yaml --filename %1/job.yaml", &writeKubernetes},
};

} // namespace

std::int32_t Job::most(std::int32_t JobRun::*count) const
{
    std::int32_t most = 1;
    for (const JobRun& run : runs) {
        most = std::max(most, run.*count);
    }
    return most;
}

std::span<const JobWriter> jobWriters()
{
    return Writers;
}

const JobWriter* jobWriterOf(std::string_view name)
{
    const auto* found = std::ranges::find(Writers, name, &JobWriter::name);
    return found == Writers.end() ? nullptr : found;
}

std::vector<JobFile> commonFiles(const Job& job)
{
    std::vector<JobFile> files;
    for (const JobRun& run : job.runs) {
        files.push_back({run.file, run.spec});
    }
    files.push_back({"secret", job.secret + "\n", JobFile::Kind::Secret});
    return files;
}

JobFile rankScript(const Job& job)
{
    std::string text = scriptHead("sh rank.sh RANK HOST: this rank's part in every run; HOST is rank 0's");
    // A rank that has no part in a run waits for the next one at once, as long as the others train.
    text += "rank=$1\nhost=$2\nexport LOCKSTEP_MEET_SECONDS=${LOCKSTEP_MEET_SECONDS:-86400}\n"
            "run() { # SPEC RECORD RANKS THREADS PORT\n"
            "    [ \"$rank\" -lt \"$3\" ] || return 0\n"
            "    OMP_NUM_THREADS=$4 OPENBLAS_NUM_THREADS=$4 \"$program\" --spec \"$1\" --record \"$records/$2\" \\\n"
            "        --rank \"$rank\" --world-size \"$3\" --init-method \"tcp://$host:$5\" || status=3\n"
            "}\n";
    return {"rank.sh", text + runLines(job) + std::string(scriptEnd()), JobFile::Kind::Program};
}

std::string scriptHead(std::string_view purpose)
{
    return fmt::format("#!/bin/sh\n"
                       "# {}\n"
                       "set -u\n"
                       "cd \"$(dirname \"$0\")\" || exit 2\n"
                       "program=${{LOCKSTEP_RANK:-lockstep-rank}}\n"
                       "records=${{LOCKSTEP_RECORDS:-records}}\n"
                       "export LOCKSTEP_SECRET_FILE=\"${{LOCKSTEP_SECRET_FILE:-$PWD/secret}}\"\n"
                       "mkdir -p \"$records\" || exit 2\n"
                       "status=0\n",
        purpose);
}

std::string runLines(const Job& job, std::int32_t hosts, int ports)
{
    std::string text;
    int port = 29500;
    for (const JobRun& run : job.runs) {
        text += fmt::format("run {} {} {} {} {}\n", experiment::shellQuoted(run.file),
            experiment::shellQuoted(run.record.substr(run.record.find('/') + 1)), run.ranks / hosts, run.threads, port);
        port += ports;
    }
    return text;
}

std::string_view scriptEnd()
{
    return "exit $status\n";
}

std::string yamlQuoted(const std::string& text)
{
    return nlohmann::json(text).dump();
}

} // namespace lockstep::launch
