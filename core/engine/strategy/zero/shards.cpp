#include "engine/strategy/zero/shards.h"

#include "engine/memory/memory_account.h"
#include "plan/net.h"

#include <ATen/native/Resize.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <string>
#include <utility>

namespace lockstep::engine {

namespace {

constexpr std::int64_t MostElements = std::int64_t{1}
    << 20; // sent at once, and copied where a backend cannot do without

/// `ranges`: the net's parameters in the buffer of all weights.
void nameShards(Shards& shards, const Net& net, const std::vector<FlatLayout::Range>& ranges)
{
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (std::size_t piece = 0; piece < shards.pieces.size(); ++piece) {
            const plan::Slice own = shards.own(shards.pieces[piece]);
            const plan::Slice part = plan::common(own, {ranges[i].first, ranges[i].count});
            if (part.count > 0) {
                shards.named.push_back({net.parameters()[i].name + "@" + std::to_string(part.first - ranges[i].first),
                    shards.weights[piece].narrow(0, part.first - own.first, part.count)});
            }
        }
    }
}

/// The unit's parameters become views of one buffer.
ShardedUnit unitOf(const Net& range, const plan::Slice& layers, int ranks)
{
    const torch::NoGradGuard noGrad;
    const MemoryScope asParameters(MemoryKind::Parameters);
    ShardedUnit unit;
    unit.layers = layers;
    unit.layout = layoutOf(range.parameters(), ranks);
    unit.weights = torch::zeros({unit.layout.size}, range.parameters().front().tensor.options().requires_grad(false));
    unit.isShared = range.tiedParameter().has_value();
    for (std::size_t i = 0; i < range.parameters().size(); ++i) {
        torch::Tensor parameter = range.parameters()[i].tensor;
        const auto [first, count] = unit.layout.ranges[i];
        const torch::Tensor view = unit.weights.narrow(0, first, count).view(parameter.sizes());
        view.copy_(parameter);
        parameter.set_data(view);
        unit.parameters.push_back(std::move(parameter));
    }
    return unit;
}

/// Moves the weights that this rank keeps into one buffer each: all of them, or its parts.
FlatParameters keep(Shards& shards, bool keepsWeights)
{
    const torch::NoGradGuard noGrad;
    const std::int64_t total = shards.pieces.back().first + shards.pieces.back().count;
    const std::int64_t part = total / shards.ranks;
    const torch::TensorOptions options = shards.weights.front().options();
    const MemoryScope asParameters(MemoryKind::Parameters);
    const torch::Tensor weights = torch::zeros({keepsWeights ? total : part}, options);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < shards.pieces.size(); ++i) {
        const plan::Slice& piece = shards.pieces[i];
        ShardedUnit& unit = shards.units[i];
        if (keepsWeights) {
            const torch::Tensor place = weights.narrow(0, piece.first, piece.count);
            place.copy_(unit.weights);
            unit.weights = place;
            for (std::size_t j = 0; j < unit.parameters.size(); ++j) {
                const auto [at, count] = unit.layout.ranges[j];
                unit.parameters[j].set_data(place.narrow(0, at, count).view(unit.parameters[j].sizes()));
            }
            const plan::Slice own = shards.own(piece);
            shards.weights[i] = weights.narrow(0, own.first, own.count);
        } else {
            const torch::Tensor place = weights.narrow(0, first, piece.count / shards.ranks);
            place.copy_(shards.weights[i]);
            shards.weights[i] = place;
        }
        first += piece.count / shards.ranks;
    }
    const MemoryScope asGradients(MemoryKind::Gradients);
    const torch::Tensor gradients = torch::zeros({part}, options);
    first = 0;
    for (const plan::Slice& piece : shards.pieces) {
        shards.gradients.push_back(gradients.narrow(0, first, piece.count / shards.ranks));
        first += piece.count / shards.ranks;
    }
    return {weights, gradients};
}

} // namespace

Shards shardsOf(const Net& net, FlatParameters& parameters, int rank, int ranks)
{
    Shards shards{.rank = rank, .ranks = ranks};
    // Parts begin at multiples of 64 bytes where possible.
    const std::int64_t most = MostElements / (16 * ranks) * (16 * ranks);
    shards.pieces = plan::piecesOf(parameters.weights().numel(), ranks, most);
    for (const plan::Slice& piece : shards.pieces) {
        const plan::Slice own = shards.own(piece);
        shards.weights.push_back(parameters.weights().narrow(0, own.first, own.count));
        shards.gradients.push_back(parameters.gradients().narrow(0, own.first, own.count));
    }
    nameShards(shards, net, parameters.ranges());
    return shards;
}

Result<ShardedNet> makeShardedNet(const experiment::RunSpec& run, const torch::Device& device, int rank, int ranks)
{
    const bool keepsWeights = plan::zeroStage(run) != plan::ZeroStage::Parameters;
    Shards shards{.rank = rank, .ranks = ranks};
    std::vector<Net> made;
    std::vector<FlatLayout::Range> ranges; // of the parameters in the buffer of all weights
    plan::Slice layers;
    std::int64_t total = 0;
    for (const plan::NetUnit& each : plan::netUnits(run)) {
        layers = {layers.first + layers.count, each.layers};
        const std::int64_t end = layers.first + layers.count;
        LOCKSTEP_TRY_ASSIGN(auto range,
            made.empty() ? makeNet(run, device, 0, end)
                         : makeNetAfter(made.front().layer(0), run, device, layers.first, end));
        ShardedUnit unit = unitOf(range, layers, ranks);
        const plan::Slice own = plan::shardOf({0, unit.layout.size}, rank, ranks);
        shards.weights.push_back(unit.weights.narrow(0, own.first, own.count));
        if (!keepsWeights) {
            const MemoryScope asParameters(MemoryKind::Parameters);
            shards.weights.back() = shards.weights.back().clone();
            giveMemoryBack(unit.weights);
        }
        for (const FlatLayout::Range& inUnit : unit.layout.ranges) {
            ranges.push_back({total + inUnit.first, inUnit.count});
        }
        shards.pieces.push_back({total, unit.layout.size});
        total += unit.layout.size;
        shards.units.push_back(std::move(unit));
        made.push_back(std::move(range));
    }
    FlatParameters kept = keep(shards, keepsWeights);
    Net net = Net::joined(std::move(made));
    nameShards(shards, net, ranges);
    return ShardedNet{std::move(net), std::move(kept), std::move(shards)};
}

void giveMemoryBack(const torch::Tensor& tensor)
{
    at::native::resize_bytes_cpu(tensor.storage().unsafeGetStorageImpl(), 0);
}

void takeMemory(const torch::Tensor& tensor)
{
    at::native::resize_bytes_cpu(tensor.storage().unsafeGetStorageImpl(), tensor.nbytes());
}

} // namespace lockstep::engine
