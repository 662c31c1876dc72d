// What variants and experiments are called where a person reads of them: one function for charts, tables, sentences and
// files. The names in specs, in JSON and on the command line (`--only`) stay as they are.
#pragma once

#include "base/text.h"
#include "experiment/spec.h"

#include <string>
#include <string_view>

namespace lockstep::experiment {

struct Parameter;

/// `learning rate 0.003`, `4 ranks`, `Ring`: by the table's label, unit and names of values. Where it begins a name,
/// the label has its capital letter.
[[nodiscard]] Text inWords(const Parameter& parameter, const Value& value, bool beginsName = false);

/// `Ring, 4 ranks` for `ring world_size=4` of `aggregation`: the title that a preset's variant has, and each part that
/// vary() added in words. `settings`: of the variant, of which only those are put into words that its name gives with
/// the same value; whatever else a name says was typed by a person and stays as it is.
[[nodiscard]] Text variantName(std::string_view experiment, std::string_view name, const Assignment& settings);
[[nodiscard]] Text variantName(const RunSpec& run);

/// `learning rate 0.003` of a setting that these have; of a straggler's all of them together: `rank 1 +5 ms`, `no slow
/// rank`.
[[nodiscard]] Text settingInWords(const std::string& setting, const Assignment& settings);

/// The text in this language; the other one where that is empty.
[[nodiscard]] const std::string& textOf(const Wording& wording, bool isChinese);

/// Equal for the runs of one experiment and those of no other: the preset's name, with the title behind it if the
/// experiment has another one than the preset.
[[nodiscard]] std::string experimentKey(const std::string& experiment, const Wording& title);
[[nodiscard]] std::string experimentKey(const RunSpec& run);
/// What the preset of this name says of itself; of no preset: nothing.
[[nodiscard]] const About& aboutPreset(std::string_view name);

/// What an experiment without a title is called: `Adam, learning rate`, after the parameters in which its variants
/// differ; `SGD, MLP` where they differ in none.
[[nodiscard]] Text nameByVariation(const Spec& spec);

} // namespace lockstep::experiment
