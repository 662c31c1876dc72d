#include "ui/models/feeds/rank_cards.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr std::int64_t MeanOverNs = 1'000'000'000;

} // namespace

void RankCards::Sums::add(const Sums& other)
{
    steps += other.steps;
    wallNs += other.wallNs;
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        phaseNs[phase] += other.phaseNs[phase];
    }
}

void RankCards::end()
{
    for (RankCard& card : m_cards) {
        const bool isActive = card.state == store::RankState::Starting || card.state == store::RankState::Running
            || card.state == store::RankState::Paused;
        card.state = isActive ? store::RankState::Stopped : card.state;
    }
}

RankCard& RankCards::card(std::int32_t rank)
{
    const auto at = std::lower_bound(m_cards.begin(), m_cards.end(), rank,
        [](const RankCard& each, std::int32_t number) { return each.rank < number; });
    if (at != m_cards.end() && at->rank == rank) {
        return *at;
    }
    RankCard added;
    added.rank = rank;
    return *m_cards.insert(at, added);
}

void RankCards::take(const store::Delta& delta, const store::RunAccount& account)
{
    for (const auto& [rank, batch] : delta.steps) {
        takeSteps(rank, batch);
    }
    for (const auto& [rank, vitals] : delta.vitals) {
        RankCard& shown = card(rank);
        shown.residentBytes = vitals.residentBytes;
        shown.deviceBytes = vitals.deviceBytes;
        shown.heardNs = vitals.timeNs;
    }
    for (const auto& [rank, change] : account.ranks()) {
        RankCard& shown = card(rank);
        shown.state = change.state;
        shown.message = change.message;
    }
    refresh();
}

void RankCards::takeSteps(std::int32_t rank, const wire::StepBatch& batch)
{
    if (batch.size() == 0) {
        return;
    }
    Sums sums;
    for (const StepRow& row : batch.rows) {
        sums.add({row.endNs, 1, row.wallNs, row.phaseNs});
    }
    const StepRow& last = batch.rows.back();
    sums.endNs = last.endNs;
    m_recent[rank].push_back(sums);
    RankCard& shown = card(rank);
    shown.step = last.step;
    shown.loss = last.batch > 0 ? last.loss : analysis::NotMeasured; // no samples, no loss
}

void RankCards::refresh()
{
    for (auto& [rank, batches] : m_recent) {
        while (batches.size() > 1 && batches.front().endNs < batches.back().endNs - MeanOverNs) {
            batches.pop_front();
        }
        Sums sums;
        for (const Sums& batch : batches) {
            sums.add(batch);
        }
        if (sums.steps == 0) {
            continue;
        }
        RankCard& shown = card(rank);
        shown.msPerStep = static_cast<double>(sums.wallNs) / static_cast<double>(sums.steps) / 1e6;
        // A step's own time leaves evaluation out, its phases do not: together they are the whole.
        const auto evaluate = static_cast<std::size_t>(Phase::Evaluate);
        const double whole = static_cast<double>(std::max<std::int64_t>(1, sums.wallNs + sums.phaseNs[evaluate]));
        for (std::size_t i = 0; i < PhaseCount; ++i) {
            shown.phaseShare[i] = static_cast<double>(sums.phaseNs[i]) / whole;
        }
    }
}

} // namespace lockstep::ui
