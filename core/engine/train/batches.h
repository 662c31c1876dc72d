// Deals the training set in batches: a fresh seeded permutation an epoch, the last, smaller batch kept.
#pragma once

#include "base/random.h"
#include "engine/data/dataset.h"
#include "plan/slices.h"

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

struct Batch {
    torch::Tensor images; ///< valid until the next batch is asked for
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.size(0); }
};

class Batches {
public:
    /// `data` must outlive this.
    Batches(const LabelledImages& data, std::int64_t batch, Seed seed);

    /// The batch of step 1, 2, ...: the same for the same seed, whatever was asked for before.
    [[nodiscard]] Batch batchOfStep(std::int64_t step);
    /// A part of it: what one rank works on.
    [[nodiscard]] Batch batchOfStep(std::int64_t step, plan::Slice part);
    /// Samples of the whole batch of that step.
    [[nodiscard]] std::int64_t sizeOfStep(std::int64_t step) const;

private:
    void shuffle(std::int64_t epoch);
    void gather(Batch& batch, std::int64_t first);
    void makeRoom(std::int64_t samples);

    const LabelledImages& m_data;
    std::int64_t m_batch;
    std::int64_t m_stepsPerEpoch;
    Seed m_seed;
    std::int64_t m_epoch = -1;
    torch::Tensor m_order; ///< [n] int64, on the data's device
    torch::Tensor m_images; ///< room for the largest part asked for so far, filled anew each step
    torch::Tensor m_labels;
};

} // namespace lockstep::engine
