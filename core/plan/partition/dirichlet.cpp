#include "plan/partition/index_lists.h"

#include <algorithm>
#include <cmath>

namespace lockstep::plan {

namespace {

constexpr std::int64_t MostRedraws = 1000;

/// The logarithm of a Gamma(shape, 1) number: Marsaglia and Tsang, "A simple method for generating gamma variables"
/// (2000); a shape below 1 by their section 6, in logarithms, because the number itself may be too small for a double.
double logGamma(Random& random, double shape)
{
    if (shape < 1.0) {
        const double boost = std::log(1.0 - random.uniform()) / shape;
        return logGamma(random, shape + 1.0) + boost;
    }
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = random.normal();
        const double t = 1.0 + c * x;
        if (t <= 0.0) {
            continue;
        }
        const double v = t * t * t;
        if (std::log(1.0 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) {
            return std::log(d) + std::log(v);
        }
    }
}

/// Dirichlet(alpha, ..., alpha).
std::vector<double> proportions(Random& random, int ranks, double alpha)
{
    std::vector<double> result(static_cast<std::size_t>(ranks));
    std::generate(result.begin(), result.end(), [&] { return logGamma(random, alpha); });
    const double largest = *std::max_element(result.begin(), result.end());
    for (double& each : result) {
        each = std::exp(each - largest);
    }
    return result;
}

std::vector<std::vector<std::int64_t>> samplesOfLabels(std::span<const std::int64_t> labels, Seed seed)
{
    const auto classes = static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
    std::vector<std::vector<std::int64_t>> samples(classes);
    for (const std::int64_t i : shuffledIndices(static_cast<std::int64_t>(labels.size()), seed)) {
        samples[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])].push_back(i);
    }
    return samples;
}

bool hasPoorer(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    return a.size() < b.size();
}

void fillUp(std::vector<std::vector<std::int64_t>>& shares, std::size_t least)
{
    for (;;) {
        const auto poorest = std::min_element(shares.begin(), shares.end(), hasPoorer);
        const auto richest = std::max_element(shares.begin(), shares.end(), hasPoorer);
        if (poorest->size() >= least) {
            return;
        }
        poorest->push_back(richest->back());
        richest->pop_back();
    }
}

} // namespace

Partition dirichletPartition(std::span<const std::int64_t> labels, const PartitionOptions& options)
{
    const auto samples = samplesOfLabels(labels, options.seed.derive(0));
    const auto ranks = static_cast<std::size_t>(options.ranks);
    // The largest minimum that every rank can have, even if more is requested.
    const auto least
        = static_cast<std::size_t>(std::min(options.least, static_cast<std::int64_t>(labels.size()) / options.ranks));
    Random random(options.seed.derive(1));
    Partition partition;
    for (;; ++partition.redraws) {
        partition.shares.assign(ranks, {});
        for (const auto& ofLabel : samples) {
            const auto counts = apportion(
                static_cast<std::int64_t>(ofLabel.size()), proportions(random, options.ranks, options.alpha));
            auto next = ofLabel.begin();
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                partition.shares[rank].insert(partition.shares[rank].end(), next, next + counts[rank]);
                next += counts[rank];
            }
        }
        if (std::min_element(partition.shares.begin(), partition.shares.end(), hasPoorer)->size() >= least) {
            return partition;
        }
        if (partition.redraws == MostRedraws) {
            fillUp(partition.shares, least);
            return partition;
        }
    }
}

} // namespace lockstep::plan
