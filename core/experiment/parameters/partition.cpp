#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view PartitionGroup = LS_TR("Parameters", "Partition");

std::vector<Condition> whenPartitionIs(std::vector<std::string_view> names)
{
    return {strategyIsOneOf(strategies::PartitionedSamples), {"partition.name", std::move(names)}};
}

Parameter partitionRow()
{
    return {.name = "partition.name",
        .fills = &PartitionSettings::name,
        .group = PartitionGroup,
        .label = LS_TR("Parameters", "Data split"),
        .help = LS_TR("Parameters", "Which samples each rank sees."),
        .type = Type::Choice,
        .choices
        = {{"reshuffled", LS_TR("Parameters", "Reshuffled each epoch"),
               LS_TR("Parameters", "Every epoch shuffles the whole set; each batch is split across the ranks.")},
            {"random-sampling", LS_TR("Parameters", "Random sampling"),
                LS_TR("Parameters", "Every rank samples from the whole set, with replacement.")},
            {"random", LS_TR("Parameters", "Random split"),
                LS_TR("Parameters", "Shuffled once and split into disjoint shares.")},
            {"contiguous", LS_TR("Parameters", "Contiguous"),
                LS_TR("Parameters", "Split into contiguous pieces, in the order of the file.")},
            {"strided", LS_TR("Parameters", "Strided"),
                LS_TR("Parameters", "With p ranks, each rank takes every p-th sample of the file.")},
            {"by-label", LS_TR("Parameters", "By label"),
                LS_TR("Parameters", "Sorted by label and split into shards: each rank sees few labels.")},
            {"dirichlet", LS_TR("Parameters", "Dirichlet"),
                LS_TR("Parameters",
                    "Each label is split unevenly, following a Dirichlet distribution with parameter alpha.")},
            {"unequal", LS_TR("Parameters", "Unequal shares"),
                LS_TR("Parameters", "A random split into shares of given sizes.")}},
        .standard = std::string("reshuffled"),
        .appliesWhen = {strategyIsOneOf(strategies::PartitionedSamples)},
        .mustAgree = true};
}

/// Each belongs to one partition.
std::vector<Parameter> shareRows()
{
    return {
        {.name = "partition.alpha",
            .fills = &PartitionSettings::alpha,
            .group = PartitionGroup,
            .label = LS_TR("Parameters", "Alpha"),
            .help = LS_TR("Parameters",
                "How similar the ranks' labels are: 0.05 gives each rank few labels, 100 gives all ranks nearly the "
                "same."),
            .type = Type::Real,
            .range = {0.001, 1'000'000},
            .standard = 0.5,
            .appliesWhen = whenPartitionIs({"dirichlet"}),
            .mustAgree = true},
        {.name = "partition.shards",
            .fills = &PartitionSettings::shards,
            .group = PartitionGroup,
            .label = LS_TR("Parameters", "Shards per rank"),
            .help = LS_TR("Parameters",
                "Shards of the set, sorted by label, per rank: with fewer, each rank sees fewer labels. A shard that "
                "begins with one label may end with the next."),
            .type = Type::Integer,
            .range = {1, 10'000},
            .standard = std::int64_t{2},
            .appliesWhen = whenPartitionIs({"by-label"}),
            .mustAgree = true},
        {.name = "partition.shares",
            .fills = &PartitionSettings::shares,
            .group = PartitionGroup,
            .label = LS_TR("Parameters", "Shares"),
            .help = LS_TR("Parameters", "One proportion per rank, such as 4,2,1,1; empty means 1,2,3 and so on."),
            .type = Type::RealList,
            .range = {0.0, 1'000'000, true},
            .standard = std::vector<double>(),
            .appliesWhen = whenPartitionIs({"unequal"}),
            .mustAgree = true},
    };
}

/// Of every partition that gives each rank a fixed share.
std::vector<Parameter> fixedShareRows()
{
    return {
        {.name = "partition.overlap",
            .fills = &PartitionSettings::overlap,
            .group = PartitionGroup,
            .label = LS_TR("Parameters", "Overlap"),
            .help = LS_TR("Parameters",
                "Extra samples that each rank has in common with other ranks, as a fraction of its share."),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.0, 10.0},
            .standard = 0.0,
            .appliesWhen = whenPartitionIs({"random", "contiguous", "strided", "by-label", "dirichlet", "unequal"}),
            .mustAgree = true},
        {.name = "partition.uneven",
            .fills = &PartitionSettings::uneven,
            .group = PartitionGroup,
            .label = LS_TR("Parameters", "Uneven shares"),
            .help = LS_TR("Parameters", "What to do when some ranks have more samples than others."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"proportional", LS_TR("Parameters", "Proportional batches"),
                            LS_TR("Parameters",
                                "Batches in proportion to the share: all ranks finish an epoch in the same step.")},
                {"pad", LS_TR("Parameters", "Pad"),
                    LS_TR("Parameters", "Smaller shares repeat samples until all are as large as the largest.")},
                {"cut", LS_TR("Parameters", "Truncate"),
                    LS_TR("Parameters", "Larger shares drop samples, different ones each epoch.")}},
            .standard = std::string("proportional"),
            .appliesWhen = whenPartitionIs({"random", "contiguous", "strided", "by-label", "dirichlet", "unequal"}),
            .mustAgree = true},
    };
}

/// Not for gd, whose batch is the whole share: its order does not matter.
Parameter setEpochRow()
{
    return {.name = "partition.set_epoch",
        .fills = &PartitionSettings::setsEpoch,
        .group = PartitionGroup,
        .label = LS_TR("Parameters", "Call set_epoch"),
        .help = LS_TR("Parameters",
            "Calls the sampler's set_epoch before each epoch, which gives every epoch its own order. Off shows what "
            "forgetting it does: every epoch repeats the first one's order."),
        .type = Type::Boolean,
        .level = Level::Advanced,
        .standard = true,
        .appliesWhen = {strategyIsOneOf(strategies::PartitionedSamples),
            {"optimizer.name", {"sgd", "momentum", "nesterov", "adam", "adamw"}}},
        .mustAgree = true};
}

} // namespace

std::vector<Parameter> partitionParameters()
{
    return joinRows({{partitionRow()}, shareRows(), fixedShareRows(), {setEpochRow()}});
}

} // namespace lockstep::experiment
