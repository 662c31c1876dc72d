// Gathers the samples that the sampler gives for each step into the tensors of a batch: the loader.
#pragma once

#include "engine/data/dataset.h"
#include "plan/partition/distributed_sampler.h"

#include <torch/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::engine {

struct Batch {
    torch::Tensor inputs; ///< read-only, until the next batch is requested
    torch::Tensor labels;

    [[nodiscard]] std::int64_t size() const { return labels.size(0); }
};

class BatchUploads;

class Batches {
public:
    /// All must outlive this. Batches lie on `device`, wherever the data are.
    Batches(const LabelledInputs& data, plan::DistributedSampler& sampler, torch::Device device = torch::kCPU);
    ~Batches();

    /// What one rank works on in step 1, 2, ...; depends on the sampler alone, not on earlier calls.
    [[nodiscard]] Batch ofRank(std::int64_t step, int rank);
    /// What all ranks work on, one after the other. Samples that lie together are not copied.
    [[nodiscard]] Batch ofAll(std::int64_t step);

    /// From now on batches of ofRank() with equal numbers of samples use the same memory, so that graphs can be
    /// replayed.
    void keepPlace() { m_keepsPlace = true; }
    /// Starts to copy the batch of ofRank(step, rank) to the device, while that works on the current one.
    void prepare(std::int64_t step, int rank);

private:
    using Samples = std::span<const std::int64_t>;

    [[nodiscard]] Batch of(std::span<const Samples> pieces);
    /// Nothing where they do not lie together, or batches have to keep their place.
    [[nodiscard]] std::optional<Batch> lyingTogether(std::span<const Samples> pieces) const;
    [[nodiscard]] Batch room(std::int64_t samples);
    void gather(const Batch& batch, std::int64_t first, Samples chosen);
    /// Fills a part of a batch with the samples that `rows`, on the device, names.
    void select(const Batch& batch, std::int64_t first, const torch::Tensor& rows);
    /// The indices of a rank's samples on the device. Sends those of many steps at once: where processes take turns on
    /// a GPU, each copy from the host gives the turn away.
    [[nodiscard]] torch::Tensor rowsOfRank(std::int64_t step, int rank);
    /// The samples' indices on the device; does not wait.
    [[nodiscard]] torch::Tensor rowsOnDevice(Samples chosen);
    void upload(std::span<const Samples> pieces);

    const LabelledInputs& m_data;
    plan::DistributedSampler& m_sampler;
    torch::Device m_device;
    bool m_keepsPlace = false;
    std::unique_ptr<BatchUploads> m_uploads; ///< where the data are not on the device
    std::pair<std::int64_t, int> m_prepared{0, 0}; ///< step and rank of the batch being copied; step 0: none
    /// The indices of some steps in turn.
    struct Window {
        std::int64_t first = 0; ///< step
        int rank = 0;
        std::vector<std::int64_t> ends; ///< in `rows`, by step
        torch::Tensor rows;
    };
    Window m_window;
    /// The indices sent last, in pinned memory, in turns: a device may be some steps behind.
    static constexpr std::size_t RowBuffers = 80; // pieces of a batch of 64 ranks, and some
    std::array<torch::Tensor, RowBuffers> m_rows;
    std::size_t m_nextRows = 0;
    torch::Tensor m_images; ///< room for the largest batch so far, refilled each step
    torch::Tensor m_labels;
};

} // namespace lockstep::engine
