#include "core/truth/truth_stores.h"

#include "analysis/statistics/run_groups.h"
#include "base/random.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "experiment/vary.h"
#include "plan/grid.h"
#include "plan/memory.h"
#include "plan/net.h"
#include "plan/partition/partition.h"
#include "plan/steps.h"
#include "store/account/run_account.h"
#include "store/run_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace lockstep::tests {

namespace {

using analysis::RunStatus;
using experiment::Algorithm;
using experiment::RunSpec;
using experiment::Strategy;

constexpr double FlopsPerNs = 100.0;
constexpr double MessageNs = 30'000.0;
constexpr double NsPerByte = 0.5;
constexpr double SlowBy = 1.6;
constexpr double StepNoise = 0.03; ///< of the logarithm of a rank's computation in a step
constexpr std::int64_t Cores = 8;
constexpr std::int64_t TestSamples = 2000;
constexpr std::int64_t BlockSteps = 13; ///< of which 10 are counted
constexpr std::int64_t SpanSteps = 30; ///< of later steps the spans are dropped, as under load
constexpr std::int64_t Second = 1'000'000'000;
constexpr std::int64_t SlotNs = 20 * Second; ///< from one block, or run, to the next
constexpr std::int64_t FirstWallSeconds = 1'795'000'000;

struct Model {
    std::array<double, QuantityCount> values{
        0.05, 6.0, 0.02, 0.02, 0.97, 1.0, 1.0, 1.0, 0.01, 0.0, std::numeric_limits<double>::infinity(), -1.0, 0.0};

    [[nodiscard]] double operator[](Quantity what) const { return values[static_cast<std::size_t>(what)]; }
};

bool isOf(std::string_view where, const RunSpec& spec)
{
    const std::size_t equals = where.find('=');
    if (equals == std::string_view::npos) {
        return where.empty() || where == spec.name;
    }
    const auto setting = spec.settings.find(std::string(where.substr(0, equals)));
    return setting != spec.settings.end() && experiment::toText(setting->second) == where.substr(equals + 1);
}

Model modelOf(const TruthRow& row, const RunSpec& spec)
{
    Model model;
    for (const Effect& effect : row.effects) {
        if (isOf(effect.where, spec)) {
            model.values[static_cast<std::size_t>(effect.what)] = effect.value;
        }
    }
    return model;
}

bool happens(const TruthRow& row, const RunSpec& spec, Event event)
{
    return std::ranges::any_of(row.mishaps, [&](const Mishap& mishap) {
        return mishap.event == event && (mishap.variant.empty() || mishap.variant == spec.name)
            && (mishap.repeat == 0 || mishap.repeat == spec.repeat + 1);
    });
}

/// Makes the rows of one run's ranks.
class Maker {
public:
    Maker(const TruthRow& row, const RunSpec& spec, Seed seed, std::int64_t startNs, std::int64_t roundNs);

    [[nodiscard]] store::Delta made(const RunId& id);
    [[nodiscard]] RunStatus status() const { return m_status; }
    [[nodiscard]] const std::string& why() const { return m_why; }

private:
    void addGreeting(const RunId& id);
    void addMachine();
    void addShares();
    void addMeasurements();
    void addMemory();
    void addSteps();
    void addStep(std::int64_t step);
    void addRow(std::int64_t step, int rank, double ownNs, double slowestNs, double commNs);
    void addSpans(const StepRow& row, int rank);
    void addEvaluation(std::int64_t step);
    void hold(std::int64_t step);
    void changeByHand(std::int64_t step);
    void end(RunStatus status, std::string why);
    [[nodiscard]] double hiddenShare() const;
    [[nodiscard]] double bytesOfStep() const;
    [[nodiscard]] double messagesOfStep() const;
    [[nodiscard]] double firstLoss() const;
    [[nodiscard]] double lossAt(std::int64_t step);
    [[nodiscard]] double batchOf(int rank, std::int64_t samples) const;
    [[nodiscard]] double noise(double deviation) { return std::exp(deviation * m_random.normal()); }

    const TruthRow& m_row;
    const RunSpec& m_spec;
    Model m_model;
    Random m_random;
    int m_ranks;
    int m_stages; ///< of a pipeline; 1: none
    std::int64_t m_trainSamples;
    plan::StepPlan m_plan;
    double m_floor;
    double m_rate;
    double m_pace = 1.0; ///< factor of times, of the run or block
    double m_loss = 0.0;
    std::int64_t m_nowNs;
    std::int64_t m_startNs;
    std::int64_t m_roundNs; ///< from a block to the next of the same run
    std::int64_t m_samples = 0; ///< seen by all ranks
    std::int64_t m_blockSamples = 0;
    std::vector<std::int64_t> m_blockWallNs; ///< of each rank's counted steps
    std::int64_t m_blockStartNs = 0;
    RunStatus m_status = RunStatus::Finished;
    std::string m_why;
    store::Delta m_delta;
};

Maker::Maker(const TruthRow& row, const RunSpec& spec, Seed seed, std::int64_t startNs, std::int64_t roundNs)
    : m_row(row)
    , m_spec(spec)
    , m_model(modelOf(row, spec))
    , m_random(seed)
    , m_ranks(experiment::worldSizeOf(spec).isOk() ? *experiment::worldSizeOf(spec) : 1)
    , m_stages(is(spec, Strategy::Pipeline, Strategy::Grid) ? plan::gridShape(spec).pipeline : 1)
    , m_trainSamples(experiment::knownTrainSamples(spec))
    , m_plan(plan::stepPlan(spec, m_trainSamples))
    , m_floor(m_model[Quantity::Floor] * noise(m_model[Quantity::SeedNoise]))
    , m_rate(m_model[Quantity::Learning] / static_cast<double>(m_plan.totalSteps)
          * noise(m_model[Quantity::SeedNoise] / 4.0))
    , m_nowNs(startNs)
    , m_startNs(startNs)
    , m_roundNs(roundNs)
    , m_blockWallNs(static_cast<std::size_t>(m_ranks))
{
    m_pace = noise(m_model[Quantity::TimeNoise]);
}

store::Delta Maker::made(const RunId& id)
{
    addGreeting(id);
    addMachine();
    if (experiment::isSweep(m_spec)) {
        addMeasurements();
    } else {
        addShares();
        addSteps();
        addMemory();
    }
    addMachine();
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        const bool isFailed = m_status == RunStatus::Failed;
        m_delta.ranks.push_back({rank, isFailed ? store::RankState::Failed : store::RankState::Finished,
            isFailed && rank == 0 ? m_why : std::string()});
    }
    m_delta.statuses.push_back({m_status, m_why, FirstWallSeconds * Second + m_nowNs});
    return std::move(m_delta);
}

void Maker::addGreeting(const RunId& id)
{
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        m_delta.hellos.push_back({rank,
            {.runId = id.text,
                .rank = rank,
                .worldSize = m_ranks,
                .pid = 4000 + rank,
                .host = "lab-1",
                .device = "cpu",
                .libtorch = "1.13.1"}});
        m_delta.prepared.push_back({rank,
            {.device = "cpu",
                .trainSamples = m_trainSamples,
                .testSamples = TestSamples,
                .totalSteps = experiment::isSweep(m_spec) ? 0 : m_plan.totalSteps,
                .stepsPerEpoch = m_plan.stepsPerEpoch,
                .parameterCount = plan::parametersOf(plan::netUnits(m_spec)),
                .dataNs = 40'000'000,
                .cores = static_cast<std::int32_t>(Cores)}});
    }
    m_delta.machines.push_back({"lab-1", static_cast<std::int32_t>(Cores), std::int64_t{32} << 30, {}});
    m_delta.starts.push_back({0.9, 0.6});
}

void Maker::addMachine()
{
    const double wanted = m_ranks + m_model[Quantity::OtherLoad];
    const double share = std::min(1.0, static_cast<double>(Cores) / wanted);
    analysis::MachineSample sample;
    sample.host = "lab-1";
    sample.timeNs = m_nowNs;
    sample.busyCores = wanted * share;
    sample.freeMemoryBytes = 20e9;
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        sample.ranks.push_back({rank, share, 3e8});
    }
    m_delta.machineSamples.push_back(std::move(sample));
}

void Maker::addShares()
{
    const experiment::PartitionSettings& wanted = m_spec.settings->partition;
    if (m_ranks < 2 || !experiment::hasReplicas(m_spec) || wanted.name == experiment::PartitionName::Reshuffled) {
        return;
    }
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < m_trainSamples; ++i) {
        labels.push_back(i % 10);
    }
    plan::PartitionOptions options{.ranks = m_ranks,
        .seed = seedFor(SeedUse::Partition, static_cast<std::uint64_t>(m_spec.settings->train.seed)),
        .alpha = wanted.alpha,
        .shards = wanted.shards,
        .proportions = wanted.shares};
    for (int rank = 0; wanted.shares.empty() && rank < m_ranks; ++rank) {
        options.proportions.push_back(rank + 1.0);
    }
    const auto name = experiment::toText(m_spec.settings.at(nameOf(&experiment::PartitionSettings::name)));
    const auto partition = plan::makePartition(name, labels, options);
    if (!partition) {
        return end(RunStatus::Failed, partition.error().text());
    }
    const auto shares = plan::summarise(*partition, labels, 10);
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        const plan::ShareSummary& share = shares[static_cast<std::size_t>(rank)];
        m_delta.shares.push_back({rank, {share.samples, share.shared, partition->redraws, share.labels}});
    }
}

void Maker::addMeasurements()
{
    for (std::int64_t bytes = 4; bytes <= (16 << 20); bytes *= 8) {
        const double ns = m_model[Quantity::Messages] * noise(m_model[Quantity::TimeNoise])
            * (2.0 * (m_ranks - 1) * MessageNs
                + 2.0 * (m_ranks - 1) / m_ranks * static_cast<double>(bytes) * NsPerByte);
        for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
            const auto took = static_cast<std::int64_t>(ns) - 10 * rank;
            m_delta.measurements.push_back({rank,
                {.collective = experiment::toText(m_spec.settings.at("collective.name")),
                    .algorithm = experiment::toText(m_spec.settings.at("aggregation.algorithm")),
                    .type = "float32",
                    .bytes = bytes,
                    .inPlace = true,
                    .calls = 100,
                    .p50Ns = took,
                    .p99Ns = 2 * took,
                    .meanNs = took + took / 20,
                    .shared = true}});
        }
        m_nowNs += static_cast<std::int64_t>(100.0 * ns);
    }
}

void Maker::addMemory()
{
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        const plan::MemoryPlan memory = plan::memoryOf(m_spec, rank);
        wire::MemorySample sample{.step = m_plan.totalSteps, .timeNs = m_nowNs, .live = memory.bytes};
        of(sample.live, MemoryKind::Activations) = 0;
        sample.most = sample.planned = memory.bytes;
        sample.mostOfSum = sumOf(memory.bytes);
        sample.highest = sample.plannedHighest = std::max(memory.highest, sample.mostOfSum);
        sample.residentBytes = sample.highestResidentBytes = 300'000'000 + sample.highest;
        m_delta.memory.push_back({rank, sample});
    }
}

void Maker::addSteps()
{
    const bool isResumed = happens(m_row, m_spec, Event::Resumed);
    const std::int64_t half = m_plan.totalSteps / 2;
    const std::int64_t every = std::max(m_plan.stepsPerEpoch, m_plan.totalSteps / 10);
    const double last = m_model[Quantity::DivergesAt] * static_cast<double>(m_plan.totalSteps);
    for (std::int64_t step = 1; step <= m_plan.totalSteps && m_status == RunStatus::Finished; ++step) {
        m_samples += plan::samplesOfStep(m_plan, m_trainSamples, step);
        m_loss = static_cast<double>(step) > last ? analysis::NotMeasured : lossAt(step);
        if (isResumed && step <= half) {
            continue;
        }
        if (m_row.inTurns && (step - 1) % BlockSteps == 0) {
            hold(step - 1);
        }
        addStep(step);
        if (std::isnan(m_loss)) {
            const std::string rate = experiment::toText(m_spec.settings.at(nameOf(&experiment::OptimizerSettings::lr)));
            return end(RunStatus::Failed,
                "rank 0: loss became NaN at step " + std::to_string(step) + " (optimizer.lr " + rate + ")");
        }
        if (step % every == 0 || step == m_plan.totalSteps) {
            addEvaluation(step);
        }
        if (step == half) {
            changeByHand(step);
        }
    }
    if (m_row.inTurns && m_status == RunStatus::Finished) {
        hold(m_plan.totalSteps);
    }
}

/// The loss of a guess.
double Maker::firstLoss() const
{
    constexpr double Letters = 65.0;
    return std::log(is(m_spec, experiment::DataSet::Text) ? Letters : static_cast<double>(dataFactsOf(m_spec).classes));
}

double Maker::lossAt(std::int64_t step)
{
    const double start = firstLoss();
    const bool learns = m_model[Quantity::NeverLearns] == 0.0;
    const double fallen = learns ? std::exp(-m_rate * static_cast<double>(step)) : 1.0;
    return (m_floor + (start - m_floor) * fallen) * noise(m_model[Quantity::BatchNoise]);
}

/// Where the net is divided, the last rank has the samples.
double Maker::batchOf(int rank, std::int64_t samples) const
{
    const auto all = static_cast<double>(samples);
    return plan::dividesModel(m_spec) && !is(m_spec, Strategy::Zero) ? (rank == m_ranks - 1 ? all : 0.0)
                                                                     : all / m_ranks;
}

/// Sent by one rank.
double Maker::bytesOfStep() const
{
    if (m_ranks < 2) {
        return 0.0;
    }
    const experiment::Settings& settings = *m_spec.settings;
    const double ring
        = 2.0 * (m_ranks - 1) / m_ranks * 4.0 * static_cast<double>(plan::parametersOf(plan::netUnits(m_spec)));
    const auto once
        = [&](std::int64_t every) { return ring / static_cast<double>(every > 0 ? every : m_plan.stepsPerEpoch); };
    const double bytes = is(m_spec, Strategy::Zero) && settings.zero.stage == 3 ? 1.5 * ring
        : is(m_spec, Strategy::Local)                                           ? once(settings.local.every)
        : experiment::trainsLocally(m_spec)                                     ? once(settings.aggregation.every)
        : is(m_spec, Strategy::Pipeline, Strategy::Tensor, Strategy::Grid)
        ? 8.0 * static_cast<double>(m_plan.batch * settings.net.hidden)
        : ring;
    return bytes * m_model[Quantity::Bytes];
}

/// Of the messages' time: beside backward.
double Maker::hiddenShare() const
{
    return is(m_spec, experiment::GradientForm::Buckets) ? 0.6 : 0.0;
}

/// That backward does not hide.
double Maker::messagesOfStep() const
{
    const double all = 2.0 * (m_ranks - 1) * MessageNs + bytesOfStep() * NsPerByte;
    return m_ranks < 2 ? 0.0 : m_model[Quantity::Messages] * all * (1.0 - hiddenShare()) * m_pace;
}

void Maker::addStep(std::int64_t step)
{
    const double flops = 3.0 * static_cast<double>(plan::forwardFlopsOf(plan::netUnits(m_spec)));
    const double work = flops / FlopsPerNs * static_cast<double>(m_plan.batch) / m_ranks;
    std::vector<double> ownNs;
    for (int rank = 0; rank < m_ranks; ++rank) {
        const double slow = rank == static_cast<int>(m_model[Quantity::SlowRank]) ? SlowBy : 1.0;
        ownNs.push_back((work + 50'000.0) * m_model[Quantity::Computation] * slow * m_pace * noise(StepNoise));
    }
    const double slowest = *std::ranges::max_element(ownNs);
    const double microBatches = m_stages > 1 ? static_cast<double>(m_spec.settings->pipeline.microBatches) : 1.0;
    const double whole = slowest * (microBatches + m_stages - 1.0) / microBatches; // with the bubble
    const double messages = messagesOfStep();
    const bool waits = !is(m_spec, Algorithm::ParameterServerAsync);
    for (int rank = 0; rank < m_ranks; ++rank) {
        const double own = ownNs[static_cast<std::size_t>(rank)];
        addRow(step, rank, own, waits ? whole : own, messages);
    }
    m_nowNs += static_cast<std::int64_t>(whole + messages);
    m_blockSamples
        += (step - 1) % BlockSteps >= wire::UncountedSteps ? plan::samplesOfStep(m_plan, m_trainSamples, step) : 0;
}

void Maker::addRow(std::int64_t step, int rank, double ownNs, double slowestNs, double commNs)
{
    const auto ns = [](double time) { return static_cast<std::int64_t>(time); };
    const std::int64_t samples = plan::samplesOfStep(m_plan, m_trainSamples, step);
    StepRow row{.step = step,
        .endNs = m_nowNs + ns(slowestNs) + ns(commNs),
        .wallNs = ns(slowestNs) + ns(commNs),
        .samples = m_samples,
        .batch = ns(batchOf(rank, samples)),
        .loss = m_loss,
        .learningRate = m_spec.settings->optimizer.lr,
        .bytesSent = ns(bytesOfStep())};
    row.phaseNs
        = {ns(0.03 * ownNs), ns(0.3 * ownNs), ns(0.6 * ownNs), ns(commNs), ns(slowestNs - ownNs), ns(0.07 * ownNs), 0};
    if (m_ranks > 1) {
        const TrafficKind kind = m_stages > 1 ? TrafficKind::Activations
            : is(m_spec, Strategy::Tensor)    ? TrafficKind::LayerSums
                                              : TrafficKind::Gradients;
        row.hiddenNs = ns(commNs * hiddenShare() / (1.0 - hiddenShare()));
        row.bytesByKind.emplace();
        (*row.bytesByKind)[static_cast<std::size_t>(kind)] = row.bytesSent;
    }
    if (is(m_spec, Algorithm::ParameterServerAsync) && m_ranks > 1) {
        row.staleness = static_cast<std::int64_t>(m_random.below(static_cast<std::uint64_t>(2 * m_ranks - 1)));
    }
    if (static_cast<std::size_t>(rank) >= m_delta.steps.size()) {
        m_delta.steps.push_back({rank, {}});
        m_delta.spans.push_back({rank, {}});
    }
    m_delta.steps[static_cast<std::size_t>(rank)].what.rows.push_back(row);
    if (step <= SpanSteps) {
        addSpans(row, rank);
    }
    if ((step - 1) % BlockSteps >= wire::UncountedSteps) {
        m_blockWallNs[static_cast<std::size_t>(rank)] += row.wallNs;
    }
}

/// Passes of a pipeline as GPipe orders them; else one of each, then the wait for the slowest, then the messages.
void Maker::addSpans(const StepRow& row, int rank)
{
    std::vector<wire::SpanRow>& spans = m_delta.spans[static_cast<std::size_t>(rank)].what.rows;
    std::int64_t at = row.endNs - row.wallNs;
    const auto add = [&](Phase phase, std::int64_t duration) {
        spans.push_back({row.step, phase, at, duration, -1});
        at += duration;
    };
    add(Phase::Data, row.nsOf(Phase::Data));
    if (m_stages > 1) {
        const auto count = static_cast<std::int32_t>(m_spec.settings->pipeline.microBatches);
        const int stage = plan::placeOf(rank, plan::gridShape(m_spec)).stage;
        const std::int64_t forward = row.nsOf(Phase::Forward) / count;
        const std::int64_t backward = row.nsOf(Phase::Backward) / count;
        for (std::int32_t number = 0; number < count; ++number) {
            spans.push_back({row.step, Phase::Forward, at + (number + stage) * forward, forward, number});
        }
        at += (count + m_stages - 1) * forward;
        for (std::int32_t number = 0; number < count; ++number) {
            const std::int64_t place = number + m_stages - 1 - stage;
            spans.push_back({row.step, Phase::Backward, at + place * backward, backward, count - 1 - number});
        }
        at += (count + m_stages - 1) * backward;
    } else {
        add(Phase::Forward, row.nsOf(Phase::Forward));
        add(Phase::Backward, row.nsOf(Phase::Backward));
        if (m_ranks > 1) {
            add(Phase::Wait, row.nsOf(Phase::Wait));
            add(Phase::Communicate, row.nsOf(Phase::Communicate));
        }
    }
    add(Phase::Optimize, row.nsOf(Phase::Optimize));
}

void Maker::addEvaluation(std::int64_t step)
{
    const double learned = std::clamp((firstLoss() - m_loss) / (firstLoss() - m_floor), 0.0, 1.0);
    // What differs between seeds differs in what is left to learn, too.
    const double missed = (1.0 - m_model[Quantity::Top]) * m_floor / m_model[Quantity::Floor];
    const double right = 0.1 + (0.9 - missed) * learned;
    m_nowNs += 2'000'000;
    m_delta.evaluations.push_back({0,
        {step, m_samples, m_nowNs, 2'000'000, std::round(right * TestSamples) / static_cast<double>(TestSamples),
            1.1 * m_loss}});
}

/// Ends the block that goes up to `step`, and waits for the run's next turn.
void Maker::hold(std::int64_t step)
{
    const std::int64_t block = (step + BlockSteps - 1) / BlockSteps;
    const std::int64_t steps = step - (block - 1) * BlockSteps;
    for (std::int32_t rank = 0; rank < m_ranks; ++rank) {
        wire::Held held{.step = step, .timeNs = m_nowNs};
        if (step > 0 && steps > wire::UncountedSteps) {
            held.block = block;
            held.startNs = m_blockStartNs;
            held.steps = steps - wire::UncountedSteps;
            held.wallNs = m_blockWallNs[static_cast<std::size_t>(rank)];
            held.samples = static_cast<std::int64_t>(batchOf(rank, m_blockSamples));
        }
        m_delta.held.push_back({rank, held});
    }
    m_blockStartNs = m_nowNs = m_startNs + Second + block * m_roundNs;
    m_blockSamples = 0;
    std::ranges::fill(m_blockWallNs, 0);
    m_pace = noise(m_model[Quantity::TimeNoise]);
}

/// Half-way.
void Maker::changeByHand(std::int64_t step)
{
    const auto apply = [&](wire::Command command, double value) {
        m_delta.applied.push_back({0, {command, step + 1, m_nowNs, -1, value}});
    };
    if (happens(m_row, m_spec, Event::Paused)) {
        apply(wire::Command::Pause, 0.0);
        m_nowNs += 3 * Second;
        apply(wire::Command::Resume, 0.0);
    }
    if (happens(m_row, m_spec, Event::Slowed)) {
        apply(wire::Command::SetStraggler, 5.0);
        m_pace *= 3.0;
    }
    if (happens(m_row, m_spec, Event::LinkChanged)) {
        apply(wire::Command::SetLink, 500.0);
        m_pace *= 2.0;
    }
    if (happens(m_row, m_spec, Event::Failed)) {
        end(RunStatus::Failed, "rank 0: killed by signal 9 (Killed)");
    } else if (happens(m_row, m_spec, Event::Stopped)) {
        end(RunStatus::Stopped, "");
    } else if (happens(m_row, m_spec, Event::Interrupted)) {
        end(RunStatus::Interrupted, "the workbench ended during this run");
    }
}

void Maker::end(RunStatus status, std::string why)
{
    m_status = status;
    m_why = std::move(why);
}

/// FNV-1a: equal on every machine.
Seed seedOf(std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    }
    return Seed{hash};
}

Result<std::vector<RunSpec>> specsOf(const TruthRow& row)
{
    LOCKSTEP_TRY_ASSIGN(experiment::Spec spec, experiment::preset(row.preset));
    LOCKSTEP_TRY_ASSIGN(spec, experiment::customise(std::move(spec), row.settings, row.only));
    std::vector<experiment::VariedParameter> varied;
    for (const std::string_view text : row.varied) {
        LOCKSTEP_TRY_ASSIGN(varied.emplace_back(), experiment::parseVaried(text));
    }
    if (!varied.empty()) {
        LOCKSTEP_TRY_ASSIGN(spec, experiment::vary(std::move(spec), varied));
    }
    spec.repeats = row.repeats;
    return experiment::expand(spec);
}

} // namespace

Result<std::vector<TruthRun>> truthRuns(const TruthRow& row)
{
    LOCKSTEP_TRY_ASSIGN(std::vector<RunSpec> specs, specsOf(row));
    const std::vector<std::size_t> order = experiment::orderBySeed(specs);
    const Seed seed = seedOf(row.name);
    const auto together = static_cast<std::int64_t>(specs.size()) / row.repeats;
    std::vector<TruthRun> runs;
    const auto add = [&](RunSpec spec) {
        const auto number = static_cast<std::int64_t>(runs.size());
        // Those of one seed take turns: one begins a slot after the other, and waits while the others run.
        const std::int64_t startNs
            = row.inTurns ? (number / together * 1000 + number % together) * SlotNs : 100 * number * SlotNs;
        if (happens(row, spec, Event::Resumed)) {
            spec.settings["checkpoint.from"] = std::string("/home/lab/checkpoints/") + spec.name;
        }
        TruthRun run;
        run.record.id = makeRunId(FirstWallSeconds + 60 * number, static_cast<std::uint32_t>(number + 1));
        run.record.spec = spec;
        run.record.createdNs = (FirstWallSeconds + 60 * number) * Second;
        run.record.importedFrom = happens(row, spec, Event::Imported) ? "other-lab.run" : "";
        Maker maker(row, spec, seed.derive(static_cast<std::uint64_t>(number)), Second + startNs, together * SlotNs);
        run.sent = maker.made(run.record.id);
        run.record.status = maker.status();
        run.record.setWhy(verbatim(maker.why()));
        store::RunAccount account;
        account.add(run.sent);
        run.record.summary = account.summary();
        account.fill(run.record);
        runs.push_back(std::move(run));
    };
    for (const std::size_t place : order) {
        for (int times = happens(row, specs[place], Event::Twice) ? 2 : 1; times > 0; --times) {
            add(specs[place]);
        }
    }
    return runs;
}

std::vector<analysis::RunRecord> recordsOf(const std::vector<TruthRun>& runs)
{
    std::vector<analysis::RunRecord> records;
    for (const TruthRun& run : runs) {
        records.push_back(run.record);
    }
    return records;
}

Result<void> writeTruth(const std::vector<TruthRun>& runs, const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(folder));
    for (const TruthRun& run : runs) {
        analysis::RunRecord begun = run.record;
        begun.status = RunStatus::Running;
        begun.setWhy({});
        LOCKSTEP_TRY_ASSIGN(const auto writer, store->create(begun));
        LOCKSTEP_TRY(writer->add(run.sent));
        LOCKSTEP_TRY(writer->finish(run.record.status, run.record.why(), run.record.summary));
    }
    return {};
}

} // namespace lockstep::tests
