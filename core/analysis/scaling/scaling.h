// How training scales from one process to several, measured and predicted.
//
// Speed-up is the throughput (samples per second) over the single process's. If all ranks share one batch (strong
// scaling), it is the ratio of the step times (Amdahl 1967); if every rank has its own batch (weak scaling), it is the
// scaled speed-up of Gustafson, "Reevaluating Amdahl's law", 1988. Efficiency is speed-up over ranks.
#pragma once

#include "analysis/run_record.h"
#include "analysis/scaling/comm_cost.h"
#include "analysis/scaling/link_fit.h"
#include "analysis/statistics/statistics.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::analysis {

enum class Scaling { Strong, Weak };

/// Beyond it a what-if matches no real cluster.
inline constexpr int MostPredictedRanks = 1024;

/// Runs of one number of ranks: a variant with its repeats.
struct ScalingPoint {
    int ranks = 1;
    std::vector<RunId> runs;
    MeanEstimate msPerStep;
    MeanEstimate samplesPerSecond;
    Interval speedUp; ///< of each run over the single process's of the same seed, of several the nearest in time
    Interval efficiency; ///< 0 to 1
    double computeMs = NotMeasured; ///< of a step, mean over ranks and repeats; the three add up to msPerStep
    double communicateMs = NotMeasured;
    double waitMs = NotMeasured; ///< NotMeasured also where it is an unknown part of communicateMs
    Interval secondsToTarget; ///< of the repeats that reached it
    MeanEstimate accuracy; ///< of the test set at the end
    std::int64_t batch = 0; ///< samples of a step over all ranks
    std::int64_t steps = 0;
    /// That its ranks and their cores can explain, against those of the single process; cores count on a CPU, where
    /// they are known.
    double mostSpeedUp = 1.0;

    /// Whether its speed-up is larger: the whole interval, or by a tenth where it ran once. The single process was
    /// disturbed then, or each rank's part fits into a cache that the whole did not fit into.
    [[nodiscard]] bool isUnexplained() const;
};

/// A predicted speed-up against the measured one. Agrees: the measured 95 % interval lies within a tenth of it. Too
/// optimistic or pessimistic: the interval does not hold it. Unknown: any other, also one run alone.
enum class Agreement { Agrees, TooOptimistic, TooPessimistic, Unknown };
[[nodiscard]] Agreement agreementOf(double predicted, const Interval& measured);

/// A link as a run of collectives measured it.
struct MeasuredLink {
    int ranks = 2; ///< that measured it; between hosts one on each
    LinkFit fit;
};

/// Predicted time of a step of p ranks.
struct ScalingModel {
    Scaling kind = Scaling::Strong;
    double parallelMs = 0.0; ///< of the single process's step: data, forward, backward; divided among the ranks
    double serialMs = 0.0; ///< the rest of it, which every rank does: the optimizer
    double bytes = 0.0; ///< exchanged at once
    double stepsPerExchange = 1.0;
    std::string algorithm; ///< as in `aggregation.algorithm`
    /// By ranks, at least one. In shared memory every number of ranks has its own: all read the same memory.
    std::vector<MeasuredLink> links;
    /// 0: all ranks are on one host. Else they fill one host after the other, and an all-reduce takes the time of one
    /// within a host and then that of one between the hosts (hierarchical). With 1 there may be no `links`.
    int ranksPerHost = 0;
    std::vector<MeasuredLink> between; ///< between hosts, by hosts; at least one where ranksPerHost is above 0
    LinkReach reach = LinkReach::OneMachine;
    bool areArraysShared = false; ///< as training's: they were not copied for the exchange
    int mostRanks = 1; ///< that the batch, or the data set, can be split across; at most MostPredictedRanks
    int threads = 1; ///< of each rank
    int cores = 0; ///< of the machine, of each host where there are several; 0: not known

    /// Whether ranks share the machines' cores, or each has as many as it has threads.
    enum class Cores { AtHand, Enough };

    /// The link measured on as many ranks, else on the next fewer, else on the fewest. Where every rank has its core,
    /// those measured on more ranks than cores do not count, unless there are no others.
    [[nodiscard]] const MeasuredLink& linkOf(int ranks, Cores cores) const;
    /// How many of these ranks are on one host, and how many hosts they need.
    [[nodiscard]] int ranksOnAHost(int ranks) const;
    [[nodiscard]] int hostsOf(int ranks) const;
    /// Of the single process's step, 0 to 1.
    [[nodiscard]] double serialShare() const { return serialMs / (serialMs + parallelMs); }
    /// The link between hosts measured on as many, else on the next fewer, else on the fewest.
    [[nodiscard]] const MeasuredLink& linkBetween(int hosts) const;
    [[nodiscard]] double communicateMs(int ranks, Cores cores) const;
    [[nodiscard]] double stepMs(int ranks, Cores cores) const;
    [[nodiscard]] double speedUp(int ranks, Cores cores) const;
    /// Amdahl's limit for any number of ranks, without communication. Infinite for weak scaling.
    [[nodiscard]] double limit() const;
    /// Of 1, 2, 4, ... up to mostRanks the number of ranks with the largest speed-up.
    [[nodiscard]] int bestRanks(Cores where) const;
};

/// Where a model's communication is far from that of training.
struct Refutation {
    int ranks = 0;
    double predictedMs = NotMeasured; ///< in a step
    double measuredMs = NotMeasured;
};

/// Runs that differ in their number of ranks alone.
struct ScalingCurve {
    Scaling kind = Scaling::Strong;
    /// Differences from others of its kind: `comm.backend gloo, optimizer.lr 0.1`; empty where there is none.
    std::string apart;
    std::vector<ScalingPoint> points; ///< by ranks; the first is the single process
    /// Needs runs that have measured such a link (same backend, same emulation; best as training uses it: the same
    /// algorithm, and arrays in shared memory where training has them there), more than the warm-up's steps of the
    /// single process, and an algorithm with a cost model.
    std::optional<ScalingModel> model;
    double target = NotMeasured; ///< test accuracy, 0 to 1, of ScalingPoint::secondsToTarget
    std::optional<Refutation> refuted{}; ///< why there is no model: its link does not hold for this training

    [[nodiscard]] std::vector<RunId> ids() const;
    /// Drops a model that the measured points refute.
    void refute();
    /// The largest number of ranks that measurements support a prediction for; where each rank has its cores, of those
    /// measured with a core for each thread. 1: the single process alone.
    [[nodiscard]] int mostSupported(ScalingModel::Cores where) const;
};

struct ScalingStudy {
    std::vector<ScalingCurve> curves; ///< empty: there is nothing to compare
};

/// Of the finished runs among these that began at their first step: a single process, runs of several ranks with a part
/// of the data each, and, for the prediction, one that measured all-reduces. The records need accuracy and ranks;
/// losses are ignored.
[[nodiscard]] ScalingStudy scalingStudy(std::span<const RunRecord> runs, Interfered which = Interfered::LeaveOut);

/// Whether runs differ in their number of ranks: a single process and ranks that share its work with its settings are
/// among them.
enum class Scales {
    None, ///< also where some divide the model: these are compared by their strategy
    Some,
    Only, ///< in nothing else
};
[[nodiscard]] Scales scalesOf(std::span<const RunRecord* const> runs);
/// By experiment.
[[nodiscard]] std::map<std::string, Scales> scalesByExperiment(std::span<const RunRecord> runs);

/// The steps up to the first evaluation that reached the target at the typical time per step, without evaluations and
/// pauses: as other seconds to a loss. Of a run too short for that time, seconds on the wall. NotMeasured if none did.
[[nodiscard]] double secondsTo(const RunRecord& run, double target);

} // namespace lockstep::analysis
