#include "engine/strategy/data/aggregation.h"

#include "base/names.h"
#include "engine/comm/rules.h"
#include "engine/ranks/tensor_view.h"
#include "plan/trimmed_mean.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace lockstep::engine {

namespace {

using experiment::Rule;

bool needsAllAtOnce(Rule rule)
{
    return rule == Rule::Median || rule == Rule::TrimmedMean;
}

} // namespace

std::vector<std::string_view> aggregationNames()
{
    auto names = namesOf(comm::algorithms(), &comm::Algorithm::name);
    names.push_back("parameter_server_async");
    return names;
}

Aggregation::Aggregation(const experiment::RunSpec& run)
    : m_algorithm(comm::algorithm(std::string(nameOf(run.settings->aggregation.algorithm))))
    , m_rule(run.settings->aggregation.rule)
    , m_trim(run.settings->aggregation.trim)
{
    if (m_algorithm == nullptr) {
        m_algorithm = comm::algorithm("all_reduce"); // the asynchronous server's exchange does not run here
    }
}

comm::Combine Aggregation::combine() const
{
    if (m_rule == Rule::Median) {
        return comm::medianOf;
    }
    return [trim = m_trim](const comm::View& to, std::span<const void* const> arrays) {
        comm::trimmedMeanOf(to, arrays, plan::trimmedAtEachEnd(trim, static_cast<int>(arrays.size())));
    };
}

double Aggregation::scaleOf(const Shares& shares) const
{
    if (m_rule == Rule::WeightedMean) {
        return static_cast<double>(shares.own) / static_cast<double>(shares.all);
    }
    if (m_rule == Rule::Mean) {
        return shares.own > 0 ? 1.0 / shares.ranksWithSamples : 0.0;
    }
    return 1.0;
}

bool Aggregation::isBackendAllReduce() const
{
    return m_algorithm->name == "all_reduce" && !needsAllAtOnce(m_rule);
}

Result<void> Aggregation::carryOut(comm::WatchedCommunicator& group, torch::Tensor& array)
{
    return group.asOneCollective(Call::AllReduce, array.nbytes(), [&] {
        return needsAllAtOnce(m_rule) ? m_algorithm->combineAll(group, viewOf(array), combine(), m_scratch)
                                      : m_algorithm->run(group, viewOf(array), comm::Reduction::Sum, m_scratch);
    });
}

void Aggregation::combineHere(std::span<torch::Tensor> arrays, std::span<const std::int64_t> samples) const
{
    const torch::NoGradGuard noGrad;
    if (needsAllAtOnce(m_rule)) {
        std::vector<torch::Tensor> onHost;
        std::vector<const void*> pointers;
        for (const torch::Tensor& array : arrays) {
            onHost.push_back(array.to(torch::kCPU));
            pointers.push_back(onHost.back().data_ptr());
        }
        torch::Tensor combined = torch::empty_like(onHost.front());
        combine()(viewOf(combined), pointers);
        arrays.front().copy_(combined);
        return;
    }
    const double all = static_cast<double>(std::accumulate(samples.begin(), samples.end(), std::int64_t{0}));
    const auto withSamples = std::count_if(samples.begin(), samples.end(), [](std::int64_t n) { return n > 0; });
    torch::Tensor sum = torch::zeros_like(arrays.front());
    for (std::size_t rank = 0; rank < arrays.size(); ++rank) {
        const double weight = m_rule == Rule::WeightedMean ? static_cast<double>(samples[rank]) / all
            : m_rule == Rule::Mean ? (samples[rank] > 0 ? 1.0 / static_cast<double>(withSamples) : 0.0)
                                   : 1.0;
        sum.add_(arrays[rank], weight);
    }
    arrays.front().copy_(sum);
}

} // namespace lockstep::engine
