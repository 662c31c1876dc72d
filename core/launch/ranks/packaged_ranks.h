// The ranks in the Python package `lockstep-workbench`: `ranks/2.11/lockstep-rank`, and `lockstep-rank-cuda13` beside
// it, were built for torch 2.11, whose CUDA is 13. The torch that is installed beside the package decides which are
// used.
#pragma once

#include "base/text.h"

#include <QString>

#include <optional>

namespace lockstep::launch {

struct PackagedRanks {
    QString cpu{}; ///< empty: none fits the installed torch
    QString cuda{};
    Text problem{}; ///< why there is no `cpu`, and what to run
    Text cudaProblem{}; ///< why there is no `cuda`
};

/// `folder` is that of the program `lockstep`; empty if it is not `lockstep_workbench/bin` of an installed package.
[[nodiscard]] std::optional<PackagedRanks> packagedRanks(const QString& folder);

} // namespace lockstep::launch
