#include "base/translate.h"
#include "experiment/parameters/table.h"

#include <cstdint>

namespace lockstep::experiment {

namespace {

constexpr std::string_view OptimizerGroup = LS_TR("Parameters", "Optimizer");

Parameter optimizerRow()
{
    return {.name = "optimizer.name",
        .fills = &OptimizerSettings::name,
        .group = OptimizerGroup,
        .label = LS_TR("Parameters", "Optimizer"),
        .help = LS_TR("Parameters", "The algorithm that updates the weights from the gradient."),
        .type = Type::Choice,
        .choices
        = {{"gd", LS_TR("Parameters", "GD"),
               LS_TR("Parameters", "Gradient descent: every step uses the gradient of the whole training set.")},
            {"sgd", LS_TR("Parameters", "SGD"),
                LS_TR("Parameters", "Stochastic gradient descent: every step uses a mini-batch.")},
            {"momentum", LS_TR("Parameters", "Momentum"),
                LS_TR("Parameters", "SGD that keeps part of the previous step's direction.")},
            {"nesterov", LS_TR("Parameters", "Nesterov"),
                LS_TR("Parameters", "Momentum that looks ahead before it applies the gradient.")},
            {"adam", LS_TR("Parameters", "Adam"),
                LS_TR("Parameters",
                    "Scales each weight's step by running averages of its gradient and squared gradient.")},
            {"adamw", LS_TR("Parameters", "AdamW"), LS_TR("Parameters", "Adam with decoupled weight decay.")}},
        .standard = std::string("sgd"),
        .mustAgree = true};
}

Parameter realRow(std::string_view name, Member fills, std::string_view label, std::string_view help, Range range,
    double standard, std::vector<Condition> appliesWhen)
{
    return {.name = name,
        .fills = fills,
        .group = OptimizerGroup,
        .label = label,
        .help = help,
        .type = Type::Real,
        .level = Level::Advanced,
        .range = range,
        .standard = standard,
        .appliesWhen = std::move(appliesWhen)};
}

Parameter scaleRow()
{
    return {.name = "optimizer.scale_lr",
        .fills = &OptimizerSettings::scaleLr,
        .group = OptimizerGroup,
        .label = LS_TR("Parameters", "Scale with ranks"),
        .help = LS_TR("Parameters", "How the learning rate changes when the batch grows with the number of ranks."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices = {{"none", LS_TR("Parameters", "None"),
                        LS_TR("Parameters", "The same learning rate for any number of ranks.")},
            {"linear", LS_TR("Parameters", "Linear"),
                LS_TR("Parameters", "Multiplied by the number of ranks. Warm-up starts at the unscaled rate.")},
            {"sqrt", LS_TR("Parameters", "Square root"),
                LS_TR("Parameters",
                    "Multiplied by the square root of the number of ranks: gentler. Warm-up starts at the unscaled "
                    "rate.")}},
        .standard = std::string("none"),
        .appliesWhen = {strategyIsOneOf(strategies::PartitionedSamples), {"train.batch_of", {"rank"}}}};
}

std::vector<Parameter> scheduleRows()
{
    std::vector<Parameter> rows{scaleRow()};
    rows.push_back({.name = "optimizer.schedule",
        .fills = &OptimizerSettings::schedule,
        .group = OptimizerGroup,
        .label = LS_TR("Parameters", "Schedule"),
        .help = LS_TR("Parameters", "How the learning rate changes during training."),
        .type = Type::Choice,
        .level = Level::Advanced,
        .choices
        = {{"constant", LS_TR("Parameters", "Constant"), LS_TR("Parameters", "The learning rate does not change.")},
            {"step", LS_TR("Parameters", "Step decay"),
                LS_TR("Parameters", "Multiplied by a factor every few epochs.")},
            {"cosine", LS_TR("Parameters", "Cosine annealing"),
                LS_TR("Parameters", "Falls to zero along half a cosine.")}},
        .standard = std::string("constant")});
    rows.push_back({.name = "optimizer.schedule_every",
        .fills = &OptimizerSettings::scheduleEvery,
        .group = OptimizerGroup,
        .label = LS_TR("Parameters", "Decay every"),
        .help = LS_TR("Parameters", "Epochs between two changes of the learning rate."),
        .unit = LS_TR("Parameters", "epochs"),
        .type = Type::Integer,
        .level = Level::Advanced,
        .range = {1, 1'000'000},
        .standard = std::int64_t{10},
        .appliesWhen = {{"optimizer.schedule", {"step"}}}});
    rows.push_back(
        realRow("optimizer.schedule_factor", &OptimizerSettings::scheduleFactor, LS_TR("Parameters", "Decay factor"),
            LS_TR("Parameters", "The factor that each change multiplies the learning rate by."), {0, 1, true, false},
            0.1, {{"optimizer.schedule", {"step"}}}));
    rows.push_back({.name = "optimizer.warmup",
        .fills = &OptimizerSettings::warmup,
        .group = OptimizerGroup,
        .label = LS_TR("Parameters", "Warm-up"),
        .help = LS_TR("Parameters", "Steps over which the learning rate rises from near zero to its full value."),
        .unit = LS_TR("Parameters", "steps"),
        .type = Type::Integer,
        .level = Level::Advanced,
        .range = {0, 1'000'000'000},
        .standard = std::int64_t{0}});
    return rows;
}

} // namespace

std::vector<Parameter> optimizerParameters()
{
    const std::vector<Condition> heavyBall{{"optimizer.name", {"momentum", "nesterov"}}};
    const std::vector<Condition> adamLike{{"optimizer.name", {"adam", "adamw"}}};
    std::vector<Parameter> rows{optimizerRow()};
    rows.push_back(realRow("optimizer.lr", &OptimizerSettings::lr, LS_TR("Parameters", "Learning rate"),
        LS_TR("Parameters", "Step size. Too small trains slowly; too large makes the loss grow."), {0, 10, true, false},
        0.1, {}));
    rows.back().level = Level::Basic;
    rows.push_back(realRow("optimizer.momentum", &OptimizerSettings::momentum, LS_TR("Parameters", "Momentum"),
        LS_TR("Parameters", "Fraction of the previous step's direction that is kept."), {0, 1, false, true}, 0.9,
        heavyBall));
    rows.push_back(realRow("optimizer.beta1", &OptimizerSettings::beta1, LS_TR("Parameters", "Beta 1"),
        LS_TR("Parameters", "Decay rate of the running average of the gradient."), {0, 1, false, true}, 0.9, adamLike));
    rows.push_back(realRow("optimizer.beta2", &OptimizerSettings::beta2, LS_TR("Parameters", "Beta 2"),
        LS_TR("Parameters", "Decay rate of the running average of the squared gradient."), {0, 1, false, true}, 0.999,
        adamLike));
    rows.push_back(realRow("optimizer.epsilon", &OptimizerSettings::epsilon, LS_TR("Parameters", "Epsilon"),
        LS_TR("Parameters", "Small term added to the denominator for numerical stability."), {0, 1, true, false}, 1e-8,
        adamLike));
    rows.push_back(
        realRow("optimizer.weight_decay", &OptimizerSettings::weightDecay, LS_TR("Parameters", "Weight decay"),
            LS_TR("Parameters", "Pulls the weights towards zero; 0 turns it off."), {0, 1}, 0.0, {}));
    rows.push_back(realRow("optimizer.clip", &OptimizerSettings::clip, LS_TR("Parameters", "Gradient clipping"),
        LS_TR("Parameters", "Maximum 2-norm of the gradient; 0 turns clipping off."), {0, 1e9}, 0.0, {}));
    rows.back().zero = LS_TR("ZeroTexts", "no limit");
    return joinRows({rows, scheduleRows()});
}

} // namespace lockstep::experiment
