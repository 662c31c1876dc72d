// One step of one rank. Adding a column: a member and its line in fields() here, a line in lockstep.fbs.
#pragma once

#include "base/field.h"
#include "base/phase.h"
#include "base/traffic.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockstep {

struct StepRow {
    std::int64_t step = 0; ///< 1, 2, ...: the step that has just ended
    std::int64_t endNs = 0; ///< CLOCK_MONOTONIC at its end
    std::int64_t wallNs = 0; ///< from the end of the step before, without pauses and evaluation
    /// Of the training set, seen so far by all ranks: epoch = samples / trainSamples. 0 where a user's own program
    /// does not report it; its batch is then 1.
    std::int64_t samples = 0;
    std::int64_t batch = 0; ///< samples of this step on this rank
    double loss = 0.0; ///< mean training loss of this step's samples on this rank; may be NaN
    double learningRate = 0.0;
    std::int64_t bytesSent = 0; ///< -1 if unknown
    std::array<std::int64_t, PhaseCount> phaseNs{};
    /// When this rank reached the step's aggregation (CLOCK_MONOTONIC). Communicate counts from there until the row of
    /// every rank is there and waiting is split off. 0: no aggregation, none that ranks wait for, or already split off.
    std::int64_t arrivalNs = 0;
    std::int64_t hiddenNs = 0; ///< communication during backward: part of Backward, not of Communicate
    std::optional<Traffic> bytesByKind{}; ///< of bytesSent, where the strategy reports it: then in every row of a run
    /// Part of the step in which waiting and transferring could not be separated; where Communicate is 0, how long
    /// they took is unknown, too.
    std::int64_t unattributedNs = 0;

    /// Updates that an asynchronous server made between this rank's reading the weights and its pushing the gradient
    /// computed on them; -1 without such a server.
    std::int64_t staleness = -1;
    std::int64_t betweenHostsNs = 0; ///< of Communicate, where the backend reports it; 0 elsewhere

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &StepRow::step);
        visit(Field("end_ns"), &StepRow::endNs);
        visit(Field("wall_ns"), &StepRow::wallNs);
        visit(Field("samples").notNegative(), &StepRow::samples);
        visit(Field("batch").notNegative(), &StepRow::batch);
        visit(Field("loss"), &StepRow::loss);
        visit(Field("learning_rate"), &StepRow::learningRate);
        visit(Field("bytes_sent"), &StepRow::bytesSent);
        visit(Field("phase_ns").storedIn(PhaseNames), &StepRow::phaseNs);
        visit(Field("arrival_ns").notNegative().optional().notStored(), &StepRow::arrivalNs);
        visit(Field("hidden_ns").notNegative().optional().storedAs("hidden"), &StepRow::hiddenNs);
        visit(Field("bytes_by_kind").notNegative().optional(), &StepRow::bytesByKind);
        visit(Field("untold_ns").notNegative().optional().storedAs("untold"), &StepRow::unattributedNs);
        visit(Field("staleness").optional(), &StepRow::staleness);
        visit(Field("between_hosts_ns").notNegative().optional().storedAs("between_hosts"), &StepRow::betweenHostsNs);
    }

    [[nodiscard]] std::int64_t nsOf(Phase phase) const { return phaseNs[static_cast<std::size_t>(phase)]; }
    bool operator==(const StepRow&) const = default;
};

} // namespace lockstep
