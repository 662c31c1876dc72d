#include "engine/train/train.h"

#include "base/clock.h"
#include "engine/train/device.h"
#include "engine/train/loop.h"

#include <torch/torch.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace lockstep::engine {

namespace {

wire::Goodbye refused(const Error& error)
{
    return {wire::Outcome::Refused, 0, error.message};
}

wire::Goodbye failed(const RankContext& context, std::int64_t done, const std::string& cause)
{
    return {wire::Outcome::Failed, done,
        "rank " + std::to_string(context.rank.number) + ": " + cause + ", after " + std::to_string(done) + " steps"};
}

std::string firstLine(const char* text)
{
    const std::string whole(text);
    return whole.substr(0, whole.find('\n'));
}

void moveTo(LabelledImages& part, const torch::Device& device)
{
    part.images = part.images.to(device);
    part.labels = part.labels.to(device);
}

void announce(const experiment::RunSpec& run, const Job& job, Recorder& recorder)
{
    recorder.prepared({.device = job.device.str(),
        .trainSamples = job.data.train.size(),
        .testSamples = job.data.test.size(),
        .totalSteps = job.plan.totalSteps,
        .stepsPerEpoch = job.plan.stepsPerEpoch,
        .parameterCount = job.net.parameterCount(),
        .dataNs = job.dataNs,
        .dataset = job.data.description});
    recorder.log(wire::LogLevel::Info,
        job.data.description + "; " + run.text("net.name") + " with " + std::to_string(job.net.parameterCount())
            + " weights on " + job.device.str() + "; " + std::to_string(job.plan.totalSteps) + " steps");
}

} // namespace

Result<std::unique_ptr<Job>> prepare(const experiment::RunSpec& run, const RankContext& context)
{
    const auto device = chooseDevice(run.text("device"), context);
    if (!device) {
        return device.error();
    }
    const std::int64_t begin = monotonicNs();
    auto data = loadDataset(run);
    if (!data) {
        return data.error();
    }
    moveTo(data->train, *device);
    moveTo(data->test, *device);
    const std::int64_t dataNs = monotonicNs() - begin;
    auto net = makeNet(run, *device);
    if (!net) {
        return net.error();
    }
    FlatParameters parameters(*net);
    auto optimizer = makeOptimizer(run, {parameters.weights()});
    if (!optimizer) {
        return optimizer.error();
    }
    const plan::StepPlan plan = plan::stepPlan(run, data->train.size());
    return std::make_unique<Job>(
        Job{std::move(*data), dataNs, *device, std::move(*net), std::move(parameters), std::move(*optimizer), plan});
}

wire::Goodbye train(const experiment::RunSpec& run, const RankContext& context, Recorder& recorder)
{
    const auto worldSize = experiment::worldSizeOf(run);
    if (!worldSize) {
        return refused(worldSize.error());
    }
    if (*worldSize != context.worldSize) {
        return refused({"world_size: this rank was started as one of " + std::to_string(context.worldSize)
            + ", the run takes " + std::to_string(*worldSize)});
    }
    std::int64_t done = 0;
    try {
        setThreads(static_cast<int>(run.integer("rank.threads")));
        auto job = prepare(run, context);
        if (!job) {
            return refused(job.error());
        }
        announce(run, **job, recorder);
        TrainingLoop loop(run, context, **job, recorder);
        try {
            return loop.run();
        } catch (...) {
            done = loop.stepsDone();
            throw;
        }
    } catch (const std::bad_alloc&) {
        return failed(context, done, "there is not enough memory for this run");
    } catch (const c10::Error& error) {
        return failed(context, done, firstLine(error.what_without_backtrace()));
    } catch (const std::exception& error) {
        return failed(context, done, firstLine(error.what()));
    }
}

} // namespace lockstep::engine
