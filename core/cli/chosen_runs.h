// The stored runs that the words of a verb name.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "store/run_store.h"

#include <QStringList>

#include <vector>

namespace lockstep::cli {

/// Each name is an id, the beginning of one, or `last`: the newest run and those of the same comparison before it, or
/// the curves that were imported together. No names mean `last`. Error: a name that fits no run or several, or a store
/// without runs.
[[nodiscard]] Result<std::vector<analysis::RunRecord>> chosenRuns(
    const store::RunStore& store, const QStringList& names);

} // namespace lockstep::cli
