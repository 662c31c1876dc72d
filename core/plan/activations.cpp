#include "plan/activations.h"

#include "experiment/choices.h"
#include "plan/zero.h"

#include <algorithm>
#include <numeric>

namespace lockstep::plan {

namespace {

using Units = std::span<const NetUnit>;

Units unitsIn(Units units, const Slice& slice)
{
    return units.subspan(static_cast<std::size_t>(slice.first), static_cast<std::size_t>(slice.count));
}

/// `count` segments of nearly equal numbers of units.
std::vector<Slice> evenSegments(Units units, std::int64_t count)
{
    std::vector<Slice> segments;
    std::int64_t first = 0;
    for (const std::int64_t size : evenCut(units, count)) {
        segments.push_back({first, size});
        first += size;
    }
    return segments;
}

/// Whether a segment keeps more than its input, so that another forward pass saves memory.
bool savesMemory(Units segment)
{
    return segment.size() > 1 || segment.front().keptElements > segment.front().outputElements();
}

} // namespace

Part partOf(Units units, std::int64_t inputElements, bool isFirst, bool isLast)
{
    const std::int64_t input = inputElements;
    const std::int64_t output = units.back().outputElements();
    Part part;
    part.held = input + (isLast ? output : 0); // the loss makes another tensor like the net's output
    std::int64_t before = input;
    std::int64_t working = 0; // the most in a convolution, with what was kept before and the gradient of its input
    for (const NetUnit& unit : units) {
        if (unit.channels > 0) {
            const bool isOfData = isFirst && &unit == &units.front(); // which has no gradient
            const std::int64_t kept = part.held - (isLast ? output : 0);
            working = std::max(working, kept + unit.workingElements() + (isOfData ? 0 : before));
        }
        part.held += unit.keptElements;
        part.evaluated = std::max(part.evaluated, before + unit.passingElements);
        before = unit.outputElements();
    }
    std::int64_t freed = 0;
    for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
        part.backward = std::max(part.backward, 2 * unit->widestElements - freed);
        freed += unit->keptElements;
    }
    part.backward = std::max(part.backward, working - part.held);
    part.backward += isLast ? 0 : output;
    part.underWay = (isFirst ? 0 : 3 * input) + (isLast ? 0 : output);
    return part;
}

Part recomputedPart(Units units, std::int64_t inputElements, bool isFirst, bool isLast)
{
    Part part = partOf(units, inputElements, isFirst, isLast);
    const std::int64_t kept = (isFirst ? 0 : inputElements) + (isLast ? units.back().outputElements() : 0);
    part.backward += part.held - kept;
    part.held = kept;
    return part;
}

std::int64_t activationsOf(Units units, std::int64_t inputElements, std::span<const Slice> segments)
{
    std::int64_t inputs = 0; // of the segments before
    std::int64_t most = 0;
    std::int64_t input = inputElements;
    for (const Slice& segment : segments) {
        const bool isFirst = segment.first == 0;
        const bool isLast = &segment == &segments.back();
        const Units own = unitsIn(units, segment);
        const Part part = partOf(own, input, isFirst, isLast);
        most = std::max(most, inputs + part.held + part.backward);
        inputs += isFirst && savesMemory(own) ? 0 : input; // the first one keeps the data set's bytes
        input = own.back().outputElements();
    }
    return most;
}

std::vector<Slice> segmentsOf(const experiment::RunSpec& run)
{
    const std::vector<NetUnit> units = netUnits(run);
    const auto count = static_cast<std::int64_t>(units.size());
    std::vector<Slice> best{{0, count}};
    if (!is(run, experiment::Recompute::Layer)) {
        return best;
    }
    if (zeroStage(run) >= ZeroStage::Gradients) {
        return evenSegments(units, count);
    }
    std::int64_t least = activationsOf(units, scaledElements(run), best);
    for (std::int64_t number = 2; number <= count; ++number) {
        std::vector<Slice> segments = evenSegments(units, number);
        if (const std::int64_t most = activationsOf(units, scaledElements(run), segments); most < least) {
            least = most;
            best = std::move(segments);
        }
    }
    return best;
}

std::vector<bool> recomputedUnits(const experiment::RunSpec& run)
{
    const std::vector<NetUnit> units = netUnits(run);
    if (is(run, experiment::Recompute::Stage)) {
        return std::vector<bool>(units.size(), true);
    }
    std::vector<bool> recomputed;
    const std::vector<Slice> segments = segmentsOf(run);
    for (const Slice& segment : segments) {
        const bool isRecomputed = savesMemory(unitsIn(units, segment)) && &segment != &segments.back();
        recomputed.insert(recomputed.end(), static_cast<std::size_t>(segment.count), isRecomputed);
    }
    return recomputed;
}

std::vector<LayerSegment> layerSegmentsOf(const experiment::RunSpec& run)
{
    const std::vector<Slice> segments = segmentsOf(run);
    std::vector<std::int64_t> sizes;
    for (const Slice& segment : segments) {
        sizes.push_back(segment.count);
    }
    const std::vector<Slice> layers = layersOfStages(netUnits(run), sizes);
    const std::vector<bool> recomputed = recomputedUnits(run);
    std::vector<LayerSegment> result;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        result.push_back({layers[i], recomputed[static_cast<std::size_t>(segments[i].first)]});
    }
    return result;
}

double recomputedShare(const experiment::RunSpec& run)
{
    const std::vector<NetUnit> units = netUnits(run);
    const std::vector<bool> recomputed = recomputedUnits(run);
    std::int64_t flops = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        flops += recomputed[unit] ? units[unit].forwardFlops : 0;
    }
    return static_cast<double>(flops) / static_cast<double>(forwardFlopsOf(units));
}

} // namespace lockstep::plan
