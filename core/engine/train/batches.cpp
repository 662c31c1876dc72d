#include "engine/train/batches.h"

#include <torch/torch.h>

#include <cstddef>
#include <cstring>

namespace lockstep::engine {

Batches::Batches(const LabelledImages& data, plan::Dealing& dealing)
    : m_data(data)
    , m_dealing(dealing)
{ }

Batch Batches::room(std::int64_t samples)
{
    if (!m_labels.defined() || m_labels.size(0) < samples) {
        auto sizes = m_data.images.sizes().vec();
        sizes[0] = samples;
        m_images = torch::empty(sizes, m_data.images.options());
        m_labels = torch::empty({samples}, m_data.labels.options());
    }
    return {m_images.narrow(0, 0, samples), m_labels.narrow(0, 0, samples)};
}

Batch Batches::ofRank(std::int64_t step, int rank)
{
    const auto chosen = m_dealing.indices(step, rank);
    Batch batch = room(static_cast<std::int64_t>(chosen.size()));
    gather(batch, 0, chosen);
    return batch;
}

Batch Batches::ofAll(std::int64_t step)
{
    Batch batch = room(m_dealing.countOfAll(step));
    std::int64_t first = 0;
    for (int rank = 0; rank < m_dealing.ranks(); ++rank) {
        const auto chosen = m_dealing.indices(step, rank);
        gather(batch, first, chosen);
        first += static_cast<std::int64_t>(chosen.size());
    }
    return batch;
}

void Batches::gather(const Batch& batch, std::int64_t first, std::span<const std::int64_t> chosen) const
{
    if (!m_data.images.device().is_cpu()) {
        const auto count = static_cast<std::int64_t>(chosen.size());
        const torch::Tensor rows
            = torch::tensor(at::ArrayRef(chosen.data(), chosen.size()), torch::kLong).to(m_data.images.device());
        batch.images.narrow(0, first, count).copy_(m_data.images.index_select(0, rows));
        batch.labels.narrow(0, first, count).copy_(m_data.labels.index_select(0, rows));
        return;
    }
    // On the CPU a sample is a row of known length: copying it costs less than asking LibTorch to.
    const auto rowBytes = static_cast<std::size_t>(m_data.images.nbytes()) / static_cast<std::size_t>(m_data.size());
    const auto* labels = m_data.labels.data_ptr<std::int64_t>();
    const auto* images = static_cast<const std::byte*>(m_data.images.data_ptr());
    auto* toLabels = batch.labels.data_ptr<std::int64_t>() + first;
    auto* toImages = static_cast<std::byte*>(batch.images.data_ptr()) + static_cast<std::size_t>(first) * rowBytes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto row = static_cast<std::size_t>(chosen[i]);
        std::memcpy(toImages + i * rowBytes, images + row * rowBytes, rowBytes);
        toLabels[i] = labels[row];
    }
}

} // namespace lockstep::engine
