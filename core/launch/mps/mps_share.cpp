#include "launch/mps/mps_share.h"

#include "base/translate.h"
#include "launch/monitor/mps_obstacle.h"

#include <QFile>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using experiment::MpsMode;

constexpr auto MpsKillLimit = 1000ms;
const char* const PipeVariable = "CUDA_MPS_PIPE_DIRECTORY";
/// Where no daemon is: CUDA runs without MPS if it cannot connect.
const QString NoPipes = u"/dev/null/no-mps"_s;

/// An MPS that someone else runs.
struct OtherMps {
    QString pipes;
    bool answers = false;
};

[[nodiscard]] bool hasControlProgram()
{
    return !QStandardPaths::findExecutable(QLatin1StringView(MpsControlProgram)).isEmpty();
}

[[nodiscard]] std::optional<OtherMps> findOther()
{
    for (const QString& pipes : {qEnvironmentVariable(PipeVariable), MpsControl::CommonPipes}) {
        const MpsControl control(pipes);
        if (!pipes.isEmpty() && control.isListening()) {
            // In a container its program may be missing.
            const bool answers
                = !hasControlProgram() || control.ask("get_server_list\n", MpsControl::AnswerLimit).isOk();
            return OtherMps{pipes, answers};
        }
    }
    return std::nullopt;
}

/// Of `all` GPUs, those that CUDA_VISIBLE_DEVICES leaves.
[[nodiscard]] std::int32_t visibleGpus(std::size_t all)
{
    const auto count = static_cast<std::int32_t>(all);
    if (!qEnvironmentVariableIsSet("CUDA_VISIBLE_DEVICES")) {
        return count;
    }
    const auto listed = qEnvironmentVariable("CUDA_VISIBLE_DEVICES").split(u',', Qt::SkipEmptyParts).size();
    return std::min(count, static_cast<std::int32_t>(listed));
}

[[nodiscard]] MpsUse withoutMps(const Text& reason)
{
    return {.line = {LS_TR("Messages", "Without MPS, ranks that share a GPU take turns: %1"), {reason}}};
}

} // namespace

bool shareGpu(const experiment::RunSpec& run, std::int32_t ranks, std::int32_t gpus)
{
    const std::string& device = run.settings->rank.device;
    if (device.starts_with("cuda")) {
        return ranks > 1;
    }
    const auto& chosen = run.settings->rank.gpus;
    std::set<std::int64_t> used;
    for (std::int32_t rank = 0; rank < ranks && device == "auto" && gpus > 0; ++rank) {
        const auto place = static_cast<std::size_t>(rank);
        if (!used.insert(chosen.empty() ? rank % gpus : chosen[place % chosen.size()]).second) {
            return true;
        }
    }
    return false;
}

bool isSharedFault(const Text& failure)
{
    // cudaGetErrorString() of cudaErrorLaunchFailure, -IllegalAddress, and the cudaErrorMps* of a server that failed.
    static constexpr std::array<std::string_view, 6> Faults{"unspecified launch failure",
        "an illegal memory access was encountered",
        "the remote procedural call between the MPS server and the MPS client failed",
        "the MPS server is not ready to accept new MPS client requests",
        "MPS client failed to connect to the MPS control daemon", "the MPS client has been terminated by the server"};
    return std::ranges::any_of(
        Faults, [&](std::string_view fault) { return failure.english.find(fault) != std::string::npos; });
}

const std::vector<GpuFacts>& MpsShare::gpus()
{
    if (!m_gpus) {
        const OpenedNvml opened = Nvml::open();
        m_gpus = opened.nvml ? opened.nvml->gpus() : std::vector<GpuFacts>();
    }
    return *m_gpus;
}

Result<MpsUse> MpsShare::begin(const experiment::RunSpec& run, std::int32_t ranks)
{
    const MpsMode mode = run.settings->rank.mps;
    if (mode == MpsMode::Off) {
        return MpsUse{.pipes = NoPipes};
    }
    if (ranks < 2 || run.settings->rank.device == "cpu" || !shareGpu(run, ranks, visibleGpus(gpus().size()))) {
        return MpsUse{};
    }
    const auto other = findOther();
    if (other && other->answers) {
        return MpsUse{.origin = "other",
            .pipes = other->pipes,
            .line = {LS_TR("Messages", "Ranks that share a GPU use the MPS that runs here (%1)"),
                {verbatim(other->pipes.toStdString())}}};
    }
    auto own = beginOwn();
    if (!own && mode == MpsMode::On) {
        return refusal(nameOf(&experiment::RankSettings::mps),
            LS_TR("Refusals", "on, but MPS cannot run: %1; use auto or off"), {own.error()});
    }
    MpsUse use = own ? *std::move(own) : withoutMps(own.error());
    if (use.pipes.isEmpty() && other) {
        use.pipes = NoPipes; // the ranks would wait for one that does not answer
    }
    return use;
}

Result<MpsUse> MpsShare::beginOwn()
{
    const bool isWsl = QFile::exists(u"/dev/dxg"_s);
    if (const Text obstacle = mpsObstacle({hasControlProgram(), isWsl, gpus()}); !obstacle.empty()) {
        return failureOf(obstacle);
    }
    if (m_hadFault && m_runs == 0) {
        m_daemon.reset();
        m_hadFault = false;
    }
    std::vector<std::string> uuids;
    std::ranges::transform(gpus(), std::back_inserter(uuids), &GpuFacts::uuid);
    LOCKSTEP_TRY_ASSIGN(m_daemon, MpsDaemon::use(uuids));
    ++m_runs;
    return MpsUse{.origin = "own",
        .pipes = m_daemon->control().pipes(),
        .line = m_daemon->wasStarted()
            ? LS_TR("Messages", "MPS started: ranks that share a GPU run at the same time")
            : LS_TR("Messages", "Ranks that share a GPU use the MPS that Lockstep has started")};
}

void MpsShare::end(const MpsUse& use, bool hadFault)
{
    if (use.origin == "own") {
        --m_runs;
        m_hadFault = m_hadFault || hadFault;
    }
}

void MpsShare::endClients(const MpsUse& use, const std::vector<std::int64_t>& processes)
{
    if (use.origin.empty() || processes.empty()) {
        return;
    }
    const MpsControl control(use.pipes);
    const auto servers = control.ask("get_server_list\n", MpsKillLimit);
    QByteArray commands;
    for (const QByteArray& server : servers ? servers->simplified().split(' ') : QList<QByteArray>()) {
        for (const std::int64_t process : processes) {
            if (server.toLongLong() > 0) {
                commands += "terminate_client " + server + ' ' + QByteArray::number(qint64{process}) + '\n';
            }
        }
    }
    if (!commands.isEmpty()) {
        static_cast<void>(control.ask(commands, MpsKillLimit)); // they are killed in any case
    }
}

} // namespace lockstep::launch
