#include "analysis/comm_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace lockstep::analysis {

namespace {

double rounds(int ranks)
{
    return static_cast<double>(std::bit_width(static_cast<unsigned>(std::max(1, ranks) - 1)));
}

/// Both phases of the ring, and of others that cut the array in this way.
AlgorithmCost ring(int p)
{
    const double others = p - 1;
    return {2.0 * others, 2.0 * others / p};
}

AlgorithmCost tree(int p)
{
    return {2.0 * rounds(p), 2.0 * rounds(p)};
}

/// Where p is no power of two, the ranks beyond it send all they have first and get the result last.
AlgorithmCost halvingDoubling(int p)
{
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1, p))));
    const bool isPower = power == p;
    return {2.0 * rounds(power) + (isPower ? 0.0 : 2.0), 2.0 * (power - 1) / power + (isPower ? 0.0 : 2.0)};
}

/// The workers send at the same time, but everything passes the server's link.
AlgorithmCost server(int p)
{
    return {p > 1 ? 2.0 : 0.0, 2.0 * (p - 1)};
}

/// The root receives p - 1 arrays through its link, then a tree sends one.
AlgorithmCost gatherBroadcast(int p)
{
    return {(p > 1 ? 1.0 : 0.0) + rounds(p), p - 1 + rounds(p)};
}

AlgorithmCost allGather(int p)
{
    return {static_cast<double>(p - 1), static_cast<double>(p - 1)};
}

struct Row {
    std::string_view name;
    AlgorithmCost (*cost)(int ranks);
};

constexpr Row Table[] = {{"all_reduce", ring}, {"reduce_broadcast", tree}, {"gather_broadcast", gatherBroadcast},
    {"all_gather", allGather}, {"reduce_scatter_all_gather", ring}, {"ring", ring}, {"tree", tree},
    {"halving_doubling", halvingDoubling}, {"parameter_server", server}};

std::string_view fastest(std::span<const std::string_view> algorithms, int ranks, const LinkCost& link, double bytes)
{
    std::string_view best;
    double bestSeconds = 0.0;
    for (const std::string_view name : algorithms) {
        if (const auto cost = algorithmCost(name, ranks)) {
            const double seconds = cost->seconds(link, bytes);
            if (best.empty() || seconds < bestSeconds) {
                best = name;
                bestSeconds = seconds;
            }
        }
    }
    return best;
}

} // namespace

double AlgorithmCost::seconds(const LinkCost& link, double bytes) const
{
    return messages * link.alpha + arrays * bytes * link.beta;
}

std::optional<AlgorithmCost> algorithmCost(std::string_view algorithm, int ranks)
{
    for (const Row& row : Table) {
        if (row.name == algorithm) {
            return row.cost(std::max(1, ranks));
        }
    }
    return std::nullopt;
}

std::span<const std::string_view> modelledAlgorithms()
{
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const Row& row : Table) {
            all.push_back(row.name);
        }
        return all;
    }();
    return names;
}

Result<LinkFit> fitLink(std::span<const Measurement> measurements, const AlgorithmCost& cost)
{
    // With u = messages / t and v = arrays * bytes / t the model says alpha u + beta v = 1 for every measurement.
    double uu = 0.0;
    double uv = 0.0;
    double vv = 0.0;
    double u1 = 0.0;
    double v1 = 0.0;
    bool hasTwoSizes = false;
    for (const Measurement& m : measurements) {
        if (!(m.seconds > 0.0) || !std::isfinite(m.seconds)) {
            return Error{fmt::format("alpha-beta fit: a time of {:f} s; times must be above 0", m.seconds)};
        }
        hasTwoSizes = hasTwoSizes || m.bytes != measurements.front().bytes;
        const double u = cost.messages / m.seconds;
        const double v = cost.arrays * m.bytes / m.seconds;
        uu += u * u;
        uv += u * v;
        vv += v * v;
        u1 += u;
        v1 += v;
    }
    if (!hasTwoSizes || !(uu > 0.0) || !(vv > 0.0)) {
        return Error{"alpha-beta fit: it needs measurements of at least two sizes, between at least two ranks"};
    }
    const double determinant = uu * vv - uv * uv;
    LinkFit fit{{(u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant}};
    // If one is negative, the other alone explains more.
    if (fit.link.alpha < 0.0) {
        fit.link = {0.0, v1 / vv};
    } else if (fit.link.beta < 0.0) {
        fit.link = {u1 / uu, 0.0};
    }
    std::vector<double> errors;
    for (const Measurement& m : measurements) {
        errors.push_back(std::fabs(m.seconds - cost.seconds(fit.link, m.bytes)) / m.seconds);
    }
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    fit.residual = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2.0;
    return fit;
}

std::vector<Crossover> crossovers(
    std::span<const std::string_view> algorithms, int ranks, const LinkCost& link, double largest)
{
    // Each algorithm's time is a straight line, so with growing size the fastest can only be overtaken by a less steep
    // line: at the nearest of their intersections.
    std::vector<Crossover> found;
    std::string_view current = fastest(algorithms, ranks, link, 1.0);
    double from = 1.0;
    while (!current.empty()) {
        const AlgorithmCost now = *algorithmCost(current, ranks);
        std::string_view next;
        double nearest = largest;
        double least = 0.0;
        for (const std::string_view name : algorithms) {
            const auto other = algorithmCost(name, ranks);
            if (!other || other->arrays >= now.arrays || link.beta <= 0.0) {
                continue;
            }
            const double at
                = (other->messages - now.messages) * link.alpha / ((now.arrays - other->arrays) * link.beta);
            const bool isNearer = at < nearest || (at == nearest && !next.empty() && other->arrays < least);
            if (at >= from && isNearer) {
                next = name;
                nearest = at;
                least = other->arrays;
            }
        }
        if (next.empty()) {
            break;
        }
        found.push_back({current, next, nearest});
        current = next;
        from = nearest;
    }
    return found;
}

} // namespace lockstep::analysis
