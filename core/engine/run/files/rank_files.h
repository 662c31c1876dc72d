// The files that the ranks of a checkpoint have written: what each is, and which ranks share a folder. On several hosts
// a path may name one folder (a shared file system) or one on each host. Private to core/engine/run.
#pragma once

#include "engine/ranks/rank_context.h"
#include "engine/run/files/checkpoint_files.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::engine {

/// Sums over all ranks, in place; every rank calls it. Strategy::allReduceSum().
using AllReduceSum = std::function<Result<void>(std::span<double>)>;

/// The files of all ranks, by rank. Every rank calls it with what it has written; if one could not write, all get an
/// error.
[[nodiscard]] Result<std::vector<Manifest::File>> describeFiles(
    const Result<FileSum>& own, const RankContext& context, const AllReduceSum& allReduceSum);

/// Sets each file's keeper: the lowest rank that writes to the same folder. Every rank calls it.
[[nodiscard]] Result<void> findKeepers(const std::string& folder, std::vector<Manifest::File>& files,
    const RankContext& context, const AllReduceSum& allReduceSum);

/// Gives the manifest, or this rank's error, once all ranks have one: an error also where another rank has none, or one
/// of another checkpoint. Every rank calls it.
[[nodiscard]] Result<Manifest> agreedOn(
    Result<Manifest> own, const RankContext& context, const AllReduceSum& allReduceSum);

} // namespace lockstep::engine
