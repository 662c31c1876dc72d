// The checkpoints that the ranks of a stored run have written beside it: which ones exist, and how a run resumes from
// one. Only the ranks read their contents.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace lockstep::session {

struct Checkpoint {
    std::int64_t step = 0;
    QString folder;
    bool isWhole = false; ///< every file is as long as its manifest says
};

/// `<store>/<id>.checkpoints`
[[nodiscard]] QString checkpointFolderOf(const QString& storeFolder, const RunId& id);

/// By step. In `checkpoint.path`/<id> where the run has one, else in the folder above.
[[nodiscard]] std::vector<Checkpoint> checkpointsOf(const QString& storeFolder, const analysis::RunRecord& run);

/// A new run that resumes this one from its newest complete checkpoint. An error says why there is none.
[[nodiscard]] Result<experiment::RunSpec> resumedSpec(const QString& storeFolder, const analysis::RunRecord& run);

} // namespace lockstep::session
