// A compose file: one container for each rank.
#include "launch/jobs/job_files.h"

#include <fmt/format.h>

namespace lockstep::launch {

Result<std::vector<JobFile>> writeCompose(const Job& job)
{
    std::string text
        = fmt::format("# docker compose up: the runs of {} one after the other, a container for each rank.\n"
                      "name: lockstep-{}\n"
                      "x-rank: &rank\n"
                      "  image: ${{LOCKSTEP_IMAGE:-lockstep-rank}}\n"
                      "  volumes:\n"
                      "    - .:/job\n"
                      "  environment:\n"
                      "    LOCKSTEP_SECRET_FILE: /run/secrets/lockstep\n"
                      "  secrets:\n"
                      "    - lockstep\n"
                      "services:\n",
            job.name, job.name);
    for (std::int32_t rank = 0; rank < job.mostRanks(); ++rank) {
        text += fmt::format("  rank{0}:\n"
                            "    <<: *rank\n"
                            "    hostname: rank{0}\n"
                            "    entrypoint: [\"sh\", \"/job/rank.sh\", \"{0}\", \"rank0\"]\n",
            rank);
    }
    text += "secrets:\n"
            "  lockstep:\n"
            "    file: ./secret\n";
    std::vector<JobFile> files = commonFiles(job);
    files.push_back(rankScript(job));
    files.push_back({"compose.yaml", text});
    return files;
}

} // namespace lockstep::launch
