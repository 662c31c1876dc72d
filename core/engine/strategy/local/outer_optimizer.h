// The step that ranks take together when they synchronize (plan/local_sgd.h has the formula and its sources).
#pragma once

#include "engine/strategy/strategy.h"
#include "plan/local_sgd.h"

#include <torch/types.h>

namespace lockstep::engine {

class OuterOptimizer {
public:
    /// `weights`: the initial weights of all ranks; the outer optimizer keeps copies of this size.
    OuterOptimizer(const plan::OuterStep& step, const torch::Tensor& weights);

    /// Turns this rank's weights into what the ranks aggregate: the weights themselves, or old - weights.
    void prepare(torch::Tensor& weights) const;
    /// Turns the ranks' aggregated arrays into the next weights, which all ranks have in common.
    void step(torch::Tensor& aggregated);
    /// What step() would make of them; changes nothing here.
    void preview(torch::Tensor& aggregated) const;

    /// "outer.weights" of the last synchronization and "outer.velocity", those that this step needs: as the weights.
    [[nodiscard]] Strategy::State state() const;
    void setState(const Strategy::State& state);

private:
    plan::OuterStep m_step;
    torch::Tensor m_old; ///< undefined where the step is the mean
    torch::Tensor m_velocity; ///< undefined without momentum
};

} // namespace lockstep::engine
