#include "session/collect/collector.h"

#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <type_traits>

namespace lockstep::session {

namespace {

using namespace std::chrono_literals;

/// Gathers what the ranks send at about the same time. With the rank's own 25 ms a row is in the store within 100 ms of
/// its step, and every redraw, 30 a second, finds something new.
constexpr auto FlushEvery = 6ms;

} // namespace

Collector::Collector(std::int32_t worldSize, std::int64_t startNs, std::shared_ptr<LiveFeed> feed, QObject* parent)
    : QObject(parent)
    , m_feed(std::move(feed))
    , m_summary(worldSize)
    , m_join(worldSize)
    , m_lastStep(static_cast<std::size_t>(worldSize), 0)
    , m_startNs(startNs)
    , m_beginNs(monotonicNs())
{
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setTimerType(Qt::PreciseTimer);
    m_flushTimer.setInterval(FlushEvery);
    connect(&m_flushTimer, &QTimer::timeout, this, &Collector::flush);
}

void Collector::setWriter(std::unique_ptr<RunWriter> writer)
{
    m_writer = std::move(writer);
    if (m_unwritten) {
        if (const auto written = m_writer->add(*m_unwritten); !written) {
            onWriteError(written.error());
        }
        m_unwritten.reset();
    }
}

Delta& Collector::pending()
{
    if (!m_pending) {
        m_pending = std::make_shared<Delta>();
        m_flushTimer.start();
    }
    return *m_pending;
}

void Collector::add(std::int32_t rank, const wire::Message& message)
{
    Delta& delta = pending();
    std::visit(
        [&](const auto& what) {
            using What = std::decay_t<decltype(what)>;
            if constexpr (std::is_same_v<What, wire::StepBatch>) {
                addSteps(m_join.add(rank, what));
            } else if constexpr (std::is_same_v<What, wire::SpanBatch>) {
                addSpans(m_summary, rank, what);
                delta.spans.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Evaluation>) {
                m_summary.addEvaluation(what.accuracy, what.loss);
                delta.evaluations.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::TrafficBatch>) {
                delta.traffic.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Measurement>) {
                delta.measurements.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Verification>) {
                m_summary.setVerification(what.maxRelativeDifference);
                delta.verifications.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Share>) {
                m_summary.addShare(rank, what.labels);
                delta.shares.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Prepared>) {
                m_summary.setData(what.trainSamples, what.testSamples);
                m_summary.setCores(rank, what.cores);
                delta.prepared.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::LogLine>) {
                delta.logs.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::Vitals>) {
                delta.vitals.push_back({rank, what});
            } else if constexpr (std::is_same_v<What, wire::MemorySample>) {
                delta.memory.push_back({rank, what});
                m_summary.addMemory(memoryOf(delta.memory.back()));
            } else if constexpr (std::is_same_v<What, wire::Applied>) {
                addIntervention(m_summary, what);
                delta.applied.push_back({rank, what});
            }
        },
        message);
}

void Collector::addSteps(StepJoin::Joined joined)
{
    for (const auto& [rank, batch] : joined.steps) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const analysis::StepRow row = rowAt(batch, i);
            if (!m_hasFirstLoss) {
                m_hasFirstLoss = true;
                m_summary.setStart(static_cast<double>(row.endNs - m_startNs) * 1e-9,
                    static_cast<double>(row.endNs - row.wallNs - m_beginNs) * 1e-9);
            }
            m_summary.addStep(rank, row);
        }
        m_lastStep.at(static_cast<std::size_t>(rank)) = batch.step.back();
    }
    Delta& delta = pending();
    std::move(joined.steps.begin(), joined.steps.end(), std::back_inserter(delta.steps));
    std::move(joined.spans.begin(), joined.spans.end(), std::back_inserter(delta.spans));
}

void Collector::add(std::int32_t rank, const wire::Hello& hello)
{
    m_summary.setHost(rank, hello.host);
    pending().hellos.push_back({rank, hello});
}

void Collector::add(RankChange change)
{
    pending().ranks.push_back(std::move(change));
}

void Collector::add(StatusChange change)
{
    pending().statuses.push_back(std::move(change));
}

void Collector::add(std::int32_t rank, wire::LogLine line)
{
    pending().logs.push_back({rank, std::move(line)});
}

void Collector::add(analysis::Machine machine)
{
    pending().machines.push_back(std::move(machine));
}

void Collector::add(analysis::MachineSample sample)
{
    pending().machineSamples.push_back(std::move(sample));
}

std::int64_t Collector::lastStep(std::int32_t rank) const
{
    return m_lastStep.at(static_cast<std::size_t>(rank));
}

void Collector::flush()
{
    m_flushTimer.stop();
    if (!m_pending) {
        return;
    }
    std::shared_ptr<Delta> delta = std::exchange(m_pending, nullptr);
    if (m_writer && !m_writeFailed) {
        Result<void> written = m_writer->add(*delta);
        // Committed at once: the writer itself only looks at its clock when the next Delta comes, and none may come.
        written = written ? m_writer->flush() : written;
        if (!written) {
            onWriteError(written.error());
        }
    } else if (!m_writer) {
        if (!m_unwritten) {
            m_unwritten = std::make_shared<Delta>();
        }
        m_unwritten->append(*delta);
    }
    m_feed->publish(std::move(delta));
}

Result<void> Collector::finish(analysis::RunStatus status, const std::string& message)
{
    if (!m_join.isEmpty()) {
        addSteps(m_join.takeRest());
    }
    flush();
    if (!m_writer) {
        return {};
    }
    const auto finished = m_writer->finish(status, message, summary());
    m_writer.reset();
    return m_writeFailed ? Result<void>{} : finished;
}

void Collector::onWriteError(const Error& error)
{
    if (!m_writeFailed) {
        m_writeFailed = true;
        Q_EMIT writeFailed(QString::fromStdString(error.message));
    }
}

} // namespace lockstep::session
