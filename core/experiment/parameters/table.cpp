#include "experiment/parameters/table.h"

#include "base/translate.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace lockstep::experiment {

namespace {

std::vector<Parameter> makeTable()
{
    std::vector<Parameter> ofTraining
        = joinRows({dataParameters(), netParameters(), optimizerParameters(), trainingParameters()});
    for (Parameter& row : ofTraining) {
        if (row.name == "measure.interleave") {
            continue; // every run can take turns with others
        }
        // Repeats differ by the seed, which a user's own program is given too.
        row.appliesWhen.push_back(row.name == "train.seed" ? strategyIsOneOf(strategies::TrainingOrOwn)
                                                           : strategyIsOneOf(strategies::Training));
    }
    return joinRows({sweepParameters(), std::move(ofTraining), rankParameters(), gridParameters(), pipelineParameters(),
        tensorParameters(), zeroParameters(), localParameters(), partitionParameters(), communicationParameters(),
        checkpointParameters()});
}

} // namespace

namespace {

constexpr std::string_view OwnPrefix = "own.";
constexpr std::size_t LongestOwnName = 64;

/// The row of a name that some script may declare; rows live as long as the program.
const Parameter* ownRow(std::string_view name)
{
    static std::mutex mutex;
    static std::map<std::string, Parameter, std::less<>> rows;
    const std::scoped_lock lock(mutex);
    auto found = rows.find(name);
    if (found == rows.end()) {
        found = rows.emplace(std::string(name), Parameter{}).first;
        Parameter& row = found->second;
        row.name = found->first;
        row.group = LS_TR("Parameters", "Own program");
        row.label = row.name.substr(OwnPrefix.size());
        row.help = LS_TR("Parameters", "A parameter that your own program declares.");
        row.type = Type::Scalar;
        row.standard = std::string();
        row.appliesWhen = {{"strategy.name", {"own"}}};
    }
    return &found->second;
}

} // namespace

bool isOwnParameter(std::string_view name)
{
    if (!name.starts_with(OwnPrefix) || name.size() > OwnPrefix.size() + LongestOwnName) {
        return false;
    }
    const std::string_view rest = name.substr(OwnPrefix.size());
    const auto isPart = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front())) == 0
        && std::all_of(rest.begin(), rest.end(), isPart);
}

std::vector<Parameter> joinRows(std::initializer_list<std::vector<Parameter>> groups)
{
    std::vector<Parameter> rows;
    for (const std::vector<Parameter>& group : groups) {
        rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
}

std::span<const Parameter> parameters()
{
    static const std::vector<Parameter> Table = makeTable();
    return Table;
}

const Parameter* findParameter(std::string_view name)
{
    static const auto ByName = [] {
        std::unordered_map<std::string_view, const Parameter*> byName;
        for (const Parameter& row : parameters()) {
            byName.emplace(row.name, &row);
        }
        return byName;
    }();
    const auto found = ByName.find(name);
    return found != ByName.end() ? found->second : isOwnParameter(name) ? ownRow(name) : nullptr;
}

const Parameter& parameterOf(const Member& member)
{
    const auto found = std::ranges::find(parameters(), member, &Parameter::fills);
    assert(found != parameters().end());
    return *found;
}

const std::string& nameOf(const Member& member)
{
    static const std::vector<std::string> Names = [] {
        std::vector<std::string> names;
        for (const Parameter& row : parameters()) {
            names.emplace_back(row.name);
        }
        return names;
    }();
    return Names[static_cast<std::size_t>(&parameterOf(member) - parameters().data())];
}

} // namespace lockstep::experiment
