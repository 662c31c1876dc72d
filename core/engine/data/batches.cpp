#include "engine/data/batches.h"

#include "engine/data/batch_uploads.h"
#include "engine/memory/memory_account.h"

#include <torch/types.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace lockstep::engine {

namespace {

constexpr std::size_t StepsInAWindow = 64;
constexpr std::size_t RowsInAWindow = 8192;

/// On the CPU a sample is a row of known length: copying it costs less than asking LibTorch to.
void copyRows(
    const torch::Tensor& from, const torch::Tensor& to, std::int64_t first, std::span<const std::int64_t> chosen)
{
    const auto rowBytes = static_cast<std::size_t>(from.nbytes()) / static_cast<std::size_t>(from.size(0));
    const auto* source = static_cast<const std::byte*>(from.data_ptr());
    auto* target = static_cast<std::byte*>(to.data_ptr()) + static_cast<std::size_t>(first) * rowBytes;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        std::memcpy(target + i * rowBytes, source + static_cast<std::size_t>(chosen[i]) * rowBytes, rowBytes);
    }
}

} // namespace

Batches::Batches(const LabelledInputs& data, plan::DistributedSampler& sampler, torch::Device device)
    : m_data(data)
    , m_sampler(sampler)
    , m_device(device)
    , m_uploads(uploadsTo(device, data))
{ }

Batches::~Batches() = default;

Batch Batches::room(std::int64_t samples)
{
    if (!m_labels.defined() || m_labels.size(0) < samples) {
        const MemoryScope scope(MemoryKind::Data);
        const auto roomFor = [samples](const torch::Tensor& all) {
            auto sizes = all.sizes().vec();
            sizes[0] = samples;
            return torch::empty(sizes, all.options());
        };
        m_images = roomFor(m_data.inputs);
        m_labels = roomFor(m_data.labels);
    }
    return {m_images.narrow(0, 0, samples), m_labels.narrow(0, 0, samples)};
}

Batch Batches::ofRank(std::int64_t step, int rank)
{
    if (m_uploads && m_prepared == std::pair(step, rank)) {
        m_prepared = {0, 0};
        return m_uploads->take();
    }
    const std::array pieces{m_sampler.indices(step, rank)};
    if (m_uploads || m_data.inputs.device().is_cpu()) {
        return of(pieces);
    }
    if (auto batch = lyingTogether(pieces)) {
        return *batch;
    }
    const torch::Tensor rows = rowsOfRank(step, rank);
    const Batch batch = room(rows.size(0));
    select(batch, 0, rows);
    return batch;
}

void Batches::prepare(std::int64_t step, int rank)
{
    if (m_uploads && m_sampler.count(step, rank) > 0) {
        const std::array pieces{m_sampler.indices(step, rank)};
        upload(pieces);
        m_prepared = {step, rank};
    }
}

void Batches::upload(std::span<const Samples> pieces)
{
    std::int64_t count = 0;
    for (const Samples piece : pieces) {
        count += static_cast<std::int64_t>(piece.size());
    }
    const Batch host = m_uploads->room(count);
    std::int64_t first = 0;
    for (const Samples piece : pieces) {
        copyRows(m_data.inputs, host.inputs, first, piece);
        copyRows(m_data.labels, host.labels, first, piece);
        first += static_cast<std::int64_t>(piece.size());
    }
    m_uploads->send();
}

Batch Batches::ofAll(std::int64_t step)
{
    std::vector<Samples> pieces;
    for (int rank = 0; rank < m_sampler.ranks(); ++rank) {
        pieces.push_back(m_sampler.indices(step, rank));
    }
    return of(pieces);
}

Batch Batches::of(std::span<const Samples> pieces)
{
    if (m_uploads) {
        upload(pieces);
        m_prepared = {0, 0};
        return m_uploads->take();
    }
    if (auto batch = lyingTogether(pieces)) {
        return *batch;
    }
    std::int64_t count = 0;
    for (const Samples piece : pieces) {
        count += static_cast<std::int64_t>(piece.size());
    }
    Batch batch = room(count);
    std::int64_t first = 0;
    for (const Samples piece : pieces) {
        gather(batch, first, piece);
        first += static_cast<std::int64_t>(piece.size());
    }
    return batch;
}

std::optional<Batch> Batches::lyingTogether(std::span<const Samples> pieces) const
{
    std::int64_t count = 0;
    std::int64_t start = -1;
    bool liesTogether = !m_keepsPlace;
    for (const Samples piece : pieces) {
        start = start < 0 && !piece.empty() ? piece.front() : start;
        for (std::size_t i = 0; liesTogether && i < piece.size(); ++i) {
            liesTogether = piece[i] == start + count + static_cast<std::int64_t>(i);
        }
        count += static_cast<std::int64_t>(piece.size());
    }
    return liesTogether && count > 0
        ? std::optional<Batch>({m_data.inputs.narrow(0, start, count), m_data.labels.narrow(0, start, count)})
        : std::nullopt;
}

void Batches::gather(const Batch& batch, std::int64_t first, Samples chosen)
{
    if (!m_data.inputs.device().is_cpu()) {
        select(batch, first, rowsOnDevice(chosen));
        return;
    }
    copyRows(m_data.inputs, batch.inputs, first, chosen);
    copyRows(m_data.labels, batch.labels, first, chosen);
}

void Batches::select(const Batch& batch, std::int64_t first, const torch::Tensor& rows)
{
    torch::Tensor inputs = batch.inputs.narrow(0, first, rows.size(0));
    torch::Tensor labels = batch.labels.narrow(0, first, rows.size(0));
    at::index_select_out(inputs, m_data.inputs, 0, rows);
    at::index_select_out(labels, m_data.labels, 0, rows);
}

torch::Tensor Batches::rowsOfRank(std::int64_t step, int rank)
{
    const auto steps = static_cast<std::int64_t>(m_window.ends.size());
    if (rank != m_window.rank || step < m_window.first || step >= m_window.first + steps) {
        m_window = {.first = step, .rank = rank, .ends = {}, .rows = {}};
        std::vector<std::int64_t> rows;
        for (std::int64_t next = step; m_window.ends.size() < StepsInAWindow && rows.size() < RowsInAWindow; ++next) {
            const Samples chosen = m_sampler.indices(next, rank);
            rows.insert(rows.end(), chosen.begin(), chosen.end());
            m_window.ends.push_back(static_cast<std::int64_t>(rows.size()));
        }
        // LibTorch reuses pinned memory only after the copy is done.
        const torch::Tensor pinned = torch::empty(
            {static_cast<std::int64_t>(rows.size())}, torch::TensorOptions(torch::kLong).pinned_memory(true));
        std::ranges::copy(rows, pinned.data_ptr<std::int64_t>());
        m_window.rows = pinned.to(m_device, /*non_blocking=*/true);
    }
    const auto at = static_cast<std::size_t>(step - m_window.first);
    const std::int64_t begin = at == 0 ? 0 : m_window.ends[at - 1];
    return m_window.rows.narrow(0, begin, m_window.ends[at] - begin);
}

torch::Tensor Batches::rowsOnDevice(Samples chosen)
{
    torch::Tensor& buffer = m_rows[m_nextRows];
    m_nextRows = (m_nextRows + 1) % RowBuffers;
    const auto count = static_cast<std::int64_t>(chosen.size());
    if (!buffer.defined() || buffer.size(0) < count) {
        buffer = torch::empty({count}, torch::TensorOptions(torch::kLong).pinned_memory(true));
    }
    std::copy(chosen.begin(), chosen.end(), buffer.data_ptr<std::int64_t>());
    return buffer.narrow(0, 0, count).to(m_device, /*non_blocking=*/true);
}

} // namespace lockstep::engine
