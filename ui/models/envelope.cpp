#include "ui/models/envelope.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {

void Envelope::clear()
{
    m_buckets.clear();
    m_width = 1;
    m_count = 0;
}

void Envelope::add(std::span<const double> values, std::uint32_t index)
{
    if (index % m_width == 0) {
        if (m_buckets.size() >= 2 * m_most) {
            halve(values);
        }
        if (index % m_width == 0) {
            m_buckets.emplace_back();
        }
    }
    Bucket& bucket = m_buckets.back();
    const double value = values[index];
    if (!std::isfinite(value)) {
        bucket.gap = index;
        bucket.hasGap = true;
        return;
    }
    if (!bucket.hasValue || value < values[bucket.low]) {
        bucket.low = index;
    }
    if (!bucket.hasValue || value > values[bucket.high]) {
        bucket.high = index;
    }
    bucket.hasValue = true;
}

void Envelope::halve(std::span<const double> values)
{
    std::vector<Bucket> merged;
    for (std::size_t i = 0; i < m_buckets.size(); i += 2) {
        Bucket bucket = m_buckets[i];
        if (i + 1 < m_buckets.size()) {
            const Bucket& next = m_buckets[i + 1];
            if (next.hasValue) {
                bucket.low = bucket.hasValue && values[bucket.low] <= values[next.low] ? bucket.low : next.low;
                bucket.high = bucket.hasValue && values[bucket.high] >= values[next.high] ? bucket.high : next.high;
                bucket.hasValue = true;
            }
            bucket.gap = next.hasGap ? next.gap : bucket.gap;
            bucket.hasGap = bucket.hasGap || next.hasGap;
        }
        merged.push_back(bucket);
    }
    m_buckets = std::move(merged);
    m_width *= 2;
}

void Envelope::extend(std::span<const double> values)
{
    if (values.size() < m_count) {
        clear();
    }
    for (; m_count < values.size(); ++m_count) {
        add(values, static_cast<std::uint32_t>(m_count));
    }
}

std::vector<std::uint32_t> Envelope::indices() const
{
    std::vector<std::uint32_t> result;
    result.reserve(2 * m_buckets.size());
    for (const Bucket& bucket : m_buckets) {
        std::uint32_t points[3];
        std::size_t count = 0;
        if (bucket.hasValue) {
            points[count++] = bucket.low;
            points[count++] = bucket.high;
        }
        if (bucket.hasGap) {
            points[count++] = bucket.gap;
        }
        // At most three: by hand, since GCC 12 warns that std::sort overruns so short an array.
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t k = i; k > 0 && points[k] < points[k - 1]; --k) {
                std::swap(points[k], points[k - 1]);
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (result.empty() || result.back() != points[i]) {
                result.push_back(points[i]);
            }
        }
    }
    return result;
}

std::vector<std::uint32_t> decimated(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets)
{
    std::vector<std::uint32_t> result;
    const std::size_t count = last - first;
    if (count <= 2 * buckets) {
        for (std::size_t i = first; i < last; ++i) {
            result.push_back(static_cast<std::uint32_t>(i));
        }
        return result;
    }
    Envelope envelope(std::max<std::size_t>(1, buckets / 2));
    const auto part = values.subspan(first, count);
    envelope.extend(part);
    result = envelope.indices();
    for (std::uint32_t& index : result) {
        index += static_cast<std::uint32_t>(first);
    }
    return result;
}

} // namespace lockstep::ui
