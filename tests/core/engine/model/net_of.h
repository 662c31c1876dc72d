// The net of a run, or some of its layers, for tests.
#pragma once

#include "engine/model/net.h"
#include "engine/model/registry.h"
#include "experiment/spec.h"

#include <torch/types.h>

#include <QtGlobal>

#include <utility>

namespace lockstep::tests {

/// Layers first .. last - 1; -1: all that follow.
inline engine::Net netOf(const experiment::RunSpec& run, std::int64_t first = 0, std::int64_t last = -1)
{
    auto net = engine::makeNet(run, torch::kCPU, first, last);
    if (!net) {
        qFatal("%s", net.error().message.c_str());
    }
    return std::move(*net);
}

} // namespace lockstep::tests
