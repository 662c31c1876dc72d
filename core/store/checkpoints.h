// The checkpoints that the ranks of a stored run have written beside it: which ones exist, and how a run resumes from
// one. Only the ranks read their contents.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::store {

struct Checkpoint {
    std::int64_t step = 0;
    QString folder;
    bool isWhole = false; ///< every file is as long as its manifest says
};

/// A file of a checkpoint, as its manifest describes it.
struct CheckpointFile {
    std::string name;
    std::int64_t bytes = 0;
    std::string sha256; ///< in hexadecimal; empty in the checkpoints of earlier versions
};
/// By rank; empty if the folder has no manifest that can be read.
[[nodiscard]] std::vector<CheckpointFile> filesOf(const QString& folder);

/// `<store>/<id>.checkpoints`
[[nodiscard]] QString checkpointFolderOf(const QString& storeFolder, const RunId& id);
/// `checkpoint.path`/<id> where the run has one, else the folder above.
[[nodiscard]] QString checkpointFolderOf(const QString& storeFolder, const RunId& id, const experiment::RunSpec& spec);

/// Of a folder, by step.
[[nodiscard]] std::vector<Checkpoint> checkpointsIn(const QString& folder);
[[nodiscard]] std::vector<Checkpoint> checkpointsOf(const QString& storeFolder, const analysis::RunRecord& run);

/// A new run that resumes this one from its newest complete checkpoint. An error says why there is none.
[[nodiscard]] Result<experiment::RunSpec> resumedSpec(const QString& storeFolder, const analysis::RunRecord& run);

} // namespace lockstep::store
