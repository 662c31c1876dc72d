#include "rendezvous/launcher.h"

#include "rendezvous/node_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <span>
#include <vector>

namespace lockstep::rendezvous {

namespace {

constexpr std::int32_t MostRanks = 1 << 16;

/// The variables of a launcher; of several names the first that is set counts.
struct VariableNames {
    Launcher launcher;
    std::string_view what;
    const char* rank;
    std::array<const char*, 2> size;
    const char* localRank;
    const char* localSize;
    std::array<const char*, 2> hosts;
};

constexpr std::array Launchers{
    VariableNames{Launcher::Torchrun, "environment", "RANK", {"WORLD_SIZE", ""}, "LOCAL_RANK", "LOCAL_WORLD_SIZE",
        {"GROUP_WORLD_SIZE", ""}},
    VariableNames{Launcher::Srun, "srun", "SLURM_PROCID", {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}, "SLURM_LOCALID", "",
        {"SLURM_STEP_NUM_NODES", "SLURM_NNODES"}},
    VariableNames{Launcher::OpenMpi, "Open MPI", "OMPI_COMM_WORLD_RANK", {"OMPI_COMM_WORLD_SIZE", ""},
        "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", {"", ""}},
    VariableNames{
        Launcher::Mpich, "MPICH", "PMI_RANK", {"PMI_SIZE", ""}, "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {"", ""}},
};

/// What one launcher says.
struct Told {
    Launcher launcher = Launcher::None;
    std::string rankFrom{};
    std::string sizeFrom{};
    std::optional<std::int32_t> rank{};
    std::optional<std::int32_t> size{};
    std::optional<std::int32_t> localRank{};
    std::optional<std::int32_t> localSize{};
    std::optional<std::int32_t> hosts{};

    [[nodiscard]] bool isComplete() const { return rank && size; }
    [[nodiscard]] bool agreesWith(const Told& other) const
    {
        return (!size || !other.size || *size == *other.size) && (!rank || !other.rank || *rank == *other.rank);
    }
};

/// An unset variable gives nothing.
Result<std::optional<std::int32_t>> numberIn(
    const Variables& variables, const std::string& name, std::int32_t lowest, std::int32_t end)
{
    const std::string text = valueOf(variables, name);
    if (text.empty()) {
        return std::optional<std::int32_t>();
    }
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || rest != text.data() + text.size() || number < lowest || number >= end) {
        return failure(LS_TR("Messages", "%1: `%2` is not an integer of at least %3 and less than %4"),
            {verbatim(name), verbatim(text), lowest, end});
    }
    return std::optional(number);
}

std::string firstSet(const Variables& variables, std::span<const char* const> names)
{
    for (const char* name : names) {
        if (variables.contains(name)) {
            return name;
        }
    }
    return names.front();
}

Result<Told> readVariables(const Variables& variables, const VariableNames& names)
{
    Told told{.launcher = names.launcher, .rankFrom = names.rank, .sizeFrom = firstSet(variables, names.size)};
    LOCKSTEP_TRY_ASSIGN(told.size, numberIn(variables, told.sizeFrom, 1, MostRanks));
    const std::int32_t end = told.size.value_or(MostRanks);
    LOCKSTEP_TRY_ASSIGN(told.rank, numberIn(variables, names.rank, 0, end));
    // Which of them is wrong is said with both names (checkNodes), so the local numbers have no limit here.
    LOCKSTEP_TRY_ASSIGN(told.localRank, numberIn(variables, names.localRank, 0, MostRanks));
    LOCKSTEP_TRY_ASSIGN(told.localSize, numberIn(variables, names.localSize, 1, MostRanks));
    LOCKSTEP_TRY_ASSIGN(told.hosts, numberIn(variables, firstSet(variables, names.hosts), 1, MostRanks));
    // Outside of a step (a batch script, the shell of salloc) these numbers are the allocation's.
    const bool isInStep = variables.contains("SLURM_STEP_ID") || variables.contains("SLURM_STEPID");
    return names.launcher == Launcher::Srun && !isInStep ? Told{.launcher = Launcher::Srun} : told;
}

Result<Told> readFlags(const RankFlags& flags)
{
    if (flags.rank.has_value() != flags.worldSize.has_value()) {
        return flags.rank ? refusal("--rank", LS_TR("Messages", "needs --world-size as well"))
                          : refusal("--world-size", LS_TR("Messages", "needs --rank as well"));
    }
    if (flags.localRank && !flags.rank) {
        return refusal("--local-rank", LS_TR("Messages", "needs --rank and --world-size as well"));
    }
    if (flags.rank && *flags.rank >= *flags.worldSize) {
        return refusal(
            "--rank", LS_TR("Messages", "%1 is not less than --world-size %2"), {*flags.rank, *flags.worldSize});
    }
    return Told{.launcher = Launcher::Flags,
        .rankFrom = "--rank",
        .sizeFrom = "--world-size",
        .rank = flags.rank,
        .size = flags.worldSize,
        .localRank = flags.localRank};
}

Error disagreement(const Told& one, const Told& other)
{
    const bool isSize = one.size && other.size && *one.size != *other.size;
    return isSize
        ? failure(LS_TR("Messages",
                      "%1 is %2, but %3 is %4: both say how many ranks there are; unset the one that is not meant"),
            {verbatim(one.sizeFrom), *one.size, verbatim(other.sizeFrom), *other.size})
        : failure(
            LS_TR("Messages", "%1 is %2, but %3 is %4: both say which rank this is; unset the one that is not meant"),
            {verbatim(one.rankFrom), *one.rank, verbatim(other.rankFrom), *other.rank});
}

/// Kubeflow and some scripts set WORLD_SIZE to the number of nodes.
Result<void> checkNodes(const Told& told)
{
    const std::int32_t size = *told.size;
    if (told.hosts && told.localSize && *told.hosts == size && *told.localSize > 1) {
        return failure(LS_TR("Messages",
                           "%1 is %2, the number of nodes, but each node has %3 ranks (LOCAL_WORLD_SIZE): it must be "
                           "the number of ranks, %4"),
            {verbatim(told.sizeFrom), size, *told.localSize, size * *told.localSize});
    }
    if (told.localSize && *told.localSize > size) {
        return failure(
            LS_TR("Messages",
                "%1 is %2, but this node alone has %3 ranks (LOCAL_WORLD_SIZE): %4 must count ranks, not nodes"),
            {verbatim(told.sizeFrom), size, *told.localSize, verbatim(told.sizeFrom)});
    }
    if (told.localRank && *told.localRank >= size) {
        return failure(
            LS_TR("Messages", "%1 is %2, but this is local rank %3 of its node: %4 must count ranks, not nodes"),
            {verbatim(told.sizeFrom), size, *told.localRank, verbatim(told.sizeFrom)});
    }
    return {};
}

/// torchrun and our own launcher start their ranks inside what another launcher has started.
bool isStartedInside(const Told& told, const Variables& variables)
{
    return told.launcher == Launcher::Flags
        || (told.launcher == Launcher::Torchrun
            && (variables.contains("TORCHELASTIC_RUN_ID") || variables.contains("GROUP_WORLD_SIZE")
                || variables.contains("LOCKSTEP_TELEMETRY")));
}

bool isMpi(const Told& told)
{
    return told.launcher == Launcher::OpenMpi || told.launcher == Launcher::Mpich;
}

Result<Told> choose(const std::vector<Told>& all, const Variables& variables)
{
    const Told* chosen = nullptr;
    for (const Told& told : all) {
        // mpirun inside a Slurm job: srun, if at all, has started mpirun's daemons.
        const bool isInner = chosen != nullptr && chosen->launcher == Launcher::Srun && isMpi(told) && told.isComplete()
            && !told.agreesWith(*chosen);
        chosen = (chosen == nullptr && told.isComplete()) || isInner ? &told : chosen;
    }
    if (chosen == nullptr) {
        for (const Told& told : all) {
            if (told.rank || told.size) {
                return failure(LS_TR("Messages", "%1 is set, but %2 is not: a rank needs both"),
                    {verbatim(told.rank ? told.rankFrom : told.sizeFrom),
                        verbatim(told.rank ? told.sizeFrom : told.rankFrom)});
            }
        }
        return Told{};
    }
    for (const Told& told : all) {
        const bool isOuter = isStartedInside(*chosen, variables) || (isMpi(*chosen) && told.launcher == Launcher::Srun);
        if (&told != chosen && !isOuter && !told.agreesWith(*chosen)) {
            return disagreement(told, *chosen);
        }
    }
    LOCKSTEP_TRY(checkNodes(*chosen));
    return *chosen;
}

std::int32_t hostsOf(const Told& told)
{
    if (told.hosts) {
        return *told.hosts;
    }
    if (told.localSize && told.size) {
        return (*told.size + *told.localSize - 1) / *told.localSize;
    }
    return 0;
}

/// From the job's number, so that two jobs on a node do not meet.
std::uint16_t portOfJob(const Told& told, const Variables& variables)
{
    constexpr std::uint64_t First = 20'000;
    constexpr std::uint64_t Count = 10'000;
    const auto number = [&variables](const char* name) {
        std::uint64_t value = 0;
        const std::string text = valueOf(variables, name);
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    // The daemons of an mpirun are a step on other hosts and none on its own.
    const std::uint64_t step = isMpi(told) ? 0 : number("SLURM_STEP_ID");
    return static_cast<std::uint16_t>(First + (number("SLURM_JOB_ID") + 631 * step) % Count);
}

Result<InitMethod> meetingOfSlurm(const Told& told, const Variables& variables)
{
    for (const char* name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"}) {
        if (const std::string list = valueOf(variables, name); !list.empty()) {
            const auto nodes = expandNodeList(list);
            return nodes ? Result<InitMethod>(InitMethod{
                       .kind = InitMethod::Kind::Tcp, .host = nodes->front(), .port = portOfJob(told, variables)})
                         : Result<InitMethod>(during(verbatim(name), nodes.error()));
        }
    }
    return InitMethod{};
}

Result<InitMethod> meetingOfEnvironment(const Told& told, const Variables& variables)
{
    const std::string host = valueOf(variables, "MASTER_ADDR");
    if (host.empty()) {
        const bool isInSlurm = told.launcher == Launcher::Srun || (isMpi(told) && hostsOf(told) > 1);
        return isInSlurm ? meetingOfSlurm(told, variables) : Result<InitMethod>(InitMethod{});
    }
    LOCKSTEP_TRY_ASSIGN(const auto port, numberIn(variables, "MASTER_PORT", 1, 1 << 16));
    std::int32_t number = port.value_or(StandardPort);
    // torchrun's agent listens on MASTER_PORT itself.
    number += valueOf(variables, "TORCHELASTIC_USE_AGENT_STORE") == "True" ? (number < 65535 ? 1 : -1) : 0;
    return InitMethod{.kind = InitMethod::Kind::Tcp, .host = host, .port = static_cast<std::uint16_t>(number)};
}

Result<InitMethod> meetingOf(const Told& told, const RankFlags& flags, const Variables& variables)
{
    if (!flags.initMethod.empty()) {
        auto given = parseInitMethod(flags.initMethod);
        if (!given) {
            return during(verbatim("--init-method"), given.error());
        }
        if (given->kind != InitMethod::Kind::Environment) {
            return given;
        }
        if (!variables.contains("MASTER_ADDR")) {
            return refusal("--init-method", LS_TR("Messages", "env:// needs MASTER_ADDR"));
        }
    }
    return meetingOfEnvironment(told, variables);
}

Result<void> checkMeeting(const Place& place)
{
    if (place.hosts <= 1) {
        return {};
    }
    if (place.meeting.kind == InitMethod::Kind::Unset) {
        return failure(LS_TR("Messages",
                           "the ranks are on %1 hosts, and nothing says where they meet: give --init-method "
                           "tcp://HOST:PORT with rank 0's host, or set MASTER_ADDR and MASTER_PORT"),
            {place.hosts});
    }
    if (place.meeting.kind == InitMethod::Kind::Tcp && isLoopback(place.meeting.host)) {
        return failure(LS_TR("Messages",
                           "the ranks are on %1 hosts, but are to meet at %2, which each host takes for itself: give "
                           "an address of rank 0's host (MASTER_ADDR or --init-method)"),
            {place.hosts, verbatim(place.meeting.host)});
    }
    return {};
}

std::string jobOf(const Told& told, const RankFlags& flags, const Variables& variables)
{
    std::string job;
    const auto add = [&job](const std::string& value) { job += (job.empty() || value.empty() ? "" : "-") + value; };
    for (const char* name :
        {"LOCKSTEP_RUN", "TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "SLURM_STEP_ID", "PMIX_NAMESPACE"}) {
        // mpirun starts its ranks on other hosts within a step of Slurm, and those on its own host without.
        if (!isMpi(told) || std::string_view(name) != "SLURM_STEP_ID") {
            add(valueOf(variables, name));
        }
    }
    if (!flags.initMethod.empty() && flags.initMethod != "env://") {
        add(flags.initMethod);
        return job;
    }
    add(valueOf(variables, "MASTER_ADDR"));
    add(valueOf(variables, "MASTER_PORT"));
    return job;
}

} // namespace

Result<Place> placeOf(const RankFlags& flags, const Variables& variables)
{
    std::vector<Told> all;
    LOCKSTEP_TRY_ASSIGN(Told own, readFlags(flags));
    all.push_back(std::move(own));
    for (const VariableNames& names : Launchers) {
        LOCKSTEP_TRY_ASSIGN(Told told, readVariables(variables, names));
        all.push_back(std::move(told));
    }
    LOCKSTEP_TRY_ASSIGN(const Told told, choose(all, variables));
    Place place{.launcher = told.launcher,
        .rank = told.rank.value_or(0),
        .worldSize = told.size.value_or(1),
        .localRank = told.localRank,
        .hosts = hostsOf(told),
        .sizeFrom = told.launcher == Launcher::None ? "" : told.sizeFrom,
        .job = jobOf(told, flags, variables)};
    LOCKSTEP_TRY_ASSIGN(place.meeting, meetingOf(told, flags, variables));
    LOCKSTEP_TRY(checkMeeting(place));
    return place;
}

bool mayBeApart(const Place& place)
{
    const bool isSaid = place.meeting.kind == InitMethod::Kind::File
        || (place.meeting.kind == InitMethod::Kind::Tcp && !isLoopback(place.meeting.host));
    return place.worldSize > 1 && place.hosts != 1 && isSaid;
}

Text description(const Place& place)
{
    Text text(LS_TR("Messages", "rank %1 of %2"), {place.rank, place.worldSize});
    if (place.launcher == Launcher::Flags) {
        text = {LS_TR("Messages", "%1 (%2)"), {text, verbatim("--rank, --world-size")}};
    }
    for (const VariableNames& names : Launchers) {
        if (names.launcher == place.launcher) {
            text = {LS_TR("Messages", "%1 (%2)"),
                {text, verbatim(fmt::format("{}: {}, {}", names.what, names.rank, place.sizeFrom))}};
        }
    }
    return mayBeApart(place) ? Text(LS_TR("Messages", "%1, rendezvous %2"), {text, verbatim(toText(place.meeting))})
                             : text;
}

} // namespace lockstep::rendezvous
