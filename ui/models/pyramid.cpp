#include "ui/models/pyramid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr std::size_t Lowest = 16; ///< values of a bucket of the first level

} // namespace

void Pyramid::Bucket::add(std::span<const double> values, std::uint32_t index)
{
    const double value = values[index];
    if (!std::isfinite(value)) {
        gap = index;
        return;
    }
    if (low == None || value < values[low]) {
        low = index;
    }
    if (high == None || value > values[high]) {
        high = index;
    }
}

void Pyramid::Bucket::add(std::span<const double> values, const Bucket& next)
{
    if (next.low != None && (low == None || values[next.low] < values[low])) {
        low = next.low;
    }
    if (next.high != None && (high == None || values[next.high] > values[high])) {
        high = next.high;
    }
    gap = next.gap != None ? next.gap : gap;
}

void Pyramid::Bucket::appendTo(std::vector<std::uint32_t>& indices) const
{
    std::uint32_t first = low;
    std::uint32_t second = high;
    std::uint32_t third = gap;
    const auto order = [](std::uint32_t& a, std::uint32_t& b) {
        if (b < a) {
            std::swap(a, b);
        }
    };
    order(first, second);
    order(second, third);
    order(first, second);
    for (const std::uint32_t index : {first, second, third}) {
        if (index != None && (indices.empty() || indices.back() != index)) {
            indices.push_back(index);
        }
    }
}

void Pyramid::extend(std::span<const double> values)
{
    if (values.size() < m_count) {
        m_levels.clear();
        m_count = 0;
    }
    if (values.size() == m_count) {
        return;
    }
    if (m_levels.empty()) {
        m_levels.emplace_back();
    }
    std::size_t changed = m_count / Lowest; // the first bucket of a level that is new or not full
    m_levels.front().resize(changed);
    for (std::size_t first = changed * Lowest; first < values.size(); first += Lowest) {
        Bucket bucket;
        for (std::size_t i = first; i < std::min(values.size(), first + Lowest); ++i) {
            bucket.add(values, static_cast<std::uint32_t>(i));
        }
        m_levels.front().push_back(bucket);
    }
    for (std::size_t level = 1; m_levels[level - 1].size() > 1; ++level) {
        if (level == m_levels.size()) {
            m_levels.emplace_back();
        }
        const std::vector<Bucket>& below = m_levels[level - 1];
        std::vector<Bucket>& here = m_levels[level];
        changed = std::min(changed / 2, here.size());
        here.resize(changed);
        for (std::size_t i = 2 * changed; i < below.size(); i += 2) {
            here.push_back(below[i]);
            if (i + 1 < below.size()) {
                here.back().add(values, below[i + 1]);
            }
        }
    }
    m_count = values.size();
}

/// Of a bucket's stretch, or of a part of it at an end of what is drawn.
Pyramid::Bucket Pyramid::bucketOf(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t width) const
{
    const bool isWhole = last - first == width;
    if (isWhole && width >= Lowest) {
        return m_levels[static_cast<std::size_t>(std::countr_zero(width / Lowest))][first / width];
    }
    Bucket bucket;
    for (std::size_t i = first; i < last; ++i) {
        bucket.add(values, static_cast<std::uint32_t>(i));
    }
    return bucket;
}

std::vector<std::uint32_t> Pyramid::indices(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets) const
{
    std::vector<std::uint32_t> indices;
    const std::size_t count = last - first;
    if (count <= 2 * buckets) {
        for (std::size_t i = first; i < last; ++i) {
            indices.push_back(static_cast<std::uint32_t>(i));
        }
        return indices;
    }
    // Stretches begin at multiples of their width: points stay where they are while the chart is moved.
    const std::size_t width = std::bit_ceil((count + buckets - 1) / buckets);
    indices.reserve(2 * (count / width + 2));
    for (std::size_t begin = first / width * width; begin < last; begin += width) {
        bucketOf(values, std::max(first, begin), std::min(last, begin + width), width).appendTo(indices);
    }
    return indices;
}

std::vector<std::uint32_t> decimated(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets)
{
    const auto part = values.subspan(first, last - first);
    Pyramid pyramid;
    pyramid.extend(part);
    std::vector<std::uint32_t> indices = pyramid.indices(part, 0, part.size(), std::max<std::size_t>(1, buckets));
    for (std::uint32_t& index : indices) {
        index += static_cast<std::uint32_t>(first);
    }
    return indices;
}

} // namespace lockstep::ui
