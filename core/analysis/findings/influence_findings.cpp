#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/laboratories.h"
#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "analysis/study/influence.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace lockstep::analysis {

namespace {

/// A figure, and how it is said which of two parameters changes it more.
struct Judged {
    std::string_view figure;
    std::string_view known;
    std::string_view oneSeed;
    std::string_view unknown;
};

/// The first that every run has measured is judged; the last one, if none is.
constexpr std::array JudgedFigures{
    Judged{"test_accuracy",
        LS_TR("Findings", "%1 changes the test accuracy more than %2: by up to %3 points against %4."),
        LS_TR("Findings",
            "Whether %1 or %2 changes the test accuracy more cannot be told from one seed. Add repeats to get "
            "confidence intervals."),
        LS_TR("Findings",
            "Whether %1 or %2 changes the test accuracy more cannot be told: by up to %3 points against %4.")},
    Judged{"train_loss", LS_TR("Findings", "%1 changes the training loss more than %2: by up to %3 against %4."),
        LS_TR("Findings",
            "Whether %1 or %2 changes the training loss more cannot be told from one seed. Add repeats to get "
            "confidence intervals."),
        LS_TR("Findings", "Whether %1 or %2 changes the training loss more cannot be told: by up to %3 against %4.")},
    Judged{"final_loss",
        LS_TR("Findings", "%1 changes the loss of the last batch more than %2: by up to %3 against %4."),
        LS_TR("Findings",
            "Whether %1 or %2 changes the loss of the last batch more cannot be told from one seed. Add repeats to get "
            "confidence intervals."),
        LS_TR("Findings",
            "Whether %1 or %2 changes the loss of the last batch more cannot be told: by up to %3 against %4.")}};

std::string_view patternOf(const Judged& judged, const Influence& influence)
{
    return influence.isKnown() ? judged.known : influence.seeds < 2 ? judged.oneSeed : judged.unknown;
}

} // namespace

std::vector<Finding> influenceFindings(std::span<const RunRecord> runs)
{
    // Accuracies and losses say nothing across data sets, and a rank's own loss does not describe the shared net.
    if (runs.empty() || !std::all_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
            return haveSameData(run, runs.front());
        })) {
        return {};
    }
    RunPointers pointers;
    for (const RunRecord& run : runs) {
        pointers.push_back(&run);
    }
    const auto measured = std::ranges::find_if(
        JudgedFigures, [&](const Judged& each) { return isMeasured(pointers, *findFigure(each.figure)); });
    const Judged& judged = measured == JudgedFigures.end() ? JudgedFigures.back() : *measured;
    // Those to leave out are not here.
    const auto influence = influenceOf(pointers, *findFigure(judged.figure), Interfered::Include);
    if (!influence) {
        return {};
    }
    const double difference = influence->largerRange - influence->smallerRange;
    return {{.kind = influence->isKnown() ? "parameters.influence" : "parameters.influence_unknown",
        .pattern = patternOf(judged, *influence),
        .arguments = {std::string(influence->larger->label), std::string(influence->smaller->label),
            threeDigits(influence->largerRange), threeDigits(influence->smallerRange)},
        .labels = {0, 1},
        .figures = {{"larger_range", influence->largerRange}, {"smaller_range", influence->smallerRange},
            {"difference", difference}, {"low", influence->low}, {"high", influence->high},
            {"n", static_cast<double>(influence->seeds)}},
        .runs = influence->runs}};
}

} // namespace lockstep::analysis
