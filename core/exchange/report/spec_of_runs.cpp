#include "exchange/report/compose.h"

#include "experiment/spec_of_runs.h"

#include <nlohmann/json.hpp>

namespace lockstep::report {

std::string specOf(std::span<const experiment::RunSpec> runs)
{
    using SpecJson = nlohmann::ordered_json;
    SpecJson list = SpecJson::array();
    for (const experiment::Spec& spec : experiment::specsOfRuns(runs)) {
        list.push_back(SpecJson::parse(experiment::toJson(spec)));
    }
    return list.size() == 1 ? list.front().dump(2) : list.dump(2);
}

} // namespace lockstep::report
