// A run's state between two steps, from which it can resume: one file per rank with its weights and optimizer state,
// and a manifest with their hashes. The folder is renamed last, so one with this name is complete:
//
//     <folder>/step-00000500/rank-0.safetensors, rank-1.safetensors, ..., manifest.json
//
// Ranks on several hosts may have no folder in common. Then each host's folder has the files of its ranks and the same
// manifest, and the ranks send their files to the workbench (wire/checkpoint_part.h).
//
// Step and seed determine the next samples, and nothing else in a step is random: a resumed run takes the same steps,
// to the last bit on the CPU, as one that was never interrupted.
#pragma once

#include "engine/run/files/checkpoint_files.h"
#include "engine/run/files/rank_files.h"
#include "engine/run/loop.h"

#include <optional>
#include <string>

namespace lockstep::engine {

class Checkpoints {
public:
    /// Into `checkpoint.path`, in a folder named after the run if it has an id (RankContext::run, LOCKSTEP_RUN), or
    /// into LOCKSTEP_CHECKPOINTS, set by the workbench. All must outlive it.
    Checkpoints(
        const experiment::RunSpec& run, const RankContext& context, Job& job, Strategy& strategy, Recorder& recorder);

    /// Whether there is a folder to write to, and a step that all ranks have done.
    [[nodiscard]] bool canSave() const { return !m_folder.empty() && m_strategy.isSynchronous(); }
    /// Whether `step` ends with one.
    [[nodiscard]] bool isDue(std::int64_t step) const;
    struct Saved {
        std::int64_t step = 0;
        std::string folder;
        bool isApart = false; ///< each host has the files of its own ranks
    };
    /// Every rank calls it after the same step. An error leaves no files, and the run may continue.
    [[nodiscard]] Result<Saved> save(const Position& position);
    /// Has this rank's file sent to the workbench, and rank 0 the manifest, unless the workbench sees this folder.
    /// Every rank calls it. While one of them still sends an earlier checkpoint all leave this one out, unless it is
    /// the last.
    [[nodiscard]] Result<void> send(const Saved& saved, LastCheckpoint last) const;
    /// Every rank loads its state from `checkpoint.from`. Errors name what does not fit, or what is damaged, and then
    /// the last complete checkpoint before it.
    [[nodiscard]] Result<Position> restore();

private:
    /// By parameter: all of this rank's net, or its parts.
    [[nodiscard]] const std::vector<NamedTensor>& ownWeights() const;
    [[nodiscard]] bool hasOnlyShards() const;
    [[nodiscard]] Result<FileSum> write(const std::string& folder, const Position& position) const;
    [[nodiscard]] Result<void> complete(const std::string& part, const std::string& name, Manifest& manifest);
    [[nodiscard]] bool areOnSeveralHosts() const { return m_strategy.network() != nullptr; }
    [[nodiscard]] AllReduceSum sums() const;
    [[nodiscard]] const std::string& identityOfData();
    [[nodiscard]] Result<Manifest> fittingManifest(const std::string& folder) const;
    [[nodiscard]] Result<void> copyState(const Tensors& from, const std::string& folder);
    [[nodiscard]] Result<void> agree(const Result<void>& own) const;
    void dropOldest() const;

    const experiment::RunSpec& m_run;
    const RankContext& m_context;
    Job& m_job;
    Strategy& m_strategy;
    Recorder& m_recorder;
    std::string m_folder;
    std::int64_t m_every;
    std::int64_t m_keep;
    std::optional<std::string> m_data; ///< dataIdentity(), once requested
};

} // namespace lockstep::engine
