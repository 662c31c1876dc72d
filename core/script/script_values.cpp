#include "script/script_values.h"

#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "plan/evaluation_size.h"
#include "plan/local_sgd.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"
#include "plan/steps.h"
#include "plan/trimmed_mean.h"
#include "script/python_layers.h"
#include "script/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

namespace lockstep::script {

namespace {

using namespace experiment;

/// The settings that the sections carry out: whatever else a run has is named in the script or refused.
bool isCarriedOut(const Parameter& row)
{
    static const std::vector<Member> All{&DatasetSettings::name, &DatasetSettings::path, &DatasetSettings::trainSamples,
        &DatasetSettings::testSamples, &DatasetSettings::seed, &NetSettings::name, &NetSettings::hidden,
        &NetSettings::depth, &NetSettings::width, &NetSettings::heads, &NetSettings::blocks, &NetSettings::context,
        &NetSettings::isTied, &OptimizerSettings::name, &OptimizerSettings::lr, &OptimizerSettings::momentum,
        &OptimizerSettings::beta1, &OptimizerSettings::beta2, &OptimizerSettings::epsilon,
        &OptimizerSettings::weightDecay, &OptimizerSettings::clip, &OptimizerSettings::scaleLr,
        &OptimizerSettings::schedule, &OptimizerSettings::scheduleEvery, &OptimizerSettings::scheduleFactor,
        &OptimizerSettings::warmup, &TrainSettings::epochs, &TrainSettings::batch, &TrainSettings::batchOf,
        &TrainSettings::steps, &TrainSettings::accumulate, &TrainSettings::seed, &TrainSettings::dtype,
        &RankSettings::strategy, &RankSettings::worldSize, &RankSettings::threads, &PipelineSettings::stages,
        &PipelineSettings::microBatches, &PipelineSettings::schedule, &PipelineSettings::transport,
        &PipelineSettings::cut, &TensorSettings::size, &ZeroSettings::stage, &LocalSettings::every,
        &LocalSettings::what, &LocalSettings::outerLr, &LocalSettings::outerMomentum, &PartitionSettings::name,
        &PartitionSettings::alpha, &PartitionSettings::shards, &PartitionSettings::shares, &PartitionSettings::overlap,
        &PartitionSettings::uneven, &PartitionSettings::setsEpoch, &AggregationSettings::algorithm,
        &AggregationSettings::rule, &AggregationSettings::trim, &AggregationSettings::what,
        &AggregationSettings::every};
    return std::ranges::find(All, row.fills) != All.end();
}

constexpr std::int64_t WholeBatchChunk = 1024; ///< as the engine takes the whole set

/// A sentence for the title.
std::string whatTrains(const std::string& section, int world)
{
    if (section == "single") {
        return "one process trains a net.";
    }
    if (section == "local") {
        return fmt::format("{} processes train copies of a net, and synchronize them every few steps.", world);
    }
    if (section == "data") {
        return fmt::format("{} processes train copies of a net, each on its part of every batch.", world);
    }
    if (section == "rpc") {
        return fmt::format("a master calls {} workers through RPC, which have some layers of a net each.", world - 1);
    }
    return section == "tensor" ? fmt::format("{} processes have a part of each layer of a net.", world)
                               : fmt::format("{} processes have some layers of a net each.", world);
}

/// Fills a Values from a run, one topic a function.
class Filling {
public:
    Filling(const RunSpec& run, const Contents& contents, const std::string& stem)
        : m_run(run)
        , m_contents(contents)
        , m_stem(stem)
        , m_world(processesOf(run))
    { }

    Values values()
    {
        kinds();
        constants();
        net();
        data();
        partition();
        optimizer();
        schedule();
        aggregation();
        gradient();
        told();
        modelParallel();
        title();
        set("notes", notes());
        set("constants", m_constants);
        return std::move(m_values);
    }

private:
    void set(const std::string& name, std::string text) { m_values.texts[name] = std::move(text); }
    void constant(const std::string& line) { m_constants += (m_constants.empty() ? "" : "\n") + line; }
    [[nodiscard]] bool isReplicated() const { return hasReplicas(m_run) || is(m_run, Strategy::Zero); }
    [[nodiscard]] bool isWhole() const { return is(m_run, OptimizerName::Gd); }
    [[nodiscard]] bool hasShares() const { return isReplicated() && !is(m_run, PartitionName::Reshuffled); }
    /// Without Lockstep's folder, too.
    [[nodiscard]] bool isAlwaysFull() const
    {
        return m_contents.hasFullBatches
            && (!hasShares() || !is(m_run, PartitionName::Dirichlet, PartitionName::Unequal));
    }
    [[nodiscard]] bool isChunked() const { return isWhole() || m_run.settings->train.accumulate > 1; }
    /// ZeRO weighs the ranks by their samples, whatever the rule.
    [[nodiscard]] Rule rule() const { return is(m_run, Strategy::Zero) ? Rule::WeightedMean : choice<Rule>(m_run); }

    void kinds();
    void constants();
    void net();
    void data();
    void partition();
    void optimizer();
    void schedule();
    void aggregation();
    void gradient();
    void told();
    void modelParallel();
    void title();
    [[nodiscard]] std::string sectionOfStrategy() const;
    [[nodiscard]] std::string notes() const;

    const RunSpec& m_run;
    const Contents& m_contents;
    const std::string& m_stem;
    int m_world;
    Values m_values;
    std::string m_constants;
};

std::string Filling::sectionOfStrategy() const
{
    switch (choice<Strategy>(m_run)) {
    case Strategy::Pipeline:
        return is(m_run, PipelineTransport::Rpc) ? "rpc" : "pipeline";
    case Strategy::Tensor:
        return "tensor";
    case Strategy::Single:
        return "single";
    default:
        return trainsLocally(m_run) ? "local" : "data";
    }
}

void Filling::kinds()
{
    const std::string strategy = sectionOfStrategy();
    m_values.set("distributed", strategy != "single");
    m_values.set("collectives", strategy != "single" && strategy != "rpc");
    m_values.set("rpc", strategy == "rpc");
    m_values.set("tensor", strategy == "tensor");
    m_values.set("power_of_two", (m_world & (m_world - 1)) == 0);
    set("weights", strategy == "pipeline" ? "stage" : "net");
    m_values.set("zero", is(m_run, Strategy::Zero));
    m_values.set("replicas", isReplicated());
    set("strategy", strategy);
    set("world", std::to_string(m_world));
    set("threads", std::to_string(m_run.settings->rank.threads));
    m_values.set("evaluated", strategy != "pipeline" && strategy != "tensor");
}

void Filling::constants()
{
    set("seed", std::to_string(m_run.settings->train.seed));
    set("steps", std::to_string(m_contents.steps));
    set("samples", std::to_string(m_contents.trainSamples));
    set("test_samples", std::to_string(m_contents.testSamples));
    set("evaluated_samples", std::to_string(plan::evaluatedTrainSamples(m_contents.trainSamples)));
    set("batch", isWhole() ? "SAMPLES" : std::to_string(m_contents.batch));
    set("of_all", isReplicated() ? ", of all ranks together" : "");
    set("dtype", std::string(nameOf(m_run.settings->train.dtype)));
    const bool countsEpochs = hasShares() || is(m_run, LrSchedule::Step);
    if (countsEpochs) {
        constant(fmt::format("STEPS_PER_EPOCH = {}", m_contents.stepsPerEpoch));
    }
}

void Filling::net()
{
    set("net", pythonItems(layersOf(m_run), 4));
    set("classes", std::to_string(dataFactsOf(m_run).classes));
    const bool isGpt = is(m_run, NetName::Gpt);
    m_values.set("text", isGpt);
    m_values.set("tied", isGpt && m_run.settings->net.isTied);
    set("inputs", isGpt ? "windows" : "images");
    set("cross_entropy", isGpt ? "cross_entropy" : "nn.functional.cross_entropy");
    set("label_count", isGpt ? "y.numel()" : "len(y)");
    set("at_once", std::to_string(plan::mostEvaluatedAtOnce(m_run)));
    if (isGpt) {
        const NetSettings& shape = m_run.settings->net;
        constant(fmt::format("CONTEXT, WIDTH, HEADS, BLOCKS = {}, {}, {}, {}  # of the GPT", shape.context, shape.width,
            shape.heads, shape.blocks));
    }
}

void Filling::data()
{
    const bool isIdx = is(m_run, DataSet::Mnist, DataSet::Idx);
    const bool isCsv = is(m_run, DataSet::Csv);
    const bool isCifar = is(m_run, DataSet::Cifar10, DataSet::Cifar100);
    set("data", isIdx ? "idx" : isCifar ? "cifar" : std::string(nameOf(choice<DataSet>(m_run))));
    m_values.set("idx", isIdx);
    m_values.set("gzip", isIdx || isCsv);
    m_values.set("math", isCsv || is(m_run, NetName::Gpt) || is(m_run, LrSchedule::Cosine));
    m_values.set("npz", is(m_run, DataSet::Npz));
    if (is(m_run, DataSet::Digits, DataSet::Text)) {
        return;
    }
    // The last ones are of the test set: two of IDX, one of the others, which may be the only one.
    const std::vector<std::string>& files = m_contents.files;
    const std::size_t tests = std::min(files.size(), std::size_t{isIdx ? 2U : 1U});
    const std::size_t trains = files.size() == tests ? tests : files.size() - tests;
    constant("FILES = {\n    \"train\": " + pythonStrings(std::span(files).first(trains))
        + ",\n    \"test\": " + pythonStrings(std::span(files).last(tests)) + ",\n}");
    if (isCifar) {
        constant(is(m_run, DataSet::Cifar10)     ? "LABELS, LABEL = 1, 0  # of each image, and which is used"
                : is(m_run, ImageLabels::Coarse) ? "LABELS, LABEL = 2, 0  # of each image, and which is used"
                                                 : "LABELS, LABEL = 2, 1  # of each image, and which is used");
        constant("MEAN = " + pythonList(m_contents.mean));
        constant("DEVIATION = " + pythonList(m_contents.deviation));
    }
}

void Filling::partition()
{
    const std::string name = std::string(nameOf(m_run.settings->partition.name));
    set("partition", !hasShares() ? "reshuffled" : name == "random-sampling" ? name : "shares");
    set("shares", name);
    set("partition_name", name);
    set("sampler_arguments", hasShares() && name != "random-sampling" ? "rank, labels" : "rank");
    m_values.set("whole", isWhole());
    m_values.set("set_epoch", m_run.settings->partition.setsEpoch);
    m_values.set("pad", is(m_run, UnevenShares::Pad));
    m_values.set("cut", is(m_run, UnevenShares::Cut));
    m_values.set("overlap", m_run.settings->partition.overlap > 0.0);
    m_values.set("plain", is(m_run, UnevenShares::Proportional) && m_run.settings->partition.overlap == 0.0);
    if (!hasShares()) {
        return;
    }
    if (m_run.settings->partition.overlap > 0.0) {
        constant("OVERLAP = " + pythonFloat(m_run.settings->partition.overlap));
    }
    if (is(m_run, PartitionName::ByLabel)) {
        constant(fmt::format("SHARDS = {}  # of each rank", m_run.settings->partition.shards));
    } else if (is(m_run, PartitionName::Dirichlet)) {
        constant("ALPHA = " + pythonFloat(m_run.settings->partition.alpha));
    } else if (is(m_run, PartitionName::Unequal)) {
        std::vector<double> shares = m_run.settings->partition.shares;
        if (shares.empty()) {
            shares.resize(static_cast<std::size_t>(m_world));
            std::iota(shares.begin(), shares.end(), 1.0);
        }
        constant("SHARES = " + pythonList(shares));
    }
}

void Filling::optimizer()
{
    struct Row {
        std::string_view section;
        std::string_view own;
        std::string_view torch;
    };
    constexpr std::array Rows{Row{"sgd", "GD", "SGD"}, Row{"sgd", "SGD", "SGD"}, Row{"momentum", "Momentum", "SGD"},
        Row{"momentum", "Momentum", "SGD"}, Row{"adam", "Adam", "Adam"}, Row{"adam", "AdamW", "AdamW"}};
    const Row& row = Rows[static_cast<std::size_t>(choice<OptimizerName>(m_run))];
    const bool isNesterov = is(m_run, OptimizerName::Nesterov);
    const bool isAdamW = is(m_run, OptimizerName::AdamW);
    const bool isAdam = isAdamW || is(m_run, OptimizerName::Adam);
    set("optimizer", std::string(row.section));
    set("own_class", std::string(row.own));
    set("torch_class", std::string(row.torch));
    set("w", isAdamW ? "W" : "");
    set("of_whole", isWhole() ? ", with the gradient of the whole training set" : "");
    const OptimizerSettings& settings = m_run.settings->optimizer;
    set("momentum", pythonFloat(settings.momentum));
    set("beta1", pythonFloat(settings.beta1));
    set("beta2", pythonFloat(settings.beta2));
    set("epsilon", pythonFloat(settings.epsilon));
    const double decay = settings.weightDecay;
    set("decay", pythonFloat(decay));
    m_values.set("decay", decay > 0.0);
    m_values.set("nesterov", isNesterov);
    m_values.set("adamw", isAdamW);
    std::string arguments;
    if (isAdam) {
        arguments = fmt::format(
            ", betas=({}, {}), eps={}", m_values.texts["beta1"], m_values.texts["beta2"], m_values.texts["epsilon"]);
    } else if (row.section == "momentum") {
        arguments = ", momentum=" + m_values.texts["momentum"] + (isNesterov ? ", nesterov=True" : "");
    }
    // PyTorch's AdamW has another default.
    set("torch_arguments", arguments + (decay > 0.0 || isAdamW ? ", weight_decay=" + pythonFloat(decay) : ""));
    const double clip = settings.clip;
    m_values.set("clip", clip > 0.0);
    set("clip", pythonFloat(clip));
    set("gradient", decay > 0.0 && !isAdamW ? "gradient" : "weight.grad");
}

void Filling::schedule()
{
    const double unscaled = m_run.settings->optimizer.lr;
    const double growth = static_cast<double>(globalBatch(m_run)) / static_cast<double>(m_run.settings->train.batch);
    const double rate = is(m_run, LrScaling::Linear) ? unscaled * growth
        : is(m_run, LrScaling::Sqrt)                 ? unscaled * std::sqrt(growth)
                                                     : unscaled;
    const std::int64_t warmup = m_run.settings->optimizer.warmup;
    const bool isScheduled = warmup > 0 || !is(m_run, LrSchedule::Constant);
    set("lr", pythonFloat(rate));
    m_values.set("scheduled", isScheduled);
    m_values.set("warmup", warmup > 0);
    m_values.set("lr_step", is(m_run, LrSchedule::Step));
    m_values.set("lr_cosine", is(m_run, LrSchedule::Cosine));
    set("lr_begin", pythonFloat(rate > unscaled ? unscaled : 0.0));
    set("lr_factor", pythonFloat(m_run.settings->optimizer.scheduleFactor));
    set("lr_every", std::to_string(m_run.settings->optimizer.scheduleEvery));
    set("lr_left", std::to_string(std::max<std::int64_t>(1, m_contents.steps - warmup)));
    set("warmup", std::to_string(warmup));
    set("rate", isScheduled ? ", learning_rate(step)" : "");
    set("rate_parameter", isScheduled ? ", lr" : "");
    set("rate_argument", isScheduled ? ", lr" : "");
    if (warmup > 0) {
        constant(fmt::format("WARMUP = {}  # steps", warmup));
    }
}

void Filling::aggregation()
{
    const bool needsAll = rule() == Rule::Median || rule() == Rule::TrimmedMean;
    const int cut = plan::trimmedAtEachEnd(m_run.settings->aggregation.trim, m_world);
    const std::string middle
        = rule() == Rule::Median ? "(WORLD - 1) // 2:WORLD // 2 + 1" : fmt::format("{}:WORLD - {}", cut, cut);
    set("algorithm",
        is(m_run, Strategy::Zero) ? "all_reduce" : std::string(nameOf(m_run.settings->aggregation.algorithm)));
    const bool isOfTorch = m_values.texts["algorithm"] == "all_reduce";
    m_values.set("own_algorithm", isReplicated() && !isOfTorch);
    const std::string ofAll = rule() == Rule::Median ? "median" : "trimmed_mean";
    set("all_reduce", needsAll ? ofAll : isOfTorch ? "dist.all_reduce" : "all_reduce");
    set("halve", m_values.flags.contains("power_of_two") ? "all_reduce" : "halve_and_double");
    set("combine",
        needsAll ? "torch.stack(tensors).sort(0).values[" + middle + "].mean(0)" : "torch.stack(tensors).sum(0)");
    constexpr std::array Words{"mean", "mean, weighted by samples,", "sum", "median", "trimmed mean"};
    const std::string word = Words[static_cast<std::size_t>(rule())];
    set("rule_words", rule() == Rule::Median && m_world % 2 == 0 ? word + ", the mean of the middle two," : word);
    set("combined", needsAll ? word : "sum");
    const bool isWeighted = rule() == Rule::WeightedMean;
    const bool isOfBusy = rule() == Rule::Mean && !isAlwaysFull();
    const bool isCounted = isWeighted || isOfBusy;
    set("per_rank", rule() == Rule::Mean && isAlwaysFull() ? " / WORLD" : "");
    m_values.set("mean_of_busy", isOfBusy);
    m_values.set("weighted", isWeighted);
    m_values.set("counted", isCounted);
    set("samples_parameter", isCounted ? ", samples" : "");
    set("samples_argument", isCounted ? ", len(y)" : "");
    set("samples_name", isCounted ? ", samples" : "");
    const bool isPlainMean = rule() == Rule::Mean || (isWeighted && m_contents.hasEqualBatches);
    m_values.set("ddp", sectionOfStrategy() == "data" && isAlwaysFull() && isPlainMean && !isChunked() && m_world > 1);
    if (trainsLocally(m_run)) {
        const plan::StepPlan steps{m_contents.batch, m_contents.stepsPerEpoch, m_contents.steps};
        const std::int64_t every = plan::stepsBetweenSynchronizations(m_run, steps);
        constant(fmt::format("SYNC_EVERY = {}  # steps", every));
        m_values.set("apart", m_contents.steps % every != 0);
        const plan::OuterStep outer = plan::outerStep(m_run);
        m_values.set("outer", !outer.isMean());
        m_values.set("differences", outer.sendsDifferences);
        set("outer_lr", pythonFloat(outer.learningRate));
        set("outer_momentum", pythonFloat(outer.momentum));
    }
}

void Filling::gradient()
{
    m_values.set("chunked", isChunked());
    m_values.set("empty", !isAlwaysFull());
    set("chunk",
        isWhole() ? fmt::format("split({})", WholeBatchChunk)
                  : fmt::format("chunk({})", m_run.settings->train.accumulate));
    set("loss_value", isChunked() ? "loss" : "loss.item()");
}

/// To the workbench, which takes every rank to have as many samples: 0 where they do not share a step's equally.
void Filling::told()
{
    const bool isPlain
        = !hasShares() || (is(m_run, UnevenShares::Proportional) && m_run.settings->partition.overlap == 0.0);
    const bool isShared
        = isPlain && m_contents.batch % m_world == 0 && m_contents.trainSamples % m_contents.batch % m_world == 0;
    set("told_samples", !isShared ? "0" : isReplicated() ? "int(sums[1]) // WORLD" : "len(y) // WORLD");
}

void Filling::modelParallel()
{
    m_values.set("gpipe", is(m_run, PipelineSchedule::Gpipe));
    const std::vector<plan::NetUnit> units = plan::netUnits(m_run);
    const bool isColumnsLast = is(m_run, Strategy::Tensor) && plan::isOutputSplit(units.back());
    m_values.set("columns_last", isColumnsLast);
    if (isColumnsLast) {
        set("weights", "parts");
    }
    if (!is(m_run, Strategy::Pipeline)) {
        return;
    }
    constant(fmt::format("MICROBATCHES = {}", m_run.settings->pipeline.microBatches));
    const std::vector<plan::PipelinePart> parts = *plan::pipelineParts(m_run);
    std::string stages;
    std::string inputs = "None";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const plan::Slice& layers = parts[i].layers;
        stages += fmt::format("{}({}, {})", i == 0 ? "" : ", ", layers.first, layers.first + layers.count);
        if (i + 1 < parts.size()) {
            inputs += fmt::format(", ({},)", fmt::join(parts[i].last.outputShape, ", "));
        }
    }
    constant("STAGES = [" + stages + "]  # layers of the net, from and to");
    if (!is(m_run, PipelineTransport::Rpc)) {
        constant("INPUT_SHAPES = [" + inputs + "]  # of each stage, for one sample");
    }
}

void Filling::title()
{
    // Names are the user's; what would end the text or begin another does not go into it.
    std::string name = m_run.experiment == m_run.name ? m_run.name : m_run.experiment + ", " + m_run.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; },
        ' ');
    set("title", wrapped(name + ": " + whatTrains(sectionOfStrategy(), m_world)));
    const bool isOne = m_world == 1 && is(m_run, Strategy::Single);
    set("command",
        isOne ? "python3 " + m_stem + ".py" : fmt::format("torchrun --nproc_per_node={} {}.py", m_world, m_stem));
    set("about",
        comment(fmt::format(
            "{0}{1}.data has the initial weights and the order of samples of Lockstep's run, so that the "
            "losses are equal; without that folder the script draws its own.",
            isOne ? ""
                  : fmt::format(
                      "python3 {}.py starts the {} processes by itself: Debian 12's torchrun does not work with its "
                      "Python 3.11. ",
                      m_stem, m_world),
            m_stem)));
}

std::string Filling::notes() const
{
    std::string list;
    for (const Parameter& row : parameters()) {
        const Value& value = m_run.settings.at(std::string(row.name));
        // Under RPC autograd orders the calls: all forward, then all backward.
        const bool isLeftOut = (row.fills == &experiment::PipelineSettings::schedule && m_values.flags.contains("rpc"))
            || (row.fills == &experiment::DatasetSettings::testSamples && !m_values.flags.contains("evaluated")
                && value != row.standard);
        const bool isOther = !isCarriedOut(row) && applies(row, m_run.settings) && value != row.standard;
        if (isLeftOut || isOther) {
            list += (list.empty() ? "" : ", ") + std::string(row.name) + " = " + toText(value);
        }
    }
    std::replace_if(
        list.begin(), list.end(), [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; },
        ' ');
    return list.empty() ? list : comment("Not carried over, as it changes no loss: " + list + ".");
}

} // namespace

Values scriptValues(const RunSpec& run, const Contents& contents, const std::string& stem)
{
    return Filling(run, contents, stem).values();
}

} // namespace lockstep::script
