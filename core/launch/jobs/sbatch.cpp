// A batch script for Slurm: each run is a step.
#include "experiment/command_of.h"
#include "launch/jobs/job_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::launch {

Result<std::vector<JobFile>> writeSbatch(const Job& job)
{
    std::string text = "#!/bin/sh\n";
    text += fmt::format("#SBATCH --job-name=lockstep-{}\n#SBATCH --ntasks={}\n#SBATCH --cpus-per-task={}\n", job.name,
        job.mostRanks(), job.mostThreads());
    if (!job.hosts.empty()) {
        LOCKSTEP_TRY(rendezvous::hostsOfRanks(job.hosts, job.mostRanks()));
        std::vector<std::string> names;
        for (const rendezvous::Host& host : job.hosts) {
            names.push_back(host.name.substr(host.name.find('@') + 1));
        }
        text += fmt::format("#SBATCH --nodelist={}\n", fmt::join(names, ","));
    }
    text += "#SBATCH --output=%x-%j.log\n"
            "# Slurm copies this script elsewhere: submit it in its folder, which all nodes share.\n"
            "set -u\n"
            "cd \"${SLURM_SUBMIT_DIR:-.}\" || exit 2\n"
            "program=${LOCKSTEP_RANK:-lockstep-rank}\n"
            "export LOCKSTEP_SECRET_FILE=\"$PWD/secret\"\n"
            "mkdir -p records || exit 2\n"
            "status=0\n";
    for (const JobRun& run : job.runs) {
        text += fmt::format("srun --ntasks={} --cpus-per-task={} env OMP_NUM_THREADS={} OPENBLAS_NUM_THREADS={} "
                            "\"$program\" --spec {} --record {} || status=3\n",
            run.ranks, run.threads, run.threads, run.threads, experiment::shellQuoted(run.file),
            experiment::shellQuoted(run.record));
    }
    std::vector<JobFile> files = commonFiles(job);
    files.push_back({"job.sbatch", text + std::string(scriptEnd()), JobFile::Kind::Program});
    return files;
}

} // namespace lockstep::launch
