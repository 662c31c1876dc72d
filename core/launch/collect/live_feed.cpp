#include "launch/collect/live_feed.h"

namespace lockstep::launch {

namespace {

class LiveSource final : public store::DeltaSource {
public:
    explicit LiveSource(std::shared_ptr<LiveFeed> feed)
        : m_feed(std::move(feed))
    { }
    [[nodiscard]] store::DeltaPtr take() override { return m_feed->take(); }

private:
    std::shared_ptr<LiveFeed> m_feed;
};

} // namespace

void LiveFeed::publish(std::shared_ptr<store::Delta> delta)
{
    const std::scoped_lock lock(m_mutex);
    if (m_released) {
        return;
    }
    if (!m_pending) {
        m_pending = std::move(delta);
    } else {
        m_pending->append(*delta);
    }
}

store::DeltaPtr LiveFeed::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_pending, nullptr);
}

bool LiveFeed::claim()
{
    const std::scoped_lock lock(m_mutex);
    return !m_released && !std::exchange(m_claimed, true);
}

bool LiveFeed::releaseIfUnclaimed()
{
    const std::scoped_lock lock(m_mutex);
    if (!m_claimed) {
        m_released = true;
        m_pending.reset();
    }
    return m_released;
}

std::unique_ptr<store::DeltaSource> sourceOf(std::shared_ptr<LiveFeed> feed)
{
    return std::make_unique<LiveSource>(std::move(feed));
}

} // namespace lockstep::launch
