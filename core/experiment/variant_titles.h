// What variants of presets are called that their settings do not name. Private to core/experiment.
#pragma once

#include "base/translate.h"

#include <array>
#include <string_view>
#include <utility>

namespace lockstep::experiment {

/// Of a preset's variants that differ in more than one choice, or in a number; others are named by their choice.
inline constexpr std::array<std::pair<std::string_view, const char*>, 31> VariantTitles{{
    {"p2p", LS_TR("VariantTitles", "Pipeline (send/receive)")},
    {"rpc", LS_TR("VariantTitles", "Pipeline (RPC)")},
    {"grid", LS_TR("VariantTitles", "Grid")},
    {"recompute", LS_TR("VariantTitles", "Data parallel, recomputing")},
    {"zero-1", LS_TR("VariantTitles", "ZeRO-1")},
    {"zero-2", LS_TR("VariantTitles", "ZeRO-2")},
    {"zero-3", LS_TR("VariantTitles", "ZeRO-3")},
    {"2-weak", LS_TR("VariantTitles", "2 ranks, weak")},
    {"4-weak", LS_TR("VariantTitles", "4 ranks, weak")},
    {"8-weak", LS_TR("VariantTitles", "8 ranks, weak")},
    {"link", LS_TR("VariantTitles", "Link, 2 ranks")},
    {"link-4", LS_TR("VariantTitles", "Link, 4 ranks")},
    {"link-8", LS_TR("VariantTitles", "Link, 8 ranks")},
    {"dirichlet-0.05", LS_TR("VariantTitles", "Dirichlet 0.05")},
    {"dirichlet-0.5", LS_TR("VariantTitles", "Dirichlet 0.5")},
    {"dirichlet-5", LS_TR("VariantTitles", "Dirichlet 5")},
    {"random-2", LS_TR("VariantTitles", "Random, 2 ranks")},
    {"p2p-1", LS_TR("VariantTitles", "Pipeline, 1 micro-batch")},
    {"p2p-2", LS_TR("VariantTitles", "Pipeline, 2 micro-batches")},
    {"p2p-8", LS_TR("VariantTitles", "Pipeline, 8 micro-batches")},
    {"all_reduce-slow", LS_TR("VariantTitles", "All-reduce, rank 1 +5 ms")},
    {"all_gather-slow", LS_TR("VariantTitles", "All-gather, rank 1 +5 ms")},
    {"ring-slow", LS_TR("VariantTitles", "Ring, rank 1 +5 ms")},
    {"tree-slow", LS_TR("VariantTitles", "Tree, rank 1 +5 ms")},
    {"parameter_server-slow", LS_TR("VariantTitles", "Parameter server, rank 1 +5 ms")},
    {"parameter_server_async-slow", LS_TR("VariantTitles", "Parameter server, asynchronous, rank 1 +5 ms")},
    {"small buckets", LS_TR("VariantTitles", "Small buckets")},
    {"warm-up", LS_TR("VariantTitles", "Warm-up")},
    {"small", LS_TR("VariantTitles", "Small (width 32, 2 blocks)")},
    {"wide", LS_TR("VariantTitles", "Wide (width 64)")},
    {"deep", LS_TR("VariantTitles", "Deep (4 blocks)")},
}};

} // namespace lockstep::experiment
