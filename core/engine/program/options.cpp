#include "engine/program/options.h"

#include <fmt/format.h>

#include <charconv>

namespace lockstep::engine {

namespace {

constexpr std::string_view Help = R"(lockstep-rank: one rank of a training run

  lockstep-rank                     takes its run from the workbench that started it
  lockstep-rank --spec FILE         trains as FILE (JSON) says; the log goes to stderr, times of collectives to stdout
      --record FILE                 also writes what a workbench would have received, for `lockstep import FILE`
      --local N                     starts the N ranks of the run on this machine
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

Result<std::int32_t> rankCount(std::string_view text)
{
    std::int32_t count = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || rest != text.data() + text.size() || count < 1 || count > MostLocalRanks) {
        return Error{
            fmt::format("--local: `{}` is not an integer from 1 to {}", text, MostLocalRanks)};
    }
    return count;
}

Result<void> takeValue(Options& options, std::string_view name, std::string_view value)
{
    if (value.empty()) {
        return Error{std::string(name) + ": needs a value; see lockstep-rank --help"};
    }
    if (name == "--spec") {
        options.specPath = value;
    } else if (name == "--weights") {
        options.weightsOf = value;
        options.verb = Options::Verb::Weights;
    } else if (name == "--doctor-ranks") {
        options.doctorTries = value;
        options.verb = Options::Verb::DoctorRanks;
    } else if (name == "--out") {
        options.outPath = value;
    } else if (name == "--record") {
        options.recordPath = value;
    } else {
        LOCKSTEP_TRY_ASSIGN(options.localRanks, rankCount(value));
    }
    return {};
}

bool takesValue(std::string_view name)
{
    return name == "--spec" || name == "--record" || name == "--local" || name == "--weights" || name == "--out"
        || name == "--doctor-ranks";
}

bool takeVerb(Options& options, std::string_view name)
{
    if (name == "--choices") {
        options.verb = Options::Verb::Choices;
    } else if (name == "--doctor") {
        options.verb = Options::Verb::Doctor;
    } else if (name == "--help" || name == "-h") {
        options.verb = Options::Verb::Help;
    } else if (name == "--version") {
        options.verb = Options::Verb::Version;
    } else {
        return false;
    }
    return true;
}

} // namespace

Result<Options> parseOptions(std::span<const std::string_view> arguments)
{
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string_view name = arguments[i];
        std::string_view value;
        if (takeVerb(options, name)) {
            continue;
        }
        if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
            value = name.substr(equals + 1);
            name = name.substr(0, equals);
        } else if (takesValue(name) && i + 1 < arguments.size()) {
            value = arguments[++i];
        }
        if (!takesValue(name)) {
            return Error{"unknown argument `" + std::string(name) + "`; see lockstep-rank --help"};
        }
        LOCKSTEP_TRY(takeValue(options, name, value));
    }
    if (options.weightsOf.empty() != options.outPath.empty()) {
        return Error{"--weights CHECKPOINT and --out FILE go together"};
    }
    if (options.specPath.empty() && (options.localRanks > 0 || !options.recordPath.empty())) {
        return Error{std::string(options.localRanks > 0 ? "--local" : "--record") + ": needs --spec FILE"};
    }
    return options;
}

std::string_view helpText()
{
    return Help;
}

} // namespace lockstep::engine
