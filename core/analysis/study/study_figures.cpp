// The figures of a summary that studies compare.
#include "analysis/statistics/run_groups.h"
#include "analysis/study/parameter_study.h"
#include "base/translate.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

/// Of the rank that needs most.
double peakBytes(const RunRecord& run)
{
    double most = NotMeasured;
    for (const RankMemory& rank : run.summary.memory) {
        if (rank.highest > 0 && !(most >= static_cast<double>(rank.highest))) {
            most = static_cast<double>(rank.highest);
        }
    }
    return most;
}

constexpr StudyFigure Figures[] = {
    {"test_accuracy", LS_TR("Figures", "Test accuracy"), "%", 100.0, true, inSummary<&Summary::testAccuracy>},
    {"best_test_accuracy", LS_TR("Figures", "Best test accuracy"), "%", 100.0, true,
        inSummary<&Summary::bestTestAccuracy>},
    {"final_loss", LS_TR("Figures", "Final training loss"), "", 1.0, false, inSummary<&Summary::finalLoss>},
    {"ms_per_step", LS_TR("Figures", "Time per step"), "ms", 1.0, false, inSummary<msPerStepOf>},
    {"samples_per_s", LS_TR("Figures", "Throughput"), LS_TR("Figures", "samples/s"), 1.0, false,
        inSummary<samplesPerSecondOf>},
    {"comm_ms_per_step", LS_TR("Figures", "Communication per step"), "ms", 1.0, false, inSummary<commMsPerStepOf>},
    {"comm_fraction", LS_TR("Figures", "Share of communication"), "%", 100.0, true, inSummary<&Summary::commFraction>},
    {"bytes_per_step", LS_TR("Figures", "Sent per rank and step"), "kB", 1e-3, false,
        inSummary<&Summary::bytesPerStep>},
    {"peak_bytes", LS_TR("Figures", "Peak memory per rank"), "MB", 1e-6, false, peakBytes},
    {"train_seconds", LS_TR("Figures", "Training time"), "s", 1.0, false, inSummary<&Summary::trainSeconds>},
};

} // namespace

std::span<const StudyFigure> studyFigures()
{
    return Figures;
}

const StudyFigure* findStudyFigure(std::string_view name)
{
    const auto found = std::ranges::find(Figures, name, &StudyFigure::name);
    return found == std::end(Figures) ? nullptr : &*found;
}

} // namespace lockstep::analysis
