// A script for torchrun, which starts the same number of ranks on each host.
#include "experiment/command_of.h"
#include "launch/jobs/job_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::launch {

Result<std::vector<JobFile>> writeTorchrun(const Job& job)
{
    const auto hosts = static_cast<std::int32_t>(std::max<std::size_t>(1, job.hosts.size()));
    for (const JobRun& run : job.runs) {
        if (run.ranks % hosts != 0) {
            return failure(LS_TR("Messages",
                               "torchrun starts the same number of ranks on each host: %1 ranks are not a multiple of "
                               "%2 hosts (%3)"),
                {run.ranks, hosts, verbatim(run.file)});
        }
    }
    const std::string usage = hosts == 1
        ? "Starts every run with torchrun, one after the other."
        : fmt::format("sh job.sh NODE_RANK, on each host at the same time, NODE_RANK from 0 to {}", hosts - 1);
    std::string text = scriptHead(usage);
    std::string nodes = "--standalone --nnodes=1";
    if (hosts > 1) {
        const std::string& first = job.hosts.front().name;
        nodes = fmt::format("--nnodes={} --node-rank=\"$node\" --master-addr={} --master-port=\"$5\"", hosts,
            experiment::shellQuoted(first.substr(first.find('@') + 1)));
        text += "node=$1\n";
    }
    text += fmt::format("run() {{ # SPEC RECORD RANKS_OF_A_HOST THREADS PORT\n"
                        "    OMP_NUM_THREADS=$4 OPENBLAS_NUM_THREADS=$4 torchrun {} \\\n"
                        "        --nproc-per-node=\"$3\" --no-python \"$program\" --spec \"$1\" --record "
                        "\"$records/$2\" || status=3\n"
                        "}}\n",
        nodes);
    constexpr int PortsOfARun = 2; // the second is the ranks' own
    std::vector<JobFile> files = commonFiles(job);
    files.push_back(
        {"job.sh", text + runLines(job, hosts, PortsOfARun) + std::string(scriptEnd()), JobFile::Kind::Program});
    return files;
}

} // namespace lockstep::launch
