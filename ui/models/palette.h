// Colours with a meaning: one variant, one colour; one phase, one colour, in the window, on paper and in reports.
#pragma once

#include "base/memory_kind.h"
#include "base/phase.h"

#include <QColor>
#include <QIcon>

#include <cstddef>
#include <vector>

namespace lockstep::ui {

enum class PaletteName { Vibrant, HighContrast };

/// Paul Tol's qualitative schemes (SRON technical note, issue 3.2), safe for colour-blind readers, and after them
/// colours for more variants than those have. They repeat after the last.
[[nodiscard]] const std::vector<QColor>& variantColors(PaletteName palette);
/// Data grey, forward pale blue, backward pale orange, communicate purple, wait (hatched) grey, optimize green,
/// evaluate pale teal: no variant has one of these but the grey, which is hatched here.
[[nodiscard]] QColor phaseColor(Phase phase);

/// A micro-batch's hue, pale for its forward and deep for its backward pass. There are eight hues in the order of the
/// colour circle, then they repeat: neighbours differ, also in grey, where every other one is lighter.
[[nodiscard]] QColor microBatchColor(int microBatch, Phase pass);
/// A rank's or a stage's part of a net. They repeat after six: the number is beside it.
[[nodiscard]] QColor rankColor(int rank);
/// Parameters blue, gradients orange and optimizer state green, as the phases that work on them; activations cyan, data
/// and the rest grey.
[[nodiscard]] QColor memoryColor(MemoryKind kind);

/// For a curve over several variants, as the speed-up is: no variant has it. They repeat after four.
[[nodiscard]] QColor studyColor(int number);

/// For one label of a data set beside the others; they repeat after ten.
[[nodiscard]] QColor labelColor(std::size_t label);

/// A short thick line, as a curve has it; an invalid colour gives an empty icon of the same size.
[[nodiscard]] QIcon swatchIcon(const QColor& color);

/// The colours that charts and cards need beyond QPalette, for a light or dark window or for paper.
struct ChartTheme {
    QColor background;
    QColor text;
    QColor dimText;
    QColor grid;
    QColor axis;
};
[[nodiscard]] ChartTheme lightTheme();
[[nodiscard]] ChartTheme darkTheme();
[[nodiscard]] ChartTheme paperTheme();

} // namespace lockstep::ui
