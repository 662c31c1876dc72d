#include "analysis/timing/step_blocks.h"

#include "analysis/statistics/paired_rounds.h"
#include "analysis/timing/summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace lockstep::analysis {

namespace {

constexpr double NsOfMs = 1e6;
constexpr double NsOfSecond = 1e9;

std::size_t indexOf(Phase phase)
{
    return static_cast<std::size_t>(phase);
}

/// Of cells of `from` units each: cells of `to`, a multiple.
std::vector<StepSums> widened(const std::vector<StepSums>& cells, std::int64_t from, std::int64_t to)
{
    std::vector<StepSums> wide;
    const auto each = static_cast<std::size_t>(to / from);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i % each == 0) {
            wide.emplace_back();
        }
        wide.back().add(cells[i]);
    }
    return wide;
}

std::vector<MeasuredBlock> keptOf(const std::vector<MeasuredBlock>& all)
{
    std::vector<MeasuredBlock> kept;
    std::ranges::copy_if(all, std::back_inserter(kept), [](const MeasuredBlock& block) { return !block.isLeftOut; });
    return kept.empty() ? all : kept;
}

} // namespace

void BlocksBuilder::add(const BlockOfRank& block)
{
    std::vector<BlockOfRank>& ranks = m_open[block.number];
    ranks.push_back(block);
    if (static_cast<int>(ranks.size()) < m_worldSize) {
        return;
    }
    MeasuredBlock whole{.number = block.number, .startNs = block.startNs, .endNs = block.endNs, .steps = block.steps};
    double msPerStep = 0.0;
    std::int64_t wallNs = 0;
    std::int64_t samples = 0;
    for (const BlockOfRank& rank : ranks) {
        whole.startNs = std::min(whole.startNs, rank.startNs);
        whole.endNs = std::max(whole.endNs, rank.endNs);
        whole.steps = std::min(whole.steps, rank.steps);
        msPerStep += static_cast<double>(rank.wallNs) / NsOfMs / static_cast<double>(rank.steps);
        wallNs += rank.wallNs;
        samples += rank.samples;
    }
    const auto count = static_cast<double>(ranks.size());
    whole.msPerStep = msPerStep / count;
    whole.samplesPerSecond = static_cast<double>(samples) / (static_cast<double>(wallNs) / count / NsOfSecond);
    m_open.erase(block.number);
    if (whole.steps > 0) {
        m_blocks.push_back(whole);
    }
}

void StepSums::add(const StepRow& row)
{
    steps += 1.0;
    wallNs += static_cast<double>(row.wallNs);
    samples += static_cast<double>(row.batch);
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        phaseNs[phase] += static_cast<double>(row.phaseNs[phase]);
    }
}

void StepSums::add(const StepSums& other)
{
    steps += other.steps;
    wallNs += other.wallNs;
    samples += other.samples;
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        phaseNs[phase] += other.phaseNs[phase];
    }
}

double StepSums::msPerStep() const
{
    return wallNs / steps / NsOfMs;
}

double StepSums::communicateNs(bool isWaitKnown) const
{
    return phaseNs[indexOf(Phase::Communicate)] + (isWaitKnown ? 0.0 : phaseNs[indexOf(Phase::Wait)]);
}

StepSums& MergingSums::at(std::int64_t unit)
{
    while (unit / m_width >= static_cast<std::int64_t>(m_mostCells)) {
        m_cells = widened(m_cells, 1, 2);
        m_width *= 2;
    }
    const auto cell = static_cast<std::size_t>(unit / m_width);
    if (cell >= m_cells.size()) {
        m_cells.resize(cell + 1);
    }
    return m_cells[cell];
}

StepSums MergingSums::total() const
{
    StepSums total;
    for (const StepSums& cell : m_cells) {
        total.add(cell);
    }
    return total;
}

void StepBlocks::setWorldSize(int worldSize)
{
    m_worldSize = worldSize;
    m_rounds.setWorldSize(worldSize);
}

void StepBlocks::addStep(std::int32_t rank, const StepRow& row)
{
    OfRank& of = m_ranks[rank];
    ++of.rows;
    m_isWaitKnown = m_isWaitKnown && row.unattributedNs == 0;
    const auto next = std::ranges::lower_bound(of.holds, row.step);
    if (next == of.holds.begin()) {
        if (of.rows > WarmUpSteps) {
            of.own.at((of.rows - WarmUpSteps - 1) / m_period).add(row);
        }
    } else if (row.step - *std::prev(next) > m_uncounted) {
        of.inTurns.at(next - of.holds.begin() - 1).add(row);
    }
}

void StepBlocks::heldAfter(std::int32_t rank, std::int64_t step, std::int64_t uncounted, const BlockOfRank& block)
{
    m_uncounted = uncounted;
    OfRank& of = m_ranks[rank];
    const auto place = std::ranges::lower_bound(of.holds, step);
    const auto number = of.numbers.begin() + (place - of.holds.begin());
    if (place == of.holds.end() || *place != step) {
        of.numbers.insert(number, block.number);
        of.holds.insert(place, step);
    }
    if (block.number > 0) {
        m_rounds.add(block);
    }
}

std::vector<MeasuredBlock> StepBlocks::rounds() const
{
    std::vector<MeasuredBlock> rounds = m_rounds.blocks();
    for (MeasuredBlock& round : rounds) {
        round.isLeftOut = m_leftOut.contains(round.number);
    }
    return rounds;
}

std::vector<MeasuredBlock> StepBlocks::kept() const
{
    return keptOf(takesTurns() ? rounds() : ownBlocks());
}

/// Periods in a block: the same for all ranks, of which one may have come further.
std::int64_t StepBlocks::ownWidth() const
{
    std::int64_t width = 1;
    for (const auto& [rank, of] : m_ranks) {
        width = std::max(width, of.own.width());
    }
    return width;
}

/// Whole ones, with those that stalled marked; none of a run that takes turns.
std::vector<MeasuredBlock> StepBlocks::ownBlocks() const
{
    if (takesTurns() || m_ranks.size() < static_cast<std::size_t>(m_worldSize)) {
        return {};
    }
    const std::int64_t width = ownWidth();
    auto count = std::numeric_limits<std::size_t>::max();
    std::vector<std::vector<StepSums>> ranks;
    for (const auto& [rank, of] : m_ranks) {
        ranks.push_back(widened(of.own.cells(), of.own.width(), width));
        count = std::min(count, static_cast<std::size_t>(of.own.total().steps / static_cast<double>(m_period * width)));
    }
    std::vector<MeasuredBlock> blocks;
    std::vector<double> logMs;
    for (std::size_t i = 0; i < count; ++i) {
        StepSums whole;
        for (const auto& rank : ranks) {
            whole.add(rank[i]);
        }
        const double seconds = whole.wallNs / static_cast<double>(ranks.size()) / NsOfSecond;
        blocks.push_back(
            {.steps = m_period * width, .msPerStep = whole.msPerStep(), .samplesPerSecond = whole.samples / seconds});
        logMs.push_back(std::log(blocks.back().msPerStep));
    }
    const std::vector<bool> kept = keptRounds(std::vector<std::vector<double>>{logMs});
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks[i].isLeftOut = !kept[i];
    }
    return blocks;
}

/// Of several rounds in one cell, more than half have to count.
bool StepBlocks::isKept(const OfRank& of, std::size_t cell) const
{
    const auto width = static_cast<std::size_t>(of.inTurns.width());
    std::size_t all = 0;
    std::size_t counted = 0;
    // The block that began at one hold has its number from the next.
    for (std::size_t end = cell * width + 1; end < of.numbers.size() && all < width; ++end) {
        ++all;
        counted += of.numbers[end] > 0 && !m_leftOut.contains(of.numbers[end]) ? 1U : 0U;
    }
    return 2 * counted > all;
}

std::vector<StepSums> StepBlocks::keptCells(const OfRank& of, const std::vector<MeasuredBlock>& own) const
{
    std::vector<StepSums> kept;
    if (takesTurns()) {
        for (std::size_t cell = 0; cell < of.inTurns.cells().size(); ++cell) {
            if (isKept(of, cell) && of.inTurns.cells()[cell].steps > 0.0) {
                kept.push_back(of.inTurns.cells()[cell]);
            }
        }
        return kept;
    }
    const std::vector<StepSums> cells = widened(of.own.cells(), of.own.width(), ownWidth());
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (!own[i].isLeftOut) {
            kept.push_back(cells[i]);
        }
    }
    return kept;
}

std::map<std::int32_t, StepSums> StepBlocks::keptSums() const
{
    const std::vector<MeasuredBlock> own = ownBlocks();
    std::map<std::int32_t, StepSums> sums;
    for (const auto& [rank, of] : m_ranks) {
        StepSums total;
        for (const StepSums& cell : keptCells(of, own)) {
            total.add(cell);
        }
        for (const MergingSums* all : {&of.inTurns, &of.own}) {
            total = total.steps > 0.0 ? total : all->total();
        }
        if (total.steps > 0.0) {
            sums[rank] = total;
        }
    }
    return sums;
}

std::vector<double> StepBlocks::communicateMs() const
{
    const std::vector<MeasuredBlock> own = ownBlocks();
    std::vector<StepSums> blocks;
    bool isFirst = true;
    for (const auto& [rank, of] : m_ranks) {
        const std::vector<StepSums> cells = keptCells(of, own);
        // A rank that is ahead of the others has more.
        blocks.resize(isFirst ? cells.size() : std::min(blocks.size(), cells.size()));
        isFirst = false;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            blocks[i].add(cells[i]);
        }
    }
    std::vector<double> ms;
    for (const StepSums& block : blocks) {
        ms.push_back(block.communicateNs(m_isWaitKnown) / block.steps / NsOfMs);
    }
    return ms;
}

} // namespace lockstep::analysis
