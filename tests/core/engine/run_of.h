// A complete run for a test of the engine or of its plan: the defaults with a few settings changed.
#pragma once

#include "core/experiment/overrides.h"
#include "experiment/spec.h"

#include <QtGlobal>

#include <string>
#include <vector>

namespace lockstep {

inline experiment::RunSpec runOf(const std::vector<experiment::Override>& overrides)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "optimizers", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    if (!spec) {
        qFatal("%s", spec.error().message.c_str());
    }
    const auto runs = experiment::expand(*spec);
    if (!runs) {
        qFatal("%s", runs.error().message.c_str());
    }
    return runs->front();
}

/// The error of a result; empty if there is none.
inline std::string messageOf(const auto& result)
{
    return result.isOk() ? std::string() : result.error().message;
}

} // namespace lockstep
