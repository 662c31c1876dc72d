// The cost of communication in theory, and alpha and beta from measurements.
//
// The model is Hockney's: a message of n bytes takes alpha + n beta ("The communication challenge for MPP", 1994). The
// sender is busy for n beta and the message can be read alpha later; a rank sends one message after the other, and
// takes in one after the other, n beta each. An algorithm takes the critical path of its messages
// (plan/all_reduce_messages.h; Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
// MPICH", 2005, section 4, have it where the ranks are a power of two). Calls follow each other, in training as in a
// sweep: a parameter server sends results to some ranks while it already receives the next arrays of others, so that a
// call takes 2 alpha + p n beta, where one alone would take 2 alpha + 2 (p - 1) n beta. Arithmetic is left out: on the
// machines at hand it hides behind memory bandwidth, and then it is part of beta.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// Time of a message: alpha seconds, beta seconds a byte.
struct LinkCost {
    double alpha = 0.0;
    double beta = 0.0;
};

/// What one of many consecutive calls adds to the critical path of their messages: it takes messages * alpha + arrays *
/// n * beta.
struct AlgorithmCost {
    double messages = 0.0;
    double arrays = 0.0; ///< what they carry, in times the array

    /// Seconds for an array of `bytes` bytes.
    [[nodiscard]] double seconds(const LinkCost& link, double bytes) const;
};

/// By the value of `aggregation.algorithm`, for `ranks` ranks (at least 1); nothing for a name without a model. Which
/// path is critical can depend on the link and the size. all_reduce is the backend's own and is modelled as the ring,
/// which moves the fewest bytes.
[[nodiscard]] std::optional<AlgorithmCost> algorithmCost(
    std::string_view algorithm, int ranks, const LinkCost& link, double bytes);
/// Seconds of that.
[[nodiscard]] std::optional<double> algorithmSeconds(
    std::string_view algorithm, int ranks, const LinkCost& link, double bytes);

/// Seconds from the start of the first of `calls` consecutive calls to the end of the last; at least one.
[[nodiscard]] std::optional<double> secondsOfCalls(
    std::string_view algorithm, int ranks, const LinkCost& link, double bytes, std::size_t calls);

struct Measurement {
    double bytes = 0.0;
    double seconds = 0.0;
};

struct LinkFit {
    LinkCost link;
    /// Median over the measurements of |measured - fitted| / measured.
    double residual = 0.0;
};

/// The alpha and beta that explain the measurements of an all-reduce algorithm best: least squares of the relative
/// errors, so that small messages count as much as large ones; neither is negative. Fails with fewer than two sizes or
/// ranks, for an algorithm without a model, or where a time is not above zero.
[[nodiscard]] Result<LinkFit> fitLink(std::span<const Measurement> measurements, std::string_view algorithm, int ranks);

struct Crossover {
    std::string_view below; ///< the faster algorithm under `bytes`
    std::string_view above;
    double bytes = 0.0;
};

/// Where the fastest of the algorithms changes as the array grows from 1 byte to `largest` bytes, smallest first. Equal
/// ones count as the one that comes first in `algorithms`.
[[nodiscard]] std::vector<Crossover> crossovers(
    std::span<const std::string_view> algorithms, int ranks, const LinkCost& link, double largest);

} // namespace lockstep::analysis
