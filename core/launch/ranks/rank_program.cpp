#include "launch/ranks/rank_program.h"

#include "base/translate.h"
#include "launch/choose_launcher.h"
#include "launch/own/own_program.h"
#include "launch/ranks/mpirun.h"
#include "launch/ranks/packaged_ranks.h"
#include "launch/session.h"
#include "launch/trust.h"

#include <QByteArrayView>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockstep::launch {

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

/// Whether `cmake --install` has put the program of this folder there, as in a Debian package.
bool isInstalled(const QString& folder)
{
    return QFileInfo::exists(folder + u"/../share/metainfo/org.lockstep.Lockstep.metainfo.xml"_s);
}

/// The settings of a run that need a GPU.
struct Wish {
    std::string parameter;
    std::string value;
    int gpu = 0; ///< the highest requested
    std::string otherwise; ///< what to choose instead

    /// `why`: a pattern, with the value for %1, what to choose instead for %2 and `more` for %3.
    [[nodiscard]] Error refused(std::string_view why, const Text& more = {}) const
    {
        return refusal(parameter, why, {verbatim(value), otherwise, more});
    }
};

std::optional<Wish> wishOf(const experiment::RunSpec& run)
{
    const std::string device = run.settings->rank.device;
    if (device.starts_with("cuda")) {
        const int gpu = QString::fromStdString(device).section(u':', 1).toInt(); // `cuda` is cuda:0
        return Wish{nameOf(&experiment::RankSettings::device), device, gpu, LS_TR("Refusals", "use auto or cpu")};
    }
    if (const auto& gpus = run.settings->rank.gpus; device == "auto" && !gpus.empty()) {
        return Wish{nameOf(&experiment::RankSettings::gpus), experiment::toText(gpus),
            static_cast<int>(*std::max_element(gpus.begin(), gpus.end())),
            LS_TR("Refusals", "leave it empty, or use device cpu")};
    }
    if (device == "auto" && is(run, experiment::Backend::Nccl)) {
        return Wish{
            nameOf(&experiment::CommSettings::backend), "nccl", 0, LS_TR("Refusals", "use auto, shm, gloo or mpi")};
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
                    "/dev/dxg), and the CUDA flavour of lockstep-rank, which is not installed (%3); %2")
                : LS_TR("Refusals",
                    "%1 needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or "
                    "/dev/dxg); %2"),
            programs.cudaAdvice);
    }
    if (signs.count && wish.gpu >= *signs.count) {
        return wish.refused(
            LS_TR("Refusals", "%1 does not exist: this machine has %3; %2"), verbatim(gpusText(*signs.count)));
    }
    if (programs.cuda.isEmpty()) {
        return wish.refused(
            LS_TR("Refusals", "%1 needs the CUDA flavour of lockstep-rank, which is not installed (%3); %2"),
            programs.cudaAdvice);
    }
    return RankChoice{programs.cuda,
        Text(LS_TR("Messages", "Using the CUDA flavour: %1 is %2"), {verbatim(wish.parameter), verbatim(wish.value)})};
}

/// `device=auto`: whether a GPU is used, and why.
RankChoice byItself(const experiment::RunSpec& run, const RankPrograms& programs, const GpuSigns& signs)
{
    if (!signs.hasGpu) {
        return {programs.cpu, LS_TR("Messages", "No GPU found: running on the CPU")};
    }
    if (is(run, experiment::Backend::Mpi)) {
        return {programs.cpu, LS_TR("Messages", "Running on the CPU: comm.backend mpi carries host memory only")};
    }
    if (programs.cuda.isEmpty()) {
        return {programs.cpu,
            Text(LS_TR("Messages", "Running on the CPU: a GPU was found, but no CUDA flavour of lockstep-rank (%1)"),
                {programs.cudaAdvice})};
    }
    return {programs.cuda, LS_TR("Messages", "GPU found: using the CUDA flavour")};
}

/// By the MPI functions that it imports. A script, which may start any program, does not count as lacking it.
bool lacksMpi(const QString& program)
{
    QFile file(program);
    if (!file.open(QIODevice::ReadOnly) || file.peek(4) != "\177ELF") {
        return false;
    }
    const uchar* bytes = file.map(0, file.size());
    return bytes != nullptr && !QByteArrayView(bytes, file.size()).contains("MPI_Init_thread");
}

/// What a run over MPI needs: mpirun, and a `program` that was built with MPI.
Result<void> checkMpi(const experiment::RunSpec& run, const QString& program)
{
    const auto ranks = experiment::worldSizeOf(run);
    if (isOwnProgram(run) || !ranks || !usesMpirun(run, *ranks)) {
        return {};
    }
    const bool isPackaged = packagedRanks(QCoreApplication::applicationDirPath()).has_value();
    if (isPackaged && lacksMpi(program)) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Refusals", "mpi, but the rank programs of the Python package have no MPI; use auto, shm or gloo"));
    }
    if (Mpirun::program().isEmpty()) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Refusals",
                "mpi needs Open MPI's mpirun, which is not in PATH; run: sudo apt-get install openmpi-bin; or use "
                "auto, shm or gloo"));
    }
    if (lacksMpi(program)) {
        return isInstalled(QCoreApplication::applicationDirPath())
            ? refusal(nameOf(&experiment::CommSettings::backend),
                LS_TR("Refusals", "mpi, but %1 was built without MPI; use another rank program, or auto, shm or gloo"),
                {verbatim(program.toStdString())})
            : refusal(nameOf(&experiment::CommSettings::backend),
                LS_TR("Refusals",
                    "mpi, but lockstep-rank was built without MPI; run: sudo apt-get install libopenmpi-dev "
                    "openmpi-bin && ./run --build-only; or use auto, shm or gloo"));
    }
    return {};
}

} // namespace

RankPrograms findRankPrograms(const QString& folder)
{
    RankPrograms programs;
    const auto packaged = packagedRanks(folder);
    programs.areBuiltHere = !packaged && !isInstalled(folder);
    if (const QString chosen = qEnvironmentVariable("LOCKSTEP_RANK"); !chosen.isEmpty()) {
        programs.cpu = chosen;
        programs.cuda = chosen;
        programs.isChosen = true;
        return programs;
    }
    QStringList cpu{folder + u"/lockstep-rank"_s};
    QStringList cuda{folder + u"/../cuda/bin/lockstep-rank"_s, folder + u"/lockstep-rank-cuda"_s,
        folder + u"/../libexec/lockstep/lockstep-rank-cuda"_s};
    if (packaged) {
        cpu = {packaged->cpu};
        cuda = {packaged->cuda};
        programs.cudaAdvice = packaged->cudaProblem;
    } else if (!programs.areBuiltHere) {
        programs.cudaAdvice
            = LS_TR("Messages", "it is in the Python package lockstep-workbench; set LOCKSTEP_RANK_CUDA to its path");
    }
    programs.cpu = firstOf(cpu, u"lockstep-rank"_s);
    programs.cuda = qEnvironmentVariable("LOCKSTEP_RANK_CUDA");
    if (programs.cuda.isEmpty()) {
        programs.cuda = firstOf(cuda, u"lockstep-rank-cuda"_s);
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
        return own ? Result<RankChoice>(RankChoice{own->program, LS_TR("Messages", "The user's own program")})
                   : own.error();
    }
    if (programs.isChosen) {
        return RankChoice{programs.cpu, LS_TR("Messages", "the lockstep-rank that LOCKSTEP_RANK names")};
    }
    if (const auto wish = wishOf(run)) {
        return onGpu(*wish, programs, signs);
    }
    if (programs.cpu.isEmpty() && programs.cuda.isEmpty()) {
        return RankChoice{};
    }
    const RankChoice choice = run.settings->rank.device == "cpu"
        ? RankChoice{programs.cpu, LS_TR("Messages", "Running on the CPU: device is cpu")}
        : byItself(run, programs, signs);
    return choice.program.isEmpty()
        ? RankChoice{programs.cuda, LS_TR("Messages", "Using the CUDA flavour, the only one installed")}
        : RankChoice{
            choice.program, choice.reason, choice.program != programs.cuda && !is(run, experiment::Backend::Mpi)};
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
        return RankChoice{own.program, Text(LS_TR("Messages", "starting %1"), {verbatim(run.settings->rank.program)})};
    }
    if (!chosen.isEmpty()) {
        LOCKSTEP_TRY(checkMpi(run, chosen));
        return RankChoice{chosen};
    }
    LOCKSTEP_TRY_ASSIGN(auto choice, chooseRankProgram(run, findRankPrograms(), lookForGpus()));
    LOCKSTEP_TRY(checkMpi(run, choice.program));
    choice.reason = {LS_TR("Messages", "%1 (%2)"), {choice.reason, verbatim(choice.program.toStdString())}};
    return choice;
}

Error noRankProgram()
{
    if (const auto packaged = packagedRanks(QCoreApplication::applicationDirPath())) {
        return failureOf(packaged->problem);
    }
    if (isInstalled(QCoreApplication::applicationDirPath())) {
        return failure(LS_TR("Messages",
            "there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: install the package "
            "lockstep-rank"));
    }
    return failure(LS_TR(
        "Messages", "there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: build it with ./run"));
}

Result<void> checkProgramsAreThere(std::span<const experiment::RunSpec> runs, const QString& chosen)
{
    const RankPrograms programs = chosen.isEmpty() ? findRankPrograms() : RankPrograms();
    const GpuSigns signs = lookForGpus();
    for (const experiment::RunSpec& run : runs) {
        if (!chosen.isEmpty() && !isOwnProgram(run)) {
            continue;
        }
        LOCKSTEP_TRY_ASSIGN(const RankChoice choice, chooseRankProgram(run, programs, signs));
        if (choice.program.isEmpty()) {
            return noRankProgram();
        }
        // The user's own program has just been found.
        if (!isOwnProgram(run)) {
            const char* subject = programs.isChosen ? "LOCKSTEP_RANK"
                : choice.program == programs.cuda   ? "LOCKSTEP_RANK_CUDA"
                                                    : "lockstep-rank";
            LOCKSTEP_TRY(startableProgram(subject, choice.program));
        }
    }
    return {};
}

Result<void> checkRankPrograms(std::span<const experiment::RunSpec> runs)
{
    const RankPrograms programs = findRankPrograms();
    const GpuSigns signs = lookForGpus();
    Error first;
    std::string variant;
    std::size_t refused = 0;
    for (const experiment::RunSpec& run : runs) {
        const auto choice = chooseRankProgram(run, programs, signs);
        const auto possible = choice ? checkMpi(run, choice->program) : Result<void>(choice.error());
        if (!possible && refused++ == 0) {
            first = possible.error();
            variant = run.name;
        }
    }
    if (refused == 0) {
        return {};
    }
    return refused == runs.size() ? first : ofVariant(first, variant);
}

} // namespace lockstep::launch
