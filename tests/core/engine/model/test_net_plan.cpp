// core/plan's description of a net, compared with the net itself: layers, parameters, shapes at every boundary, memory.
#include "core/engine/model/net_of.h"
#include "core/engine/run_of.h"
#include "engine/model/net.h"
#include "engine/model/registry.h"
#include "plan/attention_blocks.h"
#include "plan/net.h"
#include "program/test_class.h"

#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::engine;
using lockstep::tests::netOf;

namespace {

using Overrides = std::vector<experiment::Override>;

/// Bytes of tensors that this thread holds, as reported to LibTorch's profilers.
class HeldBytes final : public c10::MemoryReportingInfoBase {
public:
    // Without `override`: LibTorch 1.13 has the one form, 2 the other.
    // NOLINTBEGIN(modernize-use-override)
    void reportMemoryUsage(void*, std::int64_t bytes, std::int64_t, std::int64_t, c10::Device) { m_bytes += bytes; }
    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device) { m_bytes += bytes; }
    // NOLINTEND(modernize-use-override)
    bool memoryProfilingEnabled() const override { return true; }
    [[nodiscard]] std::int64_t now() const { return m_bytes; }

private:
    std::int64_t m_bytes = 0;
};

torch::Tensor samples(const experiment::RunSpec& run, std::int64_t count)
{
    torch::manual_seed(5);
    std::vector<std::int64_t> shape = plan::sampleShape(run);
    shape.insert(shape.begin(), count);
    if (run.settings->net.name == experiment::NetName::Gpt) {
        return torch::randint(256, shape, torch::kLong);
    }
    return torch::randn(
        shape, run.settings->train.dtype == experiment::WeightType::Float64 ? torch::kDouble : torch::kFloat);
}

/// The layer with parameters that gives a unit its name.
std::string nameOf(const Net& unit)
{
    for (std::size_t i = 0; i < unit.layerCount(); ++i) {
        if (!unit.layer(i).parameters().empty()) {
            return unit.layer(i).description();
        }
    }
    return {};
}

/// One of several ranks that share layers, as long as nothing is computed.
class Alone final : public TensorGroup {
public:
    using TensorGroup::TensorGroup;
    void sum(const torch::Tensor&) override { qFatal("nobody to add up with"); }
    void maximum(const torch::Tensor&) override { qFatal("nobody to compare with"); }
};

torch::Tensor cut(const torch::Tensor& whole, const std::optional<TensorPiece>& piece)
{
    if (!piece) {
        return whole;
    }
    std::vector<torch::Tensor> slices;
    for (const plan::Slice& slice : piece->slices) {
        slices.push_back(whole.narrow(piece->dimension, slice.first, slice.count));
    }
    return torch::cat(slices, piece->dimension);
}

Overrides gptWith(const Overrides& more)
{
    Overrides overrides{{"net.name", "gpt"}, {"dataset.name", "text"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
}

void addNets()
{
    QTest::addColumn<Overrides>("overrides");
    const auto add = [](Overrides overrides) {
        std::string name;
        for (const experiment::Override& each : overrides) {
            name += (name.empty() ? "" : " ") + each.text;
        }
        QTest::addRow("%s", name.c_str()) << overrides;
    };
    for (const std::string_view name : netNames()) {
        add(name == "gpt" ? gptWith({}) : Overrides{{"net.name", std::string(name)}});
    }
    for (const std::string_view name : netNames()) {
        if (name != "gpt") {
            add({{"net.name", std::string(name)}, {"dataset.name", "cifar10"}});
        }
    }
    add({{"net.name", "mlp"}, {"net.hidden", "31"}});
    add({{"net.name", "deep-mlp"}, {"net.hidden", "17"}, {"net.depth", "2"}});
    add({{"net.name", "deep-mlp"}, {"net.hidden", "9"}, {"net.depth", "30"}});
    add(gptWith({{"net.tied", "true"}}));
    add(gptWith({{"net.width", "12"}, {"net.heads", "3"}, {"net.blocks", "2"}, {"net.context", "200"}}));
    add(gptWith({{"net.width", "30"}, {"net.heads", "5"}, {"net.blocks", "1"}, {"net.context", "7"}}));
    add(gptWith(
        {{"net.width", "8"}, {"net.heads", "1"}, {"net.blocks", "3"}, {"net.context", "20"}, {"net.tied", "true"}}));
}

} // namespace

class TestNetPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void unitsAreThoseOfTheNet_data() { addNets(); }

    void unitsAreThoseOfTheNet()
    {
        QFETCH(Overrides, overrides);
        const auto run = runOf(overrides);
        const auto units = plan::netUnits(run);
        Net whole = netOf(run);
        QVERIFY(!units.empty());
        QCOMPARE(plan::parametersOf(units), whole.parameterCount());

        torch::Tensor value = samples(run, 3);
        QCOMPARE(value.numel(), 3 * plan::sampleElements(run));
        const torch::Tensor wanted = whole.forward(value);
        std::size_t parameter = 0;
        std::int64_t layer = 0;
        for (const plan::NetUnit& unit : units) {
            Net part = netOf(run, layer, layer + unit.layers);
            layer += unit.layers;
            QCOMPARE(nameOf(part), unit.name);
            std::int64_t copied = 0; // a head alone has the tied weight, too
            for (const NamedTensor& each : part.parameters()) {
                if (parameter == whole.parameters().size()) {
                    QVERIFY(torch::equal(each.tensor, whole.parameters()[*whole.tiedParameter()].tensor));
                    copied = each.tensor.numel();
                    continue;
                }
                QCOMPARE(each.name, whole.parameters()[parameter].name);
                QVERIFY2(torch::equal(each.tensor, whole.parameters()[parameter].tensor), each.name.c_str());
                ++parameter;
            }
            QCOMPARE(part.parameterCount() - copied, unit.parameters);
            const torch::Tensor given = value.detach().clone();
            const torch::Tensor output = part.forward(given).detach();
            QVERIFY2(torch::equal(given, value), unit.name.c_str()); // the input belongs to the sender
            value = output;
            std::vector<std::int64_t> shape = unit.outputShape;
            shape.insert(shape.begin(), 3);
            QCOMPARE(value.sizes().vec(), shape);
            QCOMPARE(value.numel(), 3 * unit.outputElements());
        }
        QCOMPARE(layer, *layerCount(run));
        QCOMPARE(parameter, whole.parameters().size());
        QVERIFY(torch::equal(value, wanted)); // unit by unit, the same to the last bit
    }

    void everyRangeIsAPartOfTheWhole_data() { addNets(); }

    void everyRangeIsAPartOfTheWhole()
    {
        QFETCH(Overrides, overrides);
        const auto run = runOf(overrides);
        Net whole = netOf(run);
        std::vector<std::string> names;
        for (const NamedTensor& parameter : whole.parameters()) {
            names.push_back(parameter.name);
        }
        std::vector<torch::Tensor> values{samples(run, 2)};
        for (std::size_t i = 0; i < whole.layerCount(); ++i) {
            // Copied, because a ReLU writes over what it is given.
            values.push_back(whole.layer(i).forward(values.back().clone()).detach().clone());
        }
        const auto layers = static_cast<std::int64_t>(whole.layerCount());
        for (std::int64_t first = 0; first < layers; ++first) {
            for (std::int64_t last = first + 1; last <= layers; last += 1 + layers / 12) {
                Net part = netOf(run, first, last);
                const torch::Tensor output = part.forward(values[static_cast<std::size_t>(first)]);
                QVERIFY(torch::equal(output, values[static_cast<std::size_t>(last)]));
                for (std::size_t i = 0; i < part.parameters().size(); ++i) {
                    const auto found = std::find(names.begin(), names.end(), part.parameters()[i].name);
                    const auto place = found != names.end() ? static_cast<std::size_t>(found - names.begin())
                                                            : *whole.tiedParameter();
                    QVERIFY(torch::equal(part.parameters()[i].tensor, whole.parameters()[place].tensor));
                }
            }
        }
    }

    void partsOfLayersAreThoseOfThePlan_data() { addNets(); }

    void partsOfLayersAreThoseOfThePlan()
    {
        QFETCH(Overrides, overrides);
        const auto run = runOf(overrides);
        const auto units = plan::netUnits(run);
        Net whole = netOf(run);
        for (const int parts : {2, 3, 5}) {
            if (!plan::checkSplit(units, parts, "tensor.size")) {
                continue;
            }
            std::int64_t pieces = 0;
            for (int part = 0; part < parts; ++part) {
                Alone group(part, parts);
                auto net = makeNet(run, torch::kCPU, 0, -1, &group);
                QVERIFY(net);
                std::int64_t wanted = 0;
                for (const plan::NetUnit& unit : units) {
                    wanted += plan::parametersOf(unit, part, parts);
                }
                QCOMPARE(net->parameterCount(), wanted);
                for (std::size_t i = 0; i < whole.parameters().size(); ++i) {
                    const NamedTensor& mine = net->parameters()[i];
                    QCOMPARE(mine.name, whole.parameters()[i].name);
                    QVERIFY(torch::equal(mine.tensor, cut(whole.parameters()[i].tensor, mine.piece)));
                    pieces += mine.piece ? mine.tensor.numel() : 0;
                }
                const auto scores = net->layer(net->layerCount() - 1).outputPiece();
                QCOMPARE(scores.has_value(), plan::isOutputSplit(units.back()));
                if (scores) {
                    QCOMPARE(scores->count, plan::outputShapeOf(units.back(), part, parts).back());
                }
            }
            std::int64_t shared = 0; // all pieces together are each number once
            for (const plan::NetUnit& unit : units) {
                shared += unit.parameters - unit.wholeParameters;
            }
            QCOMPARE(pieces, shared);
        }
    }

    void whatIsKeptForBackwardIsWhatThePlanSays_data() { addNets(); }

    /// In float64, where an element and the position of a maximum are equally long.
    void whatIsKeptForBackwardIsWhatThePlanSays()
    {
        QFETCH(Overrides, overrides);
        overrides.push_back({"train.dtype", "float64"});
        const auto run = runOf(overrides);
        constexpr std::int64_t Samples = 4;
        std::int64_t layer = 0;
        torch::Tensor value = samples(run, Samples);
        for (const plan::NetUnit& unit : plan::netUnits(run)) {
            Net part = netOf(run, layer, layer + unit.layers);
            layer += unit.layers;
            const torch::Tensor input = value.is_floating_point() ? value.detach().requires_grad_(true) : value;
            const auto held = std::make_shared<HeldBytes>();
            torch::Tensor output;
            {
                const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, held);
                output = part.forward(input);
            }
            // Above a block of queries, which kernel LibTorch has decides: the plan is a bound.
            const bool isLong = unit.split == plan::UnitSplit::Heads && run.settings->net.context > plan::AttentionRows;
            const std::int64_t spare = isLong ? run.settings->net.heads * run.settings->net.context : 0;
            QVERIFY(held->now() <= 8 * Samples * unit.keptElements);
            QVERIFY(held->now() >= 8 * Samples * (unit.keptElements - spare));
            value = output;
        }
    }
};

LOCKSTEP_TEST(TestNetPlan)
#include "test_net_plan.moc"
