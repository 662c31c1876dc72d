// The recorder against sinks that are slow, stuck or gone. Run under ThreadSanitizer too: two threads meet here.
#include "base/clock.h"
#include "base/proc_files.h"
#include "core/engine/telemetry/kept_messages.h"
#include "engine/telemetry/recorder.h"
#include "program/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace lockstep;
using namespace lockstep::engine;
using namespace std::chrono_literals;

namespace {

/// What a peer saw, and how it behaves. Shared by the test and the sink, which the recorder owns.
struct Peer : KeptMessages {
    /// Bytes that the sink takes at a time; 0: stuck.
    std::atomic<std::size_t> appetite{1 << 20};
    std::atomic<bool> hasGone{false};
};

class PeerSink final : public Sink {
public:
    explicit PeerSink(std::shared_ptr<Peer> peer)
        : m_peer(std::move(peer))
    { }

    Result<void> write(std::span<const std::byte> frames) override
    {
        m_peer->take(frames);
        return {};
    }
    Result<std::size_t> writeSome(std::span<const std::byte> frames) override
    {
        if (m_peer->hasGone) {
            return Error{"the peer has gone"};
        }
        const std::size_t bytes = std::min<std::size_t>(m_peer->appetite, frames.size());
        m_peer->take(frames.first(bytes));
        return bytes;
    }
    std::optional<wire::Control> poll() override { return m_peer->nextControl(); }

private:
    std::shared_ptr<Peer> m_peer;
};

/// The losses of all rows; none if a step is missing, doubled or out of order.
std::vector<double> lossesInOrder(const KeptMessages& peer)
{
    const KeptRows rows = peer.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.step[i] != static_cast<std::int64_t>(i) + 1) {
            qWarning("row %zu is step %lld", i, static_cast<long long>(rows.step[i]));
            return {};
        }
    }
    return rows.loss;
}

std::int64_t spansThatCame(const KeptMessages& peer, std::int64_t& dropped)
{
    std::int64_t came = 0;
    dropped = 0;
    for (const auto& batch : peer.all<wire::SpanBatch>()) {
        came += static_cast<std::int64_t>(batch.size());
        dropped += batch.dropped;
    }
    return came;
}

wire::Goodbye goodbyeAfter(std::int64_t step)
{
    wire::Goodbye goodbye;
    goodbye.step = step;
    return goodbye;
}

RecorderLimits flushing(std::chrono::milliseconds every)
{
    RecorderLimits limits;
    limits.flushEvery = every;
    return limits;
}

StepRow row(std::int64_t step)
{
    return {.step = step,
        .endNs = monotonicNs(),
        .wallNs = 100,
        .samples = 64 * step,
        .batch = 64,
        .loss = 1.0 / static_cast<double>(step),
        .learningRate = 0.1};
}

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowArrives_data();
    void everyRowArrives();
    void aStuckPeerHoldsNobodyUp();
    void spansAreCountedWhenDropped();
    void eventsKeepTheirPlaceAmongTheRows();
    void controlArrivesInOrder();
    void theGoodbyeIsLast();
    void aPeerThatLeavesIsNoticed();
    void aStuckPeerDoesNotKeepARankAlive();
    void longTextsAreCut();
    void processorTimesAreCounted();
};

void TestRecorder::everyRowArrives_data()
{
    QTest::addColumn<int>("appetite");
    QTest::addColumn<int>("queuedBytes");
    QTest::newRow("quick peer") << (1 << 20) << (64 << 20);
    QTest::newRow("peer of 7 bytes at a time") << 7 << (64 << 20);
    QTest::newRow("everything through the file") << 4096 << 0;
}

void TestRecorder::everyRowArrives()
{
    QFETCH(int, appetite);
    QFETCH(int, queuedBytes);
    const auto peer = std::make_shared<Peer>();
    peer->appetite = static_cast<std::size_t>(appetite);
    QTemporaryDir folder;
    constexpr std::int64_t Steps = 3000;
    {
        RecorderLimits limits = flushing(2ms);
        limits.queuedBytes = static_cast<std::size_t>(queuedBytes);
        limits.spillFolder = folder.path().toStdString();
        Recorder recorder(std::make_unique<PeerSink>(peer), limits);
        for (std::int64_t step = 1; step <= Steps; ++step) {
            recorder.step(row(step));
            if (step % 100 == 0) {
                std::this_thread::sleep_for(1ms);
            }
        }
        recorder.goodbye(goodbyeAfter(Steps));
    }
    QCOMPARE(peer->problem(), std::string());
    const auto losses = lossesInOrder(*peer);
    QCOMPARE(losses.size(), static_cast<std::size_t>(Steps));
    QCOMPARE(losses.back(), 1.0 / static_cast<double>(Steps));
}

void TestRecorder::aStuckPeerHoldsNobodyUp()
{
    const auto peer = std::make_shared<Peer>();
    peer->appetite = 0;
    QTemporaryDir folder;
    constexpr std::int64_t Steps = 200'000; // 24 MB of rows: more than the 1 MiB that may wait in memory
    {
        RecorderLimits limits = flushing(5ms);
        limits.queuedBytes = 1 << 20;
        limits.spillFolder = folder.path().toStdString();
        Recorder recorder(std::make_unique<PeerSink>(peer), limits);
        for (std::int64_t step = 1; step <= Steps; ++step) {
            recorder.step(row(step)); // would never return if it waited
        }
        QVERIFY(peer->everything().empty());
        std::this_thread::sleep_for(50ms);
        peer->appetite = 1 << 20;
        recorder.goodbye(goodbyeAfter(Steps));
    }
    QCOMPARE(lossesInOrder(*peer).size(), static_cast<std::size_t>(Steps));
}

void TestRecorder::spansAreCountedWhenDropped()
{
    const auto peer = std::make_shared<Peer>();
    constexpr std::int64_t Pushed = 5000;
    {
        RecorderLimits limits = flushing(10s);
        limits.queuedSpans = 1000;
        Recorder recorder(std::make_unique<PeerSink>(peer), limits);
        for (std::int64_t i = 0; i < Pushed; ++i) {
            recorder.span(i / 4 + 1, Phase::Forward, i, 1);
        }
        recorder.goodbye({});
    }
    std::int64_t dropped = 0;
    const std::int64_t came = spansThatCame(*peer, dropped);
    QVERIFY2(dropped >= Pushed - 2000, qPrintable(QString::number(dropped))); // at most one flush lies between
    QCOMPARE(came + dropped, Pushed);
}

void TestRecorder::eventsKeepTheirPlaceAmongTheRows()
{
    const auto peer = std::make_shared<Peer>();
    {
        Recorder recorder(std::make_unique<PeerSink>(peer), flushing(20ms));
        for (std::int64_t step = 1; step <= 100; ++step) {
            recorder.step(row(step));
            if (step % 10 == 0) {
                recorder.record(wire::Evaluation{.step = step, .accuracy = 0.5});
            }
        }
        recorder.goodbye(goodbyeAfter(100));
    }
    std::int64_t last = 0;
    int evaluations = 0;
    for (const wire::Message& message : peer->everything()) {
        if (const auto* batch = std::get_if<wire::StepBatch>(&message)) {
            last = batch->rows.back().step;
        } else if (const auto* evaluation = std::get_if<wire::Evaluation>(&message)) {
            QCOMPARE(last, evaluation->step);
            ++evaluations;
        }
    }
    QCOMPARE(evaluations, 10);
}

void TestRecorder::controlArrivesInOrder()
{
    const auto peer = std::make_shared<Peer>();
    Recorder recorder(std::make_unique<PeerSink>(peer), flushing(1ms));
    QVERIFY(!recorder.pollControl());
    for (int i = 0; i < 50; ++i) {
        peer->tell({.command = wire::Command::SetStraggler, .rank = i, .value = i * 0.5});
    }
    for (int i = 0; i < 50; ++i) {
        std::optional<wire::Control> control;
        QTRY_VERIFY(control || (control = recorder.pollControl()));
        QCOMPARE(control->rank, i);
        QCOMPARE(control->value, i * 0.5);
    }
    QVERIFY(!recorder.pollControl());
}

void TestRecorder::theGoodbyeIsLast()
{
    const auto peer = std::make_shared<Peer>();
    {
        Recorder recorder(std::make_unique<PeerSink>(peer));
        recorder.step(row(1));
        recorder.log(wire::LogLevel::Info, "nearly there");
        recorder.span(1, Phase::Backward, 0, 5);
        recorder.goodbye({.outcome = wire::Outcome::Failed, .step = 1, .message = "because"});
        recorder.step(row(2));
        recorder.log(wire::LogLevel::Info, "too late");
    }
    const auto messages = peer->everything();
    QVERIFY(!messages.empty());
    const auto* goodbye = std::get_if<wire::Goodbye>(&messages.back());
    QVERIFY(goodbye != nullptr);
    QCOMPARE(goodbye->message, std::string("because"));
    QCOMPARE(lossesInOrder(*peer).size(), std::size_t{1});
    const auto isLog = [](const wire::Message& message) { return std::holds_alternative<wire::LogLine>(message); };
    QCOMPARE(std::count_if(messages.begin(), messages.end(), isLog), 1);
}

void TestRecorder::aPeerThatLeavesIsNoticed()
{
    const auto peer = std::make_shared<Peer>();
    Recorder recorder(std::make_unique<PeerSink>(peer), flushing(1ms));
    QVERIFY(!recorder.isPeerLost());
    QVERIFY(recorder.lossReason().empty());
    peer->hasGone = true;
    recorder.step(row(1));
    QTRY_VERIFY(recorder.isPeerLost());
    QCOMPARE(recorder.lossReason(), std::string("the peer has gone"));
    recorder.step(row(2));
    recorder.goodbye({}); // returns at once
}

void TestRecorder::aStuckPeerDoesNotKeepARankAlive()
{
    const auto peer = std::make_shared<Peer>();
    peer->appetite = 0;
    RecorderLimits limits = flushing(1ms);
    limits.goodbyeStall = 100ms;
    Recorder recorder(std::make_unique<PeerSink>(peer), limits);
    recorder.step(row(1));
    recorder.goodbye(goodbyeAfter(1)); // would hang if it waited for the peer
    QVERIFY(peer->everything().empty());
}

void TestRecorder::longTextsAreCut()
{
    const auto peer = std::make_shared<Peer>();
    {
        Recorder recorder(std::make_unique<PeerSink>(peer));
        std::string text;
        while (text.size() < (8u << 20)) { // more than a frame may hold
            text += "步";
        }
        recorder.log(wire::LogLevel::Error, text);
        wire::Goodbye last;
        last.message = text;
        recorder.goodbye(last);
    }
    int texts = 0;
    for (const wire::Message& message : peer->everything()) {
        const auto* line = std::get_if<wire::LogLine>(&message);
        const auto* goodbye = std::get_if<wire::Goodbye>(&message);
        if (line != nullptr || goodbye != nullptr) {
            const std::string& text = line != nullptr ? line->text : goodbye->message;
            QVERIFY(!text.empty() && text.size() <= (16u << 10));
            QCOMPARE(text.size() % 3, std::size_t{0}); // no character was cut in two
            ++texts;
        }
    }
    QCOMPARE(texts, 2);
}

/// From the first step on, to the end.
void TestRecorder::processorTimesAreCounted()
{
    if (!threadTimes(readProcFile("/proc/thread-self/schedstat"))) {
        QSKIP("the kernel keeps no scheduling statistics");
    }
    const auto peer = std::make_shared<Peer>();
    {
        Recorder recorder(std::make_unique<PeerSink>(peer), flushing(1ms));
        QTRY_VERIFY(!peer->all<wire::Vitals>().empty());
        QCOMPARE(peer->all<wire::Vitals>().front().watchedNs, std::int64_t{0});
        recorder.step(row(1));
        QTRY_COMPARE(peer->rows().size(), std::size_t{1});
        recorder.step(row(2)); // the look before this one comes has seen the first
        QTRY_COMPARE(peer->rows().size(), std::size_t{2});
        recorder.goodbye(goodbyeAfter(2));
    }
    const wire::Vitals last = peer->all<wire::Vitals>().back();
    QVERIFY(last.watchedNs > 0);
    QVERIFY(last.runNs > 0);
    QVERIFY(last.runDelayNs >= 0);
}

LOCKSTEP_TEST(TestRecorder)
#include "test_recorder.moc"
