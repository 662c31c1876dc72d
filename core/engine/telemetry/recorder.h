// The training loop's only output: rows, spans, evaluations and log lines go into a bounded queue that a separate
// thread sends. The training thread never waits for it: a row costs well under a microsecond.
//
// Rows are never dropped: they queue up to 64 MiB and then spill to a temporary file of frames, which is sent in order
// as soon as the peer reads again. Spans are dropped under load and counted. Batches leave every 25 ms.
// No LibTorch here.
#pragma once

#include "base/result.h"
#include "wire/frame.h"
#include "wire/messages.h"
#include "wire/secret.h"
#include "wire/workbench_file.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lockstep::engine {

/// Where the frames go.
class Sink {
public:
    virtual ~Sink() = default;
    /// Writes all of it, waiting as long as needed (sending thread only); an error is final.
    [[nodiscard]] virtual Result<void> write(std::span<const std::byte> frames) = 0;
    /// Writes what can be written without waiting and gives its size, 0 if the peer takes nothing just now.
    [[nodiscard]] virtual Result<std::size_t> writeSome(std::span<const std::byte> frames)
    {
        const Result<void> written = write(frames);
        return written ? Result<std::size_t>(frames.size()) : Result<std::size_t>(written.error());
    }
    /// What poll(2) can wait on for room and for control messages; -1: there is nothing to wait for.
    [[nodiscard]] virtual int descriptor() const { return -1; }
    /// False while bytes that were written could still be lost if this process ended now.
    [[nodiscard]] virtual bool isDelivered() const { return true; }
    /// The next control message, if one has come; never waits. File sinks give none.
    [[nodiscard]] virtual std::optional<wire::Control> poll() { return std::nullopt; }
    /// The peer has gone: the rank exits (a rank does not outlive its workbench).
    [[nodiscard]] virtual bool isLost() const { return false; }
};

struct SocketSession {
    std::unique_ptr<Sink> sink;
    wire::Welcome welcome;
};

/// Connects (TCP, over TLS where the workbench has a certificate), proves to have the secret and has the workbench
/// prove it, says hello and waits for the welcome, all within `timeout`. Unencrypted only on this machine.
[[nodiscard]] Result<SocketSession> connectToWorkbench(const wire::WorkbenchAddress& address,
    const wire::Secret& secret, const wire::Hello& hello, std::chrono::milliseconds timeout);
/// Of its errors: no process listens at the address.
[[nodiscard]] bool isRefused(const Error& error);

/// `--record FILE`: writes the spec (as a Welcome), the hello and then every frame, for `lockstep import`.
[[nodiscard]] Result<std::unique_ptr<Sink>> recordToFile(
    const std::string& path, const wire::Hello& hello, const std::string& specJson);

/// Discards everything: for runs without a workbench, and to measure the cost of telemetry.
[[nodiscard]] std::unique_ptr<Sink> discard();

struct RecorderLimits {
    std::chrono::milliseconds flushEvery{25};
    std::size_t queuedBytes = 64u << 20;
    std::size_t queuedSpans = 1u << 16;
    std::string spillFolder; ///< empty: TMPDIR or /tmp
    std::chrono::milliseconds goodbyeStall{10000}; ///< goodbye() gives up when the peer takes nothing for so long
};

class FileQueue;

class Recorder {
public:
    using Limits = RecorderLimits;

    /// Starts the sending thread. It also samples Vitals four times a second, at the begin of a hold and at the end;
    /// their processor times twice a second, at the begin of a hold and at the end. Call before binding threads to
    /// cores.
    explicit Recorder(std::unique_ptr<Sink> sink);
    Recorder(std::unique_ptr<Sink> sink, Limits limits);
    /// Sends what is left, at most 2 s long.
    ~Recorder();

    // Training thread only. None of these waits for the peer.
    void prepared(wire::Prepared facts);
    void step(const StepRow& row);
    void span(
        std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs, std::int32_t microBatch = -1);
    void traffic(const wire::TrafficRow& message);
    void memory(const wire::MemorySample& sample);
    void applied(const wire::Applied& intervention);
    /// A file of a checkpoint, in pieces, behind everything else. An error if it cannot be read.
    [[nodiscard]] Result<void> checkpointFile(std::int64_t step, std::string name, const std::string& path);
    /// Those that checkpointFile() has queued.
    [[nodiscard]] const FileQueue& files() const;
    /// Sent at once. Then the sending thread sleeps until a control message comes, the connection ends or endHold().
    void held(const wire::Held& block);
    void endHold();
    /// Steps that only measure: rows, spans, messages between ranks and memory are not recorded.
    void setMuted(bool isMuted);

    /// Any thread.
    void log(wire::LogLevel level, const Text& text);
    /// What needs no cutting and no muting: an evaluation, a measurement, a share, a sample of the clock.
    void record(wire::Message message);

    /// A control message from the workbench, if one has come. Costs one relaxed load when none has.
    [[nodiscard]] std::optional<wire::Control> pollControl();
    [[nodiscard]] bool isPeerLost() const;
    /// The sending thread calls `wake` when a control message has come and when the peer is lost; empty for none.
    /// Once this returns, the function given before is not called any more.
    void setWaiter(std::function<void()> wake);
    /// The reason; empty while the peer is there.
    [[nodiscard]] std::string lossReason() const;
    /// Memory held on the accelerator, for the next Vitals. Any thread.
    void setDeviceBytes(std::int64_t bytes);

    /// Sends everything and the goodbye; waits until it is out, the peer is gone or has taken nothing for
    /// Limits::goodbyeStall. Call once, last: what is recorded after it is not sent.
    void goodbye(wire::Goodbye last);

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::engine
