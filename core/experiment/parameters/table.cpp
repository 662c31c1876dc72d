#include "experiment/parameters/table.h"

#include <iterator>

namespace lockstep::experiment {

namespace {

std::vector<Parameter> makeTable()
{
    std::vector<Parameter> table;
    const auto append = [&table](std::vector<Parameter> rows) {
        table.insert(table.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    };
    append(sweepParameters());
    for (auto group : {dataParameters, netParameters, optimizerParameters, trainingParameters}) {
        auto rows = group();
        for (Parameter& row : rows) {
            row.appliesWhen.push_back(strategyIsOneOf(strategies::Training)); // where something is trained
        }
        append(std::move(rows));
    }
    append(rankParameters());
    append(gridParameters());
    append(pipelineParameters());
    append(tensorParameters());
    append(zeroParameters());
    append(partitionParameters());
    append(communicationParameters());
    append(checkpointParameters());
    return table;
}

} // namespace

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
