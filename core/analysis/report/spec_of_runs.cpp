#include "analysis/report/compose.h"

#include "experiment/spec_of_runs.h"

#include <nlohmann/json.hpp>

namespace lockstep::report {

std::string specOf(std::span<const analysis::RunRecord> runs)
{
    using SpecJson = nlohmann::ordered_json;
    std::vector<experiment::RunSpec> specs;
    for (const analysis::RunRecord& run : runs) {
        specs.push_back(run.spec);
    }
    SpecJson list = SpecJson::array();
    for (const experiment::Spec& spec : experiment::specsOfRuns(specs)) {
        list.push_back(SpecJson::parse(experiment::toJson(spec)));
    }
    return list.size() == 1 ? list.front().dump(2) : list.dump(2);
}

} // namespace lockstep::report
