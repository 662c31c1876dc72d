// A long curve as few points: the lowest and highest value of each run of neighbours, updated as points are appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::ui {

/// Buckets of 2^k neighbours; k grows when there are more than `most` of them, so appending costs O(1) and the extremes
/// are exact. Non-finite values are marked, and come out as gaps.
class Envelope {
public:
    explicit Envelope(std::size_t most = 1024)
        : m_most(most)
    { }

    /// Adds the values from where it stopped.
    void extend(std::span<const double> values);
    void clear();

    /// Indices of the points to draw, in order. An index that was non-finite appears too: it is the gap.
    [[nodiscard]] std::vector<std::uint32_t> indices() const;

private:
    struct Bucket {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::uint32_t gap = 0;
        bool hasValue = false;
        bool hasGap = false;
    };

    void add(std::span<const double> values, std::uint32_t index);
    void halve(std::span<const double> values);

    std::vector<Bucket> m_buckets;
    std::size_t m_most;
    std::size_t m_width = 1;
    std::size_t m_count = 0;
};

/// The same for a stretch of a curve, made at once: at most about 2 points for each of `buckets`.
[[nodiscard]] std::vector<std::uint32_t> decimated(
    std::span<const double> values, std::size_t first, std::size_t last, std::size_t buckets);

} // namespace lockstep::ui
