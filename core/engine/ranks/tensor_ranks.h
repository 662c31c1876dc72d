// The ranks that share each layer: a TensorGroup of processes.
#pragma once

#include "engine/gpu/step_clock.h"
#include "engine/model/tensor_group.h"
#include "engine/ranks/sub_group.h"

#include <exception>
#include <utility>

namespace lockstep::engine {

class TensorRanks final : public TensorGroup {
public:
    /// What sum() and maximum() throw: an error that names the rank. LibTorch carries only std::exception.
    struct Lost : std::exception {
        explicit Lost(Error why)
            : error(std::move(why))
        { }
        [[nodiscard]] const char* what() const noexcept override { return error.message.c_str(); }

        Error error;
    };

    using TensorGroup::TensorGroup;

    /// Before the first use where there are several parts. `ranks` must outlive this.
    void connect(SubGroup& ranks) { m_ranks = &ranks; }
    /// From now on counts sums as communication, within the open phase; null: stops.
    void setClock(StepClock* clock) { m_clock = clock; }

    void sum(const torch::Tensor& values) override;
    void maximum(const torch::Tensor& values) override;

private:
    void reduce(const torch::Tensor& values, comm::Reduction reduction);

    SubGroup* m_ranks = nullptr;
    StepClock* m_clock = nullptr;
};

/// Runs passes over layers that ranks may share, whose sums throw.
template <typename F>
[[nodiscard]] auto withSums(const F& passes) -> decltype(passes())
{
    try {
        return passes();
    } catch (const TensorRanks::Lost& lost) {
        return lost.error;
    }
}

} // namespace lockstep::engine
