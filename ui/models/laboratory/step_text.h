// What the steps of a laboratory are called and ask, in the window's language.
#pragma once

#include "analysis/finding.h"
#include "laboratory/laboratory.h"
#include "laboratory/laboratory_key.h"
#include "laboratory/outcome.h"
#include "laboratory/work_state.h"

#include <QString>

#include <utility>
#include <vector>

namespace lockstep::ui {

/// `1. Three update rules`
[[nodiscard]] QString stepTitle(const laboratory::Step& step, int number);
/// `done`, `predict first`, ...
[[nodiscard]] QString stateText(const laboratory::Step& step, laboratory::StepState state);
/// The step's title; of an optional one it says so.
[[nodiscard]] QString stepHeading(const laboratory::Step& step);
/// A sign before the title, so that the state is not by colour alone.
[[nodiscard]] QString stateSign(laboratory::StepState state);

/// `Final loss`, `Time per step`; an unknown one by its name.
[[nodiscard]] QString figureTitle(const std::string& figure);
/// Of what a prediction or claim gives: `ms`, `%`, `times`, `points`; empty: none.
[[nodiscard]] QString unitOf(const laboratory::Reference& of);

/// The experiment's variants by name, and what a person reads for it.
[[nodiscard]] std::vector<std::pair<std::string, QString>> variantTitles(const laboratory::ExperimentStep& experiment);
[[nodiscard]] QString variantTitleOf(const laboratory::ExperimentStep& experiment, const std::string& name);

/// What a prediction step asks, in a sentence.
[[nodiscard]] QString predictionQuestion(
    const laboratory::PredictionStep& prediction, const laboratory::ExperimentStep& experiment);

/// The axes on which a curve is predicted: as far as the experiment's variant goes, and as high as its chart can be.
struct CurveAxes {
    QString xTitle;
    QString yTitle;
    double xLow = 0.0;
    double xHigh = 1.0;
    double yLow = 0.0;
    double yHigh = 1.0;
    bool isLogarithmic = false; ///< of y, which is above 0 then
    bool isInBytes = false; ///< x: logarithmic, above 0

    /// Of a value of the x axis: 0 at its left end, 1 at the right one; and back.
    [[nodiscard]] double partOf(double x) const;
    [[nodiscard]] double xAt(double part) const;

    bool operator==(const CurveAxes&) const = default;
};
[[nodiscard]] CurveAxes curveAxes(
    const laboratory::PredictionStep& prediction, const laboratory::ExperimentStep& experiment);

/// Without blanks between two Chinese characters, as a Chinese name leaves them where a Latin one was expected.
[[nodiscard]] QString withoutStraySpaces(QString text);
/// `holds`, `does not hold`, ...
[[nodiscard]] QString judgementText(laboratory::Judgement judgement);
/// The judgement and what was found. Most sentences begin with the judgement: it is not repeated.
[[nodiscard]] QString judgementSentence(laboratory::Judgement judgement, const analysis::Finding& found);
/// What the key says of a step, a line each: answer, tolerance, points, rubric. Empty: nothing.
[[nodiscard]] QString keyText(
    const laboratory::LaboratoryKey& key, const laboratory::Step& step, const laboratory::Laboratory& laboratory);
/// Of what is still missing: `Predict: the loss of SGD: no prediction`.
[[nodiscard]] QString missingText(const laboratory::Missing& missing, const laboratory::Laboratory& laboratory);

} // namespace lockstep::ui
