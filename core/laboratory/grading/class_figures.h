// What a class predicted beside what it measured, and its final figures: one value a hand-in. Students are never
// repeats of one another, so nothing here is tested or given an interval.
#pragma once

#include "laboratory/grading/mark_work.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

/// Of a prediction step; each hand-in with a prediction that was measured adds one to each side, unless what was
/// measured is not to be trusted.
struct PredictedBesideMeasured {
    std::string step;
    /// Numbers of predictions of a number; of others texts: `lower`, or the variant with the least figure.
    std::vector<double> predictedNumbers;
    std::vector<double> measuredNumbers;
    std::map<std::string, std::size_t> predicted;
    std::map<std::string, std::size_t> measured;
};

/// A figure of an experiment step: for each variant the mean over a hand-in's own repeats, one value a hand-in.
/// Hand-ins whose times are not to be trusted add none.
struct FinalFigures {
    std::string step;
    std::string figure; ///< analysis::Figure::name
    std::map<std::string, std::vector<double>> values; ///< by variant
};

struct ClassFigures {
    std::vector<PredictedBesideMeasured> predictions;
    std::vector<FinalFigures> figures;
};

/// Steps without anything are there, empty.
[[nodiscard]] ClassFigures emptyFigures(const Laboratory& laboratory);
void addWork(ClassFigures& figures, const Laboratory& laboratory, const ReadWork& work);

} // namespace lockstep::laboratory::grading
