#include "analysis/study/parameter_study.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/study/changed_settings.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

namespace lockstep::analysis {

namespace {

using experiment::Parameter;
using experiment::Type;
using experiment::Value;

double studyNumber(const Value& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? *real : NotMeasured;
}

/// The place of a choice in the table.
std::size_t placeOf(const Parameter& parameter, const Value& value)
{
    const auto* name = std::get_if<std::string>(&value);
    const auto found = std::find_if(parameter.choices.begin(), parameter.choices.end(),
        [name](const experiment::Choice& choice) { return name != nullptr && choice.name == *name; });
    return static_cast<std::size_t>(found - parameter.choices.begin());
}

bool isBefore(const Parameter& parameter, const Value& a, const Value& b)
{
    if (parameter.type == Type::Choice && placeOf(parameter, a) != placeOf(parameter, b)) {
        return placeOf(parameter, a) < placeOf(parameter, b);
    }
    // A script's numbers may be written 1 and 0.5.
    if (std::isfinite(studyNumber(a)) && std::isfinite(studyNumber(b)) && studyNumber(a) != studyNumber(b)) {
        return studyNumber(a) < studyNumber(b);
    }
    return a < b;
}

/// Whether runs with equal values of `keys` have equal values of `parameter`.
bool isGivenBy(const RunPointers& runs, const Parameter& parameter, const std::vector<const Parameter*>& keys)
{
    std::map<std::vector<Value>, Value> seen;
    for (const RunRecord* run : runs) {
        std::vector<Value> key;
        for (const Parameter* each : keys) {
            key.push_back(studyValue(*run, *each));
        }
        const Value value = studyValue(*run, parameter);
        if (seen.try_emplace(std::move(key), value).first->second != value) {
            return false;
        }
    }
    return true;
}

const StudyParameter* named(const std::vector<StudyParameter>& all, std::string_view name)
{
    const auto found = std::find_if(
        all.begin(), all.end(), [name](const StudyParameter& each) { return each.parameter->name == name; });
    return found == all.end() ? nullptr : &*found;
}

/// Of those that are allowed: a number before a choice, more values before fewer, the table's order.
template <typename IsAllowed>
const StudyParameter* best(const std::vector<StudyParameter>& all, IsAllowed isAllowed)
{
    const StudyParameter* found = nullptr;
    for (const StudyParameter& each : all) {
        const bool isBetter = found == nullptr
            || std::pair(each.isNumeric(), each.values.size()) > std::pair(found->isNumeric(), found->values.size());
        if (isAllowed(each) && isBetter) {
            found = &each;
        }
    }
    return found;
}

/// A number that follows from a choice is not what was varied: each optimizer with its own learning rate.
const StudyParameter* bestFirst(const std::vector<StudyParameter>& all, const RunPointers& runs)
{
    return best(all, [&](const StudyParameter& each) {
        return each.parameter->type == Type::Choice
            || std::none_of(all.begin(), all.end(), [&](const StudyParameter& other) {
                   return other.parameter->type == Type::Choice && isGivenBy(runs, *each.parameter, {other.parameter});
               });
    });
}

const StudyParameter* bestSecond(
    const std::vector<StudyParameter>& all, const RunPointers& runs, const StudyParameter& first)
{
    return best(all, [&](const StudyParameter& each) {
        return &each != &first && !isGivenBy(runs, *each.parameter, {first.parameter})
            && !isGivenBy(runs, *first.parameter, {each.parameter});
    });
}

struct Axes {
    const StudyParameter* first = nullptr;
    const StudyParameter* second = nullptr;
};

Axes axesOf(
    const std::vector<StudyParameter>& varied, const RunPointers& runs, std::string_view first, std::string_view second)
{
    Axes axes{named(varied, first), named(varied, second)};
    axes.first = axes.first != nullptr ? axes.first : bestFirst(varied, runs);
    if (axes.first != nullptr && (axes.second == nullptr || axes.second == axes.first)) {
        axes.second = bestSecond(varied, runs, *axes.first);
    }
    return axes;
}

StudyPoint pointOf(Value x, const RunPointers& runs, const Figure& figure)
{
    StudyPoint point;
    point.x = std::move(x);
    for (const RunRecord* run : runs) {
        point.runs.push_back(run->id);
    }
    const MeanEstimate estimate = estimateOf(figure, runs);
    point.mean = estimate.mean * figure.scale;
    point.low = estimate.low * figure.scale;
    point.high = estimate.high * figure.scale;
    point.n = estimate.n;
    return point;
}

/// Keeps the finished runs that count, and says how many do not.
RunPointers countingRuns(const RunPointers& runs, Interfered which, ParameterStudy& study)
{
    RunPointers counting;
    for (const RunRecord* run : runs) {
        if (countsInStudy(*run, which)) {
            counting.push_back(run);
        } else if (run->status != RunStatus::Finished) {
            ++study.unfinished;
        } else if (run->summary.interference.any()) {
            ++study.interfered;
        }
    }
    return counting;
}

/// As their parameters order values.
bool isLineBefore(const StudyLine& a, const StudyLine& b)
{
    for (std::size_t i = 0; i < a.others.size(); ++i) {
        if (a.others[i].second != b.others[i].second) {
            return isBefore(*a.others[i].first, a.others[i].second, b.others[i].second);
        }
    }
    return false;
}

/// The lines of a study whose parameters are chosen; `others` are those that distinguish the lines.
std::vector<StudyLine> linesOf(const RunPointers& runs, const Figure& figure, const StudyParameter& first,
    const std::vector<const Parameter*>& others)
{
    std::map<std::vector<Value>, std::map<std::size_t, RunPointers>> settings;
    for (const RunRecord* run : runs) {
        std::vector<Value> key;
        for (const Parameter* other : others) {
            key.push_back(studyValue(*run, *other));
        }
        const auto place = std::find(first.values.begin(), first.values.end(), studyValue(*run, *first.parameter))
            - first.values.begin();
        addRepeat(settings[std::move(key)][static_cast<std::size_t>(place)], run,
            [](const RunRecord* each) -> const RunRecord& { return *each; });
    }
    std::vector<StudyLine> lines;
    for (const auto& [key, points] : settings) {
        StudyLine line;
        for (std::size_t i = 0; i < others.size(); ++i) {
            line.others.emplace_back(others[i], key[i]);
        }
        for (const auto& [place, repeats] : points) {
            line.points.push_back(pointOf(first.values[place], repeats, figure));
        }
        lines.push_back(std::move(line));
    }
    std::stable_sort(lines.begin(), lines.end(), isLineBefore);
    return lines;
}

} // namespace

bool StudyParameter::isNumeric() const
{
    const bool isNumber = parameter->type == Type::Integer || parameter->type == Type::Real
        || (parameter->type == Type::Scalar && std::all_of(values.begin(), values.end(), [](const Value& value) {
               return std::isfinite(studyNumber(value));
           }));
    const bool hasZero
        = std::any_of(values.begin(), values.end(), [](const Value& value) { return studyNumber(value) == 0.0; });
    // What 0 means has no place left of 1.
    return isNumber && !(hasZero && !parameter->zero.empty());
}

bool countsInStudy(const RunRecord& run, Interfered which)
{
    const bool isLeftOut = which == Interfered::LeaveOut && run.summary.interference.any();
    return run.status == RunStatus::Finished && !isLeftOut && !experiment::isSweep(run.spec);
}

Value studyValue(const RunRecord& run, const Parameter& parameter)
{
    if (parameter.fills == &experiment::RankSettings::worldSize) {
        return std::int64_t{ranksOf(run)};
    }
    const auto found = run.spec.settings.find(std::string(parameter.name));
    return found == run.spec.settings.end() ? parameter.standard : found->second;
}

std::vector<StudyParameter> studyParameters(const RunPointers& runs)
{
    std::vector<StudyParameter> varied;
    // Its number of ranks may follow from other settings.
    for (const Parameter* parameter : differingParameters(runs, nameOf(&experiment::RankSettings::worldSize))) {
        StudyParameter study{parameter, {}};
        // A value that only some runs use, all the same one, comes with another setting.
        std::set<Value> used;
        for (const RunRecord* run : runs) {
            Value value = studyValue(*run, *parameter);
            if (experiment::isUsed(*parameter, run->spec.settings) || experiment::isOwnParameter(parameter->name)
                || parameter->fills == &experiment::RankSettings::worldSize) {
                used.insert(value);
            }
            if (std::find(study.values.begin(), study.values.end(), value) == study.values.end()) {
                study.values.push_back(std::move(value));
            }
        }
        if (used.size() > 1 && !(parameter->fills == &experiment::TrainSettings::seed)) {
            std::sort(study.values.begin(), study.values.end(),
                [&](const Value& one, const Value& other) { return isBefore(*parameter, one, other); });
            varied.push_back(std::move(study));
        }
    }
    return varied;
}

StudyAxes studyAxes(const RunPointers& runs, std::string_view first, std::string_view second)
{
    const std::vector<StudyParameter> varied = studyParameters(runs);
    const Axes axes = axesOf(varied, runs, first, second);
    return {axes.first == nullptr ? nullptr : axes.first->parameter,
        axes.second == nullptr ? nullptr : axes.second->parameter};
}

ParameterStudy parameterStudy(
    const RunPointers& runs, const Figure& figure, std::string_view first, std::string_view second, Interfered which)
{
    ParameterStudy study;
    const RunPointers counting = countingRuns(runs, which, study);
    const std::vector<StudyParameter> varied = studyParameters(counting);
    const auto [x, y] = axesOf(varied, counting, first, second);
    if (x == nullptr) {
        return study;
    }
    study.first = *x;
    std::vector<const Parameter*> chosen{x->parameter};
    if (y != nullptr) {
        study.second = *y;
        chosen.push_back(y->parameter);
    }
    std::vector<const Parameter*> others;
    for (const StudyParameter& each : varied) {
        if (&each == x || &each == y) {
            continue;
        }
        // No line joins settings of two optimizers, although each has its learning rate.
        const bool isOtherLine = x->isNumeric() && !each.isNumeric();
        auto& list = !isOtherLine && isGivenBy(counting, *each.parameter, chosen) ? study.together : others;
        list.push_back(each.parameter);
    }
    if (y != nullptr) {
        others.push_back(y->parameter);
    }
    study.lines = linesOf(counting, figure, *x, others);
    return study;
}

} // namespace lockstep::analysis
