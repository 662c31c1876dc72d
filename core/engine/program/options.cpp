#include "engine/program/options.h"

#include "base/command_line.h"
#include "base/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
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
      --rank R --world-size N       this process is rank R of N ranks that are started one by one, on one host or
                                    several
      --local-rank L                its number among the ranks of its host
      --init-method URL             where the ranks meet: tcp://HOST:PORT (of one of their hosts), file:///FOLDER (that
                                    all of them share), env:// (MASTER_ADDR and MASTER_PORT, the default)
      --script-files DIR            trains nothing: writes the initial weights, the order of samples and generated
                                    images into DIR, for the script of `lockstep pytorch`
  lockstep-rank --weights CHECKPOINT --out FILE
                                    joins the weights of a checkpoint's folder for torch.load in Python
      --format torch|safetensors    the format of FILE (default: torch)
  lockstep-rank --relay             starts the ranks of this host for a workbench on another one, which has started
                                    this program by ssh or srun (`lockstep run --launch ssh`, slurm) and talks to it
                                    over stdin and stdout; they end with it
  lockstep-rank --choices           what this program can carry out, as JSON
  lockstep-rank --doctor            what this machine and this LibTorch can do, tried, as JSON
  lockstep-rank --help | --version

Without --rank and --world-size, the first complete set is used: RANK and WORLD_SIZE (torchrun, or set by hand), what
srun sets, what Open MPI's mpirun sets, what MPICH's or Intel's sets. Sets that disagree are refused.
Environment: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT as torchrun sets them; LOCKSTEP_SECRET_FILE, a
file with 64 hexadecimal digits that not every user can read, for ranks on several hosts; LOCKSTEP_MEET_SECONDS, how
long ranks on several hosts wait for each other (60); LOCKSTEP_TELEMETRY (host:port), LOCKSTEP_SECRET (64 hexadecimal
digits) and LOCKSTEP_RUN for a rank that a workbench starts; LOCKSTEP_WORKBENCH, the file that
`lockstep run --launch wait` has written, for a rank of that run; LOCKSTEP_CHECKPOINTS, the folder for checkpoints where
the run names none.

Exit code: 0 finished or stopped, 2 the input was refused, 3 the run failed.
)";

constexpr std::int32_t MostLocalRanks = 1024;
constexpr std::int32_t MostRanks = (1 << 16) - 1;
constexpr std::int32_t MostDescriptors = 1 << 20;

Result<std::int32_t> wholeNumber(
    std::string_view option, std::string_view text, std::int32_t most, std::int32_t least = 1)
{
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || rest != text.data() + text.size() || number < least || number > most) {
        return failure(LS_TR("Messages", "%1: `%2` is not an integer from %3 to %4"),
            {verbatim(option), verbatim(text), least, most});
    }
    return number;
}

constexpr std::array RankOptions{Option{"--spec", "FILE", ""}, Option{"--record", "FILE", ""},
    Option{"--local", "N", ""}, Option{"--rank", "R", ""}, Option{"--world-size", "N", ""},
    Option{"--local-rank", "L", ""}, Option{"--init-method", "URL", ""}, Option{"--script-files", "DIR", ""},
    Option{"--weights", "CHECKPOINT", ""}, Option{"--out", "FILE", ""}, Option{"--format", "NAME", ""},
    Option{"--doctor-ranks", "BACKEND", ""}, Option{"--ready", "DESCRIPTOR", ""}, Option{"--relay", "", ""},
    Option{"--choices", "", ""}, Option{"--doctor", "", ""}, Option{"--help", "", ""}, Option{"--version", "", ""}};

Error refusedArgument(CommandLine::Problem problem, std::string_view name, const Option*)
{
    return problem == CommandLine::Problem::NeedsValue
        ? failure(LS_TR("Messages", "%1: needs a value; see lockstep-rank --help"), {verbatim(name)})
        : failure(LS_TR("Messages", "unknown argument `%1`; see lockstep-rank --help"), {verbatim(name)});
}

Options::Verb verbOf(const CommandLine& line)
{
    constexpr std::array Verbs{std::pair("--help", Options::Verb::Help), std::pair("--version", Options::Verb::Version),
        std::pair("--choices", Options::Verb::Choices), std::pair("--doctor", Options::Verb::Doctor),
        std::pair("--doctor-ranks", Options::Verb::DoctorRanks), std::pair("--weights", Options::Verb::JoinWeights),
        std::pair("--ready", Options::Verb::Ready), std::pair("--relay", Options::Verb::Relay),
        std::pair("--script-files", Options::Verb::ScriptFiles)};
    const auto asked = std::find_if(Verbs.begin(), Verbs.end(), [&](const auto& each) { return line.has(each.first); });
    return asked != Verbs.end() ? asked->second : Options::Verb::Train;
}

Result<rendezvous::RankFlags> placeIn(const CommandLine& line)
{
    rendezvous::RankFlags flags{.initMethod = line.value("--init-method")};
    for (const auto& [name, value, least] : {std::tuple("--rank", &flags.rank, 0),
             std::tuple("--world-size", &flags.worldSize, 1), std::tuple("--local-rank", &flags.localRank, 0)}) {
        if (line.has(name)) {
            LOCKSTEP_TRY_ASSIGN(*value, wholeNumber(name, line.value(name), MostRanks, least));
        }
    }
    return flags;
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
        .outFormat = line.has("--format") ? line.value("--format") : "torch",
        .doctorTries = line.value("--doctor-ranks")};
    if (line.has("--local")) {
        LOCKSTEP_TRY_ASSIGN(options.localRanks, wholeNumber("--local", line.value("--local"), MostLocalRanks));
    }
    LOCKSTEP_TRY_ASSIGN(options.place, placeIn(line));
    if (line.has("--ready")) {
        LOCKSTEP_TRY_ASSIGN(options.readySocket, wholeNumber("--ready", line.value("--ready"), MostDescriptors));
    }
    if (options.weightsOf.empty() != options.outPath.empty()) {
        return failure(LS_TR("Messages", "--weights CHECKPOINT and --out FILE go together"));
    }
    if (options.weightsOf.empty() && line.has("--format")) {
        return refusal("--format", LS_TR("Refusals", "needs --weights CHECKPOINT"));
    }
    for (const char* name :
        {"--local", "--record", "--script-files", "--rank", "--world-size", "--local-rank", "--init-method"}) {
        if (options.specPath.empty() && line.has(name)) {
            return failure(LS_TR("Messages", "%1: needs --spec FILE"), {verbatim(name)});
        }
    }
    return options;
}

std::string_view helpText()
{
    return Help;
}

} // namespace lockstep::engine
