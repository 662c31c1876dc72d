// Runs a student's file under the runner of an exercise, in new processes. Pressing Check is the trust: it runs
// as the user does, unless a sandbox is given. Blocking calls: never in the window's thread.
#pragma once

#include "laboratory/code/exercise.h"
#include "laboratory/laboratory.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <atomic>
#include <functional>
#include <span>
#include <vector>

namespace lockstep::laboratory {

/// Bytes of a student's file.
inline constexpr qint64 LargestCode = 1 << 20;

/// What is started for one trial. `folder` has input.json, the runner, the student's file and what the ranks write:
/// `rank-R.jsonl` (records) and `rank-R.log` (output).
struct TrialCommands {
    QString folder; ///< the working folder of all
    std::vector<QStringList> ranks; ///< program and arguments, one a rank
    std::chrono::seconds limit{60}; ///< over the whole process tree
    const std::atomic_bool* cancelled = nullptr; ///< looked at while they run; nullptr: never
};
/// Runs them side by side until all have ended; at the limit, when cancelled, and some seconds after a rank has failed
/// it ends all that they started. Error: they cannot be started. A sandbox has the same form.
using RunRanks = std::function<Result<std::vector<RankEnd>>(const TrialCommands&)>;
/// `NAME=VALUE` of what a rank needs in its environment: RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, one thread.
[[nodiscard]] QStringList rankVariables(std::size_t rank, std::size_t worldSize, int port);
/// On this machine, as this user: each rank in a new process group, with rankVariables() and a free port.
[[nodiscard]] Result<std::vector<RankEnd>> runRanksHere(const TrialCommands& commands);

struct TrialOptions {
    QString python{}; ///< an interpreter that has torch; empty: pythonWithTorch()
    RunRanks run = runRanksHere;
    const std::atomic_bool* cancelled = nullptr;
};

/// The first of python3 in PATH and /usr/bin/python3 that can import torch; looked up once. Error: neither can; it says
/// the line that installs torch. Or it was cancelled.
[[nodiscard]] Result<QString> pythonWithTorch(const std::atomic_bool* cancelled = nullptr);

/// One trial in a new temporary folder. `name`: of the student's file, for its messages.
[[nodiscard]] Result<Trial> runTrial(const Exercise& exercise, const TrialTask& task, const QByteArray& code,
    const QString& name, const TrialOptions& options = {});

/// The whole check of a code step: its trials until one is wrong, and the verdict. Error: it could not be run, which
/// says nothing about the code.
[[nodiscard]] Result<CodeVerdict> checkCode(
    const Step& step, const QByteArray& code, const QString& name, const TrialOptions& options = {});

} // namespace lockstep::laboratory
