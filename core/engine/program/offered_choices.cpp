#include "engine/program/offered_choices.h"

#include "base/names.h"
#include "datasets/registry.h"
#include "engine/comm/types.h"
#include "engine/model/registry.h"
#include "engine/optim/optimizer.h"
#include "engine/ranks/rank_group.h"
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
    auto names = namesOf(plan::partitionKinds(), &plan::PartitionKind::name);
    names.insert(names.begin(), plan::Reshuffled);
    return names;
}

constexpr auto NameOfValue = [](auto value) { return comm::nameOf(value); };

} // namespace

std::string choicesJson()
{
    const nlohmann::json choices{{nameOf(&experiment::OptimizerSettings::name), optimizerNames()},
        {nameOf(&experiment::NetSettings::name), netNames()},
        {nameOf(&experiment::RankSettings::strategy), strategyNames()},
        {nameOf(&experiment::CommSettings::backend), backendNames()},
        {nameOf(&experiment::AggregationSettings::algorithm), aggregationNames()},
        {nameOf(&experiment::AggregationSettings::rule), all<experiment::Rule>()},
        {nameOf(&experiment::PartitionSettings::name), partitionNames()},
        {nameOf(&experiment::PartitionSettings::uneven), all<experiment::UnevenShares>()},
        {nameOf(&experiment::CommSettings::form), all<experiment::GradientForm>()},
        {nameOf(&experiment::AggregationSettings::what), all<experiment::Aggregated>()},
        {nameOf(&experiment::PipelineSettings::schedule), namesOf(plan::scheduleKinds(), &plan::ScheduleKind::name)},
        {nameOf(&experiment::PipelineSettings::transport), transportNames()},
        {nameOf(&experiment::TrainSettings::batchOf), all<experiment::BatchOf>()},
        {nameOf(&experiment::OptimizerSettings::scaleLr), all<experiment::LrScaling>()},
        {nameOf(&experiment::SweepSettings::collective), namesOf(comm::AllCollectives, NameOfValue)},
        {nameOf(&experiment::SweepSettings::type), namesOf(comm::DataTypes, NameOfValue)},
        {nameOf(&experiment::SweepSettings::reduction), namesOf(comm::Reductions, NameOfValue)},
        {nameOf(&experiment::SweepSettings::buffers), all<experiment::SweepBuffers>()},
        {nameOf(&experiment::DatasetSettings::name),
            namesOf(datasets::dataSets(), [](const auto& set) { return nameOf(set.name); })},
        {nameOf(&experiment::DatasetSettings::labels), all<experiment::ImageLabels>()},
        {nameOf(&experiment::OptimizerSettings::schedule), all<experiment::LrSchedule>()},
        {nameOf(&experiment::TrainSettings::dtype), all<experiment::WeightType>()},
        {nameOf(&experiment::TrainSettings::precision), all<experiment::Precision>()},
        {nameOf(&experiment::MeasureSettings::mode), all<experiment::MeasureMode>()},
        {nameOf(&experiment::RankSettings::mps), all<experiment::MpsMode>()}, // for who starts the ranks
        {nameOf(&experiment::TrainSettings::recompute), all<experiment::Recompute>()},
        {nameOf(&experiment::LocalSettings::what), all<experiment::LocalMessage>()},
        {nameOf(&experiment::ZeroSettings::offload), all<experiment::Offload>()}};
    return nlohmann::json{{"version", 1}, {"choices", choices}}.dump(2) + "\n";
}

} // namespace lockstep::engine
