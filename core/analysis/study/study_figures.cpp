// The figures of a summary that studies compare.
#include "analysis/study/parameter_study.h"

#include <algorithm>
#include <array>

namespace lockstep::analysis {

std::span<const Figure* const> studyFigures()
{
    // Saved views keep a figure by its place: a new one comes last.
    static const std::array Studied{findFigure("test_accuracy"), findFigure("best_test_accuracy"),
        findFigure("final_loss"), findFigure("ms_per_step_typical"), findFigure("samples_per_s_typical"),
        findFigure("comm_ms_per_step_typical"), findFigure("comm_fraction"), findFigure("bytes_per_step"),
        findFigure("peak_bytes"), findFigure("train_seconds"), findFigure("train_loss"), findFigure("bubble_fraction")};
    return Studied;
}

const Figure* findStudyFigure(std::string_view name)
{
    const auto figures = studyFigures();
    // The mean time is what the typical one was called before.
    const auto found = std::ranges::find_if(figures, [name](const Figure* figure) {
        return figure->name == name || (figure->otherwise != nullptr && figureOf(figure->otherwise).name == name);
    });
    return found == figures.end() ? nullptr : *found;
}

} // namespace lockstep::analysis
