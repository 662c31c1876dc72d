#include "plan/partition/sampler.h"

#include <algorithm>

namespace lockstep::plan {

Sampler::Sampler(std::int64_t size, Seed seed)
    : m_size(size)
    , m_seed(seed)
{ }

void Sampler::setEpoch(std::int64_t epoch)
{
    m_epoch = epoch;
}

std::span<const std::int64_t> Sampler::indices()
{
    if (m_drawn != m_epoch) {
        m_indices.resize(static_cast<std::size_t>(m_size));
        Random random(m_seed.derive(static_cast<std::uint64_t>(m_epoch)));
        draw(m_indices, random);
        m_drawn = m_epoch;
    }
    return m_indices;
}

ShareSampler::ShareSampler(std::vector<std::int64_t> share, std::int64_t size, Seed seed)
    : Sampler(size, seed)
    , m_share(std::move(share))
{ }

void ShareSampler::draw(std::span<std::int64_t> indices, Random& random) const
{
    while (!indices.empty()) {
        std::vector<std::int64_t> order = m_share;
        random.shuffle(std::span(order));
        const std::size_t count = std::min(order.size(), indices.size());
        std::copy_n(order.begin(), count, indices.begin());
        indices = indices.subspan(count);
    }
}

ReplacementSampler::ReplacementSampler(std::int64_t population, std::int64_t size, Seed seed)
    : Sampler(size, seed)
    , m_population(population)
{ }

void ReplacementSampler::draw(std::span<std::int64_t> indices, Random& random) const
{
    std::generate(indices.begin(), indices.end(),
        [&] { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(m_population))); });
}

} // namespace lockstep::plan
