#include "engine/memory/memory_account.h"
#include "engine/optim/rules.h"

namespace lockstep::engine {

namespace {

struct Row {
    std::string_view name;
    std::unique_ptr<Optimizer> (*make)(const experiment::RunSpec&, Weights);
};

constexpr Row Table[] = {
    {"gd", makeGd},
    {"sgd", makeSgd},
    {"momentum", makeMomentum},
    {"nesterov", makeNesterov},
    {"adam", makeAdam},
    {"adamw", makeAdamW},
};

} // namespace

Result<std::unique_ptr<Optimizer>> makeOptimizer(const experiment::RunSpec& run, std::vector<torch::Tensor> weights)
{
    const MemoryScope scope(MemoryKind::Optimizer);
    for (const Row& row : Table) {
        if (row.name == run.text("optimizer.name")) {
            return row.make(run, std::move(weights));
        }
    }
    return Error{"optimizer.name: " + run.text("optimizer.name") + " is not known to this lockstep-rank"};
}

std::vector<std::string_view> optimizerNames()
{
    std::vector<std::string_view> names;
    for (const Row& row : Table) {
        names.push_back(row.name);
    }
    return names;
}

} // namespace lockstep::engine
