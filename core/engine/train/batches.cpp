#include "engine/train/batches.h"

#include "engine/memory/memory_account.h"

#include <torch/torch.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace lockstep::engine {

namespace {

/// On the CPU a sample is a row of known length: copying it costs less than asking LibTorch to.
void copyRows(const torch::Tensor& from, const torch::Tensor& to, std::int64_t first, std::span<const std::int64_t> chosen)
{
    const auto rowBytes = static_cast<std::size_t>(from.nbytes()) / static_cast<std::size_t>(from.size(0));
    const auto* source = static_cast<const std::byte*>(from.data_ptr());
    auto* target = static_cast<std::byte*>(to.data_ptr()) + static_cast<std::size_t>(first) * rowBytes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        std::memcpy(target + i * rowBytes, source + static_cast<std::size_t>(chosen[i]) * rowBytes, rowBytes);
    }
}

} // namespace

Batches::Batches(const LabelledImages& data, plan::Dealing& dealing)
    : m_data(data)
    , m_dealing(dealing)
{ }

Batch Batches::room(std::int64_t samples)
{
    if (!m_labels.defined() || m_labels.size(0) < samples) {
        const MemoryScope scope(MemoryKind::Data);
        const auto roomFor = [samples](const torch::Tensor& all) {
            auto sizes = all.sizes().vec();
            sizes[0] = samples;
            return torch::empty(sizes, all.options());
        };
        m_images = roomFor(m_data.images);
        m_labels = roomFor(m_data.labels);
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
    copyRows(m_data.images, batch.images, first, chosen);
    copyRows(m_data.labels, batch.labels, first, chosen);
}

} // namespace lockstep::engine
