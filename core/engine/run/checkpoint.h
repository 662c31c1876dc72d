// A run's state between two steps, kept so that it can go on from there: one file a rank with its weights and its
// optimizer's state, and a manifest with their checksums. The folder gets its name last, so what has a name is whole:
//
//     <folder>/step-00000500/rank-0.pt, rank-1.pt, ..., manifest.json
//
// Which samples come next follows from step and seed, and nothing else in a step is random: a run that goes on takes
// the same steps, to the last bit on the CPU, as one that was never disturbed.
#pragma once

#include "engine/run/checkpoint_files.h"
#include "engine/run/loop.h"

#include <optional>
#include <string>

namespace lockstep::engine {

class Checkpoints {
public:
    /// Into `checkpoint.path`, there into a folder named after the run where it has an id (LOCKSTEP_RUN), or where the
    /// workbench says (LOCKSTEP_CHECKPOINTS). All must outlive it.
    Checkpoints(const experiment::RunSpec& run, const RankContext& context, Job& job, Strategy& strategy);

    /// Whether there is a folder to write to, and a step that all ranks have done.
    [[nodiscard]] bool canSave() const { return !m_folder.empty() && m_strategy.isSynchronous(); }
    /// Whether `step` ends with one.
    [[nodiscard]] bool isDue(std::int64_t step) const;
    /// Every rank calls it after the same step; gives the checkpoint's folder. On an error nothing of it stays, and the
    /// run may go on.
    [[nodiscard]] Result<std::string> save(const Position& position);
    /// As `checkpoint.from` says: every rank takes its state over. Errors name what does not fit, or what is torn, and
    /// then the whole checkpoint before it.
    [[nodiscard]] Result<Position> restore();

private:
    /// By parameter: all of this rank's net, or its parts.
    [[nodiscard]] const std::vector<NamedTensor>& ownWeights() const;
    [[nodiscard]] bool hasOnlyShards() const;
    [[nodiscard]] Result<void> write(const std::string& folder, const Position& position) const;
    [[nodiscard]] Result<void> writeManifest(const std::string& folder, std::int64_t step);
    [[nodiscard]] Result<Manifest> fittingManifest(const std::string& folder) const;
    [[nodiscard]] Result<void> copyState(const Tensors& from, const std::string& folder);
    [[nodiscard]] Result<void> agree(Result<void> own) const;
    void dropOldest() const;

    const experiment::RunSpec& m_run;
    const RankContext& m_context;
    Job& m_job;
    Strategy& m_strategy;
    std::string m_folder;
    std::int64_t m_every;
    std::int64_t m_keep;
    std::optional<std::string> m_data; ///< dataIdentity(), once asked for
};

/// The weights of a whole checkpoint as one file that Python reads with torch.load(file, weights_only=True): a
/// dictionary of names ("0.weight") and tensors. Ranks that have trained on their own are averaged, parts
/// of a net or of its tensors put together.
[[nodiscard]] Result<void> joinWeights(const std::string& checkpoint, const std::string& file);

} // namespace lockstep::engine
