#include "experiment/parameters/table.h"

#include <utility>

namespace lockstep::experiment {

namespace {

std::vector<Parameter> makeTable()
{
    std::vector<Parameter> ofTraining
        = joinRows({dataParameters(), netParameters(), optimizerParameters(), trainingParameters()});
    for (Parameter& row : ofTraining) {
        row.appliesWhen.push_back(strategyIsOneOf(strategies::Training));
    }
    return joinRows({sweepParameters(), std::move(ofTraining), rankParameters(), gridParameters(), pipelineParameters(),
        tensorParameters(), zeroParameters(), localParameters(), partitionParameters(), communicationParameters(),
        checkpointParameters()});
}

} // namespace

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
    for (const Parameter& row : parameters()) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace lockstep::experiment
