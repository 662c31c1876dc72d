#include "analysis/scaling/comm_cost.h"

#include "plan/all_reduce_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace lockstep::analysis {

namespace {

constexpr std::string_view RingLike[] = {"all_reduce", "reduce_scatter_all_gather", "ring"};

/// A time, and the path of messages that leads to it.
struct Moment {
    double seconds = 0.0;
    AlgorithmCost path;
};

const Moment& later(const Moment& a, const Moment& b)
{
    return a.seconds < b.seconds ? b : a;
}

/// Follows the messages of consecutive calls over links of this cost.
class MessagePaths {
public:
    MessagePaths(const plan::MessageSteps& steps, const LinkCost& link, double bytes)
        : m_steps(steps)
        , m_ranks(steps.size())
        , m_link(link)
        , m_bytes(bytes)
    { }

    /// Once for each: that many consecutive calls.
    void follow(std::size_t calls)
    {
        m_calls = calls;
        for (bool hasMoved = true; hasMoved;) {
            hasMoved = false;
            for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
                while (step(static_cast<int>(rank))) {
                    hasMoved = true;
                }
            }
        }
    }

    /// When the last rank has done its last step of that call, from 1; later calls change nothing of it.
    [[nodiscard]] Moment end(std::size_t call) const
    {
        Moment end;
        for (const Rank& rank : m_ranks) {
            end = rank.ends.empty() ? end : later(end, rank.ends[call - 1]);
        }
        return end;
    }

private:
    struct Rank {
        std::size_t next = 0; ///< step, of all calls
        bool hasSent = false; ///< what the step sends
        Moment now;
        Moment portOut; ///< free from then on
        Moment portIn;
        std::vector<Moment> ends{}; ///< of its calls
    };

    [[nodiscard]] Moment after(const Moment& moment, double messages, double arrays) const
    {
        const AlgorithmCost more{messages, arrays};
        return {moment.seconds + more.seconds(m_link, m_bytes),
            {moment.path.messages + messages, moment.path.arrays + arrays}};
    }

    /// False if the rank has nothing left to do, or waits for a message.
    bool step(int number)
    {
        Rank& rank = m_ranks[static_cast<std::size_t>(number)];
        const auto& steps = m_steps[static_cast<std::size_t>(number)];
        if (rank.next == steps.size() * m_calls) {
            return false;
        }
        const plan::MessageStep& step = steps[rank.next % steps.size()];
        if (step.to >= 0 && !rank.hasSent) {
            rank.portOut = after(later(rank.now, rank.portOut), 0.0, step.sent);
            m_underWay[{number, step.to}].push_back(after(rank.portOut, 1.0, 0.0));
            rank.hasSent = true;
        }
        Moment done = step.to >= 0 ? later(rank.now, rank.portOut) : rank.now;
        if (step.from >= 0) {
            auto& messages = m_underWay[{step.from, number}];
            if (messages.empty()) {
                return false;
            }
            rank.portIn = later(messages.front(), after(rank.portIn, 0.0, step.received));
            messages.pop_front();
            done = later(done, rank.portIn);
        }
        rank.now = done;
        rank.hasSent = false;
        if (++rank.next % steps.size() == 0) {
            rank.ends.push_back(done);
        }
        return true;
    }

    const plan::MessageSteps& m_steps;
    std::vector<Rank> m_ranks;
    std::size_t m_calls = 1;
    std::map<std::pair<int, int>, std::deque<Moment>> m_underWay; ///< by sender and receiver: when they can be read
    LinkCost m_link;
    double m_bytes;
};

/// The size at which two algorithms take the same time, each with its critical path; none: NaN, an infinity, or not
/// above 0.
double crossingSize(const AlgorithmCost& a, const AlgorithmCost& b, const LinkCost& link)
{
    return link.alpha * (a.messages - b.messages) / (link.beta * (b.arrays - a.arrays));
}

bool isSame(const AlgorithmCost& a, const AlgorithmCost& b)
{
    constexpr double Rounding = 1e-9;
    return std::fabs(a.messages - b.messages) < Rounding && std::fabs(a.arrays - b.arrays) < Rounding;
}

/// Which algorithm is the fastest, by size. An algorithm's time is that of its critical path, a straight line, until
/// another path becomes critical: its messages are followed only at the ends of the lines.
class FastestBySize {
public:
    FastestBySize(std::span<const std::string_view> algorithms, int ranks, const LinkCost& link)
        : m_ranks(ranks)
        , m_link(link)
    {
        std::ranges::copy_if(algorithms, std::back_inserter(m_names),
            [&](std::string_view name) { return algorithmCost(name, ranks, link, 1.0).has_value(); });
    }

    [[nodiscard]] std::vector<Crossover> changes(double from, double to)
    {
        if (!m_names.empty() && from < to) {
            follow(from, pathsAt(from), to, pathsAt(to));
        }
        return m_found;
    }

private:
    using Paths = std::vector<AlgorithmCost>; ///< by algorithm

    [[nodiscard]] Paths pathsAt(double bytes) const
    {
        Paths paths;
        for (const std::string_view name : m_names) {
            paths.push_back(*algorithmCost(name, m_ranks, m_link, bytes));
        }
        return paths;
    }

    void follow(double from, const Paths& atFrom, double to, const Paths& atTo)
    {
        constexpr double Close = 1e-9; // of sizes that count as one
        Paths lines = atFrom;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (isSame(atFrom[i], atTo[i])) {
                continue;
            }
            const double other = crossingSize(atFrom[i], atTo[i], m_link);
            if (std::fabs(other - from) <= Close * from) {
                lines[i] = atTo[i];
            } else if (!(std::fabs(other - to) <= Close * to) && to > (1.0 + Close) * from) {
                const double middle = from < other && other < to ? other : std::sqrt(from * to);
                const Paths atMiddle = pathsAt(middle);
                follow(from, atFrom, middle, atMiddle);
                follow(middle, atMiddle, to, atTo);
                return;
            }
        }
        addChanges(from, to, lines);
    }

    void addChanges(double from, double to, const Paths& lines)
    {
        std::vector<double> sizes{from, to};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double size = crossingSize(lines[i], lines[j], m_link);
                if (from < size && size < to) {
                    sizes.push_back(size);
                }
            }
        }
        std::sort(sizes.begin(), sizes.end());
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            const std::string_view best = fastest(lines, std::sqrt(sizes[i] * sizes[i + 1]));
            if (!m_current.empty() && best != m_current) {
                m_found.push_back({m_current, best, sizes[i]});
            }
            m_current = best;
        }
    }

    [[nodiscard]] std::string_view fastest(const Paths& lines, double bytes) const
    {
        std::size_t best = 0;
        for (std::size_t i = 1; i < lines.size(); ++i) {
            if (lines[i].seconds(m_link, bytes) < lines[best].seconds(m_link, bytes)) {
                best = i;
            }
        }
        return m_names[best];
    }

    std::vector<std::string_view> m_names; ///< of those with a model
    int m_ranks;
    LinkCost m_link;
    std::string_view m_current;
    std::vector<Crossover> m_found;
};

/// Alpha and beta of least squares, where each measurement has its path; nothing if they do not determine both.
std::optional<LinkCost> leastSquares(std::span<const Measurement> measurements, std::span<const AlgorithmCost> paths)
{
    // With u = messages / t and v = arrays * bytes / t the model says alpha u + beta v = 1 for every measurement.
    double uu = 0.0;
    double uv = 0.0;
    double vv = 0.0;
    double u1 = 0.0;
    double v1 = 0.0;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        const double u = paths[i].messages / measurements[i].seconds;
        const double v = paths[i].arrays * measurements[i].bytes / measurements[i].seconds;
        uu += u * u;
        uv += u * v;
        vv += v * v;
        u1 += u;
        v1 += v;
    }
    if (!(uu > 0.0) || !(vv > 0.0)) {
        return std::nullopt;
    }
    const double determinant = uu * vv - uv * uv;
    const LinkCost link{(u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant};
    // A negative one means that the other alone explains more.
    if (link.alpha < 0.0) {
        return LinkCost{0.0, v1 / vv};
    }
    return link.beta < 0.0 ? LinkCost{u1 / uu, 0.0} : link;
}

} // namespace

double AlgorithmCost::seconds(const LinkCost& link, double bytes) const
{
    return messages * link.alpha + arrays * bytes * link.beta;
}

std::optional<AlgorithmCost> algorithmCost(std::string_view algorithm, int ranks, const LinkCost& link, double bytes)
{
    const double p = std::max(1, ranks);
    // Of these all ranks do the same, so that their paths need not be followed, however many ranks there are.
    if (std::find(std::begin(RingLike), std::end(RingLike), algorithm) != std::end(RingLike)) {
        return AlgorithmCost{2.0 * (p - 1.0), 2.0 * (p - 1.0) / p};
    }
    if (algorithm == "all_gather") {
        return AlgorithmCost{p - 1.0, p - 1.0};
    }
    const plan::MessageSteps steps = plan::allReduceMessages(algorithm, ranks);
    if (steps.empty()) {
        return std::nullopt;
    }
    // A call is what a later one adds: the first has no other before it, with which its messages overlap.
    constexpr std::size_t First = 2;
    constexpr std::size_t More = 2;
    MessagePaths paths(steps, link, bytes);
    paths.follow(First + More);
    const AlgorithmCost before = paths.end(First).path;
    const AlgorithmCost after = paths.end(First + More).path;
    return AlgorithmCost{(after.messages - before.messages) / More, (after.arrays - before.arrays) / More};
}

std::optional<double> algorithmSeconds(std::string_view algorithm, int ranks, const LinkCost& link, double bytes)
{
    const auto cost = algorithmCost(algorithm, ranks, link, bytes);
    return cost ? std::optional(cost->seconds(link, bytes)) : std::nullopt;
}

std::optional<double> secondsOfCalls(
    std::string_view algorithm, int ranks, const LinkCost& link, double bytes, std::size_t calls)
{
    const plan::MessageSteps steps = plan::allReduceMessages(algorithm, ranks);
    if (steps.empty()) {
        return std::nullopt;
    }
    MessagePaths paths(steps, link, bytes);
    paths.follow(calls);
    return paths.end(calls).seconds;
}

Result<LinkFit> fitLink(std::span<const Measurement> measurements, std::string_view algorithm, int ranks)
{
    bool hasTwoSizes = false;
    for (const Measurement& m : measurements) {
        if (!(m.seconds > 0.0) || !std::isfinite(m.seconds)) {
            return failure(LS_TR("Messages", "alpha-beta fit: a time of %1 s; times must be above 0"),
                {verbatim(fmt::format("{:f}", m.seconds))});
        }
        hasTwoSizes = hasTwoSizes || m.bytes != measurements.front().bytes;
    }
    // Which path is critical depends on the link that is looked for: a few rounds from a usual one settle it.
    constexpr LinkCost Usual{1e-5, 1e-9};
    constexpr int Rounds = 8;
    std::optional<LinkCost> link = Usual;
    std::vector<AlgorithmCost> paths;
    for (int round = 0; round < Rounds && link && hasTwoSizes; ++round) {
        paths.clear();
        for (const Measurement& m : measurements) {
            paths.push_back(algorithmCost(algorithm, ranks, *link, m.bytes).value_or(AlgorithmCost{}));
        }
        link = leastSquares(measurements, paths);
    }
    if (!link || !hasTwoSizes) {
        return failure(LS_TR(
            "Messages", "alpha-beta fit: it needs measurements of at least two sizes, between at least two ranks"));
    }
    LinkFit fit{*link};
    std::vector<double> errors;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        const Measurement& m = measurements[i];
        errors.push_back(std::fabs(m.seconds - paths[i].seconds(fit.link, m.bytes)) / m.seconds);
    }
    std::sort(errors.begin(), errors.end());
    const std::size_t half = errors.size() / 2;
    fit.residual = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2.0;
    return fit;
}

std::vector<Crossover> crossovers(
    std::span<const std::string_view> algorithms, int ranks, const LinkCost& link, double largest)
{
    return FastestBySize(algorithms, ranks, link).changes(1.0, largest);
}

} // namespace lockstep::analysis
