#include "script/python_layers.h"

#include "experiment/choices.h"
#include "plan/net.h"

#include <fmt/format.h>

namespace lockstep::script {

using namespace experiment;

std::vector<std::string> layersOf(const RunSpec& run)
{
    const std::vector<std::int64_t> shape = plan::sampleShape(run);
    const std::int64_t inputs = plan::sampleElements(run);
    const std::int64_t classes = dataFactsOf(run).classes;
    const std::int64_t hidden = run.settings->net.hidden;
    const auto linear = [](std::int64_t in, std::int64_t out) { return fmt::format("nn.Linear({}, {})", in, out); };
    const std::string relu = "nn.ReLU()";
    const std::string pool = "nn.MaxPool2d(2)";
    std::vector<std::string> layers;
    switch (choice<NetName>(run)) {
    case NetName::Logistic:
        layers = {"nn.Flatten()", linear(inputs, classes)};
        break;
    case NetName::Mlp:
        layers = {"nn.Flatten()", linear(inputs, hidden), relu, linear(hidden, classes)};
        break;
    case NetName::Cnn: {
        const std::int64_t pooled = (shape[1] - 4) / 2;
        layers = {fmt::format("nn.Conv2d({}, 32, 3)", shape[0]), relu, "nn.Conv2d(32, 64, 3)", relu, pool,
            "nn.Flatten()", linear(64 * pooled * pooled, 128), relu, linear(128, classes)};
        break;
    }
    case NetName::Lenet5:
        layers = {fmt::format("nn.Conv2d({}, 6, 5, padding={})", shape[0], (32 - shape[1]) / 2), relu, pool,
            "nn.Conv2d(6, 16, 5)", relu, pool, "nn.Flatten()", linear(400, 120), relu, linear(120, 84), relu,
            linear(84, classes)};
        break;
    case NetName::DeepMlp:
        layers = {"nn.Flatten()", linear(inputs, hidden), relu};
        if (const std::int64_t between = run.settings->net.depth - 2; between > 0) {
            layers.push_back(fmt::format(
                "*[layer for _ in range({}) for layer in ({}, {})]", between, linear(hidden, hidden), relu));
        }
        layers.push_back(linear(hidden, classes));
        break;
    case NetName::Gpt:
        layers = {"Embedding()", "*[Block() for _ in range(BLOCKS)]", "nn.LayerNorm(WIDTH)",
            "nn.Linear(WIDTH, 256, bias=False)"};
        break;
    }
    return layers;
}

} // namespace lockstep::script
