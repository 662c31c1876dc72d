#include "engine/run/files/joined_weights.h"

#include "base/draft_folder.h"
#include "base/translate.h"
#include "engine/run/files/checkpoint_files.h"
#include "experiment/spec.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

Error damaged(const std::string& name)
{
    return failure(LS_TR("Messages", "the numbers beside the tensor %1 do not fit it"), {verbatim(name)});
}

/// One row of 64-bit integers.
Result<std::vector<std::int64_t>> integersOf(const torch::Tensor& tensor, const std::string& name)
{
    if (!tensor.defined() || tensor.scalar_type() != torch::kLong || tensor.dim() != 1) {
        return damaged(name);
    }
    const auto* values = tensor.data_ptr<std::int64_t>(); // contiguous, as readTensors() gives it
    return std::vector<std::int64_t>(values, values + tensor.numel());
}

/// What the ranks' files have of one parameter of which each has some elements.
struct ShardsOfOne {
    std::map<std::int64_t, torch::Tensor> parts; ///< by first element
    torch::Tensor shape;
};

/// Reads the files of the ranks one by one, and puts their weights together.
class Joining {
public:
    Joining(const Manifest& manifest, const experiment::RunSpec& run)
        : m_areLocal(experiment::trainsLocally(run))
        , m_areShards(is(run, experiment::Strategy::Zero))
    {
        for (const Manifest::File& file : manifest.files) {
            m_mostBytes
                += file.sum.bytes; // no more than are on the disk: every file is read before its numbers are used
        }
    }

    Result<void> add(const Tensors& ofRank)
    {
        for (const auto& [name, tensor] : ofRank) {
            if (m_areShards) {
                LOCKSTEP_TRY(addShard(name, tensor));
            } else if (name.starts_with(WeightsPrefix)) {
                LOCKSTEP_TRY(addWeight(name.substr(WeightsPrefix.size()), tensor, ofRank));
            }
        }
        return {};
    }

    /// `ranks`: how many were added.
    Result<Tensors> joined(std::size_t ranks)
    {
        for (const auto& [name, rows] : m_rows) {
            if (std::find(rows.begin(), rows.end(), false) != rows.end()) {
                return failure(LS_TR("Messages", "a part of the tensor %1 is in no rank's file"), {verbatim(name)});
            }
        }
        for (const auto& [name, shards] : m_shards) {
            LOCKSTEP_TRY_ASSIGN(m_joined[name], wholeOf(name, shards));
        }
        for (auto& [name, tensor] : m_joined) {
            tensor = m_areLocal ? tensor / static_cast<double>(ranks) : tensor;
        }
        return std::move(m_joined);
    }

private:
    Result<void> addWeight(const std::string& name, const torch::Tensor& tensor, const Tensors& ofRank)
    {
        torch::Tensor& whole = m_joined[name];
        const auto piece = ofRank.find(std::string(PiecesPrefix) + name);
        if (piece != ofRank.end()) {
            LOCKSTEP_TRY_ASSIGN(const auto numbers, integersOf(piece->second, name));
            return put(name, tensor, numbers, whole);
        }
        if (whole.defined() && (whole.sizes() != tensor.sizes() || whole.scalar_type() != tensor.scalar_type())) {
            return failure(LS_TR("Messages", "the ranks' files have tensors of different shapes under the name %1"),
                {verbatim(name)});
        }
        // Without averaging, every rank that has it has the same.
        whole = m_areLocal && whole.defined() ? whole + tensor : tensor;
        return {};
    }

    /// Puts a rank's part of a weight where it belongs. `numbers`: dimension, its size in the whole, then first and
    /// count of each slice.
    Result<void> put(
        const std::string& name, const torch::Tensor& part, std::span<const std::int64_t> numbers, torch::Tensor& whole)
    {
        const bool hasSlices = numbers.size() >= 4 && numbers.size() % 2 == 0;
        if (!hasSlices || numbers[0] < 0 || numbers[0] >= part.dim() || numbers[1] < part.size(numbers[0])) {
            return damaged(name);
        }
        const std::int64_t dimension = numbers[0];
        auto sizes = part.sizes().vec();
        sizes[static_cast<std::size_t>(dimension)] = numbers[1];
        if (!isPossible(sizes, static_cast<std::int64_t>(part.element_size()))) {
            return damaged(name);
        }
        if (!whole.defined()) {
            whole = torch::zeros(sizes, part.options().requires_grad(false));
        }
        if (whole.sizes() != torch::IntArrayRef(sizes) || whole.scalar_type() != part.scalar_type()) {
            return damaged(name);
        }
        std::vector<bool>& rows = m_rows[name];
        rows.resize(static_cast<std::size_t>(numbers[1]));
        const torch::NoGradGuard noGrad;
        std::int64_t at = 0;
        for (std::size_t i = 2; i < numbers.size(); i += 2) {
            const std::int64_t first = numbers[i];
            const std::int64_t count = numbers[i + 1];
            if (first < 0 || count < 0 || first > numbers[1] - count || at > part.size(dimension) - count) {
                return damaged(name);
            }
            whole.narrow(dimension, first, count).copy_(part.narrow(dimension, at, count));
            std::fill_n(rows.begin() + first, count, true);
            at += count;
        }
        return at == part.size(dimension) ? Result<void>() : damaged(name);
    }

    /// `name`: "weights/0.weight@first element", or "shapes/0.weight".
    Result<void> addShard(const std::string& name, const torch::Tensor& tensor)
    {
        const std::size_t at = name.rfind('@');
        if (name.starts_with(ShapesPrefix)) {
            m_shards[name.substr(ShapesPrefix.size())].shape = tensor;
        } else if (name.starts_with(WeightsPrefix) && at != std::string::npos) {
            std::int64_t first = -1;
            const char* const end = name.data() + name.size();
            const auto read = std::from_chars(name.data() + at + 1, end, first);
            if (read.ec != std::errc() || read.ptr != end || first < 0 || tensor.dim() != 1) {
                return damaged(name);
            }
            m_shards[name.substr(WeightsPrefix.size(), at - WeightsPrefix.size())].parts[first] = tensor;
        }
        return {};
    }

    [[nodiscard]] Result<torch::Tensor> wholeOf(const std::string& name, const ShardsOfOne& shards) const
    {
        LOCKSTEP_TRY_ASSIGN(const auto sizes, integersOf(shards.shape, name));
        std::vector<torch::Tensor> parts;
        std::int64_t next = 0;
        for (const auto& [first, part] : shards.parts) {
            if (first != next) {
                return failure(
                    LS_TR("Messages", "element %1 of the tensor %2 is in no rank's file"), {next, verbatim(name)});
            }
            parts.push_back(part);
            next += part.numel();
        }
        const bool isFull = !parts.empty() && isPossible(sizes, static_cast<std::int64_t>(parts.front().element_size()))
            && std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>()) == next;
        return isFull ? Result<torch::Tensor>(torch::cat(parts).view(sizes)) : Result<torch::Tensor>(damaged(name));
    }

    /// The whole of a tensor is no larger than all files together.
    [[nodiscard]] bool isPossible(std::span<const std::int64_t> sizes, std::int64_t elementBytes) const
    {
        std::int64_t bytes = elementBytes;
        for (const std::int64_t size : sizes) {
            if (size < 0 || (size > 0 && bytes > m_mostBytes / size)) {
                return false;
            }
            bytes *= size;
        }
        return true;
    }

    bool m_areLocal;
    bool m_areShards;
    std::int64_t m_mostBytes = 0;
    Tensors m_joined;
    std::map<std::string, std::vector<bool>> m_rows; ///< by weight: which of its slices have come
    std::map<std::string, ShardsOfOne> m_shards;
};

/// For errors that do not name a file themselves.
template <typename T>
Result<T> orDamaged(const std::string& checkpoint, Result<T> result)
{
    return result ? std::move(result)
                  : failure(LS_TR("Messages", "%1 is damaged: %2"), {verbatim(checkpoint), result.error()});
}

Result<Tensors> joinedWeights(const std::string& checkpoint)
{
    LOCKSTEP_TRY_ASSIGN(const Manifest manifest, readManifest(checkpoint));
    LOCKSTEP_TRY_ASSIGN(const auto run, orDamaged(checkpoint, experiment::parseRunSpec(manifest.specJson)));
    LOCKSTEP_TRY_ASSIGN(const auto ranksOfRun, orDamaged(checkpoint, experiment::worldSizeOf(run)));
    if (manifest.files.size() != static_cast<std::size_t>(ranksOfRun)) {
        return orDamaged<Tensors>(checkpoint,
            failure(LS_TR("Messages", "its manifest has the files of %1 ranks, its run has %2"),
                {manifest.files.size(), ranksOfRun}));
    }
    // Ranks that share gradients have the same weights: the first has them all, or each has a part.
    const bool areWhole = is(run, experiment::Strategy::Data) && !experiment::trainsLocally(run);
    const std::size_t ranks = areWhole ? 1 : manifest.files.size();
    Joining joining(manifest, run);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        LOCKSTEP_TRY_ASSIGN(const Tensors tensors, readTensors(checkpoint, manifest.files[rank]));
        LOCKSTEP_TRY(orDamaged(checkpoint, joining.add(tensors)));
    }
    return orDamaged(checkpoint, joining.joined(ranks));
}

} // namespace

Result<WeightsFormat> weightsFormatOf(std::string_view name)
{
    if (name != "torch" && name != "safetensors") {
        return refusal("--format", LS_TR("Refusals", "\"%1\" is unknown; allowed: %2"),
            {verbatim(name), verbatim("torch, safetensors")});
    }
    return name == "torch" ? WeightsFormat::Torch : WeightsFormat::Safetensors;
}

Result<void> joinWeights(const std::string& checkpoint, const std::string& file, WeightsFormat format)
{
    try {
        LOCKSTEP_TRY_ASSIGN(const auto joined, joinedWeights(checkpoint));
        LOCKSTEP_TRY_ASSIGN(const DraftFolder draft, DraftFolder::makeBeside(file));
        const std::string name = "weights";
        const std::string part = draft.file(name);
        const auto written = format == WeightsFormat::Torch ? writeTorchFile(part, joined) : writeTensors(part, joined);
        return written ? draft.publish(name, file) : written.error();
    } catch (const std::exception& error) { // LibTorch's, of tensors that do not go together
        const std::string text = error.what();
        return failure(
            LS_TR("Messages", "%1 is damaged: %2"), {verbatim(checkpoint), verbatim(text.substr(0, text.find('\n')))});
    }
}

} // namespace lockstep::engine
