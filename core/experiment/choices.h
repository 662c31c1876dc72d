// Choices as types: `choice<Strategy>(run)`, `is(run, Strategy::Grid)` (spec.h). Each list below has the names of a
// parameter's row, in the row's order (a test compares them); an enumerator and its name are side by side.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lockstep::experiment {

/// `Names` by enumerator, and `in(settings)`: the member of Settings (settings.h).
template <typename Enum>
struct ChoiceTable;

#define LOCKSTEP_ENUMERATOR(enumerator, name) enumerator,
#define LOCKSTEP_CHOICE_NAME(enumerator, name) std::string_view(name),
#define LOCKSTEP_CHOICE(Enum, member, LIST)                                                                            \
    enum class Enum { LIST(LOCKSTEP_ENUMERATOR) };                                                                     \
    template <>                                                                                                        \
    struct ChoiceTable<Enum> {                                                                                         \
        static constexpr std::array Names{LIST(LOCKSTEP_CHOICE_NAME)};                                                 \
        static constexpr Enum in(const auto& settings) { return settings.member; }                                     \
    };

#define STRATEGIES(X)                                                                                                  \
    X(Single, "single")                                                                                                \
    X(Data, "data")                                                                                                    \
    X(Local, "local")                                                                                                  \
    X(Pipeline, "pipeline")                                                                                            \
    X(Tensor, "tensor")                                                                                                \
    X(Grid, "grid")                                                                                                    \
    X(Zero, "zero")                                                                                                    \
    X(Collectives, "collectives")                                                                                      \
    X(Own, "own")
LOCKSTEP_CHOICE(Strategy, rank.strategy, STRATEGIES)
#undef STRATEGIES

#define DATA_SETS(X)                                                                                                   \
    X(Digits, "digits")                                                                                                \
    X(Mnist, "mnist")                                                                                                  \
    X(Cifar10, "cifar10")                                                                                              \
    X(Cifar100, "cifar100")                                                                                            \
    X(Idx, "idx")                                                                                                      \
    X(Npz, "npz")                                                                                                      \
    X(Csv, "csv")                                                                                                      \
    X(Text, "text")
LOCKSTEP_CHOICE(DataSet, dataset.name, DATA_SETS)
#undef DATA_SETS

#define IMAGE_LABELS(X) X(Fine, "fine") X(Coarse, "coarse")
LOCKSTEP_CHOICE(ImageLabels, dataset.labels, IMAGE_LABELS)
#undef IMAGE_LABELS

#define NETS(X)                                                                                                        \
    X(Logistic, "logistic") X(Mlp, "mlp") X(Cnn, "cnn") X(Lenet5, "lenet5") X(DeepMlp, "deep-mlp") X(Gpt, "gpt")
LOCKSTEP_CHOICE(NetName, net.name, NETS)
#undef NETS

#define OPTIMIZERS(X)                                                                                                  \
    X(Gd, "gd")                                                                                                        \
    X(Sgd, "sgd") X(Momentum, "momentum") X(Nesterov, "nesterov") X(Adam, "adam") X(AdamW, "adamw")
LOCKSTEP_CHOICE(OptimizerName, optimizer.name, OPTIMIZERS)
#undef OPTIMIZERS

#define LR_SCALINGS(X) X(None, "none") X(Linear, "linear") X(Sqrt, "sqrt")
LOCKSTEP_CHOICE(LrScaling, optimizer.scaleLr, LR_SCALINGS)
#undef LR_SCALINGS

#define LR_SCHEDULES(X) X(Constant, "constant") X(Step, "step") X(Cosine, "cosine")
LOCKSTEP_CHOICE(LrSchedule, optimizer.schedule, LR_SCHEDULES)
#undef LR_SCHEDULES

#define BATCHES_OF(X) X(All, "all") X(Rank, "rank")
LOCKSTEP_CHOICE(BatchOf, train.batchOf, BATCHES_OF)
#undef BATCHES_OF

#define WEIGHT_TYPES(X) X(Float32, "float32") X(Float64, "float64")
LOCKSTEP_CHOICE(WeightType, train.dtype, WEIGHT_TYPES)
#undef WEIGHT_TYPES

#define PRECISIONS(X) X(Float32, "float32") X(Bfloat16, "bfloat16") X(Float16, "float16")
LOCKSTEP_CHOICE(Precision, train.precision, PRECISIONS)
#undef PRECISIONS

#define RECOMPUTATIONS(X) X(None, "none") X(Layer, "layer") X(Stage, "stage")
LOCKSTEP_CHOICE(Recompute, train.recompute, RECOMPUTATIONS)
#undef RECOMPUTATIONS

#define PIPELINE_SCHEDULES(X) X(Gpipe, "gpipe") X(OneForwardOneBackward, "1f1b") X(Interleaved, "interleaved")
LOCKSTEP_CHOICE(PipelineSchedule, pipeline.schedule, PIPELINE_SCHEDULES)
#undef PIPELINE_SCHEDULES

#define PIPELINE_TRANSPORTS(X) X(P2p, "p2p") X(Rpc, "rpc")
LOCKSTEP_CHOICE(PipelineTransport, pipeline.transport, PIPELINE_TRANSPORTS)
#undef PIPELINE_TRANSPORTS

#define PARTITIONS(X)                                                                                                  \
    X(Reshuffled, "reshuffled")                                                                                        \
    X(RandomSampling, "random-sampling")                                                                               \
    X(Random, "random")                                                                                                \
    X(Contiguous, "contiguous")                                                                                        \
    X(Strided, "strided")                                                                                              \
    X(ByLabel, "by-label")                                                                                             \
    X(Dirichlet, "dirichlet")                                                                                          \
    X(Unequal, "unequal")
LOCKSTEP_CHOICE(PartitionName, partition.name, PARTITIONS)
#undef PARTITIONS

#define UNEVEN_SHARES(X) X(Proportional, "proportional") X(Pad, "pad") X(Cut, "cut")
LOCKSTEP_CHOICE(UnevenShares, partition.uneven, UNEVEN_SHARES)
#undef UNEVEN_SHARES

#define BACKENDS(X)                                                                                                    \
    X(Auto, "auto") X(Shm, "shm") X(Gloo, "gloo") X(Nccl, "nccl") X(Mpi, "mpi") X(Hierarchical, "hierarchical")
LOCKSTEP_CHOICE(Backend, comm.backend, BACKENDS)
#undef BACKENDS

#define WATCH_MODES(X) X(Auto, "auto") X(Off, "off")
LOCKSTEP_CHOICE(Watch, rank.watch, WATCH_MODES)
#undef WATCH_MODES

#define MPS_MODES(X) X(Auto, "auto") X(On, "on") X(Off, "off")
LOCKSTEP_CHOICE(MpsMode, rank.mps, MPS_MODES)
#undef MPS_MODES

#define MEASURE_MODES(X) X(Speed, "speed") X(Measure, "measure")
LOCKSTEP_CHOICE(MeasureMode, measure.mode, MEASURE_MODES)
#undef MEASURE_MODES

#define ALGORITHMS(X)                                                                                                  \
    X(AllReduce, "all_reduce")                                                                                         \
    X(ReduceBroadcast, "reduce_broadcast")                                                                             \
    X(GatherBroadcast, "gather_broadcast")                                                                             \
    X(AllGather, "all_gather")                                                                                         \
    X(ReduceScatterAllGather, "reduce_scatter_all_gather")                                                             \
    X(Ring, "ring")                                                                                                    \
    X(Tree, "tree")                                                                                                    \
    X(HalvingDoubling, "halving_doubling")                                                                             \
    X(ParameterServer, "parameter_server")                                                                             \
    X(ParameterServerAsync, "parameter_server_async")
LOCKSTEP_CHOICE(Algorithm, aggregation.algorithm, ALGORITHMS)
#undef ALGORITHMS

#define RULES(X)                                                                                                       \
    X(Mean, "mean")                                                                                                    \
    X(WeightedMean, "weighted_mean") X(Sum, "sum") X(Median, "median") X(TrimmedMean, "trimmed_mean")
LOCKSTEP_CHOICE(Rule, aggregation.rule, RULES)
#undef RULES

#define AGGREGATED(X) X(Gradients, "gradients") X(Weights, "weights")
LOCKSTEP_CHOICE(Aggregated, aggregation.what, AGGREGATED)
#undef AGGREGATED

#define LOCAL_MESSAGES(X) X(Weights, "weights") X(Differences, "differences")
LOCKSTEP_CHOICE(LocalMessage, local.what, LOCAL_MESSAGES)
#undef LOCAL_MESSAGES

#define OFFLOADS(X) X(None, "none") X(Host, "host") X(Disk, "disk")
LOCKSTEP_CHOICE(Offload, zero.offload, OFFLOADS)
#undef OFFLOADS

#define GRADIENT_FORMS(X) X(Flat, "flat") X(Tensors, "tensors") X(Buckets, "buckets")
LOCKSTEP_CHOICE(GradientForm, comm.form, GRADIENT_FORMS)
#undef GRADIENT_FORMS

#define COLLECTIVES(X)                                                                                                 \
    X(AllReduce, "all_reduce")                                                                                         \
    X(Broadcast, "broadcast")                                                                                          \
    X(Reduce, "reduce")                                                                                                \
    X(Gather, "gather")                                                                                                \
    X(AllGather, "all_gather")                                                                                         \
    X(Scatter, "scatter")                                                                                              \
    X(ReduceScatter, "reduce_scatter")                                                                                 \
    X(AllToAll, "all_to_all")                                                                                          \
    X(Barrier, "barrier")                                                                                              \
    X(SendReceive, "send_recv")
LOCKSTEP_CHOICE(CollectiveName, sweep.collective, COLLECTIVES)
#undef COLLECTIVES

#define SWEEP_BUFFERS(X) X(Both, "both") X(InPlace, "in_place") X(OutOfPlace, "out_of_place") X(Training, "training")
LOCKSTEP_CHOICE(SweepBuffers, sweep.buffers, SWEEP_BUFFERS)
#undef SWEEP_BUFFERS

#define SWEEP_TYPES(X)                                                                                                 \
    X(Float32, "float32")                                                                                              \
    X(Float64, "float64")                                                                                              \
    X(Float16, "float16") X(Bfloat16, "bfloat16") X(Int32, "int32") X(Int64, "int64") X(Uint8, "uint8")
LOCKSTEP_CHOICE(SweepType, sweep.type, SWEEP_TYPES)
#undef SWEEP_TYPES

#define SWEEP_REDUCTIONS(X)                                                                                            \
    X(Sum, "sum")                                                                                                      \
    X(Product, "product")                                                                                              \
    X(Minimum, "min") X(Maximum, "max") X(BitAnd, "band") X(BitOr, "bor") X(BitXor, "bxor")
LOCKSTEP_CHOICE(SweepReduction, sweep.reduction, SWEEP_REDUCTIONS)
#undef SWEEP_REDUCTIONS

#undef LOCKSTEP_CHOICE
#undef LOCKSTEP_CHOICE_NAME
#undef LOCKSTEP_ENUMERATOR

template <typename Enum>
[[nodiscard]] constexpr std::string_view nameOf(Enum value) requires requires
{
    ChoiceTable<Enum>::Names;
}
{
    return ChoiceTable<Enum>::Names[static_cast<std::size_t>(value)];
}

} // namespace lockstep::experiment
