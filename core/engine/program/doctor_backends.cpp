#include "engine/program/doctor_backends.h"

#include "engine/comm/known_answer.h"
#include "engine/comm/mpi/mpi_communicator.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/parallel/gloo_communicator.h"
#include "engine/parallel/rank_context.h"
#include "engine/program/process.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lockstep::engine {

namespace {

using comm::Collective;
using comm::DataType;
using comm::Reduction;

constexpr int Ranks = 2;
constexpr std::int64_t Elements = 100;
constexpr std::array Collectives{Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather,
    Collective::AllGather, Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll, Collective::Barrier,
    Collective::SendReceive};

using Join = std::function<Result<std::unique_ptr<comm::Communicator>>(int rank)>;

/// One call of one rank; gives how many elements are wrong.
Result<std::int64_t> tryOne(comm::Communicator& group, Collective what, DataType type, Reduction reduction)
{
    const bool takesWhole
        = what == Collective::Scatter || what == Collective::ReduceScatter || what == Collective::AllToAll;
    const bool givesWhole = what == Collective::Gather || what == Collective::AllGather || what == Collective::AllToAll;
    const std::int64_t in = what == Collective::Barrier ? 0 : takesWhole ? Elements * Ranks : Elements;
    const std::int64_t out = what == Collective::Barrier ? 0 : givesWhole ? Elements * Ranks : Elements;
    std::vector<std::byte> from(static_cast<std::size_t>(in) * comm::sizeOf(type) + 1);
    std::vector<std::byte> to(static_cast<std::size_t>(out) * comm::sizeOf(type) + 1);
    const comm::KnownAnswer answer(type, reduction, Ranks);
    const comm::View given{from.data(), in, type};
    answer.fill(given, group.rank());
    comm::Operation op{.what = what, .in = given, .out = {to.data(), out, type}, .reduction = reduction};
    if (what == Collective::SendReceive) {
        op.to = op.from = 1 - group.rank();
    }
    if (auto done = group.run(op); !done) {
        return done.error();
    }
    return answer.countWrong(op, group.rank());
}

struct Trial {
    int tried = 0;
    std::string error;
};

Trial tryAll(comm::Communicator& group, Collective what)
{
    Trial trial;
    for (const DataType type : comm::DataTypes) {
        for (const Reduction reduction : comm::Reductions) {
            if (!comm::isDefined(reduction, type) || (!isReducing(what) && reduction != Reduction::Sum)) {
                continue;
            }
            const auto wrong = tryOne(group, what, type, reduction);
            ++trial.tried;
            if (!wrong || *wrong != 0) {
                trial.error = std::string(comm::nameOf(type)) + " " + std::string(comm::nameOf(reduction)) + ": "
                    + (wrong ? std::to_string(*wrong) + " wrong elements" : wrong.error().message);
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

nlohmann::json entriesOf(const std::string& backend, const std::array<std::vector<Trial>, Ranks>& trials)
{
    auto entries = nlohmann::json::array();
    for (std::size_t i = 0; i < Collectives.size(); ++i) {
        const Trial& trial = trials[0][i].error.empty() ? trials[1][i] : trials[0][i];
        entries.push_back({{"backend", backend}, {"device", "cpu"}, {"collective", std::string(nameOf(Collectives[i]))},
            {"how", howOf(backend, Collectives[i])}, {"works", trial.error.empty()}, {"tried", trial.tried},
            {"error", trial.error}});
    }
    return entries;
}

nlohmann::json triedBackend(const std::string& backend, const Join& join)
{
    std::array<std::vector<Trial>, Ranks> trials;
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < Ranks; ++rank) {
            threads.emplace_back([&, rank] {
                auto& mine = trials[static_cast<std::size_t>(rank)];
                auto group = join(rank);
                for (const Collective what : Collectives) {
                    mine.push_back(group ? tryAll(**group, what) : Trial{0, group.error().message});
                }
            });
        }
    }
    return entriesOf(backend, trials);
}

#ifdef LOCKSTEP_HAS_MPI

/// What the two ranks have printed, each a line: [[tried, "error"], ...], in the order of Collectives.
nlohmann::json triedMpi()
{
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    // Ranks that hang are ended: nothing here takes a second.
    const std::string command = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 20 mpirun -n "
        + std::to_string(Ranks) + " --oversubscribe --bind-to none --mca btl self,vader \""
        + std::string(path.data(), static_cast<std::size_t>(std::max<ssize_t>(0, length)))
        + "\" --doctor-mpi 2>/dev/null";
    std::string output;
    if (FILE* pipe = popen(command.c_str(), "r")) {
        std::array<char, 4096> buffer{};
        for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
            output.append(buffer.data(), n);
        }
        pclose(pipe);
    }
    std::array<std::vector<Trial>, Ranks> trials;
    std::istringstream lines(output);
    std::size_t heard = 0;
    for (std::string line; heard < trials.size() && std::getline(lines, line);) {
        const auto told = nlohmann::json::parse(line, nullptr, false);
        if (told.is_array() && told.size() == Collectives.size()) {
            for (const auto& each : told) {
                trials[heard].push_back({each.at(0).get<int>(), each.at(1).get<std::string>()});
            }
            ++heard;
        }
    }
    for (; heard < trials.size(); ++heard) {
        trials[heard].assign(Collectives.size(), Trial{0, "mpirun could not start its ranks; install openmpi-bin"});
    }
    return entriesOf("mpi", trials);
}

#endif

} // namespace

nlohmann::json triedBackends()
{
    const auto region = comm::Region::create(Ranks);
    auto entries = triedBackend("shm", [&](int rank) -> Result<std::unique_ptr<comm::Communicator>> {
        if (!region) {
            return region.error();
        }
        return comm::joinRegion(fcntl((*region)->descriptor(), F_DUPFD_CLOEXEC, 0), rank, {});
    });
    const std::uint16_t port = freePort();
    const std::string name = "doctor-" + std::to_string(getpid());
    const auto gloo = triedBackend("gloo", [&](int rank) {
        return joinGloo({.name = name,
            .rank = rank,
            .size = Ranks,
            .port = port,
            .timeout = std::chrono::milliseconds(5000),
            .joinTimeout = std::chrono::milliseconds(5000)});
    });
    entries.insert(entries.end(), gloo.begin(), gloo.end());
#ifdef LOCKSTEP_HAS_MPI
    const auto mpi = triedMpi();
    entries.insert(entries.end(), mpi.begin(), mpi.end());
#endif
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

int tryMpiAsRank()
{
#ifdef LOCKSTEP_HAS_MPI
    const auto context = rankFromEnvironment();
    auto group = context ? comm::joinMpi({.name = "doctor-" + std::to_string(getppid()),
                     .rank = context->rank.number,
                     .size = context->worldSize,
                     .timeout = std::chrono::milliseconds(5000),
                     .joinTimeout = std::chrono::milliseconds(5000)})
                         : Result<std::unique_ptr<comm::Communicator>>(context.error());
    auto told = nlohmann::json::array();
    for (const Collective what : Collectives) {
        const Trial trial = group ? tryAll(**group, what) : Trial{0, group.error().message};
        told.push_back({trial.tried, trial.error});
    }
    std::puts(told.dump().c_str());
    return 0;
#else
    std::fputs("lockstep-rank: built without MPI\n", stderr);
    return 2;
#endif
}

} // namespace lockstep::engine
