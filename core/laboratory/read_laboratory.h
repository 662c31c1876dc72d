// Reads laboratories that anyone may have written. Files may be a .lab, a folder, or a folder of the program's
// resources (`:/laboratories/optimizers`). Starts nothing.
#pragma once

#include "laboratory/laboratory.h"
#include "laboratory/laboratory_key.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lockstep::laboratory {

/// Refuses with one line: the first of what checkLaboratory() finds. A key, a hand-in, a bundle and a later version in
/// the place of a laboratory are named as such.
[[nodiscard]] Result<Laboratory> readLaboratory(const QString& path);

/// What is wrong with a laboratory, for its author.
struct LaboratoryCheck {
    std::optional<Laboratory> laboratory{}; ///< also with errors, as far as it could be read
    std::optional<LaboratoryKey> key{}; ///< of a folder that has one (key.json), or the one given
    std::vector<Error> errors{}; ///< each one line; with any it cannot be opened
    std::vector<Error> remarks{}; ///< what a student would miss: a text in one language only, a step without a key

    [[nodiscard]] bool isOk() const { return laboratory && errors.empty(); }
};
/// `key`: a file NAME.key; empty: the folder's key.json if it has one.
[[nodiscard]] LaboratoryCheck checkLaboratory(const QString& path, const QString& key = {});

/// A folder's key.json, or NAME.key beside NAME.lab; empty: there is none.
[[nodiscard]] QString keyBeside(const QString& path);

/// By its first bytes or its suffix: whether opening this path as a laboratory makes sense. Also a folder that has
/// laboratory.json.
[[nodiscard]] bool isLaboratory(const QString& path);

/// Writes NAME.lab, without a key: equal content gives equal bytes. Replaces a file of that name.
[[nodiscard]] Result<void> writeLaboratory(const Laboratory& laboratory, const QString& path);

/// What a lecturer hands out: writes `OUT.lab` of the folder or .lab at `path` without its key and, where there is one,
/// `OUT.key` beside it. `out` ends in .lab. Refuses a laboratory with errors.
struct HandOut {
    QString laboratory;
    QString key; ///< empty: there was none
};
[[nodiscard]] Result<HandOut> handOut(const QString& path, const QString& key, const QString& out);

/// Writes a folder for a lecturer to edit: laboratory.json with a text, a prediction, the experiment and
/// questions about it, texts in both languages and key.json. Refuses a folder that is there.
[[nodiscard]] Result<void> writeNewLaboratory(
    const experiment::Spec& spec, const std::string& preset, const QString& folder);

/// Those that come with the program, in the course's order.
struct ShippedLaboratory {
    std::string id;
    QString path; ///< for readLaboratory()
};
[[nodiscard]] std::vector<ShippedLaboratory> shippedLaboratories();

/// The JSON schema of laboratory.json and of a key, and the reference page resources/docs/laboratories.md: all from the
/// table that reads them.
[[nodiscard]] std::string laboratorySchema();
[[nodiscard]] std::string laboratoryReference();

} // namespace lockstep::laboratory
