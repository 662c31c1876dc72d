#include "core/truth/run_maker.h"

#include "analysis/statistics/run_groups.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "plan/grid.h"
#include "plan/memory.h"
#include "plan/net.h"
#include "plan/partition/partition.h"

#include <algorithm>
#include <cmath>

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

bool isOf(std::string_view where, const RunSpec& spec)
{
    const std::size_t equals = where.find('=');
    if (equals == std::string_view::npos) {
        return where.empty() || where == spec.name;
    }
    const auto setting = spec.settings.find(std::string(where.substr(0, equals)));
    return setting != spec.settings.end() && experiment::toText(setting->second) == where.substr(equals + 1);
}

RunModel modelOf(const TruthRow& row, const RunSpec& spec)
{
    RunModel model;
    for (const Effect& effect : row.effects) {
        if (isOf(effect.where, spec)) {
            model.values[static_cast<std::size_t>(effect.what)] = effect.value;
        }
    }
    return model;
}

} // namespace

bool happens(const TruthRow& row, const RunSpec& spec, Event event)
{
    return std::ranges::any_of(row.mishaps, [&](const Mishap& mishap) {
        return mishap.event == event && (mishap.variant.empty() || mishap.variant == spec.name)
            && (mishap.repeat == 0 || mishap.repeat == spec.repeat + 1);
    });
}

RunMaker::RunMaker(const TruthRow& row, const RunSpec& spec, Seed seed, std::int64_t startNs, std::int64_t roundNs)
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

store::Delta RunMaker::made(const RunId& id)
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

void RunMaker::addGreeting(const RunId& id)
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

void RunMaker::addMachine()
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
        constexpr double Watched = 1e9;
        const auto ns = [](double part) { return static_cast<std::int64_t>(part * Watched); };
        m_delta.vitals.push_back(
            {rank, {m_nowNs, 300'000'000, 0, ns(share), ns(1.0 - share), ns(sample.busyCores), ns(1.0)}});
    }
    m_delta.machineSamples.push_back(std::move(sample));
}

void RunMaker::addShares()
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

void RunMaker::addMeasurements()
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

void RunMaker::addMemory()
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

void RunMaker::addSteps()
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
double RunMaker::firstLoss() const
{
    constexpr double Letters = 65.0;
    return std::log(is(m_spec, experiment::DataSet::Text) ? Letters : static_cast<double>(dataFactsOf(m_spec).classes));
}

double RunMaker::lossAt(std::int64_t step)
{
    const double start = firstLoss();
    const bool learns = m_model[Quantity::NeverLearns] == 0.0;
    const double fallen = learns ? std::exp(-m_rate * static_cast<double>(step)) : 1.0;
    return (m_floor + (start - m_floor) * fallen) * noise(m_model[Quantity::BatchNoise]);
}

/// Where the net is divided, the last rank has the samples.
double RunMaker::batchOf(int rank, std::int64_t samples) const
{
    const auto all = static_cast<double>(samples);
    return plan::dividesModel(m_spec) && !is(m_spec, Strategy::Zero) ? (rank == m_ranks - 1 ? all : 0.0)
                                                                     : all / m_ranks;
}

/// Sent by one rank.
double RunMaker::bytesOfStep() const
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
double RunMaker::hiddenShare() const
{
    return is(m_spec, experiment::GradientForm::Buckets) ? 0.6 : 0.0;
}

/// That backward does not hide.
double RunMaker::messagesOfStep() const
{
    const double all = 2.0 * (m_ranks - 1) * MessageNs + bytesOfStep() * NsPerByte;
    return m_ranks < 2 ? 0.0 : m_model[Quantity::Messages] * all * (1.0 - hiddenShare()) * m_pace;
}

void RunMaker::addStep(std::int64_t step)
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

void RunMaker::addRow(std::int64_t step, int rank, double ownNs, double slowestNs, double commNs)
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
void RunMaker::addSpans(const StepRow& row, int rank)
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

void RunMaker::addEvaluation(std::int64_t step)
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
void RunMaker::hold(std::int64_t step)
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
void RunMaker::changeByHand(std::int64_t step)
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

void RunMaker::end(RunStatus status, std::string why)
{
    m_status = status;
    m_why = std::move(why);
}

} // namespace lockstep::tests
