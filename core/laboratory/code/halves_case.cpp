#include "laboratory/code/halves_case.h"

#include "base/random.h"

#include <algorithm>
#include <utility>

namespace lockstep::laboratory {

std::vector<HalvesCase> halvesCases(const Json& check)
{
    Random random(Seed{check.value("seed", std::uint64_t{1})});
    std::vector<HalvesCase> cases{{{6, 5, 5, 3}, {4, 6}}, {{4, 3, 3, 1}, {5}}, {{6, 5, 5, 3}, {3}}};
    for (HalvesCase& each : cases) {
        for (const std::size_t rows : each.rows) {
            Values x = drawnValues(random, rows * each.widths.front());
            each.batches.push_back({std::move(x), drawnValues(random, rows * each.widths.back())});
        }
    }
    return cases;
}

std::array<Values, 4> forwardOf(const HalvesNet& net, const Values& x, const HalvesForms& forms)
{
    std::array<Values, 4> all{x};
    const std::size_t rows = net.rowsOf(x);
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const std::size_t in = net.widths[layer];
        const std::size_t out = net.widths[layer + 1];
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t o = 0; o < out; ++o) {
                double sum = net.biases[layer][o];
                for (std::size_t i = 0; i < in; ++i) {
                    sum += all[layer][row * in + i] * net.weights[layer][o * in + i];
                }
                all[layer + 1].push_back(forms.hasRelu(layer) ? std::max(sum, 0.0) : sum);
            }
        }
    }
    return all;
}

HalvesNet steppedNet(const HalvesNet& net, const HalvesBatch& batch)
{
    const auto all = forwardOf(net, batch.x);
    HalvesNet stepped = net;
    const std::size_t rows = net.rowsOf(batch.x);
    Values gradient(batch.y.size()); // of the layer's output
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        gradient[i] = 2.0 * (all[3][i] - batch.y[i]) / static_cast<double>(gradient.size());
    }
    for (std::size_t layer = 3; layer-- > 0;) {
        const std::size_t in = net.widths[layer];
        const std::size_t out = net.widths[layer + 1];
        Values below(rows * in);
        for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t o = 0; o < out; ++o) {
                const bool isCut = layer < 2 && all[layer + 1][row * out + o] <= 0.0;
                const double g = isCut ? 0.0 : gradient[row * out + o];
                stepped.biases[layer][o] -= HalvesRate * g;
                for (std::size_t i = 0; i < in; ++i) {
                    stepped.weights[layer][o * in + i] -= HalvesRate * g * all[layer][row * in + i];
                    below[row * in + i] += g * net.weights[layer][o * in + i];
                }
            }
        }
        gradient = std::move(below);
    }
    return stepped;
}

} // namespace lockstep::laboratory
