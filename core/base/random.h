// A small random generator whose numbers are the same on every machine and compiler; the standard library's
// distributions and std::shuffle are not.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace lockstep {

struct Seed {
    std::uint64_t number = 0;

    /// An independent seed for a part of the work (a layer, an epoch, a rank): one step of SplitMix64 over the pair.
    [[nodiscard]] Seed derive(std::uint64_t stream) const;
};

/// What one seed of a run is used for: each use derives its stream first, so that no two draw the same numbers.
enum class SeedUse : std::uint64_t { Weights = 0x101, Batches = 0x102, Partition = 0x103 };

inline Seed seedFor(SeedUse use, std::uint64_t seed)
{
    return Seed{seed}.derive(static_cast<std::uint64_t>(use));
}

/// xoshiro256** 1.0 (Blackman and Vigna, 2018), seeded through SplitMix64.
class Random {
public:
    explicit Random(Seed seed);

    /// 64 uniform bits.
    std::uint64_t next();
    /// Uniform in 0 .. bound - 1, without bias (Lemire 2019, section 3). bound must be above 0.
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [0, 1), 53 bits.
    double uniform();
    /// Uniform in [low, high).
    double uniform(double low, double high);
    /// Standard normal (Marsaglia's polar method).
    double normal();

    /// Fisher-Yates, from the back.
    template <typename T>
    void shuffle(std::span<T> items)
    {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[below(i)]);
        }
    }

private:
    std::uint64_t m_state[4];
    double m_spareNormal = 0.0;
    bool m_hasSpareNormal = false;
};

} // namespace lockstep
