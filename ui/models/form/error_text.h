// Errors in the window's language, with the form's names for parameters. Errors not from refusal() (base/result.h) are
// left unchanged.
#pragma once

#include "base/result.h"

#include <QString>

namespace lockstep::ui {

/// Without the parameter's name in front: `9000 is more than the 8000 training samples (variant SGD)`.
[[nodiscard]] QString errorText(const Error& error);
/// `Batch: 9000 is more than the 8000 training samples (variant SGD)`
[[nodiscard]] QString titledErrorText(const Error& error);
/// The parameter that it is about; empty if none.
[[nodiscard]] std::string subjectOf(const Error& error);

} // namespace lockstep::ui
