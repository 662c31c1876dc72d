#include "engine/telemetry/recorder.h"

#include "base/clock.h"
#include "base/descriptor.h"
#include "engine/telemetry/file_queue.h"
#include "engine/telemetry/outbox.h"
#include "engine/telemetry/processor_watch.h"
#include "engine/telemetry/queue.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <deque>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace lockstep::engine {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds VitalsEvery{250};
constexpr milliseconds DestructorWait{2000};
constexpr milliseconds DeliveryPoll{1};
constexpr std::size_t SpansWaitAbove = 1u << 20; ///< spans stay queued while this much else waits for the peer
constexpr std::size_t SendAtOnce = 4u << 20; ///< then handles control messages
constexpr std::size_t MaxTextBytes = 16u << 10;
constexpr std::size_t MaxNameBytes = 1024;

/// Cut to `limit` bytes, never inside a UTF-8 character.
std::string cut(std::string text, std::size_t limit)
{
    while (limit > 0 && limit < text.size() && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) {
        --limit;
    }
    text.resize(std::min(limit, text.size()));
    return text;
}

std::int64_t residentBytes()
{
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr) {
        return 0;
    }
    long long total = 0;
    long long resident = 0;
    const int read = std::fscanf(file, "%lld %lld", &total, &resident);
    std::fclose(file);
    return read == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}

} // namespace

class Recorder::Private {
public:
    Private(std::unique_ptr<Sink> sink, Limits limits)
        : queue(limits.queuedSpans)
        , m_limits(std::move(limits))
        , m_sink(std::move(sink))
        , m_outbox(m_limits.queuedBytes, m_limits.spillFolder)
        , m_wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
        // Signals of the process are for the training thread; the sender would only have its waits cut short.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        m_thread = std::thread([this] { run(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    ~Private() { end(std::nullopt); }

    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;

    void end(std::optional<wire::Goodbye> goodbye)
    {
        if (!m_thread.joinable()) {
            return;
        }
        {
            const std::lock_guard lock(m_mutex);
            m_goodbye = std::move(goodbye);
        }
        m_isQuiet.store(false);
        m_isEnding.store(true, std::memory_order_release);
        wakeSender();
        m_thread.join();
    }

    void setQuiet(bool isQuiet)
    {
        m_isQuiet.store(isQuiet, std::memory_order_release);
        m_isAsked.store(true, std::memory_order_release);
        wakeSender();
    }

    /// Also during a hold: it must not wait for the next turn.
    void pushAtOnce(wire::Message message)
    {
        queue.push(std::move(message));
        if (m_isQuiet.load(std::memory_order_acquire)) {
            m_isAsked.store(true, std::memory_order_release);
            wakeSender();
        }
    }

    void setWaiter(std::function<void()> wake)
    {
        const std::lock_guard lock(m_waiterMutex);
        m_waiter = std::move(wake);
    }

    std::optional<wire::Control> nextControl()
    {
        if (!m_hasControl.load(std::memory_order_relaxed)) {
            return std::nullopt;
        }
        const std::lock_guard lock(m_mutex);
        if (m_controls.empty()) {
            return std::nullopt;
        }
        const wire::Control control = m_controls.front();
        m_controls.pop_front();
        m_hasControl.store(!m_controls.empty(), std::memory_order_relaxed);
        return control;
    }

    std::string lossReason()
    {
        const std::lock_guard lock(m_mutex);
        return m_lossReason;
    }

    void wakeSender() const
    {
        const std::uint64_t one = 1;
        static_cast<void>(!::write(m_wake.number(), &one, sizeof(one))); // without it the sender looks at its next tick
    }

    Queue queue;
    FileQueue files;
    std::atomic<bool> isLost{false};
    std::atomic<bool> hasStepped{false};
    std::atomic<std::int64_t> deviceBytes{0};
    bool isMuted = false; ///< training thread

private:
    // Sending thread.
    void run()
    {
        auto nextFlush = Clock::now();
        while (!isLost.load(std::memory_order_relaxed)) {
            const bool isEnding = m_isEnding.load(std::memory_order_acquire);
            const auto now = Clock::now();
            if (isEnding && !m_endingSince) {
                m_endingSince = now;
                m_lastProgress = now;
                m_processor.finish();
                sampleVitals(now); // a run shorter than the interval also reports its memory
                flush(Spans::Take);
            } else if (!isEnding && (isAskedToFlush() || now >= nextFlush)) {
                const bool hasHoldBegun = m_processor.follow(steps()); // nothing is sent during it
                if (hasHoldBegun || now >= m_nextVitals) {
                    sampleVitals(now);
                }
                flush(m_outbox.waitingBytes() < SpansWaitAbove ? Spans::Take : Spans::Leave);
                nextFlush = std::max(nextFlush + m_limits.flushEvery, now);
            }
            send();
            if (m_endingSince && !m_hasGoodbyeTaken && files.isEmpty()) {
                takeGoodbye();
                send();
            }
            readControl();
            if (m_endingSince && isFinished()) {
                return;
            }
            waitUntil(nextFlush);
        }
    }

    ProcessorWatch::Steps steps() const
    {
        using enum ProcessorWatch::Steps;
        return m_isQuiet.load(std::memory_order_acquire) ? Held
            : hasStepped.load(std::memory_order_relaxed) ? Run
                                                         : None;
    }

    bool isAskedToFlush() { return m_isAsked.exchange(false, std::memory_order_acq_rel); }

    void flush(Spans spans)
    {
        queue.take(m_batch, spans);
        for (std::vector<std::byte>& frame : encodeBatch(m_batch)) {
            m_outbox.push(std::move(frame));
        }
        m_batch.clear();
    }

    void takeGoodbye()
    {
        m_hasGoodbyeTaken = true;
        const std::lock_guard lock(m_mutex);
        if (m_goodbye) {
            if (auto frame = wire::encode(*m_goodbye)) {
                m_outbox.push(std::move(*frame));
            }
        }
    }

    void sampleVitals(Clock::time_point now)
    {
        m_nextVitals = now + VitalsEvery;
        const ProcessorTimes times = m_processor.counted();
        queue.push(wire::Message{wire::Vitals{monotonicNs(), residentBytes(),
            deviceBytes.load(std::memory_order_relaxed), times.runNs, times.delayNs, times.busyNs, times.watchedNs}});
    }

    void send()
    {
        std::size_t sent = 0;
        while (sent < SendAtOnce) {
            const std::span<const std::byte> bytes = m_outbox.front();
            if (m_outbox.isBroken()) {
                lose("the temporary file of telemetry cannot be read back");
            }
            if (bytes.empty()) {
                const auto part = files.next();
                auto frame = part ? wire::encode(*part) : Result<std::vector<std::byte>>(std::vector<std::byte>());
                if (!frame || frame->empty()) {
                    return;
                }
                m_outbox.push(std::move(*frame));
                continue;
            }
            const Result<std::size_t> taken = m_sink->writeSome(bytes);
            if (!taken) {
                lose(taken.error().message);
                return;
            }
            if (*taken == 0) {
                return;
            }
            m_outbox.pop(*taken);
            sent += *taken;
            m_lastProgress = Clock::now();
        }
    }

    void wakeWaiter()
    {
        const std::lock_guard lock(m_waiterMutex);
        if (m_waiter) {
            m_waiter();
        }
    }

    void readControl()
    {
        bool hasCome = false;
        while (const std::optional<wire::Control> control = m_sink->poll()) {
            const std::lock_guard lock(m_mutex);
            m_controls.push_back(*control);
            m_hasControl.store(true, std::memory_order_relaxed);
            hasCome = true;
        }
        if (hasCome) {
            wakeWaiter();
        }
        if (m_sink->isLost()) {
            lose("the workbench closed the connection");
        }
    }

    void lose(std::string reason)
    {
        if (isLost.load(std::memory_order_relaxed)) {
            return;
        }
        {
            const std::lock_guard lock(m_mutex);
            m_lossReason = std::move(reason);
        }
        queue.close();
        m_outbox.clear();
        isLost.store(true, std::memory_order_release);
        wakeWaiter();
    }

    bool isFinished() const
    {
        const bool isAllSent = m_hasGoodbyeTaken && m_outbox.isEmpty() && m_sink->isDelivered();
        if (isLost.load(std::memory_order_relaxed) || isAllSent) {
            return true;
        }
        const auto now = Clock::now();
        return m_goodbye ? now - m_lastProgress > m_limits.goodbyeStall : now - *m_endingSince > DestructorWait;
    }

    void waitUntil(Clock::time_point nextFlush) const
    {
        auto left = std::chrono::ceil<milliseconds>(nextFlush - Clock::now());
        if (m_endingSince) {
            left = m_outbox.isEmpty() ? DeliveryPoll : m_limits.flushEvery;
        }
        const bool hasFiles = !files.isEmpty();
        left = m_outbox.isEmpty() && hasFiles ? milliseconds{0} : left;
        // A sink without a descriptor must be asked for control messages.
        const bool isAsleep = m_isQuiet.load(std::memory_order_acquire) && !m_isAsked.load(std::memory_order_acquire)
            && m_sink->descriptor() >= 0 && !m_endingSince && !hasFiles;
        const short events = m_outbox.isEmpty() ? POLLIN : POLLIN | POLLOUT;
        std::array<pollfd, 2> entries{pollfd{m_wake.number(), POLLIN, 0}, pollfd{m_sink->descriptor(), events, 0}};
        if (m_endingSince) {
            entries[0].fd = -1; // the wake-up has arrived and stays set
        }
        const auto limit = static_cast<int>(std::max<std::int64_t>(0, left.count()));
        ::poll(entries.data(), entries.size(), isAsleep ? -1 : limit);
        if (std::uint64_t count = 0; (entries[0].revents & POLLIN) != 0) {
            static_cast<void>(!::read(m_wake.number(), &count, sizeof(count))); // else another time: it stays readable
        }
    }

    const Limits m_limits;
    const std::unique_ptr<Sink> m_sink;
    Outbox m_outbox;
    QueuedBatch m_batch;
    Clock::time_point m_nextVitals{};
    ProcessorWatch m_processor; ///< made before any thread is bound to cores
    Clock::time_point m_lastProgress{};
    std::optional<Clock::time_point> m_endingSince;
    bool m_hasGoodbyeTaken = false; ///< with it nothing else is sent

    // Shared.
    const Descriptor m_wake;
    std::atomic<bool> m_isEnding{false};
    std::atomic<bool> m_isQuiet{false};
    std::atomic<bool> m_isAsked{false}; ///< to send what is there now
    std::atomic<bool> m_hasControl{false};
    std::mutex m_mutex; ///< for the three below
    std::optional<wire::Goodbye> m_goodbye; ///< constant once m_isEnding is set
    std::deque<wire::Control> m_controls;
    std::string m_lossReason;
    std::mutex m_waiterMutex;
    std::function<void()> m_waiter;
    std::thread m_thread;
};

Recorder::Recorder(std::unique_ptr<Sink> sink)
    : Recorder(std::move(sink), Limits{})
{ }

Recorder::Recorder(std::unique_ptr<Sink> sink, Limits limits)
    : m_private(std::make_unique<Private>(std::move(sink), std::move(limits)))
{ }

Recorder::~Recorder() = default;

void Recorder::prepared(wire::Prepared facts)
{
    facts.device = cut(std::move(facts.device), MaxNameBytes);
    facts.dataset = cut(std::move(facts.dataset), MaxTextBytes);
    facts.communication = cut(std::move(facts.communication), MaxTextBytes);
    m_private->queue.push(wire::Message{std::move(facts)});
}

void Recorder::step(const StepRow& row)
{
    if (!m_private->isMuted) {
        m_private->queue.push(row);
        m_private->hasStepped.store(true, std::memory_order_relaxed);
    }
}

void Recorder::span(
    std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs, std::int32_t microBatch)
{
    if (!m_private->isMuted) {
        m_private->queue.push(wire::SpanRow{step, phase, startNs, durationNs, microBatch});
    }
}

void Recorder::traffic(const wire::TrafficRow& message)
{
    if (!m_private->isMuted) {
        m_private->queue.push(message);
    }
}

void Recorder::record(wire::Message message)
{
    if (std::holds_alternative<wire::Measurement>(message)) {
        m_private->hasStepped.store(true, std::memory_order_relaxed); // a sweep's steps
    }
    m_private->queue.push(std::move(message));
}

void Recorder::memory(const wire::MemorySample& sample)
{
    if (!m_private->isMuted) {
        m_private->queue.push(wire::Message{sample});
    }
}

void Recorder::applied(const wire::Applied& intervention)
{
    m_private->pushAtOnce(intervention);
}

Result<void> Recorder::checkpointFile(std::int64_t step, std::string name, const std::string& path)
{
    auto queued = m_private->files.push(step, std::move(name), path);
    m_private->wakeSender();
    return queued;
}

const FileQueue& Recorder::files() const
{
    return m_private->files;
}

void Recorder::held(const wire::Held& block)
{
    m_private->queue.push(wire::Message{block});
    m_private->setQuiet(true);
}

void Recorder::endHold()
{
    m_private->setQuiet(false);
}

void Recorder::setMuted(bool isMuted)
{
    m_private->isMuted = isMuted;
}

void Recorder::setWaiter(std::function<void()> wake)
{
    m_private->setWaiter(std::move(wake));
}

void Recorder::log(wire::LogLevel level, const Text& text)
{
    wire::LogLine line = wire::LogLine::of(monotonicNs(), level, text);
    line.text = cut(std::move(line.text), MaxTextBytes);
    m_private->pushAtOnce(std::move(line));
}

std::optional<wire::Control> Recorder::pollControl()
{
    return m_private->nextControl();
}

bool Recorder::isPeerLost() const
{
    return m_private->isLost.load(std::memory_order_acquire);
}

std::string Recorder::lossReason() const
{
    return m_private->lossReason();
}

void Recorder::setDeviceBytes(std::int64_t bytes)
{
    m_private->deviceBytes.store(bytes, std::memory_order_relaxed);
}

void Recorder::goodbye(wire::Goodbye last)
{
    last.message = cut(std::move(last.message), MaxTextBytes);
    m_private->end(std::move(last));
}

} // namespace lockstep::engine
