#include "engine/strategy/zero/offload.h"

#include "engine/memory/memory_account.h"
#include "engine/strategy/zero/shards.h"
#include "engine/strategy/zero/state_file.h"
#include "plan/slices.h"
#include "plan/zero.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <future>
#include <optional>
#include <stdexcept>
#include <utility>

namespace lockstep::engine {

namespace {

using Tensors = std::vector<torch::Tensor>;

void check(std::future<Result<void>>& transfer)
{
    if (transfer.valid()) {
        if (const auto done = transfer.get(); !done) {
            throw done.error(); // the step's caller reports it
        }
    }
}

/// Neighbouring weights that are updated at once.
struct Chunk {
    std::size_t weight = 0; ///< the weight it is part of
    plan::Slice slice; ///< of it
    std::unique_ptr<Optimizer> optimizer; ///< of the chunk alone
    Tensors state; ///< the optimizer's; on disk they have memory only while the chunk is updated
    std::int64_t offset = 0; ///< in the file
    std::future<Result<void>> staging{}; ///< of weights and gradient
    std::future<Result<void>> reading{}; ///< of the state
    std::future<Result<void>> writing{}; ///< of the state
};

/// Where weights are not in the host's memory, the host updates copies of a chunk's weights and gradient. Two buffers
/// in turn, so that the next chunk is copied while one is updated.
struct Staging {
    std::array<torch::Tensor, 2> weights;
    std::array<torch::Tensor, 2> gradients;
};

class OffloadedOptimizer final : public Optimizer {
public:
    OffloadedOptimizer(Tensors weights, const OffloadSettings& settings)
        : m_weights(std::move(weights))
        , m_settings(settings)
    { }

    ~OffloadedOptimizer() override
    {
        for (Chunk& chunk : m_chunks) {
            for (std::future<Result<void>>* transfer : {&chunk.staging, &chunk.reading, &chunk.writing}) {
                if (transfer->valid()) {
                    transfer->wait();
                }
            }
        }
    }

    [[nodiscard]] Result<void> prepare(const experiment::RunSpec& run)
    {
        const torch::NoGradGuard noGrad;
        const MemoryScope asOptimizer(MemoryKind::Optimizer);
        if (m_settings.isStaged) {
            makeStaging();
        }
        std::int64_t offset = 0;
        for (std::size_t weight = 0; weight < m_weights.size(); ++weight) {
            const std::int64_t count = m_weights[weight].numel();
            for (std::int64_t first = 0; first < count; first += m_settings.chunkElements) {
                Chunk chunk;
                chunk.weight = weight;
                chunk.slice = {first, std::min(m_settings.chunkElements, count - first)};
                chunk.offset = offset;
                LOCKSTEP_TRY_ASSIGN(chunk.optimizer, makeOptimizer(run, {work(m_chunks.size(), chunk)}));
                chunk.state = chunk.optimizer->state();
                for (const torch::Tensor& state : chunk.state) {
                    offset += static_cast<std::int64_t>(state.nbytes());
                    if (isOnDisk()) {
                        giveMemoryBack(state);
                    }
                }
                m_chunks.push_back(std::move(chunk));
            }
        }
        if (isOnDisk()) {
            // The reserved space reads as zeros, the initial state.
            LOCKSTEP_TRY_ASSIGN(auto file, StateFile::create(m_settings.folder, offset));
            m_file.emplace(std::move(file));
        }
        return {};
    }

    void step(std::span<const torch::Tensor> gradients, double learningRate) override
    {
        const torch::NoGradGuard noGrad;
        const MemoryScope asOptimizer(MemoryKind::Optimizer);
        fetch(0, gradients);
        for (std::size_t i = 0; i < m_chunks.size(); ++i) {
            if (i + 1 < m_chunks.size()) {
                if (i > 1) {
                    discard(i - 2);
                }
                fetch(i + 1, gradients);
            }
            Chunk& chunk = m_chunks[i];
            check(chunk.staging);
            check(chunk.reading);
            const torch::Tensor gradient = m_staging ? gradientOf(i, chunk) : partOf(gradients[chunk.weight], chunk);
            chunk.optimizer->step({&gradient, 1}, learningRate);
            store(i);
        }
        for (std::size_t i = 0; i < m_chunks.size(); ++i) {
            discard(i);
        }
    }

    [[nodiscard]] std::int64_t stepsTaken() const override
    {
        return m_chunks.empty() ? 0 : m_chunks.front().optimizer->stepsTaken();
    }

    void setStepsTaken(std::int64_t steps) override
    {
        for (Chunk& chunk : m_chunks) {
            chunk.optimizer->setStepsTaken(steps);
        }
    }

    [[nodiscard]] bool keepsStateElsewhere() const override { return true; }

    /// Copies, laid out as without offload: each number of the state by weight.
    [[nodiscard]] Tensors state() const override
    {
        const torch::NoGradGuard noGrad;
        const std::size_t numbers = m_chunks.empty() ? 0 : m_chunks.front().state.size();
        Tensors all;
        for (std::size_t number = 0; number < numbers; ++number) {
            for (const torch::Tensor& weight : m_weights) {
                all.push_back(
                    torch::empty({weight.numel()}, weight.options().device(torch::kCPU).requires_grad(false)));
            }
        }
        for (const Chunk& chunk : m_chunks) {
            const Tensors places = placesIn(all, chunk);
            if (isOnDisk()) {
                auto reading = m_file->read(places, chunk.offset);
                check(reading);
            } else {
                copyEach(places, chunk.state);
            }
        }
        return all;
    }

    void setState(const Tensors& all) override
    {
        const torch::NoGradGuard noGrad;
        for (Chunk& chunk : m_chunks) {
            const Tensors places = placesIn(all, chunk);
            if (isOnDisk()) {
                auto writing = m_file->write(places, chunk.offset);
                check(writing);
            } else {
                copyEach(chunk.state, places);
            }
        }
    }

private:
    [[nodiscard]] bool isOnDisk() const { return m_settings.place == experiment::Offload::Disk; }

    static void copyEach(const Tensors& to, const Tensors& from)
    {
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i].copy_(from[i]);
        }
    }

    [[nodiscard]] static torch::Tensor partOf(const torch::Tensor& whole, const Chunk& chunk)
    {
        return whole.flatten().narrow(0, chunk.slice.first, chunk.slice.count);
    }

    [[nodiscard]] Tensors placesIn(const Tensors& all, const Chunk& chunk) const
    {
        Tensors places;
        for (std::size_t number = 0; number < chunk.state.size(); ++number) {
            places.push_back(partOf(all[number * m_weights.size() + chunk.weight], chunk));
        }
        return places;
    }

    void makeStaging()
    {
        const bool isPinned = !m_weights.front().is_cpu();
        const auto options
            = m_weights.front().options().device(torch::kCPU).requires_grad(false).pinned_memory(isPinned);
        m_staging.emplace();
        for (auto* pair : {&m_staging->weights, &m_staging->gradients}) {
            for (torch::Tensor& place : *pair) {
                place = torch::empty({m_settings.chunkElements}, options);
            }
        }
    }

    /// The weights that the chunk's optimizer updates.
    [[nodiscard]] torch::Tensor work(std::size_t number, const Chunk& chunk) const
    {
        return m_staging ? m_staging->weights[number % 2].narrow(0, 0, chunk.slice.count)
                         : partOf(m_weights[chunk.weight], chunk);
    }

    [[nodiscard]] torch::Tensor gradientOf(std::size_t number, const Chunk& chunk) const
    {
        return m_staging->gradients[number % 2].narrow(0, 0, chunk.slice.count);
    }

    /// Starts to load what the chunk's step needs.
    void fetch(std::size_t number, std::span<const torch::Tensor> gradients)
    {
        Chunk& chunk = m_chunks[number];
        if (m_staging) {
            chunk.staging = std::async(std::launch::async,
                [stream = m_settings.stream, to = work(number, chunk), gradientTo = gradientOf(number, chunk),
                    from = partOf(m_weights[chunk.weight], chunk),
                    gradient = partOf(gradients[chunk.weight], chunk)]() mutable {
                    const torch::NoGradGuard noGrad;
                    const DeviceStream::Shared sameStream(stream);
                    to.copy_(from);
                    gradientTo.copy_(gradient);
                    return Result<void>();
                });
        }
        if (isOnDisk()) {
            for (const torch::Tensor& state : chunk.state) {
                takeMemory(state);
            }
            chunk.reading = m_file->read(chunk.state, chunk.offset);
        }
    }

    /// Starts to write back what the step changed.
    void store(std::size_t number)
    {
        Chunk& chunk = m_chunks[number];
        if (m_staging) {
            partOf(m_weights[chunk.weight], chunk).copy_(work(number, chunk), /*non_blocking=*/true);
        }
        if (isOnDisk()) {
            chunk.writing = m_file->write(chunk.state, chunk.offset);
        }
    }

    /// Frees the memory of a chunk's state once it is written; does nothing the second time.
    void discard(std::size_t number)
    {
        Chunk& chunk = m_chunks[number];
        if (chunk.writing.valid()) {
            check(chunk.writing);
            for (const torch::Tensor& state : chunk.state) {
                giveMemoryBack(state);
            }
        }
    }

    Tensors m_weights;
    OffloadSettings m_settings;
    std::vector<Chunk> m_chunks;
    std::optional<Staging> m_staging; ///< weights that are not in the host's memory
    std::optional<StateFile> m_file; ///< Disk
};

} // namespace

Result<std::unique_ptr<Optimizer>> makeOffloadedOptimizer(
    const experiment::RunSpec& run, std::vector<torch::Tensor> weights, const OffloadSettings& settings)
{
    auto optimizer = std::make_unique<OffloadedOptimizer>(std::move(weights), settings);
    LOCKSTEP_TRY(optimizer->prepare(run));
    return std::unique_ptr<Optimizer>(std::move(optimizer));
}

} // namespace lockstep::engine
