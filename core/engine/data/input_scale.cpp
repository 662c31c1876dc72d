#include "engine/data/input_scale.h"

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::engine {

namespace {

constexpr std::int64_t ByteValues = 256;

template <typename T>
void fillTable(std::span<const datasets::ChannelScale> channels, T* to)
{
    for (const auto& [mean, deviation] : channels) {
        for (std::int64_t i = 0; i < ByteValues; ++i) {
            *to++ = static_cast<T>((static_cast<double>(i) / 255.0 - mean) / deviation);
        }
    }
}

// There are only 256 results a channel: tables in the L1 cache take one pass and round each of them once.
template <typename T>
void lookUp(const torch::Tensor& bytes, const torch::Tensor& table, T* to)
{
    const auto plane = static_cast<std::size_t>(bytes.size(2) * bytes.size(3));
    const std::int64_t planes = bytes.size(0) * bytes.size(1);
    const auto* from = bytes.data_ptr<std::uint8_t>();
    for (std::int64_t number = 0; number < planes; ++number, from += plane, to += plane) {
        const T* values = table.data_ptr<T>() + ByteValues * (number % table.size(0));
        for (std::size_t i = 0; i < plane; ++i) {
            to[i] = values[from[i]];
        }
    }
}

} // namespace

InputScale::InputScale(std::span<const datasets::ChannelScale> channels, at::ScalarType dtype, torch::Device device)
{
    if (channels.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(channels.size());
    torch::Tensor table = at::empty({count, ByteValues}, dtype);
    if (dtype == at::kDouble) {
        fillTable(channels, table.data_ptr<double>());
    } else {
        fillTable(channels, table.data_ptr<float>());
    }
    m_table = table.to(device);
    m_rows = (at::arange(count, at::kInt) * ByteValues).view({1, count, 1, 1}).to(device);
}

torch::Tensor InputScale::operator()(const torch::Tensor& input) const
{
    if (!m_table.defined() || input.scalar_type() != at::kByte) {
        return input;
    }
    if (!input.device().is_cpu()) {
        const torch::Tensor places = input.to(at::kInt);
        return m_table.flatten()
            .index_select(0, (m_table.size(0) > 1 ? places + m_rows : places).flatten())
            .view(input.sizes());
    }
    torch::Tensor scaled = at::empty(input.sizes(), m_table.options());
    const torch::Tensor bytes = input.contiguous();
    if (scaled.scalar_type() == at::kDouble) {
        lookUp(bytes, m_table, scaled.data_ptr<double>());
    } else {
        lookUp(bytes, m_table, scaled.data_ptr<float>());
    }
    return scaled;
}

} // namespace lockstep::engine
