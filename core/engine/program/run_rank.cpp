#include "engine/program/run_rank.h"

#include "base/clock.h"
#include "base/process_limits.h"
#include "engine/compat/blas.h"
#include "engine/compat/libtorch.h"
#include "engine/kernels/matrix_product.h"
#include "engine/program/console_sink.h"
#include "engine/program/doctor.h"
#include "engine/program/doctor_backends.h"
#include "engine/program/local_ranks.h"
#include "engine/program/offered_choices.h"
#include "engine/program/options.h"
#include "engine/program/process.h"
#include "engine/program/ready.h"
#include "engine/program/relay.h"
#include "engine/program/run_spec.h"
#include "engine/ranks/devices/cores.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/ranks/rank_context.h"
#include "engine/run/files/joined_weights.h"
#include "engine/run/files/script_files.h"
#include "engine/run/train.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"
#include "rendezvous/network.h"
#include "rendezvous/variables.h"
#include "wire/workbench_file.h"

#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace lockstep::engine {

namespace {

constexpr int ExitDone = 0;
constexpr int ExitRefused = 2;
constexpr int ExitFailed = 3;
constexpr std::chrono::seconds ConnectTimeout{10};
constexpr std::chrono::seconds MeetTimeout{60};
constexpr std::chrono::milliseconds TryAgainAfter{500};
/// A workbench listens before it writes its file. Where no process has listened for this long, it has died.
constexpr std::chrono::seconds LongestAbsence{3};

int exitCode(wire::Outcome outcome)
{
    switch (outcome) {
    case wire::Outcome::Finished:
    case wire::Outcome::Stopped:
        return ExitDone;
    case wire::Outcome::Refused:
        return ExitRefused;
    case wire::Outcome::Failed:
        return ExitFailed;
    }
    return ExitFailed;
}

int say(int code, const Error& error)
{
    std::fprintf(stderr, "lockstep-rank: %s\n", error.text().c_str());
    return code;
}

int codeOf(const Result<int>& done)
{
    return done ? *done : say(ExitRefused, done.error());
}

wire::Hello helloOf(const RankContext& context, std::string run = environment("LOCKSTEP_RUN"))
{
    return {.runId = std::move(run),
        .rank = context.rank.number,
        .worldSize = context.worldSize,
        .pid = getpid(),
        .host = hostName(),
        .device = "",
        .libtorch = TORCH_VERSION,
        .clockOffsetNs = wallNs() - monotonicNs()};
}

Result<std::string> readSpecFile(const std::string& path)
{
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad() || (text.empty() && errno != 0)) {
        return refusal("--spec", LS_TR("Messages", "cannot read %1: %2"), {verbatim(path), systemError()});
    }
    return text;
}

int finish(Recorder& recorder, const wire::Goodbye& goodbye)
{
    recorder.setWaiter({});
    recorder.goodbye(goodbye);
    if (const std::string reason = recorder.lossReason(); !reason.empty()) {
        return say(ExitFailed, {reason});
    }
    if (!goodbye.message.empty()) {
        return say(exitCode(goodbye.outcome), {goodbye.message});
    }
    return exitCode(goodbye.outcome);
}

/// Hides it from later readers of this process's environment (/proc shows the one it was started with).
void forgetVariable(const char* name)
{
    if (char* value = std::getenv(name); value != nullptr) {
        std::fill_n(value, std::strlen(value), '0');
        unsetenv(name);
    }
}

Result<wire::Secret> takeSecret(const char* name)
{
    auto secret = wire::secretFromHex(environment(name));
    forgetVariable(name);
    return secret ? std::move(secret) : Result<wire::Secret>(during(verbatim(name), secret.error()));
}

/// A rank that waits for the others to come looks at nothing else: where its workbench is lost, it ends here. During
/// the run RunControl takes the waiter's place.
void endWithWorkbench(Recorder& recorder)
{
    const auto endIfLost = [&recorder] {
        if (recorder.isPeerLost()) {
            _exit(say(ExitFailed, {recorder.lossReason()}));
        }
    };
    recorder.setWaiter(endIfLost);
    endIfLost();
}

/// Whether threads work beside those that compute: they carry out started operations, serve calls or other ranks, or
/// drive a GPU.
bool hasHelpers(const experiment::RunSpec& run, const plan::Placement& placement)
{
    using experiment::Strategy;
    return !placement.gpus.empty() || run.settings->comm.backend != experiment::Backend::Shm
        || is(run, experiment::GradientForm::Buckets) || is(run, experiment::Algorithm::ParameterServerAsync)
        || is(run, Strategy::Zero, Strategy::Pipeline, Strategy::Grid);
}

/// After the recorder has begun, whose watch is to see all cores of the machine, and before anything else starts a
/// thread. A run of one process, and every rank of one with more, has as many cores as threads that compute, so that
/// what else runs in it takes no more of a machine from others. With helpers it has an equal share of the cores, so
/// that they can work at the same time.
void bindRank(const experiment::RunSpec& run, const RankContext& context)
{
    if (!run.settings->rank.isBound) {
        return;
    }
    const auto placement = placeHere(run, hostsOf(context));
    if (!placement) {
        return; // train() reports why
    }
    const auto threads = static_cast<int>(run.settings->rank.threads);
    const bool isShared = hasHelpers(run, *placement) && (context.worldSize > 1 || !placement->gpus.empty());
    const int each = isShared ? std::max(threads, coresAtStart() / context.worldSize) : threads;
    bindToCores(context.rank.number, context.worldSize, each);
}

/// The run that the workbench has answered with.
int trainFor(SocketSession session, RankContext context)
{
    context.checkpointMark = session.welcome.checkpointMark;
    const auto run = readRunSpec(session.welcome.specJson);
    Recorder recorder(std::move(session.sink));
    endWithWorkbench(recorder);
    if (!run) {
        return finish(recorder, wire::Goodbye::of(wire::Outcome::Refused, 0, run.error()));
    }
    bindRank(*run, context);
    return finish(recorder, train(*run, context, recorder));
}

/// Of the workbench that has started this rank.
Result<int> trainForStarter(const std::string& address)
{
    if (!endWithParent()) {
        return ExitFailed;
    }
    LOCKSTEP_TRY_ASSIGN(auto context, rankFromEnvironment());
    LOCKSTEP_TRY_ASSIGN(const auto secret, takeSecret("LOCKSTEP_SECRET"));
    if (std::getenv("LOCKSTEP_STORE_SECRET") != nullptr) {
        LOCKSTEP_TRY_ASSIGN(context.storeSecret, takeSecret("LOCKSTEP_STORE_SECRET"));
    }
    auto session = connectToWorkbench({address, {}}, secret, helloOf(context), ConnectTimeout);
    return session ? trainFor(std::move(*session), context) : say(ExitFailed, session.error());
}

/// Why the workbench could not be met this time.
struct Missed {
    std::string why{};
    bool isAbsent = false; ///< no process listens where the file says
};

/// Of the run whose workbench has written this file; nothing as long as it cannot be met.
Result<std::optional<SocketSession>> meetAwaiting(const std::string& path, RankContext& context, Missed& missed)
{
    const auto text = rendezvous::readSecretFile("LOCKSTEP_WORKBENCH", path);
    if (!text && access(path.c_str(), F_OK) == 0) {
        return text.error();
    }
    if (!text) {
        missed = {"LOCKSTEP_WORKBENCH: there is no file " + path};
        return std::optional<SocketSession>();
    }
    const auto file = wire::readWorkbenchFile(*text);
    if (!file) { // it may be on its way
        missed = {during(verbatim("LOCKSTEP_WORKBENCH: " + path), file.error()).text()};
        return std::optional<SocketSession>();
    }
    context.storeSecret = file->secret;
    context.run = file->run;
    context.group = "run-" + file->run; // what an earlier run of these ranks has left is not its own
    auto session = connectToWorkbench(file->address, file->secret, helloOf(context, file->run), ConnectTimeout);
    if (!session) {
        missed = {session.error().text(), isRefused(session.error())};
        return std::optional<SocketSession>();
    }
    return std::optional<SocketSession>(std::move(*session));
}

/// Of a workbench that waits for ranks which others start. It rewrites the file for each run, so that a rank may
/// come before its run. The ranks' own store has its secret from the file, too.
Result<int> trainForAwaiting(const std::string& path, const Options& options)
{
    using Clock = std::chrono::steady_clock;
    LOCKSTEP_TRY_ASSIGN(auto context, rankFromEnvironment(options.place));
    LOCKSTEP_TRY_ASSIGN(const auto patience, rendezvous::timeToMeet(rendezvous::variablesOfProcess(), MeetTimeout));
    const auto since = Clock::now();
    auto lastListened = since; // or may have
    std::string said;
    do {
        Missed missed;
        LOCKSTEP_TRY_ASSIGN(auto session, meetAwaiting(path, context, missed));
        if (session) {
            return trainFor(std::move(*session), context);
        }
        if (missed.why != said) {
            say(ExitFailed, {missed.why});
            said = missed.why;
        }
        lastListened = missed.isAbsent ? lastListened : Clock::now();
        if (Clock::now() - lastListened > LongestAbsence) {
            return say(ExitFailed,
                {fmt::format(
                    "LOCKSTEP_WORKBENCH: the workbench that wrote {} has ended; start it again, then its ranks",
                    path)});
        }
        std::this_thread::sleep_for(TryAgainAfter);
    } while (Clock::now() - since < patience);
    return ExitFailed;
}

/// How many ranks are, or will be, started, and what says so. 0: nothing does.
struct Started {
    std::int32_t ranks = 0;
    std::string by{};
};

Result<Started> startedBy(const Options& options, const RankContext& context)
{
    const std::string& variable = context.place.sizeFrom;
    if (options.localRanks == 0) {
        return variable.empty() ? Started{} : Started{context.worldSize, variable};
    }
    if (context.worldSize > 1) {
        return refusal("--local",
            LS_TR("Messages",
                "%1 is %2, so this process already is one of %3 ranks; leave out --local, or unset %4 if it does not "
                "count ranks"),
            {verbatim(variable), context.worldSize, context.worldSize, verbatim(variable)});
    }
    return Started{options.localRanks, "--local"};
}

/// The spec of a run of as many ranks as were started.
Result<experiment::RunSpec> readSpecFor(const std::string& json, const Started& started)
{
    auto run = readRunSpec(json, started.ranks);
    if (!run) {
        return run.error().subject != nameOf(&experiment::RankSettings::worldSize) || started.ranks == 0
            ? run.error()
            : failure(LS_TR("Messages", "%1 (%2 is %3)"), {run.error(), verbatim(started.by), started.ranks});
    }
    LOCKSTEP_TRY_ASSIGN(const std::int32_t needed, experiment::worldSizeOf(*run));
    if (started.ranks == 0 && needed > 1) {
        return refusal(nameOf(&experiment::RankSettings::worldSize),
            LS_TR("Messages",
                "the run needs %1 ranks, and this process is alone; start it with --local %2, or %3 of them with "
                "torchrun or mpirun"),
            {needed, needed, needed});
    }
    if (started.ranks != 0 && started.ranks != needed) {
        return refusal(nameOf(&experiment::RankSettings::worldSize),
            LS_TR("Messages", "the spec says %1, but %2 is %3; start as many, or set world_size to 0"),
            {needed, verbatim(started.by), started.ranks});
    }
    return run;
}

/// A file for each rank, also where all were started with the same words.
std::string recordOf(const Options& options, const RankContext& context)
{
    const std::string suffix = fmt::format(".rank{}", context.rank.number);
    const bool isOwn = context.worldSize == 1 || options.recordPath.ends_with(suffix);
    return options.recordPath + (isOwn ? "" : suffix);
}

Result<int> trainAlone(const Options& options)
{
    LOCKSTEP_TRY_ASSIGN(const auto context, rankFromEnvironment(options.place));
    LOCKSTEP_TRY_ASSIGN(const auto text, readSpecFile(options.specPath));
    LOCKSTEP_TRY_ASSIGN(const auto started, startedBy(options, context));
    LOCKSTEP_TRY_ASSIGN(const auto run, readSpecFor(text, started));
    if (options.localRanks > 0) {
        return runLocalRanks(options);
    }
    std::unique_ptr<Sink> sink = discard();
    if (!options.recordPath.empty()) {
        LOCKSTEP_TRY_ASSIGN(sink, recordToFile(recordOf(options, context), helloOf(context), experiment::toJson(run)));
    }
    Recorder recorder(showInTerminal(std::move(sink), context.rank.number));
    bindRank(run, context);
    if (context.worldSize > 1 && context.rank.number == 0) {
        recorder.log(wire::LogLevel::Info, rendezvous::description(context.place));
    }
    for (const Text& note : context.rank.number == 0 ? run.notes : std::vector<Text>()) {
        recorder.log(wire::LogLevel::Warning, note);
    }
    return finish(recorder, train(run, context, recorder));
}

Result<int> joinWeightsOfRanks(const Options& options)
{
    LOCKSTEP_TRY_ASSIGN(const auto format, weightsFormatOf(options.outFormat));
    LOCKSTEP_TRY(joinWeights(options.weightsOf, options.outPath, format));
    return ExitDone;
}

Result<int> writeFilesOfScript(const Options& options)
{
    LOCKSTEP_TRY_ASSIGN(const auto text, readSpecFile(options.specPath));
    LOCKSTEP_TRY_ASSIGN(const auto run, readRunSpec(text));
    LOCKSTEP_TRY(writeScriptFiles(run, options.scriptFolder));
    return ExitDone;
}

int trainAsAsked(const Options& options)
{
    if (!options.specPath.empty()) {
        return codeOf(trainAlone(options));
    }
    if (const std::string address = environment("LOCKSTEP_TELEMETRY"); !address.empty()) {
        return codeOf(trainForStarter(address));
    }
    if (const std::string path = environment("LOCKSTEP_WORKBENCH"); !path.empty()) {
        return codeOf(trainForAwaiting(path, options));
    }
    return say(ExitRefused, {"there is no run to train: give --spec FILE, or start the run from `lockstep`"});
}

/// A thread that cannot be created ends the rank: with a line, not with an abort.
int trainOrSayWhyNot(const Options& options)
{
    try {
        return trainAsAsked(options);
    } catch (const std::system_error& error) {
        return say(ExitFailed, failureOf(systemFailure(error)));
    }
}

int print(std::string_view text)
{
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    return isWritten && std::fflush(stdout) == 0 ? ExitDone : say(ExitRefused, {"cannot write to stdout"});
}

} // namespace

int runRankProgram(std::span<const std::string_view> arguments, const char* builtFrom)
{
    const auto options = parseOptions(arguments);
    if (!options) {
        return say(ExitRefused, options.error());
    }
    ignoreBrokenPipes();
    makeProductsReproducible();
    stopFlightRecorder();
    useKernelsOfThisProcessor();
    switch (options->verb) {
    case Options::Verb::Choices:
        return print(choicesJson());
    case Options::Verb::Doctor:
        return print(doctorJson());
    case Options::Verb::DoctorRanks:
        return tryBackendAsRank(options->doctorTries);
    case Options::Verb::JoinWeights:
        return codeOf(joinWeightsOfRanks(*options));
    case Options::Verb::ScriptFiles:
        return codeOf(writeFilesOfScript(*options));
    case Options::Verb::Relay:
        return relayRanks();
    case Options::Verb::Help:
        return print(helpText());
    case Options::Verb::Version:
        return print(fmt::format("lockstep-rank " LOCKSTEP_VERSION " ({}, LibTorch " TORCH_VERSION ")\n", builtFrom));
    case Options::Verb::Train:
    case Options::Verb::Ready:
        break;
    }
    keepFreedMemory();
    if (options->verb == Options::Verb::Ready) {
        compileMatrixProducts();
        return forkRanks(options->readySocket, [&options] { return trainOrSayWhyNot(*options); });
    }
    return trainOrSayWhyNot(*options);
}

} // namespace lockstep::engine
