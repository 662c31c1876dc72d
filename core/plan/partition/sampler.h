// The order of one rank's samples, epoch by epoch: torch.utils.data's samplers, with set_epoch.
#pragma once

#include "base/random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::plan {

class Sampler {
public:
    virtual ~Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    /// Samples an epoch.
    [[nodiscard]] std::int64_t size() const { return m_size; }
    /// 0, 1, ...: another order for each, the same whenever it is set again.
    void setEpoch(std::int64_t epoch);
    /// Of the epoch set last, at first 0; valid until the next is set.
    [[nodiscard]] std::span<const std::int64_t> indices();

protected:
    Sampler(std::int64_t size, Seed seed);

    /// Fills `indices`, which has size() elements.
    virtual void draw(std::span<std::int64_t> indices, Random& random) const = 0;

private:
    std::int64_t m_size;
    Seed m_seed;
    std::int64_t m_epoch = 0;
    std::int64_t m_drawn = -1;
    std::vector<std::int64_t> m_indices;
};

/// A share in a random order. With more than it has, samples repeat: first all, then all again in another order. With
/// fewer, others are left out each epoch.
class ShareSampler final : public Sampler {
public:
    ShareSampler(std::vector<std::int64_t> share, std::int64_t size, Seed seed);

private:
    void draw(std::span<std::int64_t> indices, Random& random) const override;

    std::vector<std::int64_t> m_share;
};

/// `size` draws out of 0 .. population-1, with replacement.
class ReplacementSampler final : public Sampler {
public:
    ReplacementSampler(std::int64_t population, std::int64_t size, Seed seed);

private:
    void draw(std::span<std::int64_t> indices, Random& random) const override;

    std::int64_t m_population;
};

} // namespace lockstep::plan
