#include "plan/grid.h"

#include "experiment/choices.h"

#include <vector>

namespace lockstep::plan {

namespace {

/// The ranks whose place differs from `rank`'s in one coordinate only.
std::vector<int> along(int GridPlace::*coordinate, int count, int rank, const GridShape& shape)
{
    std::vector<int> ranks;
    GridPlace place = placeOf(rank, shape);
    for (int i = 0; i < count; ++i) {
        place.*coordinate = i;
        ranks.push_back(rankAt(place, shape));
    }
    return ranks;
}

} // namespace

bool dividesModel(const experiment::RunSpec& run)
{
    using experiment::Strategy;
    return !is(run, Strategy::Single, Strategy::Data, Strategy::Local, Strategy::Collectives, Strategy::Own);
}

GridShape gridShape(const experiment::RunSpec& run)
{
    const auto strategy = experiment::choice<experiment::Strategy>(run);
    const experiment::GridSettings& grid = run.settings->grid;
    if (strategy == experiment::Strategy::Pipeline) {
        return {1, static_cast<int>(run.settings->pipeline.stages), 1};
    }
    if (strategy == experiment::Strategy::Tensor) {
        return {1, 1, static_cast<int>(run.settings->tensor.size)};
    }
    if (strategy == experiment::Strategy::Grid) {
        return {static_cast<int>(grid.data), static_cast<int>(grid.pipeline), static_cast<int>(grid.tensor)};
    }
    const auto ranks = experiment::worldSizeOf(run);
    return {ranks ? *ranks : 1, 1, 1};
}

bool copiesShareState(const experiment::RunSpec& run)
{
    return is(run, experiment::Strategy::Grid) && run.settings->grid.isZero && gridShape(run).data > 1;
}

GridPlace placeOf(int rank, const GridShape& shape)
{
    return {rank / shape.tensor % shape.data, rank / (shape.tensor * shape.data), rank % shape.tensor};
}

int rankAt(const GridPlace& place, const GridShape& shape)
{
    return (place.stage * shape.data + place.data) * shape.tensor + place.part;
}

std::vector<int> copiesOf(int rank, const GridShape& shape)
{
    return along(&GridPlace::data, shape.data, rank, shape);
}

std::vector<int> stagesOf(int rank, const GridShape& shape)
{
    return along(&GridPlace::stage, shape.pipeline, rank, shape);
}

std::vector<int> partsOf(int rank, const GridShape& shape)
{
    return along(&GridPlace::part, shape.tensor, rank, shape);
}

} // namespace lockstep::plan
