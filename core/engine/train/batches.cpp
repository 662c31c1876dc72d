#include "engine/train/batches.h"

#include <torch/torch.h>

#include <array>
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
    const std::array pieces{m_dealing.indices(step, rank)};
    return of(pieces);
}

Batch Batches::ofAll(std::int64_t step)
{
    std::vector<Samples> pieces;
    for (int rank = 0; rank < m_dealing.ranks(); ++rank) {
        pieces.push_back(m_dealing.indices(step, rank));
    }
    return of(pieces);
}

Batch Batches::of(std::span<const Samples> pieces)
{
    std::int64_t count = 0;
    std::int64_t start = -1;
    bool liesTogether = true;
    for (const Samples piece : pieces) {
        start = start < 0 && !piece.empty() ? piece.front() : start;
        for (std::size_t i = 0; liesTogether && i < piece.size(); ++i) {
            liesTogether = piece[i] == start + count + static_cast<std::int64_t>(i);
        }
        count += static_cast<std::int64_t>(piece.size());
    }
    if (liesTogether && count > 0) {
        return {m_data.images.narrow(0, start, count), m_data.labels.narrow(0, start, count)};
    }
    Batch batch = room(count);
    std::int64_t first = 0;
    for (const Samples piece : pieces) {
        gather(batch, first, piece);
        first += static_cast<std::int64_t>(piece.size());
    }
    return batch;
}

void Batches::gather(const Batch& batch, std::int64_t first, Samples chosen) const
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
