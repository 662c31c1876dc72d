#include "engine/train/batches.h"

#include <torch/torch.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>

namespace lockstep::engine {

Batches::Batches(const LabelledImages& data, std::int64_t batch, Seed seed)
    : m_data(data)
    , m_batch(std::min(batch, data.size()))
    , m_stepsPerEpoch((data.size() + m_batch - 1) / m_batch)
    , m_seed(seed)
{ }

void Batches::makeRoom(std::int64_t samples)
{
    if (m_labels.defined() && m_labels.size(0) >= samples) {
        return;
    }
    auto sizes = m_data.images.sizes().vec();
    sizes[0] = samples;
    m_images = torch::empty(sizes, m_data.images.options());
    m_labels = torch::empty({samples}, m_data.labels.options());
}

void Batches::shuffle(std::int64_t epoch)
{
    torch::Tensor order = torch::empty({m_data.size()}, torch::kLong);
    const std::span<std::int64_t> items(order.data_ptr<std::int64_t>(), static_cast<std::size_t>(m_data.size()));
    std::iota(items.begin(), items.end(), std::int64_t{0});
    Random random(m_seed.derive(static_cast<std::uint64_t>(epoch)));
    random.shuffle(items);
    m_order = order.to(m_data.images.device());
    m_epoch = epoch;
}

Batch Batches::batchOfStep(std::int64_t step, plan::Slice part)
{
    const std::int64_t epoch = (step - 1) / m_stepsPerEpoch;
    if (epoch != m_epoch) {
        shuffle(epoch);
    }
    makeRoom(part.count);
    const std::int64_t first = (step - 1) % m_stepsPerEpoch * m_batch;
    Batch batch{m_images.narrow(0, 0, part.count), m_labels.narrow(0, 0, part.count)};
    gather(batch, first + part.first);
    return batch;
}

Batch Batches::batchOfStep(std::int64_t step)
{
    return batchOfStep(step, {0, sizeOfStep(step)});
}

std::int64_t Batches::sizeOfStep(std::int64_t step) const
{
    return std::min(m_batch, m_data.size() - (step - 1) % m_stepsPerEpoch * m_batch);
}

void Batches::gather(Batch& batch, std::int64_t first)
{
    const torch::Tensor chosen = m_order.narrow(0, first, batch.size());
    if (!m_data.images.device().is_cpu()) {
        torch::index_select_out(batch.images, m_data.images, 0, chosen);
        torch::index_select_out(batch.labels, m_data.labels, 0, chosen);
        return;
    }
    // On the CPU a sample is a row of known length: copying it costs less than asking LibTorch to.
    const auto rowBytes = static_cast<std::size_t>(m_data.images.nbytes()) / static_cast<std::size_t>(m_data.size());
    const auto* rows = chosen.data_ptr<std::int64_t>();
    const auto* labels = m_data.labels.data_ptr<std::int64_t>();
    const auto* images = static_cast<const std::byte*>(m_data.images.data_ptr());
    auto* toLabels = batch.labels.data_ptr<std::int64_t>();
    auto* toImages = static_cast<std::byte*>(batch.images.data_ptr());
    for (std::int64_t i = 0; i < batch.size(); ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        std::memcpy(toImages + static_cast<std::size_t>(i) * rowBytes, images + row * rowBytes, rowBytes);
        toLabels[i] = labels[row];
    }
}

} // namespace lockstep::engine
