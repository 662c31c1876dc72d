// A sink that keeps what a recorder sends, and hands it the control messages that a test gives.
#pragma once

#include "engine/telemetry/recorder.h"
#include "wire/frame.h"
#include "wire/messages.h"

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep {

/// The rows that came, as columns to compare.
struct KeptRows {
    std::vector<std::int64_t> step, endNs, wallNs, samples, batch, bytesSent, arrivalNs, hiddenNs, unattributedNs;
    std::vector<double> loss, learningRate;
    std::array<std::vector<std::int64_t>, PhaseCount> phaseNs;
    std::array<std::vector<std::int64_t>, TrafficKindCount>
        bytesByKind; ///< empty where the strategy does not report it

    [[nodiscard]] std::size_t size() const { return step.size(); }

    void add(const StepRow& row)
    {
        step.push_back(row.step), endNs.push_back(row.endNs), wallNs.push_back(row.wallNs);
        samples.push_back(row.samples), batch.push_back(row.batch), bytesSent.push_back(row.bytesSent);
        arrivalNs.push_back(row.arrivalNs), hiddenNs.push_back(row.hiddenNs);
        unattributedNs.push_back(row.unattributedNs);
        loss.push_back(row.loss), learningRate.push_back(row.learningRate);
        for (std::size_t i = 0; i < PhaseCount; ++i) {
            phaseNs[i].push_back(row.phaseNs[i]);
        }
        for (std::size_t kind = 0; kind < TrafficKindCount && row.bytesByKind; ++kind) {
            bytesByKind[kind].push_back((*row.bytesByKind)[kind]);
        }
    }
};

/// What came in so far; shared by the sink (sending thread) and the test.
class KeptMessages {
public:
    /// Asked with each message as it comes; sends what it returns down to the rank. Set before the recorder starts.
    std::function<std::vector<wire::Control>(const wire::Message&)> answer;

    void take(std::span<const std::byte> frames)
    {
        const std::lock_guard lock(m_mutex);
        m_decoder.feed(frames);
        while (true) {
            const auto frame = m_decoder.next();
            if (frame && !*frame) {
                return;
            }
            auto message = frame ? wire::decode(**frame) : Result<wire::Message>(frame.error());
            if (!message) {
                m_problem = message.error().message;
                return;
            }
            if (answer) {
                for (const wire::Control& control : answer(*message)) {
                    m_controls.push_back(control);
                }
            }
            m_messages.push_back(std::move(*message));
        }
    }

    /// Why what came is not a sequence of messages; empty if it is.
    std::string problem() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problem;
    }

    std::vector<wire::Message> everything() const
    {
        const std::lock_guard lock(m_mutex);
        return m_messages;
    }

    void tell(const wire::Control& control)
    {
        const std::lock_guard lock(m_mutex);
        m_controls.push_back(control);
    }

    std::optional<wire::Control> nextControl()
    {
        const std::lock_guard lock(m_mutex);
        if (m_controls.empty()) {
            return std::nullopt;
        }
        const wire::Control control = m_controls.front();
        m_controls.pop_front();
        return control;
    }

    template <typename T>
    std::vector<T> all() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<T> found;
        for (const wire::Message& message : m_messages) {
            if (const auto* one = std::get_if<T>(&message)) {
                found.push_back(*one);
            }
        }
        return found;
    }

    KeptRows rows() const
    {
        KeptRows whole;
        for (const auto& batch : all<wire::StepBatch>()) {
            for (const StepRow& row : batch.rows) {
                whole.add(row);
            }
        }
        return whole;
    }

private:
    mutable std::mutex m_mutex;
    wire::FrameDecoder m_decoder;
    std::string m_problem;
    std::vector<wire::Message> m_messages;
    std::deque<wire::Control> m_controls;
};

class KeepingSink final : public engine::Sink {
public:
    explicit KeepingSink(std::shared_ptr<KeptMessages> kept)
        : m_kept(std::move(kept))
    { }

    Result<void> write(std::span<const std::byte> frames) override
    {
        m_kept->take(frames);
        return {};
    }
    std::optional<wire::Control> poll() override { return m_kept->nextControl(); }

private:
    std::shared_ptr<KeptMessages> m_kept;
};

} // namespace lockstep
