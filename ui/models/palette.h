// Colours with a meaning: one variant, one colour; one phase, one colour, in the window, on paper and in reports.
#pragma once

#include "base/memory_kind.h"
#include "base/phase.h"
#include "ui/models/look.h"

#include <QColor>
#include <QIcon>

#include <cstddef>
#include <vector>

namespace lockstep::ui {

enum class PaletteName { Vibrant, HighContrast };

/// For a light ground, in the order in which variants get them; safe for readers with a colour-vision deficiency.
[[nodiscard]] const std::vector<QColor>& variantColors(PaletteName palette);
/// What a variant looks like that has this place: first colours differ, then dashes; markers differ throughout. No two
/// of the first 84 places have the same colour, dash and marker; places a multiple of the colours apart have the same
/// colour.
[[nodiscard]] Look lookOf(PaletteName palette, std::size_t place);
/// A variant's colour on this ground: on a dark one its light counterpart. Other colours stay.
[[nodiscard]] QColor onGround(const QColor& color, const QColor& ground);
/// onGround() of the window.
[[nodiscard]] QColor onScreen(const QColor& color);
/// Data grey, forward pale blue, backward pale orange, communicate purple, wait (hatched) grey, optimize green,
/// evaluate pale teal: no variant has one of these but the grey, which is hatched here.
[[nodiscard]] QColor phaseColor(Phase phase);
/// Of the time that a slow rank was told to lose.
[[nodiscard]] QColor slowColor();

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

/// A short thick line, as a curve has it on screen; an invalid colour gives an empty icon of the same size.
[[nodiscard]] QIcon swatchIcon(const Look& look);
[[nodiscard]] Qt::PenStyle penStyleOf(Dash dash);

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
