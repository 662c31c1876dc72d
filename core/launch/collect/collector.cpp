#include "launch/collect/collector.h"

#include "base/checkpoint_names.h"
#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

/// Long enough to gather what the ranks send together, short enough that every redraw finds something new.
constexpr auto FlushEvery = 6ms;

} // namespace

Collector::Collector(std::int32_t worldSize, std::int64_t startNs, std::shared_ptr<LiveFeed> feed, QObject* parent)
    : QObject(parent)
    , m_feed(std::move(feed))
    , m_join(worldSize, &m_clocks.clocks())
    , m_lastStep(static_cast<std::size_t>(worldSize), 0)
    , m_startNs(startNs)
    , m_beginNs(monotonicNs())
{
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setTimerType(Qt::PreciseTimer);
    m_flushTimer.setInterval(FlushEvery);
    connect(&m_flushTimer, &QTimer::timeout, this, &Collector::flush);
}

void Collector::setWorldSize(std::int32_t worldSize)
{
    m_join = store::StepJoin(worldSize, &m_clocks.clocks());
    m_lastStep.assign(static_cast<std::size_t>(worldSize), 0);
}

void Collector::setWriter(std::unique_ptr<store::RunWriter> writer)
{
    m_writer = std::move(writer);
    if (m_unwritten) {
        if (const auto written = m_writer->add(*m_unwritten); !written) {
            onWriteError(written.error());
        }
        m_unwritten.reset();
    }
}

store::Delta& Collector::pending()
{
    if (!m_pending) {
        m_pending = std::make_shared<store::Delta>();
        m_flushTimer.start();
    }
    return *m_pending;
}

void Collector::add(std::int32_t rank, const wire::Message& message)
{
    if (const auto* steps = std::get_if<wire::StepBatch>(&message)) {
        addSteps(m_join.add(rank, *steps));
    } else if (!std::holds_alternative<wire::CheckpointPart>(message)) { // which is no part of a Delta
        if (const auto* hello = std::get_if<wire::Hello>(&message)) {
            m_join.setHost(rank, hello->host);
        }
        const auto* held = std::get_if<wire::Held>(&message);
        if (held != nullptr && held->step == 0 && m_heldFromNs == 0) {
            m_heldFromNs = held->timeNs;
        }
        if (const auto* line = std::get_if<wire::LogLine>(&message);
            line != nullptr && m_lostCheckpoint.empty() && isOfLostCheckpoint(line->said())) {
            m_lostCheckpoint = line->said();
        }
        pending().add(rank, message);
    }
}

void Collector::addSteps(store::StepJoin::Joined joined)
{
    store::Delta& delta = pending();
    for (const auto& [rank, batch] : joined.steps) {
        if (!m_hasFirstLoss && m_startNs != 0) {
            m_hasFirstLoss = true;
            const StepRow& first = batch.rows.front();
            const std::int64_t begin = first.endNs - first.wallNs;
            const std::int64_t heldNs = m_heldFromNs != 0 ? std::max<std::int64_t>(0, begin - m_heldFromNs) : 0;
            delta.starts.push_back({static_cast<double>(first.endNs - m_startNs - heldNs) * 1e-9,
                static_cast<double>(begin - m_beginNs - heldNs) * 1e-9});
        }
        m_lastStep.at(static_cast<std::size_t>(rank)) = batch.rows.back().step;
    }
    std::move(joined.steps.begin(), joined.steps.end(), std::back_inserter(delta.steps));
    std::move(joined.spans.begin(), joined.spans.end(), std::back_inserter(delta.spans));
}

std::int64_t Collector::lastStep(std::int32_t rank) const
{
    return m_lastStep.at(static_cast<std::size_t>(rank));
}

bool Collector::hasSteps() const
{
    return !m_join.isEmpty() || std::ranges::any_of(m_lastStep, [](std::int64_t step) { return step > 0; });
}

void Collector::flush()
{
    m_flushTimer.stop();
    if (!m_pending) {
        return;
    }
    std::shared_ptr<store::Delta> delta = std::exchange(m_pending, nullptr);
    m_clocks.learn(*delta);
    if (m_writer && !m_writeFailed) {
        if (const auto written = m_writer->add(*delta); !written) {
            onWriteError(written.error());
        }
    } else if (!m_writer) {
        if (!m_unwritten) {
            m_unwritten = std::make_shared<store::Delta>();
        }
        m_unwritten->append(*delta);
    }
    m_clocks.apply(*delta);
    m_account.add(*delta);
    m_feed->publish(std::move(delta));
}

Result<void> Collector::finish(analysis::RunStatus status, const Text& why)
{
    if (!m_join.isEmpty()) {
        addSteps(m_join.takeRest());
    }
    flush();
    if (!m_writer) {
        return {};
    }
    const auto finished = m_writer->finish(status, why, summary());
    m_writer.reset();
    return m_writeFailed ? Result<void>{} : finished;
}

void Collector::onWriteError(const Error& error)
{
    if (!m_writeFailed) {
        m_writeFailed = true;
        Q_EMIT writeFailed(error);
    }
}

} // namespace lockstep::launch
