#include "base/names.h"
#include "engine/memory/memory_account.h"
#include "engine/optim/optimizers.h"

namespace lockstep::engine {

namespace {

struct OptimizerRow {
    std::string_view name;
    std::unique_ptr<Optimizer> (*make)(const experiment::RunSpec&, Weights);
};

constexpr OptimizerRow Optimizers[] = {
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
    for (const OptimizerRow& row : Optimizers) {
        if (row.name == std::string(nameOf(run.settings->optimizer.name))) {
            return row.make(run, std::move(weights));
        }
    }
    return refusal(nameOf(&experiment::OptimizerSettings::name),
        LS_TR("Messages", "%1 is not known to this lockstep-rank"), {verbatim(nameOf(run.settings->optimizer.name))});
}

std::vector<std::string_view> optimizerNames()
{
    return namesOf(Optimizers, &OptimizerRow::name);
}

} // namespace lockstep::engine
