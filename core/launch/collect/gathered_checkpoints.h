// The checkpoints of a run whose ranks write to folders that this machine does not see: the ranks send their files
// (wire/checkpoint_part.h), which are put where a run that resumes looks for them. Session thread only.
#pragma once

#include "base/result.h"
#include "wire/messages.h"

#include <QCryptographicHash>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lockstep::launch {

class GatheredCheckpoints {
public:
    /// `folder`: of the run's checkpoints on this machine; `keep`: how many, 0 for all. Empty folder: nothing is
    /// gathered.
    GatheredCheckpoints(QString folder, std::int64_t keep);
    ~GatheredCheckpoints();
    GatheredCheckpoints(const GatheredCheckpoints&) = delete;
    GatheredCheckpoints& operator=(const GatheredCheckpoints&) = delete;

    /// Makes the folder and, in it, the file by which ranks recognise their folder. Its name; empty if nothing is
    /// gathered.
    [[nodiscard]] Result<std::string> leaveMark();

    /// A message of that rank. Gives a line for the log once a checkpoint has all its files, and once for each that
    /// cannot be gathered.
    [[nodiscard]] std::optional<wire::LogLine> add(std::int32_t rank, const wire::CheckpointPart& part);

private:
    struct File {
        std::int64_t received = 0; ///< bytes
        std::unique_ptr<QCryptographicHash> hash{}; ///< of what was received
        std::string sha256{}; ///< once all was
    };
    struct Incoming {
        std::map<std::string, File> files; ///< by name
        bool hasFailed = false; ///< and was reported
        [[nodiscard]] bool has(const std::string& name) const;
    };

    [[nodiscard]] QString named(std::int64_t step) const;
    [[nodiscard]] QString incomingFolder(std::int64_t step) const;
    /// Whether the checkpoint has all its files with this piece.
    [[nodiscard]] Result<bool> take(std::int32_t rank, const wire::CheckpointPart& part);
    [[nodiscard]] Result<void> write(std::int32_t rank, const wire::CheckpointPart& part);
    /// Whether the checkpoint has all its files now, which then are in named().
    [[nodiscard]] Result<bool> complete(std::int64_t step);
    /// Forgets what came of steps before this one, which are not going to be complete, and of the step itself.
    void dropIncoming(std::int64_t step);
    void dropOldest() const;

    QString m_folder;
    std::int64_t m_keep;
    QString m_mark; ///< path of the file; empty: there is none
    std::map<std::int64_t, Incoming> m_incoming; ///< by step
    std::int64_t m_complete = -1; ///< the newest step that is
};

} // namespace lockstep::launch
