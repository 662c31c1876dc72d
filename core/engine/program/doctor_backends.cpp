#include "engine/program/doctor_backends.h"

#include "engine/comm/array_memory.h"
#include "engine/comm/expected_result.h"
#include "engine/comm/mpi/mpi_communicator.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/gpu/device_stream.h"
#include "engine/program/process.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/ranks/gloo_communicator.h"
#include "engine/ranks/rank_context.h"
#include "engine/ranks/rank_group.h"
#include "engine/ranks/this_machine.h"
#include "experiment/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

using comm::AllCollectives;
using comm::Collective;
using comm::DataType;
using comm::Reduction;
using comm::Space;

constexpr int Ranks = 2;
constexpr std::int64_t Elements = 100;
/// Both ranks report all collectives through one pipe, each with one write.
constexpr std::size_t LongestError = 250;

using Join = std::function<Result<std::unique_ptr<comm::Communicator>>(int rank)>;

/// One call of one rank on arrays in `space`; gives how many elements are wrong.
Result<std::int64_t> tryOne(comm::Communicator& group, Space space, Collective what, DataType type, Reduction reduction)
{
    const bool takesWhole
        = what == Collective::Scatter || what == Collective::ReduceScatter || what == Collective::AllToAll;
    const bool givesWhole = what == Collective::Gather || what == Collective::AllGather || what == Collective::AllToAll;
    const std::int64_t in = what == Collective::Barrier ? 0 : takesWhole ? Elements * Ranks : Elements;
    const std::int64_t out = what == Collective::Barrier ? 0 : givesWhole ? Elements * Ranks : Elements;
    constexpr std::size_t Most = Elements * Ranks * sizeof(std::int64_t);
    comm::Memory& memory = *group.memory(space);
    const auto from = memory.allocate(Most);
    const auto to = memory.allocate(Most);
    const auto onHost = memory.allocateLanding(Most);
    for (const auto* room : {&from, &to, &onHost}) {
        if (!*room) {
            return room->error();
        }
    }
    const comm::ExpectedResult answer(type, reduction, Ranks);
    answer.fill({onHost->get(), in, type}, group.rank());
    memory.copy(from->get(), onHost->get(), Most);
    comm::Operation op{.what = what,
        .in = {from->get(), in, type, space},
        .out = {to->get(), out, type, space},
        .reduction = reduction};
    if (what == Collective::SendReceive) {
        op.to = op.from = 1 - group.rank();
    }
    if (what == Collective::Broadcast && group.rank() == op.root) {
        memory.copy(to->get(), from->get(), Most);
    }
    auto done = group.run(op);
    memory.copy(onHost->get(), to->get(), Most);
    done = done ? group.finish() : done;
    if (!done) {
        return done.error();
    }
    op.out.data = onHost->get();
    op.out.space = Space::Host;
    return answer.countWrong(op, group.rank());
}

struct Trial {
    int tried = 0;
    std::string error;
};

Trial tryAll(comm::Communicator& group, Space space, Collective what)
{
    Trial trial;
    for (const DataType type : comm::DataTypes) {
        for (const Reduction reduction : comm::Reductions) {
            if (!comm::isDefined(reduction, type) || (!isReducing(what) && reduction != Reduction::Sum)) {
                continue;
            }
            const auto wrong = tryOne(group, space, what, type, reduction);
            ++trial.tried;
            if (!wrong || *wrong != 0) {
                trial.error = std::string(comm::nameOf(type)) + " " + std::string(comm::nameOf(reduction)) + ": "
                    + (wrong ? fmt::format("{} wrong elements", *wrong) : wrong.error().message);
                return trial; // after an error the group is of no further use
            }
        }
    }
    return trial;
}

std::string_view howIt(const std::string& backend, Collective what, DataType type)
{
#ifdef LOCKSTEP_HAS_MPI
    if (backend == "mpi") {
        return comm::howMpiDoes(what, type);
    }
#endif
    return backend == "gloo" ? howGlooDoes(what, type) : "native";
}

nlohmann::json howOf(const std::string& backend, Collective what)
{
    nlohmann::json how = nlohmann::json::object();
    for (const DataType type : comm::DataTypes) {
        const std::string way(howIt(backend, what, type));
        how[way].push_back(std::string(comm::nameOf(type)));
    }
    return how;
}

using Trials = std::array<std::vector<Trial>, Ranks>;

nlohmann::json entriesOf(const std::string& backend, const std::string& device, const Trials& trials)
{
    auto entries = nlohmann::json::array();
    for (std::size_t i = 0; i < comm::CollectiveCount; ++i) {
        const Trial& trial = trials[0][i].error.empty() ? trials[1][i] : trials[0][i];
        entries.push_back({{"backend", backend}, {"device", device},
            {"collective", std::string(nameOf(AllCollectives[i]))}, {"how", howOf(backend, AllCollectives[i])},
            {"works", trial.error.empty()}, {"tried", trial.tried}, {"error", trial.error}});
    }
    return entries;
}

nlohmann::json triedBackend(const std::string& backend, const Join& join)
{
    Trials trials;
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < Ranks; ++rank) {
            threads.emplace_back([&, rank] {
                auto& mine = trials[static_cast<std::size_t>(rank)];
                auto group = join(rank);
                for (const Collective what : AllCollectives) {
                    mine.push_back(group ? tryAll(**group, Space::Host, what) : Trial{0, group.error().message});
                }
            });
        }
    }
    return entriesOf(backend, "cpu", trials);
}

/// Two ranks as separate processes, which may start while others still run.
class RankPair {
public:
    RankPair(const std::string& launch, std::string backend, std::string device)
        : m_backend(std::move(backend))
        , m_device(std::move(device))
    {
        std::array<char, 4096> path{};
        const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
        const std::string program(path.data(), static_cast<std::size_t>(std::max<ssize_t>(0, length)));
        std::string command = launch;
        const std::string rank = "\"" + program + "\" --doctor-ranks " + m_backend + ":" + m_device + " 2>/dev/null";
        command.replace(command.find("RANK_COMMAND"), std::strlen("RANK_COMMAND"), rank);
        m_pipe = popen(command.c_str(), "r");
    }
    RankPair(RankPair&& other) noexcept
        : m_backend(std::move(other.m_backend))
        , m_device(std::move(other.m_device))
        , m_pipe(std::exchange(other.m_pipe, nullptr))
    { }
    RankPair(const RankPair&) = delete;
    RankPair& operator=(const RankPair&) = delete;
    RankPair& operator=(RankPair&&) = delete;
    ~RankPair()
    {
        if (m_pipe != nullptr) {
            pclose(m_pipe);
        }
    }

    /// Their output, one line each: [[tried, "error"], ...], in the order of AllCollectives. Waits for them.
    [[nodiscard]] nlohmann::json entries()
    {
        const std::string unheard = m_backend == "mpi" ? "mpirun could not start its ranks; install openmpi-bin"
                                                       : "its ranks ended without a message";
        std::string output;
        std::array<char, 4096> buffer{};
        for (std::size_t n = 0; m_pipe != nullptr && (n = fread(buffer.data(), 1, buffer.size(), m_pipe)) > 0;) {
            output.append(buffer.data(), n);
        }
        Trials trials;
        std::istringstream lines(output);
        std::size_t heard = 0;
        for (std::string line; heard < trials.size() && std::getline(lines, line);) {
            const auto told = nlohmann::json::parse(line, nullptr, false);
            if (told.is_array() && told.size() == comm::CollectiveCount) {
                for (const auto& each : told) {
                    trials[heard].push_back({each.at(0).get<int>(), each.at(1).get<std::string>()});
                }
                ++heard;
            }
        }
        for (; heard < trials.size(); ++heard) {
            trials[heard].assign(comm::CollectiveCount, Trial{0, unheard});
        }
        return entriesOf(m_backend, m_device, trials);
    }

private:
    std::string m_backend;
    std::string m_device;
    FILE* m_pipe = nullptr;
};

/// Ends ranks that hang before the caller of the doctor gives up: a GPU is opened in a few seconds.
std::string launchByShell(const std::string& name)
{
    return fmt::format("for rank in 0 1; do RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 "
                       "MASTER_PORT={} LOCKSTEP_RUN={} TORCHELASTIC_RUN_ID=doctor timeout 25 RANK_COMMAND & done; wait",
        freePort(), name);
}

#ifdef LOCKSTEP_HAS_MPI
std::string launchByMpi(const std::string& name)
{
    return "LOCKSTEP_RUN=" + name
        + " OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_psec=native timeout 20 mpirun -n 2 "
          "--oversubscribe --bind-to none --mca btl self,vader RANK_COMMAND";
}
#endif

/// As in a run: placed, on its device, over its backend.
std::vector<Trial> trialsAsRank(const std::string& backend, const std::string& device)
{
    const auto refused = [](const std::string& why) {
        return std::vector<Trial>(comm::CollectiveCount, Trial{0, why});
    };
    const auto context = rankFromEnvironment();
    const auto runs = experiment::expand(*experiment::preset("collectives"));
    if (!context || !runs) {
        return refused(!context ? context.error().message : runs.error().message);
    }
    experiment::RunSpec run = runs->front();
    run.settings.set(&experiment::RankSettings::worldSize, Ranks);
    run.settings.set(nameOf(&experiment::CommSettings::backend), backend);
    // One GPU each, if there are enough.
    run.settings.set(&experiment::RankSettings::device, device == "cpu" ? device : "auto");
    run.settings.set(&experiment::CommSettings::timeoutSeconds, 10.0);
    const auto placement = placeHere(run);
    const auto opened = placement ? openDevice(*placement, *context) : Result<torch::Device>(placement.error());
    if (!opened) {
        return refused(opened.error().message);
    }
    const DeviceStream stream(*opened);
    const auto group = joinRanks(run, *context, *placement);
    if (!group) {
        return refused(group.error().message);
    }
    const Space space = opened->is_cpu() ? Space::Host : Space::Device;
    std::vector<Trial> trials;
    for (const Collective what : AllCollectives) {
        trials.push_back(tryAll(*(*group)->communicator, space, what));
    }
    return trials;
}

} // namespace

nlohmann::json triedBackends(int gpus)
{
    const std::string name = fmt::format("doctor-{}", getpid());
    std::vector<RankPair> pairs;
#ifdef LOCKSTEP_HAS_MPI
    pairs.emplace_back(launchByMpi(name + "mpi"), "mpi", "cpu");
#endif
    for (const char* backend : {"shm", "gloo"}) {
        if (gpus > 0) {
            pairs.emplace_back(launchByShell(name + backend), backend, "cuda");
        }
    }
    if (gpus > 1 && thisMachine().nccl != 0) { // NCCL needs one GPU each
        pairs.emplace_back(launchByShell(name + "nccl"), "nccl", "cuda");
    }
    const auto region = comm::Region::makeFile(Ranks);
    auto entries
        = triedBackend("shm", [&](int rank) { return region ? comm::joinRegion(*region, rank, {}) : region.error(); });
    const auto gloo = triedBackend("gloo", [&](int rank) {
        return joinGloo({.name = name,
            .rank = rank,
            .size = Ranks,
            .timeout = std::chrono::milliseconds(5000),
            .joinTimeout = std::chrono::milliseconds(5000)});
    });
    entries.insert(entries.end(), gloo.begin(), gloo.end());
    for (RankPair& pair : pairs) {
        const auto told = pair.entries();
        entries.insert(entries.end(), told.begin(), told.end());
    }
    return entries;
}

bool canUseMpi()
{
#ifdef LOCKSTEP_HAS_MPI
    return true;
#else
    return false;
#endif
}

int tryBackendAsRank(const std::string& backendAndDevice)
{
    const auto colon = backendAndDevice.find(':');
    auto told = nlohmann::json::array();
    for (const Trial& trial : trialsAsRank(backendAndDevice.substr(0, colon),
             colon == std::string::npos ? "cpu" : backendAndDevice.substr(colon + 1))) {
        told.push_back({trial.tried, trial.error.substr(0, LongestError)});
    }
    std::puts(told.dump().c_str());
    return 0;
}

} // namespace lockstep::engine
