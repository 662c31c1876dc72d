// What `lockstep lab` does, by its second word. Private to core/cli.
#pragma once

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "laboratory/laboratory.h"

#include <QString>

namespace lockstep::cli {

/// `lab check` of a laboratory, its folder, or a hand-in.
[[nodiscard]] Result<int> checkLab(const Arguments& arguments);
/// `lab check` of a hand-in: whether its journal follows, and the seal codes that were collected.
[[nodiscard]] Result<int> checkHandIn(const Arguments& arguments);
/// Writes the hand-in of the work that was begun in the store.
[[nodiscard]] Result<int> handInLab(const Arguments& arguments);
/// Runs an experiment step: of work that was begun, or as its author tries it.
[[nodiscard]] Result<int> runLab(const Arguments& arguments, const CommandContext& context);
/// The folder of the work: `optimizers-2`, or `optimizers`, of which it is the newest revision.
[[nodiscard]] Result<QString> workNamed(const QString& store, const QString& word);
[[nodiscard]] Result<int> newLab(const Arguments& arguments);
[[nodiscard]] Result<int> handOutLab(const Arguments& arguments);
[[nodiscard]] Result<int> listLabs(const Arguments& arguments);
/// Checks the code of a step: the verdict that the window gives.
[[nodiscard]] Result<int> tryCode(const Arguments& arguments);
/// The reference page, or the JSON schema.
[[nodiscard]] Result<int> showLabFormat(const Arguments& arguments);

} // namespace lockstep::cli
