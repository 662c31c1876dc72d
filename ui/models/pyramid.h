// The lowest and highest value of each 16, 32, 64, ... neighbours of a long curve, kept as points are appended: any
// stretch of it is drawn from a few of them, however long it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::ui {

class Pyramid {
public:
    /// Adds the values from where it stopped. With fewer than before it begins again.
    void extend(std::span<const double> values);

    /// Indices of the points to draw of values[first, last), in order: the lowest and highest of at most `buckets`
    /// stretches. An index that is not finite appears too: it is the gap. Short stretches are given whole.
    [[nodiscard]] std::vector<std::uint32_t> indices(
        std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets) const;

private:
    static constexpr std::uint32_t None = UINT32_MAX;
    struct Bucket {
        std::uint32_t low = None;
        std::uint32_t high = None;
        std::uint32_t gap = None;

        void add(std::span<const double> values, std::uint32_t index);
        void add(std::span<const double> values, const Bucket& next);
        void appendTo(std::vector<std::uint32_t>& indices) const;
    };

    [[nodiscard]] Bucket bucketOf(
        std::span<const double> values, std::size_t first, std::size_t last, std::size_t width) const;

    std::vector<std::vector<Bucket>> m_levels; ///< the first of 16 values each, the next of 32, ...
    std::size_t m_count = 0;
};

/// The same for a stretch of a curve, made at once.
[[nodiscard]] std::vector<std::uint32_t> decimated(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets);

} // namespace lockstep::ui
