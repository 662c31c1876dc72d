// The files that the ranks of a checkpoint have written: what each is, and which ranks share a folder. On several hosts
// a path may name one folder (a shared file system) or one on each host. Private to core/engine/run.
#pragma once

#include "engine/ranks/rank_context.h"
#include "engine/run/checkpoint_files.h"
#include "engine/strategy/strategy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::engine {

/// The files of all ranks, by rank; each rank describes its own in `folder`. Every rank calls it. `written`: whether
/// this rank could write its file; if one could not, all get an error.
[[nodiscard]] Result<std::vector<Manifest::File>> describeFiles(
    const std::string& folder, Result<void> written, const RankContext& context, Strategy& strategy);

/// Sets each file's keeper: the lowest rank whose file lies in the same folder. Every rank calls it, after
/// describeFiles().
[[nodiscard]] Result<void> findKeepers(
    const std::string& folder, std::vector<Manifest::File>& files, const RankContext& context, Strategy& strategy);

/// The first rank that has read another manifest than rank 0, on another host; -1: all have read the same. Every rank
/// calls it.
[[nodiscard]] Result<int> rankWithOther(const Manifest& manifest, const RankContext& context, Strategy& strategy);

} // namespace lockstep::engine
