#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view SweepGroup = LS_TR("Parameters", "Sweep");
const std::vector<Condition> WhenMeasuring = {{"strategy.name", {"collectives"}}};

Parameter countRow(std::string_view name, Member fills, std::string_view label, std::string_view help,
    std::string_view unit, Range range, std::int64_t standard, Level level)
{
    return {.name = name,
        .fills = fills,
        .group = SweepGroup,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Integer,
        .level = level,
        .range = range,
        .standard = standard,
        .appliesWhen = WhenMeasuring};
}

Parameter collectiveRow()
{
    return {.name = "collective.name",
        .fills = &SweepSettings::collective,
        .group = SweepGroup,
        .label = LS_TR("Parameters", "Collective"),
        .help = LS_TR("Parameters", "The operation to measure."),
        .type = Type::Choice,
        .choices = {{"all_reduce", LS_TR("Parameters", "All-reduce"),
                        LS_TR("Parameters", "Every rank gets the reduction of all arrays.")},
            {"broadcast", LS_TR("Parameters", "Broadcast"), LS_TR("Parameters", "Every rank gets the root's array.")},
            {"reduce", LS_TR("Parameters", "Reduce"),
                LS_TR("Parameters", "The root gets the reduction of all arrays.")},
            {"gather", LS_TR("Parameters", "Gather"), LS_TR("Parameters", "The root gets all arrays.")},
            {"all_gather", LS_TR("Parameters", "All-gather"), LS_TR("Parameters", "Every rank gets all arrays.")},
            {"scatter", LS_TR("Parameters", "Scatter"),
                LS_TR("Parameters", "Every rank gets one part of the root's array.")},
            {"reduce_scatter", LS_TR("Parameters", "Reduce-scatter"),
                LS_TR("Parameters", "Every rank gets one part of the reduction of all arrays.")},
            {"all_to_all", LS_TR("Parameters", "All-to-all"),
                LS_TR("Parameters", "Every rank gets one part of every rank's array.")},
            {"barrier", LS_TR("Parameters", "Barrier"), LS_TR("Parameters", "Every rank waits for all others.")},
            {"send_recv", LS_TR("Parameters", "Send and receive"),
                LS_TR("Parameters", "Every rank sends to the next rank and receives from the previous one.")}},
        .standard = std::string("all_reduce"),
        .appliesWhen = WhenMeasuring};
}

/// The sizes and the iterations at each.
std::vector<Parameter> sizeRows()
{
    return {
        countRow("sweep.min_bytes", &SweepSettings::minBytes, LS_TR("Parameters", "Minimum size"),
            LS_TR("Parameters", "Size of the smallest arrays in the sweep."), LS_TR("Parameters", "bytes"),
            {4, 1'073'741'824}, 4, Level::Basic),
        countRow("sweep.max_bytes", &SweepSettings::maxBytes, LS_TR("Parameters", "Maximum size"),
            LS_TR("Parameters", "Size of the largest arrays in the sweep."), LS_TR("Parameters", "bytes"),
            {4, 1'073'741'824}, 67'108'864, Level::Basic),
        countRow("sweep.factor", &SweepSettings::factor, LS_TR("Parameters", "Step factor"),
            LS_TR("Parameters", "The factor between one size and the next."), "×", {2, 1024}, 4, Level::Advanced),
        countRow("sweep.calls", &SweepSettings::calls, LS_TR("Parameters", "Iterations"),
            LS_TR("Parameters", "Timed iterations at the minimum size; larger sizes use fewer."),
            LS_TR("Parameters", "iterations"), {1, 1'000'000}, 100, Level::Advanced),
        countRow("sweep.warmup", &SweepSettings::warmup, LS_TR("Parameters", "Warm-up"),
            LS_TR("Parameters", "Iterations before the timed ones."), LS_TR("Parameters", "iterations"), {0, 1'000'000},
            5, Level::Advanced),
    };
}

Parameter buffersRow()
{
    return {.name = "sweep.buffers",
        .fills = &SweepSettings::buffers,
        .group = SweepGroup,
        .label = LS_TR("Parameters", "Buffers"),
        .help = LS_TR("Parameters", "Whether the result overwrites the input buffer."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"both", LS_TR("Parameters", "Both"), LS_TR("Parameters", "In place and out of place.")},
            {"in_place", LS_TR("Parameters", "In place"), LS_TR("Parameters", "The result overwrites the input.")},
            {"out_of_place", LS_TR("Parameters", "Out of place"),
                LS_TR("Parameters", "The result has its own buffer.")},
            {"training", LS_TR("Parameters", "As in training"),
                LS_TR("Parameters",
                    "Allocates arrays as training allocates gradients: in memory shared by the ranks if the backend "
                    "supports it, else in place.")}},
        .standard = std::string("both"),
        .appliesWhen = WhenMeasuring};
}

Parameter elementTypeRow()
{
    return {.name = "sweep.type",
        .fills = &SweepSettings::type,
        .group = SweepGroup,
        .label = LS_TR("Parameters", "Data type"),
        .help = LS_TR("Parameters", "Data type of the array elements."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"float32", LS_TR("Parameters", "float32"), LS_TR("Parameters", "4 bytes, floating point.")},
            {"float64", LS_TR("Parameters", "float64"), LS_TR("Parameters", "8 bytes, floating point.")},
            {"float16", LS_TR("Parameters", "float16"), LS_TR("Parameters", "2 bytes, floating point.")},
            {"bfloat16", LS_TR("Parameters", "bfloat16"),
                LS_TR("Parameters", "2 bytes, with the exponent range of float32.")},
            {"int32", LS_TR("Parameters", "int32"), LS_TR("Parameters", "4 bytes, integer.")},
            {"int64", LS_TR("Parameters", "int64"), LS_TR("Parameters", "8 bytes, integer.")},
            {"uint8", LS_TR("Parameters", "uint8"), LS_TR("Parameters", "1 byte, unsigned integer.")}},
        .standard = std::string("float32"),
        .appliesWhen = WhenMeasuring};
}

Parameter reductionRow()
{
    return {.name = "sweep.reduction",
        .fills = &SweepSettings::reduction,
        .group = SweepGroup,
        .label = LS_TR("Parameters", "Reduction"),
        .help = LS_TR("Parameters", "The reduction operation; band, bor and bxor need integers."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"sum", LS_TR("Parameters", "Sum"), LS_TR("Parameters", "Element-wise sum.")},
            {"product", LS_TR("Parameters", "Product"), LS_TR("Parameters", "Element-wise product.")},
            {"min", LS_TR("Parameters", "Minimum"), LS_TR("Parameters", "Element-wise minimum.")},
            {"max", LS_TR("Parameters", "Maximum"), LS_TR("Parameters", "Element-wise maximum.")},
            {"band", LS_TR("Parameters", "Bitwise and"), LS_TR("Parameters", "Bits that are set on all ranks.")},
            {"bor", LS_TR("Parameters", "Bitwise or"), LS_TR("Parameters", "Bits that are set on any rank.")},
            {"bxor", LS_TR("Parameters", "Bitwise exclusive or"),
                LS_TR("Parameters", "Bits that are set on an odd number of ranks.")}},
        .standard = std::string("sum"),
        .appliesWhen = WhenMeasuring};
}

/// Which ranks call, and how.
std::vector<Parameter> sweepCallRows()
{
    Parameter root = countRow("sweep.root", &SweepSettings::root, LS_TR("Parameters", "Root"),
        LS_TR("Parameters", "The rank that sends to all others or receives from them, numbered within its group."), {},
        {0, 63}, 0, Level::Advanced);
    root.appliesWhen.push_back({"collective.name", {"broadcast", "reduce", "gather", "scatter"}});
    Parameter groups = countRow("sweep.groups", &SweepSettings::groups, LS_TR("Parameters", "Groups"),
        LS_TR("Parameters",
            "Splits the ranks into this many equal groups of neighbouring ranks, which make each call at the same "
            "time; the times are those of the slowest group."),
        {}, {1, 32}, 1, Level::Advanced);
    return {std::move(root),
        {.name = "sweep.async",
            .fills = &SweepSettings::isAsync,
            .group = SweepGroup,
            .label = LS_TR("Parameters", "Asynchronous"),
            .help = LS_TR("Parameters",
                "Starts the calls without waiting for each, like async_op=True in torch.distributed, and then waits "
                "for all; the time per call is then how long it keeps the group busy."),
            .type = Type::Boolean,
            .level = Level::Advanced,
            .standard = false,
            .appliesWhen = WhenMeasuring},
        std::move(groups)};
}

} // namespace

std::vector<Parameter> sweepParameters()
{
    return joinRows(
        {{collectiveRow()}, sizeRows(), {buffersRow()}, {elementTypeRow()}, {reductionRow()}, sweepCallRows()});
}

} // namespace lockstep::experiment
