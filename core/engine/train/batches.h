// Gathers the samples that the dealing gives each step into the tensors of a batch: the loader.
#pragma once

#include "engine/data/dataset.h"
#include "plan/partition/dealing.h"

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::engine {

struct Batch {
    torch::Tensor images; ///< for reading, until the next batch is asked for
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.size(0); }
};

class Batches {
public:
    /// Both must outlive this.
    Batches(const LabelledImages& data, plan::Dealing& dealing);

    /// What one rank works on in step 1, 2, ...: the same for the same dealing, whatever was asked for before.
    [[nodiscard]] Batch ofRank(std::int64_t step, int rank);
    /// What all ranks work on, one after the other. Samples that lie together are not copied.
    [[nodiscard]] Batch ofAll(std::int64_t step);

private:
    using Samples = std::span<const std::int64_t>;

    [[nodiscard]] Batch of(std::span<const Samples> pieces);
    [[nodiscard]] Batch room(std::int64_t samples);
    void gather(const Batch& batch, std::int64_t first, Samples chosen) const;

    const LabelledImages& m_data;
    plan::Dealing& m_dealing;
    torch::Tensor m_images; ///< room for the largest batch asked for so far, filled anew each step
    torch::Tensor m_labels;
};

} // namespace lockstep::engine
