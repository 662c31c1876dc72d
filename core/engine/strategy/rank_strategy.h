// Common to all strategies of several ranks: the group, commands that change a link or a straggler, sums over ranks,
// and the test set evaluated in shares.
#pragma once

#include "engine/ranks/rank_group.h"
#include "engine/strategy/apply_gradient.h"
#include "engine/strategy/strategy.h"

#include <array>
#include <memory>
#include <span>

namespace lockstep::engine {

class RankStrategy : public Strategy, protected GradientPeers {
public:
    explicit RankStrategy(std::unique_ptr<RankGroup> group);

    [[nodiscard]] ControlBoard& board() final { return *m_group->board; }
    [[nodiscard]] bool apply(const wire::Control& control) final;
    [[nodiscard]] Stragglers::Values straggler() const final { return m_group->stragglers.of(rank()); }
    void setClock(StepClock* clock) override;
    [[nodiscard]] Result<void> checkPeers() final;
    [[nodiscard]] Text deadPeer() final;
    [[nodiscard]] std::shared_ptr<comm::CallRecord> callRecord() const final { return m_group->callRecord(); }
    [[nodiscard]] std::shared_ptr<rendezvous::Network> network() const final { return m_group->network; }
    [[nodiscard]] Result<void> allReduceSum(std::span<double> numbers) final;
    /// Where all ranks meet in each step, none can begin the step after `step` before rank 0 has begun it.
    [[nodiscard]] std::int64_t agreedStep(std::int64_t step) const override { return step + 1; }

protected:
    [[nodiscard]] RankGroup& group() const { return *m_group; }
    [[nodiscard]] comm::WatchedCommunicator& ranks() const { return *m_group->communicator; }
    [[nodiscard]] int rank() const { return ranks().rank(); }

    /// Reports to `clock`; none for null.
    [[nodiscard]] static comm::WatchedCommunicator::Timer timerOf(StepClock* clock);

    /// Whether links can be emulated on everything that the ranks send each other.
    [[nodiscard]] virtual bool takesLinks() const { return true; }
    /// After the group's links have changed.
    virtual void applyLinks() { }

    /// GradientPeers': waits for this rank's device.
    [[nodiscard]] Result<void> synchronize() override;

    /// `text`, and that links are emulated where they are.
    [[nodiscard]] Text overLinks(const Text& text) const;
    /// The `part`-th of `parts` nearly equal shares of a test set.
    [[nodiscard]] static LabelledInputs shareOf(const LabelledInputs& set, int part, int parts);
    /// The score over all ranks, from what each has counted of its share (TestSums::numbers()).
    [[nodiscard]] Result<TestScore> scoreOfAll(std::array<double, 3> numbers);

private:
    std::unique_ptr<RankGroup> m_group;
};

} // namespace lockstep::engine
