// A laboratory: ordered steps to read, predict, run, answer and claim. A file NAME.lab (a zip archive), or a folder of
// the same content. It starts nothing: a student runs each experiment step. Reading is in read_laboratory.h.
#pragma once

#include "base/result.h"
#include "laboratory/step_kinds.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

inline constexpr int LaboratoryVersion = 1;
/// `NAME.lab`
inline const char* const LaboratorySuffix = ".lab";
inline const char* const KeySuffix = ".key";

struct Laboratory {
    std::string id; ///< lower-case letters, digits and `-`: `optimizers`
    int revision = 1;
    int minutes = 0; ///< about how long it takes; 0: not known
    Wording title;
    Wording course;
    Wording aim;
    std::vector<Step> steps;
    /// Every file but the key, by its name inside: `laboratory.json`, `texts/start.en.md`, `pictures/ring.svg`. What
    /// writeLaboratory() writes.
    std::map<std::string, QByteArray> files;
    std::string sha256; ///< of `files`, in hexadecimal: equal contents have equal ones

    [[nodiscard]] const Step* find(std::string_view step) const; ///< nullptr for an unknown id
    /// The experiment step of this id; nullptr for another kind.
    [[nodiscard]] const ExperimentStep* experiment(std::string_view step) const;
    /// Prediction steps of this experiment step, in order.
    [[nodiscard]] std::vector<const Step*> predictionsOf(std::string_view experimentStep) const;
    /// Questions about this experiment step, in order.
    [[nodiscard]] std::vector<const Step*> questionsAbout(std::string_view experimentStep) const;
};

/// A text, or code that is only shown: done once the student has read it.
[[nodiscard]] bool isToRead(const Step& step);

/// The seed of a student's number: the number as normalizedNumber(), SHA-256, its first 8 bytes (big-endian) modulo
/// 2^31. Repeats add to it. 0 for an empty number.
[[nodiscard]] std::int64_t seedOf(std::string_view number);
/// NFKC without blanks at the ends. It stays text: `007` keeps its zeros.
[[nodiscard]] std::string normalizedNumber(std::string_view number);

/// The spec that a student runs in this step: the seed by `number` where the step says so (refused if that is empty),
/// with the student's values of free parameters. Refuses a locked parameter by name.
[[nodiscard]] Result<experiment::Spec> specOf(
    const Step& step, std::string_view number, std::span<const experiment::Override> overrides = {});
/// Whether the student may change this parameter in the step.
[[nodiscard]] bool isFree(const ExperimentStep& step, std::string_view parameter);
/// Whether the step hides this parameter, as long as it hides any.
[[nodiscard]] bool isHidden(const ExperimentStep& step, std::string_view parameter);

} // namespace lockstep::laboratory
