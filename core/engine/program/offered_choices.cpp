#include "engine/program/offered_choices.h"

#include "datasets/registry.h"
#include "engine/model/registry.h"
#include "engine/optim/optimizer.h"
#include "engine/ranks/rank_group.h"
#include "engine/run/sweep.h"
#include "engine/strategy/data/aggregation.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "engine/strategy/registry.h"
#include "experiment/settings.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/pipeline/schedule.h"

#include <nlohmann/json.hpp>

namespace lockstep::engine {

namespace {

template <typename Enum>
std::vector<std::string_view> all()
{
    const auto& names = experiment::ChoiceTable<Enum>::Names;
    return {names.begin(), names.end()};
}

std::vector<std::string_view> partitionNames()
{
    std::vector<std::string_view> names{plan::Reshuffled};
    for (const plan::PartitionKind& kind : plan::partitionKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

std::vector<std::string_view> dataSetNames()
{
    std::vector<std::string_view> names;
    for (const datasets::DataSet& set : datasets::dataSets()) {
        names.push_back(experiment::nameOf(set.name));
    }
    return names;
}

std::vector<std::string_view> scheduleNames()
{
    std::vector<std::string_view> names;
    for (const plan::ScheduleKind& kind : plan::scheduleKinds()) {
        names.push_back(kind.name);
    }
    return names;
}

} // namespace

std::string choicesJson()
{
    const nlohmann::json choices{{nameOf(&experiment::OptimizerSettings::name), optimizerNames()},
        {nameOf(&experiment::NetSettings::name), netNames()},
        {nameOf(&experiment::RankSettings::strategy), strategyNames()},
        {nameOf(&experiment::CommSettings::backend), backendNames()},
        {nameOf(&experiment::AggregationSettings::algorithm), aggregationNames()},
        {nameOf(&experiment::AggregationSettings::rule), ruleNames()},
        {nameOf(&experiment::PartitionSettings::name), partitionNames()},
        {nameOf(&experiment::PartitionSettings::uneven), all<experiment::UnevenShares>()},
        {nameOf(&experiment::CommSettings::form), all<experiment::GradientForm>()},
        {nameOf(&experiment::AggregationSettings::what), all<experiment::Aggregated>()},
        {nameOf(&experiment::PipelineSettings::schedule), scheduleNames()},
        {nameOf(&experiment::PipelineSettings::transport), transportNames()},
        {nameOf(&experiment::TrainSettings::batchOf), all<experiment::BatchOf>()},
        {nameOf(&experiment::OptimizerSettings::scaleLr), all<experiment::LrScaling>()},
        {nameOf(&experiment::SweepSettings::collective), collectiveNames()},
        {nameOf(&experiment::SweepSettings::type), dataTypeNames()},
        {nameOf(&experiment::SweepSettings::reduction), reductionNames()},
        {nameOf(&experiment::SweepSettings::buffers), all<experiment::SweepBuffers>()},
        {nameOf(&experiment::DatasetSettings::name), dataSetNames()},
        {nameOf(&experiment::DatasetSettings::labels), all<experiment::ImageLabels>()},
        {nameOf(&experiment::OptimizerSettings::schedule), all<experiment::LrSchedule>()},
        {nameOf(&experiment::TrainSettings::dtype), all<experiment::WeightType>()},
        {nameOf(&experiment::TrainSettings::precision), all<experiment::Precision>()},
        {nameOf(&experiment::MeasureSettings::mode), all<experiment::MeasureMode>()},
        {nameOf(&experiment::TrainSettings::recompute), all<experiment::Recompute>()},
        {nameOf(&experiment::LocalSettings::what), all<experiment::LocalMessage>()},
        {nameOf(&experiment::ZeroSettings::offload), all<experiment::Offload>()}};
    return nlohmann::json{{"version", 1}, {"choices", choices}}.dump(2) + "\n";
}

} // namespace lockstep::engine
