// Files that start an experiment's runs by another launcher. Pure: what is to be copied is returned as text.
#pragma once

#include "base/result.h"
#include "rendezvous/host_list.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::launch {

struct JobRun {
    std::string file; ///< the spec, below the job's folder: runs/01-ring.json
    std::string record; ///< where its ranks write what they would have sent: records/01-ring
    std::int32_t ranks = 1;
    std::int32_t threads = 1; ///< of each rank
    std::string spec{}; ///< what is in `file`
};

/// Runs that are started one after the other.
struct Job {
    std::string name; ///< of the experiment, in lower-case letters, digits and dashes
    std::vector<JobRun> runs;
    std::vector<rendezvous::Host> hosts; ///< empty: the launcher chooses them, or it is one machine
    std::string secret; ///< what the ranks prove to each other, in hexadecimal digits

    [[nodiscard]] std::int32_t mostRanks() const { return most(&JobRun::ranks); }
    [[nodiscard]] std::int32_t mostThreads() const { return most(&JobRun::threads); }

private:
    [[nodiscard]] std::int32_t most(std::int32_t JobRun::*count) const;
};

struct JobFile {
    enum class Kind { Text, Program, Secret };

    std::string path; ///< below the job's folder
    std::string text;
    Kind kind = Kind::Text;
};

struct JobWriter {
    std::string_view name; ///< of `--as`
    /// How the files are used, as a command in their folder; %1 is the folder.
    std::string_view command;
    Result<std::vector<JobFile>> (*write)(const Job& job);
};

/// sbatch, mpirun, torchrun, compose and kubernetes.
[[nodiscard]] std::span<const JobWriter> jobWriters();
/// Null if there is none of this name.
[[nodiscard]] const JobWriter* jobWriterOf(std::string_view name);

/// The specs and the secret: what every job consists of.
[[nodiscard]] std::vector<JobFile> commonFiles(const Job& job);

// The launchers, one file each.
[[nodiscard]] Result<std::vector<JobFile>> writeSbatch(const Job& job);
[[nodiscard]] Result<std::vector<JobFile>> writeMpirun(const Job& job);
[[nodiscard]] Result<std::vector<JobFile>> writeTorchrun(const Job& job);
[[nodiscard]] Result<std::vector<JobFile>> writeCompose(const Job& job);
[[nodiscard]] Result<std::vector<JobFile>> writeKubernetes(const Job& job);

/// `rank.sh`: one rank's part in every run, for launchers that start each rank by its number.
[[nodiscard]] JobFile rankScript(const Job& job);
/// Begins a script in the job's folder: there the secret and the records are.
[[nodiscard]] std::string scriptHead(std::string_view purpose);
/// `run SPEC RECORD RANKS THREADS PORT` for each run: the ranks of one of `hosts`, and the first of its `ports`.
[[nodiscard]] std::string runLines(const Job& job, std::int32_t hosts = 1, int ports = 1);
/// Ends a script with the exit code of the worst run.
[[nodiscard]] std::string_view scriptEnd();
/// A scalar of YAML: text in quotation marks, as in JSON.
[[nodiscard]] std::string yamlQuoted(const std::string& text);

} // namespace lockstep::launch
