// A script for Open MPI's mpirun.
#include "experiment/command_of.h"
#include "launch/jobs/job_files.h"

#include <fmt/format.h>

namespace lockstep::launch {

Result<std::vector<JobFile>> writeMpirun(const Job& job)
{
    std::vector<JobFile> files = commonFiles(job);
    std::string text = scriptHead("Starts every run with Open MPI's mpirun, one after the other.");
    std::string hosts;
    if (!job.hosts.empty()) {
        LOCKSTEP_TRY(rendezvous::hostsOfRanks(job.hosts, job.mostRanks()));
        std::string list;
        for (const rendezvous::Host& host : job.hosts) {
            list += fmt::format("{} slots={}\n", host.name, host.slots);
        }
        files.push_back({"hosts", list});
        hosts = "--hostfile hosts ";
        const std::string& first = job.hosts.front().name;
        text += fmt::format("export MASTER_ADDR={}\n", experiment::shellQuoted(first.substr(first.find('@') + 1)));
    }
    text += fmt::format("run() {{ # SPEC RECORD RANKS THREADS PORT\n"
                        "    export OMP_NUM_THREADS=$4 OPENBLAS_NUM_THREADS=$4{}\n"
                        "    mpirun -n \"$3\" {}--oversubscribe --bind-to none -x LOCKSTEP_SECRET_FILE{} \\\n"
                        "        -x OMP_NUM_THREADS -x OPENBLAS_NUM_THREADS \"$program\" --spec \"$1\" --record "
                        "\"$records/$2\" || status=3\n"
                        "}}\n",
        hosts.empty() ? "" : " MASTER_PORT=$5", hosts, hosts.empty() ? "" : " -x MASTER_ADDR -x MASTER_PORT");
    files.push_back({"job.sh", text + runLines(job) + std::string(scriptEnd()), JobFile::Kind::Program});
    return files;
}

} // namespace lockstep::launch
