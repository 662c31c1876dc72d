// Runs and findings in the form in which tests of analysis compare them.
#pragma once

#include "analysis/finding.h"
#include "analysis/run_record.h"

#include <QString>

#include <vector>

namespace lockstep::tests {

/// The sentence of a finding, in English.
inline QString textOf(const analysis::Finding& finding)
{
    return QString::fromStdString(analysis::sentence(finding, {}));
}

inline std::vector<const analysis::RunRecord*> pointersTo(const std::vector<analysis::RunRecord>& runs)
{
    std::vector<const analysis::RunRecord*> pointers;
    for (const analysis::RunRecord& run : runs) {
        pointers.push_back(&run);
    }
    return pointers;
}

} // namespace lockstep::tests
