#include "session/launch/rank_program.h"

#include "base/translate.h"
#include "session/launch/own_program.h"
#include "session/launch/trust.h"
#include "session/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

/// The first that can be started; `name` in PATH comes last.
QString firstOf(const QStringList& candidates, const QString& name)
{
    for (const QString& each : candidates) {
        const QFileInfo file(each);
        if (file.isFile() && file.isExecutable()) {
            return file.canonicalFilePath();
        }
    }
    return QStandardPaths::findExecutable(name);
}

/// The settings of a run that need a GPU.
struct Wish {
    std::string parameter;
    std::string value;
    int gpu = 0; ///< the highest requested
    std::string otherwise; ///< what to choose instead

    /// `why`: a pattern, with the value for %1, what to choose instead for %2 and `more` for %3.
    [[nodiscard]] Error refused(std::string_view why, std::string more = {}) const
    {
        return refusal(parameter, why, {value, otherwise, std::move(more)});
    }
};

/// A record of an older version may lack some settings.
std::string textOf(const experiment::RunSpec& run, const char* name, const char* standard)
{
    const auto found = run.settings.find(name);
    return found == run.settings.end() ? standard : experiment::toText(found->second);
}

std::optional<Wish> wishOf(const experiment::RunSpec& run)
{
    const std::string device = textOf(run, "device", "auto");
    if (device.starts_with("cuda")) {
        const int gpu = QString::fromStdString(device).section(u':', 1).toInt(); // `cuda` is cuda:0
        return Wish{"device", device, gpu, LS_TR("Refusals", "use auto or cpu")};
    }
    const auto list = run.settings.find("device.gpus");
    if (device == "auto" && list != run.settings.end()) {
        const auto& gpus = std::get<std::vector<std::int64_t>>(list->second);
        if (!gpus.empty()) {
            return Wish{"device.gpus", experiment::toText(list->second),
                static_cast<int>(*std::max_element(gpus.begin(), gpus.end())),
                LS_TR("Refusals", "leave it empty, or use device cpu")};
        }
    }
    if (device == "auto" && textOf(run, "comm.backend", "auto") == "nccl") {
        return Wish{"comm.backend", "nccl", 0, LS_TR("Refusals", "use auto, shm, gloo or mpi")};
    }
    return std::nullopt;
}

/// `cuda:0, cuda:1`
std::string gpusText(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += (i == 0 ? "cuda:" : ", cuda:") + std::to_string(i);
    }
    return text;
}

Result<RankChoice> onGpu(const Wish& wish, const RankPrograms& programs, const GpuSigns& signs)
{
    if (!signs.hasGpu) {
        return wish.refused(programs.cuda.isEmpty()
                ? LS_TR("Refusals",
                    "%1 needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or "
                    "/dev/dxg), and the CUDA flavour of lockstep-rank, which is not installed (./run --cuda builds "
                    "it); %2")
                : LS_TR("Refusals",
                    "%1 needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or "
                    "/dev/dxg); %2"));
    }
    if (signs.count && wish.gpu >= *signs.count) {
        return wish.refused(LS_TR("Refusals", "%1 does not exist: this machine has %3; %2"), gpusText(*signs.count));
    }
    if (programs.cuda.isEmpty()) {
        return wish.refused(LS_TR("Refusals",
            "%1 needs the CUDA flavour of lockstep-rank, which is not installed (./run --cuda builds it); %2"));
    }
    return RankChoice{programs.cuda, "Using the CUDA flavour: " + wish.parameter + " is " + wish.value};
}

/// `device=auto`: whether a GPU is used, and why.
RankChoice byItself(const experiment::RunSpec& run, const RankPrograms& programs, const GpuSigns& signs)
{
    if (!signs.hasGpu) {
        return {programs.cpu, "No GPU found: running on the CPU"};
    }
    if (textOf(run, "comm.backend", "auto") == "mpi") {
        return {programs.cpu, "Running on the CPU: comm.backend mpi carries host memory only"};
    }
    if (programs.cuda.isEmpty()) {
        return {programs.cpu,
            "Running on the CPU: a GPU was found, but no CUDA flavour of lockstep-rank (./run --cuda builds "
            "it)"};
    }
    return {programs.cuda, "GPU found: using the CUDA flavour"};
}

} // namespace

RankPrograms findRankPrograms(const QString& folder)
{
    if (const QString chosen = qEnvironmentVariable("LOCKSTEP_RANK"); !chosen.isEmpty()) {
        return {chosen, chosen, true};
    }
    RankPrograms programs;
    programs.cpu = firstOf({folder + u"/lockstep-rank"_s}, u"lockstep-rank"_s);
    programs.cuda = qEnvironmentVariable("LOCKSTEP_RANK_CUDA");
    if (programs.cuda.isEmpty()) {
        programs.cuda = firstOf({folder + u"/../cuda/bin/lockstep-rank"_s, folder + u"/lockstep-rank-cuda"_s,
                                    folder + u"/../libexec/lockstep/lockstep-rank-cuda"_s},
            u"lockstep-rank-cuda"_s);
    }
    return programs;
}

RankPrograms findRankPrograms()
{
    return findRankPrograms(QCoreApplication::applicationDirPath());
}

QString findRankProgram()
{
    const RankPrograms programs = findRankPrograms();
    return programs.cpu.isEmpty() ? programs.cuda : programs.cpu;
}

GpuSigns lookForGpus(const QString& root)
{
    const auto listed = QDir(root + u"/proc/driver/nvidia/gpus"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
    // The driver makes its device files only when the first program asks for a GPU; containers have some of them.
    static const QRegularExpression deviceFile(u"^nvidia\\d+$"_s);
    const auto devices
        = QDir(root + u"/dev"_s).entryList({u"nvidia*"_s}, QDir::System | QDir::Files).filter(deviceFile).size();
    const bool isWsl = QFileInfo::exists(root + u"/dev/dxg"_s);
    GpuSigns signs{.hasGpu = listed > 0 || devices > 0 || isWsl};
    const QDir capabilities(root + u"/proc/driver/nvidia/capabilities"_s);
    bool hasSlices = false;
    for (const QString& gpu : capabilities.entryList({u"gpu*"_s}, QDir::Dirs)) {
        hasSlices
            = hasSlices || !QDir(capabilities.filePath(gpu + u"/mig"_s)).entryList({u"gi*"_s}, QDir::Dirs).isEmpty();
    }
    if (signs.hasGpu && !isWsl && !hasSlices) {
        signs.count = static_cast<int>(std::max(listed, devices));
    }
    return signs;
}

Result<RankChoice> chooseRankProgram(
    const experiment::RunSpec& run, const RankPrograms& programs, const GpuSigns& signs)
{
    if (isOwnProgram(run)) {
        const auto own = ownProgram(run);
        return own ? Result<RankChoice>(RankChoice{own->program, "Program of one's own"}) : own.error();
    }
    if (programs.isChosen) {
        return RankChoice{programs.cpu, "the lockstep-rank that LOCKSTEP_RANK names"};
    }
    if (const auto wish = wishOf(run)) {
        return onGpu(*wish, programs, signs);
    }
    if (programs.cpu.isEmpty() && programs.cuda.isEmpty()) {
        return RankChoice{};
    }
    const RankChoice choice = textOf(run, "device", "auto") == "cpu"
        ? RankChoice{programs.cpu, "Running on the CPU: device is cpu"}
        : byItself(run, programs, signs);
    return choice.program.isEmpty()
        ? RankChoice{programs.cuda, "Using the CUDA flavour, the only one installed"}
        : RankChoice{choice.program, choice.reason,
            choice.program != programs.cuda && textOf(run, "comm.backend", "auto") != "mpi"};
}

ExpectedProcessors ExpectedProcessors::here()
{
    return {findRankPrograms(), lookForGpus()};
}

ExpectedProcessors::ExpectedProcessors(RankPrograms programs, GpuSigns signs)
    : m_programs(std::move(programs))
    , m_signs(signs)
{ }

analysis::Processor ExpectedProcessors::of(const experiment::RunSpec& run) const
{
    using analysis::Processor;
    if (isOwnProgram(run)) {
        return Processor::Unknown;
    }
    if (const Processor asked = analysis::processorOf(run); asked != Processor::Unknown || !m_signs.hasGpu) {
        return asked == Processor::Unknown ? Processor::Cpu : asked;
    }
    const auto choice = chooseRankProgram(run, m_programs, m_signs);
    if (m_programs.isChosen || !choice || choice->program.isEmpty()) {
        return Processor::Unknown;
    }
    return choice->program == m_programs.cuda ? Processor::Gpu : Processor::Cpu;
}

Result<RankChoice> programOf(const experiment::RunSpec& run, const QString& chosen)
{
    if (isOwnProgram(run)) {
        LOCKSTEP_TRY_ASSIGN(const auto own, confirmedProgram(run));
        return RankChoice{own.program, "starting " + run.text("rank.program")};
    }
    if (!chosen.isEmpty()) {
        return RankChoice{chosen};
    }
    LOCKSTEP_TRY_ASSIGN(auto choice, chooseRankProgram(run, findRankPrograms(), lookForGpus()));
    choice.reason += " (" + choice.program.toStdString() + ")";
    return choice;
}

Result<void> checkRankPrograms(std::span<const experiment::RunSpec> runs)
{
    const RankPrograms programs = findRankPrograms();
    const GpuSigns signs = lookForGpus();
    Error first;
    std::string variant;
    std::size_t refused = 0;
    for (const experiment::RunSpec& run : runs) {
        if (const auto choice = chooseRankProgram(run, programs, signs); !choice && refused++ == 0) {
            first = choice.error();
            variant = run.name;
        }
    }
    if (refused == 0) {
        return {};
    }
    return refused == runs.size() ? first : ofVariant(first, variant);
}

} // namespace lockstep::session
