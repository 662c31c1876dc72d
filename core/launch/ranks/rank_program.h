// The two flavours of lockstep-rank - one for the CPU, one whose LibTorch was built with CUDA - and which of them a run
// uses. The workbench asks no library for GPUs: it reads the driver's files.
#pragma once

#include "analysis/scaling/estimate.h"
#include "base/result.h"
#include "base/text.h"
#include "base/translate.h"
#include "experiment/spec.h"

#include <QString>

#include <optional>
#include <span>
#include <string>

namespace lockstep::launch {

struct RankPrograms {
    QString cpu{}; ///< empty: there is none
    QString cuda{};
    bool isChosen = false; ///< LOCKSTEP_RANK names one program for all runs
    Text cudaAdvice = LS_TR("Messages", "./run --cuda builds it"); ///< where there is no `cuda`
    bool areBuiltHere = true; ///< false: this program was installed from a package, and there may be no ./run
};

/// In LOCKSTEP_RANK and LOCKSTEP_RANK_CUDA; else beside the program in `folder`: `lockstep-rank`, and for CUDA
/// `../cuda/bin/lockstep-rank` (as built), `lockstep-rank-cuda` or `../libexec/lockstep/lockstep-rank-cuda` (as
/// installed); in the Python package those that fit the installed torch; else in PATH under these names.
[[nodiscard]] RankPrograms findRankPrograms(const QString& folder);
/// The same with the folder of this program.
[[nodiscard]] RankPrograms findRankPrograms();

/// The GPUs that the driver shows.
struct GpuSigns {
    bool hasGpu = false;
    std::optional<int> count{}; ///< the number of GPUs; empty if unknown (WSL, slices of GPUs)
};

/// `root` is a prefix of /proc and /dev.
[[nodiscard]] GpuSigns lookForGpus(const QString& root = {});

struct RankChoice {
    QString program{}; ///< empty: there is no lockstep-rank at all
    Text reason{}; ///< `CUDA flavour: device is auto and this machine has a GPU`
    bool mayBeForked = false; ///< by a ready process: neither a GPU nor mpirun is involved
};

/// Refuses a GPU that is requested but not available; the message begins with the parameter's name and says what is
/// missing.
[[nodiscard]] Result<RankChoice> chooseRankProgram(
    const experiment::RunSpec& run, const RankPrograms& programs, const GpuSigns& signs);

/// What the ranks of runs compute on, for the estimates of their times.
class ExpectedProcessors {
public:
    /// On this machine; looks for programs and GPUs once.
    [[nodiscard]] static ExpectedProcessors here();
    ExpectedProcessors(RankPrograms programs, GpuSigns signs);

    /// Unknown where the program is not (LOCKSTEP_RANK names it) or a GPU is requested that is not available.
    [[nodiscard]] analysis::Processor of(const experiment::RunSpec& run) const;

private:
    RankPrograms m_programs;
    GpuSigns m_signs;
};

/// The program of this run's ranks: the user's own, `chosen` unless that is empty, or the flavour that the run needs
/// here. Refuses a run over MPI where MPI is missing.
[[nodiscard]] Result<RankChoice> programOf(const experiment::RunSpec& run, const QString& chosen);

/// No lockstep-rank was found.
[[nodiscard]] Error noRankProgram();
/// What checkRankPrograms() leaves out, since a form is of use without them: whether the programs are there.
/// `chosen` as of programOf(): it is not checked.
[[nodiscard]] Result<void> checkProgramsAreThere(std::span<const experiment::RunSpec> runs, const QString& chosen = {});

/// The error of the first of these runs that cannot start here because a program, a GPU or MPI is missing; ends with
/// its variant if others can.
[[nodiscard]] Result<void> checkRankPrograms(std::span<const experiment::RunSpec> runs);

} // namespace lockstep::launch
