// What a run sets in the sections of its script. Private to core/script.
#pragma once

#include "experiment/spec.h"
#include "script/python_template.h"
#include "script/pytorch.h"

namespace lockstep::script {

[[nodiscard]] Values scriptValues(const experiment::RunSpec& run, const Contents& contents, const std::string& stem);

} // namespace lockstep::script
