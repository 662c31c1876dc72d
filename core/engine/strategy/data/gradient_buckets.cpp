#include "engine/strategy/data/gradient_buckets.h"

#include "base/clock.h"
#include "engine/ranks/tensor_view.h"

#include <torch/autograd.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace lockstep::engine {

/// Called when autograd is done with one parameter's gradient.
class GradientBuckets::Hook final : public torch::autograd::FunctionPostHook {
public:
    Hook(GradientBuckets& buckets, std::size_t bucket)
        : m_buckets(buckets)
        , m_bucket(bucket)
    { }
    torch::autograd::variable_list operator()(
        const torch::autograd::variable_list& outputs, const torch::autograd::variable_list&) override
    {
        m_buckets.onFilled(m_bucket);
        return outputs;
    }

private:
    GradientBuckets& m_buckets;
    std::size_t m_bucket;
};

std::vector<std::vector<std::size_t>> bucketsOf(
    const std::vector<BufferRange>& parameters, std::int64_t elementBytes, std::int64_t firstBytes, std::int64_t bytes)
{
    std::vector<std::vector<std::size_t>> buckets;
    std::int64_t held = 0;
    bool isFull = true;
    for (std::size_t i = parameters.size(); i-- > 0;) {
        if (isFull) {
            buckets.emplace_back();
            held = 0;
        }
        buckets.back().push_back(i);
        held += parameters[i].count * elementBytes;
        isFull = held >= (buckets.size() == 1 ? firstBytes : bytes);
    }
    return buckets;
}

GradientBuckets::GradientBuckets(FlatParameters& parameters, const std::vector<std::vector<std::size_t>>& buckets,
    comm::WatchedCommunicator& group, Start start, Beside beside)
    : m_parameters(parameters)
    , m_group(group)
    , m_beside(std::move(beside))
    , m_startsEarly(start == Start::WhenFilled)
{
    const std::vector<BufferRange>& ranges = parameters.ranges();
    for (const std::vector<std::size_t>& members : buckets) {
        // Members follow each other in the buffer, the last first.
        const BufferRange& low = ranges[members.back()];
        const BufferRange& high = ranges[members.front()];
        m_buckets.push_back({{low.first, high.first + high.count - low.first}, members.size(), 0, nullptr});
        for (const std::size_t member : members) {
            if (!m_startsEarly) {
                continue;
            }
            auto accumulator = torch::autograd::impl::grad_accumulator(parameters.parameter(member));
            accumulator->add_post_hook(std::make_unique<Hook>(*this, m_buckets.size() - 1));
            // In one type: the pointer is another one since torch 2.13.
            m_accumulators.push_back(std::make_shared<decltype(accumulator)>(std::move(accumulator)));
        }
    }
}

GradientBuckets::~GradientBuckets() = default;

void GradientBuckets::arm()
{
    m_isArmed = m_startsEarly;
    m_next = 0;
    for (Bucket& bucket : m_buckets) {
        bucket.filled = 0;
        bucket.work.reset();
    }
    if (m_beside.stream) {
        m_marks.clear();
        m_beside.stream->fork();
    }
}

void GradientBuckets::onFilled(std::size_t bucket)
{
    if (!m_isArmed) {
        return;
    }
    ++m_buckets[bucket].filled;
    while (m_next < m_buckets.size() && m_buckets[m_next].filled == m_buckets[m_next].parameters) {
        start(m_next++);
    }
}

void GradientBuckets::start(std::size_t number)
{
    Bucket& bucket = m_buckets[number];
    torch::Tensor part = m_parameters.gradients().narrow(0, bucket.range.first, bucket.range.count);
    const comm::View view = viewOf(part);
    if (m_beside.stream) {
        m_beside.stream->inputIsQueued(number);
    }
    bucket.work = m_group.start(
        {.what = comm::Collective::AllReduce, .in = view, .out = view, .reduction = comm::Reduction::Sum},
        around(number));
}

/// On the thread that queues the bucket; it must not throw there.
comm::Around GradientBuckets::around(std::size_t number)
{
    if (!m_beside.stream) {
        return {};
    }
    const auto mark = [this]() -> Result<void> {
        try {
            m_marks.push_back(m_beside.marks->mark());
            return {};
        } catch (const std::exception& error) {
            const std::string what = error.what();
            return failureOf(verbatim(what.substr(0, what.find('\n'))));
        }
    };
    return {[this, number, mark] {
                m_beside.stream->awaitInput(number);
                return mark();
            },
        mark};
}

Result<void> GradientBuckets::await(Bucket& bucket)
{
    const std::int64_t from = monotonicNs();
    auto done = bucket.work->wait();
    const comm::OperationTimes times = bucket.work->times();
    m_group.report({from, times.lastArrivalNs, monotonicNs(), times.betweenHostsNs});
    return done;
}

Result<void> GradientBuckets::finish(StepClock& clock)
{
    auto done = awaitAll();
    if (m_beside.stream) {
        m_beside.stream->join();
        clock.communicatedBeside(*m_beside.marks, std::exchange(m_marks, {}));
    }
    return done;
}

Result<void> GradientBuckets::awaitAll()
{
    const std::int64_t backwardEndNs = monotonicNs();
    Result<void> done;
    m_isArmed = false;
    while (m_next < m_buckets.size()) {
        start(m_next++);
        if (!m_startsEarly) {
            // The plain form: waits for each one before the next.
            LOCKSTEP_TRY(await(m_buckets[m_next - 1]));
        }
    }
    std::int64_t seenNs = 0; // overlapping ones count once
    for (Bucket& bucket : m_buckets) {
        if (auto one = m_startsEarly ? await(bucket) : Result<void>(); !one && done) {
            done = one;
        }
        const comm::OperationTimes times = bucket.work->times();
        const std::int64_t from = std::max(times.enterNs, seenNs);
        const std::int64_t to = std::min(times.exitNs, backwardEndNs);
        m_hiddenNs += std::max<std::int64_t>(0, to - from);
        seenNs = std::max(seenNs, times.exitNs);
    }
    return done;
}

} // namespace lockstep::engine
