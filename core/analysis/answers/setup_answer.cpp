#include "analysis/answers/answer_parts.h"
#include "analysis/numbers.h"
#include "base/text.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"
#include "plan/net.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>

namespace lockstep::analysis {

namespace {

using experiment::Parameter;
using Runs = std::span<const RunRecord>;

/// What all runs have; nothing where they differ.
template <typename F>
auto common(Runs runs, F of)
{
    const auto first = of(runs.front());
    const bool isSame = std::ranges::all_of(runs, [&](const RunRecord& run) { return of(run) == first; });
    return isSame ? std::optional(first) : std::nullopt;
}

std::string_view labelOf(const Parameter& parameter, std::string_view name)
{
    const auto choice = std::ranges::find(parameter.choices, name, &experiment::Choice::name);
    return choice == parameter.choices.end() ? name : choice->label;
}

/// An argument that is a label of this setting.
void addLabel(Finding& finding, const experiment::Member& member, const RunRecord& run)
{
    const Parameter& parameter = experiment::parameterOf(member);
    const auto value = run.spec.settings.find(std::string(parameter.name));
    finding.labels.push_back(finding.arguments.size());
    finding.arguments.emplace_back(
        labelOf(parameter, value == run.spec.settings.end() ? std::string() : experiment::toText(value->second)));
}

/// The net and its data.
void addNet(Runs runs, std::vector<Finding>& clauses)
{
    const auto parameters
        = common(runs, [](const RunRecord& run) { return plan::parametersOf(plan::netUnits(run.spec)); });
    const bool isOneNet = common(runs, [](const RunRecord& run) { return run.spec.settings->net.name; }).has_value();
    const bool isOneSet
        = common(runs, [](const RunRecord& run) { return run.spec.settings->dataset.name; }).has_value();
    const auto samples = common(runs, [](const RunRecord& run) { return run.summary.trainSamples; });
    if (!isOneNet || !isOneSet || !samples || *samples == 0) {
        return;
    }
    Finding clause{.pattern = parameters ? LS_TR("Findings", "%1 of %4 parameters on %3 samples of %2")
                                         : LS_TR("Findings", "%1 on %3 samples of %2")};
    addLabel(clause, &experiment::NetSettings::name, runs.front());
    addLabel(clause, &experiment::DatasetSettings::name, runs.front());
    clause.arguments.push_back(grouped(*samples));
    clause.arguments.push_back(parameters ? grouped(*parameters) : std::string());
    clauses.push_back(std::move(clause));
}

bool usesWholeSet(const RunRecord& run)
{
    return is(run.spec, experiment::OptimizerName::Gd);
}

void addBatch(Runs runs, std::vector<Finding>& clauses)
{
    std::vector<RunRecord> some(runs.begin(), runs.end());
    std::erase_if(some, usesWholeSet);
    if (some.empty()) {
        clauses.push_back({.pattern = LS_TR("Findings", "each step on the whole set")});
        return;
    }
    const auto batch = common(some, [](const RunRecord& run) { return run.spec.settings->train.batch; });
    if (!batch) {
        return;
    }
    const auto isOfEach = [](const RunRecord& run) { return experiment::isBatchOfEachRank(run.spec); };
    const auto hasRanks = [](const RunRecord& run) { return ranksOf(run) > 1; };
    const bool areAllOfEach
        = std::ranges::all_of(some, [&](const RunRecord& run) { return isOfEach(run) || !hasRanks(run); });
    clauses.push_back({.pattern = std::ranges::none_of(some, hasRanks) ? LS_TR("Findings", "batch %1")
            : areAllOfEach                                             ? LS_TR("Findings", "batch %1 per rank")
            : std::ranges::none_of(some, isOfEach) ? LS_TR("Findings", "batch %1 shared by the ranks")
                                                   : LS_TR("Findings", "batch %1 shared by the ranks, or per rank"),
        .arguments = {grouped(*batch)}});
    if (some.size() < runs.size()) {
        clauses.push_back({.pattern = LS_TR("Findings", "GD on the whole set in each step")});
    }
}

/// Each optimizer with its rate; of many, and where a study varies them, the names of the variants have them.
void addOptimizers(Runs runs, std::vector<Finding>& clauses)
{
    std::vector<const RunRecord*> kinds;
    for (const RunRecord& run : runs) {
        const experiment::OptimizerSettings& of = run.spec.settings->optimizer;
        if (std::ranges::none_of(kinds, [&](const RunRecord* each) {
                return each->spec.settings->optimizer.name == of.name && each->spec.settings->optimizer.lr == of.lr;
            })) {
            kinds.push_back(&run);
        }
    }
    if (kinds.size() > MostNamed) {
        return;
    }
    for (const RunRecord* run : kinds) {
        Finding clause{.pattern = LS_TR("Findings", "%1 at learning rate %2")};
        addLabel(clause, &experiment::OptimizerSettings::name, *run);
        clause.arguments.push_back(experiment::toText(experiment::Value(run->spec.settings->optimizer.lr)));
        clauses.push_back(std::move(clause));
    }
}

void addLength(Runs runs, std::vector<Finding>& clauses)
{
    const auto steps = common(runs, [](const RunRecord& run) { return run.spec.settings->train.steps; });
    const auto epochs = common(runs, [](const RunRecord& run) { return run.spec.settings->train.epochs; });
    if (!steps || (*steps == 0 && !epochs)) {
        return;
    }
    clauses.push_back({.pattern = *steps == 1 ? LS_TR("Findings", "1 step")
            : *steps > 0                      ? LS_TR("Findings", "%1 steps")
            : *epochs == 1                    ? LS_TR("Findings", "1 epoch")
                                              : LS_TR("Findings", "%1 epochs"),
        .arguments = {grouped(*steps > 0 ? *steps : *epochs)}});
}

/// How often ranks that train by themselves average their weights.
void addAveraging(Runs runs, std::vector<Finding>& clauses)
{
    std::vector<RunRecord> local;
    std::ranges::copy_if(
        runs, std::back_inserter(local), [](const RunRecord& run) { return experiment::trainsLocally(run.spec); });
    if (local.empty()) {
        return;
    }
    const auto every = common(local, [](const RunRecord& run) {
        return is(run.spec, experiment::Strategy::Local) ? run.spec.settings->local.every
                                                         : run.spec.settings->aggregation.every;
    });
    const bool isOneRule
        = common(local, [](const RunRecord& run) { return run.spec.settings->aggregation.rule; }).has_value();
    if (!every || !isOneRule) {
        return;
    }
    Finding clause{.pattern = *every == 0 ? LS_TR("Findings", "weights averaged after each epoch (%1)")
            : *every == 1                 ? LS_TR("Findings", "weights averaged after each step (%1)")
                                          : LS_TR("Findings", "weights averaged every %2 steps (%1)")};
    addLabel(clause, &experiment::AggregationSettings::rule, local.front());
    clause.arguments.push_back(grouped(*every));
    clauses.push_back(std::move(clause));
}

/// Of a few variants with another number of ranks than the others: `Single process: 1`.
std::vector<std::string> otherRanks(const std::vector<Group>& groups, int usual)
{
    std::vector<std::string> others;
    for (const Group& group : groups) {
        if (const int ranks = ranksOf(*group.runs.front()); ranks != usual) {
            others.push_back(group.name + ": " + std::to_string(ranks));
        }
    }
    return others;
}

/// The number that most variants have.
int usualRanks(const std::vector<Group>& groups)
{
    const auto count
        = [&](const Group& group) { return groups.size() - otherRanks(groups, ranksOf(*group.runs.front())).size(); };
    return ranksOf(*std::ranges::max_element(groups, {}, count)->runs.front());
}

/// Whether the clause about ranks says which variant has how many.
bool isOfFewRanks(const std::vector<Group>& groups)
{
    constexpr std::size_t MostOthers = 2;
    const std::size_t others = otherRanks(groups, usualRanks(groups)).size();
    return others <= MostOthers && 2 * others < groups.size();
}

/// How ranks share the work, where all do it alike.
void addStrategy(Runs runs, std::vector<Finding>& clauses)
{
    const auto strategy = common(runs, [](const RunRecord& run) { return run.spec.settings->rank.strategy; });
    const auto stage = common(runs, [](const RunRecord& run) { return run.spec.settings->zero.stage; });
    const bool isZero = strategy == experiment::Strategy::Zero;
    if (!strategy || strategy == experiment::Strategy::Single || (isZero && !stage)) {
        return;
    }
    Finding clause{.pattern = isZero ? LS_TR("Findings", "strategy %1, stage %2") : LS_TR("Findings", "strategy %1")};
    addLabel(clause, &experiment::RankSettings::strategy, runs.front());
    clause.arguments.push_back(isZero ? std::to_string(*stage) : std::string());
    clauses.push_back(std::move(clause));
}

/// Ranks, repeats and cores.
void addMachine(Runs runs, const std::vector<Group>& groups, std::vector<Finding>& clauses)
{
    const int usual = usualRanks(groups);
    const std::vector<std::string> others = otherRanks(groups, usual);
    if (isOfFewRanks(groups)) {
        clauses.push_back({.pattern = !others.empty() && usual == 1 ? LS_TR("Findings", "1 rank (%2)")
                : !others.empty()                                   ? LS_TR("Findings", "%1 ranks (%2)")
                : usual == 1                                        ? LS_TR("Findings", "1 rank")
                                                                    : LS_TR("Findings", "%1 ranks"),
            .arguments = {std::to_string(usual), fewOf(others)}});
    } else {
        const auto [fewest, most] = std::ranges::minmax_element(runs, {}, ranksOf);
        clauses.push_back({.pattern = LS_TR("Findings", "%1 to %2 ranks"),
            .arguments = {std::to_string(ranksOf(*fewest)), std::to_string(ranksOf(*most))}});
    }
    const std::size_t repeats = groups.front().runs.size();
    if (std::ranges::all_of(groups, [&](const Group& group) { return group.runs.size() == repeats; })) {
        clauses.push_back(
            {.pattern = repeats == 1 ? LS_TR("Findings", "one run each") : LS_TR("Findings", "%1 repeats"),
                .arguments = {std::to_string(repeats)}});
    }
    const auto cores = common(runs, [](const RunRecord& run) { return run.summary.cores; });
    if (cores && *cores > 0) {
        clauses.push_back({.pattern = *cores == 1 ? LS_TR("Findings", "1 core") : LS_TR("Findings", "%1 cores"),
            .arguments = {grouped(*cores)}});
    }
}

/// `1000 kB`; units that are words stand in the label of their parameter. Empty where it does not apply.
std::string valueOf(const RunRecord& run, const Parameter& parameter)
{
    if (parameter.fills == &experiment::RankSettings::worldSize) {
        return std::to_string(ranksOf(run));
    }
    const auto found = run.spec.settings.find(std::string(parameter.name));
    const bool isSet = found != run.spec.settings.end() && isUsed(parameter, run.spec.settings);
    constexpr std::size_t LongestSign = 2;
    const std::string unit = parameter.unit.size() > LongestSign || parameter.unit.empty()
        ? std::string()
        : " " + std::string(parameter.unit);
    return isSet ? std::string(labelOf(parameter, experiment::toText(found->second))) + unit : std::string();
}

std::string inSmallLetters(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return text;
}

/// Whether the variants' names have the values.
bool isNamed(const Parameter& parameter, const std::vector<Group>& groups)
{
    return std::ranges::all_of(groups, [&](const Group& group) {
        const std::string value = valueOf(*group.runs.front(), parameter);
        return value.empty() || inSmallLetters(group.name).find(inSmallLetters(value)) != std::string::npos;
    });
}

/// What the variants' names do not say: the sizes of their buckets, the parts of a grid.
void addDifferences(const std::vector<Group>& groups, FindingTable& table)
{
    constexpr std::size_t MostRows = 12;
    constexpr std::size_t MostColumns = 6;
    static const std::array<experiment::Member, 12> Shown{&experiment::RankSettings::worldSize,
        &experiment::PipelineSettings::stages, &experiment::PipelineSettings::microBatches,
        &experiment::TensorSettings::size, &experiment::GridSettings::data, &experiment::GridSettings::pipeline,
        &experiment::GridSettings::tensor, &experiment::CommSettings::bucketKb,
        &experiment::OptimizerSettings::schedule, &experiment::OptimizerSettings::scheduleEvery,
        &experiment::OptimizerSettings::scheduleFactor, &experiment::OptimizerSettings::warmup};
    if (groups.size() > MostRows) {
        return;
    }
    std::vector<const Parameter*> columns;
    for (const experiment::Member& member : Shown) {
        const Parameter& parameter = experiment::parameterOf(member);
        const bool differs = std::ranges::any_of(groups, [&](const Group& group) {
            return valueOf(*group.runs.front(), parameter) != valueOf(*groups.front().runs.front(), parameter);
        });
        const bool isSaid = parameter.fills == &experiment::RankSettings::worldSize && isOfFewRanks(groups);
        if (differs && !isSaid && !isNamed(parameter, groups) && columns.size() < MostColumns) {
            columns.push_back(&parameter);
        }
    }
    if (columns.empty()) {
        return;
    }
    table.areSettings = true;
    table.header = {LS_TR("Findings", "Variant")};
    for (const Parameter* each : columns) {
        table.header.emplace_back(each->label);
    }
    for (const Group& group : groups) {
        std::vector<std::string>& row = table.rows.emplace_back(std::vector{group.name});
        for (const Parameter* each : columns) {
            const std::string value = valueOf(*group.runs.front(), *each);
            row.push_back(value.empty() ? std::string("–") : value);
        }
    }
}

} // namespace

std::optional<Finding> setupAnswer(std::span<const RunRecord> counted)
{
    const auto trains = [](const RunRecord& run) { return !experiment::isSweep(run.spec); };
    std::vector<RunRecord> runs(counted.begin(), counted.end());
    if (std::ranges::any_of(runs, trains)) { // others are there for predictions
        std::erase_if(runs, std::not_fn(trains));
    }
    const std::vector<Group> groups = groupsOf(runs, SameSeed::Each);
    if (groups.size() < 2) {
        return std::nullopt;
    }
    std::vector<Finding> clauses;
    const bool isOwn
        = std::ranges::any_of(runs, [](const RunRecord& run) { return is(run.spec, experiment::Strategy::Own); });
    if (trains(runs.front()) && !isOwn) {
        addNet(runs, clauses);
        addBatch(runs, clauses);
        addOptimizers(runs, clauses);
        addLength(runs, clauses);
        addAveraging(runs, clauses);
        addStrategy(runs, clauses);
    }
    addMachine(runs, groups, clauses);
    Finding finding = std::move(clauses.front());
    finding.clauses.assign(std::next(clauses.begin()), clauses.end());
    finding.kind = "answer.setup";
    addDifferences(groups, finding.table);
    std::ranges::transform(runs, std::back_inserter(finding.runs), &RunRecord::id);
    return finding;
}

} // namespace lockstep::analysis
