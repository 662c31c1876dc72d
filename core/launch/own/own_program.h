// A user's own program in place of lockstep-rank (strategy.name own, rank.program): what is started, and with which
// environment.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "launch/rank_environment.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>

namespace lockstep::launch {

struct OwnProgram {
    QString program{}; ///< an absolute path
    QStringList arguments{}; ///< `words`, and `own.*` as flags
    QStringList words{}; ///< of rank.program, without the program
    QString script{}; ///< the Python script among the words; empty if there is none
};

[[nodiscard]] bool isOwnProgram(const experiment::RunSpec& run);

/// The absolute path of the program that `subject` names, looked up in PATH unless it is a path.
[[nodiscard]] Result<QString> startableProgram(const std::string& subject, const QString& word);

/// Looks the program up in PATH. The error names rank.program.
[[nodiscard]] Result<OwnProgram> ownProgram(const experiment::RunSpec& run);

/// The words of a command; none if it cannot be split.
[[nodiscard]] QStringList commandWords(const std::string& command);
/// Whether the first of these words, if there is one, is Python's interpreter.
[[nodiscard]] bool startsPython(const QStringList& words);
/// What the word at this place would be as a file: of the module behind -m, in the working folder, its `.py`.
[[nodiscard]] QString fileOfWord(const QStringList& words, qsizetype place);

/// The command with absolute paths of its program and its script, so that it means the same wherever it is started.
[[nodiscard]] std::string withAbsoluteScript(const std::string& command);

/// A folder in the store with lockstep.py and the watcher in it, for PYTHONPATH; empty if it cannot be written.
[[nodiscard]] QString pythonFolder(const QString& storeFolder);

/// rankEnvironment() and what torchrun sets besides, unless the script makes its ranks; `own.*` as JSON in
/// LOCKSTEP_PARAMETERS, the seed in LOCKSTEP_SEED, the watcher first on PYTHONPATH.
[[nodiscard]] QProcessEnvironment ownEnvironment(const Rendezvous& where, const experiment::RunSpec& run,
    std::int32_t rank, const QString& modules, int controlMemory);

} // namespace lockstep::launch
