// Gathers the samples that the sampler gives for each step into the tensors of a batch: the loader.
#pragma once

#include "engine/data/dataset.h"
#include "plan/partition/sampler.h"

#include <torch/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::engine {

struct Batch {
    torch::Tensor inputs; ///< for reading, until the next batch is asked for
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.size(0); }
};

class BatchUploads;

class Batches {
public:
    /// All must outlive this. Batches lie on `device`, wherever the data are.
    Batches(const LabelledInputs& data, plan::DistributedSampler& sampler, torch::Device device = torch::kCPU);
    ~Batches();

    /// What one rank works on in step 1, 2, ...: the same for the same sampler, whatever was asked for before.
    [[nodiscard]] Batch ofRank(std::int64_t step, int rank);
    /// What all ranks work on, one after the other. Samples that lie together are not copied.
    [[nodiscard]] Batch ofAll(std::int64_t step);

    /// From now on every batch of ofRank() lies in the same memory, if it has as many samples: what is recorded once
    /// can be repeated.
    void keepPlace() { m_keepsPlace = true; }
    /// Begins to bring what ofRank(step, rank) will give to the device, while that works on what it has.
    void prepare(std::int64_t step, int rank);

private:
    using Samples = std::span<const std::int64_t>;

    [[nodiscard]] Batch of(std::span<const Samples> pieces);
    [[nodiscard]] Batch room(std::int64_t samples);
    void gather(const Batch& batch, std::int64_t first, Samples chosen);
    /// The samples' numbers on the device; nothing is waited for.
    [[nodiscard]] torch::Tensor rowsOnDevice(Samples chosen);
    void upload(std::span<const Samples> pieces);

    const LabelledInputs& m_data;
    plan::DistributedSampler& m_sampler;
    torch::Device m_device;
    bool m_keepsPlace = false;
    std::unique_ptr<BatchUploads> m_uploads; ///< where the data are not on the device
    std::pair<std::int64_t, int> m_prepared{0, 0}; ///< step and rank of what is on its way; step 0: nothing
    /// The numbers that were sent last, in pinned memory, by turns: a device may be some steps behind.
    static constexpr std::size_t RowBuffers = 80; // pieces of a batch of 64 ranks, and some
    std::array<torch::Tensor, RowBuffers> m_rows;
    std::size_t m_nextRows = 0;
    torch::Tensor m_images; ///< room for the largest batch asked for so far, filled anew each step
    torch::Tensor m_labels;
};

} // namespace lockstep::engine
