#include "launch/failure_reach.h"

#include "experiment/choices.h"

namespace lockstep::launch {

namespace {

/// Whether two runs give `parameter`, which one of them was refused for, the same input: a data set, a program. Other
/// parameters are of the run.
bool concernsInput(std::string_view parameter, const experiment::Settings& refused, const experiment::Settings& other)
{
    const experiment::DatasetSettings& data = refused.dataset;
    if (parameter == nameOf(&experiment::DatasetSettings::name)
        || parameter == nameOf(&experiment::DatasetSettings::path)) {
        return data.name == other.dataset.name && data.path == other.dataset.path;
    }
    return parameter == nameOf(&experiment::RankSettings::program) && refused.rank.program == other.rank.program;
}

} // namespace

bool reaches(FailureCause cause, const Text& why, const experiment::Settings& failed, const experiment::Settings& other)
{
    switch (cause) {
    case FailureCause::Run:
        return false;
    case FailureCause::Refused:
        return concernsInput(subjectOf(why), failed, other);
    case FailureCause::Program:
        return failed.rank.program == other.rank.program && failed.rank.device == other.rank.device;
    case FailureCause::Workbench:
        return true;
    }
    return false;
}

} // namespace lockstep::launch
