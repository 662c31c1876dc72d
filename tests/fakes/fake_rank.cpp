// A rank without LibTorch (build/tests/bin/fake_rank): the same environment as lockstep-rank, the real protocol, and
// any behaviour one may want to test a workbench with. It ignores its arguments. LOCKSTEP_FAKE holds `key=value` or
// `key`, separated by commas:
//
//   steps=100  rate=200 (a second; 0: as fast as possible)  batch=64  train=8000  test=2000 (samples)
//   evaluate=N (every N steps, and always after the last)  log=N (a line every N steps)  spans (send spans)
//   rank=R              what follows is done by rank R alone, whatever its place in the list; without it by every rank
//   delay_ms=T          before connecting              prepare_ms=T  between the welcome and Prepared
//   no_connect          never connects, just lives
//   kill=N[:S]          signal S (9) to itself at the start of step N (0: before Prepared)
//   exit=N[:C]          exit code C (1) without a goodbye at the start of step N
//   garbage=N           noise instead of frames from step N on      oversize=N  a frame length of 4 GiB at step N
//   nan=N               the loss is NaN at step N: the row is sent, then Goodbye Failed, exit code 3
//   fail=N              Goodbye Failed at step N, exit code 3       refuse      Goodbye Refused, exit code 2
//   refuse_data         the same for the data set, with the parameter as data
//   hang=N              no more steps from step N on and ignores Stop, but sends Vitals
//   freeze=N            SIGSTOP to itself at step N: silence
//   ignore_stop         deaf to Stop      ignore_term  deaf to SIGTERM
//   no_goodbye          ends with exit code 0 and no Goodbye        linger      lives on after its Goodbye
//   strangers           one stranger of each kind connects while this rank trains; a log line for each says
//                       `stranger KIND: cut off after T ms`, or is of level Error
//   stranger=KIND       is no rank but a stranger (stranger.h): prints the milliseconds until it was cut off, exit code
//                       0; 4 if it was not cut off within 30 s
//
// The loss is a function of rank and step alone: fakeLoss() = 0.1 + 2.2 exp(-step / 100) + 0.01 rank.
// Pause, Resume, Stop and RunSteps are applied at the start of a step; after its last one a fake that was sent RunSteps
// continues, without rows. The fake ends when the workbench does.

#include "base/clock.h"
#include "engine/telemetry/recorder.h"
#include "fakes/behaviour.h"
#include "fakes/stranger.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lockstep::fakes {

namespace {

using engine::Recorder;
using std::chrono::milliseconds;

constexpr int ExitRefused = 2;
constexpr int ExitFailed = 3;
constexpr int ExitNotCutOff = 4;
constexpr milliseconds StrangerPatience{30000};

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

double fakeLoss(std::int32_t rank, std::int64_t step)
{
    return 0.1 + 2.2 * std::exp(-static_cast<double>(step) / 100.0) + 0.01 * rank;
}

enum class Damage : std::uint8_t { None, Garbage, Oversize };

/// Sends the given frames until it gets others.
class DamagingSink final : public engine::Sink {
public:
    DamagingSink(std::unique_ptr<Sink> inner, std::shared_ptr<std::atomic<Damage>> damage)
        : m_inner(std::move(inner))
        , m_damage(std::move(damage))
    { }

    [[nodiscard]] Result<void> write(std::span<const std::byte> frames) override
    {
        const Damage damage = m_damage->load();
        if (damage == Damage::None) {
            return m_inner->write(frames);
        }
        const std::vector<std::byte> bytes(
            std::max<std::size_t>(frames.size(), 64), damage == Damage::Garbage ? std::byte{0x5a} : std::byte{0xff});
        return m_inner->write(bytes);
    }
    [[nodiscard]] std::optional<wire::Control> poll() override { return m_inner->poll(); }
    [[nodiscard]] bool isLost() const override { return m_inner->isLost(); }
    [[nodiscard]] int descriptor() const override { return m_inner->descriptor(); }
    [[nodiscard]] bool isDelivered() const override { return m_inner->isDelivered(); }

private:
    std::unique_ptr<Sink> m_inner;
    std::shared_ptr<std::atomic<Damage>> m_damage;
};

class FakeRank {
public:
    FakeRank(const Behaviour& behaviour, std::int32_t rank, std::unique_ptr<engine::Sink> sink)
        : m_behaviour(behaviour)
        , m_rank(rank)
        , m_damage(std::make_shared<std::atomic<Damage>>(Damage::None))
        , m_recorder(hasDamage() ? std::make_unique<DamagingSink>(std::move(sink), m_damage) : std::move(sink))
    { }

    int run();
    Recorder& recorder() { return m_recorder; }

private:
    enum class Verdict : std::uint8_t { Go, Stop, PeerLost };

    [[nodiscard]] bool hasDamage() const { return m_behaviour.garbage || m_behaviour.oversize; }
    void prepare();
    void misbehave(std::int64_t step);
    Verdict control(std::int64_t step);
    /// False for a command that is none of turns.
    bool takeTurn(const wire::Control& control, std::int64_t step);
    void hold(std::int64_t step);
    void trainStep(std::int64_t step, double loss);
    void evaluate(std::int64_t step);
    int end(wire::Outcome outcome, std::int64_t step, const std::string& cause, int code);

    const Behaviour& m_behaviour;
    std::int32_t m_rank;
    std::shared_ptr<std::atomic<Damage>> m_damage;
    Recorder m_recorder;
    std::int64_t m_lastEndNs = 0;

    struct Turn {
        std::int64_t lastStep = 0;
        std::int64_t number = 0;
        std::int64_t startNs = 0;
        std::int64_t firstStep = 0;
    };
    std::optional<Turn> m_turn;
    bool m_isHeld = false;
};

[[noreturn]] void liveOn()
{
    while (true) {
        pause();
    }
}

void FakeRank::prepare()
{
    std::this_thread::sleep_for(milliseconds(m_behaviour.prepareMs));
    const std::int64_t perEpoch = (m_behaviour.trainSamples + m_behaviour.batch - 1) / m_behaviour.batch;
    m_recorder.prepared({.device = "cpu",
        .trainSamples = m_behaviour.trainSamples,
        .testSamples = m_behaviour.testSamples,
        .totalSteps = m_behaviour.steps,
        .stepsPerEpoch = perEpoch,
        .parameterCount = 101'770,
        .dataNs = 1'000'000,
        .dataset = "fake"});
    m_recorder.log(wire::LogLevel::Info, "fake rank " + std::to_string(m_rank) + " trains");
}

void FakeRank::misbehave(std::int64_t step)
{
    if (m_behaviour.kill && m_behaviour.kill->step == step) {
        std::raise(m_behaviour.kill->number);
    }
    if (m_behaviour.exit && m_behaviour.exit->step == step) {
        _exit(m_behaviour.exit->number);
    }
    if (m_behaviour.freeze == step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200)); // so that what came before has gone out
        std::raise(SIGSTOP);
    }
    if (m_behaviour.hang == step) {
        liveOn();
    }
    if (m_behaviour.garbage == step) {
        m_damage->store(Damage::Garbage);
    }
    if (m_behaviour.oversize == step) {
        m_damage->store(Damage::Oversize);
    }
}

bool FakeRank::takeTurn(const wire::Control& control, std::int64_t step)
{
    if (control.command != wire::Command::RunSteps) {
        return false;
    }
    const bool isOver = step > m_behaviour.steps;
    const auto steps = static_cast<std::int64_t>(control.value);
    m_turn = Turn{steps < 0 && !isOver ? m_behaviour.steps : step - 1 + std::max<std::int64_t>(0, steps),
        std::max(0, control.rank), steps > 0 ? monotonicNs() : 0, step};
    if (steps != 0 && std::exchange(m_isHeld, false)) {
        m_recorder.endHold();
    }
    if (steps != 0) {
        m_lastEndNs = monotonicNs();
    }
    return true;
}

void FakeRank::hold(std::int64_t step)
{
    if (std::exchange(m_isHeld, true)) {
        return;
    }
    const std::int64_t now = monotonicNs();
    wire::Held held{.step = step - 1, .timeNs = now};
    if (m_turn->startNs != 0) {
        const std::int64_t steps = step - m_turn->firstStep;
        held.block = m_turn->number;
        held.startNs = m_turn->startNs;
        held.steps = std::max<std::int64_t>(0, steps - wire::UncountedSteps);
        held.wallNs = steps > 0 ? (now - held.startNs) * held.steps / steps : 0;
        held.samples = held.steps * m_behaviour.batch;
    }
    m_recorder.held(held);
}

FakeRank::Verdict FakeRank::control(std::int64_t step)
{
    bool isPaused = false;
    while (true) {
        if (m_recorder.isPeerLost()) {
            return Verdict::PeerLost;
        }
        while (const auto control = m_recorder.pollControl()) {
            const bool isStop = control->command == wire::Command::Stop;
            if ((isStop && m_behaviour.ignoresStop) || takeTurn(*control, step)) {
                continue;
            }
            if (isStop && step > m_behaviour.steps) {
                return Verdict::Stop;
            }
            m_recorder.applied({control->command, step, monotonicNs(), control->rank, control->value});
            if (isStop) {
                return Verdict::Stop;
            }
            isPaused
                = control->command == wire::Command::Pause || (isPaused && control->command != wire::Command::Resume);
        }
        const bool mustHold = m_turn && step > m_turn->lastStep;
        if (!isPaused && !mustHold) {
            return Verdict::Go;
        }
        if (!isPaused) {
            hold(step);
        }
        std::this_thread::sleep_for(milliseconds(2));
    }
}

void FakeRank::trainStep(std::int64_t step, double loss)
{
    if (m_behaviour.rate > 0) {
        std::this_thread::sleep_until(std::chrono::steady_clock::now()
            + std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::duration<double>(1.0 / m_behaviour.rate)));
    }
    const std::int64_t endNs = monotonicNs();
    StepRow row;
    row.step = step;
    row.endNs = endNs;
    row.wallNs = endNs - m_lastEndNs;
    row.samples = step * m_behaviour.batch;
    row.batch = m_behaviour.batch;
    row.loss = loss;
    row.learningRate = 0.1;
    // Data, forward, backward and optimize take 5, 30, 55 and 10 % of the step.
    row.phaseNs = {row.wallNs / 20, row.wallNs * 3 / 10, row.wallNs * 11 / 20, 0, 0, row.wallNs / 10, 0};
    if (m_behaviour.sendsSpans) {
        std::int64_t start = m_lastEndNs;
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            if (row.phaseNs[phase] > 0) {
                m_recorder.span(step, static_cast<Phase>(phase), start, row.phaseNs[phase]);
                start += row.phaseNs[phase];
            }
        }
    }
    if (step <= m_behaviour.steps) {
        m_recorder.step(row);
    }
    m_lastEndNs = endNs;
}

void FakeRank::evaluate(std::int64_t step)
{
    const double loss = fakeLoss(m_rank, step);
    m_recorder.record(wire::Evaluation{.step = step,
        .samples = step * m_behaviour.batch,
        .endNs = monotonicNs(),
        .durationNs = 1'000'000,
        .accuracy = std::exp(-loss),
        .loss = loss});
}

int FakeRank::end(wire::Outcome outcome, std::int64_t step, const std::string& cause, int code)
{
    const std::string message = outcome == wire::Outcome::Failed ? ofRank({cause}, Rank{m_rank}).text() : cause;
    if (!message.empty()) {
        std::fprintf(stderr, "fake_rank: %s\n", message.c_str());
    }
    if (m_behaviour.saysGoodbye) {
        m_recorder.goodbye({outcome, step, message});
    }
    if (m_behaviour.lingers) {
        liveOn();
    }
    return code;
}

int FakeRank::run()
{
    misbehave(0);
    if (m_behaviour.refuses) {
        return end(wire::Outcome::Refused, 0, "train.batch: this fake refuses every run", ExitRefused);
    }
    if (m_behaviour.refusesData) {
        m_recorder.goodbye(wire::Goodbye::of(
            wire::Outcome::Refused, 0, refusal("dataset.path", "%1", {verbatim("this fake finds no data")})));
        return ExitRefused;
    }
    prepare();
    m_lastEndNs = monotonicNs();
    for (std::int64_t step = 1; step <= m_behaviour.steps || m_turn; ++step) {
        switch (control(step)) {
        case Verdict::Go:
            break;
        case Verdict::Stop:
            return step > m_behaviour.steps ? end(wire::Outcome::Finished, m_behaviour.steps, "", 0)
                                            : end(wire::Outcome::Stopped, step - 1, "", 0);
        case Verdict::PeerLost:
            return ExitFailed;
        }
        misbehave(step);
        if (m_behaviour.fail == step) {
            return end(wire::Outcome::Failed, step, "this fake fails at step " + std::to_string(step), ExitFailed);
        }
        const bool isNan = m_behaviour.nan == step;
        trainStep(step, isNan ? std::numeric_limits<double>::quiet_NaN() : fakeLoss(m_rank, step));
        if (isNan) {
            return end(wire::Outcome::Failed, step, "loss became NaN at step " + std::to_string(step), ExitFailed);
        }
        const bool isDue = m_behaviour.evaluateEvery > 0 && step % m_behaviour.evaluateEvery == 0;
        if (step == m_behaviour.steps || (isDue && step < m_behaviour.steps)) {
            evaluate(step);
        }
        if (m_behaviour.logEvery > 0 && step % m_behaviour.logEvery == 0 && step <= m_behaviour.steps) {
            m_recorder.log(wire::LogLevel::Info, "step " + std::to_string(step));
        }
    }
    m_recorder.log(wire::LogLevel::Info, "fake rank " + std::to_string(m_rank) + " has finished");
    return end(wire::Outcome::Finished, m_behaviour.steps, "", 0);
}

std::vector<std::jthread> bringStrangers(Recorder& recorder, const std::string& address, const std::string& secret)
{
    std::vector<std::jthread> strangers;
    for (const std::string_view kind : strangerKinds()) {
        strangers.emplace_back([&recorder, kind, address, secret] {
            const auto time = beStranger(kind, address, secret, StrangerPatience);
            recorder.log(time ? wire::LogLevel::Info : wire::LogLevel::Error,
                time ? "stranger " + std::string(kind) + ": cut off after " + std::to_string(time->count()) + " ms"
                     : time.error().message);
        });
    }
    return strangers;
}

int beOnlyStranger(const Behaviour& behaviour, const std::string& address, const std::string& secret)
{
    const auto time = beStranger(behaviour.stranger, address, secret, StrangerPatience);
    if (!time) {
        std::fprintf(stderr, "fake_rank: %s\n", time.error().message.c_str());
        return ExitNotCutOff;
    }
    std::printf("%lld\n", static_cast<long long>(time->count()));
    return 0;
}

int fail(int code, const std::string& message)
{
    std::fprintf(stderr, "fake_rank: %s\n", message.c_str());
    return code;
}

int fakeRankMain()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // as lockstep-rank does it
    const std::string address = environment("LOCKSTEP_TELEMETRY");
    const std::string secretText = environment("LOCKSTEP_SECRET");
    const auto rank = static_cast<std::int32_t>(std::atoi(environment("RANK").c_str()));
    const auto worldSize = static_cast<std::int32_t>(std::max(1, std::atoi(environment("WORLD_SIZE").c_str())));
    const auto behaviour = parseBehaviour(environment("LOCKSTEP_FAKE"), rank);
    if (!behaviour) {
        return fail(ExitRefused, behaviour.error().message);
    }
    if (behaviour->ignoresTerm) {
        std::signal(SIGTERM, SIG_IGN);
    }
    if (!behaviour->stranger.empty()) {
        return beOnlyStranger(*behaviour, address, secretText);
    }
    std::this_thread::sleep_for(milliseconds(behaviour->delayMs));
    if (!behaviour->connects) {
        liveOn();
    }
    const auto secret = wire::secretFromHex(secretText);
    if (!secret) {
        return fail(ExitRefused, "LOCKSTEP_SECRET: " + secret.error().message);
    }
    const wire::Hello hello{.runId = environment("LOCKSTEP_RUN"),
        .rank = rank,
        .worldSize = worldSize,
        .pid = getpid(),
        .host = hostName(),
        .device = "cpu",
        .libtorch = "none"};
    auto session = engine::connectToWorkbench({address}, *secret, hello, milliseconds(10000));
    if (!session) {
        return fail(ExitFailed, session.error().message);
    }
    FakeRank fake(*behaviour, rank, std::move(session->sink));
    std::vector<std::jthread> strangers;
    if (behaviour->bringsStrangers) {
        strangers = bringStrangers(fake.recorder(), address, secretText);
    }
    return fake.run();
}

} // namespace

} // namespace lockstep::fakes

int main()
{
    return lockstep::fakes::fakeRankMain();
}
