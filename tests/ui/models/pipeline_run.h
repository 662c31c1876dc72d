// A pipeline's run as its ranks would send it, by the plan of its schedule: forwards take a unit, backwards two. Equal
// in every run of a test.
#pragma once

#include "experiment/spec.h"
#include "plan/pipeline/parts.h"
#include "store/account/delta.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::test {

class PipelineRun {
public:
    static constexpr std::int64_t StartNs = 7'000'000'000;
    static constexpr std::int64_t UnitNs = 100'000; ///< a forward pass

    /// `settings` beside strategy and net, as JSON: `"pipeline.stages":4`.
    explicit PipelineRun(const std::string& settings = {})
    {
        const auto spec = experiment::parseRunSpec(
            R"({"version":1,"experiment":"model-parallel","name":"p2p","base":{"strategy.name":"pipeline",)"
            R"("net.name":"deep-mlp")"
            + (settings.empty() ? std::string() : "," + settings) + "}}");
        m_record.id = RunId{"20261120-140010-abcd"};
        m_record.createdNs = 1'800'000'000'000'000'000;
        m_record.status = analysis::RunStatus::Running;
        m_record.spec = spec ? *spec : experiment::RunSpec{};
        m_shape = plan::pipelineShape(m_record.spec);
    }

    [[nodiscard]] const analysis::RunRecord& record() const { return m_record; }
    [[nodiscard]] const plan::PipelineShape& shape() const { return m_shape; }

    [[nodiscard]] store::Delta hello() const
    {
        store::Delta delta;
        for (int rank = 0; rank < m_shape.stages; ++rank) {
            wire::Hello hello;
            hello.rank = rank;
            hello.worldSize = m_shape.stages;
            delta.hellos.push_back({rank, hello});
            wire::Prepared facts;
            facts.trainSamples = 4000;
            facts.stepsPerEpoch = 32;
            facts.totalSteps = 160;
            delta.prepared.push_back({rank, facts});
        }
        return delta;
    }

    /// The next step: passes, the waits between them, an update after them. `slower`: of the last stage's backwards.
    [[nodiscard]] store::Delta step(std::int64_t slower = 1)
    {
        ++m_step;
        const auto parts = static_cast<std::size_t>(m_shape.stages * m_shape.chunks);
        const std::vector<double> forward(parts, 1.0);
        std::vector<double> backward(parts, 2.0);
        backward.back() *= static_cast<double>(slower);
        const std::string schedule = std::string(nameOf(m_record.spec.settings->pipeline.schedule));
        auto spans = *plan::simulate(*plan::scheduleKind(schedule), m_shape, forward, backward);
        std::ranges::stable_sort(spans, {}, &plan::PipelineSpan::start);
        store::Delta delta;
        std::int64_t end = 0;
        for (int stage = 0; stage < m_shape.stages; ++stage) {
            wire::SpanBatch batch;
            std::int64_t free = m_free;
            for (const plan::PipelineSpan& span : spans) {
                if (span.stage != stage) {
                    continue;
                }
                const std::int64_t from = m_free + static_cast<std::int64_t>(span.start) * UnitNs;
                const std::int64_t to = m_free + static_cast<std::int64_t>(span.end) * UnitNs;
                add(batch, Phase::Wait, free, from, -1);
                const bool isForward = span.action.kind == plan::PipelineAction::Kind::Forward;
                add(batch, isForward ? Phase::Forward : Phase::Backward, from, to, span.action.microBatch);
                free = to;
            }
            add(batch, Phase::Optimize, free, free + UnitNs, -1);
            end = std::max(end, free + UnitNs);
            delta.spans.push_back({stage, batch});
            delta.steps.push_back({stage, row(free + UnitNs)});
        }
        m_free = end;
        return delta;
    }

private:
    void add(wire::SpanBatch& batch, Phase phase, std::int64_t from, std::int64_t to, std::int32_t microBatch) const
    {
        if (to > from) {
            batch.rows.push_back({m_step, phase, from, to - from, microBatch});
        }
    }

    [[nodiscard]] wire::StepBatch row(std::int64_t endNs) const
    {
        return {{{.step = m_step,
            .endNs = endNs,
            .wallNs = endNs - m_free,
            .samples = m_step * 128,
            .batch = 128,
            .loss = 2.3 / (1.0 + 0.02 * static_cast<double>(m_step)),
            .learningRate = 0.001,
            .bytesSent = 131'072}}};
    }

    analysis::RunRecord m_record;
    plan::PipelineShape m_shape;
    std::int64_t m_step = 0;
    std::int64_t m_free = StartNs; ///< when the next step begins
};

} // namespace lockstep::test
