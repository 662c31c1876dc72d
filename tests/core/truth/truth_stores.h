// Forty stores of made-up runs with known truths: what is best, what cannot be told apart, who is slow, what is left
// out.
//
// The model of a run. Its loss at step s is f + (ln c - f) exp(-r s), times exp(noise) at each step; c classes. The
// floor f differs between seeds by a log-normal factor, the rate r by a smaller one. A step takes the computation of
// the slowest rank (from the net's FLOPs at 100 GFLOP/s) and the time of its messages (30 us each, 2 GB/s), times a
// log-normal factor of the run, or of each block where runs take turns; the other ranks wait. Effects change this for
// the runs that they name. The rows of the ranks are made by it, and the record from these rows as the workbench does.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "experiment/spec.h"
#include "store/account/delta.h"

#include <QString>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::tests {

enum class Quantity {
    Floor, ///< of the loss; 0.05
    Learning, ///< r times the number of steps; 6
    SeedNoise, ///< of the logarithm of f; 0.02
    BatchNoise, ///< of the logarithm of each loss; 0.02
    Top, ///< test accuracy at the floor; 0.97
    Computation, ///< factor of its time
    Messages, ///< factor of their time
    Bytes, ///< factor of what is sent
    TimeNoise, ///< of the logarithm of the time of a run, or block; 0.01
    NeverLearns, ///< 1: the loss stays at ln c
    DivergesAt, ///< share of the steps after which the loss is NaN, which ends the run
    SlowRank, ///< computes 1.6 times as long
    OtherLoad, ///< cores that other processes keep busy
};
inline constexpr std::size_t QuantityCount = 13;

/// `where`: a variant's name, a setting as `optimizer.lr=0.1`, or empty for all runs. A later one wins.
struct Effect {
    std::string_view where;
    Quantity what;
    double value;
};

/// What happens to a run beside its training. Paused, Slowed and LinkChanged are changes by hand. Resumed: from a
/// checkpoint half-way. Twice: it ran before with the same seed and other figures. What ends it ends it half-way.
enum class Event { Failed, Stopped, Interrupted, Paused, Slowed, LinkChanged, Imported, Resumed, Twice };

struct Mishap {
    std::string_view variant; ///< empty: all
    int repeat; ///< from 1 on; 0: each
    Event event;
};

/// Of the truth's figure as its parameter rises.
enum class Direction { None, Falls, Rises, Flat };

/// What is true of a store by its construction. Variants by name.
struct Truth {
    std::string_view figure{}; ///< that the store is about, by name; empty: no comparison
    bool isHighestBest = false;
    std::string_view best{}; ///< by the model; empty: several are equal
    bool isTold = false; ///< whether the repeats, or blocks, show that `best` is
    std::string_view worst{}; ///< shown to be worse than all others
    std::string_view parameter{}; ///< along which the figure has a direction
    Direction direction = Direction::None;
    std::string_view matters{}; ///< of several varied parameters the only one with an effect
    std::vector<std::string_view> never{}; ///< learned
    std::vector<std::string_view> diverged{};
    std::vector<std::string_view> leftOut{}; ///< variants with a run that does not count
    int slowRank = -1;
    bool isBusy = false; ///< other processes took cores: times say little
    bool isImpossible = false; ///< a speed-up above the number of ranks
};

/// A row of the table: how the runs are made, and what is true of them.
struct TruthRow {
    std::string_view name;
    std::string_view preset;
    std::vector<experiment::Override> settings{};
    std::vector<std::string> only{}; ///< variants; empty: those that are enabled
    std::vector<std::string_view> varied{}; ///< `optimizer.lr=0.1,0.2`
    int repeats = 3;
    bool inTurns = false;
    std::vector<Effect> effects{};
    std::vector<Mishap> mishaps{};
    Truth truth{};
};

[[nodiscard]] std::span<const TruthRow> truthTable();

/// A run as its ranks sent it and as the workbench has it then.
struct TruthRun {
    analysis::RunRecord record; ///< with curves
    store::Delta sent;
};

/// In the order in which they were started. Equal rows give equal runs. Error: the settings of a row.
[[nodiscard]] Result<std::vector<TruthRun>> truthRuns(const TruthRow& row);
[[nodiscard]] std::vector<analysis::RunRecord> recordsOf(const std::vector<TruthRun>& runs);
/// Writes the runs into the store of this folder, which it makes.
[[nodiscard]] Result<void> writeTruth(const std::vector<TruthRun>& runs, const QString& folder);

} // namespace lockstep::tests
