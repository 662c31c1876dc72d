// What an evaluation measures; a part of messages.h.
#pragma once

#include "base/field.h"

#include <cstdint>
#include <limits>

namespace lockstep::wire {

struct Evaluation {
    std::int64_t step = 0;
    std::int64_t samples = 0; ///< as in StepBatch
    std::int64_t endNs = 0;
    std::int64_t durationNs = 0;
    double accuracy = 0.0; ///< 0 .. 1 on the test set
    double loss = 0.0; ///< mean loss on the test set
    /// Mean loss on the first samples of the training set (plan::evaluatedTrainSamples); NaN if not measured.
    double trainLoss = std::numeric_limits<double>::quiet_NaN();

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &Evaluation::step);
        visit(Field("samples").notNegative(), &Evaluation::samples);
        visit(Field("end_ns"), &Evaluation::endNs);
        visit(Field("duration_ns"), &Evaluation::durationNs);
        visit(Field("accuracy"), &Evaluation::accuracy);
        visit(Field("loss"), &Evaluation::loss);
        visit(Field("train_loss").optional(), &Evaluation::trainLoss);
    }
    bool operator==(const Evaluation&) const = default;
};

} // namespace lockstep::wire
