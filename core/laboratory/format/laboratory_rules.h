// What must hold across the fields of a laboratory. Private to core/laboratory.
#pragma once

#include "laboratory/laboratory.h"

#include <vector>

namespace lockstep::laboratory {

/// Each broken rule as one line. `remarks`: what a student would miss.
void checkRules(const Laboratory& laboratory, std::vector<Error>& errors, std::vector<Error>& remarks);

} // namespace lockstep::laboratory
