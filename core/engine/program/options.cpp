#include "engine/program/options.h"

#include "base/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

constexpr std::string_view Help = R"(lockstep-rank: one rank of a training run

  lockstep-rank                     takes its run from the workbench that started it
  lockstep-rank --spec FILE         trains as FILE (JSON) says; the log goes to stderr, times of collectives to stdout
      --record FILE                 also writes what a workbench would have received, for `lockstep import FILE`
      --local N                     starts the N ranks of the run on this machine; where the spec's world_size is 0,
                                    N decides it, as WORLD_SIZE does under torchrun
      --script-files DIR            trains nothing: writes the initial weights, the order of samples and generated
                                    images into DIR, for the script of `lockstep pytorch`
  lockstep-rank --weights CHECKPOINT --out FILE
                                    joins the weights of a checkpoint's folder for torch.load in Python
  lockstep-rank --choices           what this program can carry out, as JSON
  lockstep-rank --doctor            what this machine and this LibTorch can do, tried, as JSON
  lockstep-rank --help | --version

Environment: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT as torchrun sets them, or what mpirun sets;
LOCKSTEP_TELEMETRY (host:port), LOCKSTEP_SECRET (64 hexadecimal digits) and LOCKSTEP_RUN for a rank of a workbench;
LOCKSTEP_CHECKPOINTS, the folder for checkpoints where the run names none.

Exit code: 0 finished or stopped, 2 the input was refused, 3 the run failed.
)";

constexpr std::int32_t MostLocalRanks = 1024;
constexpr std::int32_t MostDescriptors = 1 << 20;

Result<std::int32_t> wholeNumber(std::string_view option, std::string_view text, std::int32_t most)
{
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || rest != text.data() + text.size() || number < 1 || number > most) {
        return Error{fmt::format("{}: `{}` is not an integer from 1 to {}", option, text, most)};
    }
    return number;
}

constexpr std::array RankOptions{Option{"--spec", "FILE", ""}, Option{"--record", "FILE", ""},
    Option{"--local", "N", ""}, Option{"--script-files", "DIR", ""}, Option{"--weights", "CHECKPOINT", ""},
    Option{"--out", "FILE", ""}, Option{"--doctor-ranks", "BACKEND", ""}, Option{"--ready", "DESCRIPTOR", ""},
    Option{"--choices", "", ""}, Option{"--doctor", "", ""}, Option{"--help", "", ""}, Option{"--version", "", ""}};

Error refusedArgument(CommandLine::Problem problem, std::string_view name, const Option*)
{
    return problem == CommandLine::Problem::NeedsValue
        ? Error{fmt::format("{}: needs a value; see lockstep-rank --help", name)}
        : Error{fmt::format("unknown argument `{}`; see lockstep-rank --help", name)};
}

Options::Verb verbOf(const CommandLine& line)
{
    constexpr std::array Verbs{std::pair("--help", Options::Verb::Help), std::pair("--version", Options::Verb::Version),
        std::pair("--choices", Options::Verb::Choices), std::pair("--doctor", Options::Verb::Doctor),
        std::pair("--doctor-ranks", Options::Verb::DoctorRanks), std::pair("--weights", Options::Verb::JoinWeights),
        std::pair("--ready", Options::Verb::Ready), std::pair("--script-files", Options::Verb::ScriptFiles)};
    const auto asked = std::find_if(Verbs.begin(), Verbs.end(), [&](const auto& each) { return line.has(each.first); });
    return asked != Verbs.end() ? asked->second : Options::Verb::Train;
}

} // namespace

Result<Options> parseOptions(std::span<const std::string_view> arguments)
{
    std::vector<std::string> words(arguments.begin(), arguments.end());
    std::replace(words.begin(), words.end(), std::string("-h"), std::string("--help"));
    LOCKSTEP_TRY_ASSIGN(const auto line, CommandLine::parse(words, RankOptions, refusedArgument));
    if (!line.positional().empty()) {
        return refusedArgument(CommandLine::Problem::UnknownOption, line.positional().front(), nullptr);
    }
    for (const Option& option : RankOptions) {
        if (!option.value.empty() && line.has(option.name) && line.value(option.name).empty()) {
            return refusedArgument(CommandLine::Problem::NeedsValue, option.name, &option);
        }
    }
    Options options{.verb = verbOf(line),
        .specPath = line.value("--spec"),
        .recordPath = line.value("--record"),
        .scriptFolder = line.value("--script-files"),
        .weightsOf = line.value("--weights"),
        .outPath = line.value("--out"),
        .doctorTries = line.value("--doctor-ranks")};
    if (line.has("--local")) {
        LOCKSTEP_TRY_ASSIGN(options.localRanks, wholeNumber("--local", line.value("--local"), MostLocalRanks));
    }
    if (line.has("--ready")) {
        LOCKSTEP_TRY_ASSIGN(options.readySocket, wholeNumber("--ready", line.value("--ready"), MostDescriptors));
    }
    if (options.weightsOf.empty() != options.outPath.empty()) {
        return Error{"--weights CHECKPOINT and --out FILE go together"};
    }
    for (const char* name : {"--local", "--record", "--script-files"}) {
        if (options.specPath.empty() && line.has(name)) {
            return Error{std::string(name) + ": needs --spec FILE"};
        }
    }
    return options;
}

std::string_view helpText()
{
    return Help;
}

} // namespace lockstep::engine
