// A run with its ranks as threads of the test.
#pragma once

#include "core/engine/run_of.h"
#include "core/engine/telemetry/kept_messages.h"
#include "engine/compat/blas.h"
#include "engine/compat/libtorch.h"
#include "engine/run/train.h"

#include <atomic>
#include <functional>
#include <map>
#include <thread>
#include <unistd.h>

namespace lockstep::tests {

/// As lockstep-rank does first of all.
inline const bool IsPrepared = [] {
    engine::makeProductsReproducible();
    engine::stopFlightRecorder();
    return true;
}();

/// The settings of a run of a second.
inline std::vector<experiment::Override> quick(std::vector<experiment::Override> more = {})
{
    std::vector<experiment::Override> overrides{
        {"dataset.train_samples", "600"}, {"dataset.test_samples", "100"}, {"train.epochs", "2"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
}

struct TrainedRank {
    wire::Goodbye goodbye;
    std::shared_ptr<KeptMessages> kept = std::make_shared<KeptMessages>();
};

using Answer = std::function<std::vector<wire::Control>(const wire::Message&)>;

struct Extras {
    Answer answer{}; ///< the workbench's messages to rank 0, in order
    std::function<void(const wire::Message&)> others{}; ///< sees what the other ranks send, in their threads
    std::map<int, engine::TrainingHooks> hooks{}; ///< by rank
    std::string checkpointMark{}; ///< wire::Welcome::checkpointMark
};

inline std::vector<TrainedRank> trainedRanks(const experiment::RunSpec& run, int ranks, const Extras& extras = {})
{
    static std::atomic<int> runs{0};
    const std::string group = "test-" + std::to_string(getpid()) + "-" + std::to_string(runs++);
    std::vector<TrainedRank> results(static_cast<std::size_t>(ranks));
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            TrainedRank& result = results[static_cast<std::size_t>(rank)];
            if (rank == 0) {
                result.kept->answer = extras.answer;
            } else if (extras.others) {
                result.kept->answer = [&extras](const wire::Message& message) {
                    extras.others(message);
                    return std::vector<wire::Control>{};
                };
            }
            const auto hooks = extras.hooks.find(rank);
            engine::Recorder recorder(std::make_unique<KeepingSink>(result.kept));
            engine::RankContext context{Rank{rank}, ranks, rank, group};
            context.checkpointMark = extras.checkpointMark;
            result.goodbye = engine::train(
                run, context, recorder, hooks == extras.hooks.end() ? engine::TrainingHooks{} : hooks->second);
            recorder.goodbye(result.goodbye);
        });
    }
    threads.clear();
    return results;
}

struct TrainedRun {
    std::vector<TrainedRank> ranks;
    std::vector<torch::Tensor> weights; ///< by rank, after the last step
};

/// trainedRanks() with their weights; the ranks' onEnd hooks are taken for that.
inline TrainedRun trainedRun(const experiment::RunSpec& run, int ranks, Extras extras = {})
{
    TrainedRun result{{}, std::vector<torch::Tensor>(static_cast<std::size_t>(ranks))};
    for (int rank = 0; rank < ranks; ++rank) {
        extras.hooks[rank].onEnd = [&weights = result.weights[static_cast<std::size_t>(rank)]](
                                       const torch::Tensor& at) { weights = at.clone(); };
    }
    result.ranks = trainedRanks(run, ranks, extras);
    return result;
}

/// The same of a run that must finish.
inline TrainedRun finishedRun(const experiment::RunSpec& run, int ranks)
{
    TrainedRun result = trainedRun(run, ranks);
    for (const TrainedRank& rank : result.ranks) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            qFatal("%s", rank.goodbye.message.c_str());
        }
    }
    return result;
}

/// Between two tensors of one shape, element by element.
inline double largestDifference(const torch::Tensor& a, const torch::Tensor& b)
{
    return (a - b).abs().max().item<double>();
}

/// Loss of each step over all ranks, weighted by samples.
inline std::vector<double> lossesOf(const std::vector<TrainedRank>& ranks)
{
    std::vector<double> sums;
    std::vector<double> samples;
    for (const TrainedRank& rank : ranks) {
        const KeptRows rows = rank.kept->rows();
        sums.resize(std::max(sums.size(), rows.size()), 0.0);
        samples.resize(sums.size(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            sums[i] += rows.loss[i] * static_cast<double>(rows.batch[i]);
            samples[i] += static_cast<double>(rows.batch[i]);
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] /= samples[i];
    }
    return sums;
}

} // namespace lockstep::tests
