#include "engine/data/partitioned.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::engine {

Result<plan::PartitionedData> partitioned(const experiment::RunSpec& run, int ranks, const Dataset& data)
{
    const auto samples = static_cast<std::size_t>(data.train.size());
    if (data.train.hasOneLabelEach()) {
        return plan::partitionData(run, ranks, {data.train.labels.data_ptr<std::int64_t>(), samples}, data.classes);
    }
    const std::vector<std::int64_t> same(samples, 0);
    return plan::partitionData(run, ranks, same, 1);
}

} // namespace lockstep::engine
