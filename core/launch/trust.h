// Files from elsewhere start nothing. A program that a run starts, and a folder that it writes to or resumes from, is
// confirmed once by the user: by typing it, with --trust, or in the window. What was confirmed is kept by its hash,
// that of a program with the content of the files that its command names, and of the module that `python3 -m` does,
// with its package: a changed script is asked about again. Modules that a script imports are not part of it; a module
// that is not in the folder where the command runs is not either, which is said.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "launch/own/own_program.h"

#include <QString>

#include <set>
#include <span>
#include <string>
#include <vector>

namespace lockstep::launch {

/// A setting of a run that must be confirmed.
struct Risk {
    std::string parameter{}; ///< rank.program, checkpoint.path or checkpoint.from
    std::string value{}; ///< in full, with absolute paths
    std::string content{}; ///< SHA-256 of the files that the command names; empty if it names none
    std::string unseen{}; ///< code that the command starts from elsewhere, which `content` does not have: `-m mod`

    /// The value in one line, with characters that are not seen, or that change what is seen, as \u{202e}.
    [[nodiscard]] QString shown() const;
    /// `rank.program: "python3 train.py" would be started`
    [[nodiscard]] Text text() const;
    /// The value was confirmed before, with other content (Trust::uncovered()).
    bool isChanged = false;
    bool operator==(const Risk&) const = default;
};

/// Of all runs together, each once.
[[nodiscard]] std::vector<Risk> risksOf(std::span<const experiment::RunSpec> runs);

/// The user's own program that a run may start. The user who starts a run confirms it; a spec alone starts nothing.
[[nodiscard]] Result<OwnProgram> confirmedProgram(const experiment::RunSpec& run);

class Trust {
public:
    /// Reads the file; one that others may write is taken as empty. Empty: `lockstep/trusted` in the user's
    /// configuration.
    explicit Trust(QString file = {});

    [[nodiscard]] bool covers(const Risk& risk) const;
    /// Those that are not covered, in their order.
    [[nodiscard]] std::vector<Risk> uncovered(std::span<const experiment::RunSpec> runs) const;
    /// Keeps them from now on; the file has mode 0600. Covered also where the file cannot be written.
    [[nodiscard]] Result<void> add(std::span<const Risk> risks);

private:
    QString m_file;
    std::set<std::string> m_hashes;
};

/// Of a run that resumes: the user asks for its checkpoint by resuming it.
[[nodiscard]] std::vector<Risk> checkpointRisks(const experiment::RunSpec& resumed);

/// Marks runs as confirmed: all that they start or write has been seen by the user.
void confirm(std::span<experiment::RunSpec> runs);

} // namespace lockstep::launch
