// The summary of a run, built row by row as they come: constant memory, the same live and from the store.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/step_curve.h"
#include "base/processor_times.h"
#include "base/step_row.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::analysis {

/// Steps left out of the means at the start.
inline constexpr std::int64_t WarmUpSteps = 10;

class SummaryBuilder {
public:
    explicit SummaryBuilder(int worldSize);
    ~SummaryBuilder();
    SummaryBuilder(SummaryBuilder&&) noexcept;
    SummaryBuilder& operator=(SummaryBuilder&&) noexcept;

    /// For a run whose ranks are only known now. Drops incomplete steps.
    void setWorldSize(int worldSize);
    /// Rows of one rank come in step order; ranks may interleave. Gives the step that the row completes.
    std::optional<WholeStep> addStep(std::int32_t rank, const StepRow& row);
    /// As StepLosses has it.
    void leave(std::int32_t rank);
    std::vector<WholeStep> takeLateSteps();
    /// For BubbleBuilder.
    void addSpan(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs,
        std::int32_t microBatch);
    /// NaN for what was not measured.
    void addEvaluation(double accuracy, double trainLoss);
    /// A pause is not training; the first of several ranks' reports counts.
    void pausedAt(std::int64_t ns);
    void resumedAt(std::int64_t ns);
    /// A run that takes turns held after `step`: the `uncounted` steps that follow are not in the means, nor, once
    /// there are others, those before its first hold.
    void heldAfter(std::int64_t step, std::int64_t ns, std::int64_t uncounted);
    void addDroppedSpans(std::int64_t count);
    void setVerification(double maxRelativeDifference, std::vector<double> drifts);
    /// Of one rank, by label; with all ranks' there is a skew.
    void addShare(std::int32_t rank, std::vector<std::int64_t> labels);
    void addMemory(const RankMemory& sample);
    /// A rank's newest; ignores unknown ones.
    void setProcessorTimes(std::int32_t rank, const ProcessorTimes& times);
    void setData(std::int64_t trainSamples, std::int64_t testSamples);
    void setDevice(const std::string& device);
    /// Where a rank runs, and how many cores it may use there.
    void setHost(std::int32_t rank, const std::string& host);
    void setCores(std::int32_t rank, std::int64_t cores);
    /// Of a run that continues another, before its first row. `earlierNs`: as RunClock's.
    void setResumption(const Resumption& resumption, std::int64_t earlierNs);
    /// Summary::secondsToFirstLoss and startSeconds.
    void setStart(double secondsToFirstLoss, double startSeconds);

    [[nodiscard]] Summary summary() const;
    [[nodiscard]] const RunClock& clock() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace lockstep::analysis
