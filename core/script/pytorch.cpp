#include "script/pytorch.h"

#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/rank_fault.h"
#include "script/script_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace lockstep::script {

namespace {

using namespace experiment;

Error strategyRefused(const RunSpec& run)
{
    switch (choice<Strategy>(run)) {
    case Strategy::Grid:
        return refusal(nameOf(&experiment::RankSettings::strategy),
            LS_TR("Refusals",
                "grid is too long for one script; use data, pipeline or tensor, each of which fits in one"));
    case Strategy::Own:
        return refusal(
            nameOf(&experiment::RankSettings::strategy), LS_TR("Refusals", "own is already your own program"));
    default:
        return refusal(nameOf(&experiment::RankSettings::strategy),
            LS_TR("Refusals",
                "%1 does not train a net; scripts are written for single, data, local, pipeline, tensor or zero"),
            {verbatim(nameOf(run.settings->rank.strategy))});
    }
}

Result<void> checkStrategy(const RunSpec& run)
{
    if (is(run, Strategy::Grid, Strategy::Own, Strategy::Collectives)) {
        return strategyRefused(run);
    }
    if (is(run, NetName::Gpt) && !is(run, Strategy::Single, Strategy::Data)) {
        return refusal(nameOf(&experiment::RankSettings::strategy),
            LS_TR("Refusals", "a script for gpt trains with single or data, not with %1"),
            {verbatim(nameOf(run.settings->rank.strategy))});
    }
    if (is(run, Strategy::Zero) && run.settings->zero.stage > 1) {
        return refusal(nameOf(&experiment::ZeroSettings::stage),
            LS_TR("Refusals",
                "%1 has no equivalent in torch.distributed: FSDP shards differently and needs GPUs in PyTorch 1.13; "
                "for stage 1 a script is written, with ZeroRedundancyOptimizer"),
            {run.settings->zero.stage});
    }
    if (is(run, Strategy::Zero) && !is(run, Offload::None)) {
        return refusal(nameOf(&experiment::ZeroSettings::offload),
            LS_TR("Refusals", "%1 has no equivalent in torch.distributed; use none"),
            {verbatim(nameOf(run.settings->zero.offload))});
    }
    if (is(run, Strategy::Pipeline) && is(run, PipelineSchedule::Interleaved)) {
        return refusal(nameOf(&experiment::PipelineSettings::schedule),
            LS_TR("Refusals", "interleaved is too long for one script; use gpipe or 1f1b"));
    }
    if (is(run, Strategy::Tensor) && is(run, NetName::Cnn, NetName::Lenet5)) {
        return refusal(nameOf(&experiment::NetSettings::name),
            LS_TR("Refusals",
                "a script with strategy.name tensor splits linear layers, not the convolutions of %1; "
                "use logistic, mlp or deep-mlp"),
            {verbatim(nameOf(run.settings->net.name))});
    }
    return {};
}

Result<void> checkArithmetic(const RunSpec& run)
{
    if (!is(run, Precision::Float32)) {
        return refusal(nameOf(&experiment::TrainSettings::precision),
            LS_TR("Refusals",
                "%1 rounds differently under torch.autocast, so the script's losses would differ; use float32"),
            {verbatim(nameOf(run.settings->train.precision))});
    }
    if (is(run, Strategy::Pipeline, Strategy::Tensor) && run.settings->optimizer.clip > 0.0) {
        return refusal(nameOf(&experiment::OptimizerSettings::clip),
            LS_TR("Refusals",
                "the script does not compute the norm of a gradient whose parts are on several ranks; use 0"));
    }
    if (!run.settings->checkpoint.from.empty()) {
        return refusal(nameOf(&experiment::CheckpointSettings::from),
            LS_TR("Refusals",
                "a script starts with the initial weights, not with those of a checkpoint; leave it "
                "empty"));
    }
    return {};
}

Result<void> checkCommunication(const RunSpec& run)
{
    if (hasReplicas(run) && is(run, Algorithm::ParameterServerAsync)) {
        return refusal(nameOf(&experiment::AggregationSettings::algorithm),
            LS_TR("Refusals",
                "parameter_server_async depends on which gradient arrives first, so no script can repeat "
                "its losses; use parameter_server"));
    }
    const LinkSettings& link = run.settings->link;
    if (link.isEmulated()) {
        return refusal(nameOf(link.latencyUs > 0.0 ? Member(&LinkSettings::latencyUs) : &LinkSettings::bandwidthMbps),
            LS_TR("Refusals", "torch.distributed does not emulate links; use 0"));
    }
    if (hasRankFault(run)) {
        const FaultSettings& fault = run.settings->fault;
        return refusal(
            nameOf(fault.gradientScale != 1.0 ? Member(&FaultSettings::gradientScale) : &FaultSettings::batchShare),
            LS_TR("Refusals", "the script has no faults, so its losses would differ; use 1"));
    }
    return {};
}

} // namespace

Result<Contents> parseContents(std::string_view json)
{
    const auto parsed = nlohmann::json::parse(json, nullptr, false);
    try {
        return Contents{.trainSamples = parsed.at("train_samples").get<std::int64_t>(),
            .testSamples = parsed.at("test_samples").get<std::int64_t>(),
            .steps = parsed.at("steps").get<std::int64_t>(),
            .stepsPerEpoch = parsed.at("steps_per_epoch").get<std::int64_t>(),
            .batch = parsed.at("batch").get<std::int64_t>(),
            .hasEqualBatches = parsed.at("equal_batches").get<bool>(),
            .hasFullBatches = parsed.at("full_batches").get<bool>()};
    } catch (const nlohmann::json::exception&) {
        return refusal("contents.json",
            LS_TR("Messages", "is not what lockstep-rank --script-files writes; both programs must be of one version"));
    }
}

Result<void> checkPytorch(const RunSpec& run)
{
    LOCKSTEP_TRY(checkStrategy(run));
    LOCKSTEP_TRY(checkArithmetic(run));
    return checkCommunication(run);
}

std::string pytorchScript(const RunSpec& run, const Contents& contents, const std::string& stem, Reader reader)
{
    Values values = scriptValues(run, contents, stem);
    values.set("raced", reader == Reader::Workbench);
    return expand("script", values);
}

std::int32_t processesOf(const RunSpec& run)
{
    const bool hasMaster = is(run, Strategy::Pipeline) && is(run, PipelineTransport::Rpc);
    return *worldSizeOf(run) + (hasMaster ? 1 : 0);
}

bool isStem(std::string_view text)
{
    const auto isUsual
        = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c >= 0x80; };
    return !text.empty() && std::all_of(text.begin(), text.end(), isUsual);
}

} // namespace lockstep::script
