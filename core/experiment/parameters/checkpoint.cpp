#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

std::vector<Parameter> checkpointParameters()
{
    constexpr std::string_view Group = LS_TR("Parameters", "Checkpoints");
    const std::vector<Condition> whenTraining = {strategyIsOneOf(strategies::Training)};
    return {
        {.name = "checkpoint.every",
            .fills = &CheckpointSettings::every,
            .group = Group,
            .label = LS_TR("Parameters", "Checkpoint every"),
            .help = LS_TR("Parameters",
                "Steps between two checkpoints, from which a run can resume; 0 writes one only on request and when "
                "the run stops."),
            .unit = LS_TR("Parameters", "steps"),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000'000},
            .standard = std::int64_t{0},
            .zero = LS_TR("ZeroTexts", "at stop"),
            .appliesWhen = whenTraining},
        {.name = "checkpoint.keep",
            .fills = &CheckpointSettings::keep,
            .group = Group,
            .label = LS_TR("Parameters", "Checkpoints to keep"),
            .help = LS_TR("Parameters", "Number of newest checkpoints to keep per run; 0 keeps all."),
            .type = Type::Integer,
            .level = Level::Advanced,
            .range = {0, 1'000'000},
            .standard = std::int64_t{3},
            .zero = LS_TR("ZeroTexts", "all"),
            .appliesWhen = whenTraining},
        {.name = "checkpoint.path",
            .fills = &CheckpointSettings::path,
            .group = Group,
            .label = LS_TR("Parameters", "Folder"),
            .help = LS_TR("Parameters",
                "Folder for checkpoints, with a subfolder per run; empty keeps them beside the stored run."),
            .type = Type::Path,
            .level = Level::Advanced,
            .standard = std::string(),
            .appliesWhen = whenTraining},
        {.name = "checkpoint.from",
            .fills = &CheckpointSettings::from,
            .group = Group,
            .label = LS_TR("Parameters", "Resume from"),
            .help = LS_TR("Parameters", "Folder of the checkpoint to resume from; empty starts from scratch."),
            .type = Type::Path,
            .level = Level::Advanced,
            .standard = std::string(),
            .appliesWhen = whenTraining},
    };
}

} // namespace lockstep::experiment
