#include "analysis/answers/answers.h"

#include "analysis/answers/answer_parts.h"
#include "analysis/answers/learning.h"
#include "analysis/answers/question.h"
#include "analysis/answers/topics.h"
#include "analysis/figures/comparison.h"
#include "analysis/numbers.h"
#include "analysis/timing/machine_load.h"
#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace lockstep::analysis {

namespace {

/// Empty where the runs are of several.
std::string_view experimentOf(std::span<const RunRecord> runs)
{
    const std::string& first = runs.front().spec.experiment;
    return std::ranges::all_of(runs, [&](const RunRecord& run) { return run.spec.experiment == first; })
        ? std::string_view(first)
        : std::string_view();
}

std::vector<RunRecord> trainingRuns(std::span<const RunRecord> runs)
{
    std::vector<RunRecord> training;
    std::ranges::copy_if(
        runs, std::back_inserter(training), [](const RunRecord& run) { return !experiment::isSweep(run.spec); });
    return training;
}

constexpr int MostWorth = 2;

/// How much it tells: MostWorth names a variant, a direction or a parameter for sure, 1 says that there is no
/// difference.
int worthOf(const std::vector<Finding>& findings)
{
    constexpr std::array Sure{"answer.best", "answer.tied", "answer.rises", "answer.falls", "answer.peak",
        "answer.about", "answer.influence"};
    int worth = 0;
    for (const Finding& finding : findings) {
        const bool isSure = std::ranges::find(Sure, finding.kind) != Sure.end();
        worth = std::max(worth,
            isSure                                                                ? MostWorth
                : finding.kind == "answer.flat" || finding.kind == "answer.close" ? 1
                                                                                  : 0);
    }
    return worth;
}

/// The variants that are compared, and all of which the parameters are studied: those that never learned, too.
struct ComparedGroups {
    const std::vector<Group>& groups;
    const std::vector<Group>& all;
    bool areTimesWithheld = false;
};

bool isOfLearning(Asks asks)
{
    return asks == Asks::Nothing || asks == Asks::WhichLearnsBest || asks == Asks::WhatASettingChanges
        || asks == Asks::WhichIsBest || asks == Asks::WhatItLoses || asks == Asks::WhatSizeGains;
}

/// What each of several settings changes, not which variant is best.
bool isOfSettings(const Finding& finding)
{
    return finding.kind.starts_with("answer.influence") || finding.kind == "answer.interaction";
}

/// Which is best by this figure: along one parameter how the figure moves; of several first which matters.
std::vector<Finding> bestBy(const Figure& figure, const ComparedGroups& compared)
{
    const std::vector<Group>& groups = compared.groups;
    const Standing standing = standingOf(figure, groups);
    if (standing.order.size() < 2) {
        return {};
    }
    const std::vector<StudyParameter> parameters = studyParameters(pointersOf(compared.all));
    std::vector<Finding> said = influenceAnswers(figure, compared.all, parameters);
    const bool isInfluenceTold = !said.empty() && said.front().kind == "answer.influence";
    if (auto interaction = interactionAnswer(figure, compared.all, parameters)) {
        said.push_back(std::move(*interaction));
    }
    auto along = parameters.size() == 1 ? parameterAnswer(standing, parameters.front()) : std::nullopt;
    said.insert(isInfluenceTold ? said.end() : said.begin(), along ? std::move(*along) : rankingAnswer(standing));
    return said;
}

/// By the accuracy; where that tells nothing and the training loss does, by the loss, with the accuracy beside it.
void sayBest(const ComparedGroups& compared, std::vector<Finding>& said)
{
    const Figure& quality = qualityFigure(compared.groups);
    std::vector<Finding> first = bestBy(quality, compared);
    const Figure& loss = lossFigureOf(compared.groups);
    if (!first.empty() && worthOf(first) < MostWorth && &loss != &quality) {
        std::vector<Finding> byLoss = bestBy(loss, compared);
        if (worthOf(byLoss) > worthOf(first)) {
            const auto best = std::ranges::find_if_not(first, isOfSettings);
            best->role = worthOf({*best}) > 0 ? Role::Evidence : Role::Caveat;
            byLoss.push_back(std::move(*best));
            first = std::move(byLoss);
        }
    }
    std::ranges::move(first, std::back_inserter(said));
}

void sayPace(const std::vector<Group>& groups, std::vector<Finding>& said)
{
    const Standing pace = standingOf(paceFigure(groups), groups);
    if (pace.order.size() < 2) {
        return;
    }
    Finding finding = rankingAnswer(pace);
    // That times cannot be told apart, or hardly differ, is no answer to what was not asked.
    if (finding.kind == "answer.best" || finding.kind == "answer.tied") {
        said.push_back(std::move(finding));
    }
}

const Group& baselineOf(const std::vector<Group>& groups)
{
    std::vector<std::string> names;
    std::ranges::transform(
        groups, std::back_inserter(names), [](const Group& group) { return group.runs.front()->spec.name; });
    return groups[experiment::baselineOf(names)];
}

/// What is said of them instead of how much they gain.
Finding doubtfulAnswer(const Figure& figure, const std::vector<Group>& doubtful)
{
    Finding finding = headlineOf("answer.doubtful",
        LS_TR("Findings", "%1: %2 came out faster than this machine's cores allow: do not trust these times."), figure);
    finding.arguments.push_back(fewOf(doubtful, &Group::name));
    for (const Group& group : doubtful) {
        finding.figures.emplace_back(std::string(figure.name) + "_" + group.key, estimateOf(figure, group.runs).mean);
        finding.addRuns(group.ids());
    }
    return finding;
}

bool isDoubtful(const Finding& finding)
{
    return finding.kind == "answer.doubtful";
}

void sayAgainst(const Figure& figure, const std::vector<Group>& all, std::vector<Finding>& said)
{
    if (!std::isfinite(estimateOf(figure, baselineOf(all).runs).mean)) {
        return;
    }
    std::vector<Group> groups = all;
    const Group first = baselineOf(all);
    const auto doubtful = std::ranges::stable_partition(
        groups, [&](const Group& group) { return !isFasterThanCoresAllow(figure, first, group); });
    const std::vector<Group> doubted(doubtful.begin(), doubtful.end());
    groups.erase(doubtful.begin(), doubtful.end());
    if (groups.size() > 1) {
        const std::vector<StudyParameter> parameters = studyParameters(pointersOf(groups));
        auto along
            = parameters.size() == 1 ? parameterAnswer(standingOf(figure, groups), parameters.front()) : std::nullopt;
        said.push_back(along ? std::move(*along) : baselineAnswer(figure, baselineOf(groups), groups));
    }
    if (!doubted.empty()) {
        said.push_back(doubtfulAnswer(figure, doubted));
    }
}

/// What each saves of memory and costs of time; where no memory is known, or none saves any, what each takes of both.
void sayTrades(const Figure& pace, const Group& baseline, const std::vector<Group>& groups, std::vector<Finding>& said)
{
    std::vector<Group> trusted = groups;
    std::erase_if(trusted, [&](const Group& group) { return isFasterThanCoresAllow(pace, baseline, group); });
    std::vector<Finding> trades = tradeAnswers(pace, baseline, trusted);
    if (trades.empty()) {
        sayAgainst(pace, groups, said);
        sayAgainst(*findFigure("peak_bytes"), groups, said);
        return;
    }
    std::ranges::move(trades, std::back_inserter(said));
    std::vector<Group> doubted = groups;
    std::erase_if(doubted, [&](const Group& group) { return !isFasterThanCoresAllow(pace, baseline, group); });
    if (!doubted.empty()) {
        said.push_back(doubtfulAnswer(pace, doubted));
    }
}

/// That nothing is saved, with what it takes instead; else what each takes.
void sayTimeSaved(const std::vector<Group>& groups, std::vector<Finding>& said)
{
    if (auto nothing = savesNoTime(paceFigure(groups), baselineOf(groups), groups)) {
        said.push_back(std::move(*nothing));
    } else {
        sayAgainst(paceFigure(groups), groups, said);
    }
}

/// The least memory and what it costs, in one sentence; of more variants also what the others cost.
void sayMemorySaved(const ComparedGroups& compared, std::vector<Finding>& said)
{
    const std::vector<Group>& groups = compared.all;
    const Figure* pace = compared.areTimesWithheld ? nullptr : &paceFigure(groups);
    auto least = leastMemoryAnswer(pace, baselineOf(groups), groups);
    if (!least) {
        sayAgainst(*findFigure("peak_bytes"), groups, said);
    }
    // What divides states takes the place of ranks that all have them.
    const auto whole = std::ranges::find_if(
        groups, [](const Group& group) { return !isDivided(group) && ranksOf(*group.runs.front()) > 1; });
    if (pace != nullptr && least && whole != groups.end() && std::ranges::any_of(groups, isDivided)) {
        std::vector<Group> divided{*whole};
        std::ranges::copy_if(groups, std::back_inserter(divided), isDivided);
        sayTrades(*pace, divided.front(), divided, said);
    } else if (pace != nullptr && (!least || groups.size() > 2)) {
        sayAgainst(*pace, groups, said);
    }
    if (least) {
        said.insert(said.begin(), std::move(*least));
    }
}

/// What does not depend on time, where times do not count.
void sayTimeless(const ComparedGroups& compared, std::vector<Finding>& said)
{
    for (const std::string_view name : {"bytes_per_step", "peak_bytes"}) {
        const Figure& figure = *findFigure(name);
        if (estimateOf(figure, baselineOf(compared.all).runs).mean > 0.0) {
            sayAgainst(figure, compared.all, said);
        }
    }
    if (compared.groups.size() > 1) {
        sayAgainst(qualityFigure(compared.groups), compared.groups, said);
    }
}

/// The time, what part of it averaging takes, who waits for whom, and the training figure.
void sayCosts(const ComparedGroups& compared, bool isAveraging, std::vector<Finding>& said)
{
    const std::vector<Group> undisturbed = withoutSlowed(compared.all);
    std::vector<Group> inStep = undisturbed; // a step of an asynchronous server is another one
    std::erase_if(inStep,
        [](const Group& group) { return is(group.runs.front()->spec, experiment::Algorithm::ParameterServerAsync); });
    const std::vector<Group>& timed = inStep.size() > 1 ? inStep : undisturbed;
    sayAgainst(paceFigure(timed), timed, said);
    const int ranks = ranksOf(*undisturbed.front().runs.front());
    const bool areAsMany = std::ranges::all_of(
        undisturbed, [ranks](const Group& group) { return ranksOf(*group.runs.front()) == ranks; });
    if (isAveraging && areAsMany) {
        if (auto share = averagingAnswer(byMessages(undisturbed))) {
            said.push_back(std::move(*share));
        }
    }
    std::ranges::move(slowRankAnswers(compared.all), std::back_inserter(said));
    if (compared.groups.size() > 1) {
        std::vector<Finding> quality;
        sayAgainst(qualityFigure(compared.groups), compared.groups, quality);
        const auto headlines
            = static_cast<std::size_t>(std::ranges::count(said, Role::Headline, &Finding::role)) + quality.size();
        for (Finding& finding : quality) { // not cut off where there are enough
            if (headlines > MostHeadlines) {
                finding.role = finding.kind == "answer.against" ? Role::Evidence : Role::Caveat;
            }
            said.push_back(std::move(finding));
        }
    }
}

/// The time, the loss, and the memory unless it is said that nothing is gained.
void saySavings(const ComparedGroups& compared, std::vector<Finding>& said)
{
    const Figure& memory = *findFigure("peak_bytes");
    sayTimeSaved(compared.all, said);
    if (compared.groups.size() > 1) {
        sayAgainst(lossFigureOf(compared.groups), compared.groups, said);
    }
    sayAgainst(memory, compared.all, said);
    std::erase_if(said, [&](const Finding& finding) {
        return finding.kind == "answer.close" && said.front().kind == "answer.saves_no_time"
            && finding.arguments.front() == memory.label;
    });
}

/// What those that split the net save and cost; then the others, for comparison.
void sayCuts(const std::vector<Group>& all, std::vector<Finding>& said)
{
    std::vector<Group> cut = all;
    const std::string baseline = baselineOf(all).name;
    const auto isBaseline = [&](const Group& group) { return group.name == baseline; };
    const auto rest
        = std::ranges::stable_partition(cut, [&](const Group& group) { return isBaseline(group) || isDivided(group); });
    const std::vector<Group> whole(rest.begin(), rest.end());
    cut.erase(rest.begin(), rest.end());
    const Figure& pace = paceFigure(all);
    if (cut.size() > 1) {
        sayTrades(pace, *std::ranges::find_if(cut, isBaseline), cut, said);
    } else {
        sayAgainst(pace, all, said);
        sayAgainst(*findFigure("peak_bytes"), all, said);
    }
    for (const Group& group : whole) {
        if (auto beside = wholeNetBeside(pace, *std::ranges::find_if(cut, isBaseline), group);
            beside && cut.size() > 1) {
            said.push_back(std::move(*beside));
        }
    }
}

/// The best one; whether a warm-up helped; then the other figure of training, also where it tells nothing.
void saySchedules(const ComparedGroups& compared, std::vector<Finding>& said)
{
    sayBest(compared, said);
    const Figure& loss = lossFigureOf(compared.groups);
    for (Finding& finding : said) {
        finding.role = Role::Headline;
        if (finding.kind == "answer.best" && finding.arguments.front() == loss.label) {
            finding = scheduleAnswer(standingOf(loss, compared.groups));
        }
    }
    if (auto warmUp = warmUpAnswer(loss, compared.groups)) {
        said.insert(said.begin() + (said.empty() ? 0 : 1), std::move(*warmUp));
    }
    const bool isConstantBest = !said.empty() && said.front().kind == "answer.best"
        && said.front().arguments[1] == baselineOf(compared.groups).name;
    if (!isConstantBest) {
        sayAgainst(loss, compared.groups, said);
    }
}

/// What larger nets gain and cost; which accuracy is the best is evidence then.
void saySizes(const ComparedGroups& compared, std::vector<Finding>& said)
{
    std::ranges::move(netSizeAnswers(compared.groups), std::back_inserter(said));
    sayBest(compared, said);
    if (!said.empty() && said.front().kind == "answer.net_size") {
        for (Finding& finding : said) {
            finding.role = finding.kind.starts_with("answer.net_size") ? finding.role : Role::Evidence;
        }
    }
}

void sayAll(Asks asks, const ComparedGroups& compared, std::vector<Finding>& said)
{
    const std::vector<Group>& groups = compared.groups;
    if (compared.areTimesWithheld && !isOfLearning(asks) && asks != Asks::WhatItSaves) {
        sayTimeless(compared, said);
        return;
    }
    switch (asks) {
    case Asks::Nothing:
        return;
    case Asks::WhichLearnsBest:
        sayBest(compared, said);
        return;
    case Asks::WhatASettingChanges:
        saySchedules(compared, said);
        return;
    case Asks::WhichIsBest:
        sayBest(compared, said);
        // Of combinations it is asked what matters: their times are evidence.
        if (!compared.areTimesWithheld && std::ranges::none_of(said, [](const Finding& finding) {
                return finding.kind.starts_with("answer.influence");
            })) {
            sayPace(groups, said);
        }
        return;
    case Asks::WhatItGains:
        sayAgainst(*findFigure("samples_per_s_typical"), compared.all, said);
        std::erase_if(said, isDoubtful); // the speed-ups say it
        return;
    case Asks::WhatTimeItSaves:
        sayTimeSaved(compared.all, said);
        return;
    case Asks::WhatPartIsCommunication:
        if (auto share = communicationAnswer(compared.all)) {
            said.push_back(std::move(*share));
        }
        sayCosts(compared, false, said);
        return;
    case Asks::WhatItCosts:
        sayCosts(compared, true, said);
        return;
    case Asks::WhatACutCosts:
        sayCuts(compared.all, said);
        return;
    case Asks::WhetherItSaves:
        saySavings(compared, said);
        return;
    case Asks::WhatSizeGains:
        saySizes(compared, said);
        return;
    case Asks::WhatItLoses:
        sayAgainst(qualityFigure(groups), groups, said);
        return;
    case Asks::WhatItSaves:
        sayMemorySaved(compared, said);
        return;
    }
}

} // namespace

std::vector<Finding> answers(std::span<const RunRecord> counted, std::span<const RunRecord> all)
{
    const std::vector<RunRecord> training = trainingRuns(counted);
    std::vector<RunRecord> everyone = trainingRuns(all);
    std::erase_if(everyone, [](const RunRecord& run) { return !isFinal(run.status); }); // others may still count
    if (byDataSet(training).size() > 1 || everyone.empty()) {
        return {};
    }
    std::vector<Finding> dead;
    // What diverged has failed, and is not among those that count.
    std::vector<Group> every = groupsOf(everyone);
    const std::vector<Group> diverged = takeOutDiverged(every, dead);
    std::vector<Group> groups = groupsOf(training);
    std::erase_if(groups, [&](const Group& group) {
        return std::ranges::any_of(
            diverged, [&](const Group& other) { return areRepeats(*other.runs.front(), *group.runs.front()); });
    });
    const std::vector<Group> ofAll = groups;
    takeOutUnlearned(groups, dead);
    std::vector<Finding> said;
    // Times and bytes are compared of those that never learned, too.
    const Asks asks = varyRanksAlone(everyone) ? Asks::WhatItGains : topicOf(experimentOf(everyone)).asks;
    if ((isOfLearning(asks) ? groups : ofAll).size() > 1) {
        sayAll(asks, {groups, ofAll, areTimesWithheld(counted)}, said);
    } else if (groups.size() == 1 && every.size() > 1 && dead.empty()) {
        said.push_back({.kind = "answer.alone",
            .pattern = LS_TR("Findings", "Only %1 has runs that count: nothing can be compared."),
            .arguments = {groups.front().name},
            .runs = groups.front().ids(),
            .role = Role::Headline});
    }
    // Of times and bytes it is no answer what was not learned.
    for (Finding& finding : dead) {
        const bool isBeside = !isOfLearning(asks) && finding.kind == "optimizers.not_learned";
        finding.role = isBeside ? Role::Caveat : finding.role;
    }
    // The best one first, then what is out of the comparison, then what it takes.
    said.insert(said.begin() + (said.empty() ? 0 : 1), dead.begin(), dead.end());
    std::size_t headlines = 0;
    for (Finding& finding : said) {
        headlines += finding.role == Role::Headline ? 1 : 0;
        if (finding.kind == "answer.trade" && headlines > MostHeadlines) {
            finding.role = Role::Evidence; // not cut off
        }
    }
    headlines = 0;
    std::erase_if(
        said, [&](const Finding& finding) { return finding.role == Role::Headline && ++headlines > MostHeadlines; });
    return said;
}

bool areTimesWithheld(std::span<const RunRecord> counted)
{
    const std::vector<RunRecord> training = trainingRuns(counted);
    return std::ranges::any_of(training, wasMachineBusy) && std::ranges::any_of(training, [&](const RunRecord& run) {
        return ranksOf(run) != ranksOf(training.front());
    });
}

bool asksForTimes(std::span<const RunRecord> counted)
{
    return !counted.empty() && (varyRanksAlone(counted) || !isOfLearning(topicOf(experimentOf(counted)).asks));
}

const std::vector<std::string_view>& answeringKinds(std::string_view experiment)
{
    return topicOf(experiment).kinds;
}

} // namespace lockstep::analysis
