#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view Group = LS_TR("Parameters", "Partition");

std::vector<Condition> whenDealt(std::vector<std::string_view> names)
{
    return {{"strategy.name", {"data", "zero"}}, {"partition.name", std::move(names)}};
}

Parameter nameRow()
{
    return {.name = "partition.name",
        .group = Group,
        .label = LS_TR("Parameters", "Dealt"),
        .help = LS_TR("Parameters", "Which samples each rank gets to see."),
        .type = Type::Choice,
        .choices = {{"reshuffled", LS_TR("Parameters", "Reshuffled"),
                        LS_TR("Parameters", "One shuffle of the whole set an epoch, each batch cut among the ranks.")},
            {"random-sampling", LS_TR("Parameters", "Random sampling"),
                LS_TR("Parameters", "Every rank draws from the whole set, with replacement.")},
            {"random", LS_TR("Parameters", "Random shares"),
                LS_TR("Parameters", "A shuffle, dealt once in shares that have nothing in common.")},
            {"contiguous", LS_TR("Parameters", "Contiguous"),
                LS_TR("Parameters", "The set as it lies in its file, cut in pieces.")},
            {"strided", LS_TR("Parameters", "Strided"),
                LS_TR("Parameters", "With p ranks, every p-th sample of the file.")},
            {"by-label", LS_TR("Parameters", "By label"),
                LS_TR("Parameters", "Sorted by label and cut in shards: each rank knows few labels.")},
            {"dirichlet", LS_TR("Parameters", "Dirichlet"),
                LS_TR("Parameters", "Each label spread unevenly, as unevenly as alpha says.")},
            {"unequal", LS_TR("Parameters", "Unequal shares"), LS_TR("Parameters", "Random shares of given sizes.")}},
        .standard = std::string("reshuffled"),
        .appliesWhen = {{"strategy.name", {"data", "zero"}}}};
}

} // namespace

std::vector<Parameter> partitionParameters()
{
    return {
        nameRow(),
        {.name = "partition.alpha",
            .group = Group,
            .label = LS_TR("Parameters", "Alpha"),
            .help = LS_TR("Parameters",
                "How alike the ranks' labels are: 0.05 gives each rank few of them, 100 nearly the same to all."),
            .type = Type::Real,
            .range = {0.001, 1'000'000},
            .standard = 0.5,
            .appliesWhen = whenDealt({"dirichlet"})},
        {.name = "partition.shards",
            .group = Group,
            .label = LS_TR("Parameters", "Shards a rank"),
            .help = LS_TR("Parameters", "Pieces of the sorted set that each rank gets: about as many labels."),
            .type = Type::Integer,
            .range = {1, 10'000},
            .standard = std::int64_t{2},
            .appliesWhen = whenDealt({"by-label"})},
        {.name = "partition.shares",
            .group = Group,
            .label = LS_TR("Parameters", "Shares"),
            .help = LS_TR("Parameters", "One proportion for each rank, such as 4,2,1,1; empty for 1,2,3 and so on."),
            .type = Type::RealList,
            .range = {0.0, 1'000'000, true},
            .standard = std::vector<double>(),
            .appliesWhen = whenDealt({"unequal"})},
        {.name = "partition.overlap",
            .group = Group,
            .label = LS_TR("Parameters", "Overlap"),
            .help = LS_TR("Parameters",
                "What each rank gets besides, as a fraction of its share: samples that other ranks have, too."),
            .type = Type::Real,
            .level = Level::Advanced,
            .range = {0.0, 10.0},
            .standard = 0.0,
            .appliesWhen = whenDealt({"random", "contiguous", "strided", "by-label", "dirichlet", "unequal"})},
        {.name = "partition.uneven",
            .group = Group,
            .label = LS_TR("Parameters", "Uneven shares"),
            .help = LS_TR("Parameters", "What happens when some ranks have more samples than others."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices
            = {{"proportional", LS_TR("Parameters", "Larger batches"),
                   LS_TR("Parameters", "Batches as large as the share: all end their epoch in the same step.")},
                {"pad", LS_TR("Parameters", "Fill up"),
                    LS_TR("Parameters", "Smaller shares repeat samples until all are as large as the largest.")},
                {"cut", LS_TR("Parameters", "Cut"),
                    LS_TR("Parameters", "Larger shares leave samples out, others each epoch.")}},
            .standard = std::string("proportional"),
            .appliesWhen = whenDealt({"random", "contiguous", "strided", "by-label", "dirichlet", "unequal"})},
    };
}

} // namespace lockstep::experiment
