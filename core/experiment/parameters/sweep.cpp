#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view Group = LS_TR("Parameters", "Sweep");
const std::vector<Condition> WhenMeasuring = {{"strategy.name", {"collectives"}}};

Parameter countRow(std::string_view name, std::string_view label, std::string_view help, std::string_view unit,
    Range range, std::int64_t standard, Level level)
{
    return {.name = name,
        .group = Group,
        .label = label,
        .help = help,
        .unit = unit,
        .type = Type::Integer,
        .level = level,
        .range = range,
        .standard = standard,
        .appliesWhen = WhenMeasuring};
}

} // namespace

std::vector<Parameter> sweepParameters()
{
    return {
        {.name = "collective.name",
            .group = Group,
            .label = LS_TR("Parameters", "Collective"),
            .help = LS_TR("Parameters", "What is measured."),
            .type = Type::Choice,
            .choices = {{"all_reduce", LS_TR("Parameters", "All-reduce"),
                            LS_TR("Parameters", "Everyone gets the reduction of all arrays.")},
                {"broadcast", LS_TR("Parameters", "Broadcast"), LS_TR("Parameters", "Everyone gets rank 0's array.")},
                {"reduce", LS_TR("Parameters", "Reduce"),
                    LS_TR("Parameters", "Rank 0 gets the reduction of all arrays.")},
                {"gather", LS_TR("Parameters", "Gather"), LS_TR("Parameters", "Rank 0 gets every array.")},
                {"all_gather", LS_TR("Parameters", "All-gather"), LS_TR("Parameters", "Everyone gets every array.")},
                {"scatter", LS_TR("Parameters", "Scatter"), LS_TR("Parameters", "Everyone gets a part of rank 0's array.")},
                {"reduce_scatter", LS_TR("Parameters", "Reduce-scatter"),
                    LS_TR("Parameters", "Everyone gets a part of the reduction of all arrays.")},
                {"all_to_all", LS_TR("Parameters", "All-to-all"),
                    LS_TR("Parameters", "Everyone gets a part of everyone's array.")},
                {"barrier", LS_TR("Parameters", "Barrier"), LS_TR("Parameters", "Everyone waits for everyone.")},
                {"send_recv", LS_TR("Parameters", "Send and receive"),
                    LS_TR("Parameters", "Everyone sends to the next rank and receives from the one before.")}},
            .standard = std::string("all_reduce"),
            .appliesWhen = WhenMeasuring},
        countRow("sweep.min_bytes", LS_TR("Parameters", "Smallest size"),
            LS_TR("Parameters", "The sweep begins with arrays of so many bytes."), LS_TR("Parameters", "bytes"),
            {4, 1'073'741'824}, 4, Level::Basic),
        countRow("sweep.max_bytes", LS_TR("Parameters", "Largest size"),
            LS_TR("Parameters", "The sweep ends with arrays of so many bytes."), LS_TR("Parameters", "bytes"),
            {4, 1'073'741'824}, 67'108'864, Level::Basic),
        countRow("sweep.factor", LS_TR("Parameters", "Step"),
            LS_TR("Parameters", "Each size is so many times the one before."), "×", {2, 1024}, 4, Level::Advanced),
        countRow("sweep.calls", LS_TR("Parameters", "Calls"),
            LS_TR("Parameters", "Timed calls of the smallest size; large ones are called less often."),
            LS_TR("Parameters", "calls"), {1, 1'000'000}, 100, Level::Advanced),
        countRow("sweep.warmup", LS_TR("Parameters", "Warm-up"),
            LS_TR("Parameters", "Calls before the timed ones."), LS_TR("Parameters", "calls"), {0, 1'000'000}, 5,
            Level::Advanced),
        {.name = "sweep.buffers",
            .group = Group,
            .label = LS_TR("Parameters", "Buffers"),
            .help = LS_TR("Parameters", "Whether the result goes where the input was."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"both", LS_TR("Parameters", "Both"), LS_TR("Parameters", "In place and out of place.")},
                {"in_place", LS_TR("Parameters", "In place"), LS_TR("Parameters", "The result overwrites the input.")},
                {"out_of_place", LS_TR("Parameters", "Out of place"),
                    LS_TR("Parameters", "The result has memory of its own.")}},
            .standard = std::string("both"),
            .appliesWhen = WhenMeasuring},
        {.name = "sweep.type",
            .group = Group,
            .label = LS_TR("Parameters", "Element type"),
            .help = LS_TR("Parameters", "What the arrays are made of."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"float32", LS_TR("Parameters", "float32"), LS_TR("Parameters", "4 bytes, floating point.")},
                {"float64", LS_TR("Parameters", "float64"), LS_TR("Parameters", "8 bytes, floating point.")},
                {"float16", LS_TR("Parameters", "float16"), LS_TR("Parameters", "2 bytes, floating point.")},
                {"bfloat16", LS_TR("Parameters", "bfloat16"), LS_TR("Parameters", "2 bytes, the exponent of float32.")},
                {"int32", LS_TR("Parameters", "int32"), LS_TR("Parameters", "4 bytes, whole numbers.")},
                {"int64", LS_TR("Parameters", "int64"), LS_TR("Parameters", "8 bytes, whole numbers.")},
                {"uint8", LS_TR("Parameters", "uint8"), LS_TR("Parameters", "1 byte, whole numbers.")}},
            .standard = std::string("float32"),
            .appliesWhen = WhenMeasuring},
        {.name = "sweep.reduction",
            .group = Group,
            .label = LS_TR("Parameters", "Reduction"),
            .help = LS_TR("Parameters", "How arrays are reduced; band, bor and bxor take whole numbers."),
            .type = Type::Choice,
            .level = Level::Advanced,
            .choices = {{"sum", LS_TR("Parameters", "Sum"), LS_TR("Parameters", "Added up.")},
                {"product", LS_TR("Parameters", "Product"), LS_TR("Parameters", "Multiplied.")},
                {"min", LS_TR("Parameters", "Minimum"), LS_TR("Parameters", "The smallest.")},
                {"max", LS_TR("Parameters", "Maximum"), LS_TR("Parameters", "The largest.")},
                {"band", LS_TR("Parameters", "Bitwise and"), LS_TR("Parameters", "Bits that all have.")},
                {"bor", LS_TR("Parameters", "Bitwise or"), LS_TR("Parameters", "Bits that any has.")},
                {"bxor", LS_TR("Parameters", "Bitwise exclusive or"), LS_TR("Parameters", "Bits that an odd number has.")}},
            .standard = std::string("sum"),
            .appliesWhen = WhenMeasuring},
    };
}

} // namespace lockstep::experiment
