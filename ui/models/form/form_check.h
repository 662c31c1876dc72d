// What the texts of a form amount to: the spec, its runs, and what is wrong with which text. No widgets.
#pragma once

#include "experiment/spec.h"
#include "ui/models/form/form_state.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

struct FormOutcome {
    experiment::Spec spec; ///< of the enabled variants
    std::vector<experiment::RunSpec> runs; ///< empty while there is a problem
    QString problem; ///< why Run is off; empty when it is on
};

/// Reads the texts over `preset`, and notes in rows and variants what is wrong and what is shown. A text that cannot be
/// read keeps its standard in the spec, so that the others can still be judged. `ranksAreHere`: else what GPUs this
/// machine has does not matter.
[[nodiscard]] FormOutcome checkForm(const experiment::Spec& preset, std::vector<FormRow>& rows,
    std::vector<VariantRow>& variants, int repeats, bool ranksAreHere);

} // namespace lockstep::ui
