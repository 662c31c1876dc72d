// One run as analysis, the command line and reports see it: settings, status, summary and its two curves.
#pragma once

#include "analysis/machine_record.h"
#include "analysis/not_measured.h"
#include "base/ids.h"
#include "base/memory_kind.h"
#include "base/phase.h"
#include "base/text.h"
#include "base/traffic.h"
#include "experiment/spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lockstep::analysis {

enum class RunStatus { Queued, Starting, Running, Paused, Stopping, Finished, Failed, Stopped, Interrupted };

/// `finished`, ... as in JSON and the store.
[[nodiscard]] std::string_view nameOf(RunStatus status);
[[nodiscard]] std::optional<RunStatus> statusFromName(std::string_view name);
/// Finished, Failed, Stopped, Interrupted: nothing more will come.
[[nodiscard]] bool isFinal(RunStatus status);

/// A rank's memory by use, in bytes; the newest or largest values of wire::MemorySample.
struct RankMemory {
    std::int32_t rank = 0;
    MemoryBytes afterStep{}; ///< the newest
    MemoryBytes most{}; ///< of each kind within a step
    std::int64_t mostOfSum = 0; ///< of all kinds together within a step
    std::int64_t highest = 0; ///< of all kinds together at any time
    std::int64_t resident = 0; ///< of the whole process, the newest
    std::int64_t highestResident = 0;
    MemoryBytes planned{}; ///< as formulas predicted before the run began
    std::int64_t plannedHighest = 0;

    bool operator==(const RankMemory&) const = default;
};

/// In rank order; a later sample of a rank is merged into the earlier one.
void addMemory(std::vector<RankMemory>& memory, const RankMemory& sample);

/// What was changed by hand while the run went on. Times and losses of such a run are not those of its settings.
struct Interference {
    bool isPaused = false;
    bool isSlowed = false; ///< a rank was slowed down, or sped up again
    bool isLinkChanged = false;

    [[nodiscard]] bool any() const { return isPaused || isSlowed || isLinkChanged; }
    bool operator==(const Interference&) const = default;
};

/// `paused`, `slowed`, `link`, those that apply: as in JSON and the store.
[[nodiscard]] std::vector<std::string> namesOf(const Interference& interference);
/// Ignores unknown names.
[[nodiscard]] Interference interferenceFromNames(const std::vector<std::string>& names);

/// What a run that continues another took over from it.
struct Resumption {
    std::int64_t step = 0; ///< the last one before it; 0: the run began at its first step
    /// The length that the learning rates up to there were made for, where this run's length gives others; else 0.
    std::int64_t scheduledSteps = 0;
    std::int64_t totalSteps = 0; ///< this run's length

    bool operator==(const Resumption&) const = default;
};

/// The figures of a run. NotMeasured where there is none.
struct Summary {
    double finalLoss = NotMeasured; ///< batch loss of the last step, sample-weighted over ranks
    double bestLoss = NotMeasured; ///< lowest batch loss of any step
    /// Mean loss on the first samples of the training set (plan::evaluatedTrainSamples), last evaluation.
    double trainLoss = NotMeasured;
    double testAccuracy = NotMeasured; ///< 0 .. 1, last evaluation
    double bestTestAccuracy = NotMeasured;
    double msPerStep = NotMeasured; ///< mean after 10 warm-up steps, without evaluation and pauses
    double samplesPerSecond = NotMeasured;
    double commMsPerStep = NotMeasured; ///< mean over ranks; with the waiting where that cannot be separated
    double waitMsPerStep = NotMeasured; ///< NotMeasured also where it cannot be separated
    /// What a step typically takes: the geometric mean over the blocks that count (StepBlocks), which one stall does
    /// not change. The ratio of two runs that took turns is their paired difference. NotMeasured also in a summary of
    /// an earlier version: msPerStepOf() and the like have the means then.
    double msPerStepTypical = NotMeasured;
    double samplesPerSecondTypical = NotMeasured; ///< geometric mean of the same blocks' rates
    double commMsPerStepTypical = NotMeasured; ///< its share in those blocks, of msPerStepTypical
    double waitMsPerStepTypical = NotMeasured;
    /// Of commMsPerStep, between hosts; NotMeasured where the backend does not report it.
    double betweenHostsMsPerStep = NotMeasured;
    double commFraction = NotMeasured; ///< communication over step, wait not counted
    double commWithWaitFraction = NotMeasured; ///< communication and waiting over step: the `%comms` of GPT-NeoX
    double bytesPerStep = NotMeasured; ///< sent by one rank, mean
    /// A step of one rank, mean, by TrafficKind; NotMeasured if the strategy does not report it.
    std::array<double, TrafficKindCount> bytesByKind{NotMeasured, NotMeasured, NotMeasured, NotMeasured};
    double secondsToFirstLoss = NotMeasured; ///< from the start of `lockstep`
    double startSeconds = NotMeasured; ///< from starting the rank processes to the first step's begin
    double verifyMaxRelativeDifference = NotMeasured;
    /// How far the losses of single processes drift apart that sum in other orders, as the difference above; one value
    /// an order. Empty if not measured.
    std::vector<double> verifyDrifts;
    /// Share of the communication time that overlapped with backward; NotMeasured if none did.
    double overlapFraction = NotMeasured;
    /// Communication and waiting that no computation overlapped: mean over ranks.
    double exposedMsPerStep = NotMeasured;
    /// Communication on the critical path of a step (CriticalPathBuilder), mean.
    double criticalCommMsPerStep = NotMeasured;
    /// The rank that has most of the critical path's time, and its share of that time.
    double criticalRank = NotMeasured;
    double criticalShare = NotMeasured;
    double bubbleFraction = NotMeasured; ///< of a pipeline: BubbleBuilder::bubble
    double labelSkew = NotMeasured; ///< plan::labelSkew over all ranks' shares
    /// Of the gradients that an asynchronous server applied: StepRow::staleness, mean and largest.
    double staleness = NotMeasured;
    double largestStaleness = NotMeasured;
    std::int64_t steps = 0; ///< steps done
    std::int64_t trainSamples = 0; ///< of the whole data set, as the rank read it; 0: not known
    std::int64_t testSamples = 0;
    std::int64_t hosts = 0; ///< of the ranks; 0: not known
    std::int64_t cores = 0; ///< that the ranks may use, of all their machines together; 0: not known
    std::string device; ///< `cpu`, `cuda:0`: where rank 0 computed; empty: not known
    std::int64_t droppedSpans = 0;
    std::vector<RankMemory> memory; ///< by rank; empty if none has reported
    /// First step's begin to last step's end, pauses left out; of a resumed run from the first step of all, NotMeasured
    /// where its checkpoint does not say how long the steps before it took.
    double trainSeconds = NotMeasured;
    /// Of the time that the ranks' threads were runnable while steps ran, holds left out: waiting for a core, by
    /// whomever it was used.
    double runDelayShare = NotMeasured;
    double delayByOthers = NotMeasured; ///< of runDelayShare, the part by other work: machine_load.h
    double cpuCores = NotMeasured; ///< that all ranks together kept busy, mean
    Interference interference;
    Resumption resumption;
};

/// What a step typically takes; of a run of an earlier version the mean.
[[nodiscard]] inline double msPerStepOf(const Summary& summary)
{
    return std::isfinite(summary.msPerStepTypical) ? summary.msPerStepTypical : summary.msPerStep;
}
[[nodiscard]] inline double samplesPerSecondOf(const Summary& summary)
{
    return std::isfinite(summary.samplesPerSecondTypical) ? summary.samplesPerSecondTypical : summary.samplesPerSecond;
}
/// With msPerStepOf(): both are typical, or both means.
[[nodiscard]] inline double commMsPerStepOf(const Summary& summary)
{
    return std::isfinite(summary.msPerStepTypical) ? summary.commMsPerStepTypical : summary.commMsPerStep;
}
[[nodiscard]] inline double waitMsPerStepOf(const Summary& summary)
{
    return std::isfinite(summary.msPerStepTypical) ? summary.waitMsPerStepTypical : summary.waitMsPerStep;
}

/// Whether runs that were changed by hand while they went on count in statistics and comparisons.
enum class Interfered { LeaveOut, Include };

/// x in steps, epochs and seconds (as Summary::trainSeconds); equally long.
struct Curve {
    std::vector<std::int64_t> step;
    std::vector<double> epoch;
    std::vector<double> seconds;
    std::vector<double> value;

    [[nodiscard]] std::size_t size() const { return step.size(); }
};

/// Means of one rank after the warm-up, in ms a step, and its part of what a step typically takes. Times of waiting and
/// communicating also as medians, which one slow step does not change. Where waiting cannot be separated from
/// communicating, it is NotMeasured, and communicating holds both.
struct RankSummary {
    std::int32_t rank = 0;
    std::array<double, PhaseCount> phaseMs{};
    double msPerStep = NotMeasured;
    std::array<double, PhaseCount> phaseMsTypical{};
    double msPerStepTypical = NotMeasured; ///< the mean over ranks is the summary's
    double bytesPerStep = NotMeasured;
    double betweenHostsMs = NotMeasured; ///< of communicating, where the backend reports it
    double medianWaitMs = NotMeasured;
    double medianCommunicateMs = NotMeasured;
};

/// What a step typically takes the rank; where that is not known, its means.
[[nodiscard]] inline const std::array<double, PhaseCount>& phaseMsOf(const RankSummary& rank)
{
    return std::isfinite(rank.msPerStepTypical) ? rank.phaseMsTypical : rank.phaseMs;
}

/// Steps between two changes by hand of how long ranks are delayed.
struct SlowedStretch {
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    int link = 0; ///< number of changes of the link by hand before it
    std::vector<std::int32_t> ranks{}; ///< that were delayed; empty: none
    double delayMs = 0.0; ///< the longest of their delays in a step
    double msPerStep = NotMeasured; ///< median of its steps, mean over ranks
    double othersWaitMs = NotMeasured; ///< likewise, of the ranks that were not delayed
};

/// How stale a rank's gradients were (StepRow::staleness).
struct RankStaleness {
    std::int32_t rank = 0;
    std::int64_t gradients = 0;
    std::int64_t sum = 0; ///< of their staleness
    std::int64_t largest = 0;
    std::vector<std::int64_t> counts; ///< of gradients by staleness: 0, 1, ...; the last also of all staler ones

    [[nodiscard]] double mean() const { return static_cast<double>(sum) / static_cast<double>(gradients); }
};

/// What a rank has of the training set, where the set is partitioned.
struct RankShare {
    std::int32_t rank = 0;
    std::int64_t samples = 0;
    std::int64_t shared = 0; ///< of them, also with another rank
    std::int64_t redraws = 0; ///< how often the partition was drawn again; the same for all ranks
    std::vector<std::int64_t> labels; ///< how many of each label
};

struct RunRecord;

/// Whether any process of it was started: not while it waits, nor if it was stopped before.
[[nodiscard]] bool hasStarted(const RunRecord& run);
/// The message of a run that was stopped while it waited.
inline constexpr std::string_view StoppedBeforeStart = LS_TR("Messages", "stopped before it started");
/// The user's label, else what the variant is called (RunSpec::shown), else its name in the spec.
[[nodiscard]] std::string variantName(const RunRecord& run);
/// The same, without a label with `#2` for the second repeat.
[[nodiscard]] std::string displayName(const RunRecord& run);
/// The run's number of ranks, by its settings.
[[nodiscard]] int ranksOf(const RunRecord& run);
/// How long the rank was told to lose in each step, by its settings; 0 where ranks were slowed by hand, too.
[[nodiscard]] double delayMsOf(const RunRecord& run, std::int32_t rank);
/// The ranks of one group of a run that measures collectives (sweep.groups).
[[nodiscard]] int ranksOfCall(const RunRecord& run);
/// Whether two runs are repeats of one variant: of one name, and the same in everything but the seed and the checkpoint
/// from which a resumed run goes on.
[[nodiscard]] bool areRepeats(const RunRecord& a, const RunRecord& b);
/// Whether two runs train on the same data set, and as much of it, so that their losses can be compared.
[[nodiscard]] bool haveSameData(const RunRecord& a, const RunRecord& b);

/// In the order of the ranks; a rank's second report replaces its first.
void addShare(std::vector<RankShare>& shares, RankShare share);

/// One size of a sweep, over all ranks: the times of the slowest, and the wrong elements of all.
struct CollectiveMeasurement {
    std::string collective;
    std::string algorithm; ///< empty: the backend's own
    std::string type;
    std::int64_t bytes = 0;
    bool inPlace = false;
    std::int64_t calls = 0;
    double p50Us = NotMeasured;
    double p99Us = NotMeasured;
    double meanUs = NotMeasured;
    std::int64_t wrong = 0;
    bool shared = false; ///< the array lies in memory that the ranks share, as training's gradients do
};

/// A block of steps of a run that took turns with others (measure.interleave).
struct MeasuredBlock {
    std::int64_t number = 0; ///< of its round: those of one number, in the runs of one comparison, followed each other
    std::int64_t startNs = 0; ///< CLOCK_MONOTONIC
    std::int64_t endNs = 0;
    std::int64_t steps = 0; ///< counted
    double msPerStep = NotMeasured; ///< mean over ranks
    double samplesPerSecond = NotMeasured; ///< of all ranks
    bool isLeftOut = false; ///< a run stalled in this round, or had no block in it (keptRounds)
};

/// The clock of a host beside rank 0's.
struct HostClock {
    std::string host;
    std::vector<std::int32_t> ranks; ///< that read it
    std::int64_t aheadNs = 0; ///< of rank 0's clock, as it was measured last
    std::int64_t errorNs = 0; ///< to both sides, the largest from the first measurement to the last
    std::int64_t measurements = 0;
};

/// What the user keeps with a run beside its name. Changes nothing that was measured.
struct RunMarks {
    std::vector<std::string> tags; ///< each once, in the order given; without commas
    std::string note;
    bool isPinned = false; ///< on top of the table, and never deleted by a rule

    bool operator==(const RunMarks&) const = default;
};

/// `a, b`, as it is typed: without blanks around a tag, empty tags and doubles.
[[nodiscard]] std::vector<std::string> tagsFromText(std::string_view text);

struct RunRecord {
    RunId id;
    experiment::RunSpec spec;
    RunStatus status = RunStatus::Queued;
    std::string message; ///< why it failed or stopped: one line, empty otherwise
    std::string messageData{}; ///< packed(Text) of it; empty in a file of an earlier version
    std::int64_t createdNs = 0; ///< wall clock
    std::string label; ///< the user's own name; empty: the variant's
    RunMarks marks;
    std::string importedFrom; ///< the name of the file that it came with; empty: it was measured into this store
    Summary summary;
    Curve loss; ///< of each step's batch
    Curve accuracy;
    Curve testLoss; ///< with the curves: mean loss on the test set, at each evaluation
    Curve trainLoss; ///< likewise, on the first samples of the training set; only evaluations that measured it
    std::map<std::string, Curve> metrics; ///< with the curves: what a user's own program reports, by name
    std::vector<RankSummary> ranks; ///< with the curves
    std::vector<RankShare> shares; ///< by rank, with the curves; empty where the set is not partitioned
    std::vector<RankStaleness> staleness; ///< by rank, with the curves; empty without an asynchronous server
    std::vector<MachineFigures> machines; ///< by host, with the curves; empty where none was looked at
    std::vector<HostClock> clocks; ///< that are not rank 0's, with the curves; empty where ranks are on one host
    std::vector<CollectiveMeasurement> measurements; ///< with the curves; in the order in which they were made
    std::vector<MeasuredBlock> blocks; ///< with the curves; empty where the run did not take turns
    std::vector<SlowedStretch> stretches; ///< with the curves; empty where no rank was delayed by hand

    [[nodiscard]] Text why() const { return unpacked(message, messageData); }
    void setWhy(const Text& text) { std::tie(message, messageData) = asFields(text); }
};

/// The entry of that rank in a list ordered by rank, added if missing.
template <typename T>
[[nodiscard]] T& ofRank(std::vector<T>& byRank, std::int32_t rank)
{
    auto place = std::ranges::lower_bound(byRank, rank, {}, &T::rank);
    if (place == byRank.end() || place->rank != rank) {
        place = byRank.emplace(place);
        place->rank = rank;
    }
    return *place;
}

/// Adds a run to the repeats of its variant. Runs with one seed are one repeat, of which the newest counts: the same
/// seed twice says nothing of chance. `recordOf` gives an item's RunRecord.
template <typename Item, typename RecordOf>
void addRepeat(std::vector<Item>& repeats, const Item& item, RecordOf recordOf)
{
    const RunRecord& run = recordOf(item);
    for (Item& other : repeats) {
        if (recordOf(other).spec.settings->train.seed == run.spec.settings->train.seed) {
            other = recordOf(other).createdNs > run.createdNs ? other : item;
            return;
        }
    }
    repeats.push_back(item);
}

} // namespace lockstep::analysis
